#!/usr/bin/env python3
"""Makes e5_vectors.json: what e5-small's models answer for twelve texts.

Needs numpy and onnxruntime:
  make_e5_vectors.py CACHE/models/e5-small e5-small-q4.bin > e5_vectors.json
`reference` is the network in full precision, computed by numpy from the source file without ONNX;
`model_int8` and `model_q4` are the shipped models. Each holds the first 16 of 384 values of
sentence_vector and its norm, before normalisation.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import numpy as np
import onnxruntime

from convert import e5_network, e5_source, e5_tokenizer

TEXTS = [
    "query: 如何更换水泵的过滤网？", "query: how to replace the filter of the pump", "passage: 先关闭电源，再打开外壳，取出过滤网并用清水冲洗。",
    "passage: Switch the power off, open the case, take the filter out and rinse it with clean water.", "query: 猫", "query: a photo of a cat sleeping on a sofa",
    "passage: 图 3.2 显示了吞吐量与延迟的关系（对数坐标）。", "passage: Figure 3.2: throughput versus latency (log scale).", "query: 先打开文件，再保存，最后关闭窗口", "query: first open the lid, then pour the water",
    "passage: 视线在文档和视频中寻找能够回答问题的那一页或那一刻。" * 12, "passage: Sightline finds the page or the moment that shows it. " * 20,
]


def summary(vector):
    return {"first_16": [round(float(v), 6) for v in vector[:16]],
            "norm": round(float(np.linalg.norm(vector)), 6)}


def main():
    folder = pathlib.Path(sys.argv[1])
    tokenizer = e5_tokenizer.E5Tokenizer(folder / "tokenizer.bin")
    network = e5_network.Network(e5_source.read_source(sys.argv[2]))
    sessions = {name: onnxruntime.InferenceSession(str(folder / f"{name}.onnx"))
                for name in ("model_int8", "model_q4")}
    entries = []
    for text in TEXTS:
        ids = tokenizer.encode(text)
        feeds = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
        entry = {"text": text, "ids": ids, "reference": summary(network.sentence_vector(ids))}
        for name, session in sessions.items():
            entry[name] = summary(session.run(["sentence_vector"], feeds)[0][0])
        entries.append(entry)
    print(json.dumps({"dims": 384, "texts": entries}, indent=1))


if __name__ == "__main__":
    main()
