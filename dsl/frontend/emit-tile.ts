/** [dsl/frontend] Ops on whole tiles: reductions, scans, dot, and changes of axes. Elementwise ops are arith.ts. */
import { DTYPES, type DType, isFloat } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { ArgReduceFn, ReduceFn, ScanFn } from "../ir/primitives.ts";
import { type Axis, findAxis, formatType, isScalar, sameAxes, type Value } from "../ir/types.ts";
import { type AbstractValue, type Place, runtime } from "./abstract-value.ts";
import { broadcastTo, conform, dtypeOf, materialize, requireArithmetic } from "./coerce.ts";
import type { Lowering } from "./lowering.ts";

/** The tile's axis of that name. @throws TW1140 */
export function requireAxis(lw: Lowering, x: Value, name: string, loc: Location): Axis {
  const axis = findAxis(x.type, name);
  if (axis !== undefined) return axis;
  return lw.fail("TW1140", loc, {
    message: `the tile has no axis '${name}'`,
    seen: isScalar(x.type) ? `a scalar ${formatType(x.type)}` : formatType(x.type),
    expected: isScalar(x.type)
      ? "a tile"
      : `one of ${x.type.axes.map((a) => `'${a.name}'`).join(", ")}`,
    remedy:
      "axes are called after the dims that the tile was made with; rename() gives an axis another name",
  });
}

function without(axes: readonly Axis[], name: string): readonly Axis[] {
  return axes.filter((axis) => axis.name !== name);
}

export function reduce(
  lw: Lowering,
  fn: ReduceFn,
  x: Value,
  axis: string,
  place: Place,
): AbstractValue {
  const mask = fn === "any" || fn === "all";
  requireArithmetic(lw, fn, x.type.dtype, formatType(x.type), place.loc);
  if ((x.type.dtype === "bool") !== mask) {
    lw.fail("TW1141", place.loc, {
      message: `${fn} does not reduce ${x.type.dtype}`,
      seen: formatType(x.type),
      expected: mask ? "a tile of booleans" : "a tile of numbers",
      remedy: mask
        ? "compare with !== 0 first"
        : 'use some() or every(), or count with sum(cast(x, "i32"), axis)',
    });
  }
  const type = { dtype: x.type.dtype, axes: without(x.type.axes, axis) };
  return runtime(lw.builder.op("reduce", type, place.hint ?? "", { fn, x, axis, loc: place.loc }));
}

export function argReduce(
  lw: Lowering,
  fn: ArgReduceFn,
  x: Value,
  axis: string,
  place: Place,
): AbstractValue {
  requireNumbers(lw, fn, x, place.loc);
  const type = { dtype: "i32" as const, axes: without(x.type.axes, axis) };
  return runtime(
    lw.builder.op("arg_reduce", type, place.hint ?? "", { fn, x, axis, loc: place.loc }),
  );
}

export function scan(
  lw: Lowering,
  fn: ScanFn,
  x: Value,
  axis: string,
  place: Place,
): AbstractValue {
  requireNumbers(lw, fn === "sum" ? "cumsum" : "cummax", x, place.loc);
  return runtime(lw.builder.op("scan", x.type, place.hint ?? "", { fn, x, axis, loc: place.loc }));
}

function requireNumbers(lw: Lowering, what: string, x: Value, loc: Location): void {
  requireArithmetic(lw, what, x.type.dtype, formatType(x.type), loc);
  if (x.type.dtype !== "bool") return;
  lw.fail("TW1141", loc, {
    message: `${what} does not work on bool`,
    seen: formatType(x.type),
    expected: "a tile of numbers",
    remedy: 'convert the mask: cast(x, "i32")',
  });
}

