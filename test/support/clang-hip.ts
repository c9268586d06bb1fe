/** [test/support] Compiles HIP text for AMD chips with clang alone: no headers, no device libraries, no GPU. */
import { spawnSync } from "node:child_process";

const CLANG = "clang-22";

export interface ClangHip {
  /**
   * @param level how far it optimises
   * @returns the assembly, and what clang says of the text (empty where it has no complaint)
   */
  compile(
    text: string,
    arch: string,
    level?: "-O0" | "-O2" | "-O3",
  ): { readonly assembly: string; readonly messages: string };
}

/** @returns the compiler, or the reason why there is none */
export function openClangHip(): ClangHip | { readonly reason: string } {
  if (spawnSync(CLANG, ["--version"]).status !== 0) return { reason: `${CLANG} not found` };
  const flags = "-x hip --cuda-device-only -nogpuinc -nogpulib -S -Wall -Wno-unused";
  return {
    compile: (text, arch, level = "-O2") => {
      const done = spawnSync(
        CLANG,
        [...flags.split(" "), level, `--offload-arch=${arch}`, "-o", "-", "-"],
        { input: text, encoding: "utf8", maxBuffer: 2 ** 28 },
      );
      return { assembly: done.stdout, messages: done.stderr };
    },
  };
}
