/** [dsl/interpreter] Elementwise ops, constants, and ops that only rename or regroup axes. */
import { isFloat } from "../core/dtype.ts";
import type { Op } from "../ir/nodes.ts";
import type { Axis } from "../ir/types.ts";
import {
  binaryText,
  bitcastText,
  castText,
  compareText,
  literalText,
  unaryText,
} from "./element-text.ts";
import type { Emission } from "./emission.ts";
import { type Expression, type Leaf, scalarsOf } from "./expression.ts";
import { rowMajor, strideOf } from "./nest.ts";

/** Transcendental functions and divisions cost more than the rest; the unit is one addition. */
const DEAR = 8;
const DEAR_FNS: ReadonlySet<string> = new Set([
  "exp",
  "exp2",
  "log",
  "log2",
  "sqrt",
  "rsqrt",
  "sin",
  "cos",
  "tanh",
  "erf",
  "div",
  "floordiv",
  "mod",
  "mulhi",
]);
/** Int functions that can report a finding. */
const CHECKED_FNS: ReadonlySet<string> = new Set([
  "neg",
  "abs",
  "add",
  "sub",
  "mul",
  "floordiv",
  "mod",
]);

type ElementwiseOp = Extract<
  Op,
  { kind: "unary" | "binary" | "compare" | "select" | "cast" | "bitcast" }
>;

function apply(
  cost: number,
  parts: readonly Expression[],
  text: (a: string, b: string, c: string) => string,
): Extract<Expression, { kind: "apply" }> {
  return { kind: "apply", cost, parts, text: (a = "", b = "", c = "") => text(a, b, c) };
}

/** Number of the element that is computed, for findings of an op that can have some; otherwise nothing that is read. */
function position(e: Emission, op: ElementwiseOp): Expression {
  if (!canReport(e, op)) return { kind: "literal", text: "0" };
  return { kind: "leaf", leaf: { buffer: undefined, strides: rowMajor(op.result.type.axes) } };
}

/** The expression of an elementwise op over those of its operands. */
function elementwise(e: Emission, op: ElementwiseOp): Expression {
  switch (op.kind) {
    case "unary": {
      const { dtype } = op.x.type;
      const cost = DEAR_FNS.has(op.fn) ? DEAR : 1;
      const parts = [e.expression(op.x), position(e, op)];
      return apply(cost, parts, (x, at) => unaryText(op.fn, dtype, x, e.checkedSite(op, at)));
    }
    case "binary": {
      const { dtype } = op.a.type;
      const cost = DEAR_FNS.has(op.fn) ? DEAR : 1;
      const parts = [e.expression(op.a), e.expression(op.b), position(e, op)];
      const text = (a: string, b: string, at: string): string =>
        binaryText(op.fn, dtype, a, b, e.checkedSite(op, at));
      const [a, b] = parts;
      const isProduct = op.fn === "mul" && dtype === "f32";
      const factors =
        isProduct && a?.kind === "leaf" && b?.kind === "leaf"
          ? { factors: [a.leaf, b.leaf] as const }
          : {};
      return { ...apply(cost, parts, text), ...factors };
    }
    case "compare":
      return apply(1, [e.expression(op.a), e.expression(op.b)], (a, b) => compareText(op.fn, a, b));
    case "select": {
      const parts = [e.expression(op.cond), e.expression(op.a), e.expression(op.b)];
      return apply(1, parts, (cond, a, b) => `(${cond} !== 0 ? ${a} : ${b})`);
    }
    case "cast":
    case "bitcast": {
      const from = op.x.type.dtype;
      const to = op.result.type.dtype;
      const convert = op.kind === "cast" ? castText : bitcastText;
      const x = e.expression(op.x);
      const same = convert(from, to, "x") === "x" && (from !== "bool" || to === "bool");
      if (same) return x; // both are kept as the same numbers in the same kind of array
      const cast = apply(1, [x], (text) => convert(from, to, text));
      const narrowed = op.kind === "cast" && from === "f32" && isFloat(to);
      return narrowed ? { ...cast, rounding: { dtype: to, text: (text) => text } } : cast;
    }
    default:
      return op satisfies never;
  }
}

function canReport(e: Emission, op: ElementwiseOp): boolean {
  if (!e.options.checks || (op.kind !== "unary" && op.kind !== "binary")) return false;
  const { dtype } = op.result.type;
  return CHECKED_FNS.has(op.fn) && !dtype.startsWith("f") && dtype !== "bf16";
}

function emitRename(e: Emission, op: Extract<Op, { kind: "rename" }>): void {
  const leaf = e.leaf(op, op.x);
  const strides = op.result.type.axes.map(
    (axis, i) => [axis.name, strideOf(leaf, op.x.type.axes[i]?.name ?? "")] as const,
  );
  e.define(op.result, { kind: "leaf", leaf: { ...leaf, strides: new Map(strides) } });
}