export function dot(
  lw: Lowering,
  a: Value,
  b: Value,
  acc: AbstractValue | undefined,
  place: Place,
  late: { readonly async?: true } = {},
): AbstractValue {
  const { loc } = place;
  for (const x of [a, b]) requireArithmetic(lw, "dot", x.type.dtype, formatType(x.type), loc);
  if (a.type.dtype !== b.type.dtype) {
    lw.fail("TW1142", loc, {
      message: "the operands of dot have different dtypes",
      seen: `${formatType(a.type)} and ${formatType(b.type)}`,
      expected: "one dtype for both operands; the result is f32 (or i32) anyway",
      remedy: `convert one of them: cast(x, "${a.type.dtype}")`,
    });
  }
  const shared = a.type.axes.filter((axis) => findAxis(b.type, axis.name) !== undefined);
  const [axis] = shared;
  if (axis === undefined || shared.length > 1) {
    return lw.fail("TW1143", loc, {
      message:
        axis === undefined
          ? "the operands of dot share no axis"
          : "the operands of dot share more than one axis",
      seen: `${formatType(a.type)} and ${formatType(b.type)}`,
      expected: "exactly one common axis, which is summed over",
      remedy:
        axis === undefined
          ? "load both over the same dim, or rename() an axis of one"
          : "rename() the axis that shall stay in one operand, or merge() axes that are summed together",
    });
  }
  const other = findAxis(b.type, axis.name);
  if (other?.size !== axis.size) {
    lw.fail("TW1126", loc, {
      message: `the operands of dot have different sizes along ${axis.name}`,
      seen: `${formatType(a.type)} and ${formatType(b.type)}`,
      expected: "one size for an axis name",
      remedy: "make both tiles over the same dim",
    });
  }
  const dtype = dotDType(lw, a, loc);
  const axes = [...without(a.type.axes, axis.name), ...without(b.type.axes, axis.name)];
  const start = acc === undefined ? undefined : accumulator(lw, acc, dtype, axes, loc);
  const sum = start === undefined ? {} : { acc: start };
  const parts = { a, b, axis: axis.name, loc, ...sum, ...late };
  return runtime(lw.builder.op("dot", { dtype, axes }, place.hint ?? "", parts));
}

function dotDType(lw: Lowering, a: Value, loc: Location): DType {
  const { dtype } = a.type;
  if (isFloat(dtype)) return "f32";
  if (dtype === "i8" || dtype === "u8" || dtype === "i32") return "i32";
  return lw.fail("TW1144", loc, {
    message: `dot does not multiply ${dtype}`,
    seen: formatType(a.type),
    expected: "floats, i8, u8 or i32",
    remedy:
      dtype === "i4" || dtype === "u4"
        ? "convert with dequant() or cast() first"
        : 'convert it: cast(x, "f32")',
  });
}

/** The accumulator of a dot over the result's axes; another order of its axes is fine. */
function accumulator(
  lw: Lowering,
  acc: AbstractValue,
  dtype: DType,
  axes: readonly Axis[],
  loc: Location,
): Value {
  const good = lw.good(acc);
  const known = dtypeOf(good);
  const extra =
    good.kind === "value"
      ? good.value.type.axes.filter((axis) => !axes.some((a) => sameAxes([a], [axis])))
      : [];
  if ((known === undefined || known === dtype) && extra.length === 0)
    return conform(lw, good, dtype, axes, { loc });
  return lw.fail("TW1145", loc, {
    message: "the accumulator does not fit the result of dot",
    seen: good.kind === "value" ? formatType(good.value.type) : String(known),
    expected: formatType({ dtype, axes }),
    remedy: `start from zeros("${dtype}"${axes.map((axis) => `, ${axis.name}`).join("")})`,
  });
}

export function bitcast(lw: Lowering, x: Value, dtype: DType, place: Place): AbstractValue {
  if (DTYPES[dtype].bits !== 32) {
    lw.fail("TW1146", place.loc, {
      message: `bitcast() to ${dtype} changes the width`,
      seen: `${formatType(x.type)} to ${dtype}`,
      expected: "f32, i32 or u32",
      remedy: "use cast() to convert values",
    });
  }
  if (x.type.dtype === dtype) return runtime(x);
  return runtime(
    lw.builder.op("bitcast", { dtype, axes: x.type.axes }, place.hint ?? "", { x, loc: place.loc }),
  );
}

export function rename(
  lw: Lowering,
  x: Value,
  from: string,
  to: Axis,
  place: Place,
): AbstractValue {
  const old = requireAxis(lw, x, from, place.loc);
  const taken = from !== to.name && findAxis(x.type, to.name) !== undefined;
  if (taken || old.size !== to.size) {
    lw.fail("TW1147", place.loc, {
      message: taken
        ? `the tile has an axis '${to.name}' already`
        : `'${to.name}' has another size than '${from}'`,
      seen: `${formatType(x.type)}, and ${to.name}=${to.size} for ${from}`,
      expected: taken ? "a name that the tile does not use" : `a dim of size ${old.size}`,
      remedy: `make a dim of the right size: axis("${to.name}${taken ? "2" : ""}", ${from})`,
    });
  }
  if (from === to.name) return runtime(x);
  const axes = x.type.axes.map((axis) => (axis.name === from ? to : axis));
  return runtime(
    lw.builder.op("rename", { dtype: x.type.dtype, axes }, place.hint ?? "", { x, loc: place.loc }),
  );
}

