/** [runtime/drivers] HIP text → code object through hiprtc in a process of its own: old releases abort the whole process for chips that they do not know. */
import type { Artifact } from "../../../codegen/index.ts";
import { DeviceError, nodeModule, sha256 } from "../../../dsl/index.ts";
import type { BinaryCache } from "../../backend.ts";
import { loaderFor, siblingEntry } from "../../script-loader.ts";
import { decodeAnswer, type HiprtcRequest } from "./hiprtc-messages.ts";
import { type HipPaths, hipFolders, locateHip } from "./locate.ts";

const { spawn, spawnSync } = nodeModule("node:child_process");
const { realpathSync, statSync } = nodeModule("node:fs");
const { basename } = nodeModule("node:path");
const { fileURLToPath } = nodeModule("node:url");

export interface CodeRequest {
  readonly text: string;
  /** Name in the compiler's messages. */
  readonly name: string;
  /** `gfx90a` */
  readonly arch: string;
}

/** How the process of one compile ended. */
interface Ended {
  readonly output: Uint8Array;
  readonly errors: string;
  /** `SIGABRT`, or `code 1`. */
  readonly how: string;
}

const MOST_BYTES = 2 ** 28;
const DEADLINE_MS = 120_000;

/** @throws DeviceError TW3250 where no HIP runtime is found */
export function requireHip(): HipPaths {
  const paths = locateHip();
  if (paths !== undefined) return paths;
  throw new DeviceError({
    code: "TW3250",
    message: "the HIP runtime was not found",
    seen: `no libamdhip64.so in ${hipFolders().length} usual folders`,
    expected: "libamdhip64.so.5 or newer, with hiprtc",
    remedy:
      "install ROCm, or set TILEWRIGHT_HIP to its libamdhip64.so; or use the device cuda, webgpu or interpreter",
  });
}

export class HiprtcCompiler {
  readonly path: string;
  /** File name of the library with its full version; compiled code is kept by it. */
  readonly version: string;
  readonly #paths: HipPaths;
  readonly #identity: string;

  /** @throws DeviceError TW3250 where no HIP runtime is found */
  constructor(paths: HipPaths = requireHip()) {
    this.#paths = paths;
    this.path = paths.hiprtc;
    const file = realpathSync(paths.hiprtc);
    this.version = basename(file);
    this.#identity = `${this.version} ${statSync(file).size}`;
  }

  /**
   * Compiles, or takes the code object from the cache.
   * @throws DeviceError TW3253 with the compiler's log, TW3254 where the compiler's process ends without an answer
   */
  code(request: CodeRequest, cache?: BinaryCache): Uint8Array {
    const key = this.#key(request);
    const cached = cache?.get(key);
    if (cached !== undefined) return cached;
    const [program, args] = command();
    const done = spawnSync(program, args, {
      input: this.#message(request),
      maxBuffer: MOST_BYTES,
      timeout: DEADLINE_MS,
      killSignal: "SIGKILL",
    });
    const how = done.error?.message ?? done.signal ?? `code ${done.status}`;
    const errors = done.stderr?.toString("utf8") ?? "";
    return this.#finish({ output: done.stdout ?? new Uint8Array(0), errors, how }, request, cache);
  }

  /** As `code`, without holding the calling thread. */
  async codeAsync(request: CodeRequest, cache?: BinaryCache): Promise<Uint8Array> {
    const key = this.#key(request);
    const cached = cache?.get(key);
    if (cached !== undefined) return cached;
    return this.#finish(await runProcess(this.#message(request)), request, cache);
  }

  #key({ text, arch, name }: CodeRequest): string {
    return sha256([text, name, this.#identity, ...optionsFor(arch)].join("\0"));
  }

  #message({ text, name, arch }: CodeRequest): string {
    const { hiprtc, before } = this.#paths;
    const request: HiprtcRequest = { hiprtc, before, text, name, options: optionsFor(arch) };
    return JSON.stringify(request);
  }

  #finish(ended: Ended, request: CodeRequest, cache: BinaryCache | undefined): Uint8Array {
    const answer = decodeAnswer(ended.output);
    if (answer === undefined) throw this.#crash(ended, request);
    const { status, log, version, code } = answer;
    if (status !== 0) {
      throw new DeviceError({
        code: "TW3253",
        message: `hiprtc ${version} refused the text of kernel '${request.name}' for ${request.arch}`,
        seen: log === "" ? `status ${status}` : `status ${status}\n${log}`,
        expected: "text that compiles",
        remedy:
          "if the text was edited by hand, correct it; otherwise this is a bug in tilewright, please report it",
      });
    }
    cache?.put(this.#key(request), code);
    return code;
  }

  #crash({ how, errors }: Ended, { name, arch }: CodeRequest): DeviceError {
    const said = errors.trim().slice(-1000);
    return new DeviceError({
      code: "TW3254",
      message: `hiprtc ended without an answer for kernel '${name}' for ${arch}`,
      seen: said === "" ? how : `${how}\n${said}`,
      expected: `${this.version} to compile for ${arch}`,
      remedy: `use a ROCm release that knows ${arch}: those from before the chip abort`,
    });
  }
}

/**
 * Code object of an artifact, with no device needed.
 * @throws DeviceError TW3250 without a HIP runtime, TW3253 where hiprtc refuses the text, TW3254 where it knows no such chip
 */
export function compileCodeObject({ text, entry: name, target }: Artifact): Uint8Array {
  return new HiprtcCompiler().code({ text, name, arch: target.arch ?? "gfx90a" });
}

function optionsFor(arch: string): readonly string[] {
  return [`--offload-arch=${arch}`, "-std=c++17", "-O3"];
}

function command(): readonly [program: string, args: readonly string[]] {
  const entry = siblingEntry(import.meta.url, "./hiprtc-process");
  return [process.execPath, [...loaderFor(entry), fileURLToPath(entry)]];
}

function runProcess(message: string): Promise<Ended> {
  const [program, args] = command();
  return new Promise((resolve) => {
    const child = spawn(program, args, { timeout: DEADLINE_MS, killSignal: "SIGKILL" });
    const output: Buffer[] = [];
    let errors = "";
    child.stdout.on("data", (chunk: Buffer) => void output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      errors = `${errors}${chunk.toString("utf8")}`.slice(-2000);
    });
    // A process that dies early takes no more of the request: its end says why.
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      resolve({ output: new Uint8Array(0), errors, how: error.message });
    });
    child.on("close", (status, signal) => {
      resolve({ output: Buffer.concat(output), errors, how: signal ?? `code ${status}` });
    });
    child.stdin.end(message);
  });
}
