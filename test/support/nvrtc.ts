/** [test/support] Compiles CUDA text with NVRTC and shows log and PTX, which the driver's compiler keeps to itself. Needs no GPU. */
import { loadNvrtc } from "../../runtime/drivers/cuda/library.ts";
import { locateBuiltins, locateNvrtc, nvrtcFolders } from "../../runtime/drivers/cuda/locate.ts";

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

type Library = ReturnType<typeof loadNvrtc>;
type SizeOf = (program: bigint, size: [number]) => unknown;
type Read = (program: bigint, bytes: Uint8Array) => unknown;

/** One of the texts that a program holds, without its closing zero. */
function readText(sizeOf: SizeOf, read: Read, program: bigint): string {
  const size: [number] = [0];
  sizeOf(program, size);
  const bytes = new Uint8Array(Number(size[0]));
  read(program, bytes);
  return new TextDecoder().decode(bytes).replace(/\0+$/, "");
}

function compileText(library: Library, text: string, options: string[]): NvrtcResult {
  const program: [bigint] = [0n];
  if (library.nvrtcCreateProgram(program, text, "kernel.cu", 0, null, null) !== 0) {
    throw new Error("nvrtcCreateProgram failed");
  }
  try {
    const ok = library.nvrtcCompileProgram(program[0], options.length, options) === 0;
    const cubin = [0];
    if (ok) library.nvrtcGetCUBINSize(program[0], cubin);
    const log = readText(library.nvrtcGetProgramLogSize, library.nvrtcGetProgramLog, program[0]);
    const ptx = ok ? readText(library.nvrtcGetPTXSize, library.nvrtcGetPTX, program[0]) : "";
    return { ok, log, ptx, cubinBytes: Number(cubin[0]) };
  } finally {
    library.nvrtcDestroyProgram([program[0]]);
  }
}

/**
 * Loads NVRTC; `TILEWRIGHT_NVRTC` names the library or its folder.
 * @throws Error where TILEWRIGHT_REQUIRE_DRIVERS=1 and it is absent
 * @returns the compiler, or the reason why there is none
 */
export function openNvrtc(): Nvrtc | { readonly reason: string } {
  const path = locateNvrtc();
  if (path === undefined) {
    const reason = `no libnvrtc.so in ${nvrtcFolders().length} usual folders; set TILEWRIGHT_NVRTC`;
    if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw new Error(reason);
    return { reason };
  }
  const library = loadNvrtc(path, locateBuiltins(path));
  const [major, minor] = [[0], [0]];
  library.nvrtcVersion(major, minor);
  return {
    path,
    version: `${major[0]}.${minor[0]}`,
    compile: (text, arch, options = []) =>
      compileText(library, text, [`--gpu-architecture=${arch}`, "--std=c++17", ...options]),
  };
}
