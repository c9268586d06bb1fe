#!/usr/bin/env python3
"""[test/bench/peers] Times texts of `attention` and `pagedAttention` beside cuDNN through torch and, where its folder is given, a hand-written text: one process, in turn.
usage: attention.py TEXTS [--target FOLDER] [--alone] [--seconds 0.4] [--rounds 3] [--shapes B,L,CAUSAL … | ragged,LENGTH,LENGTH …]
Paged texts read the same keys out of shuffled pages whose unused slots are NaN; ragged shapes are sequences of these lengths, for paged texts alone.
TEXTS is what attention-texts.ts writes. Every output element is compared before a text is timed. JSON lines on stdout."""
import argparse, ctypes as C, functools, glob, json, os, sys
from concurrent.futures import ThreadPoolExecutor
import torch, torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

HQ, HKV = 32, 8
# CUtensorMapL2promotion: what the project's driver asks for, and none, which suits the hand-written text.
L2_256B, L2_NONE = 3, 0
torch.zeros(1, device="cuda")
SMS = torch.cuda.get_device_properties(0).multi_processor_count
cu = C.CDLL("libcuda.so.1")
found = glob.glob(os.path.dirname(os.path.dirname(torch.__file__)) + "/nvidia/*/lib/libnvrtc.so.13")
nv = C.CDLL((found + ["libnvrtc.so.13"])[0])


def ok(result, what=""):
    if result != 0:
        raise RuntimeError(f"CUDA error {result} {what}")


def say(**record):
    print(json.dumps(record), flush=True)


@functools.cache
def cubin_of(source, defines=()):
    program = C.c_void_p()
    ok(nv.nvrtcCreateProgram(C.byref(program), source.encode(), b"kernel.cu", 0, None, None))
    options = ["--gpu-architecture=sm_90a", "-default-device"] + [f"-D{d}" for d in defines]
    failed = nv.nvrtcCompileProgram(program, len(options), (C.c_char_p * len(options))(*[o.encode() for o in options]))
    size = C.c_size_t()
    if failed:
        nv.nvrtcGetProgramLogSize(program, C.byref(size))
        log = C.create_string_buffer(size.value)
        nv.nvrtcGetProgramLog(program, log)
        raise RuntimeError(log.value.decode())
    ok(nv.nvrtcGetCUBINSize(program, C.byref(size)))
    cubin = C.create_string_buffer(size.value)
    ok(nv.nvrtcGetCUBIN(program, cubin))
    return cubin


def compile_text(source, entry, shared, defines=()):
    cubin = cubin_of(source, tuple(defines))
    module, function = C.c_void_p(), C.c_void_p()
    ok(cu.cuModuleLoadData(C.byref(module), cubin), "load")
    ok(cu.cuModuleGetFunction(C.byref(function), module, entry.encode()), "function")
    ok(cu.cuFuncSetAttribute(function, 8, shared), "shared memory")
    return function


def tensor_map(tensor, dims, strides, box, swizzle=128, promotion=L2_256B, ragged=None):
    """dims, byte strides and box fastest first; ragged: a dim with ends, as TensorMapParam has it."""
    dims, strides, box = list(dims), list(strides), list(box)
    if ragged is not None:
        stride = strides[ragged - 1]
        dims[ragged] = 1 << 30
        dims += [0x7FFF0000] * 2; strides += [stride, (1 << 34) - stride]; box += [1, 1]
    raw = C.create_string_buffer(192)
    at = (C.addressof(raw) + 63) & ~63
    n = len(dims)
    modes = {0: 0, 32: 1, 64: 2, 128: 3}
    ok(cu.cuTensorMapEncodeTiled(C.c_void_p(at), 9 if tensor.element_size() == 2 else 0, n, C.c_void_p(tensor.data_ptr()), (C.c_uint64 * n)(*dims),
       (C.c_uint64 * (n - 1))(*strides), (C.c_uint32 * n)(*box), (C.c_uint32 * n)(*([1] * n)), 0, modes[swizzle], promotion, 0), "map")
    return raw, at


class Config(C.Structure):
    _fields_ = [(k, C.c_uint) for k in "gx gy gz bx by bz smem".split()] + [("stream", C.c_void_p), ("attrs", C.c_void_p), ("n", C.c_uint)]


def launcher(function, blocks, threads, shared, values):
    """values: (kept object, address) of each parameter."""
    pointers = (C.c_void_p * len(values))(*[at for _, at in values])
    config = Config(gx=blocks, gy=1, gz=1, bx=threads, by=1, bz=1, smem=shared)

    def go():
        config.stream = torch.cuda.current_stream().cuda_stream
        ok(cu.cuLaunchKernelEx(C.byref(config), function, pointers, None), "launch")

    go.keep = values
    return go


