import os
import struct
import tempfile
import unittest

import numpy as np

from convert import e5, e5_means, e5_source
from convert.e5_tokenizer import E5Tokenizer

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a", "b", "▁ab", "ab", "c", "▁a", "<mask>"]
SCORES = [0, 0, 0, 0, -3, -4, -4, -2, -3, -5, -3, 0]


def packed(rules=((9, (32,)), (0xFB01, (0x66, 0x69)), (7, ()))):
    """A source file with twelve pieces and one tensor of each type."""
    blob = "".join(PIECES).encode("utf-8")
    ends = np.cumsum([0] + [len(piece.encode("utf-8")) for piece in PIECES])
    head = struct.pack("<4sI7ifi5i", b"E5S1", 1, 384, 12, 12, 1536, 250037, 512, 2, 1e-12, 32,
                       len(PIECES), 0, 2, 1, 3)
    head += struct.pack("<Q", len(blob)) + ends.astype("<u4").tobytes()
    head += np.array(SCORES, "<f4").tobytes() + blob
    body = b"".join(struct.pack("<IB", code, len(out)) + struct.pack(f"<{len(out)}I", *out)
                    for code, out in sorted(rules))
    head += struct.pack("<iI", len(rules), len(body)) + body + struct.pack("<i", 2)
    block = np.float16(0.5).tobytes() + bytes(range(16))
    directory = len(head) + 2 * (2 + 1 + 4 + 8 + 8) + 1 + 1
    head += struct.pack("<H1sBIQQ", 1, b"f", 0, 2, directory, 8)
    head += struct.pack("<H1sBIQQ", 1, b"q", 1, 32, directory + 8, 18)
    return head + struct.pack("<2f", 1.5, -2) + block


class E5Test(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, data):
        path = os.path.join(self.folder.name, "file")
        with open(path, "wb") as file:
            file.write(data)
        return path

    def source(self):
        return e5_source.read_source(self.path(packed()))

    def tokenizer(self):
        return E5Tokenizer(self.path(e5.tokenizer_bytes(self.source())))

    def test_four_bit_blocks_unpack_low_halves_first(self):
        values = self.source().dequantized("q", 1, 32)[0]
        low = [(byte & 15) - 8 for byte in range(16)]
        high = [(byte >> 4) - 8 for byte in range(16)]
        np.testing.assert_array_equal(values, np.array(low + high) * 0.5)
        np.testing.assert_array_equal(self.source().floats("f"), [1.5, -2])

    def test_every_cut_source_file_is_refused(self):
        whole = packed()
        for end in range(len(whole)):
            with self.assertRaises((ValueError, struct.error), msg=f"cut at {end}"):
                e5_source.read_source(self.path(whole[:end]))

    def test_every_cut_tokenizer_file_is_refused(self):
        whole = e5.tokenizer_bytes(self.source())
        for end in range(len(whole)):
            with self.assertRaises((ValueError, struct.error), msg=f"cut at {end}"):
                E5Tokenizer(self.path(whole[:end]))

    def test_best_sum_wins_and_specials_are_text(self):
        tokenizer = self.tokenizer()
        self.assertEqual(tokenizer.encode("ab"), [0, 7, 2])
        self.assertEqual(tokenizer.encode("ab ab c"), [0, 7, 7, 4, 9, 2])
        self.assertNotIn(11, tokenizer.encode("<mask>"))
        self.assertEqual(tokenizer.encode("</s>"), [0, 4, 3, 2])

    def test_unknown_runs_become_one(self):
        self.assertEqual(self.tokenizer().encode("\u4e2dxyz a"), [0, 4, 3, 10, 2])

    def test_rules_replace_delete_and_make_spaces(self):
        tokenizer = self.tokenizer()
        self.assertEqual(tokenizer.normalise("\ta\t\tb\x07 "), "a b")
        self.assertEqual(tokenizer.normalise("\ufb01"), "fi")
        self.assertEqual(tokenizer.normalise("e\u0301"), "\u00e9")

    def test_limit_cuts_content_and_keeps_the_ends(self):
        self.assertEqual(self.tokenizer().encode("c c c c", limit=4), [0, 4, 9, 2])

    def test_nibbles_pack_even_elements_low(self):
        self.assertEqual(e5.pack_nibbles(np.array([1, 2, 3, 4])).tolist(), [0x21, 0x43])

    def test_means_file_has_its_documented_layout(self):
        rows = [("zh", "pool", np.zeros(4, "<f4")), ("en", "tok", np.ones(4, "<f4"))]
        data = e5_means.means_bytes(b"sample", rows)
        self.assertEqual(len(data), 48 + 2 * (8 + 16))
        self.assertEqual(struct.unpack_from("<4sIII", data), (b"SLMV", 1, 4, 2))
        self.assertEqual(data[48 + 24:48 + 32], b"en\0\0tok\0")

    def test_sample_lines_are_pairs(self):
        self.assertEqual(e5_means.read_sample("# note\n你好\tHello\n"), [("你好", "Hello")])
        with self.assertRaises(ValueError):
            e5_means.read_sample("one column\n")


if __name__ == "__main__":
    unittest.main()
