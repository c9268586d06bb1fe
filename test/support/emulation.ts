/** [test/support] Runs emitted CUDA and HIP text on the CPU: builds the emulation and units of kernels with a C++ compiler, launches them. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  decodeRuns,
  type EmulatedLaunch,
  type EmulatedRun,
  encodeLaunches,
} from "./emulation-protocol.ts";

const HOME = fileURLToPath(new URL("./emulation/", import.meta.url));
const SHARED_BITS = fileURLToPath(
  new URL("../../codegen/c-family/prelude/bits.h", import.meta.url),
);
const COMPILERS = ["g++", "clang++-22", "clang++"] as const;
const RUNTIME_FLAGS = ["-std=c++20", "-O2", "-ftree-vectorize", "-rdynamic", "-ldl"] as const;
// Registers that a text never sets hold a pattern, not the zero that a fresh stack would give.
const UNIT_FLAGS = [
  "-std=c++20",
  "-O0",
  "-fPIC",
  "-shared",
  "-fno-strict-aliasing",
  "-fno-exceptions",
  "-fwrapv",
  "-ffp-contract=off",
  "-ftrivial-auto-var-init=pattern",
  "-w",
] as const;
const KEEP_DAYS = 7;

/** One emitted text; its prelude must stand under `#ifndef TW_PRELUDE`, as the assembled one does. */
export interface EmulatedKernel {
  /** By which launches name it: unique in its unit. */
  readonly id: string;
  /** Name of the entry point in the text. */
  readonly entry: string;
  readonly text: string;
}

/** Kernels compiled together. */
export interface EmulationUnit {
  /**
   * @returns one run a seed
   * @throws Error where the emulated code crashes or does not end: the signal, kernel, thread, block and last prelude call
   */
  launch(launch: EmulatedLaunch): readonly EmulatedRun[];
  /** Several launches in one process. */
  launchAll(launches: readonly EmulatedLaunch[]): readonly (readonly EmulatedRun[])[];
}

export interface UnitOptions {
  /** Lanes of a warp: 32, or 64 for text of CDNA chips. */
  readonly warp?: 32 | 64;
  /** After so many seconds a launch counts as endless. */
  readonly seconds?: number;
}

export interface Emulation {
  readonly compiler: string;
  /** @throws Error with the compiler's messages where a text does not compile */
  build(kernels: readonly EmulatedKernel[], options?: UnitOptions): EmulationUnit;
}

function hashOf(...parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest("hex").slice(0, 24);
}

function sourcesIn(folder: string, ending: RegExp): readonly string[] {
  return readdirSync(join(HOME, folder))
    .filter((name) => ending.test(name))
    .sort()
    .map((name) => join(HOME, folder, name));
}

/** Folder of compiled units; old ones go. */
function openCache(): string {
  const folder =
    process.env["TILEWRIGHT_EMULATION_CACHE"] ?? join(tmpdir(), "tilewright-emulation");
  mkdirSync(folder, { recursive: true });
  const oldest = Date.now() - KEEP_DAYS * 86_400_000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (changed >= oldest) continue;
    rmSync(path, { force: true });
  }
  return folder;
}

/** Compiles `source` into `folder/name` unless it is there; safe for processes that do the same at one time. */
function compileOnce(
  compiler: string,
  folder: string,
  name: string,
  source: string,
  flags: readonly string[],
): string {
  const output = join(folder, name);
  if (existsSync(output)) return output;
  const draft = join(folder, `${process.pid}-${name}`);
  writeFileSync(`${draft}.cpp`, source);
  const [linked, plain] = [
    flags.filter((flag) => flag.startsWith("-l")),
    flags.filter((flag) => !flag.startsWith("-l")),
  ];
  const done = spawnSync(compiler, [...plain, "-o", draft, `${draft}.cpp`, ...linked], {
    encoding: "utf8",
  });
  rmSync(`${draft}.cpp`, { force: true });
  if (done.status !== 0) {
    throw new Error(`${compiler} does not take the text:\n${done.stderr.slice(0, 8000)}`);
  }
  renameSync(draft, output);
  return output;
}

