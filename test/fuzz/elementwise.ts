/** [test/fuzz] Random steps that work element by element: arithmetic of floats and integers, conditions, casts, functions. */
import type { DType } from "../../dsl/index.ts";
import type { Range, TileType, Value } from "./program.ts";
import {
  added,
  approximated,
  isExact,
  isFloatType,
  joined,
  multiplied,
  wrapped,
} from "./ranges.ts";
import type { Scope } from "./scope.ts";

const BIT: Range = { bits: 0, grain: 0 };

const isFloat = ({ type }: Value): boolean => isFloatType(type.dtype);
const isInteger = ({ type }: Value): boolean => !isFloatType(type.dtype) && type.dtype !== "bool";

/** Axes of an elementwise result: the larger operand's order, else the first's followed by what it lacks. */
function unitedAxes(a: TileType, b: TileType): readonly string[] {
  const missing = b.axes.filter((axis) => !a.axes.includes(axis));
  if (missing.length === 0) return a.axes;
  return missing.length + a.axes.length === b.axes.length ? b.axes : [...a.axes, ...missing];
}

/** A second operand of the same dtype: mostly one over the same axes, or a part of them in any order. */
function partner(scope: Scope, a: Value, accept: (value: Value) => boolean): Value | undefined {
  const isAny = scope.dice.chance(0.15);
  return scope.some(
    (b) =>
      b.type.dtype === a.type.dtype &&
      accept(b) &&
      (isAny || b.type.axes.every((axis) => a.type.axes.includes(axis))),
    a,
  );
}

function isPart(part: readonly string[], whole: readonly string[]): boolean {
  let at = -1;
  for (const axis of part) {
    const next = whole.indexOf(axis);
    if (next <= at) return false;
    at = next;
  }
  return true;
}

function pairRange(op: string, a: Range, b: Range): Range {
  if (op === "+" || op === "-") return added(a, b);
  return op === "*" ? multiplied(a, b) : joined(a, b);
}

export function floatPair(scope: Scope): Value | undefined {
  const a = scope.some(isFloat);
  const b = a && partner(scope, a, isFloat);
  if (a === undefined || b === undefined) return undefined;
  const op = scope.dice.pick(["+", "-", "*", "*", "minimum", "maximum"]);
  const [x, y] = scope.dice.chance(0.5) ? [a, b] : [b, a];
  const text = op.length === 1 ? `$0 ${op} $1` : `${op}($0, $1)`;
  const axes = unitedAxes(x.type, y.type);
  return scope.define({ dtype: a.type.dtype, axes }, pairRange(op, a.range, b.range), text, x, y);
}

export function floatUnary(scope: Scope): Value | undefined {
  const x = scope.some(isFloat);
  if (x === undefined) return undefined;
  const rounds = isExact(x.range) ? ["floor($0)", "ceil($0)", "round($0)"] : [];
  const text = scope.dice.pick([
    ...["-$0", "abs($0)", "relu($0)", "$0 * 0.5", "$0 * 3", "$0 - 1.5", "2 - $0"],
    ...rounds,
  ]);
  const half: Range = { bits: -1, grain: 1 };
  const few: Range = { bits: 2, grain: 1 };
  const range =
    text === "$0 * 0.5"
      ? multiplied(x.range, half)
      : text === "$0 * 3"
        ? multiplied(x.range, { bits: 2, grain: 0 })
        : text.includes("5") || text.startsWith("2")
          ? added(x.range, few)
          : rounds.includes(text)
            ? { ...x.range, bits: x.range.bits + 1 }
            : x.range;
  return scope.define(x.type, range, text, x);
}

/** Functions that devices approximate, on operands that are brought where they are tame. */
export function approximate(scope: Scope): Value | undefined {
  const x = scope.some((value) => isFloat(value) && !value.type.dtype.startsWith("f8"));
  if (x === undefined) return undefined;
  const tame = "minimum(maximum($0, -3), 3)";
  const [text, bits, slope] = scope.dice.pick([
    [`exp(${tame})`, 5, 5],
    [`exp2(${tame})`, 3, 3],
    [`tanh(${tame})`, 0, 0],
    [`sigmoid(${tame})`, 0, 0],
    ["sqrt(maximum($0, 0.25))", Math.max(0, Math.ceil(x.range.bits / 2)), 0],
    ["rsqrt(maximum($0, 0.25))", 1, 2],
    ["log2(maximum($0, 0.5))", 5, 2],
    ["1 / maximum($0, 0.5)", 1, 2],
    ["$0 / (1 + abs($0))", 0, 1],
  ] as const);
  return scope.define(x.type, approximated(x.range, bits, slope), text, x);
}

function integerRange(op: string, a: Range, b: Range): Range {
  if (op === "+" || op === "-") return added(a, b);
  if (op === "*") return multiplied(a, b);
  // Bitwise ops of numbers below 2^bits in magnitude stay in [-2^bits', 2^bits').
  return { bits: Math.max(a.bits, b.bits) + 1, grain: 0 };
}

