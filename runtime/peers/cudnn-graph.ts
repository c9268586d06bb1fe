/** [runtime/peers] Descriptors of cuDNN's backend: tensors, operations, graphs and plans of execution. Knows no particular computation. */
import { DeviceError } from "../../dsl/index.ts";
import type { CudnnLibrary } from "./cudnn-library.ts";

/** cudnnDataType_t. @source cuDNN backend API, cudnn_graph.h */
export const CUDNN_DTYPE = { f32: 0, f16: 2, i32: 4, bf16: 9, bool: 11 } as const;
export type CudnnDType = (typeof CUDNN_DTYPE)[keyof typeof CUDNN_DTYPE];
/** cudnnPointwiseMode_t, cudnnReduceTensorOp_t. */
export const POINTWISE = {
  add: 0,
  mul: 1,
  div: 6,
  sub: 9,
  exp: 13,
  log: 15,
  greaterOrEqual: 303,
  index: 501,
  select: 601,
} as const;
export const REDUCE = { add: 0, max: 3 } as const;
/** cudnnBackendDescriptorType_t. */
const DESCRIPTOR = {
  pointwise: 0,
  engineConfig: 3,
  heuristics: 4,
  plan: 5,
  pointwiseOperation: 13,
  graph: 15,
  variantPack: 16,
  tensor: 17,
  matmul: 18,
  matmulOperation: 19,
  reduction: 21,
  reductionOperation: 22,
} as const;
/** cudnnBackendAttributeType_t. */
const TYPE = {
  handle: 0,
  dtype: 1,
  boolean: 2,
  i64: 3,
  pointer: 6,
  heuristicMode: 8,
  pointwiseMode: 14,
  descriptor: 15,
  reduction: 18,
} as const;
/** CUDNN_HEUR_MODE_A, what the library thinks fastest. */
const HEURISTIC_A = 3;
const ALIGNMENT = 16n;
const MESSAGE_BYTES = 1024;

/** A tensor of a graph: its descriptor, and the number by which a run names it. */
export interface GraphTensor {
  readonly descriptor: bigint;
  readonly uid: bigint;
}

/** Sizes and strides in elements; `virtual` tensors never exist in memory, `value` ones are scalars of the host. */
export interface TensorShape {
  readonly dtype: CudnnDType;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
  readonly kind?: "memory" | "virtual" | "value";
}

export interface Plan {
  readonly descriptor: bigint;
  readonly workspaceBytes: number;
}

export class CudnnGraph {
  readonly #library: CudnnLibrary;
  readonly #handle: bigint;
  readonly #open: bigint[] = [];
  readonly #operations: bigint[] = [];
  #lastUid = 0n;

  constructor(library: CudnnLibrary, handle: bigint) {
    this.#library = library;
    this.#handle = handle;
  }

