import unittest

import numpy as np
import onnx

from convert import onnx_writer
from convert.onnx_writer import Graph


def adder():
    graph = Graph("adder")
    graph.input("x", onnx_writer.FLOAT, ["batch", 2])
    weight = graph.floats("w", np.array([1, 2], np.float32))
    graph.node("Add", ["x", weight], ["y"])
    graph.output("y", onnx_writer.FLOAT, ["batch", 2])
    return graph.encode(17, {"licence": "MIT"})


class OnnxWriterTest(unittest.TestCase):
    def test_varints_follow_the_protobuf_encoding(self):
        self.assertEqual(onnx_writer._varint(0), b"\x00")
        self.assertEqual(onnx_writer._varint(300), b"\xac\x02")
        self.assertEqual(onnx_writer._varint(-1), b"\xff" * 9 + b"\x01")

    def test_same_calls_give_same_bytes(self):
        self.assertEqual(adder(), adder())
        self.assertIn(np.array([1, 2], "<f4").tobytes(), adder())

    def test_attribute_kinds_carry_their_type(self):
        self.assertTrue(onnx_writer._attribute("a", 3).endswith(b"\x18\x03\xa0\x01\x02"))
        self.assertTrue(onnx_writer._attribute("a", [1, 1]).endswith(b"\xa0\x01\x07"))

    def test_onnx_package_accepts_the_model(self):
        model = onnx.load_from_string(adder())
        # Opset 17 needs IR version 8 only, which is what the distribution's checker knows.
        model.ir_version = min(model.ir_version, onnx.IR_VERSION)
        onnx.checker.check_model(model)
        self.assertEqual(model.graph.initializer[0].dims, [2])


if __name__ == "__main__":
    unittest.main()
