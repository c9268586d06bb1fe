/** [test/unit/codegen] Which kernels get warp roles and why others do not; the text forms of what roles bring read back. */
import { describe, expect, it } from "vitest";
import { compile, compileStages, compileTile } from "../../../../codegen/compile.ts";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import { printThreadKernel } from "../../../../codegen/ir/print-thread.ts";
import { findScheduledViolations } from "../../../../codegen/ir/verify-scheduled.ts";
import { findThreadViolations } from "../../../../codegen/ir/verify-thread.ts";
import { createContext } from "../../../../codegen/passes/pass.ts";
import { runPasses } from "../../../../codegen/run-passes.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { cudaPipeline } from "../../../../codegen/targets/cuda/pipeline.ts";
import {
  cast,
  cdiv,
  dot,
  kernel,
  load,
  lowerKernel,
  out,
  pid,
  range,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../../../dsl/index.ts";
import { linearFp8Block } from "../../../../dsl/kernels/catalogue.ts";
import { conformanceCases } from "../../../../runtime/conformance/catalogue.ts";

const product = kernel(
  {
    name: "product",
    dtypes: { T: ["bf16", "f32"], O: ["bf16", "f32"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("O", "M", "N") },
    config: { BM: 128, BN: 128, BK: 64, stages: 3, limited: false, scaled: false, wide: false },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K, O }, { BM, BN, BK, stages, limited, scaled, wide }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pid(1), BM), limited ? span(k, BK, K) : span(k, BK)]);
      const b = load(w, [tile(pid(0), BN), span(k, BK)], wide ? { via: "ldg" } : {});
      acc = dot(a, b, acc);
      if (scaled) acc = acc * 0.5;
    }
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], cast(acc, O));
  },
);

type Config = Readonly<Record<string, number | boolean>>;

function lowered(config: Config = {}, divisor = 16, dtype: "bf16" | "f32" = "bf16") {
  const request = { dtypes: { T: dtype, O: dtype }, config };
  const { tile: kernelIr } = lowerKernel(product, request);
  const context = createContext(cudaSpec("sm_90a"), { M: divisor, N: divisor, K: divisor });
  const result = runPasses(kernelIr, cudaPipeline, context, { verify: "passes" });
  return { ...result, tileIr: kernelIr, remarks: context.remarks };
}

function obstacle(...args: Parameters<typeof lowered>): string | undefined {
  return lowered(...args).remarks.find(({ pass }) => pass === "find-role-loop")?.message;
}

/** Sizes of the boxes in the artifact. */
function boxesFor(config: Config): readonly (readonly number[])[] {
  const artifact = compileTile(lowered(config).tileIr, {
    specialization: { dtypes: { T: "bf16", O: "bf16" } },
    target: cudaSpec("sm_90a"),
    divisibility: { M: 16, N: 16, K: 16 },
  });
  return artifact.params.flatMap((param) => (param.kind === "tensor_map" ? [param.box] : []));
}

describe("a loop of stages over two loads and a dot", () => {
  const { scheduled, thread, tileIr } = lowered();

  it("is shared out between one copying thread and two warpgroups", () => {
    const [roles] = scheduled.body.ops.filter((op) => op.kind === "roles");
    expect(roles).toMatchObject({ registers: { producer: 24, consumer: 240 } });
    expect(scheduled.numWarps).toBe(8);
    expect(thread.threads).toBe(8 * 32 + 128);
    expect(thread.persistent).toBe(true);
  });

  it("names its boxes in the artifact, behind the launch's true grid", () => {
    const artifact = compileTile(tileIr, {
      specialization: { dtypes: { T: "bf16", O: "bf16" } },
      target: cudaSpec("sm_90a"),
      divisibility: { M: 16, N: 16, K: 16 },
    });
    expect(artifact.persistent).toEqual({ blocksPerSm: 1 });
    expect(artifact.early).toEqual(["w"]);
    expect(artifact.params.slice(-6)).toEqual([
      { kind: "grid", axis: 0 },
      { kind: "grid", axis: 1 },
      { kind: "grid", axis: 2 },
      {
        kind: "tensor_map",
        name: "map_w",
        tensor: "w",
        dtype: "bf16",
        box: [128, 64],
        swizzle: 128,
      },
      {
        kind: "tensor_map",
        name: "map_x",
        tensor: "x",
        dtype: "bf16",
        box: [128, 64],
        swizzle: 128,
      },
      {
        kind: "tensor_map",
        name: "map_y",
        tensor: "y",
        dtype: "bf16",
        box: [16, 64],
        swizzle: 128,
      },
    ]);
  });

  it("keeps its text forms", () => {
    const text = printScheduled(scheduled);
    expect(printScheduled(parseScheduled(text))).toBe(text);
    expect(findScheduledViolations(parseScheduled(text), { allocated: true })).toEqual([]);
    const low = printThreadKernel(thread);
    expect(printThreadKernel(parseThreadKernel(low))).toBe(low);
    expect(findThreadViolations(parseThreadKernel(low))).toEqual([]);
  });

  it("takes fewer slots where shared memory does not hold those that it asks for", () => {
    const { scheduled: many, remarks } = lowered({ stages: 9 });
    expect(many.shared.find((buffer) => buffer.name === "full")?.stages).toBe(6);
    expect(remarks.map(({ message }) => message).join("\n")).toMatch(/6 slots .* instead of 9/);
  });

  it("puts boxes and panels at multiples of 1024 bytes", () => {
    for (const buffer of scheduled.shared)
      if (buffer.dtype === "bf16") expect((buffer.byteOffset ?? 1) % 1024).toBe(0);
  });
});