  tensor({ dtype, dims, strides, kind = "memory" }: TensorShape): GraphTensor {
    const uid = ++this.#lastUid;
    const descriptor = this.#make(DESCRIPTOR.tensor, (set) => {
      set(900, TYPE.i64, BigInt64Array.of(ALIGNMENT));
      set(901, TYPE.dtype, Int32Array.of(dtype));
      set(902, TYPE.i64, BigInt64Array.from(dims, BigInt));
      set(903, TYPE.i64, BigInt64Array.from(strides, BigInt));
      set(906, TYPE.i64, BigInt64Array.of(uid));
      if (kind === "virtual") set(907, TYPE.boolean, Uint8Array.of(1));
      if (kind === "value") set(908, TYPE.boolean, Uint8Array.of(1));
    });
    return { descriptor, uid };
  }

  /** c = a · b over the last two dims, summed in f32. */
  matmul(a: GraphTensor, b: GraphTensor, c: GraphTensor): void {
    const how = this.#make(DESCRIPTOR.matmul, (set) =>
      set(1500, TYPE.dtype, Int32Array.of(CUDNN_DTYPE.f32)),
    );
    this.#operation(DESCRIPTOR.matmulOperation, {
      1520: a.descriptor,
      1521: b.descriptor,
      1522: c.descriptor,
      1523: how,
    });
  }

  /**
   * y = mode(x, b, t), element by element.
   * @param options `axis` of `index`; `t` the condition of `select`; `precision` of the computation, f32 where absent
   */
  pointwise(
    mode: number,
    x: GraphTensor,
    b: GraphTensor | undefined,
    y: GraphTensor,
    options: {
      readonly t?: GraphTensor;
      readonly precision?: CudnnDType;
      readonly axis?: number;
    } = {},
  ): void {
    const { t, precision = CUDNN_DTYPE.f32, axis } = options;
    const how = this.#make(DESCRIPTOR.pointwise, (set) => {
      set(0, TYPE.pointwiseMode, Int32Array.of(mode));
      set(1, TYPE.dtype, Int32Array.of(precision));
      if (axis !== undefined) set(9, TYPE.i64, BigInt64Array.of(BigInt(axis)));
    });
    this.#operation(DESCRIPTOR.pointwiseOperation, {
      750: how,
      751: x.descriptor,
      753: y.descriptor,
      ...(b === undefined ? {} : { 752: b.descriptor }),
      ...(t === undefined ? {} : { 758: t.descriptor }),
    });
  }

  /** y = the sum or the greatest of x along the dims in which y has size 1. */
  reduce(mode: number, x: GraphTensor, y: GraphTensor): void {
    const how = this.#make(DESCRIPTOR.reduction, (set) => {
      set(1600, TYPE.reduction, Int32Array.of(mode));
      set(1601, TYPE.dtype, Int32Array.of(CUDNN_DTYPE.f32));
    });
    this.#operation(DESCRIPTOR.reductionOperation, {
      1610: x.descriptor,
      1611: y.descriptor,
      1612: how,
    });
  }

  /**
   * What the library can run the graph with, the likely fastest first. The graph takes no more operations.
   * @throws DeviceError TW3231 where the graph itself is wrong
   */
  plans(most: number): readonly Plan[] {
    const graph = this.#make(DESCRIPTOR.graph, (set) => {
      set(800, TYPE.handle, BigUint64Array.of(this.#handle));
      set(801, TYPE.descriptor, BigUint64Array.from(this.#operations));
    });
    const heuristics = this.#make(DESCRIPTOR.heuristics, (set) => {
      set(201, TYPE.descriptor, BigUint64Array.of(graph));
      set(200, TYPE.heuristicMode, Int32Array.of(HEURISTIC_A));
    });
    const configs = BigUint64Array.from({ length: most }, () =>
      this.#create(DESCRIPTOR.engineConfig),
    );
    const count = [0];
    const get = this.#library.cudnnBackendGetAttribute;
    const status = get(heuristics, 202, TYPE.descriptor, most, count, configs);
    if (status !== 0) return [];
    return [...configs.subarray(0, Number(count[0]))].flatMap((config) => this.#plan(config));
  }

  /** Data of a run: addresses of the tensors on the device, and of values on the host. */
  variantPack(data: readonly (readonly [GraphTensor, bigint])[], workspace: bigint): bigint {
    return this.#make(DESCRIPTOR.variantPack, (set) => {
      set(
        1000,
        TYPE.i64,
        BigInt64Array.from(data, ([{ uid }]) => uid),
      );
      set(
        1001,
        TYPE.pointer,
        BigUint64Array.from(data, ([, address]) => address),
      );
      set(1003, TYPE.pointer, BigUint64Array.of(workspace));
    });
  }

  close(): void {
    for (const descriptor of this.#open.splice(0).reverse())
      this.#library.cudnnBackendDestroyDescriptor(descriptor);
  }

  /** None where the library cannot compile this one here. */
  #plan(config: bigint): readonly Plan[] {
    const descriptor = this.#create(DESCRIPTOR.plan);
    this.#set(descriptor, 400, TYPE.handle, BigUint64Array.of(this.#handle));
    this.#set(descriptor, 401, TYPE.descriptor, BigUint64Array.of(config));
    if (this.#library.cudnnBackendFinalize(descriptor) !== 0) return [];
    const bytes = new BigInt64Array(1);
    const get = this.#library.cudnnBackendGetAttribute;
    const status = get(descriptor, 402, TYPE.i64, 1, [0], bytes);
    return status === 0 ? [{ descriptor, workspaceBytes: Number(bytes[0]) }] : [];
  }

  #operation(type: number, links: Readonly<Record<number, bigint>>): void {
    const operation = this.#make(type, (set) => {
      for (const [name, descriptor] of Object.entries(links))
        set(Number(name), TYPE.descriptor, BigUint64Array.of(descriptor));
    });
    this.#operations.push(operation);
  }

  #make(
    type: number,
    fill: (set: (name: number, type: number, values: Values) => void) => void,
  ): bigint {
    const descriptor = this.#create(type);
    fill((name, of, values) => this.#set(descriptor, name, of, values));
    this.#check(this.#library.cudnnBackendFinalize(descriptor), `finalizing descriptor ${type}`);
    return descriptor;
  }

  #create(type: number): bigint {
    const descriptor: [bigint] = [0n];
    const status = this.#library.cudnnBackendCreateDescriptor(type, descriptor);
    this.#check(status, `creating descriptor ${type}`);
    this.#open.push(descriptor[0]);
    return descriptor[0];
  }

  #set(descriptor: bigint, name: number, type: number, values: Values): void {
    const { cudnnBackendSetAttribute: set } = this.#library;
    this.#check(set(descriptor, name, type, values.length, values), `setting attribute ${name}`);
  }

  #check(status: number, what: string): void {
    checkCudnn(this.#library, status, what);
  }
}

type Values = Uint8Array | Int32Array | BigInt64Array | BigUint64Array;

/** @throws DeviceError TW3231 naming what was done and what the library says of it */
export function checkCudnn(library: CudnnLibrary, status: number, what: string): void {
  if (status === 0) return;
  const text = new Uint8Array(MESSAGE_BYTES);
  library.cudnnGetLastErrorString(text, MESSAGE_BYTES);
  const said = Buffer.from(text.subarray(0, text.indexOf(0))).toString("utf8");
  throw new DeviceError({
    code: "TW3231",
    message: `cuDNN failed at ${what}`,
    seen: `cudnnStatus_t ${status}${said === "" ? "" : ` (${said})`}`,
    expected: "CUDNN_STATUS_SUCCESS",
    remedy: "leave the vendor out by --no-vendor, or point TILEWRIGHT_CUDNN at another version",
  });
}
