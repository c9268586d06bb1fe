#!/usr/bin/env python3
"""[test/bench/peers] Times texts of `pagedDecode` beside cuDNN's contiguous decode through torch and, where its folder is given, a hand-written text: one process, in turn.
usage: decode.py TEXTS [--target FOLDER] [--rounds 3] [--count 30] [--shapes 64x8192 ragged …] [--reads] [--once SHAPE]
TEXTS is what decode-texts.ts writes. Every output element is compared with float64 before a text is timed; page tails hold NaN.
Between launches the cache is filled by reads. JSON lines on stdout, a table last. --once only launches each text on a shape, for a profiler."""
import argparse, ctypes as C, json, os, random
import torch, torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from attention import Config, L2_NONE, SMS, compile_text, cu, ok, pointer, say, tensor_map, word
from reads import readers

HKV, G, D = 8, 4, 128
LOG2E = 1.4426950408889634
# Programs for each sequence from which its pieces are many, as in the engine.
MANY = 6


class Attribute(C.Structure):
    _fields_ = [("id", C.c_int), ("pad", C.c_int), ("value", C.c_uint32 * 16)]


def launcher(function, grid, threads, shared, values, early=False):
    """early: may begin while the launch before ends (programmatic stream serialization)."""
    pointers = (C.c_void_p * len(values))(*[at for _, at in values])
    config = Config(gx=grid[0], gy=grid[1], gz=grid[2], bx=threads, by=1, bz=1, smem=shared)
    attribute = Attribute(id=6)
    attribute.value[0] = 1
    if early:
        config.attrs, config.n = C.addressof(attribute), 1

    def go():
        config.stream = torch.cuda.current_stream().cuda_stream
        ok(cu.cuLaunchKernelEx(C.byref(config), function, pointers, None), "launch")

    go.keep = (values, attribute)
    return go


def blocks_per_sm(function, threads, shared):
    count = C.c_int()
    ok(cu.cuOccupancyMaxActiveBlocksPerMultiprocessor(C.byref(count), function, threads, C.c_size_t(shared)), "occupancy")
    return count.value


