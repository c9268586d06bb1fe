/** [test/unit/codegen] What a target cannot spell or does not know is refused with its code, place and remedy. */
import { describe, expect, it } from "vitest";
import { parseThreadKernel } from "../../../../codegen/ir/parse-thread.ts";
import { TARGETS } from "../../../../codegen/targets/catalogue.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../../../codegen/targets/hip/features.ts";
import { wgslFeatures, wgslSpec } from "../../../../codegen/targets/wgsl/features.ts";
import { UnsupportedError } from "../../../../dsl/index.ts";

function emit(name: "cuda" | "hip" | "wgsl", body: string): string {
  const kernel = parseThreadKernel(
    `thread probe(x: in i4[N], y: inout f16[N], z: out i4[N]) dims(N) fixed() threads(32) warp(32) bytes(1024) {\nshared tile: f16[512] at 0\nshared half: i4[64] at 0\n${body}\n}`,
  );
  const target = TARGETS[name];
  const request = { spec: target.defaultSpec(), dtypes: {}, config: {}, divisibility: {} };
  return target.emit(kernel, request).text;
}

const MMA = "var d: f32[4]\nvar a: u32[4]\nvar b: u32[2]\nmma bf16 d += a * b";
const LDMATRIX = "var a: u32[4]\nldmatrix a x4 from tile[0]";
const NIBBLE = "var r: i4\nstore_shared r x1 to half[@thread]";
const ATOMIC = "let v: f16 = f16(1.0)\natomic_global add y[0] by v";

describe("an operation that the target lacks", () => {
  it.each([
    ["hip", MMA, "HIP C++ has no mma.sync"],
    ["hip", LDMATRIX, "HIP C++ has no ldmatrix"],
    ["wgsl", MMA, "WGSL has no mma"],
    ["wgsl", LDMATRIX, "WGSL has no ldmatrix"],
    ["cuda", NIBBLE, "CUDA C++ has no shared store of half a byte"],
    ["cuda", ATOMIC, "CUDA C++ has no atomic add"],
    ["wgsl", ATOMIC, "WGSL has no atomic_global"],
  ] as const)("%s: %s", (target, body, message) => {
    expect(() => emit(target, body)).toThrow(UnsupportedError);
    expect(() => emit(target, body)).toThrow(`TW2301: probe: ${message}`);
    expect(() => emit(target, body)).toThrow("remedy:");
  });

  it("is no trouble where another target has it", () => {
    expect(emit("cuda", MMA)).toContain("tw_mma_m16n8k16_f32_bf16(d, a, b);");
    expect(emit("wgsl", NIBBLE)).toContain("atomicOr(&");
    const store = "var r: i4\nstore_global r x1 to z[@thread]";
    expect(emit("cuda", store)).toContain(
      "tw_stg_u4(z + ((u32)thread >> 1), (u32)thread & 1u, r);",
    );
    expect(emit("wgsl", store)).toContain("atomicOr(&z[");
  });
});

describe("architectures", () => {
  it("are looked up with their limits", () => {
    expect(cudaSpec("sm_90a")).toMatchObject({
      warpSize: 32,
      maxSharedBytes: 232448,
      features: [
        "last-arrival",
        "ldmatrix",
        "cp.async",
        "mma.sync",
        "cvt.e4m3",
        "dependent-launch",
        "tma",
        "multicast",
        "wgmma",
      ],
    });
    expect(cudaSpec("sm_75").features).toEqual(["last-arrival", "ldmatrix"]);
    expect(hipSpec("gfx942").warpSize).toBe(64);
    expect(hipSpec("gfx1100").warpSize).toBe(32);
  });

  it.each([
    [() => cudaSpec("sm_12345x"), "TW2303"],
    [() => hipSpec("gfx9999"), "TW2303"],
    [() => wgslSpec("sm_90"), "TW2303"],
  ])("are refused where they are unknown: %s", (ask, code) => {
    expect(ask).toThrow(UnsupportedError);
    expect(ask).toThrow(code);
  });

  it("of WebGPU count subgroups only where their size is fixed", () => {
    const features = ["subgroups", "shader-f16", "timestamp-query"];
    expect(wgslFeatures(features, true)).toEqual(["subgroups", "shader-f16"]);
    expect(wgslFeatures(features, false)).toEqual(["shader-f16"]);
  });
});
