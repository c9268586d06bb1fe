/** [runtime/drivers] The HIP backend: memory, modules, launches on streams, events and graph capture. What arguments look like is the cuda driver's affair. */
import { hipSpec } from "../../../codegen/index.ts";
import { DeviceError, InternalError, LaunchError } from "../../../dsl/index.ts";
import type { Backend, BinaryCache, Enqueue, Loadable, LoadedKernel } from "../../backend.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  DeviceInfo,
  DeviceLimits,
  Graph,
  Stream,
  Tensor,
} from "../../device.ts";
import { ArgumentBlock } from "../cuda/argument-block.ts";
import type { NativeMemory } from "../cuda/tensor-map-cache.ts";
import { addressOf, koffiVersion } from "../native/library.ts";
import { type StreamCalls, Streams } from "../native/streams.ts";
import { HiprtcCompiler, requireHip } from "./compiler.ts";
import { HIP_ERROR_NOT_READY, HipDriver } from "./driver.ts";

interface HipBuffer extends DeviceBuffer {
  readonly pointer: bigint;
}

interface HipStream extends Stream {
  readonly handle: bigint;
}

interface HipKernel extends LoadedKernel {
  readonly function: bigint;
  readonly threads: number;
  readonly sharedBytes: number;
  /** Patched in place: a launch allocates nothing. */
  readonly block: ArgumentBlock;
}

/** hipStreamNonBlocking; hipStreamCaptureModeRelaxed. @source HIP runtime API reference */
const STREAM_NON_BLOCKING = 1;
const CAPTURE_RELAXED = 2;
/** Threads of a launch along one axis are counted in 32 bits. */
const MOST_BLOCKS = Math.floor((2 ** 32 - 1) / 1024);

/** Kernels of this driver have neither tensor maps nor counters. */
const MEMORY: NativeMemory = {
  addressOf,
  encodeTensorMap: () => notOfHip("a tensor map"),
  counter: () => notOfHip("a counter of programs"),
};

function notOfHip(what: string): never {
  throw new InternalError({
    code: "TW9001",
    message: `internal error: a kernel for HIP asks for ${what}`,
  });
}

/** @throws LaunchError TW3117 for a stream of another driver */
function handleOf(stream: Stream): bigint {
  if (stream.driver === "hip") return (stream as HipStream).handle;
  throw new LaunchError({
    code: "TW3117",
    message: "a HIP call was given a stream that is none",
    seen: `a stream of ${stream.driver}`,
    expected: "a stream that a HIP device made, or its defaultStream",
    remedy: "use the streams of the device that the tensors are on",
  });
}

function pointerOf({ buffer, byteOffset }: Tensor): bigint {
  return (buffer as HipBuffer).pointer + BigInt(byteOffset);
}

export class HipBackend implements Backend {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly target;
  readonly defaultStream: HipStream;
  readonly #driver: HipDriver;
  readonly #compiler: HiprtcCompiler;
  readonly #modules: bigint[] = [];
  readonly #streams: Streams;

