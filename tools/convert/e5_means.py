"""Computes means.bin: what all Chinese and all English texts have in common in e5-small's space.

    PYTHONPATH=tools python3 -m convert.e5_means CACHE/models/e5-small \
        models/e5-small/language_sample.txt models/e5-small/means.bin

Needs numpy and onnxruntime; run by a developer, its result is committed. Layout of means.bin
(little endian): `SLMV`, u32 version 1, u32 dims, u32 count, SHA-256 of the sample (32 bytes), then `count`
rows {language 4 bytes, zero-padded ASCII; kind 4 bytes, `pool` or `tok`; f32 [dims]}.
Each sentence is encoded as `passage: ` + sentence by model_int8.onnx, on its own. `pool` is the mean
of sentence_vector, `tok` that of the content tokens' vectors (ids[3:-1]); both before normalisation.
To compare across languages: subtract the mean of the text's language, then normalise.
"""

import hashlib
import pathlib
import struct
import sys

import numpy as np

from convert.e5_tokenizer import E5Tokenizer

PREFIX, PREFIX_TOKENS = "passage: ", 3


def read_sample(text):
    """[(Chinese, English)] of the sample file."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    pairs = [tuple(line.split("\t")) for line in lines]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("a line of the sample is not a pair")
    return pairs


def language_means(session, tokenizer, sentences):
    """(pooled mean, token mean), float64 sums rounded once."""
    pooled, tokens = [], []
    for sentence in sentences:
        ids = np.array([tokenizer.encode(PREFIX + sentence)], np.int64)
        vectors, sentence_vector = session.run(
            None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        pooled.append(sentence_vector[0])
        tokens.append(vectors[0][PREFIX_TOKENS:-1])
    mean = lambda rows: np.mean(np.asarray(rows, np.float64), axis=0).astype("<f4")
    return mean(pooled), mean(np.concatenate(tokens))


def means_bytes(sample, rows):
    """means.bin from rows (language, kind, vector)."""
    body = struct.pack("<4sIII", b"SLMV", 1, len(rows[0][2]), len(rows))
    body += hashlib.sha256(sample).digest()
    for language, kind, vector in rows:
        body += struct.pack("<4s4s", language.encode(), kind.encode()) + vector.tobytes()
    return body


def main():
    import onnxruntime  # only here: the layout functions are tested without it
    folder, sample, out = map(pathlib.Path, sys.argv[1:4])
    tokenizer = E5Tokenizer(folder / "tokenizer.bin")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "model_int8.onnx"), options)
    data = sample.read_bytes()
    rows = []
    for language, sentences in zip(("zh", "en"), zip(*read_sample(data.decode("utf-8")))):
        pooled, tokens = language_means(session, tokenizer, sentences)
        rows += [(language, "pool", pooled), (language, "tok", tokens)]
    out.write_bytes(means_bytes(data, rows))


if __name__ == "__main__":
    main()
