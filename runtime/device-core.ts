/** [runtime] Makes a Device of a driver's backend: argument checks, launch plans, pool and caches. No driver calls of its own. */
import {
  type DType,
  debugLevel,
  type KernelDefinition,
  LaunchError,
  lowerKernel,
  type Specialization,
} from "../dsl/index.ts";
import type { Backend, Loadable, LoadedKernel } from "./backend.ts";
import type {
  Device,
  DeviceBuffer,
  DeviceEvent,
  Graph,
  KernelArgument,
  LaunchOptions,
  Stream,
} from "./device.ts";
import { openDiskCache } from "./disk-cache.ts";
import { type CacheStatistics, KernelCache } from "./kernel-cache.ts";
import { type Bound, KernelBinding } from "./launch.ts";
import { MemoryPool } from "./memory-pool.ts";

/** Everything of a specialisation that a launch needs, found by one key. */
interface Plan {
  readonly loaded: LoadedKernel;
  /** Indices into the bound dims of those that are in the ABI. */
  readonly abiDims: readonly number[];
  readonly words: Uint32Array;
  readonly config: Readonly<Record<string, number>>;
}

interface KernelState {
  readonly binding: KernelBinding;
  readonly plans: Map<string, Plan>;
}

export class CoreDevice implements Device {
  readonly #backend: Backend;
  readonly #pool: MemoryPool;
  readonly #cache: KernelCache;
  readonly #kernels = new WeakMap<KernelDefinition, KernelState>();
  readonly createStream?: () => Stream;
  readonly createEvent?: () => DeviceEvent;
  readonly capture?: (record: (stream: Stream) => void) => Graph;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#pool = new MemoryPool({
      alloc: (bytes) => backend.alloc(bytes, this),
      release: (buffer) => backend.release(buffer),
    });
    this.#cache = new KernelCache(openDiskCache());
    if (backend.createStream !== undefined) this.createStream = backend.createStream.bind(backend);
    if (backend.createEvent !== undefined) this.createEvent = backend.createEvent.bind(backend);
    if (backend.capture !== undefined) this.capture = backend.capture.bind(backend);
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
    if (this.#pool.free(buffer)) return;
    throw new LaunchError({
      code: "TW3006",
      message: "a buffer was freed that is not allocated",
      seen: `${buffer.bytes} bytes, freed before or of another device`,
      expected: "a live buffer of this device",
      remedy: "free each buffer once",
    });
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    this.#checkRange("write", buffer, byteOffset, data.byteLength);
    this.#backend.write(buffer, byteOffset, data);
  }

  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    this.#checkRange("read", buffer, byteOffset, bytes);
    return this.#backend.read(buffer, byteOffset, bytes);
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
    const state = this.#state(kernel);
    const bound = state.binding.bind(this, args, options, this.#isLive);
    const plan = state.plans.get(bound.key) ?? this.#plan(state, bound, options);
    const grid = this.#grid(kernel, state.binding, bound, plan);
    if (grid[0] === 0 || grid[1] === 0 || grid[2] === 0) return;
    packWords(plan, bound, state.binding);
    this.#backend.enqueue({
      kernel: plan.loaded,
      tensors: bound.tensors,
      words: plan.words,
      grid,
      stream: options?.stream,
    });
  }

  async prepare(
    kernel: KernelDefinition,
    args: Readonly<Record<string, KernelArgument>>,
    options?: LaunchOptions,
  ): Promise<void> {
    const state = this.#state(kernel);
    const bound = state.binding.bind(this, args, options, this.#isLive);
    if (state.plans.has(bound.key)) return;
    const { key } = bound;
    const loadable = this.#loadable(state.binding, bound, options);
    const loaded = await (this.#backend.loadAsync?.(loadable, this.#cache) ??
      this.#backend.load(loadable, this.#cache));
    state.plans.set(key, makePlan(loaded, loadable, state.binding, options));
  }

  async synchronize(): Promise<void> {
    await this.#backend.synchronize();
  }

  async close(): Promise<void> {
    await this.#backend.synchronize();
    this.#pool.close();
    await this.#backend.close();
  }

  readonly #isLive = (buffer: DeviceBuffer): boolean => this.#pool.isLive(buffer);

  #state(kernel: KernelDefinition): KernelState {
    let state = this.#kernels.get(kernel);
    if (state === undefined) {
      state = { binding: new KernelBinding(kernel), plans: new Map() };
      this.#kernels.set(kernel, state);
    }
    return state;
  }

  #plan(state: KernelState, bound: Bound, options: LaunchOptions | undefined): Plan {
    const start = performance.now();
    const loadable = this.#loadable(state.binding, bound, options);
    const plan = makePlan(
      this.#backend.load(loadable, this.#cache),
      loadable,
      state.binding,
      options,
    );
    state.plans.set(bound.key, plan);
    if (debugLevel() >= 3) {
      const ms = (performance.now() - start).toFixed(1);
      process.stderr.write(
        `tilewright: ${state.binding.kernel.name} {${bound.key}} ready on ${this.info.driver} in ${ms} ms\n`,
      );
      if (debugLevel() >= 4 && loadable.kind === "text")
        process.stderr.write(`${loadable.artifact.text}\n`);
    }
    return plan;
  }

  #loadable(binding: KernelBinding, bound: Bound, options: LaunchOptions | undefined): Loadable {
    const { kernel } = binding;
    const dtypes: Record<string, DType> = {};
    binding.dtypeVariables.forEach((name, i) => {
      const dtype = bound.dtypes[i];
      if (dtype !== undefined) dtypes[name] = dtype;
    });
    const dims: Record<string, number> = {};
    for (const name of kernel.specialize)
      dims[name] = bound.dims[binding.dimNames.indexOf(name)] ?? 0;
    const specialization: Specialization = {
      dtypes,
      dims,
      ...(options?.config === undefined ? {} : { config: options.config }),
      ...(options?.functions === undefined ? {} : { functions: options.functions }),
    };
    const { target } = this.#backend;
    if (target === undefined)
      return { kind: "tile", tile: lowerKernel(kernel, specialization).tile };
    const divisibility = binding.divisibility(bound.dims);
    return {
      kind: "text",
      artifact: this.#cache.artifact(kernel, { specialization, target, divisibility }),
    };
  }

  #grid(
    kernel: KernelDefinition,
    binding: KernelBinding,
    bound: Bound,
    plan: Plan,
  ): [number, number, number] {
    const dims: Record<string, number> = {};
    for (let i = 0; i < binding.dimNames.length; i++)
      dims[binding.dimNames[i] ?? ""] = bound.dims[i] ?? 0;
    const grid = kernel.grid(dims, plan.config);
    const [x = 1, y = 1, z = 1, ...rest] = typeof grid === "number" ? [grid] : grid;
    if (rest.length === 0 && isCount(x) && isCount(y) && isCount(z)) return [x, y, z];
    throw new LaunchError({
      code: "TW3111",
      message: `${kernel.name}: the grid is not one to three counts`,
      seen: JSON.stringify(grid),
      expected: "integers from 0 to 2147483647",
      remedy: "use cdiv() in `grid` so that sizes stay whole",
    });
  }

  #checkRange(what: string, buffer: DeviceBuffer, byteOffset: number, bytes: number): void {
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

