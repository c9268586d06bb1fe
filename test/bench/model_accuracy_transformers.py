"""How far transformers in bfloat16 is from its own float32 results on the fixture models: the yardstick for our bfloat16.

python model_accuracy_transformers.py FIXTURES_FOLDER MODEL...   prints one line of JSON with the largest log-probability error of each model.
"""

import json
import pathlib
import sys

import torch
from transformers import AutoModelForCausalLM


def errors_of(folder: pathlib.Path, device: str) -> list[float]:
    """Largest absolute error of the prompt log-probabilities of each case."""
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).to(device).eval()
    expected = json.loads((folder / "expected.json").read_text())
    found = []
    for case in expected["cases"]:
        ids = torch.tensor([case["prompt"]], device=device)
        with torch.no_grad():
            logits = model(ids).logits.float()[0]
        logprobs = torch.log_softmax(logits, -1)
        worst = 0.0
        for position, value in enumerate(case["prompt_logprobs"]):
            if value is not None:
                worst = max(worst, abs(logprobs[position - 1, case["prompt"][position]].item() - value))
        found.append(worst)
    return found


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    print(json.dumps({"device": device, "torch": torch.__version__, "errors": {name: errors_of(root / name, device) for name in sys.argv[2:]}}))


if __name__ == "__main__":
    main()
