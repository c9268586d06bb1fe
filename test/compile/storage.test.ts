/** [test/compile] NVRTC and clang take the text of what only the conformance suite has: narrow dtypes, half bytes, scales, packed weights. */
import { describe, expect, it } from "vitest";
import { compile } from "../../codegen/compile.ts";
import { cuda } from "../../codegen/targets/cuda/target.ts";
import { hip } from "../../codegen/targets/hip/target.ts";
import type { TargetSpec } from "../../index.ts";
import { type ConformanceCase, conformanceCases } from "../../runtime/conformance/catalogue.ts";
import { dimsOf } from "../../runtime/conformance/expected.ts";
import { openClangHip } from "../support/clang-hip.ts";
import { openNvrtc } from "../support/nvrtc.ts";
import { divisorOf } from "../support/run-threads.ts";

const KERNELS = ["cast_to_nibbles", "half_bytes", "dequant_", "dot_dequant", "packed_"];

/** Each specialisation once: of casts the types that store only, of packed weights the order that is chosen. */
function casesOf(): readonly ConformanceCase[] {
  const all = conformanceCases({ groups: ["casts", "memory", "quantized", "packed"] });
  const wanted = all.filter(({ kernel, specialization, orders }) => {
    const isNamed = KERNELS.some((name) => kernel.name.startsWith(name));
    const isCast = kernel.name !== "cast_to_nibbles" || specialization.dtypes?.["T"] === "f32";
    return isNamed && isCast && (kernel.name.startsWith("packed_") ? orders === "chosen" : true);
  });
  const key = (one: ConformanceCase): string =>
    `${one.kernel.name} ${JSON.stringify(one.specialization)}`;
  return [...new Map(wanted.map((one) => [key(one), one])).values()];
}

/** Each for one of two machines of a compiler. */
function casesInTurn(turn: number): readonly ConformanceCase[] {
  return casesOf().filter((_, i) => i % 2 === turn);
}

function textOf(one: ConformanceCase, target: TargetSpec): string {
  const { kernel, specialization } = one;
  const dims = Object.entries(dimsOf(one, one.data()));
  const divisibility = Object.fromEntries(dims.map(([dim, size]) => [dim, divisorOf(size)]));
  return compile(kernel, { specialization, target, divisibility }).text;
}

/** Prints why tests are left out, and fails instead where every compiler is required. */
function skipBecause(name: string, reason: string): void {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(`${name}: ${reason}`);
  console.warn(`skipped: ${name}: ${reason}`);
  describe.skip(`${name} (${reason})`, () => {});
}

const nvrtc = openNvrtc();
if ("reason" in nvrtc) skipBecause("narrow CUDA text in NVRTC", nvrtc.reason);
else
  describe.each(["sm_80", "sm_90a"])("narrow CUDA text in NVRTC for %s", (arch) => {
    it.each(casesInTurn(arch === "sm_80" ? 0 : 1))("takes $name without a word", (one) => {
      const result = nvrtc.compile(textOf(one, cuda.defaultSpec(arch)), arch);
      expect(result.log).toBe("");
      expect(result.cubinBytes).toBeGreaterThan(0);
    });
  });

const clang = openClangHip();
if ("reason" in clang) skipBecause("narrow HIP text in clang", clang.reason);
else
  describe.each(["gfx942", "gfx1201"])("narrow HIP text in clang for %s", (arch) => {
    it.each(casesInTurn(arch === "gfx942" ? 0 : 1))("takes $name without a word", (one) => {
      const { assembly, messages } = clang.compile(textOf(one, hip.defaultSpec(arch)), arch);
      expect(messages).toBe("");
      expect(assembly).toContain("s_endpgm");
    });
  });
