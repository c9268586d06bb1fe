/** [dsl/ir] Type rules of the ops that own no blocks and touch no memory. Dominance and blocks are checked by verify.ts. */
import { DTYPES, type DType, isFloat, isInt, isStorage } from "../core/dtype.ts";
import type { Op, TileKernel } from "./nodes.ts";
import type { BinaryFn, UnaryFn } from "./primitives.ts";
import { type Axis, findAxis, formatType, sameAxes, sameType, type Value } from "./types.ts";

/** Codes of the verifier's findings. All of them are our own bugs: the front end or a pass broke a rule. */
export const VERIFY_CODES = {
  value: "TW9101",
  dtype: "TW9102",
  axes: "TW9103",
  block: "TW9104",
  name: "TW9105",
  access: "TW9106",
  attribute: "TW9107",
} as const;
export type VerifyRule = keyof typeof VERIFY_CODES;

/** Reports a broken rule of the op under check: which rule, what is wrong, what was seen, what was expected. */
export type Report = (rule: VerifyRule, message: string, seen: string, expected: string) => void;

function isNumeric(dtype: DType): boolean {
  return DTYPES[dtype].kind !== "bool" && !isStorage(dtype);
}

function isRealFloat(dtype: DType): boolean {
  return isFloat(dtype) && !isStorage(dtype);
}

function isIntOrBool(dtype: DType): boolean {
  return !isFloat(dtype);
}

/** Reports unless `value` has exactly this dtype and these axes. */
export function expectType(
  report: Report,
  what: string,
  value: Value,
  dtype: DType,
  axes: readonly Axis[],
): void {
  expectDType(report, what, value, (found) => found === dtype, dtype);
  if (sameAxes(value.type.axes, axes)) return;
  report("axes", `${what} has other axes`, formatType(value.type), formatType({ dtype, axes }));
}

export function expectSame(report: Report, what: string, a: Value, b: Value): void {
  if (sameType(a.type, b.type)) return;
  const rule = a.type.dtype === b.type.dtype ? "axes" : "dtype";
  report(rule, `${what} differ in type`, formatType(a.type), formatType(b.type));
}

export function expectDType(
  report: Report,
  what: string,
  value: Value,
  accept: (dtype: DType) => boolean,
  expected: string,
): void {
  if (!accept(value.type.dtype)) {
    report("dtype", `${what} has the wrong dtype`, value.type.dtype, expected);
  }
}

/** Reports unless a constant or a fill can be a value of `dtype`. */
export function expectLiteral(report: Report, what: string, value: number, dtype: DType): void {
  const { bits, kind, signed } = DTYPES[dtype];
  if (kind === "float") return;
  const low = kind === "bool" || !signed ? 0 : -(2 ** (bits - 1));
  const high = kind === "bool" ? 1 : 2 ** (signed ? bits - 1 : bits) - 1;
  if (Number.isInteger(value) && value >= low && value <= high && !Object.is(value, -0)) return;
  report("attribute", `${what} is no ${dtype}`, String(value), `an integer from ${low} to ${high}`);
}

function unaryAccepts(fn: UnaryFn): readonly [(dtype: DType) => boolean, string] {
  if (fn === "not") return [isIntOrBool, "an int or bool"];
  return fn === "neg" || fn === "abs" ? [isNumeric, "a float or int"] : [isRealFloat, "a float"];
}

function binaryAccepts(fn: BinaryFn): readonly [(dtype: DType) => boolean, string] {
  switch (fn) {
    case "add":
    case "sub":
    case "mul":
    case "min":
    case "max":
      return [isNumeric, "a float or int"];
    case "div":
      return [isRealFloat, "a float"];
    case "floordiv":
    case "mod":
    case "shl":
    case "shr":
      return [isInt, "an int"];
    case "and":
    case "or":
    case "xor":
      return [isIntOrBool, "an int or bool"];
    case "mulhi":
      return [(dtype) => dtype === "u32", "u32"];
    default:
      return fn satisfies never;
  }
}

function without(axes: readonly Axis[], name: string): readonly Axis[] {
  return axes.filter((axis) => axis.name !== name);
}

