#!/usr/bin/env python3
"""Makes bge_zh_tokens.jsonl and bge_en_tokens.jsonl: BERT WordPiece ids for texts.py.

Needs `tokenizers`:  make_bert_tokens.py CACHE/models/bge-small-zh/tokenizer.json > bge_zh_tokens.jsonl
Ids hold [CLS] and [SEP] and are cut to 512. Text that looks like a special token is text.
"""

import json
import sys

from tokenizers import Tokenizer

import texts


def main():
    tokenizer = Tokenizer.from_file(sys.argv[1])
    tokenizer.no_padding()
    tokenizer.enable_truncation(512)
    tokenizer.encode_special_tokens = True
    for text in texts.all_texts():
        print(json.dumps({"text": text, "ids": tokenizer.encode(text).ids}))


if __name__ == "__main__":
    main()
