/** [dsl/interpreter] Contractions: brings both operands to rows that run along the contracted axis; dot.ts multiplies. */
import { isFloat } from "../core/dtype.ts";
import type { DotOp } from "../ir/nodes.ts";
import { type Axis, findAxis, isScalar, type Value } from "../ir/types.ts";
import type { CodeWriter } from "./code-writer.ts";
import type { Emission } from "./emission.ts";
import { type Expression, type Leaf, scalarsOf } from "./expression.ts";
import { fuseAxes, isRowMajor, strideOf } from "./nest.ts";

/** An operand as a matrix: `buffer[row * rowStride + k * kStride]`. */
interface Matrix {
  readonly buffer: string;
  readonly rows: number;
  readonly rowStride: number;
  readonly kStride: number;
}

function matrixOf(e: Emission, op: DotOp, value: Value): Matrix {
  const others = value.type.axes.filter((axis) => axis.name !== op.axis);
  const leaf = e.leaf(op, value);
  const direct = asMatrix(leaf, others, op.axis);
  if (direct !== undefined) return direct;
  const source: Expression = { kind: "leaf", leaf };
  const contracted = findAxis(value.type, op.axis);
  const axes = contracted === undefined ? others : [...others, contracted];
  const packed = e.scratch(value.type.dtype, axes);
  e.call(op, [], (w) => e.writeTile(w, packed, value, source));
  return matrixFrom(packed, others, op.axis, contracted?.size ?? 0);
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
  e.call(op, [], (w) => e.writeTile(w, copy, acc, { kind: "leaf", leaf }));
  return copy.buffer ?? "undefined";
}

/** Emits the contraction of two tiles, or of a tile with a vector. */
export function emitDot(e: Emission, op: DotOp): void {
  const a = matrixOf(e, op, op.a);
  const b = matrixOf(e, op, op.b);
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
