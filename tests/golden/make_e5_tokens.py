#!/usr/bin/env python3
"""Makes e5_tokens.jsonl: what multilingual-e5-small's tokenizer answers for texts.py.

Needs numpy and `tokenizers`, the tokenizer.bin of the model cache and the source file of the package:
  make_e5_tokens.py CACHE/models/e5-small/tokenizer.bin e5-small-q4.bin > e5_tokens.jsonl
Ids hold the start (0) and end (2) token and are cut to 512. `tokenizers_agrees` says whether the
Hugging Face package, given the same pieces, answers the same; where it does not, the rules of
docs/format/e5-tokenizer.md decide.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

import texts
from convert import e5_source, e5_tokenizer


def hugging_face(path):
    """The same pieces in the Hugging Face package; NFKC stands for the model's own table."""
    source = e5_source.read_source(path)
    ends = [int(end) for end in source.offsets]
    pieces = [source.blob[a:b].decode("utf-8") for a, b in zip(ends, ends[1:])]
    vocabulary = [(piece, float(score)) for piece, score in zip(pieces, source.scores)]
    result = Tokenizer(models.Unigram(vocabulary, unk_id=3, byte_fallback=False))
    result.normalizer = normalizers.Sequence([
        normalizers.Nmt(), normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " "),
        normalizers.Strip()])
    result.pre_tokenizer = pre_tokenizers.Metaspace(
        replacement=e5_tokenizer.META, prepend_scheme="always", split=False)
    return result


def main():
    own = e5_tokenizer.E5Tokenizer(sys.argv[1])
    other = hugging_face(sys.argv[2])
    for text in texts.all_texts():
        ids = own.encode(text)
        theirs = other.encode(text, add_special_tokens=False).ids
        agrees = [own.bos] + theirs[:510] + [own.eos] == ids
        print(json.dumps({"text": text, "ids": ids, "tokenizers_agrees": agrees}))


if __name__ == "__main__":
    main()