def word(value):
    kept = C.c_float(value) if isinstance(value, float) else C.c_int(value)
    return kept, C.addressof(kept)


def pointer(tensor):
    kept = C.c_void_p(tensor.data_ptr())
    return (kept, tensor), C.addressof(kept)


def own_text(folder, text, tensors, dims, grid):
    """tensors by the names of the parameters, dims by theirs; a grid of programs."""
    counter = torch.zeros(64, dtype=torch.int32, device="cuda")
    values = []
    for p in text["params"]:
        kind = p["kind"]
        if kind == "tensor":
            values.append(pointer(tensors[p["name"]]))
        elif kind == "dim":
            values.append(word(dims[p["name"]]))
        elif kind == "scalar":
            values.append(word(text["D"] ** -0.5 if p["name"] == "scale" else 0))
        elif kind == "grid":
            values.append(word(grid[p["axis"]]))
        elif kind == "counter":
            values.append(pointer(counter))
        elif kind == "tensor_map" and p.get("grouped"):
            t, width = tensors[p["tensor"]], p["box"][-1]
            outer, (slots, heads, d), size = list(t.shape[:-3]), t.shape[-3:], t.element_size()
            row = heads * d * size
            outside = [slots * row]
            for n in outer[:0:-1]:
                outside.append(outside[-1] * n)
            dims = [width, 8, heads * d // width, slots // 8, *outer[::-1]]
            values.append(tensor_map(t, dims, [row, width * size, 8 * row, *outside[:len(outer)]], p["box"][::-1], p["swizzle"]))
        elif kind == "tensor_map":
            t = tensors[p["tensor"]].flatten(-p.get("folded", 1))
            strides = [s * t.element_size() for s in t.stride()[:-1]][::-1]
            ragged = None if p.get("ragged") is None else t.dim() - 1 - p["ragged"]
            values.append(tensor_map(t, list(t.shape)[::-1], strides, p["box"][::-1], p["swizzle"], ragged=ragged))
        else:
            raise RuntimeError(f"a parameter of kind {kind}")
    function = compile_text(open(os.path.join(folder, text["file"])).read(), text["entry"], text["sharedBytes"])
    return launcher(function, min(SMS, grid[0] * grid[1] * grid[2]), text["threads"], text["sharedBytes"], values)


def whole_text(folder, text, tensors):
    q, k = tensors["q"], tensors["k"]
    dims = {"B": q.shape[0], "L": q.shape[1], "HQ": q.shape[2], "LK": k.shape[1], "HKV": k.shape[2]}
    heads = text["config"]["heads"] or dims["HQ"]
    grid = [heads, -(-dims["L"] // text["config"]["BM"]), dims["HQ"] // heads * dims["B"]]
    return own_text(folder, text, tensors, dims, grid)


def in_eight_bits(tensors):
    """q, k, v as codes of e4m3 with a scale for each head, values by columns; and what the codes stand for."""
    made, meant = {}, {}
    for name in "qkv":
        t = tensors[name].float()
        scale = t.abs().amax((0, 1, 3)) / 448
        codes = (t / scale[:, None]).to(torch.float8_e4m3fn)
        meant[name] = (codes.float() * scale[:, None]).double()
        made[name], made[name + "Scale"] = codes.contiguous(), scale.contiguous()
    made["v"] = made["v"].view(torch.uint8).permute(0, 2, 3, 1).contiguous()
    return {**made, "o": tensors["o"]}, meant


def in_pages(rows, starts, page, seed):
    """rows [N, HKV, D] of sequences as shuffled pages, and their table; slots that hold nothing are NaN."""
    lens = [b - a for a, b in zip(starts, starts[1:])]
    counts = [-(-n // page) for n in lens]
    order = torch.randperm(sum(counts), generator=torch.Generator().manual_seed(seed)).tolist()
    cache = torch.full((sum(counts), page, *rows.shape[1:]), float("nan"), device="cuda", dtype=rows.dtype)
    table = torch.full((len(lens), -(-max(counts) // 16) * 16), 0x7FFFFFFF, dtype=torch.int32)
    for s, (start, n) in enumerate(zip(starts, lens)):
        own = [order.pop() for _ in range(counts[s])]
        table[s, :counts[s]] = torch.tensor(own, dtype=torch.int32)
        padded = torch.full((counts[s] * page, *rows.shape[1:]), float("nan"), device="cuda", dtype=rows.dtype)
        padded[:n] = rows[start:start + n]
        cache[torch.tensor(own, device="cuda")] = padded.view(counts[s], page, *rows.shape[1:])
    return cache, table.cuda()


def paged_text(folder, text, tensors, starts):
    """On rows [N, H, D] of sequences that begin at starts, the last of which is N; every query is new."""
    page, BM, heads = text["PAGE"], text["config"]["BM"], text["config"]["heads"] or HQ
    made = dict(q=tensors["q"], o=tensors["o"])
    made["kCache"], made["table"] = in_pages(tensors["k"], starts, page, 5)
    made["vCache"], _ = in_pages(tensors["v"], starts, page, 5)
    blocks = []
    for s, (start, end) in enumerate(zip(starts, starts[1:])):
        blocks += [(s, r, min(r + BM, end), r - start, end - start) for r in range(start, end, BM)]
    blocks.sort(key=lambda b: -b[3])
    listed = [(*b, h) for h in range(0, HQ, heads) for b in blocks]
    made["blocks"] = torch.tensor(listed, dtype=torch.int32, device="cuda")
    dims = {"N": starts[-1], "HQ": HQ, "NB": made["kCache"].shape[0], "HKV": HKV, "S": len(starts) - 1,
            "MAXB": made["table"].shape[1], "B": len(listed), "B6": 6}
    return own_text(folder, text, made, dims, [heads, len(listed), 1])


def target_text(folder, tensors, causal, D=128):
    """The hand-written text: see its own bench for the launch."""
    q, k, v, o = (tensors[n] for n in "qkvo")
    b, l, h, hk = q.shape[0], q.shape[1], q.shape[2], k.shape[2]
    prelude = open(folder + "/prelude.cuh").read().replace("#pragma once", "")
    source = open(folder + "/prefill.cu").read().replace('#include "prelude.cuh"', prelude)
    shared = 4 * 16384 + 5 * 128 * 256 + 512 + 1024
    function = compile_text(source, "prefill", shared, [f"CAUSAL={int(causal)}"])

    def m(t, heads, box):
        return tensor_map(t, (64, l, 2, heads, b), (heads * D * 2, 128, D * 2, l * heads * D * 2), (64, box, 2, 1, 1), promotion=L2_NONE)

    section = 1
    while section * 2 * l * 512 <= 32 << 20:
        section *= 2
    section = min(section * (h // hk), h * b)
    counter = torch.zeros(512, dtype=torch.int32, device="cuda")
    values = [m(q, h, 64), m(k, hk, 128), m(v, hk, 128), m(o, h, 16), pointer(counter)]
    values += [word(x) for x in (l, h, h // hk, b, section, D**-0.5 * 1.4426950408889634)]
    tiles = (l + 127) // 128 * h * b
    return launcher(function, min(SMS, tiles), 384, shared, values)


def median_us(fn, seconds):
    """Of launches back to back for this long: sustained, at the card's power limit."""
    fn()
    torch.cuda.synchronize()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record(); fn(); end.record(); torch.cuda.synchronize()
    count = max(5, int(seconds * 1e3 / max(1e-3, begin.elapsed_time(end))))
    events = [torch.cuda.Event(enable_timing=True) for _ in range(count + 1)]
    events[0].record()
    for e in events[1:]:
        fn(); e.record()
    torch.cuda.synchronize()
    times = sorted(a.elapsed_time(b) for a, b in zip(events, events[1:]))
    return times[len(times) // 2] * 1e3


def error(tensors, starts, causal, D):
    """Largest relative error of a head's rows of a sequence against float64, over all of the output [N, H, D]."""
    q, k, v, o = (tensors[n].view(-1, *tensors[n].shape[-2:]) for n in "qkvo")
    worst = 0.0
    for start, end in zip(starts, starts[1:]):
        for h in range(q.shape[1]):
            kh = h // (q.shape[1] // k.shape[1])
            for r in range(start, end, 4096):
                last = min(r + 4096, end)
                x = q[r:last, h].double() @ k[start:end, kh].double().T * D**-0.5
                if causal:
                    rows = torch.arange(r - start, last - start, device="cuda")[:, None]
                    x.masked_fill_(torch.arange(end - start, device="cuda")[None] > rows, float("-inf"))
                ref = torch.softmax(x, -1) @ v[start:end, kh].double()
                worst = max(worst, float((o[r:last, h].double() - ref).norm() / ref.norm()))
    return worst


def run_shape(args, texts, shape, D, DV):
    is_ragged = shape.startswith("ragged")
    numbers = [int(x) for x in shape.split(",")[is_ragged:]]
    lens, causal = (numbers, 1) if is_ragged else ([numbers[1]] * numbers[0], numbers[2])
    starts = [0]
    for n in lens:
        starts.append(starts[-1] + n)
    g = torch.Generator(device="cuda").manual_seed(7)
    made = lambda h, d: torch.empty(starts[-1], h, d, device="cuda", dtype=torch.bfloat16).normal_(generator=g)
    tensors = {"q": made(HQ, D), "k": made(HKV, D), "v": made(HKV, DV)}
    tensors["o"] = torch.full((starts[-1], HQ, DV), float("nan"), device="cuda", dtype=torch.bfloat16)
    flop = sum(2 * HQ * n * n * (D + DV) * (0.5 if causal else 1) for n in lens)
    runs = {}
    batched = None
    if not is_ragged:
        batched = {n: t.view(len(lens), lens[0], *t.shape[1:]) for n, t in tensors.items()}
    if not is_ragged and not args.alone:
        qt, kt, vt = (batched[n].transpose(1, 2).contiguous() for n in "qkv")

        def through(backend):
            def go():
                with sdpa_kernel([backend]):
                    F.scaled_dot_product_attention(qt, kt, vt, is_causal=bool(causal), enable_gqa=True)
            return go

        # Where cuDNN refuses head dims, what torch has besides.
        for name, backend in (("cudnn", SDPBackend.CUDNN_ATTENTION), ("flash", SDPBackend.FLASH_ATTENTION)):
            try:
                through(backend)(); torch.cuda.synchronize()
                runs[name] = through(backend)
                break
            except RuntimeError as e:
                say(shape=shape, D=D, DV=DV, impl=name, failed=str(e)[:500])
        if args.target and D == DV == 128:
            runs["target"] = target_text(args.target, batched, causal)
    eight = None
    for t in texts:
        if t["config"]["CAUSAL"] != causal or (t["D"], t["DV"]) != (D, DV) or (is_ragged and t["kind"] != "paged"):
            continue
        try:
            if t["kind"] == "fp8":
                eight = eight or in_eight_bits(batched)
                runs[t["file"]] = whole_text(args.texts, t, eight[0])
            elif t["kind"] == "whole":
                runs[t["file"]] = whole_text(args.texts, t, batched)
            else:
                runs[t["file"]] = paged_text(args.texts, t, tensors, starts)
        except RuntimeError as e:
            say(shape=shape, D=D, DV=DV, impl=t["file"], failed=str(e)[:500])
    if not runs:
        return
    errors, codes_errors = {}, {}
    for name, go in runs.items():
        if name in ("cudnn", "flash"):
            continue
        worst = []
        for _ in range(2):
            tensors["o"].fill_(float("nan")); go(); torch.cuda.synchronize()
            worst.append(error(tensors, starts, causal, D))
        if name.startswith("attention-fp8"):
            # Beside what the inputs' rounding costs: against the numbers that the codes stand for.
            given = {n: eight[1][n].flatten(0, 1) for n in "qkv"}
            codes_errors[name] = error({**given, "o": tensors["o"]}, starts, causal, D)
        errors[name] = max(w if w == w else float("inf") for w in worst)
    times = {name: [] for name in runs}
    for i in range(args.rounds):
        order = list(runs)
        for name in order[i % len(order):] + order[:i % len(order)]:
            times[name].append(median_us(runs[name], args.seconds))
    best = {name: min(t) for name, t in times.items()}
    wholes = [best[t["file"]] for t in texts if t["kind"] == "whole" and t["file"] in best]
    for name, us in best.items():
        ratio = lambda peer: round(peer / us, 3) if peer else None
        say(shape=shape, D=D, DV=DV, impl=name, us=round(us, 1), tflops=round(flop / us / 1e6, 1), vs_cudnn=ratio(best.get("cudnn")),
            vs_target=ratio(best.get("target")), vs_whole=ratio(min(wholes, default=None)),
            error=round(errors[name], 5) if name in errors else None,
            **({"error_of_codes": round(codes_errors[name], 5)} if name in codes_errors else {}), all=[round(t, 1) for t in times[name]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("texts")
    parser.add_argument("--target")
    parser.add_argument("--alone", action="store_true", help="no vendor's kernels: for compute-sanitizer")
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--shapes", nargs="*", default=["4,4096,1", "1,16384,1", "16,1024,1", "4,4096,0"])
    args = parser.parse_args()
    texts = json.load(open(os.path.join(args.texts, "texts.json")))
    with ThreadPoolExecutor() as pool:  # whatever fails is told where it is used
        for t in texts:
            pool.submit(cubin_of, open(os.path.join(args.texts, t["file"])).read())
    for shape in args.shapes:
        for D, DV in sorted({(t["D"], t["DV"]) for t in texts}):
            run_shape(args, texts, shape, D, DV)
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
