#!/usr/bin/env python3
"""[test/bench/peers] Times texts of `mlaDecode` with the merge behind it beside the copy speed of the card: one process, in turn.
usage: latent.py TEXTS [--rounds 3] [--count 30] [--shapes 64x4096x16 odd …]; a shape is sequences x keys x query heads
TEXTS is what latent-texts.ts writes. Every output element is compared with float64 before a text is timed; page tails hold NaN.
Between launches the cache is filled by reads. JSON lines on stdout, a table last."""
import argparse, json, os, random
import torch
from attention import SMS, pointer, say, word
from decode import blocks_per_sm, error, function_of, launcher, median_us

R, DR = 512, 64
# Programs that may stay idle so that as many have each sequence: as in the engine.
LEFT_OVER = 1 / 16
# Programs for each sequence from which its pieces are few, and many, as in the engine.
FEW, MANY = 2, 64
SCALE = (128 + DR) ** -0.5


def made(lens, heads, page, seed, scale=0.25):
    """scale: of the queries; absorbed ones are longer than those of a head."""
    g = torch.Generator(device="cuda").manual_seed(seed)
    need = [-(-n // page) for n in lens]
    total = sum(need) + 3
    normal = lambda *shape: torch.empty(*shape, device="cuda", dtype=torch.bfloat16).normal_(generator=g)
    latents, ropes = normal(total, page, R), normal(total, page, DR)
    order = torch.randperm(total, device="cuda", generator=g).to(torch.int32).cpu()
    table = torch.full((len(lens), max(1, max(need))), 0x7FFFFFFF, dtype=torch.int32)
    at = 0
    for s, n in enumerate(need):
        table[s, :n] = order[at:at + n]
        at += n
        if lens[s] % page:
            latents[table[s, n - 1], lens[s] % page:] = float("nan")
            ropes[table[s, n - 1], lens[s] % page:] = float("nan")
    q, q_rope = normal(len(lens), heads, R) * scale, normal(len(lens), heads, DR)
    o = torch.full((len(lens), 1, heads, R), float("nan"), device="cuda", dtype=torch.bfloat16)
    lens_device = torch.tensor(lens, dtype=torch.int32, device="cuda")
    return {"q": q, "qRope": q_rope, "latents": latents, "ropes": ropes, "table": table.cuda(), "lens": lens_device, "o": o,
            "list": lens, "need": need, "heads": heads}


def reference(case):
    out = torch.empty(len(case["list"]), 1, case["heads"], R, device="cuda", dtype=torch.float64)
    for s, n in enumerate(case["list"]):
        pages = case["table"][s, :case["need"][s]].long()
        latents = case["latents"][pages].reshape(-1, R)[:n].double()
        ropes = case["ropes"][pages].reshape(-1, DR)[:n].double()
        x = (case["q"][s].double() @ latents.T + case["qRope"][s].double() @ ropes.T) * SCALE
        out[s, 0] = torch.softmax(x, -1) @ latents if n > 0 else 0
    return out


def values_of(text, tensors, dims):
    scalars = {"scale": SCALE, "window": 0}
    made_of = {"tensor": lambda p: pointer(tensors[p["name"]]), "dim": lambda p: word(dims[p["name"]]),
               "scalar": lambda p: word(scalars[p["name"]])}
    return [made_of[p["kind"]](p) for p in text["params"]]


def own_text(folder, text, case):
    decode, heads, s = text["decode"], case["heads"], len(case["list"])
    function = function_of(folder, decode)
    blocks = -(-heads // decode["config"]["GP"])
    per_sm = blocks_per_sm(function, decode["threads"], decode["sharedBytes"])
    programs = max(1, SMS * per_sm // blocks)
    if s <= programs and programs % s <= programs * LEFT_OVER:
        programs -= programs % s
    merge = text["mergeMany" if programs >= MANY * s else "mergeWhole" if programs < FEW * s else "merge"]
    partial = torch.full((s + programs, 1, heads, R), float("nan"), device="cuda")
    lse = torch.full((s + programs, 1, heads), float("nan"), device="cuda")
    tensors = dict(case, partial=partial, lse=lse)
    dims = {"S": s, "H": heads, "HKV": 1, "G": heads, "D": R, "NB": case["latents"].shape[0], "PAGE": text["page"],
            "MAXB": case["table"].shape[1], "P": s + programs}
    first = launcher(function, (blocks, programs, 1), decode["threads"], decode["sharedBytes"], values_of(decode, tensors, dims))
    then = launcher(function_of(folder, merge), (-(-heads // merge["config"]["GP"]), 1, s), merge["threads"], merge["sharedBytes"],
                    values_of(merge, tensors, dims), early=True)

    def go():
        first()
        then()

    go.about = f"{programs} programs, {per_sm} a multiprocessor"
    go.keep, go.first = (first, then), first
    return go


def lens_of(shape):
    """Sequences' lengths, query heads."""
    draw = random.Random(5)
    if shape == "odd":
        return [1, 15, 16, 17, 0, 63, 64, 65, 127, 129, 1000, 0], 13
    if shape == "mixed":
        return [draw.randint(1, 3000) for _ in range(33)], 16
    if shape == "ragged":
        return [max(1, round(2 ** (15 * draw.random()))) for _ in range(128)], 16
    b, n, heads = (int(x) for x in shape.split("x"))
    return [n] * b, heads


def copy_speed():
    """Bytes read plus bytes written, GB/s."""
    a = torch.ones(1 << 28, device="cuda", dtype=torch.int32)
    b = torch.empty_like(a)
    b.copy_(a)
    return 2 * a.nbytes / median_us(lambda: b.copy_(a), 10) / 1e3


def run_shape(args, texts, shape, rows, ceiling):
    lens, heads = lens_of(shape)
    size, flops = 2 * sum(lens) * (R + DR), 2 * sum(lens) * heads * (2 * R + DR)
    runs, errors = {}, {}
    for page in args.pages:
        case = made(lens, heads, page, 7 + page, 2.0 if shape == "mixed" else 0.25)
        ref = reference(case)
        for t in texts:
            gp = t["decode"]["config"]["GP"]
            if t["page"] != page or (gp > 16 and heads <= 16) or (gp == 16 and heads > 64 and not args.all):
                continue
            name = f"{t['name']} /{page}"
            go = own_text(args.texts, t, case)
            errors[name] = error(case, ref, go)
            if errors[name] > 8e-3:
                say(shape=shape, impl=name, wrong=errors[name])
            elif shape not in ("odd", "mixed"):
                runs[name] = go
    times = {name: [] for name in runs}
    for i in range(args.rounds if runs else 0):
        order = list(runs)
        for name in order[i % len(order):] + order[:i % len(order)]:
            times[name].append(median_us(runs[name], args.count))
    for name in errors:
        row = dict(shape=shape, impl=name, error=round(errors[name], 5))
        if name in times:
            us = min(times[name])
            row.update(us=round(us, 2), gbs=round(size / us / 1e3), of_copy=round(size / us / 1e3 / ceiling, 3), tflops=round(flops / us / 1e6),
                       unmerged_us=round(median_us(runs[name].first, args.count), 2), all=[round(t, 1) for t in times[name]], about=runs[name].about)
        rows.append(row)
        say(**row)
    del runs
    torch.cuda.empty_cache()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--all", action="store_true", help="blocks of 16 heads also where heads are many")
    parser.add_argument("--pages", nargs="*", type=int, default=[16, 64])
    parser.add_argument("--shapes", nargs="*", default=["odd", "mixed", "64x4096x16", "1x32768x16", "ragged", "64x4096x128"])
    parser.add_argument("--once")
    args = parser.parse_args()
    texts = json.load(open(os.path.join(args.texts, "texts.json")))
    if args.once:
        case = made(*lens_of(args.once), 64, 7)
        for t in texts:
            if t["page"] == 64:
                own_text(args.texts, t, case)()
        torch.cuda.synchronize()
        return
    ceiling = copy_speed()
    say(copy_gbs=round(ceiling))
    rows = []
    for shape in args.shapes:
        run_shape(args, texts, shape, rows, ceiling)
    print(f"copy {ceiling:.0f} GB/s; /copy is the share of it that latents are read at, merge included")
    print(f"{'shape':12} {'text':32} {'us':>8} {'alone':>8} {'GB/s':>5} {'/copy':>6} {'TF/s':>5} error")
    for r in rows:
        short = r["impl"].replace("BS=256,", "").replace("stages", "s").replace("warps", "w")
        if "us" in r:
            print(f"{r['shape']:12} {short:32} {r['us']:8} {r['unmerged_us']:8} {r['gbs']:5} {r['of_copy']:6} {r['tflops']:5} {r['error']}")
        else:
            print(f"{r['shape']:12} {short:32} checked, error {r['error']}")


if __name__ == "__main__":
    main()
