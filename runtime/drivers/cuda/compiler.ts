/** [runtime/drivers] CUDA text → cubin through NVRTC, with errors that show the compiler's log. */
import type { Artifact } from "../../../codegen/index.ts";
import { DeviceError, sha256 } from "../../../dsl/index.ts";
import type { BinaryCache } from "../../backend.ts";
import { loadNvrtc, type NvrtcLibrary } from "./library.ts";
import { locateBuiltins, locateNvrtc, nvrtcFolders } from "./locate.ts";

export interface CubinRequest {
  readonly text: string;
  /** Name in the compiler's messages. */
  readonly name: string;
  readonly arch: string;
}

export class NvrtcCompiler {
  readonly path: string;
  readonly version: string;
  readonly #library: NvrtcLibrary;

  /** @throws DeviceError TW3210 where no NVRTC is found */
  constructor() {
    const path = locateNvrtc();
    if (path === undefined) {
      throw new DeviceError({
        code: "TW3210",
        message: "NVRTC, the CUDA run-time compiler, was not found",
        seen: `no libnvrtc.so in ${nvrtcFolders().length} usual folders`,
        expected: "libnvrtc.so.12 or newer",
        remedy:
          "install the CUDA toolkit, or `pip install nvidia-cuda-nvrtc`, or set TILEWRIGHT_NVRTC to its path",
      });
    }
    this.path = path;
    this.#library = loadNvrtc(path, locateBuiltins(path));
    const major = [0];
    const minor = [0];
    this.#library.nvrtcVersion(major, minor);
    this.version = `${major[0]}.${minor[0]}`;
  }

  /**
   * Compiles, or takes the cubin from the cache.
   * @throws DeviceError TW3211 with the compiler's log. Warns (TW3216) where products do not overlap
   */
  cubin(request: CubinRequest, cache?: BinaryCache): Uint8Array {
    const key = this.#key(request);
    const cached = cache?.get(key);
    if (cached !== undefined) return cached;
    const program = this.#create(request);
    const options = this.#options(request);
    const status = this.#library.nvrtcCompileProgram(program, options.length, options);
    return this.#finish(program, status, request, key, cache);
  }

  /** As `cubin`, on another thread. */
  async cubinAsync(request: CubinRequest, cache?: BinaryCache): Promise<Uint8Array> {
    const key = this.#key(request);
    const cached = cache?.get(key);
    if (cached !== undefined) return cached;
    const program = this.#create(request);
    const options = this.#options(request);
    const status = await new Promise<number>((resolve, reject) => {
      this.#library.nvrtcCompileProgram.async(
        program,
        options.length,
        options,
        (error: unknown, result: number) =>
          error === null || error === undefined ? resolve(result) : reject(error),
      );
    });
    return this.#finish(program, status, request, key, cache);
  }

  #key(request: CubinRequest): string {
    return sha256([request.text, this.version, ...this.#options(request)].join("\0"));
  }

  #options(request: CubinRequest): string[] {
    return [`--gpu-architecture=${request.arch}`, "--std=c++17", "--generate-line-info"];
  }

  #create(request: CubinRequest): bigint {
    const program: [bigint] = [0n];
    const status = this.#library.nvrtcCreateProgram(
      program,
      request.text,
      `${request.name}.cu`,
      0,
      null,
      null,
    );
    if (status !== 0) throw this.#failure(request, status, "");
    return program[0];
  }

  #finish(
    program: bigint,
    status: number,
    request: CubinRequest,
    key: string,
    cache: BinaryCache | undefined,
  ): Uint8Array {
    try {
      const log = this.#log(program);
      if (status !== 0) throw this.#failure(request, status, log);
      warnOfSerialization(request, log);
      const size = [0];
      this.#library.nvrtcGetCUBINSize(program, size);
      const cubin = new Uint8Array(Number(size[0]));
      this.#library.nvrtcGetCUBIN(program, cubin);
      cache?.put(key, cubin);
      return cubin;
    } finally {
      this.#library.nvrtcDestroyProgram([program]);
    }
  }

  #log(program: bigint): string {
    const size = [0];
    this.#library.nvrtcGetProgramLogSize(program, size);
    if (Number(size[0]) <= 1) return "";
    const log = Buffer.alloc(Number(size[0]));
    this.#library.nvrtcGetProgramLog(program, log);
    return log.toString("utf8").replace(/\0+$/, "").trim();
  }

  #failure(request: CubinRequest, status: number, log: string): DeviceError {
    return new DeviceError({
      code: "TW3211",
      message: `NVRTC ${this.version} refused the text of kernel '${request.name}' for ${request.arch}`,
      seen: log === "" ? `status ${status}` : `status ${status}\n${log}`,
      expected: "text that compiles",
      remedy:
        "if the text was edited by hand, correct it; otherwise this is a bug in tilewright, please report it",
    });
  }
}

/**
 * Products that the assembler runs one after the other are right but slow: it says so in a note, which is easily missed. Which texts it
 * means depends on its version, so the kernel runs all the same.
 * @source ptxas, notes C7510 to C7520: "wgmma.mma_async instructions are serialized due to …"
 */
function warnOfSerialization({ name, arch }: CubinRequest, log: string): void {
  const notes = log.split("\n").filter((line) => /\(C75\d\d\).*serialized/.test(line));
  if (notes.length === 0) return;
  const detail = [
    `seen:     ${notes.join("\n          ")}`,
    "expected: products that overlap: their sums in registers of their own, and enough of them",
    "remedy:   use smaller tiles; if they are not large, please report this with the kernel and its config",
  ].join("\n");
  const message = `the matrix products of kernel '${name}' run one after the other on ${arch}`;
  process.emitWarning(message, { code: "TW3216", detail });
}

/**
 * Cubin of an artifact, with no device needed.
 * @throws DeviceError TW3210 without NVRTC, TW3211 where it refuses the text. Warns (TW3216) where its products do not overlap
 */
export function compileCubin(artifact: Artifact): Uint8Array {
  const { text, entry: name, target } = artifact;
  return new NvrtcCompiler().cubin({ text, name, arch: target.arch ?? "sm_80" });
}