function makePlan(
  loaded: LoadedKernel,
  loadable: Loadable,
  binding: KernelBinding,
  options: LaunchOptions | undefined,
): Plan {
  const abi =
    loadable.kind === "tile"
      ? loadable.tile.dims
      : loadable.artifact.params.flatMap((p) => (p.kind === "dim" ? [p.name] : []));
  const config = { ...binding.kernel.config, ...options?.config } as Record<string, number>;
  return {
    loaded,
    config,
    abiDims: abi.map((name) => binding.dimNames.indexOf(name)),
    words: new Uint32Array(abi.length + binding.scalarNames.length),
  };
}

const scratch = new DataView(new ArrayBuffer(4));

function packWords(plan: Plan, bound: Bound, binding: KernelBinding): void {
  const { words, abiDims } = plan;
  let at = 0;
  for (const dim of abiDims) words[at++] = bound.dims[dim] ?? 0;
  for (let i = 0; i < bound.scalars.length; i++) {
    const value = bound.scalars[i] ?? 0;
    if (binding.scalarSpecs[i]?.dtype === "f32") {
      scratch.setFloat32(0, value, true);
      words[at++] = scratch.getUint32(0, true);
    } else words[at++] = value;
  }
}

function isCount(n: number): boolean {
  return Number.isInteger(n) && n >= 0 && n < 2 ** 31;
}
