/** [dsl/frontend] Type rules: literals adapt, dtypes must agree, axes broadcast by name. Makes casts and broadcasts explicit. */
import { computeDType, DTYPES, type DType, isFloat, isInt, isStorage } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import { roundTo } from "../core/rounding.ts";
import { type Axis, formatType, sameAxes, type Value } from "../ir/types.ts";
import {
  type AbstractValue,
  type Constant,
  describe,
  knownValue,
  type Place,
} from "./abstract-value.ts";
import type { Lowering } from "./lowering.ts";

const RANGES: Readonly<Partial<Record<DType, readonly [number, number]>>> = {
  i32: [-2147483648, 2147483647],
  u32: [0, 4294967295],
  i8: [-128, 127],
  u8: [0, 255],
  i4: [-8, 7],
  u4: [0, 15],
};

/** The dtype of something numeric; undefined for a number known at compile time, which adapts. */
export function dtypeOf(av: AbstractValue): DType | undefined {
  if (av.kind === "value") return av.adaptable === true ? undefined : av.value.type.dtype;
  if (av.kind === "dim") return av.size === undefined ? "i32" : undefined;
  if (av.kind === "const" && typeof av.value === "boolean") return "bool";
  return undefined;
}

export function axesOf(av: AbstractValue): readonly Axis[] {
  return av.kind === "value" ? av.value.type.axes : [];
}

/** The dtype a number takes when nothing else says: i32 for whole numbers, else f32. */
export function defaultDType(value: Constant): DType {
  if (typeof value === "boolean") return "bool";
  return Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31 ? "i32" : "f32";
}

export function isData(av: AbstractValue): boolean {
  if (av.kind === "const") return typeof av.value === "number" || typeof av.value === "boolean";
  return av.kind === "value" || av.kind === "dim";
}

/** @throws TW1120 for what is neither a number nor a tile */
export function requireData(lw: Lowering, av: AbstractValue, what: string, loc: Location): void {
  if (isData(lw.good(av))) return;
  lw.fail("TW1120", loc, {
    message: `${what} must be a number or a tile`,
    seen: describe(av),
    expected: "a tile, a scalar, a dim, a number or a boolean",
    remedy: remedyForNonData(av),
  });
}

function remedyForNonData(av: AbstractValue): string {
  if (av.kind === "tensor") return `read the tensor first: load(${av.param.name}, [ … ])`;
  if (av.kind === "function" || av.kind === "op" || av.kind === "math")
    return "call the function with ( … )";
  if (av.kind === "span" || av.kind === "gather")
    return "spans and gathers only stand in the index list of load, store and atomics";
  if (av.kind === "array" || av.kind === "object")
    return "take the value out of it, with a destructuring const or an index";
  if (av.kind === "shared") return `name the use whose tile it is: slot(${av.ring.ring}, n)`;
  if (av.kind === "barrier")
    return "barriers hold no data: they stand in barrierWait(), barrierArrive(), barrierExpect() and copyAsync()";
  return "pass a value that arithmetic can be done with";
}

/**
 * The value as SSA in a given dtype. Numbers known at compile time adapt; everything else must have that dtype already.
 */
export function materialize(lw: Lowering, av: AbstractValue, dtype: DType, place: Place): Value {
  const good = lw.good(av);
  requireData(lw, good, "this operand", place.loc);
  if (good.kind === "value") {
    if (good.value.type.dtype === dtype) return good.value;
    if (good.adaptable === true) {
      return lw.builder.op("cast", { dtype, axes: good.value.type.axes }, "", {
        x: good.value,
        loc: place.loc,
      });
    }
    return dtypeMismatch(lw, good, dtype, place.loc);
  }
  if (good.kind === "dim" && good.size === undefined) {
    if (dtype !== "i32") return dtypeMismatch(lw, good, dtype, place.loc);
    return dimValue(lw, good.name, place.loc);
  }
  return lw.builder.constant(
    dtype,
    constantAs(lw, knownValue(good), dtype, place.loc),
    [],
    place.loc,
  );
}

export function dimValue(lw: Lowering, name: string, loc: Location): Value {
  return lw.builder.once("dim", "i32", name, { dim: name, loc });
}

