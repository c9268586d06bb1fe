/** [dsl/frontend] What an expression can stand for while a kernel is lowered: constants, tiles, dims, indices, functions. */
import type { DType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { BarrierOp, RingOp } from "../ir/explicit.ts";
import type { RangeHints, TensorParam } from "../ir/nodes.ts";
import { type Axis, formatType, type Value } from "../ir/types.ts";
import type { OpRecord } from "../ops/define-op.ts";
import type { HirFunction } from "./hir.ts";
import type { Scope } from "./scope.ts";

export type Constant = number | boolean | string | undefined;

export interface ConstValue {
  readonly kind: "const";
  readonly value: Constant;
}
/** A tile or scalar known only at run time. `adaptable`: a literal under trial whose dtype may still change. */
export interface RuntimeValue {
  readonly kind: "value";
  readonly value: Value;
  readonly adaptable?: boolean;
}
/** A named size. Without `size` it is bound at launch. */
export interface DimValue {
  readonly kind: "dim";
  readonly name: string;
  readonly size?: number;
}
export interface SpanValue {
  readonly kind: "span";
  readonly axis: Axis;
  readonly start: AbstractValue;
  readonly end?: AbstractValue;
}
export interface GatherValue {
  readonly kind: "gather";
  readonly index: Value;
}
export interface TensorValue {
  readonly kind: "tensor";
  readonly param: TensorParam;
}
export interface DTypeValue {
  readonly kind: "dtype";
  readonly dtype: DType;
  readonly variable: string;
}
export interface ArrayValue {
  readonly kind: "array";
  readonly items: readonly AbstractValue[];
}
export interface ObjectValue {
  readonly kind: "object";
  readonly fields: Readonly<Record<string, AbstractValue>>;
}
/** A function of the source, with the scope it was written in. */
export interface FunctionValue {
  readonly kind: "function";
  readonly fn: HirFunction;
  readonly scope: Scope;
}
export interface OpValue {
  readonly kind: "op";
  readonly op: OpRecord;
}
/** `Math`, or `import * as name`. Members are looked up when they are named. */
export interface NamespaceValue {
  readonly kind: "namespace";
  readonly name: string;
  readonly member: (name: string) => AbstractValue | undefined;
}
/** A function of `Math`. */
export interface MathValue {
  readonly kind: "math";
  readonly name: string;
}
/** What `range()` gives; only `for … of` takes it. */
export interface RangeValue {
  readonly kind: "range";
  readonly lo: AbstractValue;
  readonly hi: AbstractValue;
  readonly step: AbstractValue;
  readonly hints: RangeHints;
}
/** A `while` condition with its own bound. */
export interface BoundedValue {
  readonly kind: "bounded";
  readonly cond: AbstractValue;
  readonly maxTrips: number;
}
/** What `shared()` and `barrier()` give: memory of the block by its name. */
export interface SharedValue {
  readonly kind: "shared";
  readonly ring: RingOp;
}
export interface BarrierValue {
  readonly kind: "barrier";
  readonly barrier: BarrierOp;
}
/** Stands where an error was reported already; using it reports nothing more. */
export interface ErrorValue {
  readonly kind: "error";
}

export type AbstractValue =
  | ConstValue
  | RuntimeValue
  | DimValue
  | SpanValue
  | GatherValue
  | TensorValue
  | DTypeValue
  | ArrayValue
  | ObjectValue
  | FunctionValue
  | OpValue
  | NamespaceValue
  | MathValue
  | RangeValue
  | BoundedValue
  | SharedValue
  | BarrierValue
  | ErrorValue;

/** Where an op comes from and what to call its result. */
export interface Place {
  readonly loc: Location;
  readonly hint?: string;
}

export const UNDEFINED: ConstValue = { kind: "const", value: undefined };
export const ERROR: ErrorValue = { kind: "error" };

export function constant(value: Constant): ConstValue {
  return { kind: "const", value };
}

export function runtime(value: Value): RuntimeValue {
  return { kind: "value", value };
}

/** The number that is known at compile time, if there is one. */
export function knownNumber(av: AbstractValue): number | undefined {
  if (av.kind === "const") return typeof av.value === "number" ? av.value : undefined;
  return av.kind === "dim" ? av.size : undefined;
}

/** The compile-time value, if there is one; a fixed dim is its size. */
export function knownValue(av: AbstractValue): Constant {
  if (av.kind === "const") return av.value;
  return av.kind === "dim" ? av.size : undefined;
}

export function isKnown(av: AbstractValue): boolean {
  return av.kind === "const" || (av.kind === "dim" && av.size !== undefined);
}

/** What an error message says was seen. */
export function describe(av: AbstractValue): string {
  switch (av.kind) {
    case "const":
      return describeConstant(av.value);
    case "value":
      return av.value.type.axes.length === 0
        ? `a scalar ${formatType(av.value.type)}`
        : `a tile ${formatType(av.value.type)}`;
    case "dim":
      return av.size === undefined
        ? `the dim ${av.name}, bound at launch`
        : `the dim ${av.name} = ${av.size}`;
    case "span":
      return `a span over ${av.axis.name}`;
    case "gather":
      return "a gather index";
    case "tensor":
      return `the tensor ${av.param.name}`;
    case "dtype":
      return `the dtype ${av.variable} = ${av.dtype}`;
    case "array":
      return `an array of ${av.items.length}`;
    case "object":
      return `an object with ${Object.keys(av.fields).join(", ") || "no fields"}`;
    case "function":
      return `the function ${av.fn.name}`;
    case "op":
      return `the op ${av.op.name}`;
    case "namespace":
      return av.name;
    case "math":
      return `Math.${av.name}`;
    case "range":
      return "a range";
    case "bounded":
      return "a bounded condition";
    case "shared":
      return `the shared memory ${av.ring.ring}`;
    case "barrier":
      return `the barrier ${av.barrier.barrier}`;
    case "error":
      return "an earlier error";
    default:
      return av satisfies never;
  }
}

function describeConstant(value: Constant): string {
  if (value === undefined) return "nothing (undefined)";
  return typeof value === "string" ? `the string '${value}'` : `the constant ${String(value)}`;
}

/** What a module constant may be. */
export function isCompileTime(av: AbstractValue): boolean {
  switch (av.kind) {
    case "array":
      return av.items.every(isCompileTime);
    case "object":
      return Object.values(av.fields).every(isCompileTime);
    case "const":
    case "dim":
    case "function":
    case "op":
    case "math":
    case "namespace":
    case "dtype":
      return true;
    case "value":
    case "span":
    case "gather":
    case "tensor":
    case "range":
    case "bounded":
    case "shared":
    case "barrier":
    case "error":
      return false;
    default:
      return av satisfies never;
  }
}