/** Stride of adjacent axes fused into one, or undefined where they cannot be stepped through as one. */
function fusedStride(leaf: Leaf, axes: readonly Axis[]): number | undefined {
  const kept = axes.filter((axis) => axis.size > 1);
  for (const [i, inner] of kept.entries()) {
    const outer = kept[i - 1];
    if (outer === undefined) continue;
    if (strideOf(leaf, outer.name) !== strideOf(leaf, inner.name) * inner.size) return undefined;
  }
  return strideOf(leaf, kept.at(-1)?.name ?? "");
}

function emitMerge(e: Emission, op: Extract<Op, { kind: "merge" }>): void {
  const fused = op.x.type.axes.filter((axis) => op.axes.includes(axis.name));
  let leaf = e.leaf(op, op.x);
  let stride = fusedStride(leaf, fused);
  if (stride === undefined) {
    const source: Expression = { kind: "leaf", leaf };
    const copy = e.scratch(op.x.type.dtype, op.x.type.axes);
    e.call(op, [], (w) => e.writeTile(w, copy, op.x.type.axes, source));
    leaf = copy;
    stride = fusedStride(copy, fused) ?? 1;
  }
  const strides = new Map(leaf.strides);
  for (const name of op.axes) strides.delete(name); // a later broadcast may bring the name back
  strides.set(op.into, stride);
  e.define(op.result, { kind: "leaf", leaf: { ...leaf, strides } });
}

function emitSplit(e: Emission, op: Extract<Op, { kind: "split" }>): void {
  const leaf = e.leaf(op, op.x);
  const strides = new Map(leaf.strides);
  let stride = strideOf(leaf, op.axis);
  strides.delete(op.axis);
  for (const name of [...op.into].reverse()) {
    strides.set(name, stride);
    stride *= op.result.type.axes.find((axis) => axis.name === name)?.size ?? 1;
  }
  e.define(op.result, { kind: "leaf", leaf: { ...leaf, strides } });
}

/** A splat stays a splat under any regrouping of axes. */
function isSplat(expression: Expression): boolean {
  return expression.kind === "literal" || expression.kind === "scalar";
}

function emitAssert(e: Emission, op: Extract<Op, { kind: "assert" }>): void {
  const cond = e.expression(op.cond);
  const copy = e.scratch("bool", op.cond.type.axes);
  e.call(op, scalarsOf(cond), (w) => {
    e.writeTile(w, copy, op.cond.type.axes, cond);
    w.line(`const at = ${copy.buffer}.indexOf(0);`);
    w.line(`if (at >= 0) failAssert(${e.site(op)}, at);`);
  });
}

function emitSource(e: Emission, op: Op): boolean {
  switch (op.kind) {
    case "const": {
      const text = literalText(op.result.type.dtype, op.value);
      e.define(op.result, { kind: "literal", text });
      return true;
    }
    case "dim":
      e.defineScalar(op.result, `dims[${JSON.stringify(op.dim)}]`);
      return true;
    case "param":
      e.defineScalar(op.result, `scalars[${JSON.stringify(op.param)}]`);
      return true;
    case "pid":
      e.define(op.result, { kind: "scalar", name: `pid${op.axis}` });
      return true;
    case "num_programs":
      e.define(op.result, { kind: "scalar", name: `programs${op.axis}` });
      return true;
    case "iota": {
      const axis = op.result.type.axes[0]?.name ?? "";
      const positions: Leaf = { buffer: undefined, strides: new Map([[axis, 1]]) };
      e.define(op.result, { kind: "leaf", leaf: positions });
      return true;
    }
    default:
      return false;
  }
}

/** Emits an op without loops over memory or axes; false for other ops. */
export function emitPure(e: Emission, op: Op): boolean {
  if (emitSource(e, op)) return true;
  switch (op.kind) {
    case "unary":
    case "binary":
    case "compare":
    case "select":
    case "cast":
    case "bitcast":
      e.defineElementwise(op, op.result, elementwise(e, op), canReport(e, op));
      return true;
    case "broadcast":
      e.defineElementwise(op, op.result, e.expression(op.x));
      return true;
    case "rename":
      if (isSplat(e.expression(op.x))) e.define(op.result, e.expression(op.x));
      else emitRename(e, op);
      return true;
    case "merge":
    case "split":
      if (isSplat(e.expression(op.x))) e.define(op.result, e.expression(op.x));
      else if (op.kind === "merge") emitMerge(e, op);
      else emitSplit(e, op);
      return true;
    case "assert":
      emitAssert(e, op);
      return true;
    case "print": {
      const x = e.expression(op.x);
      const copy = e.scratch(op.x.type.dtype, op.x.type.axes);
      e.call(op, scalarsOf(x), (w) => {
        e.writeTile(w, copy, op.x.type.axes, x);
        w.line(`printTile(${e.site(op)}, ${copy.buffer});`);
      });
      return true;
    }
    default:
      return false;
  }
}
