/** [test/compile] Real compilers take the preludes: NVRTC for each CUDA architecture, clang for AMD chips, g++ for the emulation. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { preludeNamesIn } from "../../codegen/c-family/assemble-prelude.ts";
import { readCudaPrelude } from "../../codegen/targets/cuda/prelude.ts";
import {
  isOffered,
  PRELUDE_NAMES,
  type PreludeName,
} from "../../codegen/targets/cuda/prelude-names.ts";
import { hipFeatures } from "../../codegen/targets/hip/features.ts";
import { readHipPrelude } from "../../codegen/targets/hip/prelude.ts";
import { openEmulation } from "../support/emulation.ts";
import { openHiprtc } from "../support/hiprtc.ts";
import { openNvrtc } from "../support/nvrtc.ts";
import { callText } from "../support/prelude-calls.ts";
import { gemmText } from "../unit/emulation/gemm-kernel.ts";
import { wgmmaGemmText } from "../unit/emulation/wgmma-gemm-kernel.ts";

const subjects = [...new Set([...PRELUDE_NAMES.values()].map((name) => name.subject))];

/** @param arch a CUDA architecture, or an AMD one */
function namesOf(subject: string, arch: string): readonly string[] {
  return [...PRELUDE_NAMES].flatMap(([key, name]) => {
    const isThere = arch.startsWith("gfx") ? isOfferedByHip(name, arch) : isOffered(name, arch);
    return isThere && name.subject === subject ? [key] : [];
  });
}

function isOfferedByHip({ hip, hipFeature }: PreludeName, arch: string): boolean {
  if (hip === false) return false;
  return hipFeature === undefined || hipFeatures(arch).includes(hipFeature);
}

/** Names that are compiled together; many wgmma in one kernel take ptxas long. */
interface Part {
  readonly title: string;
  readonly names: readonly string[];
}

/** Sums of both kinds in one kernel are not in registers of their own, and ptxas says so. */
function addsIntegers(name: string): boolean {
  return PRELUDE_NAMES.get(name)?.params.includes("i32* d") === true;
}

function partsOf(arch: string): readonly Part[] {
  const most = 40;
  return subjects.flatMap((subject) => {
    const all = namesOf(subject, arch);
    const kinds = [all.filter((name) => !addsIntegers(name)), all.filter(addsIntegers)];
    const parts = kinds.flatMap((names) =>
      Array.from({ length: Math.ceil(names.length / most) }, (_, i) =>
        names.slice(i * most, (i + 1) * most),
      ),
    );
    return parts.map((names, i) => ({
      title: i === 0 ? subject : `${subject}, part ${i + 1}`,
      names,
    }));
  });
}

/** Prints why tests are left out, and fails instead where every compiler is required. */
function skipBecause(name: string, reason: string): void {
  if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(`${name}: ${reason}`);
  console.warn(`skipped: ${name}: ${reason}`);
  describe.skip(`${name} (${reason})`, () => {});
}

const nvrtc = openNvrtc();
if ("reason" in nvrtc) {
  skipBecause("CUDA prelude in NVRTC", nvrtc.reason);
} else {
  const prelude = readCudaPrelude();
  describe.each(["sm_80", "sm_90", "sm_90a", "sm_100a"])("CUDA prelude in NVRTC for %s", (arch) => {
    it.each(partsOf(arch))("takes all of $title without a word", ({ names }) => {
      const body = callText(names);
      const result = nvrtc.compile(prelude.assemble(preludeNamesIn(body)) + body, arch);
      expect(result.log).toBe("");
      expect(result.ok).toBe(true);
      expect(result.cubinBytes).toBeGreaterThan(0);
    });

    it("takes the text that the emulation runs", () => {
      const body = gemmText("none");
      const result = nvrtc.compile(prelude.assemble(preludeNamesIn(body)) + body, arch);
      expect(result.log).toBe("");
      expect(result.ptx).toContain("mma.sync.aligned.m16n8k16");
      expect(result.ptx).toContain("cp.async.cg.shared.global");
      // Fragments stay in registers: no local memory.
      expect(result.ptx).not.toContain(".local");
    });
  });

  it("takes the TMA and wgmma text that the emulation runs, and multiplies without a pause", () => {
    const body = wgmmaGemmText("none");
    const result = nvrtc.compile(prelude.assemble(preludeNamesIn(body)) + body, "sm_90a");
    // ptxas says here when it orders wgmma one after another, or ignores setmaxnreg.
    expect(result.log).toBe("");
    expect(result.ptx).toContain("wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16");
    expect(result.ptx).toContain("cp.async.bulk.tensor.2d.shared::cluster.global");
    expect(result.ptx).not.toContain(".local");
  });

  it("rounds to bf16 where the architecture has no instruction for it", () => {
    const body =
      "TW_KERNEL(32) calls(u32* y, f32 f) { y[0] = tw_pack_bf16x2(f, 2.0f * f); y[1] = tw_f32_to_bf16(f); }";
    const text = prelude.assemble(preludeNamesIn(body)) + body;
    const [old, later] = ["sm_75", "sm_80"].map((arch) => nvrtc.compile(text, arch));
    expect([old?.log, old?.ok, later?.ok]).toEqual(["", true, true]);
    expect(old?.ptx).not.toContain("cvt.rn.bf16");
    expect(later?.ptx).toContain("cvt.rn.bf16x2");
  });

  it("shows the compiler's words for a text that it does not take", () => {
    const result = nvrtc.compile('extern "C" __global__ void k() { nothing(); }', "sm_80");
    expect(result.ok).toBe(false);
    expect(result.log).toContain("nothing");
  });
}

