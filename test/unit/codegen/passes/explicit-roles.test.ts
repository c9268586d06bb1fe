/** [test/unit/codegen] Roles that a kernel writes out: as they stand on sm_90a, made one elsewhere with the reason, refused where that cannot be shown; their protocol is checked. */
import { describe, expect, it } from "vitest";
import type { CompileRequest } from "../../../../codegen/artifact.ts";
import { compile, compileStages } from "../../../../codegen/compile.ts";
import { explain } from "../../../../codegen/explain.ts";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import { TARGETS } from "../../../../codegen/targets/catalogue.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { type DType, interpret, KernelSourceError, parseKernel } from "../../../../dsl/index.ts";
import { changedGemm, MISTAKES } from "../../../support/explicit-gemm.ts";

type Changes = readonly (readonly [string, string])[];

const request = (more: Partial<CompileRequest> = {}): CompileRequest => ({
  specialization: { dtypes: { T: "bf16" } },
  divisibility: { M: 16, N: 16, K: 16 },
  target: cudaSpec("sm_90a"),
  ...more,
});

function reasons(kernel = changedGemm(), more: Partial<CompileRequest> = {}): readonly string[] {
  const { remarks } = compile(kernel, request(more));
  return remarks.filter(({ pass }) => /roles/.test(pass)).map(({ message }) => message);
}

const small = (dtypes: Readonly<Record<string, DType>>, config = {}) => ({
  specialization: {
    dtypes,
    config: { BM: 64, BN: 32, BK: 32, stages: 2, consumers: 1, ...config },
  },
});

