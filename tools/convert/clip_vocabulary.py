"""Turns CLIP's merge list (bpe_simple_vocab_16e6.txt.gz) into vocab.json and merges.txt.

The list names its merges only; the tokens follow from it: 256 byte characters, the same with
`</w>`, each merge's result, and the start and end token (Radford et al. 2021; 49,408 in all).
"""

import gzip
import io
import json

_MERGES = 49152 - 256 - 2
_MAX_TEXT_BYTES = 1 << 25


def byte_characters():
    """GPT-2's printable stand-ins for the 256 bytes, in CLIP's order."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    extra = range(256, 256 + 256 - len(plain))
    return [chr(code) for code in [*plain, *extra]]


def read_merges(packed):
    """[(left, right)] of the list's first 48,894 merges."""
    with gzip.open(io.BytesIO(packed)) as file:
        text = file.read(_MAX_TEXT_BYTES).decode("utf-8")
    pairs = [tuple(line.split(" ")) for line in text.split("\n")[1:1 + _MERGES]]
    if len(pairs) != _MERGES or any(len(pair) != 2 for pair in pairs):
        raise ValueError("not CLIP's list of merges")
    return pairs


def build_vocabulary(merges):
    """Token -> id."""
    tokens = byte_characters()
    tokens += [token + "</w>" for token in tokens]
    tokens += [left + right for left, right in merges]
    tokens += ["<|startoftext|>", "<|endoftext|>"]
    return {token: index for index, token in enumerate(tokens)}


def convert(inputs, write):
    """Converter entry point: `inputs` maps member names to paths, `write(name, bytes)` stores."""
    with open(inputs["merges.txt.gz"], "rb") as file:
        merges = read_merges(file.read())
    write("vocab.json", json.dumps(build_vocabulary(merges), ensure_ascii=True).encode("ascii"))
    lines = ["#version: 0.2"] + [f"{left} {right}" for left, right in merges]
    write("merges.txt", ("\n".join(lines) + "\n").encode("utf-8"))
