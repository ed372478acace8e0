#!/usr/bin/env python3
"""Makes clip_tokens.jsonl: CLIP BPE ids for texts.py, as the Hugging Face CLIP tokenizer gives them.

Needs `tokenizers`:  make_clip_tokens.py CACHE/models/clip-bpe > clip_tokens.jsonl
Rules: NFC, runs of white space to one space, lower case; split by the pattern below; bytes to
characters; merges inside each part, whose last character carries `</w>`. Ids hold the start (49406) and
end (49407) token and are cut to 77. Text that looks like a special token is text.
"""

import json
import pathlib
import sys

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

import texts

PATTERN = (r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|"
           r"[^\s\p{L}\p{N}]+")
_LIMIT = 77


def clip_tokenizer(folder):
    """transformers' CLIPTokenizerFast built from its parts, and the start and end ids."""
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))
    lines = (folder / "merges.txt").read_text(encoding="utf-8").split("\n")[1:]
    merges = [tuple(line.split(" ")) for line in lines if line]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<|endoftext|>",
                                     continuing_subword_prefix="", end_of_word_suffix="</w>",
                                     fuse_unk=False))
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PATTERN), "removed", invert=True),
        pre_tokenizers.ByteLevel(add_prefix_space=False)])
    return tokenizer, vocabulary["<|startoftext|>"], vocabulary["<|endoftext|>"]


def main():
    tokenizer, start, end = clip_tokenizer(pathlib.Path(sys.argv[1]))
    tokenizer.encode_special_tokens = True
    for text in texts.all_texts():
        content = tokenizer.encode(text).ids[:_LIMIT - 2]
        print(json.dumps({"text": text, "ids": [start, *content, end]}))


if __name__ == "__main__":
    main()
