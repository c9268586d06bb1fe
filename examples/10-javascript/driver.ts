/** [examples/10-javascript] The driver of the JavaScript target: buffers in this process, blocks one after another, their threads in turn. */
import {
  type Artifact,
  type Backend,
  type Device,
  type DeviceBuffer,
  DeviceError,
  type DeviceInfo,
  type DeviceLimits,
  type Enqueue,
  hostData,
  hostMemory,
  type Loadable,
  type LoadedKernel,
  tensorBytes,
} from "../../index.ts";
import { PRELUDE } from "./math.ts";
import { javascript } from "./target.ts";

/** What a thread of the text is given. */
interface Block {
  readonly pid: readonly [number, number, number];
  readonly programs: readonly [number, number, number];
  readonly tensors: readonly ArrayLike<number>[];
  readonly words: Uint32Array;
  readonly shared: ArrayBuffer;
}

type Thread = (block: Block, thread: number) => Generator<undefined, void>;

interface JavaScriptKernel extends LoadedKernel {
  readonly run: Thread;
  readonly artifact: Artifact;
}

/** The typed array that a tensor's elements are in, by dtype: those that `held` of expressions.ts lets through. */
function viewOf(dtype: string, bytes: Uint8Array): ArrayLike<number> {
  const { buffer, byteOffset, byteLength } = bytes;
  if (dtype === "bool") return bytes;
  const Elements = { f32: Float32Array, i32: Int32Array, u32: Uint32Array }[dtype];
  return Elements === undefined
    ? bytes
    : new Elements(buffer as ArrayBuffer, byteOffset, byteLength / 4);
}

/** Runs a block: each thread to its next barrier, then all of them on. @throws DeviceError TW3290 where some miss a barrier */
function runBlock({ run, artifact }: JavaScriptKernel, block: Block): void {
  const threads = Array.from({ length: artifact.threads }, (_, i) => run(block, i));
  for (;;) {
    const ended = threads.filter((thread) => thread.next().done === true).length;
    if (ended === threads.length) return;
    if (ended === 0) continue;
    throw new DeviceError({
      code: "TW3290",
      message: `${artifact.kernel}: threads wait at a barrier that others do not come to`,
      seen: `${ended} of ${threads.length} threads have ended`,
      remedy: "this is a bug of the target; look at the text for a barrier under a condition",
    });
  }
}

export class JavaScriptBackend implements Backend {
  readonly info: DeviceInfo = {
    driver: "javascript",
    name: "JavaScript in this process",
    hardware: false,
    features: [],
    versions: { node: process.versions.node },
  };
  readonly target = javascript.defaultSpec();
  readonly limits: DeviceLimits = {
    maxBufferBytes: 2 ** 31,
    maxThreads: this.target.maxThreads,
    maxSharedBytes: this.target.maxSharedBytes,
    maxStorageBuffers: 256,
    maxGrid: [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
    memoryBytes: 2 ** 31,
  };

  alloc(bytes: number, owner: Device): DeviceBuffer {
    return hostMemory.alloc(bytes, owner);
  }
  readonly release = hostMemory.release;
  readonly write = hostMemory.write;
  readonly read = hostMemory.read;
  readonly copy = hostMemory.copy;
  readonly fill = hostMemory.fill;

  load(what: Loadable): JavaScriptKernel {
    if (what.kind !== "text") {
      throw new DeviceError({
        code: "TW3291",
        message: "the JavaScript driver runs text",
        seen: `tile IR of ${what.tile.name}`,
        expected: "text of its target",
        remedy: "launch the kernel's definition",
      });
    }
    const { text, entry } = what.artifact;
    const run = new Function("tw", `"use strict";\n${text}return ${entry};`)(PRELUDE) as Thread;
    return { entry, run, artifact: what.artifact };
  }

  enqueue({ kernel, tensors, words, grid }: Enqueue): void {
    const loaded = kernel as JavaScriptKernel;
    const views = tensors.map((tensor) => {
      const from = tensor.byteOffset;
      const bytes = hostData(tensor.buffer).subarray(from, from + tensorBytes(tensor));
      return viewOf(tensor.dtype, bytes);
    });
    const shared = new ArrayBuffer(loaded.artifact.sharedBytes);
    const [x, y, z] = grid;
    for (let i = 0; i < x * y * z; i++) {
      const pid = [i % x, Math.floor(i / x) % y, Math.floor(i / (x * y))] as const;
      runBlock(loaded, { pid, programs: grid, tensors: views, words, shared });
    }
  }

  async synchronize(): Promise<void> {}
  async close(): Promise<void> {}
}
