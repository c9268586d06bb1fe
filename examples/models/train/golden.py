"""Writes golden.json: prompts with ids and greedy continuations in float32 on the CPU, with the top-2 margin of each step."""

import argparse
import json
import pathlib

import torch
from tokenizers import Tokenizer

import checkpoint
import corpus

PROMPTS = (
    "Once upon a time",
    "One windy day, a girl named Mia was playing with a red kite.",
    'Tom the fox looked at the river. "I am not afraid," he said.',
    "Once upon a time, in a deep forest, there lived a little robot named Qux. One morning, Qux could not find",
    "",
)


@torch.no_grad()
def greedy(model: torch.nn.Module, ids: list[int], limit: int) -> tuple[list[int], list[float]]:
    """Greedy continuation up to EOS or ``limit`` ids; each step's logit of the best id less that of the second best."""
    out: list[int] = []
    margins: list[float] = []
    while len(out) < limit and (not out or out[-1] != corpus.EOS):
        logits = model(torch.tensor([ids + out]))[0, -1]
        best = logits.topk(2)
        out.append(int(best.indices[0]))
        margins.append(round(float(best.values[0] - best.values[1]), 5))
    return out, margins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=pathlib.Path, required=True, help="model folder")
    parser.add_argument("--limit", type=int, default=96)
    args = parser.parse_args()
    model = checkpoint.load(args.model)
    tokenizer = Tokenizer.from_file(str(args.model / "tokenizer.json"))
    cases = []
    for prompt in PROMPTS:
        ids = tokenizer.encode(prompt).ids
        out, margins = greedy(model, ids, args.limit)
        text = tokenizer.decode(out)
        cases.append({"prompt": prompt, "prompt_ids": ids, "greedy_ids": out, "margins": margins, "text": text})
    source = f"PyTorch {torch.__version__} on the CPU, bfloat16 weights computed in float32, temperature 0"
    head = json.dumps({"source": source}, indent=1)[:-2]
    body = ",\n".join("  " + json.dumps(case) for case in cases)
    (args.model / "golden.json").write_text(f'{head},\n "cases": [\n{body}\n ]\n}}\n')
    for case in cases:
        print(f"[{case['prompt']}]{case['text']}\n  smallest margin {min(case['margins'])}\n")


if __name__ == "__main__":
    main()
