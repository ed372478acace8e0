#!/usr/bin/env python3
"""Makes tiny_reranker/: a "model" whose score shows which tokens it was given, and a small vocabulary.

Needs onnx. The score is the sum of ids where the type is 1, plus the number of masked-in tokens / 1000:
a wrong pair, type, mask or order of the batch changes it.
  make_reranker_fixture.py tiny_reranker
"""

import json
import pathlib
import sys

import onnx
from onnx import TensorProto, helper

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "water", "pump", "##s", "filter", "水", "泵", "过", "滤", "网"]


def main():
    folder = pathlib.Path(sys.argv[1])
    names = ["input_ids", "attention_mask", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in names]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", 1])
    axis = helper.make_tensor("axis", TensorProto.INT64, [1], [1])
    thousand = helper.make_tensor("thousand", TensorProto.FLOAT, [1], [1000.0])
    nodes = [
        helper.make_node("Mul", ["input_ids", "token_type_ids"], ["typed"]),
        helper.make_node("ReduceSum", ["typed", "axis"], ["sum_int"]),
        helper.make_node("Cast", ["sum_int"], ["sum"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["attention_mask", "axis"], ["count_int"]),
        helper.make_node("Cast", ["count_int"], ["count"], to=TensorProto.FLOAT),
        helper.make_node("Div", ["count", "thousand"], ["share"]),
        helper.make_node("Add", ["sum", "share"], ["logits"])]
    graph = helper.make_graph(nodes, "tiny-reranker", inputs, [output], [axis, thousand])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, folder / "model.onnx")
    special = [{"id": i, "content": p, "single_word": False, "lstrip": False, "rstrip": False,
                "normalized": False, "special": True} for i, p in enumerate(PIECES[:4])]
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": special,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {p: i for i, p in enumerate(PIECES)}}}
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False, indent=1) + "\n",
                                           encoding="utf-8")


if __name__ == "__main__":
    main()
