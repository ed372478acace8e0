import io
import os
import pickle
import struct
import sys
import tempfile
import types
import unittest
from collections import OrderedDict
from unittest import mock

import numpy as np

from convert import efficientnet, torch_file


class _Storage:
    def __init__(self, kind, key, numbers):
        self.kind, self.key, self.numbers = kind, key, numbers


class _Tensor:
    def __init__(self, storage, offset, shape, stride):
        self.arguments = (storage, offset, shape, stride, False, OrderedDict())

    def __reduce__(self):
        return sys.modules["torch._utils"]._rebuild_tensor_v2, self.arguments


def _fake_torch():
    """Modules whose names the pickle can hold; torch itself is not needed."""
    torch, inner = types.ModuleType("torch"), types.ModuleType("torch._utils")
    torch.FloatStorage = type("FloatStorage", (), {"__module__": "torch"})
    inner._rebuild_tensor_v2 = types.FunctionType(
        (lambda *arguments: arguments).__code__, {}, "_rebuild_tensor_v2")
    inner._rebuild_tensor_v2.__module__ = "torch._utils"
    inner._rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    torch._utils = inner
    return {"torch": torch, "torch._utils": inner}


def torch_bytes(state, storages):
    with mock.patch.dict(sys.modules, _fake_torch()):
        class Pickler(pickle.Pickler):
            def persistent_id(self, value):
                if isinstance(value, _Storage):
                    kind = getattr(sys.modules["torch"], value.kind)
                    return "storage", kind, value.key, "cpu", len(value.numbers), None
                return None

        out = io.BytesIO()
        for part in (torch_file._MAGIC, 1001, {"little_endian": True}, state,
                     [storage.key for storage in storages]):
            Pickler(out, 2).dump(part)
    for storage in storages:
        out.write(struct.pack("<q", len(storage.numbers)) + storage.numbers.tobytes())
    return out.getvalue()


class TorchFileTest(unittest.TestCase):
    def read(self, data):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.pth")
            with open(path, "wb") as file:
                file.write(data)
            return torch_file.read_state(path)

    def sample(self, shape=(2, 3), stride=(3, 1), offset=0):
        storage = _Storage("FloatStorage", "17", np.arange(6, dtype="<f4"))
        return torch_bytes(OrderedDict(w=_Tensor(storage, offset, shape, stride)), [storage])

    def test_reads_whole_and_transposed_tensors(self):
        self.assertEqual(self.read(self.sample())["w"].tolist(), [[0, 1, 2], [3, 4, 5]])
        turned = self.read(self.sample(shape=(3, 2), stride=(1, 3)))["w"]
        self.assertEqual(turned.tolist(), [[0, 3], [1, 4], [2, 5]])

    def test_tensor_past_its_storage_is_refused(self):
        for arguments in ({"offset": 1}, {"shape": (3, 3)}, {"stride": (-3, 1)}):
            with self.assertRaises(ValueError, msg=arguments):
                self.read(self.sample(**arguments))

    def test_cut_file_is_refused(self):
        whole = self.sample()
        for end in (0, 10, len(whole) // 2, len(whole) - 1):
            with self.assertRaises((ValueError, EOFError, pickle.UnpicklingError, struct.error)):
                self.read(whole[:end])

    def test_pickled_code_is_refused_and_not_run(self):
        class Hostile:
            def __reduce__(self):
                return os.mkdir, ("/nonexistent/never",)

        with self.assertRaisesRegex(pickle.UnpicklingError, "may not hold"):
            self.read(pickle.dumps(Hostile(), 2))


class EfficientNetTest(unittest.TestCase):
    def test_folded_convolution_equals_normalised_one(self):
        numbers = np.random.default_rng(0)
        state = {f"bn.{key}": numbers.uniform(0.5, 2, 4).astype(np.float32)
                 for key in ("weight", "bias", "running_mean", "running_var")}
        weight, x = numbers.normal(size=(4, 3, 1, 1)), numbers.normal(size=3)
        kernel, bias = efficientnet.fold(weight, state, "bn")
        plain = (weight[:, :, 0, 0] @ x - state["bn.running_mean"]) / np.sqrt(
            state["bn.running_var"] + 1e-3) * state["bn.weight"] + state["bn.bias"]
        np.testing.assert_allclose(kernel[:, :, 0, 0] @ x + bias, plain, rtol=1e-5)

    def test_depth_scaling_leaves_the_outer_stages(self):
        self.assertEqual(len(efficientnet.strides("lite0")), 16)
        self.assertEqual(len(efficientnet.strides("lite2")), 21)
        self.assertEqual(efficientnet.strides("lite2")[:4], [1, 2, 1, 1])


if __name__ == "__main__":
    unittest.main()
