/** [runtime/drivers] One loaded CUDA function: shared-memory opt-in, cluster occupancy, plain and dependent launches. No arguments of its own. */

import { addressOf } from "../native/library.ts";
import type { CudaDriver } from "./driver.ts";

type Grid = readonly [number, number, number];

export interface FunctionShape {
  /** Name of the entry point. */
  readonly entry: string;
  readonly threads: number;
  /** Dynamic shared memory of a block in bytes. */
  readonly sharedBytes: number;
  /** Blocks of a cluster along x; 1 for none. */
  readonly cluster: number;
  /** Whether a launch may start before the one before it in the stream has ended. */
  readonly dependentLaunch: boolean;
}

/** CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES. @source CUDA driver API, enum CUfunction_attribute */
const MAX_DYNAMIC_SHARED = 8;
/** What a block may use without asking. */
const PLAIN_SHARED_BYTES = 48 * 1024;
/** CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, _PROGRAMMATIC_STREAM_SERIALIZATION. @source CUDA driver API, enum CUlaunchAttributeID */
const ATTRIBUTE_CLUSTER = 4;
const ATTRIBUTE_DEPENDENT = 6;

export class CudaFunction {
  readonly shape: FunctionShape;
  readonly handle: bigint;
  readonly #driver: CudaDriver;
  readonly #dependent: LaunchConfig | undefined;

  /** @throws DeviceError TW3203 where the module has no such function or the device no such shared memory */
  constructor(driver: CudaDriver, module: bigint, shape: FunctionShape) {
    const { library } = driver;
    const fn: [bigint] = [0n];
    const of = `of '${shape.entry}'`;
    driver.check(library.cuModuleGetFunction(fn, module, shape.entry), "cuModuleGetFunction", of);
    if (shape.sharedBytes > PLAIN_SHARED_BYTES) {
      const status = library.cuFuncSetAttribute(fn[0], MAX_DYNAMIC_SHARED, shape.sharedBytes);
      driver.check(status, "cuFuncSetAttribute", `${of} to ${shape.sharedBytes} shared bytes`);
    }
    this.#driver = driver;
    this.shape = shape;
    this.handle = fn[0];
    if (shape.dependentLaunch) this.#dependent = new LaunchConfig(shape, ATTRIBUTE_DEPENDENT, [1]);
  }

  /** Clusters that the whole device runs at once. Only for functions with a cluster. */
  activeClusters(): number {
    const { cluster } = this.shape;
    const config = new LaunchConfig(this.shape, ATTRIBUTE_CLUSTER, [cluster, 1, 1]);
    config.set([cluster * this.#driver.facts.multiprocessors, 1, 1], 0n);
    const count = [0];
    const status = this.#driver.library.cuOccupancyMaxActiveClusters(
      count,
      this.handle,
      config.address,
    );
    this.#driver.check(status, "cuOccupancyMaxActiveClusters", `of '${this.shape.entry}'`);
    return count[0] ?? 0;
  }

  /**
   * @param slotsAddress `kernelParams`: addresses of the arguments
   * @param startsEarly for functions whose launches may: false for one that waits for all before it
   */
  launch(grid: Grid, stream: bigint, slotsAddress: bigint, startsEarly = true): void {
    const { library } = this.#driver;
    const { entry, threads, sharedBytes } = this.shape;
    let status: number;
    if (this.#dependent === undefined || !startsEarly) {
      const [x, y, z] = grid;
      status = library.cuLaunchKernel(
        this.handle,
        x,
        y,
        z,
        threads,
        1,
        1,
        sharedBytes,
        stream,
        slotsAddress,
        null,
      );
    } else {
      this.#dependent.set(grid, stream);
      status = library.cuLaunchKernelEx(this.#dependent.address, this.handle, slotsAddress, null);
    }
    if (status !== 0)
      this.#driver.check(
        status,
        "cuLaunchKernel",
        `of '${entry}' with grid ${grid.join("×")}, ${threads} threads, ${sharedBytes} shared bytes`,
      );
  }
}

/**
 * A CUlaunchConfig with one attribute, as bytes: grid and block as six u32, shared bytes, stream at 32, attributes at 40, their count at
 * 48; an attribute is its id and, at 8, a union of 64 bytes.
 * @source CUDA driver API, CUlaunchConfig and CUlaunchAttribute
 */
class LaunchConfig {
  readonly address: bigint;
  readonly #words = new Uint32Array(14);
  readonly #pointers = new BigUint64Array(this.#words.buffer);
  readonly #attribute = new Uint32Array(18);

  constructor({ threads, sharedBytes }: FunctionShape, id: number, values: readonly number[]) {
    this.#attribute[0] = id;
    this.#attribute.set(values, 2);
    this.#words.set([threads, 1, 1, sharedBytes], 3);
    this.#pointers[5] = addressOf(this.#attribute);
    this.#words[12] = 1;
    this.address = addressOf(this.#words);
  }

  set(grid: Grid, stream: bigint): void {
    this.#words.set(grid, 0);
    this.#pointers[4] = stream;
  }
}
