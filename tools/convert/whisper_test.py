import struct
import unittest

import numpy as np

from convert import clip_vocabulary, whisper


def variable(name, array):
    codes = {"<f4": 0, "<i4": 3, "<f2": 4}
    kind = codes[np.dtype(array.dtype).str]
    text = name.encode() + b"\0"
    return (struct.pack("<H", len(text)) + text + struct.pack("<B", array.ndim)
            + struct.pack(f"<{array.ndim}I", *array.shape)
            + struct.pack("<BI", kind, array.nbytes) + array.tobytes())


def model_bytes(variables, version=6):
    head = struct.pack("<I", version) + struct.pack("<H", 12) + b"WhisperSpec\0"
    head += struct.pack("<II", 3, len(variables))
    return head + b"".join(variable(name, array) for name, array in variables.items())


class WhisperTest(unittest.TestCase):
    def test_variables_are_read_back(self):
        array = np.arange(6, dtype="<f2").reshape(2, 3)
        read = whisper.read_variables(model_bytes({"a/b": array}))
        np.testing.assert_array_equal(read["a/b"], array)

    def test_cut_or_foreign_models_are_refused(self):
        whole = model_bytes({"a": np.zeros(4, "<f4")})
        for end in range(len(whole)):
            with self.assertRaises((ValueError, struct.error), msg=f"cut at {end}"):
                whisper.read_variables(whole[:end])
        with self.assertRaises(ValueError):
            whisper.read_variables(model_bytes({}, version=5))

    def attention(self, key_bias):
        weight = np.arange(12, dtype="<f4").reshape(6, 2)
        bias = np.array([1, 2, key_bias, 0, 5, 6], "<f4")
        return {"x/self_attention/linear_0/weight": weight,
                "x/self_attention/linear_0/bias": bias,
                "x/self_attention/linear_1/weight": weight[:2],
                "x/self_attention/linear_1/bias": bias[:2]}

    def test_joined_attention_is_split_in_order(self):
        parts = dict(whisper._attention(self.attention(0), "x/self_attention", "t"))
        self.assertEqual(parts["t.query.weight"].tolist(), [[0, 1], [2, 3]])
        self.assertEqual(parts["t.value.weight"].tolist(), [[8, 9], [10, 11]])
        self.assertEqual(parts["t.value.bias"].tolist(), [5, 6])
        self.assertNotIn("t.key.bias", parts)

    def test_bias_of_the_keys_is_refused(self):
        with self.assertRaises(ValueError):
            dict(whisper._attention(self.attention(1), "x/self_attention", "t"))

    def test_matrices_become_blocks_of_8_bits_that_decode_to_what_they_were(self):
        rows = np.random.default_rng(1).normal(size=(3, 64)).astype("<f2")
        rows[1, :32] = 0
        kind, data = whisper._tensor_data("decoder.token_embedding.weight", rows)
        self.assertEqual((kind, len(data)), (8, 3 * 2 * 34))
        blocks = np.frombuffer(data, "i1").reshape(6, 34)
        scales = blocks[:, :2].copy().view("<f2").astype("f4")
        self.assertEqual(scales[2, 0], 0)
        decoded = (scales * blocks[:, 2:]).reshape(3, 64)
        largest = np.abs(rows).reshape(6, 32).max(axis=1).repeat(32).reshape(3, 64)
        self.assertTrue(np.all(np.abs(decoded - rows) <= largest / 127 * 0.6))

    def test_what_is_added_stays_whole_and_convolutions_are_halves(self):
        for name, shape, kind, size in (("encoder.positional_embedding", (2, 32), 0, 256),
                                        ("encoder.conv1.bias", (32, 1), 0, 128),
                                        ("encoder.conv1.weight", (2, 3, 32), 1, 384)):
            got, data = whisper._tensor_data(name, np.ones(shape, "f4"))
            self.assertEqual((got, len(data)), (kind, size))

    def test_mel_filters_have_slaneys_shape_and_area(self):
        filters = whisper.mel_filters()
        self.assertEqual(filters.shape, (80, 201))
        self.assertAlmostEqual(float(filters[0, 1]), 0.02486259, places=6)
        areas = filters.sum(axis=1) * 16000 / 400
        self.assertTrue(np.all(np.abs(areas[40:] - 1) < 0.07), areas[40:])

    def test_tokens_stop_before_end_of_text(self):
        self.assertEqual(whisper.read_tokens("!\n\u0120a\n<|endoftext|>\nmore\n"), [b"!", b" a"])
        with self.assertRaises(ValueError):
            whisper.read_tokens("!\n")


class ClipVocabularyTest(unittest.TestCase):
    def test_ids_follow_bytes_ends_and_merges(self):
        ids = clip_vocabulary.build_vocabulary([("t", "h"), ("th", "e</w>")])
        self.assertEqual((ids["!"], ids["!</w>"], ids["th"], ids["the</w>"]), (0, 256, 512, 513))
        self.assertEqual(ids["<|endoftext|>"], 515)


if __name__ == "__main__":
    unittest.main()
