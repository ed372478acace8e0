"""Writes ONNX model files with the standard library alone.

An ONNX file is one protobuf message (onnx.proto, ModelProto). The converters need a dozen of its
fields, so this module encodes exactly those: no protobuf package is needed, and the bytes depend on
the calls alone, never on a package version. Tests read the result with the `onnx` package where it
is installed.
"""

import struct

FLOAT, UINT8, INT8, INT32, INT64, BOOL, FLOAT16, INT4 = 1, 2, 3, 6, 7, 9, 10, 22

_MICROSOFT = "com.microsoft"


def _varint(value):
    """Encodes a protobuf varint; negative numbers take ten bytes, as the format asks."""
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append((value & 0x7F) | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _int(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    if isinstance(value, str):
        value = value.encode("utf-8")
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _float(field, value):
    return _varint(field << 3 | 5) + struct.pack("<f", value)


def _attribute(name, value):
    """AttributeProto from a Python int, float, str or list of ints."""
    body = _bytes(1, name)
    if isinstance(value, float):
        body += _float(2, value) + _int(20, 1)
    elif isinstance(value, int):
        body += _int(3, value) + _int(20, 2)
    elif isinstance(value, str):
        body += _bytes(4, value) + _int(20, 3)
    else:
        body += b"".join(_int(8, number) for number in value) + _int(20, 7)
    return body


def _value_info(name, element_type, dims):
    """ValueInfoProto; a dimension is a number or the name of a free one."""
    shape = b""
    for dim in dims:
        shape += _bytes(1, _bytes(2, dim) if isinstance(dim, str) else _int(1, dim))
    tensor = _int(1, element_type) + _bytes(2, shape)
    return _bytes(1, name) + _bytes(2, _bytes(1, tensor))


class Graph:
    """Collects nodes, weights, inputs and outputs in call order, then encodes the model."""

    def __init__(self, name):
        self._name = name
        self._nodes, self._weights, self._inputs, self._outputs = [], [], [], []
        self._domains = {}
        self._counter = 0

    def fresh(self, stem):
        """A value name that no other value has."""
        self._counter += 1
        return f"{stem}_{self._counter}"

    def input(self, name, element_type, dims):
        self._inputs.append(_value_info(name, element_type, dims))
        return name

    def output(self, name, element_type, dims):
        self._outputs.append(_value_info(name, element_type, dims))

    def weight(self, name, element_type, dims, data):
        """Adds an initializer from little-endian raw bytes."""
        body = b"".join(_int(1, dim) for dim in dims) + _int(2, element_type)
        self._weights.append(body + _bytes(8, name) + _bytes(9, bytes(data)))
        return name

    def floats(self, name, array):
        """Adds a float32 initializer from a numpy array."""
        return self.weight(name, FLOAT, array.shape, array.astype("<f4").tobytes())

    def ints(self, name, values, dims=None):
        """Adds an int64 initializer; `dims` defaults to one axis."""
        dims = [len(values)] if dims is None else dims
        return self.weight(name, INT64, dims, struct.pack(f"<{len(values)}q", *values))

    def node(self, op, inputs, outputs=None, domain="", **attributes):
        """Adds a node and returns its first output's name; one is made up if none is given."""
        outputs = [self.fresh(op.lower())] if outputs is None else outputs
        body = b"".join(_bytes(1, name) for name in inputs)
        body += b"".join(_bytes(2, name) for name in outputs)
        body += _bytes(3, f"{op}_{len(self._nodes)}") + _bytes(4, op)
        for key in sorted(attributes):
            body += _bytes(5, _attribute(key, attributes[key]))
        if domain:
            body += _bytes(7, domain)
            self._domains[domain] = 1
        self._nodes.append(body)
        return outputs[0]

    def microsoft(self, op, inputs, outputs=None, **attributes):
        """Adds a node of ONNX Runtime's own operator set."""
        return self.node(op, inputs, outputs, domain=_MICROSOFT, **attributes)

    def encode(self, opset, metadata, ir_version=10):
        """The finished file's bytes; `metadata` is a dict of strings."""
        graph = b"".join(_bytes(1, node) for node in self._nodes) + _bytes(2, self._name)
        graph += b"".join(_bytes(5, weight) for weight in self._weights)
        graph += b"".join(_bytes(11, value) for value in self._inputs)
        graph += b"".join(_bytes(12, value) for value in self._outputs)
        model = _int(1, ir_version) + _bytes(2, "sightline")
        model += _bytes(7, graph) + _bytes(8, _int(2, opset))
        for domain in sorted(self._domains):
            model += _bytes(8, _bytes(1, domain) + _int(2, self._domains[domain]))
        for key in sorted(metadata):
            model += _bytes(14, _bytes(1, key) + _bytes(2, metadata[key]))
        return model