  /** @throws DeviceError TW3250 without the runtime, TW3251 without a GPU, TW2303 for a chip that the compiler does not know */
  constructor(ordinal = 0) {
    const paths = requireHip();
    this.#driver = new HipDriver(paths, ordinal);
    this.#compiler = new HiprtcCompiler(paths);
    const { facts } = this.#driver;
    const spec = hipSpec(facts.arch);
    this.target = { ...spec, maxThreads: Math.min(spec.maxThreads, facts.maxThreads) };
    this.info = {
      driver: "hip",
      name: facts.name,
      hardware: true,
      features: [facts.arch, `${facts.multiprocessors} compute units`, ...spec.features],
      versions: {
        runtime: facts.runtimeVersion,
        hiprtc: this.#compiler.version,
        koffi: koffiVersion(),
      },
    };
    this.limits = {
      maxBufferBytes: facts.memoryBytes,
      maxThreads: this.target.maxThreads,
      maxSharedBytes: spec.maxSharedBytes,
      maxStorageBuffers: 256,
      maxGrid: [MOST_BLOCKS, 65535, 65535],
      multiprocessors: facts.multiprocessors,
      memoryBytes: facts.freeBytes,
    };
    this.#streams = new Streams({
      calls: streamCalls(this.#driver),
      names: STREAM_NAMES,
      notReady: HIP_ERROR_NOT_READY,
      check: (status, call, context) => this.#check(status, call, context),
      handleOf,
    });
    this.defaultStream = this.createStream();
  }

  alloc(bytes: number, owner: Device): HipBuffer {
    const pointer = [0n];
    // HIP gives no address for no bytes.
    const status = this.#driver.library.hipMalloc(pointer, Math.max(1, bytes));
    this.#check(status, "hipMalloc", `of ${bytes} bytes`);
    return { device: owner, bytes, pointer: BigInt(pointer[0] ?? 0n) };
  }

  release(buffer: DeviceBuffer): void {
    this.#check(this.#driver.library.hipFree((buffer as HipBuffer).pointer), "hipFree");
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    const to = (buffer as HipBuffer).pointer + BigInt(byteOffset);
    const { library } = this.#driver;
    const { handle } = this.defaultStream;
    const status = library.hipMemcpyHtoDAsync(to, data, data.byteLength, handle);
    this.#check(status, "hipMemcpyHtoDAsync");
    // Unlike CUDA, HIP does not promise that pageable memory has been read when the call returns.
    this.#check(library.hipStreamSynchronize(handle), "hipStreamSynchronize");
  }

  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    await this.synchronize();
    const data = new Uint8Array(bytes);
    if (bytes === 0) return data;
    const from = (buffer as HipBuffer).pointer + BigInt(byteOffset);
    this.#check(this.#driver.library.hipMemcpyDtoH(data, from, bytes), "hipMemcpyDtoH");
    return data;
  }

  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void {
    const source = (from as HipBuffer).pointer + BigInt(fromOffset);
    const target = (to as HipBuffer).pointer + BigInt(toOffset);
    const { handle } = this.defaultStream;
    const status = this.#driver.library.hipMemcpyDtoDAsync(target, source, bytes, handle);
    this.#check(status, "hipMemcpyDtoDAsync");
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    const target = (buffer as HipBuffer).pointer + BigInt(byteOffset);
    const { handle } = this.defaultStream;
    const status = this.#driver.library.hipMemsetD8Async(target, value, bytes, handle);
    this.#check(status, "hipMemsetD8Async");
  }

  load(what: Loadable, binaries: BinaryCache): LoadedKernel {
    const { artifact, binary } = textOf(what);
    const { arch } = this.target;
    const request = { text: artifact.text, name: artifact.entry, arch: arch ?? "" };
    return this.#module(what, binary ?? this.#compiler.code(request, binaries));
  }

  async loadAsync(what: Loadable, binaries: BinaryCache): Promise<LoadedKernel> {
    const { artifact, binary } = textOf(what);
    const { arch } = this.target;
    const request = { text: artifact.text, name: artifact.entry, arch: arch ?? "" };
    return this.#module(what, binary ?? (await this.#compiler.codeAsync(request, binaries)));
  }

  enqueue({ kernel, tensors, words, grid, stream }: Enqueue): void {
    const { entry, function: fn, threads, sharedBytes, block } = kernel as HipKernel;
    block.patch(tensors, pointerOf, words, grid);
    const on = handleOf(stream ?? this.defaultStream);
    const [x, y, z] = grid;
    const status = this.#driver.library.hipModuleLaunchKernel(
      fn,
      x,
      y,
      z,
      threads,
      1,
      1,
      sharedBytes,
      on,
      block.slotsAddress,
      null,
    );
    if (status !== 0)
      this.#check(
        status,
        "hipModuleLaunchKernel",
        `of '${entry}' with grid ${grid.join("×")}, ${threads} threads, ${sharedBytes} shared bytes`,
      );
  }

  synchronize(): Promise<void> {
    return this.#streams.drain(this.defaultStream.handle);
  }

  createStream(): HipStream {
    return { driver: "hip", handle: this.#streams.create() };
  }

  createEvent(): DeviceEvent {
    return this.#streams.createEvent(this.defaultStream.handle);
  }

  capture(record: (stream: Stream) => void): Graph {
    const on = (handle: bigint): void => record({ driver: "hip", handle } as HipStream);
    return this.#streams.capture(this.defaultStream.handle, on);
  }

  async close(): Promise<void> {
    const { library } = this.#driver;
    for (const module of this.#modules) library.hipModuleUnload(module);
    library.hipStreamDestroy(this.defaultStream.handle);
  }

  #module(what: Loadable, code: Uint8Array): HipKernel {
    const { artifact } = textOf(what);
    const { entry, threads, sharedBytes } = artifact;
    const { library } = this.#driver;
    const [module, fn]: [[bigint], [bigint]] = [[0n], [0n]];
    this.#check(library.hipModuleLoadData(module, code), "hipModuleLoadData", `of '${entry}'`);
    this.#modules.push(module[0]);
    const found = library.hipModuleGetFunction(fn, module[0], entry);
    this.#check(found, "hipModuleGetFunction", `of '${entry}'`);
    const block = new ArgumentBlock(artifact, MEMORY);
    return { entry, function: fn[0], threads, sharedBytes, block };
  }

  #check(status: number, call: string, context?: string): void {
    if (status !== 0) this.#driver.check(status, call, context);
  }
}

