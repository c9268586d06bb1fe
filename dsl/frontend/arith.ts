/** [dsl/frontend] Elementwise ops on abstract values: folds what is known, checks types, broadcasts, emits the primitive. */
import { DTYPES, type DType, isFloat, isInt } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { BinaryFn, CompareFn, UnaryFn } from "../ir/primitives.ts";
import {
  type AbstractValue,
  constant,
  describe,
  isKnown,
  knownNumber,
  knownValue,
  type Place,
  runtime,
} from "./abstract-value.ts";
import {
  axesOf,
  commonDType,
  conform,
  constantAs,
  dtypeOf,
  joinAxes,
  materialize,
  materializeAny,
  materializeBool,
  requireArithmetic,
  requireData,
} from "./coerce.ts";
import { foldBinary, foldCompare, foldUnary } from "./fold.ts";
import type { Lowering } from "./lowering.ts";

/** How messages call a function: its operator where it has one. */
const SYMBOLS: Readonly<Partial<Record<BinaryFn | CompareFn, string>>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  mod: "%",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  shr: ">>",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  eq: "===",
  ne: "!==",
  min: "min",
  max: "max",
};

export function symbolOf(fn: BinaryFn | CompareFn): string {
  return SYMBOLS[fn] ?? fn;
}

export function unary(lw: Lowering, fn: UnaryFn, x: AbstractValue, place: Place): AbstractValue {
  const good = lw.good(x);
  requireData(lw, good, `the operand of ${fn}`, place.loc);
  const known = knownValue(good);
  if (typeof known === "boolean" && fn === "not") return constant(!known);
  if (typeof known === "number") return constant(foldUnary(fn, known));
  const adaptable = good.kind === "value" && good.adaptable === true;
  const anyNumber = fn === "neg" || fn === "abs";
  const value =
    adaptable && fn !== "not" && !anyNumber
      ? materialize(lw, good, "f32", place)
      : materializeAny(lw, good, place);
  const { dtype } = value.type;
  requireArithmetic(lw, fn, dtype, describe(good), place.loc);
  if (fn === "not" ? isFloat(dtype) : anyNumber ? dtype === "bool" : !isFloat(dtype)) {
    lw.fail("TW1130", place.loc, {
      message: `${fn === "not" ? "! or ~" : fn} does not work on ${dtype}`,
      seen: describe(good),
      expected: fn === "not" ? "a boolean or an integer" : anyNumber ? "a number" : "a float",
      remedy:
        fn === "not"
          ? "compare with 0, or bitcast() to an integer first"
          : 'convert it: cast(x, "f32")',
    });
  }
  const result = lw.builder.op("unary", value.type, place.hint ?? "", {
    fn,
    x: value,
    loc: place.loc,
  });
  return adaptable && anyNumber ? { kind: "value", value: result, adaptable } : runtime(result);
}

export function binary(
  lw: Lowering,
  fn: BinaryFn,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const [ga, gb] = [lw.good(a), lw.good(b)];
  const [ka, kb] = [knownNumber(ga), knownNumber(gb)];
  if (ka !== undefined && kb !== undefined) return foldKnown(lw, fn, ka, kb, place);
  const identity = simplify(fn, ga, gb, ka, kb);
  if (identity !== undefined) return identity;
  const dtype = commonDType(lw, symbolOf(fn), ga, gb, place.loc);
  requireDomain(lw, fn, dtype, ga, gb, place.loc);
  const axes = joinAxes(lw, symbolOf(fn), axesOf(ga), axesOf(gb), place.loc);
  const left = conform(lw, ga, dtype, axes, { loc: place.loc });
  const right = conform(lw, gb, dtype, axes, { loc: place.loc });
  const value = lw.builder.op("binary", { dtype, axes }, place.hint ?? "", {
    fn,
    a: left,
    b: right,
    loc: place.loc,
  });
  return bothAdaptable(ga, gb) ? { kind: "value", value, adaptable: true } : runtime(value);
}

function bothAdaptable(a: AbstractValue, b: AbstractValue): boolean {
  return dtypeOf(a) === undefined && dtypeOf(b) === undefined;
}

