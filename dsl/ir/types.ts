/** [dsl/ir] Types and values of the tile IR: named axes, value types, SSA values. Ops live in nodes.ts. */
import type { DType } from "../core/dtype.ts";

/** A named axis of a tile with its size in elements, fixed at compile time. */
export interface Axis {
  readonly name: string;
  readonly size: number;
}

/** A scalar is a tile without axes. Axes are ordered; the last one is the fastest where order matters. */
export interface ValueType {
  readonly dtype: DType;
  readonly axes: readonly Axis[];
}

/** An SSA value. `id` is unique in its kernel; `name` is the source variable, or a hint where there is none. */
export interface Value {
  readonly id: number;
  readonly name: string;
  readonly type: ValueType;
}

export function scalarType(dtype: DType): ValueType {
  return { dtype, axes: [] };
}

export function isScalar(type: ValueType): boolean {
  return type.axes.length === 0;
}

export function elementCount(type: ValueType): number {
  return type.axes.reduce((n, axis) => n * axis.size, 1);
}

export function findAxis(type: ValueType, name: string): Axis | undefined {
  return type.axes.find((axis) => axis.name === name);
}

export function sameAxes(a: readonly Axis[], b: readonly Axis[]): boolean {
  return (
    a.length === b.length &&
    a.every((axis, i) => axis.name === b[i]?.name && axis.size === b[i]?.size)
  );
}

export function sameType(a: ValueType, b: ValueType): boolean {
  return a.dtype === b.dtype && sameAxes(a.axes, b.axes);
}

/** `f32[BM=128, BN=64]`, or `i32` for a scalar. */
export function formatType(type: ValueType): string {
  if (type.axes.length === 0) return type.dtype;
  return `${type.dtype}[${type.axes.map((axis) => `${axis.name}=${axis.size}`).join(", ")}]`;
}
