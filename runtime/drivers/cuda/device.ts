/** [runtime/drivers] The CUDA backend: memory, modules, launches on one stream, events and graph capture. */

import { cudaFeatures } from "../../../codegen/index.ts";
import { DeviceError } from "../../../dsl/index.ts";
import type { Backend, BinaryCache, Enqueue, Loadable, LoadedKernel } from "../../backend.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  DeviceInfo,
  DeviceLimits,
  Graph,
  Stream,
} from "../../device.ts";
import { addressOf, koffiVersion } from "../native/library.ts";
import { type StreamCalls, Streams } from "../native/streams.ts";
import { ArgumentBlock } from "./argument-block.ts";
import { NvrtcCompiler } from "./compiler.ts";
import { CUDA_ERROR_NOT_READY, CudaDriver } from "./driver.ts";
import { CudaFunction } from "./function.ts";
import { addressOfTensor, type CudaBuffer, type CudaStream, handleOfStream } from "./interop.ts";
import { launchGrid, type Residency } from "./launch-grid.ts";
import { effectsOf, type LaunchEffects, LaunchOrder } from "./launch-order.ts";
import { ProgramCounters } from "./program-counters.ts";
import type { NativeMemory } from "./tensor-map-cache.ts";

/** A loaded function with its argument block, which is patched in place: a launch allocates nothing. */
interface CudaKernel extends LoadedKernel {
  readonly function: CudaFunction;
  readonly block: ArgumentBlock;
  readonly residency: Residency;
  readonly effects: LaunchEffects;
}

/** CU_STREAM_NON_BLOCKING; CU_STREAM_CAPTURE_MODE_RELAXED. */
const STREAM_NON_BLOCKING = 1;
const CAPTURE_RELAXED = 2;

export class CudaBackend implements Backend {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly target;
  readonly #driver: CudaDriver;
  /** Absent where none is needed and none was found. */
  #compiler: NvrtcCompiler | undefined;
  readonly defaultStream: CudaStream;
  readonly #stream: bigint;
  readonly #modules: bigint[] = [];
  readonly #memory: NativeMemory;
  readonly #counters = new ProgramCounters((bytes) => this.#zeroed(bytes));
  /** Counters of the capture that runs, while one does. */
  #captured: bigint[] | undefined;
  readonly #order = new LaunchOrder();
  readonly #streams: Streams;

  /**
   * @param compiler `optional`: a machine without NVRTC will do, for kernels that were compiled ahead of time
   * @throws DeviceError TW3201-TW3203 without a usable GPU, TW3210 without the compiler
   */
  constructor(ordinal = 0, compiler: "required" | "optional" = "required") {
    this.#driver = new CudaDriver(ordinal);
    if (compiler === "required") this.#compiler = new NvrtcCompiler();
    const { facts } = this.#driver;
    this.target = {
      target: "cuda" as const,
      arch: facts.arch,
      warpSize: 32,
      maxThreads: facts.maxThreads,
      maxSharedBytes: facts.maxSharedBytes,
      features: cudaFeatures(facts.arch),
    };
    this.info = {
      driver: "cuda",
      name: facts.name,
      hardware: true,
      features: [facts.arch, `${facts.multiprocessors} multiprocessors`, ...this.target.features],
      versions: {
        driver: facts.driverVersion,
        ...(this.#compiler === undefined ? {} : { nvrtc: this.#compiler.version }),
        koffi: koffiVersion(),
      },
    };
    this.limits = {
      maxBufferBytes: facts.memoryBytes,
      maxThreads: facts.maxThreads,
      maxSharedBytes: facts.maxSharedBytes,
      maxStorageBuffers: 256,
      maxGrid: [2 ** 31 - 1, 65535, 65535],
      multiprocessors: facts.multiprocessors,
      memoryBytes: this.#driver.freeMemoryBytes(),
    };
    this.#streams = new Streams({
      calls: streamCalls(this.#driver),
      names: STREAM_NAMES,
      notReady: CUDA_ERROR_NOT_READY,
      check: (status, call, context) => this.#check(status, call, context),
      handleOf: handleOfStream,
    });
    this.#stream = this.#streams.create();
    this.defaultStream = { driver: "cuda", handle: this.#stream };
    this.#memory = {
      addressOf,
      encodeTensorMap: (address, fields, name) =>
        this.#driver.encodeTensorMap(address, fields, name),
      counter: () => this.#counter(),
    };
  }

