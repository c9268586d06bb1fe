/** [dsl/core] The only reader of process.env: one typed table of flags. The README's table is compared with it by a test. */

export interface FlagInfo {
  readonly name: string;
  readonly meaning: string;
  readonly fallback: string;
}

export const FLAGS = {
  device: {
    name: "TILEWRIGHT_DEVICE",
    meaning: "driver to open where none is named: auto, cuda, hip, webgpu, interpreter, null",
    fallback: "auto",
  },
  debug: {
    name: "DEBUG",
    meaning:
      "1 devices, 2 time of each launch, 3 chosen config, 4 source, 5 thread IR, 6 scheduled and tile IR, 7 PTX",
    fallback: "0",
  },
  cacheDir: {
    name: "TILEWRIGHT_CACHE_DIR",
    meaning: "folder of the compile cache and of tuning results; `off` disables both",
    fallback: "~/.cache/tilewright",
  },
  cacheMebibytes: {
    name: "TILEWRIGHT_CACHE_MIB",
    meaning: "size at which the compile cache drops its oldest entries",
    fallback: "512",
  },
  nvrtc: {
    name: "TILEWRIGHT_NVRTC",
    meaning: "path of libnvrtc.so (or the folder that holds it)",
    fallback: "searched",
  },
  hip: {
    name: "TILEWRIGHT_HIP",
    meaning: "path of libamdhip64.so (or the folder that holds it), hiprtc beside it",
    fallback: "searched",
  },
  cublas: {
    name: "TILEWRIGHT_CUBLAS",
    meaning: "path of libcublasLt.so (or the folder that holds it), for benchmarks",
    fallback: "searched",
  },
  cudnn: {
    name: "TILEWRIGHT_CUDNN",
    meaning: "path of libcudnn.so (or the folder that holds it), for benchmarks",
    fallback: "searched",
  },
  dump: {
    name: "TILEWRIGHT_DUMP",
    meaning: "folder that receives every stage of every compiled kernel",
    fallback: "off",
  },
  checks: {
    name: "TILEWRIGHT_CHECKS",
    meaning:
      "`full`: a launch on the interpreter reports reads of elements that neither the host nor a fill, a copy or a launch has written, elements written by two programs, accesses outside, overflow, division by zero; what nobody wrote reads as NaN on the host",
    fallback: "off",
  },
  requireDrivers: {
    name: "TILEWRIGHT_REQUIRE_DRIVERS",
    meaning: "1: a test that would skip for a missing driver or compiler fails instead",
    fallback: "0",
  },
} as const satisfies Readonly<Record<string, FlagInfo>>;

export type FlagKey = keyof typeof FLAGS;

/** Value of a flag as the environment has it now, or undefined. Read at the moment of use, so that tests can set it. */
export function readFlag(key: FlagKey): string | undefined {
  const value = typeof process === "undefined" ? undefined : process.env[FLAGS[key].name];
  return value === undefined || value === "" ? undefined : value;
}

/** The DEBUG ladder, 0 to 7; words that other tools put into DEBUG count as 0. */
export function debugLevel(): number {
  const level = Number(readFlag("debug") ?? "0");
  return Number.isInteger(level) && level >= 0 && level <= 7 ? level : 0;
}