describe("roles as a kernel writes them", () => {
  const stages = compileStages(changedGemm(), request());

  it("wait for the launch before ahead of every load, also where one stands in a branch before them", () => {
    const wanted = 'cast(load(w, [0, 0]), "f32")';
    const waits = (before: string): number => {
      const kernel = changedGemm(
        ["import {", "import { load,"],
        ["roles(\n", `${before}\n    roles(\n`],
        ["cast(acc, T)", "cast(acc + extra, T)"],
      );
      const text = compileStages(kernel, request()).scheduled;
      return text.slice(0, text.indexOf("consumer {")).split("wait_previous").length - 1;
    };
    expect(waits(`const extra = ${wanted};`)).toBe(1);
    // The branch may not be taken: then nobody has waited when the roles begin.
    expect(waits(`let extra = 0;\n    if (K > 5) extra = ${wanted};`)).toBe(2);
  });

  it("stand in the scheduled IR one by one, and its text reads back", () => {
    expect(printScheduled(parseScheduled(stages.scheduled))).toBe(
      printScheduled(parseScheduled(printScheduled(stages.kernel))),
    );
    expect(stages.scheduled.match(/mbarrier_(init|wait|arrive|expect)/g)).toHaveLength(7);
    expect(reasons()).toEqual(["as written: one thread copies, 2 warpgroups multiply"]);
    expect(stages.artifact.persistent).toEqual({ blocksPerSm: 1 });
    const checked = stages.artifact.remarks.find(({ pass }) => pass === "check-protocol");
    expect(checked?.message).toBe("the protocol holds for 0 to 6 trips, 0 to 3 programs a block");
  });

  it("take one program a block where they do not walk over programs()", () => {
    const kernel = changedGemm(
      ["import {", "import { pid,"],
      ["for (const p of programs()) {", "const p = pid(0); {"],
      ["for (const p of programs()) {", "const p = pid(0); {"],
    );
    const artifact = compile(kernel, request());
    expect(artifact.persistent).toEqual({ blocksPerSm: 0 });
    expect(artifact.text).toContain("wgmma");
  });

  it.each([
    ["any multiple of 8 columns", [], { BN: 200, BK: 16 }, "bf16"],
    ["rows of three products", [], { BM: 192, BN: 80, BK: 32 }, "f16"],
    [
      "bytes",
      [
        ['["f32", "f16", "bf16"]', '["i8"]'],
        ['out("T"', 'out("i32"'],
        ['zeros("f32"', 'zeros("i32"'],
        ["cast(acc, T)", "acc"],
      ],
      { BK: 128 },
      "i8",
    ],
    [
      "a tile that lies in two rings",
      [
        ["const ws =", "const zs = shared([BM, BK], T, { stages });\n    const ws ="],
        ["slotBytes(xs) +", "slotBytes(xs) + slotBytes(zs) +"],
        [
          "xs, n, full);",
          "xs, n, full);\n copyAsync(x, [tile(pm, BM), span(k, BK)], zs, n, full);",
        ],
        ["dotWait(1);", "acc = dotAsync(slot(zs, n), slot(ws, n), acc); dotWait(2);"],
      ],
      {},
      "bf16",
    ],
  ] as const)("take %s", (_, changes, config, T) => {
    const kernel = changedGemm(...changes);
    expect(reasons(kernel, small({ T }, config)).at(-1)).toMatch(/^as written/);
  });

  it("keep registers where there is one warpgroup", () => {
    expect(reasons(changedGemm(), small({ T: "bf16" }))).toEqual([
      "registers stay as they are: one warpgroup has enough as it is",
      "as written: one thread copies, one warpgroup multiplies",
    ]);
  });

  it("read slots into registers, where warps arrive one by one", () => {
    const kernel = changedGemm(
      ["import {", "import { sum,"],
      [
        "acc = dotWait(0, acc);\n            if",
        'acc = dotWait(0, acc);\n            if (K > 0) acc = acc + sum(cast(slot(xs, n - 1), "f32"), "BK");\n            if',
      ],
    );
    const { scheduled } = compileStages(kernel, request());
    expect(scheduled).toMatch(/shared_load xs\[.*\] width 8/);
    expect(scheduled).toMatch(/mbarrier_init empty arrivals 8/);
    expect(scheduled.match(/mbarrier_arrive empty\[.*\] warps/g)).toHaveLength(2);
    const early = changedGemm(
      ["import {", "import { sum,"],
      ["store(y,", 'acc = acc + sum(cast(slot(xs, n - 1), "f32"), "BK");\n            store(y,'],
    );
    expect(() => compile(early, request())).toThrow(/TW2103/);
  });

  it("answer a schedule that they leave nothing to", () => {
    const { schedule } = explain(
      changedGemm(),
      request({ specialization: { dtypes: { T: "bf16" }, config: { "schedule.swap": true } } }),
    );
    expect(schedule["swap"]).toBe("does not apply: the kernel writes out its roles");
  });

  it("are told by use where they wait for ever", () => {
    const deaf = changedGemm(["if (k > 0) barrierArrive(empty, n - 1);", ""]);
    expect(() => compile(deaf, request())).toThrow(
      /producer +wait for use 0 of empty \(p 0, trip 4\): waits, use 0 of empty has 0 of 2 arrivals/,
    );
  });

  it.each(MISTAKES)("are refused when %s", (_, from, to, _interpreter, code) => {
    const run = () => compile(changedGemm([from, to]), request());
    expect(run).toThrow(code);
    expect(run).toThrow(KernelSourceError);
    // With the line that is at fault and what to write, in terms of uses.
    expect(run).toThrow(/<explicitGemm>:\d+:\d+ - TW[\s\S]*\n> \d+ \|[\s\S]*\^\^\^/);
    expect(run).not.toThrow(/phase|parity|please report/);
    expect(run).toThrow(/remedy: .*(barrier|slotBytes|dotWait)/);
  });
});

