/**
 * [dsl/interpreter] Reductions, extreme positions and scans along an axis.
 *
 * Order of a sum along an axis: partial sum j adds the elements j, j+4, j+8 … from the first to the last, all in f32; the result
 * is (s0 + s1) + (s2 + s3), rounded to the dtype at the end. A scan goes from the first element to the last.
 * max and min start from -inf and +inf (ints: the least and greatest value) and pass over NaN.
 */
import { isFloat } from "../core/dtype.ts";
import type { ArgReduceOp, Op, ReduceOp, ScanOp } from "../ir/nodes.ts";
import { findAxis, isScalar, type Value } from "../ir/types.ts";
import type { CodeWriter } from "./code-writer.ts";
import { intRange, wrapText } from "./element-text.ts";
import type { Emission } from "./emission.ts";
import { emitProductSum } from "./emit-dot.ts";
import { type Expression, type Leaf, leavesOf, renderExpression, scalarsOf } from "./expression.ts";
import { fuseAxes, Nest, strideOf, timesText } from "./nest.ts";

/** Number of partial sums of a reduction, and of a dot. */
export const PARTIAL_SUMS = 4;

/** What a reduction along an axis is written with: the element at a position, and the number of positions. */
interface Line {
  readonly w: CodeWriter;
  readonly size: number;
  readonly element: (position: string) => string;
  /** Element number of a leaf at a position. */
  readonly index: (leaf: Leaf, position: string) => string;
}

/** Writes loops over all axes of `x` but `axis`; `body` works along the axis and gives what is stored in `out`. */
function alongAxis(
  w: CodeWriter,
  x: Value,
  axis: string,
  expression: Expression,
  outs: readonly Leaf[],
  body: (line: Line, nest: Nest) => void,
): void {
  const size = findAxis(x.type, axis)?.size ?? 0;
  const others = x.type.axes.filter((other) => other.name !== axis);
  const leaves = [...leavesOf(expression), ...outs];
  const nest = new Nest(w, leaves);
  nest.enterAll(fuseAxes(others, leaves), true);
  const index = (leaf: Leaf, position: string): string => {
    const step = timesText(position, strideOf(leaf, axis));
    const base = nest.index(leaf);
    if (step === "0") return base;
    return base === "0" ? step : `${base} + ${step}`;
  };
  const element = (position: string): string =>
    renderExpression(expression, (leaf) => index(leaf, position));
  body({ w, size, element, index }, nest);
  nest.closeAll();
}

/** Sum in f32 with four partial sums, as text of the unrounded result. */
function writeFloatSum({ w, size, element }: Line): string {
  w.line("let s0 = 0, s1 = 0, s2 = 0, s3 = 0;");
  const whole = size - (size % PARTIAL_SUMS);
  if (whole > 0) {
    w.open(`for (let r = 0; r < ${whole}; r += ${PARTIAL_SUMS}) {`);
    for (let j = 0; j < PARTIAL_SUMS; j++) {
      const x = element(j === 0 ? "r" : `(r + ${j})`);
      w.line(`s${j} = Math.fround(s${j} + ${x});`);
    }
    w.close();
  }
  for (let j = 0; whole + j < size; j++) {
    w.line(`s${j} = Math.fround(s${j} + ${element(String(whole + j))});`);
  }
  return "Math.fround(Math.fround(s0 + s1) + Math.fround(s2 + s3))";
}

function writeSum(e: Emission, op: ReduceOp, line: Line, at: string): string {
  const { dtype } = op.x.type;
  const { w, size, element } = line;
  if (isFloat(dtype) && !e.options.wideSums) return e.round(dtype, writeFloatSum(line));
  w.line("let s = 0;");
  w.open(`for (let r = 0; r < ${size}; r++) {`);
  w.line(`s += ${element("r")};`); // exact for ints: below 2^53
  w.close();
  if (isFloat(dtype)) return e.round(dtype, "s");
  const site = e.checkedSite(op, at);
  return site !== undefined && dtype === "i32" ? `checkedI32(s, ${site})` : wrapText(dtype, "s");
}