  alloc(bytes: number, owner: Device): CudaBuffer {
    const pointer = [0n];
    this.#check(this.#driver.library.cuMemAlloc(pointer, bytes), "cuMemAlloc", `of ${bytes} bytes`);
    return { device: owner, bytes, pointer: BigInt(pointer[0] ?? 0n) };
  }

  /** A launch's own; a captured one keeps it as long as its graph lives. */
  #counter(): bigint {
    if (this.#captured === undefined) return this.#counters.next();
    const counter = this.#counters.take();
    this.#captured.push(counter);
    return counter;
  }

  /** Zeroed when it returns, so that launches of every stream find it so. */
  #zeroed(bytes: number): bigint {
    const { library } = this.#driver;
    const pointer = [0n];
    this.#check(library.cuMemAlloc(pointer, bytes), "cuMemAlloc", "of counters");
    const at = BigInt(pointer[0] ?? 0n);
    this.#check(library.cuMemsetD8Async(at, 0, bytes, this.#stream), "cuMemsetD8Async");
    this.#check(library.cuStreamSynchronize(this.#stream), "cuStreamSynchronize");
    return at;
  }

  release(buffer: DeviceBuffer): void {
    this.#check(this.#driver.library.cuMemFree((buffer as CudaBuffer).pointer), "cuMemFree");
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    const to = (buffer as CudaBuffer).pointer + BigInt(byteOffset);
    this.#order.settle(this.#stream);
    // From pageable memory the call returns once the bytes are staged, so the source may be reused.
    this.#check(
      this.#driver.library.cuMemcpyHtoDAsync(to, data, data.byteLength, this.#stream),
      "cuMemcpyHtoDAsync",
    );
  }

  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    await this.synchronize();
    const data = new Uint8Array(bytes);
    if (bytes === 0) return data;
    this.#check(
      this.#driver.library.cuMemcpyDtoH(
        data,
        (buffer as CudaBuffer).pointer + BigInt(byteOffset),
        bytes,
      ),
      "cuMemcpyDtoH",
    );
    return data;
  }

  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void {
    const source = (from as CudaBuffer).pointer + BigInt(fromOffset);
    const target = (to as CudaBuffer).pointer + BigInt(toOffset);
    this.#order.settle(this.#stream);
    this.#check(
      this.#driver.library.cuMemcpyDtoDAsync(target, source, bytes, this.#stream),
      "cuMemcpyDtoDAsync",
    );
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    const target = (buffer as CudaBuffer).pointer + BigInt(byteOffset);
    this.#order.settle(this.#stream);
    this.#check(
      this.#driver.library.cuMemsetD8Async(target, value, bytes, this.#stream),
      "cuMemsetD8Async",
    );
  }

  load(what: Loadable, binaries: BinaryCache): LoadedKernel {
    const { artifact, binary } = textOf(what);
    const request = { text: artifact.text, name: artifact.entry, arch: this.target.arch };
    return this.#module(what, binary ?? this.#compilerOf().cubin(request, binaries));
  }

  async loadAsync(what: Loadable, binaries: BinaryCache): Promise<LoadedKernel> {
    const { artifact, binary } = textOf(what);
    const request = { text: artifact.text, name: artifact.entry, arch: this.target.arch };
    return this.#module(what, binary ?? (await this.#compilerOf().cubinAsync(request, binaries)));
  }

  /** Where none was asked for, it is looked for when a text has to be compiled. @throws DeviceError TW3210 */
  #compilerOf(): NvrtcCompiler {
    this.#compiler ??= new NvrtcCompiler();
    return this.#compiler;
  }

  enqueue({ kernel, tensors, words, grid, stream }: Enqueue): void {
    const { entry, function: fn, block, residency, effects } = kernel as CudaKernel;
    block.patch(tensors, addressOfTensor, words, grid);
    const on = handleOfStream(stream ?? this.defaultStream);
    const startsEarly = this.#order.admit(on, effects, tensors);
    fn.launch(launchGrid(entry, grid, residency), on, block.slotsAddress, startsEarly);
  }

  synchronize(): Promise<void> {
    return this.#streams.drain(this.#stream);
  }

  createStream(): CudaStream {
    return { driver: "cuda", handle: this.#streams.create() };
  }

  createEvent(): DeviceEvent {
    return this.#streams.createEvent(this.#stream);
  }

  capture(record: (stream: Stream) => void): Graph {
    const counters: bigint[] = [];
    const on = (handle: bigint): void => {
      this.#captured = counters;
      record({ driver: "cuda", handle } as CudaStream);
    };
    return this.#streams.capture(this.#stream, on, {
      recorded: (stream) => {
        this.#captured = undefined;
        return this.#order.forget(stream);
      },
      replay: (stream, written) => this.#order.replay(stream, written),
      closed: () => this.#counters.giveBack(counters),
    });
  }

  async close(): Promise<void> {
    for (const module of this.#modules) this.#driver.library.cuModuleUnload(module);
    for (const base of this.#counters.bases) this.#driver.library.cuMemFree(base);
    this.#driver.library.cuStreamDestroy(this.#stream);
    this.#driver.close();
  }

  #module(what: Loadable, cubin: Uint8Array): CudaKernel {
    const { artifact } = textOf(what);
    const { library } = this.#driver;
    const module: [bigint] = [0n];
    this.#check(
      library.cuModuleLoadData(module, cubin),
      "cuModuleLoadData",
      `of '${artifact.entry}'`,
    );
    this.#modules.push(module[0]);
    const { entry, threads, sharedBytes, persistent, cluster = 1 } = artifact;
    const dependentLaunch = artifact.dependentLaunch === true;
    const shape = { entry, threads, sharedBytes, cluster, dependentLaunch };
    const fn = new CudaFunction(this.#driver, module[0], shape);
    const { multiprocessors } = this.#driver.facts;
    const residency: Residency = {
      persistent,
      cluster,
      multiprocessors,
      ...(persistent !== undefined && cluster > 1 ? { activeClusters: fn.activeClusters() } : {}),
    };
    const block = new ArgumentBlock(artifact, this.#memory);
    return { entry, function: fn, block, residency, effects: effectsOf(artifact) };
  }

  #check(status: number, call: string, context?: string): void {
    if (status !== 0) this.#driver.check(status, call, context);
  }
}

