/** [runtime/conformance] What one conformance case is, and how a case is written. Nothing here runs anything. */
import type { PackedOrder } from "../../codegen/index.ts";
import {
  type DType,
  decodeArray,
  encodeArray,
  isFloat,
  type KernelDefinition,
  type Specialization,
  type Tolerance,
} from "../../dsl/index.ts";
import type { ExpectedTensor, HostTensor } from "../../dsl/kernels/catalogue.ts";

/** Contents of one launch. */
export interface CaseData {
  /** Every tensor parameter before the launch; also those that are only written (what no program stores must stay). */
  readonly tensors: Readonly<Record<string, HostTensor>>;
  readonly scalars: Readonly<Record<string, number>>;
  /** What must be there afterwards, by an implementation of its own; absent where the interpreter says it. */
  readonly expected?: Readonly<Record<string, ExpectedTensor>>;
}

export interface ConformanceCase {
  readonly group: string;
  /** Unique in its group. */
  readonly name: string;
  readonly kernel: KernelDefinition;
  /** Dims are bound by the tensors. */
  readonly specialization: Specialization;
  readonly data: () => CaseData;
  /** By output tensor, for those that the interpreter gives; `exact` where absent. */
  readonly tolerance?: Readonly<Record<string, Tolerance>>;
  /** Names of the rows of an output along its first dim, so that a message can say which function is wrong. */
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  /** False: the interpreter computes what must come out without its checks, for launches that overflow on purpose. */
  readonly checked?: boolean;
  /** Packed tensors are launched in these orders; `chosen`: each in the one that the compiler chooses. Row-major where absent. */
  readonly orders?: CaseOrders;
}

export type CaseOrders = "chosen" | Readonly<Record<string, PackedOrder>>;

/** A case as its author writes it; see `defineCases`. */
export interface CaseSpec extends Specialization {
  readonly name: string;
  readonly kernel: KernelDefinition;
  readonly tensors: Readonly<Record<string, HostTensor>>;
  readonly scalars?: Readonly<Record<string, number>>;
  readonly tolerance?: Readonly<Record<string, Tolerance>>;
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  readonly checked?: boolean;
  readonly orders?: CaseOrders;
}

/** Gives the cases of one group their common form. */
export function defineCases(group: string, specs: readonly CaseSpec[]): readonly ConformanceCase[] {
  return specs.map((spec) => {
    const { name, kernel, tensors, scalars = {}, tolerance, rows, checked, orders, ...rest } = spec;
    return {
      group,
      name: `${kernel.name}: ${name}`,
      kernel,
      specialization: rest,
      data: () => ({ tensors, scalars }),
      ...(tolerance === undefined ? {} : { tolerance }),
      ...(rows === undefined ? {} : { rows }),
      ...(checked === undefined ? {} : { checked }),
      ...(orders === undefined ? {} : { orders }),
    };
  });
}

/** Number that outputs start with: nothing plausible, the same whatever the dtype rounds it to. */
const UNTOUCHED = -77;

/**
 * A tensor of numbers, rounded to `dtype`.
 * @param values row-major; a function of the index, a list, or one number for all
 */
export function tensorOf(
  dtype: DType,
  shape: readonly number[],
  values: ((index: number) => number) | readonly number[] | number,
): HostTensor {
  const count = shape.reduce((n, size) => n * size, 1);
  const valueAt = (i: number): number => {
    if (typeof values === "number") return values;
    return typeof values === "function" ? values(i) : (values[i % Math.max(1, values.length)] ?? 0);
  };
  const plain = Float64Array.from({ length: count }, (_, i) => valueAt(i));
  const data = Float64Array.from(decodeArray(dtype, encodeArray(dtype, plain), count));
  return { dtype, shape, data };
}

/** A tensor that the kernel writes: holds what must still be there where it does not. */
export function outputOf(dtype: DType, shape: readonly number[]): HostTensor {
  return tensorOf(dtype, shape, isFloat(dtype) || dtype === "i32" ? UNTOUCHED : 1);
}

/** Seeded uniform numbers in [0, 1): a Weyl sequence through a mixing function, the same everywhere. */
export function uniform(seed: number): (index: number) => number {
  return (index) => {
    let x = (Math.imul(seed, 0x9e3779b1) + Math.imul(index + 1, 0x85ebca6b)) >>> 0;
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** Seeded numbers of both signs around 1 for floats; over the whole range of a type of 4 or 8 bits, ±1000 else. */
export function randomValues(dtype: DType, seed: number): (index: number) => number {
  const at = uniform(seed);
  switch (dtype) {
    case "f32":
    case "f16":
    case "bf16":
    case "f8e4m3":
    case "f8e5m2":
      return (i) => (at(i) - 0.5) * 4;
    case "f4e2m1":
      return (i) => (at(i) - 0.5) * 14;
    case "nf4":
      return (i) => (at(i) - 0.5) * 2.2;
    case "f8e8m0":
      return (i) => 2 ** Math.floor((at(i) - 0.5) * 12);
    case "i32":
      return (i) => Math.floor(at(i) * 2001) - 1000;
    case "u32":
      return (i) => Math.floor(at(i) * 2001);
    case "i8":
      return (i) => Math.floor(at(i) * 256) - 128;
    case "u8":
      return (i) => Math.floor(at(i) * 256);
    case "i4":
      return (i) => Math.floor(at(i) * 16) - 8;
    case "u4":
      return (i) => Math.floor(at(i) * 16);
    case "bool":
      return (i) => (at(i) < 0.5 ? 0 : 1);
    default:
      return dtype satisfies never;
  }
}

export function randomTensorOf(dtype: DType, shape: readonly number[], seed: number): HostTensor {
  return tensorOf(dtype, shape, randomValues(dtype, seed));
}
