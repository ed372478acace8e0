"""multilingual-e5-small in full precision with numpy: what the converted models are tested with.

BERT with post-normalisation (Devlin et al. 2018): LN(word + position + type), then twelve times
x = LN(x + attention(x)), x = LN(x + outer(gelu(inner(x)))). One text at a time, slow and plain.
"""

import math

import numpy as np

_HIDDEN, _LAYERS, _HEADS, _FFN = 384, 12, 12, 1536
_erf = np.vectorize(math.erf, otypes=[np.float64])


class Network:
    """Holds the source; weights are unpacked as they are needed."""

    def __init__(self, source):
        self.source = source

    def _linear(self, x, name):
        weight = self.source.dequantized(name + ".w", -1, x.shape[-1])
        return x @ weight.T.astype(np.float64) + self.source.floats(name + ".b")

    def _norm(self, x, name):
        centred = x - x.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred ** 2).mean(axis=-1, keepdims=True) + self.source.epsilon)
        return centred / scale * self.source.floats(name + ".w") + self.source.floats(name + ".b")

    def _attention(self, x, prefix):
        q, k, v = (self._linear(x, prefix + part).reshape(len(x), _HEADS, -1).swapaxes(0, 1)
                   for part in "qkv")
        scores = q @ k.swapaxes(1, 2) / math.sqrt(_HIDDEN // _HEADS)
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        joined = (weights @ v).swapaxes(0, 1).reshape(len(x), _HIDDEN)
        return self._linear(joined, prefix + "ao")

    def token_vectors(self, ids):
        """float64 [tokens, 384]."""
        scales, nibbles = self.source.quantized("emb.word", -1, _HIDDEN)
        scales = np.repeat(scales[ids].astype(np.float64), 32, axis=1)
        words = (nibbles[ids].astype(np.float64) - 8) * scales
        place = self.source.floats("emb.pos").reshape(-1, _HIDDEN)[:len(ids)]
        x = self._norm(words + place + self.source.floats("emb.type")[:_HIDDEN], "emb.ln")
        for index in range(_LAYERS):
            prefix = f"l{index}."
            x = self._norm(x + self._attention(x, prefix), prefix + "aln")
            inner = self._linear(x, prefix + "fi")
            inner = 0.5 * inner * (1 + _erf(inner / math.sqrt(2)))
            x = self._norm(x + self._linear(inner, prefix + "fo"), prefix + "oln")
        return x

    def sentence_vector(self, ids):
        """float64 [384], the mean over all tokens, not normalised."""
        return self.token_vectors(ids).mean(axis=0)
