/** [runtime] Makes a Device of a driver's backend: argument checks, launch plans, pool and caches. No driver calls of its own. */
import type { CompileRequest, PackedOrder, TensorOrder } from "../codegen/index.ts";
import { DeviceError, type KernelDefinition, LaunchError, lowerKernel } from "../dsl/index.ts";
import type { FindWinners } from "./autotune/choice.ts";
import { deviceName, findHash, type SourceIdentity } from "./autotune/identity.ts";
import { TuningStore } from "./autotune/records.ts";
import { deviceClasses, tunedConfigs } from "./autotune/store.ts";
import type { CompiledElsewhere, LaunchArguments, TunableDevice } from "./autotune/tunable.ts";
import type { Backend, BinaryCache, Loadable } from "./backend.ts";
import { describeLaunch } from "./describe-launch.ts";
import type {
  DeviceBuffer,
  DeviceEvent,
  Graph,
  KernelArgument,
  LaunchOptions,
  ParkedBuffers,
  Stream,
} from "./device.ts";
import { openDiskCache } from "./disk-cache.ts";
import { exportedLoadable, isExported } from "./exported.ts";
import { type CacheStatistics, KernelCache } from "./kernel-cache.ts";
import { type Bound, KernelBinding } from "./launch.ts";
import { MemoryPool } from "./memory-pool.ts";
import { parkBuffers } from "./parked-buffers.ts";
import { gridOf, isEmptyGrid, Plan } from "./plan.ts";
import { LaunchTrace, traceReady } from "./trace.ts";

interface KernelState {
  readonly binding: KernelBinding;
  readonly plans: Map<string, Plan>;
  /** Plans that are being made off this thread. */
  readonly pending: Map<string, Promise<void>>;
}