function writeExtreme(line: Line, fn: "max" | "min", dtype: Value["type"]["dtype"]): string {
  const { w, size, element } = line;
  const [low, high] = isFloat(dtype) ? [-Infinity, Infinity] : intRange(dtype);
  w.line(`let m = ${fn === "max" ? low : high};`);
  w.open(`for (let r = 0; r < ${size}; r++) {`);
  w.line(`const x = ${element("r")};`);
  w.line(`if (x ${fn === "max" ? ">" : "<"} m) m = x;`);
  w.close();
  return "m";
}

function writeLogical(line: Line, fn: "any" | "all"): string {
  const { w, size, element } = line;
  w.line(`let m = ${fn === "any" ? 0 : 1};`);
  w.open(`for (let r = 0; r < ${size}; r++) {`);
  w.line(`m ${fn === "any" ? "|=" : "&="} ${element("r")};`);
  w.close();
  return "m";
}

function writeReduce(e: Emission, op: ReduceOp, line: Line, at: string): string {
  const { dtype } = op.x.type;
  switch (op.fn) {
    case "sum":
      return writeSum(e, op, line, at);
    case "max":
    case "min":
      return writeExtreme(line, op.fn, dtype);
    case "any":
    case "all":
      return writeLogical(line, op.fn);
    default:
      return op.fn satisfies never;
  }
}

/** Position of the first extreme element; NaN is passed over, 0 where there is nothing else. */
function writeArgExtreme({ w, size, element }: Line, fn: ArgReduceOp["fn"]): string {
  w.line("let m = 0, at = -1;");
  w.open(`for (let r = 0; r < ${size}; r++) {`);
  w.line(`const x = ${element("r")};`);
  const beats = fn === "argmax" ? "x > m" : "x < m";
  w.line(`if (x === x && (at < 0 || ${beats})) { m = x; at = r; }`);
  w.close();
  return "(at < 0 ? 0 : at)";
}

function emitToReduced(
  e: Emission,
  op: ReduceOp | ArgReduceOp,
  write: (line: Line, at: string) => string,
): void {
  const expression = e.expression(op.x);
  const scalar = isScalar(op.result.type);
  const out = scalar ? undefined : e.allocate(op.result);
  e.call(
    op,
    scalarsOf(expression),
    (w) => {
      const outs = out === undefined ? [] : [out];
      alongAxis(w, op.x, op.axis, expression, outs, (line, nest) => {
        const at = out === undefined ? "0" : nest.index(out);
        const result = write(line, at);
        if (out === undefined) w.line(`return ${result};`);
        else w.line(`${out.buffer}[${at}] = ${result};`);
      });
    },
    scalar ? op.result : undefined,
  );
  if (out !== undefined) e.define(op.result, { kind: "leaf", leaf: out });
}

function emitScan(e: Emission, op: ScanOp): void {
  const expression = e.expression(op.x);
  const { dtype } = op.x.type;
  const out = e.allocate(op.result);
  const [low] = isFloat(dtype) ? [-Infinity] : intRange(dtype);
  e.call(op, scalarsOf(expression), (w) => {
    alongAxis(w, op.x, op.axis, expression, [out], (line) => {
      w.line(`let m = ${op.fn === "sum" ? 0 : low};`);
      w.open(`for (let r = 0; r < ${line.size}; r++) {`);
      w.line(`const x = ${line.element("r")};`);
      const site = e.checkedSite(op, line.index(out, "r"));
      if (op.fn === "max") w.line("if (x > m) m = x;");
      else if (!isFloat(dtype)) {
        const checked = site !== undefined && dtype === "i32";
        w.line(checked ? `m = checkedI32(m + x, ${site});` : `m = ${wrapText(dtype, "(m + x)")};`);
      } else w.line(e.options.wideSums ? "m += x;" : "m = Math.fround(m + x);");
      w.line(`${out.buffer}[${line.index(out, "r")}] = ${e.round(dtype, "m")};`);
      w.close();
    });
  });
  e.define(op.result, { kind: "leaf", leaf: out });
}

/** Emits a reduction, an extreme position or a scan; false for other ops. */
export function emitAxisOp(e: Emission, op: Op): boolean {
  switch (op.kind) {
    case "reduce":
      if (!emitProductSum(e, op)) {
        emitToReduced(e, op, (line, at) => writeReduce(e, op, line, at));
      }
      return true;
    case "arg_reduce":
      emitToReduced(e, op, (line) => writeArgExtreme(line, op.fn));
      return true;
    case "scan":
      emitScan(e, op);
      return true;
    default:
      return false;
  }
}