function foldKnown(lw: Lowering, fn: BinaryFn, a: number, b: number, place: Place): AbstractValue {
  const folded = foldBinary(fn, a, b);
  if (folded !== undefined) return constant(folded);
  return lw.fail("TW1131", place.loc, {
    message: "integer division by zero",
    seen: `${symbolOf(fn)} of ${a} and ${b}, both known at compile time`,
    expected: "a divisor other than 0",
    remedy: "check the config values and dims that the divisor is made of",
  });
}

/** Integer identities that keep index arithmetic short. Floats only where the result is the same bits. */
function simplify(
  fn: BinaryFn,
  a: AbstractValue,
  b: AbstractValue,
  ka: number | undefined,
  kb: number | undefined,
): AbstractValue | undefined {
  const dtype = dtypeOf(a) ?? dtypeOf(b);
  if (dtype === undefined) return undefined;
  if (isFloat(dtype))
    return fn === "mul"
      ? kb === 1
        ? a
        : ka === 1
          ? b
          : undefined
      : fn === "div" && kb === 1
        ? a
        : undefined;
  if (!isInt(dtype)) return undefined;
  if (fn === "add") return kb === 0 ? a : ka === 0 ? b : undefined;
  if (fn === "sub" || fn === "shl" || fn === "shr") return kb === 0 ? a : undefined;
  if (fn === "mul") return kb === 1 ? a : ka === 1 ? b : undefined;
  return fn === "floordiv" && kb === 1 ? a : undefined;
}

function requireDomain(
  lw: Lowering,
  fn: BinaryFn,
  dtype: DType,
  a: AbstractValue,
  b: AbstractValue,
  loc: Location,
): void {
  const seen = `${describe(a)} and ${describe(b)}`;
  const { kind } = DTYPES[dtype];
  requireArithmetic(lw, symbolOf(fn), dtype, seen, loc);
  if (fn === "div" && kind === "int") {
    lw.fail("TW1132", loc, {
      message: "/ on integers does not say how to round",
      seen,
      expected: "floats, or an explicit integer division",
      remedy:
        'write floordiv(a, b) or cdiv(a, b); for a float quotient cast both: cast(a, "f32") / cast(b, "f32")',
    });
  }
  const bits = fn === "and" || fn === "or" || fn === "xor";
  const ints = fn === "floordiv" || fn === "mod" || fn === "shl" || fn === "shr";
  const allowed = bits
    ? kind !== "float"
    : ints
      ? kind === "int"
      : fn === "mulhi"
        ? dtype === "u32"
        : kind !== "bool";
  if (allowed) return;
  lw.fail("TW1130", loc, {
    message: `${symbolOf(fn)} does not work on ${dtype}`,
    seen,
    expected: bits
      ? "booleans or integers"
      : ints
        ? "integers"
        : fn === "mulhi"
          ? "u32"
          : "numbers",
    remedy:
      kind === "bool"
        ? 'combine booleans with && and ||, or convert them: cast(x, "i32")'
        : `convert the operands: cast(x, "${fn === "mulhi" ? "u32" : "i32"}")`,
  });
}

export function compare(
  lw: Lowering,
  fn: CompareFn,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const [ga, gb] = [lw.good(a), lw.good(b)];
  if (isKnown(ga) && isKnown(gb)) return compareKnown(lw, fn, ga, gb, place);
  if (ga.kind === "dtype" || gb.kind === "dtype") return compareKnown(lw, fn, ga, gb, place);
  const dtype = commonDType(lw, symbolOf(fn), ga, gb, place.loc);
  const seen = `${describe(ga)} and ${describe(gb)}`;
  requireArithmetic(lw, symbolOf(fn), dtype, seen, place.loc);
  if (dtype === "bool" && fn !== "eq" && fn !== "ne") {
    lw.fail("TW1130", place.loc, {
      message: `${symbolOf(fn)} does not work on bool`,
      seen,
      expected: "numbers",
      remedy: "compare booleans with === and !==, or combine them with && and ||",
    });
  }
  const axes = joinAxes(lw, symbolOf(fn), axesOf(ga), axesOf(gb), place.loc);
  const left = conform(lw, ga, dtype, axes, { loc: place.loc });
  const right = conform(lw, gb, dtype, axes, { loc: place.loc });
  return runtime(
    lw.builder.op("compare", { dtype: "bool", axes }, place.hint ?? "", {
      fn,
      a: left,
      b: right,
      loc: place.loc,
    }),
  );
}

