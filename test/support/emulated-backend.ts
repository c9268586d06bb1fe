/** [test/support] A driver's backend over the CPU emulation, so that the conformance suite runs CUDA and HIP text without a GPU. */
import type { Artifact, ArtifactParam, TargetSpec } from "../../codegen/artifact.ts";
import type { Backend, Enqueue, Loadable, LoadedKernel } from "../../runtime/backend.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceInfo,
  DeviceLimits,
  Tensor,
} from "../../runtime/device.ts";
import { hostData, hostMemory } from "../../runtime/host-memory.ts";
import { tensorBytes } from "../../runtime/tensor.ts";
import { type ArtifactLaunch, COUNTER, emulateArtifacts } from "./emulated-artifact.ts";
import type { Emulation } from "./emulation.ts";

interface EmulatedKernel extends LoadedKernel {
  readonly artifact: Artifact;
}

interface Queued {
  readonly artifact: Artifact;
  readonly tensors: readonly Tensor[];
  readonly words: Uint32Array;
  readonly grid: readonly [number, number, number];
}

export interface EmulatedOptions {
  readonly target: TargetSpec;
  /** Schedules that every launch is tried under; their outputs must agree with what is expected one by one. */
  readonly seeds?: readonly number[];
  /** False: no search for races and early reads, several times faster. */
  readonly check?: boolean;
  readonly seconds?: number;
}

/**
 * Launches are queued and run together at the next read, their texts compiled in one unit. What goes wrong in one of them
 * is thrown where one of its tensors is read.
 */
export class EmulatedBackend implements Backend {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly target: TargetSpec;
  readonly #emulation: Emulation;
  readonly #options: EmulatedOptions;
  readonly #failures = new Map<DeviceBuffer, Error>();
  #queue: Queued[] = [];

  constructor(emulation: Emulation, options: EmulatedOptions) {
    this.#emulation = emulation;
    this.#options = options;
    this.target = options.target;
    this.info = {
      driver: options.target.target === "hip" ? "hip" : "cuda",
      name: `${options.target.arch} emulated on this CPU`,
      hardware: false,
      features: options.target.features,
      versions: { compiler: emulation.compiler },
    };
    this.limits = {
      maxBufferBytes: 2 ** 30,
      maxThreads: options.target.maxThreads,
      maxSharedBytes: options.target.maxSharedBytes,
      maxStorageBuffers: 256,
      maxGrid: [2 ** 31 - 1, 65535, 65535],
      memoryBytes: 2 ** 30,
    };
  }

  alloc(bytes: number, owner: Device): DeviceBuffer {
    return hostMemory.alloc(bytes, owner);
  }

  release(buffer: DeviceBuffer): void {
    hostMemory.release(buffer);
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    this.#flush();
    this.#failures.delete(buffer);
    hostMemory.write(buffer, byteOffset, data);
  }

  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    this.#flush();
    const failure = this.#failures.get(buffer);
    if (failure !== undefined) throw failure;
    return hostMemory.read(buffer, byteOffset, bytes);
  }

  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void {
    this.#flush();
    hostMemory.copy(from, fromOffset, to, toOffset, bytes);
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    this.#flush();
    hostMemory.fill(buffer, byteOffset, bytes, value);
  }

  load(what: Loadable): EmulatedKernel {
    if (what.kind !== "text") throw new Error("the emulation runs text, not tile IR");
    return { entry: what.artifact.entry, artifact: what.artifact };
  }

  enqueue({ kernel, tensors, words, grid }: Enqueue): void {
    const { artifact } = kernel as EmulatedKernel;
    this.#queue.push({ artifact, tensors: [...tensors], words: words.slice(), grid });
  }

  async synchronize(): Promise<void> {
    this.#flush();
  }

  async close(): Promise<void> {}

  #flush(): void {
    while (this.#queue.length > 0) {
      const group = takeIndependent(this.#queue);
      this.#queue = this.#queue.slice(group.length);
      this.#run(group);
    }
  }

  /** All at once; where that fails, one by one, so that the failure meets only the launch that caused it. */
  #run(group: readonly Queued[]): void {
    const { seeds = [1], check = true, seconds } = this.#options;
    try {
      const unit = emulateArtifacts(
        this.#emulation,
        group.map((item) => item.artifact),
        seconds === undefined ? {} : { seconds },
      );
      const runs = unit.launchAll(
        group.map((item) => [item.artifact, { ...launchOf(item), seeds, check }] as const),
      );
      for (const [i, item] of group.entries()) {
        const found = (runs[i] ?? []).flatMap((run) => run.reports);
        const [last] = (runs[i] ?? []).slice(-1);
        for (const [name, bytes] of last?.outputs ?? []) {
          if (name !== COUNTER) bytesOf(item, name).set(bytes);
          else if (bytes.some((byte) => byte !== 0))
            this.#fail(
              item,
              new Error("a launch leaves its counter of programs at another value than 0"),
            );
        }
        if (found.length > 0)
          this.#fail(item, new Error(found.map(({ kind, text }) => `${kind}: ${text}`).join("\n")));
      }
    } catch (error) {
      const [only] = group;
      if (group.length === 1 && only !== undefined)
        this.#fail(only, error instanceof Error ? error : new Error(String(error)));
      else for (const item of group) this.#run([item]);
    }
  }

  #fail({ tensors }: Queued, error: Error): void {
    for (const { buffer } of tensors) this.#failures.set(buffer, error);
  }
}

/** The first launches of the queue that share no buffer. */
function takeIndependent(queue: readonly Queued[]): readonly Queued[] {
  const used = new Set<DeviceBuffer>();
  for (const [i, { tensors }] of queue.entries()) {
    if (tensors.some(({ buffer }) => used.has(buffer))) return queue.slice(0, i);
    for (const { buffer } of tensors) used.add(buffer);
  }
  return queue;
}

function bytesOf({ artifact, tensors }: Queued, name: string): Uint8Array {
  const tensor =
    tensors[artifact.params.findIndex((param) => param.kind === "tensor" && param.name === name)];
  if (tensor === undefined)
    throw new Error(`the launch of ${artifact.kernel} has no tensor ${name}`);
  const { buffer, byteOffset } = tensor;
  return hostData(buffer).subarray(byteOffset, byteOffset + tensorBytes(tensor));
}

function launchOf(item: Queued): Omit<ArtifactLaunch, "seeds"> {
  const { params } = item.artifact;
  const tensors: Record<string, Uint8Array> = {};
  const dims: Record<string, number> = {};
  const scalars: Record<string, number> = {};
  const numTensors = params.filter((param) => param.kind === "tensor").length;
  for (const [i, param] of params.entries()) {
    if (param.kind === "tensor") tensors[param.name] = bytesOf(item, param.name).slice();
    else if (param.kind === "dim") dims[param.name] = item.words[i - numTensors] ?? 0;
    else if (param.kind === "scalar")
      scalars[param.name] = scalarOf(param, item.words[i - numTensors] ?? 0);
  }
  return { grid: item.grid, tensors, dims, scalars };
}

function scalarOf(param: Extract<ArtifactParam, { kind: "scalar" }>, word: number): number {
  if (param.dtype === "f32") return new Float32Array(Uint32Array.of(word).buffer)[0] ?? 0;
  return param.dtype === "i32" ? word | 0 : word;
}