export function merge(
  lw: Lowering,
  x: Value,
  names: readonly string[],
  into: Axis,
  place: Place,
): Value {
  const first = x.type.axes.findIndex((axis) => axis.name === names[0]);
  const run = x.type.axes.slice(first, first + names.length);
  const size = run.reduce((product, axis) => product * axis.size, 1);
  const adjacent =
    first >= 0 && names.length > 0 && names.every((name, i) => run[i]?.name === name);
  const rest = x.type.axes.filter((axis) => !names.includes(axis.name));
  const clash = rest.some((axis) => axis.name === into.name);
  if (!adjacent || size !== into.size || clash) {
    lw.fail("TW1148", place.loc, {
      message: !adjacent
        ? "merge() fuses adjacent axes only"
        : clash
          ? `the tile has an axis '${into.name}' already`
          : `the merged axes have ${size} elements, but ${into.name} is ${into.size}`,
      seen: `${formatType(x.type)}, merging ${names.join(", ") || "no axes"} into ${into.name}=${into.size}`,
      expected: !adjacent
        ? "two or more axes that stand side by side, slowest first"
        : clash
          ? "a name that the tile does not use"
          : `a dim of ${run.map((axis) => `${axis.name}=${axis.size}`).join(" * ")} = ${size}`,
      remedy: !adjacent
        ? "order the axes with broadcast(x, …) first, or name them: { axes: [ … ] }"
        : clash
          ? "merge into another dim: axis(name, size)"
          : `choose config values with ${into.name} = ${run.map((axis) => axis.name).join(" * ")}`,
    });
  }
  const axes = [...x.type.axes.slice(0, first), into, ...x.type.axes.slice(first + names.length)];
  const parts = { x, axes: names, into: into.name, loc: place.loc };
  return lw.builder.op("merge", { dtype: x.type.dtype, axes }, place.hint ?? "", parts);
}

export function split(
  lw: Lowering,
  x: Value,
  name: string,
  into: readonly Axis[],
  place: Place,
): Value {
  const old = requireAxis(lw, x, name, place.loc);
  const size = into.reduce((product, axis) => product * axis.size, 1);
  const rest = without(x.type.axes, name);
  const names = [...rest, ...into].map((axis) => axis.name);
  const clash = new Set(names).size < names.length;
  if (size !== old.size || clash || into.length === 0) {
    lw.fail("TW1149", place.loc, {
      message: clash
        ? "split() would give the tile one axis name twice"
        : "the dims of split() do not multiply to the axis",
      seen: `${formatType(x.type)}, splitting ${name} into ${into.map((axis) => `${axis.name}=${axis.size}`).join(", ") || "nothing"}`,
      expected: clash
        ? "names that differ from each other and from the tile's"
        : `dims that multiply to ${old.size}`,
      remedy: clash
        ? "use other dims, for example axis(name, size)"
        : `choose config values whose product is ${name}`,
    });
  }
  const at = x.type.axes.findIndex((axis) => axis.name === name);
  const axes = [...x.type.axes.slice(0, at), ...into, ...x.type.axes.slice(at + 1)];
  const parts = { x, axis: name, into: into.map((axis) => axis.name), loc: place.loc };
  return lw.builder.op("split", { dtype: x.type.dtype, axes }, place.hint ?? "", parts);
}

/** `x` over exactly `axes`. */
export function broadcast(
  lw: Lowering,
  x: AbstractValue,
  axes: readonly Axis[],
  place: Place,
): AbstractValue {
  const good = lw.good(x);
  const dtype = dtypeOf(good) ?? "f32";
  const value = materialize(lw, good, dtype, place);
  const lost = value.type.axes.filter((axis) => !axes.some((a) => sameAxes([a], [axis])));
  if (lost.length > 0) {
    lw.fail("TW1150", place.loc, {
      message: "broadcast() cannot drop or resize an axis",
      seen: `${formatType(value.type)} over ${axes.map((axis) => `${axis.name}=${axis.size}`).join(", ") || "no axes"}`,
      expected: `dims that include ${value.type.axes.map((axis) => `${axis.name}=${axis.size}`).join(", ")}`,
      remedy: `name all axes of the tile; to remove one, reduce it: sum(x, "${lost[0]?.name}")`,
    });
  }
  return runtime(broadcastTo(lw, value, axes, place.loc, place.hint));
}

export function requireDistinct(lw: Lowering, axes: readonly Axis[], loc: Location): void {
  const names = axes.map((axis) => axis.name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice === undefined) return;
  lw.fail("TW1151", loc, {
    message: `a tile cannot have the axis '${twice}' twice`,
    seen: axes.map((axis) => `${axis.name}=${axis.size}`).join(", "),
    expected: "axes with names that differ",
    remedy: `use another dim of the same size: axis("${twice}2", ${twice})`,
  });
}