def made(lens, page, seed, scale=1.0, dtype=torch.bfloat16, queries=1):
    """dtype: of the cache. queries: the last ones of each sequence, or all of a shorter one."""
    g = torch.Generator(device="cuda").manual_seed(seed)
    need = [-(-n // page) for n in lens]
    total = sum(need) + 3
    k = torch.empty(total, page, HKV, D, device="cuda", dtype=torch.bfloat16).normal_(generator=g)
    v = torch.empty_like(k).normal_(generator=g)
    order = torch.randperm(total, device="cuda", generator=g).to(torch.int32).cpu()
    table = torch.full((len(lens), max(1, max(need))), 0x7FFFFFFF, dtype=torch.int32)
    at = 0
    for s, n in enumerate(need):
        table[s, :n] = order[at:at + n]
        at += n
        if lens[s] % page:
            k[table[s, n - 1], lens[s] % page:] = float("nan")
            v[table[s, n - 1], lens[s] % page:] = float("nan")
    k, v = k.to(dtype), v.to(dtype)
    counts = [min(n, queries) for n in lens] if queries > 1 else [1] * len(lens)
    starts = [sum(counts[:s]) for s in range(len(lens) + 1)]
    q = torch.empty(starts[-1], HKV, G, D, device="cuda", dtype=torch.bfloat16).normal_(generator=g) * scale
    o = torch.full_like(q, float("nan"))
    lens_device = torch.tensor(lens, dtype=torch.int32, device="cuda")
    return {"q": q, "kCache": k, "vCache": v, "table": table.cuda(), "lens": lens_device, "o": o, "list": lens, "need": need,
            "queryStart": torch.tensor(starts, dtype=torch.int32, device="cuda"), "starts": starts}


def values_of(text, tensors, dims):
    scalars = {"scale": D**-0.5, "vScale": 1.0, "window": 0}
    made_of = {"tensor": lambda p: pointer(tensors[p["name"]]), "dim": lambda p: word(dims[p["name"]]),
               "scalar": lambda p: word(scalars[p["name"]]), "tensor_map": lambda p: own_map(p, tensors[p["tensor"]])}
    return [made_of[p["kind"]](p) for p in text["params"]]


def own_map(p, t):
    strides = [s * t.element_size() for s in t.stride()[:-1]][::-1]
    return tensor_map(t, list(t.shape)[::-1], strides, p["box"][::-1], p["swizzle"], promotion=L2_NONE)


functions = {}


def function_of(folder, text):
    known = functions.get(text["file"])
    if known is None:
        source = open(os.path.join(folder, text["file"])).read()
        known = functions[text["file"]] = compile_text(source, text["entry"], text["sharedBytes"])
    return known


def programs_of(text, most, sequences):
    """As the engine has it: a multiple of the sequences where it costs few programs, or what the text asks for."""
    over = most % sequences if 0 < sequences <= most else 0
    return text.get("programs") or (most - over if over * 16 <= most else most)


def own_text(folder, text, case):
    decode = text.get("merged") or text["decode"]
    function = function_of(folder, decode)
    rows = G * (text.get("queries") or 1)
    heads = HKV * -(-rows // decode["config"]["GP"])
    per_sm = blocks_per_sm(function, decode["threads"], decode["sharedBytes"])
    s = len(case["list"])
    programs = programs_of(text, max(1, SMS * per_sm // heads), s)
    tensors = dict(case)
    tensors["arrived"] = torch.zeros(s, HKV, rows, dtype=torch.int32, device="cuda")
    tensors["partial"] = torch.full((s + programs, HKV, rows, D), float("nan"), device="cuda")
    tensors["lse"] = torch.full((s + programs, HKV, rows), float("nan"), device="cuda")
    dims = {"S": s, "HKV": HKV, "G": G, "D": D, "NB": case["kCache"].shape[0], "PAGE": text["page"],
            "MAXB": case["table"].shape[1], "P": s + programs, "R": rows, "N": case["starts"][-1], "S1": s + 1}
    first = launcher(function, (heads, programs, 1), decode["threads"], decode["sharedBytes"], values_of(decode, tensors, dims))
    first.about = f"{programs} programs a head, {per_sm} a multiprocessor"
    if "merged" in text:
        return first
    merge = text["mergeMany" if programs >= MANY * s else "mergeWhole" if programs < s else "merge"]
    then = launcher(function_of(folder, merge), (-(-G // merge["config"]["GP"]), HKV, s), merge["threads"], merge["sharedBytes"],
                    values_of(merge, tensors, dims), early=True)

    def go():
        first()
        then()

    go.about = first.about
    go.keep, go.first = (first, then), first
    return go


def target_text(folder, case, page):
    """The hand-written text: see its own bench for the launch."""
    prelude = open(folder + "/prelude.cuh").read().replace("#pragma once", "")
    source = open(folder + "/decode_paged.cu").read().replace('#include "prelude.cuh"', prelude)
    lens, box, stages, most = case["list"], min(page, 64), 4, 1024
    hint = int(sum(lens) * HKV * D * 4 <= 512 << 20)
    groups = max(1, SMS // HKV)
    merge = 2 * 4 * G * 136 * 4
    shared = stages * 32768 + stages * G * 256 + merge + 512 + 2 * (most + 4) * 4 + 2 * stages * 8 + 64 + 1024
    defines = [f"PAGE={page}", f"BOX={box}", f"STAGES={stages}", f"KVH={HKV}", f"GROUP={G}", f"MAXB={most}", f"HINT={hint}"]
    function = compile_text(source, "decode_paged", shared, defines)
    maps = [tensor_map(t, (64, page, 2, HKV, t.shape[0]), (HKV * D * 2, 128, D * 2, page * HKV * D * 2), (64, box, 2, 1, 1), promotion=L2_NONE)
            for t in (case["kCache"], case["vCache"])]
    partial = torch.empty(groups * HKV * 2, G, D, device="cuda")
    sums = torch.empty(groups * HKV * 2, G, 2, device="cuda")
    counters = torch.zeros(len(lens), HKV, dtype=torch.int32, device="cuda")
    tensors = [pointer(t) for t in (case["q"], case["o"], case["table"], case["lens"], partial, sums, counters)]
    values = maps + tensors + [word(len(lens)), word(case["table"].shape[1]), word(D**-0.5 * LOG2E)]
    return launcher(function, (groups * HKV, 1, 1), 160, shared, values)


def reference(case):
    out = torch.empty(case["starts"][-1], HKV, G, D, device="cuda", dtype=torch.float64)
    for s, n in enumerate(case["list"]):
        pages = case["table"][s, :case["need"][s]].long()
        k = case["kCache"][pages].reshape(-1, HKV, D)[:n].double()
        v = case["vCache"][pages].reshape(-1, HKV, D)[:n].double()
        first, end = case["starts"][s:s + 2]
        for i in range(first, end):
            seen = n - (end - 1 - i)
            x = torch.einsum("hgd,nhd->hgn", case["q"][i].double(), k[:seen]) * D**-0.5
            out[i] = torch.einsum("hgn,nhd->hgd", torch.softmax(x, -1), v[:seen]) if n > 0 else 0
    return out


def error(case, ref, go):
    """Largest relative error of a head over all of the output, of three launches on poisoned memory; infinite where bits differ between them."""
    seen = []
    for _ in range(3):
        case["o"].fill_(float("nan"))
        go()
        torch.cuda.synchronize()
        seen.append(case["o"].clone())
    if not all(torch.equal(one, seen[0]) for one in seen):
        return float("inf")
    worst = ((seen[0].double() - ref).norm(dim=-1) / ref.norm(dim=-1).clamp(min=1e-6)).max()
    return float(worst) if worst == worst else float("inf")


flush = torch.ones(128 << 20, device="cuda", dtype=torch.int32)


def median_us(fn, count):
    events = [(torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)) for _ in range(count)]
    for begin, end in events:
        flush.max()
        begin.record(); fn(); end.record()
    torch.cuda.synchronize()
    return sorted(a.elapsed_time(b) for a, b in events)[count // 2] * 1e3


def contiguous(b, n):
    q = torch.randn(b, HKV * G, 1, D, device="cuda", dtype=torch.bfloat16)
    k = torch.randn(b, HKV, n, D, device="cuda", dtype=torch.bfloat16)
    v = torch.randn_like(k)

    def cudnn():
        with sdpa_kernel([SDPBackend.CUDNN_ATTENTION]):
            F.scaled_dot_product_attention(q, k, v, enable_gqa=True)

    return cudnn


def lens_of(shape):
    draw = random.Random(5)
    if shape == "ragged":
        return [max(1, round(2 ** (15 * draw.random()))) for _ in range(128)]
    if shape == "odd":
        return [1, 15, 16, 17, 0, 63, 64, 65, 127, 129, 1000, 0]
    if shape == "mixed":
        return [draw.randint(1, 3000) for _ in range(33)]
    b, n = (int(x) for x in shape.split("x"))
    return [n] * b


def run_shape(args, texts, shape, rows):
    lens = lens_of(shape)
    size = 4 * sum(lens) * HKV * D
    runs, halved = {}, set()
    if shape[0].isdigit():
        runs["cudnn"] = contiguous(*(int(x) for x in shape.split("x")))
    cases, errors = {}, {}
    for page in (16, 64):
        kinds = {}
        for t in texts:
            if t["page"] == page:
                kinds.setdefault((bool(t.get("fp8")), t.get("queries") or 1), []).append(t)
        for (narrow, queries), group in kinds.items():
            dtype = torch.float8_e4m3fn if narrow else torch.bfloat16
            case = made(lens, page, 7 + page, 6.0 if shape == "mixed" else 1.0, dtype, queries)
            cases[page, narrow, queries] = case
            own = {f"{t['name']} /{page}": own_text(args.texts, t, case) for t in group}
            if narrow:
                halved.update(own)
            if args.target and min(lens) > 0 and not narrow and queries == 1:
                own[f"target /{page}"] = target_text(args.target, case, page)
            ref = reference(case)
            for name, go in own.items():
                errors[name] = error(case, ref, go)
                if errors[name] > 8e-3:
                    say(shape=shape, impl=name, wrong=errors[name])
                elif not shape in ("odd", "mixed"):
                    runs[name] = go
    if args.reads and runs:
        runs.update(readers(launcher, case["kCache"], case["vCache"], size))
    times = {name: [] for name in runs}
    for i in range(args.rounds if runs else 0):
        order = list(runs)
        for name in order[i % len(order):] + order[:i % len(order)]:
            times[name].append(median_us(runs[name], args.count))
    best = {name: min(t) for name, t in times.items()}
    unmerged = {name: median_us(go.first, args.count) for name, go in runs.items() if hasattr(go, "first")}
    for name in best or errors:
        page = name.rsplit("/", 1)[-1]
        us = best.get(name)
        peer, target = best.get("cudnn"), best.get(f"target /{page}")
        row = dict(shape=shape, impl=name, error=round(errors.get(name, 0), 5))
        if us:
            row.update(us=round(us, 2), gbs=round(size / (2 if name in halved else 1) / us / 1e3), vs_cudnn=round(peer / us, 3) if peer else None,
                       vs_target=round(target / us, 3) if target else None, all=[round(t, 1) for t in times[name]],
                       unmerged_us=round(unmerged[name], 2) if name in unmerged else None, about=getattr(runs[name], "about", None))
        rows.append(row)
        say(**row)
    del cases, runs
    torch.cuda.empty_cache()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts")
    parser.add_argument("--target")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--once")
    parser.add_argument("--reads", action="store_true", help="plain reads of as many bytes beside them")
    parser.add_argument("--shapes", nargs="*", default=["odd", "mixed", "64x8192", "256x2048", "16x4096", "1x8192", "1x131072", "ragged"])
    args = parser.parse_args()
    texts = json.load(open(os.path.join(args.texts, "texts.json")))
    if args.once:
        case = made(lens_of(args.once), 16, 7)
        for t in texts:
            if t["page"] == 16:
                own_text(args.texts, t, case)()
        torch.cuda.synchronize()
        return
    rows = []
    for shape in args.shapes:
        run_shape(args, texts, shape, rows)
    print(f"{'shape':9} {'text':34} {'us':>8} {'alone':>7} {'GB/s':>5} {'/cudnn':>6} {'/target':>7} error")
    for r in rows:
        if "us" in r:
            print(f"{r['shape']:9} {r['impl'].replace('GP=16,', '').replace('stages', 's').replace('warps', 'w'):34} {r['us']:8} {r['unmerged_us'] or '':>7} {r['gbs']:5} {r['vs_cudnn'] or '':>6} {r['vs_target'] or '':>7} {r['error']}")
        else:
            print(f"{r['shape']:9} {r['impl'].replace('GP=16,', '').replace('stages', 's').replace('warps', 'w'):34} checked, error {r['error']}")


if __name__ == "__main__":
    main()