export function integerPair(scope: Scope): Value | undefined {
  const a = scope.some(isInteger);
  const b = a && partner(scope, a, isInteger);
  if (a === undefined || b === undefined) return undefined;
  const op = scope.dice.pick(["+", "-", "*", "&", "|", "^", "minimum", "maximum"]);
  const text = op.length === 1 ? `$0 ${op} $1` : `${op}($0, $1)`;
  const type = { dtype: a.type.dtype, axes: unitedAxes(a.type, b.type) };
  return scope.define(type, integerRange(op, a.range, b.range), text, a, b);
}

export function integerUnary(scope: Scope): Value | undefined {
  const x = scope.some(isInteger);
  if (x === undefined) return undefined;
  const { dtype } = x.type;
  const divisor = scope.dice.pick([2, 3, 5, 7, 8]);
  const shift = 1 + scope.dice.below(3);
  const forms: (readonly [string, Range])[] = [
    [`floordiv($0, ${divisor})`, x.range],
    [`mod($0, ${divisor})`, { bits: 3, grain: 0 }],
    [`$0 + ${divisor}`, added(x.range, { bits: 3, grain: 0 })],
    [`maximum($0, ${divisor})`, joined(x.range, { bits: 3, grain: 0 })],
  ];
  if (dtype === "i32")
    forms.push(
      ["-$0", x.range],
      ["abs($0)", x.range],
      ["~$0", { bits: x.range.bits + 1, grain: 0 }],
      [`$0 << ${shift}`, { bits: x.range.bits + shift, grain: 0 }],
      [`$0 >> ${shift}`, x.range],
    );
  if (dtype === "u32")
    forms.push(
      [`rotl($0, ${shift})`, x.range],
      [`$0 >>> ${shift}`, x.range],
      ["mulhi($0, $0)", x.range],
    );
  const [text, range] = scope.dice.pick(forms);
  return scope.define(x.type, range, text, x);
}

/** A condition over two values that every backend must decide alike. */
export function compare(scope: Scope): Value | undefined {
  const exact = (value: Value): boolean => value.type.dtype !== "bool" && isExact(value.range);
  const a = scope.some(exact);
  const b = a && partner(scope, a, exact);
  if (a === undefined || b === undefined) return undefined;
  const op = scope.dice.pick(["<", "<=", ">", ">=", "===", "!=="]);
  const zero = a.type.dtype === "u32" ? "7" : "0";
  const over = (axes: readonly string[]) => ({ dtype: "bool" as const, axes });
  if (a.id === b.id || scope.dice.chance(0.25))
    return scope.define(over(a.type.axes), BIT, `$0 ${op} ${zero}`, a);
  return scope.define(over(unitedAxes(a.type, b.type)), BIT, `$0 ${op} $1`, a, b);
}

export function chooseBetween(scope: Scope): Value | undefined {
  const cond = scope.some(({ type }) => type.dtype === "bool");
  const a =
    cond && scope.some(({ type }) => type.dtype !== "bool" && isPart(cond.type.axes, type.axes));
  const b =
    a && scope.some(({ type }) => type.dtype === a.type.dtype && isPart(type.axes, a.type.axes), a);
  if (cond === undefined || a === undefined || b === undefined) return undefined;
  const [x, y] = scope.dice.chance(0.5) ? [a, b] : [b, a];
  return scope.define(a.type, joined(a.range, b.range), "where($0, $1, $2)", cond, x, y);
}

const CASTS: readonly DType[] = [
  "f32",
  "f32",
  "f16",
  "bf16",
  "f8e4m3",
  "f8e5m2",
  "i32",
  "i8",
  "u8",
];

/** A cast that is exact, rounds by the rules, or wraps by the rules. */
export function castTo(scope: Scope): Value | undefined {
  const x = scope.some(({ type }) => type.dtype !== "u32");
  if (x === undefined) return undefined;
  const dtype = scope.dice.pick(CASTS);
  const { dtype: from } = x.type;
  if (dtype === from) return undefined;
  const toInteger = !isFloatType(dtype);
  if (toInteger && !isExact(x.range)) return undefined;
  const type = { dtype, axes: x.type.axes };
  if (from === "bool") return scope.define(type, BIT, `cast($0, "${dtype}")`, x);
  const range = toInteger ? { bits: Math.max(0, x.range.bits), grain: 0 } : x.range;
  // Floats saturate, integers wrap: either way the whole range of the type.
  return scope.define(type, wrapped(dtype) ?? range, `cast($0, "${dtype}")`, x);
}

/** The same bits as unsigned words. */
export function asWords(scope: Scope): Value | undefined {
  const x = scope.some(({ type }) => type.dtype === "i32");
  if (x === undefined) return undefined;
  const type = { dtype: "u32" as const, axes: x.type.axes };
  return scope.define(type, { bits: 32, grain: 0 }, 'bitcast($0, "u32")', x);
}
