"""Reference tokenizer of multilingual-e5-small, read from tokenizer.bin.

The rules are those of docs/format/e5-tokenizer.md, written for clarity; golden files are made with
it and compared with the Hugging Face `tokenizers` package. The program has its own implementation.
"""

import struct
import unicodedata

import numpy as np

MAGIC, VERSION = b"SLTK", 1
META = "\u2581"
UNKNOWN_PENALTY = 10.0
_HEADER = struct.Struct("<4sI8I")
_MAX_PIECES, _MAX_RULES, _MAX_BLOB = 1 << 20, 1 << 16, 1 << 26


class E5Tokenizer:
    """`encode` gives ids with the start and end tokens; `pieces` maps a piece to (id, score)."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        fields = _HEADER.unpack_from(data)
        if fields[0] != MAGIC or fields[1] != VERSION:
            raise ValueError("not a tokenizer file of version 1")
        pieces, blob_bytes, rules, replacements = fields[2:6]
        self.bos, self.pad, self.eos, self.unk = fields[6:10]
        if pieces > _MAX_PIECES or rules > _MAX_RULES or blob_bytes > _MAX_BLOB:
            raise ValueError("a count of the tokenizer file is out of range")
        sizes = [(pieces + 1) * 4, pieces * 4, rules * 4, (rules + 1) * 4, replacements * 4]
        if _HEADER.size + sum(sizes) + blob_bytes != len(data):
            raise ValueError("the tokenizer file has another length than its header says")
        self._load(data, sizes, pieces)

    def _load(self, data, sizes, pieces):
        parts, at = [], _HEADER.size
        for size, dtype in zip(sizes, ("<u4", "<f4", "<u4", "<u4", "<u4")):
            parts.append(np.frombuffer(data, dtype, size // 4, at))
            at += size
        offsets, scores, code_points, starts, replacements = parts
        blob = data[at:]
        never = {self.bos, self.pad, self.eos, self.unk, pieces - 1}  # the last piece is <mask>
        self.pieces, self._prefixes = {}, set()
        self.lowest = float(scores.min())
        for index in range(pieces):
            if index in never:
                continue
            piece = blob[offsets[index]:offsets[index + 1]].decode("utf-8")
            self.pieces.setdefault(piece, (index, float(scores[index])))
            self._prefixes.update(piece[:end] for end in range(1, len(piece) + 1))
        self._rules = {
            int(code): "".join(map(chr, replacements[starts[i]:starts[i + 1]]))
            for i, code in enumerate(code_points)}

    def normalise(self, text):
        """NFC, the code point table, NFC again, single spaces, none at the ends.

        The second NFC joins what the table leaves apart, such as half-width kana and its mark.
        """
        text = unicodedata.normalize("NFC", text).translate(self._rules)
        text = unicodedata.normalize("NFC", text)
        return " ".join(part for part in text.split(" ") if part)

    def content(self, text):
        """Ids of the text alone: the best segmentation by summed score, runs of unknowns as one."""
        text = self.normalise(text)
        if not text:
            return []
        text = META + text.replace(" ", META)
        best, back = [0.0] + [None] * len(text), [None] * (len(text) + 1)
        for start in range(len(text)):
            total = best[start]  # every position is reached, by the unknown token at the latest
            for end in range(start + 1, len(text) + 1):
                part = text[start:end]
                if part not in self._prefixes:
                    break
                if part in self.pieces:
                    index, score = self.pieces[part]
                    if best[end] is None or total + score > best[end]:
                        best[end], back[end] = total + score, (start, index)
            score = total + self.lowest - UNKNOWN_PENALTY
            if best[start + 1] is None or score > best[start + 1]:
                best[start + 1], back[start + 1] = score, (start, self.unk)
        ids, at = [], len(text)
        while at > 0:
            at, index = back[at]
            if index != self.unk or not ids or ids[-1] != self.unk:
                ids.append(index)
        return ids[::-1]

    def encode(self, text, limit=512):
        """Start token, content cut to `limit` - 2 ids, end token."""
        return [self.bos] + self.content(text)[:limit - 2] + [self.eos]
