/** [test/unit/runtime] The table of tile sizes for sm_90a: each compiles to warp roles with the slots that it names; each size of a product finds one. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../codegen/index.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { attention, attentionFp8, KERNEL_ENTRIES, linear } from "../../../dsl/kernels/catalogue.ts";
import { appliesTo } from "../../../runtime/autotune/store.ts";
import { HOPPER } from "../../../runtime/autotune/tuned/hopper.ts";

const entries = HOPPER["linear"] ?? [];
const configs = [
  ...new Map(entries.map(({ config }) => [JSON.stringify(config), config])).values(),
];

const scaled = ["linear_fp8", "linear_fp8_tensor", "linear_fp8_block", "linear_int8"].flatMap(
  (name) => {
    const all = new Map(
      (HOPPER[name] ?? []).map(({ config }) => [JSON.stringify(config), config] as const),
    );
    return [...all.values()].map((config) => ({ name, config }));
  },
);

describe("tile sizes of 8-bit products for sm_90a", () => {
  it.each(scaled)("compile to roles: $name $config", ({ name, config }) => {
    const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === name);
    if (entry === undefined) throw new Error(`no kernel ${name}`);
    const { remarks } = compile(entry.kernel, {
      specialization: { dtypes: { O: "bf16" }, config },
      target: cudaSpec("sm_90a"),
      divisibility: { M: 1, N: 16, K: 16 },
    });
    const slots = remarks.findLast(({ pass }) => pass === "specialize-warps")?.message;
    expect(slots).toContain(`${config["stages"]} slots`);
    expect(slots).not.toContain("instead of");
  });
});

describe("blocks of attention for sm_90a", () => {
  it.each([
    [64, 64, 1024, 0],
    [80, 80, 4096, 0],
    [128, 128, 16384, 16],
    [192, 128, 4096, 0],
    [256, 256, 4096, 0],
  ])(
    "share the loop out at head dims %i and %i and %i keys, %i heads together",
    (D, DV, LK, heads) => {
      const dims = { B: 1, L: LK, LK, HQ: 32, HKV: 8, D, DV };
      const found = HOPPER["attention"]?.find((entry) => appliesTo(entry, dims, { T: "bf16" }));
      expect(found?.config["heads"]).toBe(heads);
      const { remarks } = compile(attention, {
        specialization: { dtypes: { T: "bf16" }, config: found?.config ?? {}, dims: { D, DV } },
        target: cudaSpec("sm_90a"),
      });
      expect(remarks.some(({ message }) => /2 warpgroups multiply/.test(message))).toBe(true);
    },
  );
});

describe("blocks of 192 queries for sm_90a", () => {
  const found = (dims: Readonly<Record<string, number>>) =>
    HOPPER["attention"]?.find((entry) =>
      appliesTo(entry, { HKV: 8, LK: dims["L"] ?? 0, DV: dims["D"] ?? 0, ...dims }, { T: "bf16" }),
    )?.config;

  it.each([
    [{ B: 4, L: 4096, HQ: 32, D: 64 }, 192, 96, 0],
    [{ B: 1, L: 16384, HQ: 32, D: 96 }, 192, 96, 16],
    [{ B: 2, L: 4096, HQ: 32, D: 32 }, 192, 128, 0],
    // Too few blocks; values wider than registers hold; head dims that were not measured.
    [{ B: 1, L: 2048, HQ: 32, D: 64 }, 128, 128, 0],
    [{ B: 2, L: 4096, HQ: 16, D: 64 }, 128, 128, 0],
    [{ B: 4, L: 4096, HQ: 32, D: 64, DV: 128 }, 128, 128, 0],
    [{ B: 4, L: 4096, HQ: 32, D: 128 }, 128, 128, 0],
  ])("%o takes %i × %i, %i heads together", (dims, BM, BN, heads) => {
    expect(found(dims)).toEqual({ BM, BN, heads, stages: 2 });
  });

  it.each([32, 64, 96])("are three warpgroups' at head dim %i", (D) => {
    const config = found({ B: 4, L: 4096, HQ: 32, D });
    const { remarks } = compile(attention, {
      specialization: { dtypes: { T: "bf16" }, config: config ?? {}, dims: { D, DV: D } },
      target: cudaSpec("sm_90a"),
    });
    expect(remarks.some(({ message }) => /3 warpgroups multiply/.test(message))).toBe(true);
  });
});

describe("blocks of attention in 8 bits for sm_90a", () => {
  it.each([
    ["many", 4, 4096, 128, 3],
    ["few", 1, 1024, 128, 2],
    ["narrow", 4, 4096, 64, 2],
  ])("are shared out: %s, %i of %i queries, head dim %i", (_, B, L, D, groups) => {
    const dims = { B, L, LK: L, HQ: 32, HKV: 8, D, DV: D };
    const found = HOPPER["attention_fp8"]?.find((entry) => appliesTo(entry, dims, { O: "bf16" }));
    const { remarks } = compile(attentionFp8, {
      specialization: { dtypes: { O: "bf16" }, config: found?.config ?? {}, dims: { D, DV: D } },
      target: cudaSpec("sm_90a"),
      divisibility: { L: 16, LK: 16 },
    });
    expect(remarks.map(({ message }) => message).join("\n")).toContain(
      `${groups} warpgroups multiply`,
    );
  });
});

describe("tile sizes for sm_90a", () => {
  it.each(configs)("compile: %o", (config) => {
    const { persistent, remarks } = compile(linear, {
      specialization: { dtypes: { T: "bf16", O: "bf16" }, config },
      target: cudaSpec("sm_90a"),
      divisibility: { M: 1, N: 16, K: 16 },
    });
    expect(persistent).toMatchObject({ blocksPerSm: 1 });
    const slots = remarks.findLast(({ pass }) => pass === "specialize-warps")?.message;
    expect(slots).toContain(`${config["stages"]} slots`);
    expect(slots).not.toContain("instead of");
  });

  it.each([
    [1, 4096, 64],
    [16, 28672, 128],
    [64, 6144, 48],
    [100, 4096, 32],
    [256, 4096, 64],
    [256, 28672, 224],
    [512, 6144, 192],
    [1024, 6144, 192],
    [4096, 4096, 256],
    [8192, 8192, 208],
    [8192, 28672, 208],
    [8192, 5120, 256],
    [20000, 40000, 208],
    [64, 128256, 256],
  ])("give %i rows and %i columns tiles of %i columns", (M, N, BN) => {
    const found = entries.find((entry) => appliesTo(entry, { M, N }, { T: "bf16" }));
    expect(found?.config["BN"]).toBe(BN);
  });
});
