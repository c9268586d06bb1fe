/** [test/support] Finds NVRTC and compiles CUDA text with it. Needs no GPU and no CUDA driver. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import koffi from "koffi";

/** What one compile gave. `log` holds warnings also where `ok`. */
export interface NvrtcResult {
  readonly ok: boolean;
  readonly log: string;
  readonly ptx: string;
  /** Size of the machine code; 0 where the compile failed. */
  readonly cubinBytes: number;
}

export interface Nvrtc {
  readonly path: string;
  readonly version: string;
  /** @param arch for example `sm_80`; the machine code is made too, so that ptxas sees the inline assembly */
  compile(text: string, arch: string, options?: readonly string[]): NvrtcResult;
}

const LIBRARY = /^libnvrtc\.so(\.\d+)*$/;

function childFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function libraryIn(folder: string): string | undefined {
  return childFolders(folder).find((path) => LIBRARY.test(path.slice(folder.length + 1)));
}

/** Folders where CUDA or a pip wheel of NVRTC usually puts the library. */
function usualFolders(): readonly string[] {
  const pythonRoots = [
    join(homedir(), ".local/lib"),
    "/usr/lib",
    "/usr/local/lib",
    ...(process.env["VIRTUAL_ENV"] ? [join(process.env["VIRTUAL_ENV"], "lib")] : []),
  ];
  const packages = pythonRoots
    .flatMap(childFolders)
    .filter((path) => /\/python3[.\d]*$/.test(path))
    .flatMap((path) => [join(path, "site-packages"), join(path, "dist-packages")])
    .flatMap((path) => childFolders(join(path, "nvidia")))
    .map((path) => join(path, "lib"));
  const toolkits = childFolders("/usr/local")
    .filter((path) => /\/cuda[-.\d]*$/.test(path))
    .map((path) => join(path, "lib64"));
  const searchPath = (process.env["LD_LIBRARY_PATH"] ?? "").split(":").filter((path) => path);
  return [...searchPath, ...toolkits, ...packages];
}

/** Path of libnvrtc, or why there is none. `TILEWRIGHT_NVRTC` names the library or its folder. */
export function locateNvrtc(): { readonly path: string } | { readonly reason: string } {
  const named = process.env["TILEWRIGHT_NVRTC"];
  if (named) {
    if (!existsSync(named)) return { reason: `TILEWRIGHT_NVRTC names ${named}, which is absent` };
    const path = statSync(named).isDirectory() ? libraryIn(named) : named;
    return path ? { path } : { reason: `no libnvrtc.so in ${named}, which TILEWRIGHT_NVRTC names` };
  }
  for (const folder of usualFolders()) {
    const path = libraryIn(folder);
    if (path) return { path };
  }
  return { reason: "no libnvrtc.so found; pip install nvidia-cuda-nvrtc, or set TILEWRIGHT_NVRTC" };
}

/** The builtins library must be in memory first, for NVRTC looks it up by name alone. */
function loadBuiltins(folder: string): void {
  for (const path of childFolders(folder)) {
    if (/libnvrtc-builtins\.so/.test(path)) koffi.load(path, { global: true });
  }
}

/**
 * Loads NVRTC.
 * @throws Error where TILEWRIGHT_REQUIRE_DRIVERS=1 and it is absent
 * @returns the compiler, or the reason why there is none
 */
export function openNvrtc(): Nvrtc | { readonly reason: string } {
  const found = locateNvrtc();
  if ("reason" in found) {
    if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(found.reason);
    return found;
  }
  loadBuiltins(dirname(found.path));
  const library = koffi.load(found.path);
  const api = {
    version: library.func("int nvrtcVersion(_Out_ int *major, _Out_ int *minor)"),
    create: library.func(
      "int nvrtcCreateProgram(_Out_ void **program, str text, str name, int headers, void *texts, void *names)",
    ),
    compile: library.func("int nvrtcCompileProgram(void *program, int count, str *options)"),
    logSize: library.func("int nvrtcGetProgramLogSize(void *program, _Out_ size_t *size)"),
    log: library.func("int nvrtcGetProgramLog(void *program, uint8_t *log)"),
    ptxSize: library.func("int nvrtcGetPTXSize(void *program, _Out_ size_t *size)"),
    ptx: library.func("int nvrtcGetPTX(void *program, uint8_t *ptx)"),
    cubinSize: library.func("int nvrtcGetCUBINSize(void *program, _Out_ size_t *size)"),
    destroy: library.func("int nvrtcDestroyProgram(void **program)"),
  };
  const major = [0];
  const minor = [0];
  api.version(major, minor);

  const text = (size: typeof api.logSize, read: typeof api.log, program: unknown): string => {
    const bytes = [0];
    if (size(program, bytes) !== 0 || !bytes[0]) return "";
    const buffer = new Uint8Array(bytes[0]);
    read(program, buffer);
    return Buffer.from(buffer.subarray(0, -1)).toString("utf8");
  };
  const compile = (source: string, arch: string, options: readonly string[]): NvrtcResult => {
    const program: unknown[] = [null];
    if (api.create(program, source, "kernel.cu", 0, null, null) !== 0) {
      throw new Error("nvrtcCreateProgram failed");
    }
    const all = [`--gpu-architecture=${arch}`, "--std=c++17", ...options];
    const ok = api.compile(program[0], all.length, all) === 0;
    const cubin = [0];
    if (ok) api.cubinSize(program[0], cubin);
    const result = {
      ok,
      log: text(api.logSize, api.log, program[0]),
      ptx: ok ? text(api.ptxSize, api.ptx, program[0]) : "",
      cubinBytes: Number(cubin[0] ?? 0),
    };
    api.destroy([program[0]]);
    return result;
  };
  return {
    path: found.path,
    version: `${major[0]}.${minor[0]}`,
    compile: (source, arch, options = []) => compile(source, arch, options),
  };
}
