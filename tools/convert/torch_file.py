"""Reads the state dictionary of a PyTorch file of the old format without torch.

Such a file is five pickles (magic number, protocol, system, state dictionary, storage keys) and
then each storage as an int64 count and its numbers. Unpickling runs code by design, so the four names
that a state dictionary needs are the only ones that this reader resolves; anything else is refused.
"""

import io
import pickle
import struct
from collections import OrderedDict

import numpy as np

_MAGIC = 0x1950A86A20F9469CFC6C
_DTYPES = {"FloatStorage": np.dtype("<f4"), "LongStorage": np.dtype("<i8")}
_MAX_ELEMENTS = 1 << 28


class _Tensor:
    """What a tensor's pickle says: where its numbers are and how they are laid out."""

    def __init__(self, storage, offset, shape, stride):
        self.storage, self.offset, self.shape, self.stride = storage, offset, shape, stride

    def values(self, numbers):
        """The tensor as an array; `numbers` is its whole storage. Steps are counted in elements."""
        steps = [size - 1 for size in self.shape]
        if min((self.offset, *steps, *self.stride)) < 0 or len(steps) != len(self.stride):
            raise ValueError("a tensor's shape is not valid")
        last = self.offset + sum(a * b for a, b in zip(steps, self.stride))
        if last >= len(numbers):
            raise ValueError("a tensor runs past its storage")
        bytes_apart = [step * numbers.itemsize for step in self.stride]
        view = np.lib.stride_tricks.as_strided(numbers[self.offset:], self.shape, bytes_apart)
        return np.ascontiguousarray(view).reshape(self.shape)


def _rebuild_tensor(storage, offset, shape, stride, *_unused):
    return _Tensor(storage, offset, tuple(shape), tuple(stride))


class _Unpickler(pickle.Unpickler):
    def find_class(self, module, name):
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _rebuild_tensor
        if module == "torch" and name in _DTYPES:
            return name
        raise pickle.UnpicklingError(f"a state dictionary may not hold {module}.{name}")

    def persistent_load(self, saved):
        tag, kind, key, _location, count, view = saved
        if tag != "storage" or view is not None or not 0 <= count <= _MAX_ELEMENTS:
            raise pickle.UnpicklingError("unexpected storage")
        return kind, key, count


def _read_storage(file, dtype, count):
    stored = struct.unpack("<q", file.read(8))[0]
    if stored != count:
        raise ValueError("a storage has another length than its pickle says")
    raw = file.read(count * dtype.itemsize)
    if len(raw) != count * dtype.itemsize:
        raise ValueError("the file ends inside a storage")
    return np.frombuffer(raw, dtype)


def read_state(path):
    """Name -> numpy array. Raises ValueError or pickle.UnpicklingError for anything unexpected."""
    with open(path, "rb") as source:
        file = io.BytesIO(source.read())
    if _Unpickler(file).load() != _MAGIC or _Unpickler(file).load() != 1001:
        raise ValueError("not a PyTorch file of the old format")
    if not _Unpickler(file).load().get("little_endian"):
        raise ValueError("not little endian")
    state = _Unpickler(file).load()
    kinds = {tensor.storage[1]: tensor.storage for tensor in state.values()}
    storages = {}
    for key in _Unpickler(file).load():
        kind, _, count = kinds[key]
        storages[key] = _read_storage(file, _DTYPES[kind], count)
    return {name: tensor.values(storages[tensor.storage[1]]) for name, tensor in state.items()}