describe("few rows", () => {
  it("are the columns of products whose rows the other operand has", () => {
    const { scheduled, remarks } = lowered({ BM: 16, BN: 128 });
    const text = printScheduled(scheduled);
    expect(remarks.map(({ message }) => message).join("\n")).toMatch(
      /wgmma m64n16k16 for 128×16×64 by 2 warpgroups, the operands swapped/,
    );
    expect(text).toMatch(/= dot shared b\[.*BN=128.*shared a\[.*BM=16/);
    expect(printScheduled(parseScheduled(text))).toBe(text);
  });

  it("leave by boxes of all rows and 16 columns", () => {
    expect(boxesFor({ BM: 24, BN: 64 })).toEqual([
      [64, 64],
      [24, 64],
      [24, 16],
    ]);
  });
});

describe("rows longer than a swizzle", () => {
  it("come in several boxes of its width, one behind the other", () => {
    const { scheduled, remarks, thread } = lowered({ BN: 64, BK: 256, stages: 2 });
    expect(remarks.map(({ message }) => message).join("\n")).toMatch(/tma, 4 boxes of 128×64/);
    const [a] = scheduled.shared;
    expect(a?.axes.map(({ size }) => size)).toEqual([4, 128, 64]);
    // Four of each operand a trip, and the weight's once more for the trips ahead of the wait for the launch before.
    expect(printThreadKernel(thread).match(/call tma_load_2d/g)).toHaveLength(12);
    const text = printScheduled(scheduled);
    expect(printScheduled(parseScheduled(text))).toBe(text);
  });
});

describe("a cluster of two blocks", () => {
  it("brings halves of what both read, and is in the artifact and the text", () => {
    const { tileIr, scheduled, thread } = lowered({ cluster: 2 });
    const artifact = compileTile(tileIr, {
      specialization: { dtypes: { T: "bf16", O: "bf16" } },
      target: cudaSpec("sm_90a"),
      divisibility: { M: 16, N: 16, K: 16 },
    });
    expect(artifact.cluster).toBe(2);
    expect(artifact.text).toContain("TW_KERNEL_PER_SM(384, 1) TW_CLUSTER(2) product(");
    const boxes = artifact.params.flatMap((p) => (p.kind === "tensor_map" ? [p.box] : []));
    expect(boxes).toEqual([
      [64, 64],
      [64, 64],
      [16, 64],
    ]);
    const text = printScheduled(scheduled);
    expect(printScheduled(parseScheduled(text))).toBe(text);
    const low = printThreadKernel(thread);
    expect(printThreadKernel(parseThreadKernel(low))).toBe(low);
  });

  it.each([["a box without halves of whole patterns", { BN: 8 }, /8 rows of w have no halves/]])(
    "is not made for %s",
    (_, config, message) => {
      const { remarks, scheduled } = lowered({ cluster: 2, ...config });
      expect(scheduled.cluster).toBeUndefined();
      expect(remarks.map((remark) => remark.message).join("\n")).toMatch(message);
    },
  );

  it("halves each panel of long rows", () => {
    expect(boxesFor({ cluster: 2, BK: 128 })).toEqual([
      [64, 64],
      [64, 64],
      [16, 64],
    ]);
  });

  it("is of one block or two", () => {
    expect(() => lowered({ cluster: 3 })).toThrow(/TW1011[\s\S]*cluster: 3/);
  });
});

describe("a loop keeps to mma.sync or fma", () => {
  it.each<[string, Config, RegExp]>([
    ["odd rows", { BM: 96 }, /no multiple of 64 rows/],
    ["few rows and columns", { BM: 16, BN: 32 }, /no multiple of 64 rows .* other way round/],
    ["too many accumulators", { BM: 256, BN: 256 }, /more accumulators than the registers/],
    ["a ring that does not fit", { BK: 256 }, /2 slots and panels take 294912 bytes of shared/],
    ["one stage", { stages: 1 }, /fewer than 2 stages/],
    ["a limit", { limited: true }, /a span has a limit/],
    ["a changed sum", { scaled: true }, /the loop holds a/],
    ["another wish of the source", { wide: true }, /the source asks for ldg/],
  ])("for %s", (_, config, message) => {
    expect(obstacle(config)).toMatch(message);
    expect(lowered(config).thread.persistent).toBe(false);
  });

  it("for rows that do not start at multiples of 16 bytes", () => {
    expect(obstacle({}, 4)).toMatch(/rows of x start at multiples of 8 bytes only, not 16/);
  });

  it("for operands that wgmma does not multiply", () => {
    expect(obstacle({ BK: 32 }, 16, "f32")).toMatch(/wgmma does not multiply f32 and f32/);
  });
});

/** Remarks of a kernel of the conformance suite. */
function remarksOf(name: string): string {
  const found = conformanceCases({ groups: ["pipelined"] }).find((one) =>
    one.name.startsWith(name),
  );
  if (found === undefined) throw new Error(`no case ${name}`);
  const { remarks } = compile(found.kernel, {
    specialization: found.specialization,
    target: cudaSpec("sm_90a"),
    divisibility: { M: 2, N: 8, K: 16, S: 16 },
  });
  return remarks.map(({ message }) => message).join("\n");
}

describe("what outlives its ring or its panels", () => {
  it("keeps an operand that the loop hands on out of a ring", () => {
    expect(remarksOf("pipelined_carried")).toMatch(/not wgmma with tma: a is read by more/);
  });

  it("keeps a tensor that is read again out of the copy engine", () => {
    expect(remarksOf("pipelined_again")).toMatch(/not tma: y is accessed elsewhere too/);
  });
});

describe("the verifiers", () => {
  const { scheduled, thread } = lowered();
  const text = printThreadKernel(thread);

  it("name an mbarrier of another form", () => {
    const shared = scheduled.shared.map((buffer) =>
      buffer.name === "full" ? { ...buffer, dtype: "i32" as const } : buffer,
    );
    const found = findScheduledViolations({ ...scheduled, shared });
    expect(found.map(({ message }) => message).join()).toContain("an mbarrier has another form");
  });

  it.each([
    ["a missing map", /\n {2}map map_w: [^\n]*/, "", /unknown tensor map map_w/],
    ["a missing argument", ", map map_x", "", /tma_load_2d takes 5 arguments/],
    ["a missing number", "wgmma_wait<1>", "wgmma_wait", /wgmma_wait needs a number/],
    ["other threads", "threads(384)", "threads(256)", /roles for 384 threads in a block of 256/],
    [
      "a product in a branch",
      "call wgmma_commit()",
      "if @lane == 0 {\ncall wgmma_commit()\n}",
      /wgmma_commit stands where threads may diverge/,
    ],
  ])("name %s", (_, from, to, message) => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    expect(findThreadViolations(parseThreadKernel(changed)).join("\n")).toMatch(message);
  });
});

describe("rows of scales", () => {
  const build = (config: object, M: number) =>
    compileStages(linearFp8Block, {
      specialization: {
        dtypes: { O: "bf16" },
        config: { BM: 128, BN: 128, BK: 128, stages: 4, group: 8, ...config },
      },
      target: cudaSpec("sm_90a"),
      divisibility: { M, N: 16, K: 16 },
    });

  it("come with the tiles of their trip and are read before the slot is given back", () => {
    const { scheduled, artifact } = build({}, 16);
    expect(artifact.remarks.map(({ message }) => message)).toContain(
      "load xScale: tma, a box of 128",
    );
    expect(scheduled).toMatch(
      /mbarrier_wait full\[.*shared_load \w+\[.*dot_wait 0.*mbarrier_arrive empty\[[^\n]* warps/s,
    );
    expect(printScheduled(parseScheduled(scheduled), { locations: true })).toBe(scheduled);
  });

  it.each([
    ["rows of 4 bytes begin anywhere", {}, 1],
    ["a pair of blocks gives slots back by one thread", { cluster: 2 }, 16],
  ])("are loaded by the threads where %s", (_, config, M) => {
    const { artifact } = build(config, M);
    const maps = artifact.params.flatMap((param) =>
      param.kind === "tensor_map" ? [param.tensor] : [],
    );
    expect(maps).toContain("x");
    expect(maps).not.toContain("xScale");
  });
});
