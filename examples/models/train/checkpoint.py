"""Writing and reading the model folder: config.json, generation_config.json and model.safetensors."""

import json
import pathlib

import torch
from safetensors.torch import load_file, save_file

from model import Config, StoryModel


def save(model: StoryModel, folder: pathlib.Path) -> int:
    """Write the weights as bfloat16 with the configs beside them; returns the number of parameters."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: w.detach().to("cpu", torch.bfloat16).contiguous() for name, w in model.state_dict().items()}
    save_file(weights, str(folder / "model.safetensors"), metadata={"format": "pt"})
    (folder / "config.json").write_text(json.dumps(model.c.as_json(), indent=2) + "\n")
    generation = {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0, "do_sample": False}
    (folder / "generation_config.json").write_text(json.dumps(generation, indent=2) + "\n")
    return sum(w.numel() for w in weights.values())


def load(folder: pathlib.Path) -> StoryModel:
    """The model of a folder, its bfloat16 weights held and computed in float32."""
    config = Config.from_json(json.loads((folder / "config.json").read_text()))
    model = StoryModel(config)
    model.load_state_dict({name: w.float() for name, w in load_file(str(folder / "model.safetensors")).items()})
    return model.eval()