/** The value as SSA in the dtype it has, or that its number suggests. */
export function materializeAny(lw: Lowering, av: AbstractValue, place: Place): Value {
  requireData(lw, av, "this operand", place.loc);
  if (av.kind === "value") return av.value;
  return materialize(lw, av, dtypeOf(av) ?? defaultDType(knownValue(av)), place);
}

/** @throws TW1134 for dtypes that only store numbers */
export function requireArithmetic(
  lw: Lowering,
  what: string,
  dtype: DType,
  seen: string,
  loc: Location,
): void {
  if (!isStorage(dtype)) return;
  lw.fail("TW1134", loc, {
    message: `${what} does not work on ${dtype}, which only stores numbers`,
    seen,
    expected: "a dtype with arithmetic",
    remedy: 'convert it: cast(x, "f32"), or dequant(x, scale, { to: "f16" }) where it has scales',
  });
}

/** Checks that a constant exists in `dtype`, and gives the number that stands for it. */
export function constantAs(lw: Lowering, value: Constant, dtype: DType, loc: Location): number {
  if (typeof value === "boolean" || dtype === "bool") {
    if (dtype === "bool" && typeof value === "boolean") return value ? 1 : 0;
    return lw.fail("TW1121", loc, {
      message: "a boolean and a number meet",
      seen: `the constant ${String(value)} where ${dtype} is needed`,
      expected: dtype === "bool" ? "a boolean" : `a number of dtype ${dtype}`,
      remedy:
        dtype === "bool"
          ? "compare the number: x !== 0"
          : `convert the boolean: cast(x, "${dtype}"), or choose with where()`,
    });
  }
  if (typeof value !== "number") {
    return lw.fail("TW1120", loc, {
      message: "this operand must be a number or a tile",
      seen: typeof value === "string" ? `the string '${value}'` : "nothing (undefined)",
      expected: "a tile, a scalar, a dim, a number or a boolean",
      remedy: "pass a value that arithmetic can be done with",
    });
  }
  const range = RANGES[dtype];
  if (range === undefined) return DTYPES[dtype].narrow ? roundTo(dtype, value) : value;
  if (!Number.isInteger(value)) {
    return lw.fail("TW1122", loc, {
      message: `the number ${value} is not an integer, but an ${dtype} is needed`,
      seen: `${value} beside an operand of dtype ${dtype}`,
      expected: `an integer from ${range[0]} to ${range[1]}`,
      remedy:
        'convert the integer operand: cast(x, "f32"); or use floordiv() for an integer quotient',
    });
  }
  if (value < range[0] || value > range[1]) {
    return lw.fail("TW1123", loc, {
      message: `the number ${value} does not fit ${dtype}`,
      seen: String(value),
      expected: `an integer from ${range[0]} to ${range[1]}`,
      remedy:
        dtype === "i32" ? 'use u32 operands for bit patterns: cast(x, "u32")' : "use a wider dtype",
    });
  }
  return value;
}

export function dtypeMismatch(lw: Lowering, av: AbstractValue, dtype: DType, loc: Location): never {
  const seen = dtypeOf(av) ?? "a number";
  return lw.fail("TW1124", loc, {
    message: `a value of dtype ${seen} stands where ${dtype} is needed`,
    seen: describe(av),
    expected: `dtype ${dtype}`,
    remedy: `convert it: cast(x, "${dtype}")`,
  });
}

/** One dtype for two operands. */
export function commonDType(
  lw: Lowering,
  what: string,
  a: AbstractValue,
  b: AbstractValue,
  loc: Location,
): DType {
  requireData(lw, a, `the left operand of ${what}`, loc);
  requireData(lw, b, `the right operand of ${what}`, loc);
  const da = dtypeOf(a);
  const db = dtypeOf(b);
  if (da !== undefined && db !== undefined && da !== db) return mixed(lw, what, a, b, da, db, loc);
  if (da !== undefined || db !== undefined) return da ?? db ?? "f32";
  const numbers = [a, b].map((av) =>
    av.kind === "value" ? defaultOf(av.value) : defaultDType(knownValue(av)),
  );
  return numbers.includes("f32") ? "f32" : "i32";
}

function defaultOf(value: Value): DType {
  return value.type.dtype;
}

