"""Turns a CTranslate2 Whisper model (fp16) into the ggml file that whisper.cpp loads, in 8 bits.

Source layout (CTranslate2 binary version 6): u32 version, text name, u32 revision, u32 count, then
each variable {text name, u8 rank, u32 dims, u8 type, u32 bytes, data}, then aliases. A text is a
u16 length that counts its final NUL. Query, key and value of one attention are stored as one matrix.
Target layout: whisper.cpp `models/convert-pt-to-ggml.py`, quantised as its `quantize … q8_0` does.
"""

import math
import struct

import numpy as np

_MAX_VARIABLES, _MAX_BYTES = 4096, 1 << 31
_DTYPES = {0: "<f4", 1: "i1", 2: "<i2", 3: "<i4", 4: "<f2"}
_GGML_MAGIC = 0x67676D6C
_FLOAT32, _FLOAT16, _Q8_0 = 0, 1, 8  # ggml_type, written in the file
_MOSTLY_Q8_0 = 2 * 1000 + 7  # version of the quantisation and ggml_ftype
_Q8_BLOCK = 32
_SAMPLE_RATE, _FFT, _MELS = 16000, 400, 80
_HEAD_SIZE = 64
_ENGLISH_TOKENS = 50256


class _Cursor:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if not 0 <= count <= len(self.data) - self.at:
            raise ValueError(f"the model ends inside a field at offset {self.at}")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, code):
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self):
        return bytes(self.take(self.number("H"))).rstrip(b"\0").decode("utf-8")


def read_variables(data):
    """Name -> numpy array of every variable of the CTranslate2 file."""
    cursor = _Cursor(memoryview(data))
    if cursor.number("I") != 6 or cursor.text() != "WhisperSpec":
        raise ValueError("not a CTranslate2 Whisper model of version 6")
    cursor.number("I")
    count = cursor.number("I")
    if count > _MAX_VARIABLES:
        raise ValueError(f"too many variables: {count}")
    variables = {}
    for _ in range(count):
        name, rank = cursor.text(), cursor.number("B")
        dims = [cursor.number("I") for _ in range(rank)]
        dtype = np.dtype(_DTYPES[cursor.number("B")])
        size = cursor.number("I")
        if size > _MAX_BYTES or size != math.prod(dims) * dtype.itemsize:
            raise ValueError(f"variable {name} has another size than its shape says")
        variables[name] = np.frombuffer(cursor.take(size), dtype).reshape(dims)
    return variables