function streamCalls({ library }: HipDriver): StreamCalls {
  return {
    createStream: (to) => library.hipStreamCreateWithFlags(to, STREAM_NON_BLOCKING),
    destroyStream: (stream) => library.hipStreamDestroy(stream),
    beginCapture: (stream) => library.hipStreamBeginCapture(stream, CAPTURE_RELAXED),
    endCapture: (stream, to) => library.hipStreamEndCapture(stream, to),
    instantiate: (to, graph) => library.hipGraphInstantiate(to, graph, null, null, 0),
    destroyGraph: (graph) => library.hipGraphDestroy(graph),
    launchGraph: (executable, stream) => library.hipGraphLaunch(executable, stream),
    destroyExecutable: (executable) => library.hipGraphExecDestroy(executable),
    createEvent: (to) => library.hipEventCreate(to),
    recordEvent: (event, stream) => library.hipEventRecord(event, stream),
    queryEvent: (event) => library.hipEventQuery(event),
    elapsed: (to, from, until) => library.hipEventElapsedTime(to, from, until),
    destroyEvent: (event) => library.hipEventDestroy(event),
  };
}

const STREAM_NAMES = {
  createStream: "hipStreamCreateWithFlags",
  destroyStream: "hipStreamDestroy",
  beginCapture: "hipStreamBeginCapture",
  endCapture: "hipStreamEndCapture",
  instantiate: "hipGraphInstantiate",
  destroyGraph: "hipGraphDestroy",
  launchGraph: "hipGraphLaunch",
  destroyExecutable: "hipGraphExecDestroy",
  createEvent: "hipEventCreate",
  recordEvent: "hipEventRecord",
  queryEvent: "hipEventQuery",
  elapsed: "hipEventElapsedTime",
  destroyEvent: "hipEventDestroy",
} as const satisfies Record<keyof StreamCalls, string>;

function textOf(what: Loadable): Extract<Loadable, { kind: "text" }> {
  if (what.kind === "text") return what;
  throw new DeviceError({
    code: "TW3255",
    message: "the hip driver was given tile IR",
    seen: what.kind,
    expected: "text for target hip",
    remedy: "compile the kernel for hip",
  });
}
