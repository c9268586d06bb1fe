#!/usr/bin/env python3
"""[test/bench/peers] Times decodes of sequences with a shared beginning (a launch for it, one for the rest, one that merges) beside `pagedDecode`, which reads it for each
sequence: one process, in turn.
usage: prefix.py TEXTS [--rounds 3] [--count 30] [--shapes 64x8192+256 …]
TEXTS is what prefix-texts.ts writes. ROWSxSHARED+OWN: rows whose tables begin with the same pages. Every output element is compared with float64 before
a text is timed; page tails, and pages that no table names any more, hold NaN. Between launches the cache is filled by reads. JSON lines on stdout, a table last."""
import argparse, json, os, random
import torch
from attention import SMS, say
from decode import D, G, HKV, blocks_per_sm, error, function_of, launcher, made, median_us, own_text, reference, values_of


def usual_join(sequences, tiles, before, after):
    """As the engine chooses it: by the programs that share out a tile, and a sequence."""
    pieces = max(before / tiles, after / sequences)
    return "tiles" if pieces >= 12 else "whole" if pieces < 3 else "few"


def groups_of(shape):
    """Rows of each group, what they share, and lengths of all rows."""
    if shape == "odd":  # two groups among others, whose lengths end anywhere
        draw = random.Random(3)
        rows = list(range(40))
        draw.shuffle(rows)
        groups = [(rows[:21], 320), (rows[21:30], 64)]
        lens = [draw.randint(0, 300) for _ in rows]
        for members, shared in groups:
            for row in members:
                lens[row] = shared + draw.choice([1, 15, 63, 64, 65, 130])
        return groups, lens
    rows, rest = shape.split("x")
    shared, own = (int(x) for x in rest.split("+"))
    rows = list(range(int(rows)))
    return [(rows, shared)] if shared else [], [shared + own] * len(rows)


def share(case, groups, page):
    """Tables that begin with the first row's pages; the others' own beginnings become NaN."""
    for members, shared in groups:
        pages = shared // page
        lost = case["table"][members[1:], :pages].flatten().long()
        for name in ("kCache", "vCache"):
            case[name][lost] = float("nan")
        case["table"][members, :pages] = case["table"][members[0], :pages]