const clang = "clang-22";
if (spawnSync(clang, ["--version"]).status !== 0) {
  skipBecause("HIP prelude in clang", `${clang} not found`);
} else {
  const prelude = readHipPrelude();
  const compileHip = (text: string, arch: string): string => {
    const flags = [
      "-x",
      "hip",
      "--cuda-device-only",
      `--offload-arch=${arch}`,
      "-nogpuinc",
      "-nogpulib",
      "-O2",
      "-S",
      "-Wall",
    ];
    const done = spawnSync(clang, [...flags, "-Wno-unused-function", "-o", "-", "-"], {
      input: text,
      encoding: "utf8",
    });
    expect(done.stderr).toBe("");
    return done.stdout;
  };
  describe.each(["gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"])(
    "HIP prelude in clang for %s",
    (arch) => {
      it("takes every name without a word", () => {
        const body = callText(subjects.flatMap((subject) => namesOf(subject, arch)));
        const assembly = compileHip(prelude.assemble(preludeNamesIn(body)) + body, arch);
        expect(assembly).toContain("s_endpgm");
        const multiplies = hipFeatures(arch).some((feature) => /^(mfma|wmma)/.test(feature));
        expect(/v_mfma_|v_wmma_/.test(assembly)).toBe(multiplies);
      });

      it("moves 16 bytes by one instruction", () => {
        const body =
          "TW_KERNEL(64) k(const u8* x, u8* y) { tw_stg<tw_u32x4>(y, tw_ldg<tw_u32x4>(x)); }\n";
        const assembly = compileHip(prelude.assemble(preludeNamesIn(body)) + body, arch);
        expect(assembly).toMatch(/s_load_dwordx4|global_load_dwordx4|s_load_b128|global_load_b128/);
        expect(assembly).toMatch(/global_store_dwordx4|global_store_b128/);
      });
    },
  );
}

const hiprtc = openHiprtc();
if ("reason" in hiprtc) {
  skipBecause("HIP prelude in hiprtc", hiprtc.reason);
} else {
  it.each(["gfx908", "gfx90a", "gfx1030"])("takes the HIP prelude in hiprtc for %s", (arch) => {
    const body = callText(subjects.flatMap((subject) => namesOf(subject, arch)));
    const text = readHipPrelude().assemble(preludeNamesIn(body)) + body;
    expect(hiprtc.compile(text, arch)).toMatchObject({ status: 0, log: "" });
  });
}

const emulation = openEmulation();
if ("reason" in emulation) {
  skipBecause("emulation", emulation.reason);
} else {
  describe("emulation", () => {
    it("knows every name of the table with its arguments and result", () => {
      const text = callText(PRELUDE_NAMES.keys());
      expect(() => emulation.build([{ id: "calls", entry: "calls", text }])).not.toThrow();
    });

    it("takes a text with its device prelude in front", () => {
      const body = gemmText("none");
      const text = readCudaPrelude().assemble(preludeNamesIn(body)) + body;
      expect(() => emulation.build([{ id: "gemm", entry: "gemm", text }])).not.toThrow();
    });
  });
}