function unitSource(kernels: readonly EmulatedKernel[]): string {
  const bodies = kernels.map(
    (kernel, i) =>
      `namespace unit_${i} {\n#line 1 ${JSON.stringify(kernel.id)}\n${kernel.text}\n}\n`,
  );
  const rows = kernels.map(
    (kernel, i) =>
      `  {${JSON.stringify(kernel.id)}, [](const emu::Word* words) { emu::invoke(unit_${i}::${kernel.entry}, words); }},\n`,
  );
  return [
    '#include "device/device.h"\n',
    ...bodies,
    '#line 1 "table"\n',
    `extern "C" const emu::Entry emuEntries[] = {\n${rows.join("")}};\n`,
    `extern "C" const u32 emuEntryCount = ${kernels.length};\n`,
  ].join("");
}

function findCompiler(): { readonly path: string; readonly version: string } | undefined {
  for (const path of process.env["CXX"] ? [process.env["CXX"]] : COMPILERS) {
    const asked = spawnSync(path, ["--version"], { encoding: "utf8" });
    if (asked.status === 0) return { path, version: asked.stdout };
  }
  return undefined;
}

function runUnit(runner: string, unit: string, seconds: number, request: Uint8Array): Uint8Array {
  const done = spawnSync(runner, [unit, String(seconds)], {
    input: request,
    maxBuffer: 2 ** 31 - 1,
    timeout: (seconds + 10) * 1000,
    killSignal: "SIGKILL",
  });
  if (done.status !== 0) {
    const said =
      done.stderr?.toString("utf8").trim() || done.error?.message || `signal ${done.signal}`;
    throw new Error(`emulation: ${said}`);
  }
  return done.stdout;
}

/**
 * Finds a C++ compiler and builds the emulation with it (once; kept in TILEWRIGHT_EMULATION_CACHE or the temporary folder).
 * @returns the emulation, or the reason why there is none
 * @throws Error where TILEWRIGHT_REQUIRE_DRIVERS=1 and there is none
 */
export function openEmulation(): Emulation | { readonly reason: string } {
  const compiler = findCompiler();
  if (compiler === undefined || process.arch !== "x64") {
    const reason = compiler
      ? `the emulation needs x86-64, this is ${process.arch}`
      : "no C++ compiler found (g++, clang++)";
    if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(reason);
    return { reason };
  }
  const cache = openCache();
  const runtime = sourcesIn("runtime", /\.(cpp|h)$/);
  const device = [...sourcesIn("device", /\.h$/), SHARED_BITS];
  const version = hashOf(
    compiler.path,
    compiler.version,
    ...[...runtime, ...device].map((path) => readFileSync(path, "utf8")),
  );
  const program = runtime
    .filter((path) => path.endsWith(".cpp"))
    .map((path) => `#include ${JSON.stringify(path)}\n`);
  const runner = compileOnce(
    compiler.path,
    cache,
    `runner-${version}`,
    program.join(""),
    RUNTIME_FLAGS,
  );
  const build = (kernels: readonly EmulatedKernel[], options: UnitOptions = {}): EmulationUnit => {
    const warp = options.warp ?? 32;
    const source = unitSource(kernels);
    const name = `unit-${hashOf(version, source, String(warp), ...UNIT_FLAGS)}.so`;
    const unit = compileOnce(compiler.path, cache, name, source, [
      ...UNIT_FLAGS,
      `-DTW_WARP=${warp}`,
      "-I",
      HOME,
    ]);
    const launchAll: EmulationUnit["launchAll"] = (launches) =>
      decodeRuns(
        runUnit(runner, unit, options.seconds ?? 60, encodeLaunches(launches, warp)),
        launches,
      );
    return { launchAll, launch: (launch) => launchAll([launch])[0] ?? [] };
  };
  return { compiler: compiler.version.split("\n")[0] ?? compiler.path, build };
}
