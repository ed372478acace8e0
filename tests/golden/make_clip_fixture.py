#!/usr/bin/env python3
"""Makes tiny_clip/: a CLIP with random weights and what `transformers` answers for it.

Needs transformers, torch (CPU), onnx and pillow in a tool environment, and CLIP's own vocabulary:
  make_clip_fixture.py CACHE/models/clip-bpe tiny_clip
Made with transformers 4.41 and torch 1.13. The model has 32 hidden units, two layers and pictures of
32 pixels; its vocabulary is CLIP's first 1,500 merges. Weights are three times the usual random size,
so that different inputs have clearly different vectors. expected.json holds the tokens, the pixels
after preprocessing and the vectors (before L2) of each input, computed by torch, not by ONNX.
"""

import json
import pathlib
import sys

import numpy as np
import onnx
import torch
from PIL import Image
from transformers import (CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPTextConfig,
                          CLIPTokenizerFast, CLIPVisionConfig)

MERGES, SIDE, OPSET = 1500, 32, 14
TEXTS = ["a photo of a cat", "A photo of a CAT.", "two dogs, running on the beach!", "bar chart of revenue 2026",
         "一只猫的照片", "红色的苹果和绿色的梨", "先打开文件，再保存", "naïve café", "👍🏽", "",
         "the quick brown fox jumps over the lazy dog " * 12]


def write_vocabulary(source, folder):
    """CLIP's vocabulary cut to its first merges; the ids are renumbered."""
    merges = (source / "merges.txt").read_text(encoding="utf-8").split("\n")[1:1 + MERGES]
    tokens = list(json.loads((source / "vocab.json").read_text(encoding="utf-8")))
    kept = tokens[:512 + MERGES] + tokens[-2:]
    (folder / "vocab.json").write_text(
        json.dumps({token: index for index, token in enumerate(kept)}), encoding="utf-8")
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges]) + "\n",
                                       encoding="utf-8")
    return len(kept)


def tiny_config(vocabulary_size):
    sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4)
    text = CLIPTextConfig(**sizes, vocab_size=vocabulary_size, max_position_embeddings=77,
                          bos_token_id=vocabulary_size - 2, eos_token_id=vocabulary_size - 1,
                          pad_token_id=vocabulary_size - 1)
    vision = CLIPVisionConfig(**sizes, image_size=SIDE, patch_size=8)
    return CLIPConfig.from_text_vision_configs(text, vision, projection_dim=24)


def test_images():
    """Three pictures of different shape: gradients, shapes, and checks."""
    y, x = np.mgrid[0:48, 0:60]
    first = np.stack([x * 4, y * 5, (x + y) * 2], axis=2).clip(0, 255).astype(np.uint8)
    y, x = np.mgrid[0:90, 0:40]
    second = np.full((90, 40, 3), 240, np.uint8)
    second[(x - 20) ** 2 + (y - 30) ** 2 < 150] = (200, 30, 30)
    second[60:80, 5:35] = (20, 60, 180)
    y, x = np.mgrid[0:32, 0:32]
    third = np.where(((x // 4 + y // 4) % 2 == 0)[:, :, None], (255, 255, 0), (0, 90, 0))
    return {"gradient.png": first, "shapes.png": second, "checks.png": third.astype(np.uint8)}


class VisionTower(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        return self.model.get_image_features(pixel_values)


class TextTower(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids, attention_mask):
        return self.model.get_text_features(input_ids, attention_mask)


def export(model, folder):
    axes = {0: "batch_size", 1: "sequence_length"}
    torch.onnx.export(
        VisionTower(model), (torch.zeros(1, 3, SIDE, SIDE),), str(folder / "vision_model.onnx"),
        input_names=["pixel_values"], output_names=["image_embeds"], opset_version=OPSET,
        dynamic_axes={"pixel_values": {0: "batch_size"}, "image_embeds": {0: "batch_size"}})
    torch.onnx.export(
        TextTower(model), (torch.ones(2, 7, dtype=torch.int64), torch.ones(2, 7, dtype=torch.int64)),
        str(folder / "text_model.onnx"), input_names=["input_ids", "attention_mask"],
        output_names=["text_embeds"], opset_version=OPSET,
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "text_embeds": {0: "batch_size"}})
    for name in ("vision_model.onnx", "text_model.onnx"):
        onnx.checker.check_model(str(folder / name))


def rounded(tensor):
    return [round(float(value), 6) for value in tensor.flatten()]


def expectations(model, tokenizer, processor, images):
    texts = []
    for text in TEXTS:
        encoded = tokenizer(text, truncation=True, max_length=77, return_tensors="pt")
        vector = model.get_text_features(**encoded)
        texts.append({"text": text, "ids": encoded["input_ids"][0].tolist(), "embeds": rounded(vector)})
    pictures = []
    for name, pixels in images.items():
        values = processor(Image.fromarray(pixels), return_tensors="pt")["pixel_values"]
        pictures.append({"file": name, "pixel_values": rounded(values),
                         "embeds": rounded(model.get_image_features(values))})
    return {"dims": 24, "texts": texts, "images": pictures}


def main():
    source, folder = map(pathlib.Path, sys.argv[1:3])
    folder.mkdir(exist_ok=True)
    torch.manual_seed(7)
    torch.set_num_threads(1)
    model = CLIPModel(tiny_config(write_vocabulary(source, folder))).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "norm" not in name and parameter.dim() > 0:
                parameter.mul_(3)
        tokenizer = CLIPTokenizerFast(str(folder / "vocab.json"), str(folder / "merges.txt"),
                                      model_max_length=77)
        processor = CLIPImageProcessor(size={"shortest_edge": SIDE},
                                       crop_size={"height": SIDE, "width": SIDE})
        images = test_images()
        for name, pixels in images.items():
            Image.fromarray(pixels).save(folder / name, optimize=True)
        expected = expectations(model, tokenizer, processor, images)
        export(model, folder)
    (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    model.config.to_json_file(folder / "config.json")
    processor.save_pretrained(folder)


if __name__ == "__main__":
    main()