function mixed(
  lw: Lowering,
  what: string,
  a: AbstractValue,
  b: AbstractValue,
  da: DType,
  db: DType,
  loc: Location,
): never {
  const wide = computeDType(da) === da && (isFloat(da) || isInt(db)) ? da : db;
  const side = wide === da ? "right" : "left";
  return lw.fail("TW1125", loc, {
    message: `the operands of ${what} have different dtypes`,
    seen: `${describe(a)} and ${describe(b)}`,
    expected: "one dtype on both sides; only numbers known at compile time adapt",
    remedy:
      DTYPES[da].kind === "bool" || DTYPES[db].kind === "bool"
        ? `compare with !== 0 or convert the boolean: cast(x, "${DTYPES[da].kind === "bool" ? db : da}")`
        : `convert one of them, for example the ${side} one: cast(x, "${wide}")`,
  });
}

/** The axes of an elementwise result: the larger operand's order, else the first's followed by what it lacks. */
export function joinAxes(
  lw: Lowering,
  what: string,
  a: readonly Axis[],
  b: readonly Axis[],
  loc: Location,
): readonly Axis[] {
  for (const axis of a) {
    const other = b.find((candidate) => candidate.name === axis.name);
    if (other === undefined || other.size === axis.size) continue;
    lw.fail("TW1126", loc, {
      message: `the operands of ${what} have different sizes along ${axis.name}`,
      seen: `${axis.name}=${axis.size} and ${axis.name}=${other.size}`,
      expected: "one size for an axis name",
      remedy: "give one of them another name: rename(x, from, axis(name, size))",
    });
  }
  const missing = b.filter((axis) => !a.some((candidate) => candidate.name === axis.name));
  if (missing.length === 0) return a;
  return missing.length + a.length === b.length ? b : [...a, ...missing];
}

/** `value` over exactly `axes`, which contain its own. */
export function broadcastTo(
  lw: Lowering,
  value: Value,
  axes: readonly Axis[],
  loc: Location,
  hint = "",
): Value {
  if (sameAxes(value.type.axes, axes)) return value;
  return lw.builder.op("broadcast", { dtype: value.type.dtype, axes }, hint, { x: value, loc });
}

/** `av` as SSA of one dtype over `axes`; constants become tiles at once. */
export function conform(
  lw: Lowering,
  av: AbstractValue,
  dtype: DType,
  axes: readonly Axis[],
  place: Place,
): Value {
  const good = lw.good(av);
  const known =
    good.kind === "value" || (good.kind === "dim" && good.size === undefined)
      ? undefined
      : knownValue(good);
  if (known !== undefined && axes.length > 0) {
    return lw.builder.constant(
      dtype,
      constantAs(lw, known, dtype, place.loc),
      axes,
      place.loc,
      place.hint,
    );
  }
  return broadcastTo(lw, materialize(lw, good, dtype, place), axes, place.loc);
}

/** A bool, scalar or tile. */
export function materializeBool(
  lw: Lowering,
  av: AbstractValue,
  what: string,
  loc: Location,
): Value {
  const good = lw.good(av);
  if (dtypeOf(good) === "bool") return materialize(lw, good, "bool", { loc });
  return lw.fail("TW1127", loc, {
    message: `${what} must be a boolean`,
    seen: describe(good),
    expected: "a comparison, or a tile or scalar of dtype bool",
    remedy: "compare with !== 0",
  });
}

/** A scalar i32, for indices and bounds. */
export function materializeIndex(
  lw: Lowering,
  av: AbstractValue,
  what: string,
  loc: Location,
): Value {
  const good = lw.good(av);
  const axes = axesOf(good);
  const dtype = dtypeOf(good);
  if (isData(good) && axes.length === 0 && (dtype === undefined || dtype === "i32")) {
    return materialize(lw, good, "i32", { loc });
  }
  return lw.fail("TW1128", loc, {
    message: `${what} must be an integer`,
    seen:
      axes.length > 0 ? `a tile ${formatType({ dtype: dtype ?? "i32", axes })}` : describe(good),
    expected: "a scalar i32",
    remedy: axes.length > 0 ? "index with a tile through gather(x)" : 'convert it: cast(x, "i32")',
  });
}