function streamCalls({ library }: CudaDriver): StreamCalls {
  return {
    createStream: (to) => library.cuStreamCreate(to, STREAM_NON_BLOCKING),
    destroyStream: (stream) => library.cuStreamDestroy(stream),
    beginCapture: (stream) => library.cuStreamBeginCapture(stream, CAPTURE_RELAXED),
    endCapture: (stream, to) => library.cuStreamEndCapture(stream, to),
    instantiate: (to, graph) => library.cuGraphInstantiate(to, graph, 0),
    destroyGraph: (graph) => library.cuGraphDestroy(graph),
    launchGraph: (executable, stream) => library.cuGraphLaunch(executable, stream),
    destroyExecutable: (executable) => library.cuGraphExecDestroy(executable),
    createEvent: (to) => library.cuEventCreate(to, 0),
    recordEvent: (event, stream) => library.cuEventRecord(event, stream),
    queryEvent: (event) => library.cuEventQuery(event),
    elapsed: (to, from, until) => library.cuEventElapsedTime(to, from, until),
    destroyEvent: (event) => library.cuEventDestroy(event),
  };
}

const STREAM_NAMES = {
  createStream: "cuStreamCreate",
  destroyStream: "cuStreamDestroy",
  beginCapture: "cuStreamBeginCapture",
  endCapture: "cuStreamEndCapture",
  instantiate: "cuGraphInstantiate",
  destroyGraph: "cuGraphDestroy",
  launchGraph: "cuGraphLaunch",
  destroyExecutable: "cuGraphExecDestroy",
  createEvent: "cuEventCreate",
  recordEvent: "cuEventRecord",
  queryEvent: "cuEventQuery",
  elapsed: "cuEventElapsedTime",
  destroyEvent: "cuEventDestroy",
} as const satisfies Record<keyof StreamCalls, string>;

function textOf(what: Loadable): Extract<Loadable, { kind: "text" }> {
  if (what.kind === "text") return what;
  throw new DeviceError({
    code: "TW3212",
    message: "the cuda driver was given tile IR",
    seen: what.kind,
    expected: "text for target cuda",
    remedy: "compile the kernel for cuda",
  });
}