/** The axis of `x` with this name; reports where it has none. */
function expectAxis(report: Report, x: Value, name: string): Axis | undefined {
  const axis = findAxis(x.type, name);
  if (axis === undefined) {
    report("axes", `the operand has no axis ${name}`, formatType(x.type), `an axis ${name}`);
  }
  return axis;
}

function checkBroadcast(report: Report, x: Value, result: Value): void {
  expectDType(report, "the result", result, (dtype) => dtype === x.type.dtype, x.type.dtype);
  for (const axis of x.type.axes) {
    const found = findAxis(result.type, axis.name);
    if (found?.size === axis.size) continue;
    const seen = formatType(result.type);
    report("axes", "a broadcast drops or resizes an axis", seen, `${axis.name}=${axis.size} kept`);
  }
}

function checkDot(report: Report, op: Extract<Op, { kind: "dot" }>): void {
  const { a, b, axis, result, acc } = op;
  const inA = expectAxis(report, a, axis);
  const inB = expectAxis(report, b, axis);
  if (inA !== undefined && inB !== undefined && inA.size !== inB.size) {
    const seen = `${inA.size} and ${inB.size}`;
    report("axes", `axis ${axis} has two sizes`, seen, "one size in both operands");
  }
  const kind = isFloat(a.type.dtype) ? "float" : "int";
  expectDType(report, "operand a", a, isNumeric, "a float or int");
  expectDType(
    report,
    "operand b",
    b,
    (d) => isNumeric(d) && DTYPES[d].kind === kind,
    `of kind ${kind}, as a`,
  );
  const axes = [...without(a.type.axes, axis), ...without(b.type.axes, axis)];
  expectType(report, "the result", result, kind === "float" ? "f32" : "i32", axes);
  if (acc !== undefined) expectSame(report, "accumulator and result", acc, result);
}

function checkRename(report: Report, x: Value, result: Value): void {
  const sizes = (value: Value): string => value.type.axes.map((axis) => axis.size).join(", ");
  expectDType(report, "the result", result, (dtype) => dtype === x.type.dtype, x.type.dtype);
  if (sizes(x) !== sizes(result)) {
    report("axes", "a rename changes sizes", formatType(result.type), `sizes ${sizes(x)}`);
  }
}

/** Shared by merge and split: `many` adjacent axes of one side stand for the axis `one` of the other. */
function checkFusion(
  report: Report,
  manySide: Value,
  many: readonly string[],
  oneSide: Value,
  one: string,
): void {
  const { axes, dtype } = manySide.type;
  expectDType(report, "the result", oneSide, (found) => found === dtype, dtype);
  const first = axes.findIndex((axis) => axis.name === many[0]);
  const part = axes.slice(first, first + many.length);
  const ordered = many.every((name, i) => part[i]?.name === name);
  if (first < 0 || many.length === 0 || !ordered) {
    const expected = `adjacent axes ${many.join(", ")}, at least one`;
    report("axes", "the fused axes are not there in order", formatType(manySide.type), expected);
    return;
  }
  const size = part.reduce((n, axis) => n * axis.size, 1);
  const rest = axes.slice(first + many.length);
  const expected = [...axes.slice(0, first), { name: one, size }, ...rest];
  if (sameAxes(oneSide.type.axes, expected)) return;
  const seen = formatType(oneSide.type);
  report("axes", "axes and sizes do not fit", seen, formatType({ dtype, axes: expected }));
}

function checkAxisOp(report: Report, op: Op): void {
  if (op.kind !== "reduce" && op.kind !== "arg_reduce" && op.kind !== "scan") return;
  expectAxis(report, op.x, op.axis);
  const logical = op.kind === "reduce" && (op.fn === "any" || op.fn === "all");
  const accepts = logical ? (dtype: DType) => dtype === "bool" : isNumeric;
  expectDType(report, "the operand", op.x, accepts, logical ? "bool" : "a float or int");
  const { dtype, axes } = op.x.type;
  if (op.kind === "scan") expectSame(report, "operand and result", op.x, op.result);
  else {
    const found = op.kind === "reduce" ? dtype : "i32";
    expectType(report, "the result", op.result, found, without(axes, op.axis));
  }
  if (op.kind !== "arg_reduce") return;
  if (findAxis(op.x.type, op.axis)?.size === 0) {
    report("axes", "an empty axis has no extreme element", formatType(op.x.type), "size 1 or more");
  }
}