def shared_text(folder, text, case, groups, join=None):
    prefix, suffix = text["prefix"], text["suffix"]
    s = len(case["list"])
    most = max(1, prefix["config"]["GP"] // G)
    tiles = [(members[i:i + most], shared) for members, shared in groups for i in range(0, len(members), most)]
    b = max(1, len(tiles))
    members = torch.full((b, most), -1, dtype=torch.int32)
    lens = torch.zeros(b, dtype=torch.int32)
    place = torch.full((s,), -1, dtype=torch.int32)
    shared = torch.zeros(s, dtype=torch.int32)
    for t, (rows, length) in enumerate(tiles):
        members[t, :len(rows)] = torch.tensor(rows, dtype=torch.int32)
        lens[t] = length
        for i, row in enumerate(rows):
            place[row], shared[row] = t * most + i, length
    programs = {}
    for kernel, heads in ((prefix, HKV * -(-most * G // prefix["config"]["GP"])), (suffix, HKV * -(-G // suffix["config"]["GP"]))):
        function = function_of(folder, kernel)
        programs[kernel["file"]] = max(1, SMS * blocks_per_sm(function, kernel["threads"], kernel["sharedBytes"]) // heads)
    pb, p = b + programs[prefix["file"]], s + programs[suffix["file"]]
    nan = lambda *shape: torch.full(shape, float("nan"), device="cuda")
    before, after = (nan(pb, HKV, most * G, D), nan(pb, HKV, most * G)), (nan(p, HKV, G, D), nan(p, HKV, G))
    lines = {"members": members.cuda(), "tileLens": lens.cuda(), "shared": shared.cuda(), "place": place.cuda(),
             "own": (case["lens"].cpu() - shared).to(torch.int32).cuda()}
    dims = {"S": s, "HKV": HKV, "G": G, "D": D, "NB": case["kCache"].shape[0], "PAGE": text["page"], "MAXB": case["table"].shape[1],
            "B": b, "M": most, "R": most * G, "PB": pb}
    launch = lambda kernel, grid, tensors, p, early: launcher(function_of(folder, kernel), grid, kernel["threads"], kernel["sharedBytes"],
                                                              values_of(kernel, {**case, **lines, **tensors}, {**dims, "P": p}), early)
    first = launch(prefix, (HKV * -(-most * G // prefix["config"]["GP"]), pb - b, 1), dict(partial=before[0], lse=before[1]), pb, False)
    then = launch(suffix, (HKV * -(-G // suffix["config"]["GP"]), p - s, 1), dict(partial=after[0], lse=after[1]), p, True)
    join = text["joins"][join or usual_join(s, b, pb - b, p - s)]
    last = launch(join, (-(-G // join["config"]["GP"]), HKV, s), dict(prefix=before[0], prefixLse=before[1], partial=after[0], lse=after[1]), p, True)

    def go():
        first()
        then()
        last()

    go.parts = {"prefix": first, "suffix": then, "merge": last}
    go.about = f"{b} tiles, {pb - b} and {p - s} programs a head"
    return go


def plain_texts(folder, text, case):
    merged = {"page": text["page"], "merged": text["merged"]}
    return {"plain": own_text(folder, {k: v for k, v in text.items() if k != "merged"}, case), "plain in one launch": own_text(folder, merged, case)}


def run_shape(args, texts, shape, page, rows):
    groups, lens = groups_of(shape)
    case = made(lens, page, 11 + page)
    share(case, groups, page)
    ref = reference(case)
    runs = {}
    for text in texts["plain"]:
        if text["page"] == page:
            runs.update(plain_texts(args.texts, text, case))
    for text in texts["shared"]:
        if text["page"] == page:
            runs[text["name"]] = shared_text(args.texts, text, case, groups)
            for join in args.joins:
                runs[f"{text['name']} {join}"] = shared_text(args.texts, text, case, groups, join)
    errors = {name: error(case, ref, go) for name, go in runs.items()}
    for name in [name for name, e in errors.items() if e > 8e-3]:
        say(shape=shape, page=page, impl=name, wrong=errors[name])
        del runs[name]
    times = {name: [] for name in runs}
    for i in range(args.rounds if shape != "odd" else 0):
        order = list(runs)
        for name in order[i % len(order):] + order[:i % len(order)]:
            times[name].append(median_us(runs[name], args.count))
    best = {name: min(t) for name, t in times.items() if t}
    plain = min((us for name, us in best.items() if name.startswith("plain")), default=None)
    for name, go in runs.items():
        row = dict(shape=shape, page=page, impl=name, error=round(errors[name], 5), about=go.about)
        if name in best:
            row.update(us=round(best[name], 2), of_plain=round(plain / best[name], 2), all=[round(t, 1) for t in times[name]])
            if hasattr(go, "parts"):
                row.update(parts={part: round(median_us(fn, args.count), 1) for part, fn in go.parts.items()})
        rows.append(row)
        say(**row)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--joins", nargs="*", default=[], help="merges to be timed besides the usual one")
    parser.add_argument("--pages", nargs="*", type=int, default=[16, 64])
    parser.add_argument("--shapes", nargs="*", default=["odd", "64x8192+256", "256x2048+512", "16x4096+128", "8x1024+128", "8x256+512", "64x256+512", "64x0+2048"])
    args = parser.parse_args()
    texts = json.load(open(os.path.join(args.texts, "texts.json")))
    rows = []
    for shape in args.shapes:
        for page in args.pages:
            run_shape(args, texts, shape, page, rows)
            torch.cuda.empty_cache()
    print(f"{'shape':13} {'page':>4} {'text':30} {'us':>8} {'plain/us':>8}  prefix, suffix, merge alone")
    for r in rows:
        parts = " ".join(str(v) for v in r.get("parts", {}).values())
        print(f"{r['shape']:13} {r['page']:4} {r['impl'].replace('stages', 's').replace('warps', 'w'):30} {r.get('us', 'checked'):>8} {r.get('of_plain', ''):>8}  {parts}")


if __name__ == "__main__":
    main()
