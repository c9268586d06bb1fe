/** [test/compile] Real compilers take the text of every kernel: NVRTC for CUDA, Dawn's null backend for WGSL, hiprtc and clang for HIP. */
import { afterAll, describe, expect, it } from "vitest";
import type { Artifact } from "../../codegen/index.ts";
import { cuda } from "../../codegen/targets/cuda/target.ts";
import { hip } from "../../codegen/targets/hip/target.ts";
import {
  type CatalogueCase,
  compileCase,
  goldenCases,
  ordersPrograms,
  usualCases,
  wgslSpec,
} from "../support/catalogue-texts.ts";
import { openClangHip } from "../support/clang-hip.ts";
import { openHiprtc } from "../support/hiprtc.ts";
import { openNvrtc } from "../support/nvrtc.ts";
import { openNullGpu } from "../support/webgpu-run.ts";

/** Every kernel once, and of its other dtypes those whose turn it is among `of` machines. */
function casesInTurn(turn: number, of: number): readonly CatalogueCase[] {
  const once = new Set(goldenCases().map(({ id }) => id));
  const others = usualCases().filter(({ id }) => !once.has(id));
  return [...goldenCases(), ...others.filter((_, i) => i % of === turn)];
}

/** How far the compiler goes, as its option. */
interface OptimisedCase extends CatalogueCase {
  readonly level: "-O0" | "-O3";
}

/** Prints why tests are left out, and fails instead where every compiler is required. */
function skipBecause(name: string, reason: string): void {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(`${name}: ${reason}`);
  console.warn(`skipped: ${name}: ${reason}`);
  describe.skip(`${name} (${reason})`, () => {});
}

const nvrtc = openNvrtc();
if ("reason" in nvrtc) {
  skipBecause("CUDA text in NVRTC", nvrtc.reason);
} else {
  describe.each([
    { arch: "sm_80", cases: casesInTurn(0, 2) },
    { arch: "sm_90a", cases: casesInTurn(1, 2) },
    { arch: "sm_100a", cases: goldenCases() },
    { arch: "sm_120a", cases: goldenCases() },
  ])("CUDA text in NVRTC for $arch", ({ arch, cases }) => {
    it.each(cases)("takes $id without a word", (one) => {
      const result = nvrtc.compile(compileCase(one, cuda.defaultSpec(arch)).text, arch);
      expect(result.log).toBe("");
      expect(result.cubinBytes).toBeGreaterThan(0);
    });
  });
}

/** The null backend grants 16 KiB of workgroup memory where every other grants 32, and 8 storage buffers: devices tell how many they take (`maxTensors`). */
function isNullLimit(error: string, { sharedBytes, params }: Artifact): boolean {
  const tensors = params.filter(({ kind }) => kind === "tensor").length;
  if (tensors > 8 && /number of storage buffers/.test(error)) return true;
  return sharedBytes > 16384 && /total use of workgroup storage/.test(error);
}

const gpu = await openNullGpu();
describe("WGSL text in Dawn", () => {
  afterAll(() => gpu.close());

  const accepts = async (one: CatalogueCase, warpSize: number): Promise<void> => {
    const artifact = compileCase(one, wgslSpec(warpSize));
    const writable = artifact.params.flatMap((param) =>
      param.kind === "tensor" ? [param.access !== "in"] : [],
    );
    const errors = await gpu.check(artifact.text, artifact.entry, writable);
    expect(errors.filter((error) => !isNullLimit(error, artifact))).toEqual([]);
  };
  it.each(
    [
      { size: 1, cases: casesInTurn(0, 3) },
      { size: 4, cases: casesInTurn(1, 3) },
      { size: 32, cases: casesInTurn(2, 3) },
    ].flatMap(({ size, cases }) =>
      cases.filter((one) => !ordersPrograms(one)).map((one) => ({ size, id: one.id, one })),
    ),
  )("takes $id with subgroups of $size", ({ size, one }) => accepts(one, size));
});

/** Every kernel once; optimised where it is its turn among `of` machines, which takes twice the time. */
function optimisedInTurn(turn: number, of: number): readonly OptimisedCase[] {
  return goldenCases().map((one, i) => ({ ...one, level: i % of === turn ? "-O3" : "-O0" }));
}

const clang = openClangHip();
if ("reason" in clang) {
  skipBecause("HIP text in clang", clang.reason);
} else {
  describe.each([
    { arch: "gfx90a", cases: casesInTurn(0, 2) },
    { arch: "gfx1100", cases: casesInTurn(1, 2) },
    ...["gfx942", "gfx950", "gfx1201"].map((arch, turn) => ({
      arch,
      cases: optimisedInTurn(turn, 3),
    })),
  ])("HIP text in clang for $arch", ({ arch, cases }) => {
    it.each<CatalogueCase | OptimisedCase>(cases)("takes $id without a word", (one) => {
      const { assembly, messages } = clang.compile(
        compileCase(one, hip.defaultSpec(arch)).text,
        arch,
        "level" in one ? one.level : "-O2",
      );
      expect(messages).toBe("");
      expect(assembly).toContain("s_endpgm");
    });
  });

  const products = goldenCases().filter(({ entry }) =>
    ["linear", "prefill_attention"].includes(entry.kernel.name),
  );
  it.each(
    ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"].flatMap((arch) =>
      products.map((one) => ({ arch, id: one.id, one })),
    ),
  )("multiplies $id in registers on $arch", ({ arch, one }) => {
    const { assembly } = clang.compile(compileCase(one, hip.defaultSpec(arch)).text, arch);
    expect(assembly).toMatch(/v_mfma_|v_wmma_/);
    expect(assembly).toMatch(/\.private_segment_fixed_size: 0\b/);
  });
}

const hiprtc = openHiprtc();
if ("reason" in hiprtc) {
  skipBecause("HIP text in hiprtc", hiprtc.reason);
} else {
  describe.each([
    { arch: "gfx90a", cases: optimisedInTurn(0, 2) },
    { arch: "gfx1030", cases: optimisedInTurn(1, 2) },
  ])("HIP text in hiprtc for $arch", ({ arch, cases }) => {
    it.each(cases)("takes $id without a word", (one) => {
      const text = compileCase(one, hip.defaultSpec(arch)).text;
      expect(text).not.toContain("#include");
      const { status, log, codeBytes } = hiprtc.compile(text, arch, one.level);
      expect(log).toBe("");
      expect(status).toBe(0);
      expect(codeBytes).toBeGreaterThan(0);
    });
  });
}