def mel_filters():
    """Float32 [80, 201]: triangular filters on the Slaney mel scale, area-normalised.

    Slaney, "Auditory Toolbox" (1998); the same numbers as librosa.filters.mel(16000, 400, 80).
    """
    step, corner_hz = 200 / 3, 1000.0
    corner_mel, log_step = corner_hz / step, math.log(6.4) / 27

    def to_mel(hz):
        return hz / step if hz < corner_hz else corner_mel + math.log(hz / corner_hz) / log_step

    def to_hz(mel):
        if mel < corner_mel:
            return mel * step
        return corner_hz * math.exp(log_step * (mel - corner_mel))

    top = to_mel(_SAMPLE_RATE / 2)
    edges = [to_hz(top * i / (_MELS + 1)) for i in range(_MELS + 2)]
    result = np.zeros((_MELS, _FFT // 2 + 1), np.float32)
    for row in range(_MELS):
        low, middle, high = edges[row:row + 3]
        for column in range(result.shape[1]):
            hz = column * _SAMPLE_RATE / _FFT
            height = min((hz - low) / (middle - low), (high - hz) / (high - middle))
            result[row, column] = max(0.0, height) * 2 / (high - low)
    return result


def _byte_decoder():
    """GPT-2's table from printable characters back to bytes."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {chr(byte): byte for byte in plain}
    extra = [byte for byte in range(256) if byte not in plain]
    table.update({chr(256 + index): byte for index, byte in enumerate(extra)})
    return table


def read_tokens(text):
    """The byte strings of the ordinary tokens: what stands before <|endoftext|>.

    The English vocabulary is one token shorter than the multilingual one, and whisper.cpp's own
    converter counts <|endoftext|> among its ordinary tokens.
    """
    decoder, tokens = _byte_decoder(), []
    for line in text.split("\n"):
        if line == "<|endoftext|>":
            return tokens + [line.encode("ascii")] * (len(tokens) == _ENGLISH_TOKENS)
        tokens.append(bytes(decoder[c] for c in line))
    raise ValueError("the vocabulary has no <|endoftext|>")


def _attention(variables, source, target):
    """Pairs (ggml name, array) of one attention; cross attention keeps its query apart."""
    cross = source.endswith("/attention")
    names = ["query", "key", "value"]
    weight, bias = (variables[f"{source}/linear_0/{part}"] for part in ("weight", "bias"))
    if cross:
        more = [variables[f"{source}/linear_1/{part}"] for part in ("weight", "bias")]
        weight, bias = np.concatenate([weight, more[0]]), np.concatenate([bias, more[1]])
    for name, rows, offsets in zip(names, np.split(weight, 3), np.split(bias, 3)):
        yield f"{target}.{name}.weight", rows
        if name == "key":
            if np.any(offsets):
                raise ValueError(f"{source}: whisper.cpp knows no bias of the keys")
            continue
        yield f"{target}.{name}.bias", offsets
    last = f"{source}/linear_{2 if cross else 1}/"
    yield f"{target}.out.weight", variables[last + "weight"]
    yield f"{target}.out.bias", variables[last + "bias"]


def _norm(variables, source, target):
    yield target + ".weight", variables[source + "/gamma"]
    yield target + ".bias", variables[source + "/beta"]


def _block(variables, source, target, cross):
    yield from _norm(variables, source + "/self_attention/layer_norm", target + ".attn_ln")
    yield from _attention(variables, source + "/self_attention", target + ".attn")
    if cross:
        yield from _norm(variables, source + "/attention/layer_norm", target + ".cross_attn_ln")
        yield from _attention(variables, source + "/attention", target + ".cross_attn")
    yield from _norm(variables, source + "/ffn/layer_norm", target + ".mlp_ln")
    for index, name in enumerate(("mlp.0", "mlp.2")):
        yield f"{target}.{name}.weight", variables[f"{source}/ffn/linear_{index}/weight"]
        yield f"{target}.{name}.bias", variables[f"{source}/ffn/linear_{index}/bias"]


def _layer_count(variables, side):
    count = 0
    while f"{side}/layer_{count}/ffn/linear_0/weight" in variables:
        count += 1
    return count


def ggml_tensors(variables):
    """Pairs (ggml name, array) of the whole model."""
    yield "encoder.positional_embedding", variables["encoder/position_encodings/encodings"]
    for name in ("conv1", "conv2"):
        yield f"encoder.{name}.weight", variables[f"encoder/{name}/weight"]
        yield f"encoder.{name}.bias", variables[f"encoder/{name}/bias"][:, None]
    for index in range(_layer_count(variables, "encoder")):
        yield from _block(variables, f"encoder/layer_{index}", f"encoder.blocks.{index}", False)
    yield from _norm(variables, "encoder/layer_norm", "encoder.ln_post")
    yield "decoder.positional_embedding", variables["decoder/position_encodings/encodings"]
    yield "decoder.token_embedding.weight", variables["decoder/embeddings/weight"]
    for index in range(_layer_count(variables, "decoder")):
        yield from _block(variables, f"decoder/layer_{index}", f"decoder.blocks.{index}", True)
    yield from _norm(variables, "decoder/layer_norm", "decoder.ln")


def _header(variables, tokens):
    embedding = variables["decoder/embeddings/weight"]
    audio = variables["encoder/position_encodings/encodings"]
    text = variables["decoder/position_encodings/encodings"]
    numbers = (_GGML_MAGIC, embedding.shape[0], audio.shape[0], audio.shape[1],
               audio.shape[1] // _HEAD_SIZE, _layer_count(variables, "encoder"), text.shape[0],
               text.shape[1], text.shape[1] // _HEAD_SIZE, _layer_count(variables, "decoder"),
               _MELS, _MOSTLY_Q8_0)
    filters = mel_filters()
    body = struct.pack("<12i", *numbers) + struct.pack("<2i", *filters.shape)
    body += filters.astype("<f4").tobytes() + struct.pack("<i", len(tokens))
    return body + b"".join(struct.pack("<i", len(token)) + token for token in tokens)


def q8_0_bytes(array):
    """ggml's 8-bit blocks: for every 32 numbers of a row their scale (fp16) and 32 int8 codes."""
    blocks = np.asarray(array, np.float32).reshape(-1, _Q8_BLOCK)
    scales = np.abs(blocks).max(axis=1, keepdims=True) / 127
    codes = np.rint(blocks / np.where(scales > 0, scales, 1)).astype("i1")
    return np.concatenate([scales.astype("<f2").view("i1"), codes], axis=1).tobytes()


def _tensor_data(name, array):
    """The type of a tensor in the file, and its bytes."""
    # whisper.cpp wants everything that is added, and the positions, in full precision.
    if array.ndim < 2 or array.shape[-1] == 1 or name.endswith("positional_embedding"):
        return _FLOAT32, np.ascontiguousarray(array).astype("<f4").tobytes()
    if array.ndim > 2:  # convolutions
        return _FLOAT16, np.ascontiguousarray(array).astype("<f2").tobytes()
    return _Q8_0, q8_0_bytes(array)


def ggml_bytes(model, vocabulary):
    """The ggml file from the CTranslate2 file's bytes and the vocabulary's text."""
    variables = read_variables(model)
    parts = [_header(variables, read_tokens(vocabulary))]
    for name, array in ggml_tensors(variables):
        kind, data = _tensor_data(name, array)
        encoded = name.encode("ascii")
        parts.append(struct.pack("<3i", array.ndim, len(encoded), kind))
        parts.append(struct.pack(f"<{array.ndim}i", *reversed(array.shape)) + encoded + data)
    return b"".join(parts)


def convert(inputs, write):
    """Converter entry point: `inputs` maps member names to paths, `write(name, bytes)` stores."""
    model = b""
    for name in sorted(key for key in inputs if key.startswith("model.bin")):
        with open(inputs[name], "rb") as file:
            model += file.read()
    with open(inputs["vocabulary.txt"], encoding="utf-8", newline="\n") as file:
        write("ggml.bin", ggml_bytes(model, file.read()))
