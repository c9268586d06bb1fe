/** [test/unit/codegen] Texts of decodes: pages of 8-bit floats are copied ahead of what reads them, and long contractions of few sums take several in turn. */
import { describe, expect, it } from "vitest";
import { compileStages } from "../../../../codegen/index.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { mlaDecode, pagedDecode } from "../../../../dsl/kernels/catalogue.ts";

const target = cudaSpec("sm_90a");
/** Without an instruction for pairs of e4m3: threads take them out of shared memory and convert them. */
const older = cudaSpec("sm_80");

function decode(C: "bf16" | "f8e4m3", stages: number, target = older) {
  const config = { GP: 16, BN: 64, BS: 256, stages };
  const dims = { G: 4, D: 128, PAGE: 16 };
  const specialization = { dtypes: { T: "bf16" as const, C }, config, dims };
  return compileStages(pagedDecode, { specialization, target, divisibility: {} });
}

describe("pages of 8-bit floats", () => {
  it("are copied a trip ahead, half the bytes of 16 bits in a slot", () => {
    const { artifact, source } = decode("f8e4m3", 2);
    const messages = artifact.remarks.map(({ message }) => message);
    expect(messages).toContain("load kCache: cp.async, 16 bytes a lane");
    expect(messages).toContain("load vCache: cp.async, 16 bytes a lane");
    expect(messages).toContain("2 copies run 1 trips ahead in 2 slots");
    expect(source).toMatch(/kt f8e4m3\[16384\]/);
    expect(source).not.toMatch(/tw_ldg\w*<[^>]*>\(kCache/);
    expect(decode("bf16", 2).source).toMatch(/kt bf16\[16384\]/);
  });

  it.each([1, 2])("stay bytes up to the registers of products, with %i stages", (stages) => {
    const { artifact, source } = decode("f8e4m3", stages, target);
    const messages = artifact.remarks.map(({ message }) => message);
    expect(messages).toContain("dot scores: kCache stays in bytes until its registers");
    expect(messages).toContain("dot acc: vCache stays in bytes until its registers");
    expect(messages).toContain("load kCache: cp.async, 16 bytes a lane");
    const own = source.slice(source.lastIndexOf("TW_KERNEL"));
    expect(own).not.toMatch(/tw_f8e4m3_to_f32|f32_to_bf16/);
  });

  it("are loaded by the threads that convert them where no trip runs ahead", () => {
    const { artifact, source } = decode("f8e4m3", 1);
    expect(source).toMatch(/tw_ldg\w*<[^>]*>\(\s*kCache/);
    expect(artifact.remarks.map(({ message }) => message).join()).not.toContain("copies run");
  });
});

describe("decodes", () => {
  const textOf = (arch: "sm_80" | "sm_90a") =>
    compileStages(pagedDecode, {
      specialization: {
        dtypes: { T: "bf16", C: "bf16" },
        config: { GP: 16, BN: 64, BS: 256, stages: 2 },
        dims: { G: 4, D: 128, PAGE: 16 },
      },
      target: cudaSpec(arch),
      divisibility: {},
    }).source;

  it("begin behind sums of the lengths that no barrier stands between", () => {
    for (const arch of ["sm_80", "sm_90a"] as const) {
      const text = textOf(arch);
      const before = text.slice(text.lastIndexOf("TW_KERNEL("), text.indexOf("while (true)"));
      expect(before).toContain("tw_shfl_xor");
      expect(before).not.toMatch(/tw_syncthreads\(\)/);
    }
  });
});

describe("a dot of a long contraction", () => {
  function sumsOf(R: number, GP: number, BN: number) {
    const config = { GP, BN, BS: 256, stages: 1, warps: 4 };
    const dims = { R, DR: 64, PAGE: 16 };
    const specialization = { dtypes: { T: "bf16" as const }, config, dims };
    const { source } = compileStages(mlaDecode, { specialization, target, divisibility: {} });
    return Number(/f32 sums\[(\d+)\]/.exec(source)?.[1] ?? 0);
  }

  it.each([
    ["four where a warp has one", 512, 16, 32, 16],
    ["two where it has two", 512, 16, 64, 16],
    ["none where it has many", 256, 64, 32, 0],
    ["none where it is short", 128, 16, 32, 0],
  ] as const)("takes sums in turn: %s", (_, rank, heads, keys, registers) => {
    expect(sumsOf(rank, heads, keys)).toBe(registers);
  });
});
