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
    "One night, Zoe could not sleep.",
    "In a deep forest lived a tiny owl named Pip.",
    "One windy day, a girl named Mia was playing with a red kite.",
    "On a warm morning, a gray donkey named Fig walked along the mountain trail. Her best friend was a boy named Henry. "
    "The two friends were walking along the mountain trail when they saw a beautiful book behind the waterfall.",
    "A merry robin named Rufus woke up early. The clouds raced across the sky, and she wanted to go "
    'outside. After a while, Rufus said to a boy named Arjun, "Let us make a raft!" "First we need '
    'an old sheet for a sail, logs and rope," said Arjun. She found an old sheet for a sail in the '
    'attic. Then she got logs at the edge of the forest. Only rope was missing.\n\n"I can get rope for '
    'you," said Arjun. He found everything in',
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
