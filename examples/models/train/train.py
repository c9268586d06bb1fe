"""Trains the story model on stories told here, exports it as bfloat16, and writes a log and samples."""

import argparse
import json
import math
import pathlib
import time

import torch
from tokenizers import Tokenizer

import checkpoint
import corpus
from model import Config, StoryModel, continue_rows


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokenizer", type=pathlib.Path, required=True, help="tokenizer.json")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for the model and the log")
    parser.add_argument("--stories", type=int, default=800_000, help="number of stories to train on")
    parser.add_argument("--held-out", type=int, default=4_000, help="number of stories to measure on")
    parser.add_argument("--batch", type=int, default=128, help="rows of 512 tokens in a step")
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--steps", type=int, default=0, help="number of steps; 0: as many as fit into --minutes")
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--compile", action="store_true", help="compile the loss with torch.compile")
    parser.add_argument("--free", type=int, default=1000, help="number of stories sampled from nothing at the end")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def optimiser(model: StoryModel, lr: float) -> torch.optim.Optimizer:
    """AdamW; only matrices decay."""
    matrices = [w for w in model.parameters() if w.dim() == 2]
    vectors = [w for w in model.parameters() if w.dim() != 2]
    groups = [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.95), fused=torch.cuda.is_available())


def factor(step: int, steps: int) -> float:
    """The learning rate's factor: a short warm-up, then a straight line to zero."""
    warm = max(1, min(200, steps // 10))
    return min((step + 1) / warm, (steps - step) / max(1, steps - warm))


def seconds_per_step(step, rows: torch.Tensor, count: int) -> float:
    """Mean time of ``count`` training steps after a warm-up."""
    for _ in range(5):
        step(rows, 0.0)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        step(rows, 0.0)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return (time.perf_counter() - start) / count


@torch.no_grad()
def measure(model: StoryModel, rows: torch.Tensor) -> float:
    """Mean loss over rows, float32."""
    total = sum(float(model.loss(part)) * len(part) for part in rows.split(64))
    return total / len(rows)


def samples(model: StoryModel, tokenizer: Tokenizer, seed: int) -> list[dict]:
    """Greedy and sampled continuations of the first words of ten held-out stories."""
    prompts = []
    for text in corpus.tell_chunk((corpus.HELD_OUT_SEED, 500_000, 10)):
        words = text.split(" ")
        prompts.append(" ".join(words[: 6 + len(prompts) * 2]))
    ids = [tokenizer.encode(p).ids for p in prompts]
    generator = torch.Generator(device=model.cos.device).manual_seed(seed)
    greedy = continue_rows(model, ids, corpus.EOS, 0.0, None, 400)
    sampled = continue_rows(model, ids, corpus.EOS, 0.8, generator, 400)
    return [
        {
            "prompt": p,
            "greedy": tokenizer.decode(g),
            "sampled": tokenizer.decode(s),
            "ended": [g[-1] == corpus.EOS, s[-1] == corpus.EOS],
        }
        for p, g, s in zip(prompts, greedy, sampled, strict=True)
    ]


def free_stories(model: StoryModel, tokenizer: Tokenizer, known: set[bytes], seed: int, count: int) -> dict:
    """Stories sampled from nothing at temperature 0.8: how many end, differ, and are not in the training text."""
    generator = torch.Generator(device=model.cos.device).manual_seed(seed)
    told = continue_rows(model, [[corpus.BOS]] * count, corpus.EOS, 0.8, generator, 400)
    ended = [t for t in told if t[-1] == corpus.EOS]
    new = [t for t in ended if torch.tensor([corpus.BOS, *t], dtype=torch.int16).numpy().tobytes() not in known]
    return {
        "told": count,
        "ended": len(ended),
        "distinct": len({tuple(t) for t in ended}),
        "not_in_training_text": len(new),
        "mean_tokens": sum(len(t) for t in told) / count,
        "examples": [tokenizer.decode(t) for t in told[:10]],
    }


def main() -> None:
    args = arguments()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    begin = time.perf_counter()
    tokenizer = Tokenizer.from_file(str(args.tokenizer))
    config = Config(vocab_size=tokenizer.get_vocab_size())
    stories = corpus.encoded(corpus.TRAIN_SEED, args.stories, str(args.tokenizer))
    held = corpus.encoded(corpus.HELD_OUT_SEED, args.held_out, str(args.tokenizer))
    rows = torch.from_numpy(corpus.packed(stories, config.max_position_embeddings)).to(device)
    held_rows = torch.from_numpy(corpus.packed(held, config.max_position_embeddings)).to(device).long()
    known = {ids.tobytes() for ids in stories}
    tokens = sum(len(ids) for ids in stories)
    print(f"{len(stories)} stories, {tokens} tokens, {len(rows)} rows, {time.perf_counter() - begin:.1f} s", flush=True)

    model = StoryModel(config).to(device)
    model.initialise()
    adam = optimiser(model, args.lr)
    loss_of = torch.compile(model.loss) if args.compile else model.loss

    def step(batch: torch.Tensor, lr: float) -> torch.Tensor:
        for group in adam.param_groups:
            group["lr"] = lr
        with torch.autocast(device, dtype=torch.bfloat16):
            loss = loss_of(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        adam.zero_grad(set_to_none=True)
        return loss.detach()

    each = seconds_per_step(step, rows[: args.batch].long(), 20 if device == "cuda" else 1)
    adam.state.clear()
    model.initialise()
    for norm in (w for w in model.parameters() if w.dim() == 1):
        torch.nn.init.ones_(norm)
    steps = args.steps or max(20, int(args.minutes * 60 / each))
    print(f"{each * 1e3:.2f} ms a step, {steps} steps", flush=True)

    log = []
    start = time.perf_counter()
    order = torch.Generator(device="cpu").manual_seed(args.seed)
    per_epoch = len(rows) // args.batch
    for n in range(steps):
        if n % per_epoch == 0:
            shuffled = torch.randperm(len(rows), generator=order).to(device)
        part = shuffled[(n % per_epoch) * args.batch : (n % per_epoch + 1) * args.batch]
        loss = step(rows[part].long(), args.lr * factor(n, steps))
        if n % max(1, steps // 100) == 0 or n == steps - 1:
            value = float(loss)
            if not math.isfinite(value):
                raise SystemExit(f"loss is {value} at step {n}")
            log.append({"step": n, "loss": round(value, 4), "seconds": round(time.perf_counter() - start, 1)})
            if len(log) % 5 == 1:
                print(log[-1], flush=True)
    seconds = time.perf_counter() - start

    parameters = checkpoint.save(model, args.out)
    rounded = checkpoint.load(args.out).to(device)
    report = {
        "parameters": parameters,
        "stories": len(stories),
        "tokens": tokens,
        "steps": steps,
        "batch_tokens": args.batch * config.max_position_embeddings,
        "epochs": round(steps / per_epoch, 2),
        "learning_rate": args.lr,
        "training_seconds": round(seconds, 1),
        "device": torch.cuda.get_device_name() if device == "cuda" else "cpu",
        "torch": torch.__version__,
        "held_out_loss_float32": measure(model, held_rows),
        "held_out_loss_bfloat16_weights": measure(rounded, held_rows),
        "train_loss": log[-1]["loss"],
        "free": free_stories(rounded, tokenizer, known, args.seed, args.free),
        "samples": samples(rounded, tokenizer, args.seed),
        "log": log,
    }
    (args.out / "training.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({k: v for k, v in report.items() if k not in ("log", "samples", "free")}))
    print({k: v for k, v in report["free"].items() if k != "examples"})
    for sample in report["samples"][:4]:
        print(f"\n[{sample['prompt']}]{sample['greedy']}\n~ {sample['sampled']}")


if __name__ == "__main__":
    main()
