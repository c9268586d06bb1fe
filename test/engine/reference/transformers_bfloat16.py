"""[test/engine] Errors of transformers in bfloat16 on the tiny checkpoints, against its own float32 values. Writes transformers-bfloat16.json.

python3 transformers_bfloat16.py ../../../../shared/fixtures/hf-tiny   (torch and transformers, CPU, eager attention)
"""

import json
import sys
from pathlib import Path

import torch
import transformers
from transformers import AutoModelForCausalLM

MODELS = ["llama", "llama-tied", "llama3-rope", "llama-yarn", "mistral-swa", "qwen2", "qwen3"]
MODELS += ["gemma2", "gemma3", "gpt2", "granite", "mamba2", "olmo2", "phi3"]  # not yet in the file


def errors_of(folder: Path) -> list[float]:
    """Absolute errors of the log-probabilities of all prompt tokens but the first of each prompt."""
    model = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.bfloat16, attn_implementation="eager"
    ).eval()
    errors = []
    for case in json.loads((folder / "expected.json").read_text())["cases"]:
        ids = case["prompt"]
        with torch.no_grad():
            logits = model(torch.tensor([ids])).logits[0].float()
        logprobs = torch.log_softmax(logits, -1)
        for i in range(1, len(ids)):
            errors.append(abs(logprobs[i - 1, ids[i]].item() - case["prompt_logprobs"][i]))
    return errors


def main() -> None:
    root = Path(sys.argv[1])
    models = {}
    for name in MODELS:
        errors = errors_of(root / name)
        mean = sum(errors) / len(errors)
        models[name] = {"mean": round(mean, 6), "max": round(max(errors), 6)}
    made = f"transformers {transformers.__version__}, torch {torch.__version__}, CPU, eager attention"
    out = Path(__file__).with_name("transformers-bfloat16.json")
    out.write_text(json.dumps({"made": made, "models": models}, indent=2) + "\n")


if __name__ == "__main__":
    main()