function checkBitcast(report: Report, x: Value, result: Value): void {
  const wide = (dtype: DType): boolean => DTYPES[dtype].bits === 32;
  expectDType(report, "the operand", x, wide, "f32, i32 or u32");
  expectDType(report, "the result", result, wide, "f32, i32 or u32");
  expectType(report, "the result", result, result.type.dtype, x.type.axes);
}

/** Ops without operands. */
function checkSource(report: Report, op: Op, kernel: TileKernel): void {
  switch (op.kind) {
    case "const":
      expectLiteral(report, "the constant", op.value, op.result.type.dtype);
      return;
    case "dim":
      if (!kernel.dims.includes(op.dim)) {
        const expected = `one of ${kernel.dims.join(", ")}`;
        report("name", "no such dim is bound at launch", op.dim, expected);
      }
      expectType(report, "a dim", op.result, "i32", []);
      return;
    case "param": {
      const param = kernel.params.find((candidate) => candidate.name === op.param);
      if (param?.kind === "scalar") {
        expectType(report, "the result", op.result, param.dtype, []);
        return;
      }
      report("name", "no such scalar parameter", op.param, "a scalar parameter");
      return;
    }
    case "pid":
    case "num_programs":
      expectType(report, "the result", op.result, "i32", []);
      return;
    case "iota":
      expectDType(report, "the result", op.result, (dtype) => dtype === "i32", "i32");
      if (op.result.type.axes.length !== 1) {
        report("axes", "iota runs along one axis", formatType(op.result.type), "one axis");
      }
      return;
    default:
  }
}

/** Checks dtypes, axes and attributes of an op that owns no blocks and touches no memory; others pass. */
export function verifyPureOp(op: Op, kernel: TileKernel, report: Report): void {
  switch (op.kind) {
    case "unary": {
      expectDType(report, "the operand", op.x, ...unaryAccepts(op.fn));
      expectSame(report, "operand and result", op.x, op.result);
      return;
    }
    case "binary":
      expectDType(report, "operand a", op.a, ...binaryAccepts(op.fn));
      expectSame(report, "the operands", op.a, op.b);
      expectSame(report, "operand and result", op.a, op.result);
      return;
    case "compare": {
      const equality = op.fn === "eq" || op.fn === "ne";
      const expected = "a float or int (bool only for eq and ne)";
      expectDType(
        report,
        "operand a",
        op.a,
        (d) => isNumeric(d) || (equality && d === "bool"),
        expected,
      );
      expectSame(report, "the operands", op.a, op.b);
      expectType(report, "the result", op.result, "bool", op.a.type.axes);
      return;
    }
    case "select":
      expectType(report, "the condition", op.cond, "bool", op.result.type.axes);
      expectSame(report, "the choices", op.a, op.b);
      expectSame(report, "choice and result", op.a, op.result);
      return;
    case "cast":
      expectType(report, "the result", op.result, op.result.type.dtype, op.x.type.axes);
      return;
    case "bitcast":
      checkBitcast(report, op.x, op.result);
      return;
    case "broadcast":
      checkBroadcast(report, op.x, op.result);
      return;
    case "reduce":
    case "arg_reduce":
    case "scan":
      checkAxisOp(report, op);
      return;
    case "dot":
      checkDot(report, op);
      return;
    case "rename":
      checkRename(report, op.x, op.result);
      return;
    case "merge":
      checkFusion(report, op.x, op.axes, op.result, op.into);
      return;
    case "split":
      checkFusion(report, op.result, op.into, op.x, op.axis);
      return;
    case "assert":
      expectDType(report, "the condition", op.cond, (dtype) => dtype === "bool", "bool");
      return;
    default:
      checkSource(report, op, kernel);
      return;
  }
}
