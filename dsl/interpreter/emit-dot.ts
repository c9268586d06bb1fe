/** [dsl/interpreter] Contractions: brings both operands to rows that run along the contracted axis; dot.ts multiplies. */
import { type DType, isFloat } from "../core/dtype.ts";
import type { DotOp, Op, ReduceOp } from "../ir/nodes.ts";
import { type Axis, findAxis, isScalar, type Value } from "../ir/types.ts";
import type { CodeWriter } from "./code-writer.ts";
import type { Emission } from "./emission.ts";
import { type Leaf, scalarsOf } from "./expression.ts";
import { fuseAxes, isRowMajor, rowMajor, strideOf } from "./nest.ts";

/** An operand as a matrix: `buffer[row * rowStride + k * kStride]`. */
interface Matrix {
  readonly buffer: string;
  readonly rows: number;
  readonly rowStride: number;
  readonly kStride: number;
}

/** Rows over `others` that run along `axis`; packed first where the leaf's own strides do not give such rows. */
function matrixOf(
  e: Emission,
  op: Op,
  leaf: Leaf,
  dtype: DType,
  others: readonly Axis[],
  axis: Axis,
): Matrix {
  const direct = asMatrix(leaf, others, axis.name);
  if (direct !== undefined) return direct;
  const axes = [...others, axis];
  const packed = e.scratch(dtype, axes);
  e.call(op, [], (w) => e.writeTile(w, packed, axes, { kind: "leaf", leaf }));
  return matrixFrom(packed, others, axis.name, axis.size);
}

function operandMatrix(e: Emission, op: DotOp, value: Value): Matrix {
  const { axes, dtype } = value.type;
  const axis = findAxis(value.type, op.axis) ?? { name: op.axis, size: 0 };
  const others = axes.filter((other) => other.name !== op.axis);
  return matrixOf(e, op, e.leaf(op, value), dtype, others, axis);
}

/** The rows of a leaf over `others`, where all of them fuse into one axis. */
function asMatrix(leaf: Leaf, others: readonly Axis[], axis: string): Matrix | undefined {
  const levels = fuseAxes(others, [leaf]);
  const [first, second] = levels;
  if (second !== undefined) return undefined;
  const stride = first === undefined ? 0 : strideOf(leaf, first.axis);
  return matrixFrom(leaf, others, axis, stride);
}

function matrixFrom(leaf: Leaf, others: readonly Axis[], axis: string, rowStride: number): Matrix {
  const rows = others.reduce((n, other) => n * other.size, 1);
  return { buffer: leaf.buffer ?? "", rows, rowStride, kStride: strideOf(leaf, axis) };
}

/** Name of the accumulator's row-major buffer, or `undefined` where it is zero or absent. */
function accumulator(e: Emission, op: DotOp): string {
  if (op.acc === undefined) return "undefined";
  const expression = e.expression(op.acc);
  if (expression.kind === "literal" && expression.text === "0") return "undefined";
  const leaf = e.leaf(op, op.acc);
  if (isRowMajor(leaf, op.acc.type.axes)) return leaf.buffer ?? "undefined";
  const acc = op.acc;
  const copy = e.scratch(acc.type.dtype, acc.type.axes);
  e.call(op, [], (w) => e.writeTile(w, copy, acc.type.axes, { kind: "leaf", leaf }));
  return copy.buffer ?? "undefined";
}

/** Emits the contraction of two tiles, or of a tile with a vector. */
export function emitDot(e: Emission, op: DotOp): void {
  const a = operandMatrix(e, op, op.a);
  const b = operandMatrix(e, op, op.b);
  const k = findAxis(op.a.type, op.axis)?.size ?? 0;
  const { dtype } = op.result.type;
  const scalar = isScalar(op.result.type);
  const accScalar = scalar && op.acc !== undefined ? e.expression(op.acc) : undefined;
  const acc = scalar ? "undefined" : accumulator(e, op);
  const out = scalar ? e.scratch(dtype, []) : e.allocate(op.result);
  const body = (w: CodeWriter): void => {
    const matrices = [a, b].map((m) => `${m.buffer}, ${m.rows}, ${m.rowStride}, ${m.kStride}`);
    const name = isFloat(dtype) ? (e.options.wideSums ? "dotWide" : "dotF32") : "dotI32";
    let last: string = acc;
    if (accScalar !== undefined) {
      const single = e.scratch(dtype, []);
      const text = accScalar.kind === "literal" ? accScalar.text : scalarsOf(accScalar)[0];
      w.line(`${single.buffer}[0] = ${text};`);
      last = single.buffer ?? "undefined";
    }
    const check = name === "dotI32" && e.options.checks ? `, ${e.site(op)}` : "";
    w.line(`${name}(${out.buffer}, ${matrices.join(", ")}, ${k}, ${last}${check});`);
    if (scalar) w.line(`return ${out.buffer}[0];`);
  };
  const scalars = accScalar === undefined ? [] : scalarsOf(accScalar);
  e.call(op, scalars, body, scalar ? op.result : undefined);
  if (!scalar) e.define(op.result, { kind: "leaf", leaf: out });
}

/** Below this many products a plain loop is as fast. */
const FEW_PRODUCTS = 256;

/**
 * Emits `sum(a * b, axis)` as a matrix product where no other axis is shared by both factors. The order of the sum is the
 * same as that of a reduction, so the result differs at most in the sign of a zero.
 * @returns false where the sum has another form, or is small
 */
export function emitProductSum(e: Emission, op: ReduceOp): boolean {
  const expression = e.expression(op.x);
  const axis = findAxis(op.x.type, op.axis);
  if (op.fn !== "sum" || expression.kind !== "apply" || axis === undefined) return false;
  if (expression.factors === undefined || isScalar(op.result.type)) return false;
  const varies = (leaf: Leaf, { name, size }: Axis): boolean =>
    size > 1 && strideOf(leaf, name) !== 0;
  const [left, right] = expression.factors;
  const { axes } = op.result.type;
  const ofLeft = axes.filter((other) => varies(left, other));
  const ofRight = axes.filter((other) => varies(right, other));
  if (left.buffer === undefined || right.buffer === undefined) return false;
  if (ofLeft.some((other) => ofRight.includes(other))) return false;
  const outAxes = [...ofLeft, ...ofRight];
  const products = outAxes.reduce((n, other) => n * other.size, axis.size);
  if (products < FEW_PRODUCTS) return false;
  const a = matrixOf(e, op, left, "f32", ofLeft, axis);
  const b = matrixOf(e, op, right, "f32", ofRight, axis);
  const plan = e.scratch("f32", outAxes);
  e.call(op, [], (w) => {
    const matrices = [a, b].map((m) => `${m.buffer}, ${m.rows}, ${m.rowStride}, ${m.kStride}`);
    const name = e.options.wideSums ? "dotWide" : "dotF32";
    w.line(`${name}(${plan.buffer}, ${matrices.join(", ")}, ${axis.size}, undefined);`);
  });
  e.define(op.result, { kind: "leaf", leaf: { buffer: plan.buffer, strides: rowMajor(outAxes) } });
  return true;
}