export class CoreDevice implements TunableDevice {
  readonly #backend: Backend;
  readonly #pool: MemoryPool;
  readonly #cache: KernelCache;
  readonly #kernels = new WeakMap<KernelDefinition, KernelState>();
  readonly #classes: readonly string[];
  readonly #trace: LaunchTrace;
  #closing: Promise<void> | undefined;
  /** What was measured on this device, by earlier processes too. */
  readonly tuning = TuningStore.open();
  /** What a graph is captured from; undefined outside of captures. */
  #captured: Stream | undefined;
  readonly defaultStream?: Stream;
  readonly createStream?: () => Stream;
  readonly createEvent?: () => DeviceEvent;
  readonly capture?: (record: (stream: Stream) => void) => Graph;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#pool = MemoryPool.over(backend, this);
    this.#cache = new KernelCache(openDiskCache());
    this.#classes = deviceClasses(backend.info, backend.target);
    this.#trace = new LaunchTrace(this);
    if (backend.defaultStream !== undefined) this.defaultStream = backend.defaultStream;
    if (backend.createStream !== undefined) this.createStream = backend.createStream.bind(backend);
    if (backend.createEvent !== undefined) this.createEvent = backend.createEvent.bind(backend);
    if (backend.capture !== undefined) this.capture = (record) => this.#capture(record);
  }

  get target() {
    return this.#backend.target;
  }

  get isCapturing(): boolean {
    return this.#captured !== undefined;
  }

  get sources(): SourceIdentity {
    return this.#cache;
  }

  get info() {
    return this.#backend.info;
  }

  get limits() {
    return this.#backend.limits;
  }

  get cacheStatistics(): CacheStatistics {
    return this.#cache.statistics;
  }

  alloc(bytes: number): DeviceBuffer {
    this.#requireOpen();
    if (bytes > this.limits.maxBufferBytes) {
      throw new LaunchError({
        code: "TW3005",
        message: "a buffer is larger than the device allows",
        seen: `${bytes} bytes`,
        expected: `at most ${this.limits.maxBufferBytes} bytes on ${this.info.name}`,
        remedy: "split the tensor, or use a driver with a higher limit",
      });
    }
    return this.#pool.alloc(bytes);
  }

  free(buffer: DeviceBuffer): void {
    this.#requireOpen();
    if (this.#pool.free(buffer)) return;
    throw new LaunchError({
      code: "TW3006",
      message: "a buffer was freed that is not allocated",
      seen: `${buffer.bytes} bytes, freed before or of another device`,
      expected: "a live buffer of this device",
      remedy: "free each buffer once",
    });
  }

  trim(): void {
    this.#pool.trim();
  }

  park(buffers: readonly DeviceBuffer[], keepsContents: boolean): Promise<ParkedBuffers> {
    return parkBuffers(this, this.#pool, buffers, keepsContents);
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    this.#checkRange("write", buffer, byteOffset, data.byteLength);
    this.#backend.write(buffer, byteOffset, data);
  }

  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    this.#checkRange("read", buffer, byteOffset, bytes);
    const data = await this.#backend.read(buffer, byteOffset, bytes);
    this.#trace.flush();
    return data;
  }

  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void {
    this.#checkRange("copy from", from, fromOffset, bytes);
    this.#checkRange("copy to", to, toOffset, bytes);
    if (bytes > 0) this.#backend.copy(from, fromOffset, to, toOffset, bytes);
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    this.#checkRange("fill", buffer, byteOffset, bytes);
    if (bytes > 0) this.#backend.fill(buffer, byteOffset, bytes, value);
  }

  launch(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): void {
    this.#requireOpen();
    const state = this.#state(kernel);
    const bound = state.binding.bind(this, args, options, this.#isLive);
    let plan = state.plans.get(bound.key);
    if (plan === undefined) {
      const config = { ...kernel.config, ...bound.tuned, ...options?.config };
      if (isEmptyGrid(gridOf(state.binding, bound.dims, config, this.limits))) return;
      plan = this.#plan(state, bound, options);
    }
    const grid = plan.grid(bound.dims, this.limits);
    if (isEmptyGrid(grid)) return;
    plan.packWords(bound);
    const { loaded, words } = plan;
    const { tensors } = bound;
    const stream = options?.stream ?? this.#captured;
    const work = { kernel: loaded, tensors, words, grid, stream };
    if (!this.#trace.isOn) this.#backend.enqueue(work);
    else
      this.#trace.run({ name: kernel.name, grid, tensors, stream }, () =>
        this.#backend.enqueue(work),
      );
  }

  async prepare(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): Promise<void> {
    this.#requireOpen();
    const state = this.#state(kernel);
    const bound = state.binding.bind(this, args, options, this.#isLive);
    const { key } = bound;
    if (state.plans.has(key)) return;
    let pending = state.pending.get(key);
    if (pending === undefined) {
      pending = this.#prepare(state, key, this.#loadable(state.binding, bound, options));
      state.pending.set(key, pending);
    }
    try {
      await pending;
    } finally {
      state.pending.delete(key);
    }
  }

  describeLaunch(
    kernel: KernelDefinition,
    args: LaunchArguments,
    options?: LaunchOptions,
  ): Omit<CompileRequest, "target"> {
    const { binding } = this.#state(kernel);
    return describeLaunch(binding, binding.bind(this, args, options, this.#isLive), options);
  }

  async adopt(
    kernel: KernelDefinition,
    args: LaunchArguments,
    options: LaunchOptions,
    { artifact, dependencies, binaries }: CompiledElsewhere,
  ): Promise<void> {
    const state = this.#state(kernel);
    const bound = state.binding.bind(this, args, options, this.#isLive);
    const { key } = bound;
    const { target } = this.#backend;
    if (target !== undefined) {
      const request = { ...describeLaunch(state.binding, bound, options), target };
      this.#cache.adopt(kernel, request, { artifact, dependencies });
    }
    for (const [name, data] of binaries) this.#cache.put(name, data);
    await this.#prepare(
      state,
      key,
      { kind: "text", artifact },
      {
        get: (name) => binaries.get(name) ?? this.#cache.get(name),
        put: (name, data) => this.#cache.put(name, data),
      },
    );
  }

  refreshTuning(kernel: KernelDefinition): void {
    this.#kernels.get(kernel)?.binding.refreshTuning();
  }

  packedOrders(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): Readonly<Record<string, PackedOrder>> {
    this.#requireOpen();
    const { binding } = this.#state(kernel);
    const bound = binding.bind(this, args, options, this.#isLive);
    const given = Object.entries(binding.orders(bound)).filter(([, order]) => order !== "rows");
    const orders: Readonly<Record<string, TensorOrder>> = Object.fromEntries(given);
    const loadable = this.#loadable(binding, bound, options, orders);
    const params = loadable.kind === "tile" ? [] : loadable.artifact.params;
    return Object.fromEntries(
      params.flatMap((param) =>
        param.kind === "tensor" && param.order !== undefined ? [[param.name, param.order]] : [],
      ),
    );
  }

  async synchronize(): Promise<void> {
    this.#requireOpen();
    await this.#backend.synchronize();
    this.#trace.flush();
  }

  /** Waits for queued work and frees every buffer; a second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#backend.synchronize();
    } finally {
      this.#pool.close();
      await this.#backend.close();
    }
  }

  #requireOpen(): void {
    if (this.#closing === undefined) return;
    throw new DeviceError({
      code: "TW3011",
      message: "the device is closed",
      seen: `a use of ${this.info.name} after close()`,
      expected: "an open device",
      remedy: "close a device after its last use, or open another: await openDevice()",
    });
  }

  readonly #isLive = (buffer: DeviceBuffer): boolean => this.#pool.isLive(buffer);

  #state(kernel: KernelDefinition): KernelState {
    if (kernel?.kind !== "kernel") {
      throw new LaunchError({
        code: "TW3100",
        message: "what was launched is no kernel",
        seen: kernel === undefined ? "undefined" : typeof kernel,
        expected: "the definition that kernel() returned",
        remedy: "pass the exported kernel itself as the first argument",
      });
    }
    let state = this.#kernels.get(kernel);
    if (state === undefined) {
      const tuned = isExported(kernel) ? [] : tunedConfigs(kernel, this.#classes);
      const binding = new KernelBinding(kernel, tuned, this.#findWinners(kernel));
      state = { binding, plans: new Map(), pending: new Map() };
      this.#kernels.set(kernel, state);
    }
    return state;
  }

  #findWinners(kernel: KernelDefinition): FindWinners {
    return (sizes, dtypes) => {
      const dims = Object.fromEntries(kernel.specialize.map((name) => [name, sizes[name] ?? 0]));
      const hash = findHash(this.tuning, this.#cache, kernel, { dtypes, dims });
      if (hash === undefined) return [];
      return this.tuning.winners({ kernel: kernel.name, hash, device: deviceName(this.info) });
    };
  }

  #capture(record: (stream: Stream) => void): Graph {
    const { capture } = this.#backend;
    if (capture === undefined) throw new TypeError(`${this.info.driver} captures no graphs`);
    try {
      return capture.call(this.#backend, (stream) => {
        this.#captured = stream;
        record(stream);
      });
    } finally {
      this.#captured = undefined;
    }
  }

  #plan(state: KernelState, bound: Bound, options: LaunchOptions | undefined): Plan {
    const start = performance.now();
    const loadable = this.#loadable(state.binding, bound, options);
    const loaded = this.#backend.load(loadable, this.#cache);
    const plan = new Plan(loaded, loadable, state.binding);
    state.plans.set(bound.key, plan);
    traceReady(this, bound.key, loadable, performance.now() - start);
    return plan;
  }

  async #prepare(
    state: KernelState,
    key: string,
    loadable: Loadable,
    binaries: BinaryCache = this.#cache,
  ): Promise<void> {
    const start = performance.now();
    const loaded = await (this.#backend.loadAsync?.(loadable, binaries) ??
      this.#backend.load(loadable, binaries));
    state.plans.set(key, new Plan(loaded, loadable, state.binding));
    traceReady(this, key, loadable, performance.now() - start);
  }

  #loadable(
    binding: KernelBinding,
    bound: Bound,
    options: LaunchOptions | undefined,
    orders = binding.orders(bound),
  ): Loadable {
    const { kernel } = binding;
    const { target } = this.#backend;
    const request = describeLaunch(binding, bound, options, orders);
    const built = exportedLoadable(kernel, target, request.divisibility ?? {}, orders);
    if (built !== undefined) return built;
    if (target === undefined)
      return { kind: "tile", tile: lowerKernel(kernel, request.specialization).tile };
    const mayShrink = options?.config === undefined;
    const artifact = this.#cache.artifact(kernel, { ...request, target }, mayShrink);
    return { kind: "text", artifact };
  }

  #checkRange(what: string, buffer: DeviceBuffer, byteOffset: number, bytes: number): void {
    this.#requireOpen();
    if (
      byteOffset >= 0 &&
      bytes >= 0 &&
      byteOffset + bytes <= buffer.bytes &&
      this.#pool.isLive(buffer)
    )
      return;
    const live = this.#pool.isLive(buffer);
    throw new LaunchError({
      code: live ? "TW3007" : "TW3103",
      message: live
        ? `${what}: the range leaves the buffer`
        : `${what}: the buffer has been freed or is of another device`,
      seen: `bytes ${byteOffset} to ${byteOffset + bytes}`,
      expected: `a range inside the ${buffer.bytes} bytes of a live buffer`,
      remedy: "check offset and length",
    });
  }
}