/** Comparison of constants: numbers, booleans, strings, and dtype variables with dtype names. */
function compareKnown(
  lw: Lowering,
  fn: CompareFn,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const [ka, kb] = [a, b].map((av) => (av.kind === "dtype" ? av.dtype : knownValue(av)));
  if (typeof ka === "number" && typeof kb === "number") return constant(foldCompare(fn, ka, kb));
  if (fn === "eq") return constant(ka === kb);
  if (fn === "ne") return constant(ka !== kb);
  return lw.fail("TW1130", place.loc, {
    message: `${symbolOf(fn)} does not work on these constants`,
    seen: `${describe(a)} and ${describe(b)}`,
    expected: "two numbers",
    remedy: "compare with === or !==",
  });
}

/** `cond ? a : b` elementwise; folds when the condition is known. */
export function select(
  lw: Lowering,
  cond: AbstractValue,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const known = knownValue(lw.good(cond));
  if (typeof known === "boolean") return known ? a : b;
  const [ga, gb] = [lw.good(a), lw.good(b)];
  const dtype = commonDType(lw, "the choice", ga, gb, place.loc);
  const test = materializeBool(lw, cond, "the condition", place.loc);
  const values = joinAxes(lw, "the choice", axesOf(ga), axesOf(gb), place.loc);
  const axes = joinAxes(lw, "the choice", values, test.type.axes, place.loc);
  const parts = {
    cond: conform(lw, runtime(test), "bool", axes, { loc: place.loc }),
    a: conform(lw, ga, dtype, axes, { loc: place.loc }),
    b: conform(lw, gb, dtype, axes, { loc: place.loc }),
    loc: place.loc,
  };
  const value = lw.builder.op("select", { dtype, axes }, place.hint ?? "", parts);
  return bothAdaptable(ga, gb) ? { kind: "value", value, adaptable: true } : runtime(value);
}

export function cast(lw: Lowering, x: AbstractValue, dtype: DType, place: Place): AbstractValue {
  const good = lw.good(x);
  requireData(lw, good, "the first argument of cast()", place.loc);
  const known = knownValue(good);
  if (known !== undefined && dtypeOf(good) === undefined) {
    const number = isInt(dtype) ? Math.trunc(Number(known)) : known;
    const value =
      dtype === "bool" ? Number(Number(known) !== 0) : constantAs(lw, number, dtype, place.loc);
    return runtime(lw.builder.constant(dtype, value, [], place.loc, place.hint));
  }
  if (typeof known === "boolean") {
    return runtime(lw.builder.constant(dtype, known ? 1 : 0, [], place.loc, place.hint));
  }
  const value = materializeAny(lw, good, place);
  if (value.type.dtype === dtype) return runtime(value);
  return runtime(
    lw.builder.op("cast", { dtype, axes: value.type.axes }, place.hint ?? "", {
      x: value,
      loc: place.loc,
    }),
  );
}

/** `a && b`, `a || b`, `!a` on booleans that are computed both. */
export function logical(
  lw: Lowering,
  fn: "and" | "or",
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const what = fn === "and" ? "&&" : "||";
  const [ka, kb] = [knownValue(lw.good(a)), knownValue(lw.good(b))];
  if (typeof ka === "boolean") return ka === (fn === "or") ? constant(ka) : b;
  if (typeof kb === "boolean") return kb === (fn === "or") ? constant(kb) : a;
  const left = materializeBool(lw, a, `the left operand of ${what}`, place.loc);
  const right = materializeBool(lw, b, `the right operand of ${what}`, place.loc);
  const axes = joinAxes(lw, what, left.type.axes, right.type.axes, place.loc);
  const parts = {
    fn,
    a: conform(lw, runtime(left), "bool", axes, { loc: place.loc }),
    b: conform(lw, runtime(right), "bool", axes, { loc: place.loc }),
    loc: place.loc,
  };
  return runtime(lw.builder.op("binary", { dtype: "bool", axes }, place.hint ?? "", parts));
}