describe("roles made one", () => {
  it.each([
    ["sm_80", { target: cudaSpec("sm_80") }, /sm_80 has no copy engine/],
    ["sm_90", { target: cudaSpec("sm_90") }, /: compile for sm_90a, which runs on the same cards$/],
    ["sm_100", { target: cudaSpec("sm_100a") }, /used on sm_90a alone, not on sm_100a$/],
    ["wgsl", { target: TARGETS.wgsl.defaultSpec(), ...small({ T: "f32" }) }, /wgsl has no copy/],
    ["gfx942", { target: TARGETS.hip.defaultSpec("gfx942") }, /gfx942 has no copy engine/],
    ["f32 operands", small({ T: "f32" }), /wgmma does not multiply f32/],
    [
      "rows that begin anywhere",
      { divisibility: {} },
      /rows of x .* that K is a multiple of 8 .*--divisible K=8\)$/,
    ],
    ["half a product", small({ T: "bf16" }, { BM: 32 }), /32×32×32 is no multiple of 64 rows/],
    ["more than fits", small({ T: "bf16" }, { BM: 64, BN: 256, BK: 64, stages: 8 }), /slots and/],
    [
      "odd tiles in registers",
      small({ T: "bf16" }),
      /35 elements along odd would be padded/,
      [
        ["import {", "import { axis, full as filled, sum,"],
        [
          "store(y,",
          'acc = acc + sum(filled("f32", 1, axis("odd", 35)) * 1, "odd");\n            store(y,',
        ],
      ],
    ],
    ["four warpgroups", small({ T: "bf16" }, { BM: 256, consumers: 4 }), /4 warpgroups, more/],
  ] as const)("for %s", (_, more, reason, changes: Changes = []) => {
    expect(reasons(changedGemm(...changes), more)[0]).toMatch(reason);
  });

  it("are a plain loop with as many loads ahead as the ring has slots", () => {
    const { passes } = compileStages(changedGemm(), request({ target: cudaSpec("sm_80") }));
    const text = passes.find(({ pass }) => pass === "eliminate-dead")?.text ?? "";
    expect(text).not.toMatch(/barrier|slot|ring|roles|walk|async/);
    expect(text).toMatch(/ stages 4 \{/);
  });

  it("compute what the roles do", () => {
    const { passes } = compileStages(
      changedGemm(),
      request({ target: TARGETS.wgsl.defaultSpec(), ...small({ T: "f32" }, { BM: 16, BN: 16 }) }),
    );
    const merged = parseKernel(passes.find(({ pass }) => pass === "merge-roles")?.text ?? "");
    const [M, N, K] = [20, 35, 70];
    const [x, w] = [M, N].map((rows, s) =>
      Float32Array.from({ length: rows * K }, (_v, i) => ((i * 29 + s * 17) % 11) - 5),
    ) as [Float32Array, Float32Array];
    const y = new Float32Array(M * N);
    const bytes = (of: Float32Array) => new Uint8Array(of.buffer);
    interpret(merged, {
      tensors: {
        x: { data: bytes(x), shape: [M, K] },
        w: { data: bytes(w), shape: [N, K] },
        y: { data: bytes(y), shape: [M, N] },
      },
      grid: [2 * 3],
    });
    const wrong = [...y.keys()].filter((i) => {
      const [m, n] = [Math.floor(i / N), i % N];
      let sum = 0;
      for (let k = 0; k < K; k++) sum += (x[m * K + k] ?? 0) * (w[n * K + k] ?? 0);
      return y[i] !== sum;
    });
    expect(wrong).toEqual([]);
  });

  it("read a tile that is copied once for all trips", () => {
    // Rows of x are contracted along the whole of a block here, so that their copy stands ahead of the loop.
    const kernel = changedGemm(
      ["const ws =", "const hold = barrier();\n    const ws ="],
      [
        "for (const k of range(0, K, BK)) {",
        "barrierExpect(hold, 0, slotBytes(xs));\n            copyAsync(x, [tile(pm, BM), span(0, BK)], xs, 0, hold);\n            for (const k of range(0, K, BK)) {",
      ],
      ["slotBytes(xs) + slotBytes(ws)", "slotBytes(ws)"],
      ["copyAsync(x, [tile(pm, BM), span(k, BK)], xs, n, full);", ""],
      ["slot(xs, n)", "slot(xs, 0)"],
    );
    const { passes } = compileStages(kernel, request({ target: cudaSpec("sm_80") }));
    const text = passes.find(({ pass }) => pass === "merge-roles")?.text ?? "";
    expect(text.indexOf("load x")).toBeLessThan(text.indexOf("load w"));
    expect(text.slice(text.indexOf(" stages 4 {")).match(/load x/)).toBeNull();
  });
});

describe("roles that cannot be made one", () => {
  const plain = request({ target: cudaSpec("sm_80") });

  it.each([
    [
      "other bounds",
      [
        "range(0, K, BK)) {\n              barrierWait(empty",
        "range(0, K + 0 * M, BK)) {\n              barrierWait(empty",
      ],
      /same trips/,
    ],
    [
      "uses counted otherwise",
      ["slot(ws, n), acc", "slot(ws, n + stages), acc"],
      /which copy into ws/,
    ],
    [
      "a copy in a branch",
      [
        "copyAsync(x, [tile(pm, BM), span(k, BK)], xs, n, full);",
        "if (k < K - 1) { copyAsync(x, [tile(pm, BM), span(k, BK)], xs, n, full); }",
      ],
      /a copy stands in a branch/,
    ],
  ] as const)("for %s are refused with a code and what to do", (_, [from, to], why) => {
    const run = () => compile(changedGemm([from, to]), plain);
    expect(run).toThrow(/TW2309[\s\S]*sm_80 has no copy engine[\s\S]*remedy:/);
    expect(run).toThrow(why);
  });
});
