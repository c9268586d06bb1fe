/** [dsl/frontend] Dequantization: which axes of a tile share a scale, and the casts, splits and products that it is made of. */
import { type DType, isFloat, isStorage } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import { type Axis, findAxis, formatType, type Value } from "../ir/types.ts";
import {
  type AbstractValue,
  constant,
  describe,
  knownNumber,
  type Place,
  runtime,
} from "./abstract-value.ts";
import { binary, cast } from "./arith.ts";
import { axesOf, materializeAny } from "./coerce.ts";
import { merge, split } from "./emit-tile.ts";
import type { Lowering } from "./lowering.ts";

export interface DequantArguments {
  readonly w: Value;
  readonly scale: Value;
  readonly to: DType;
  readonly group: AbstractValue | undefined;
  /** Names of the grouped axes, in the order of the scale's own axes; undefined where the types say it. */
  readonly axes: readonly string[] | undefined;
  readonly zero: AbstractValue | undefined;
}

const QUANTIZED: readonly DType[] = ["i4", "u4", "i8", "u8", "f8e4m3", "f8e5m2", "nf4", "f4e2m1"];

/** An axis of the quantized tile of which `inner.size` neighbours share an element along `outer` of the scale. */
interface Group {
  readonly axis: Axis;
  readonly outer: Axis;
  readonly inner: Axis;
}

/** (w - zero) * scale in f32, rounded once to `to`; grouped axes are split, so that the scale broadcasts by name. */
export function dequant(lw: Lowering, args: DequantArguments, place: Place): AbstractValue {
  const { w, to } = args;
  const { loc } = place;
  requireDTypes(lw, args, loc);
  const groups = groupsOf(lw, args, loc);
  let wide = cast(lw, runtime(w), "f32", { loc });
  for (const { axis, outer, inner } of groups)
    wide = runtime(
      split(lw, materializeAny(lw, wide, { loc }), axis.name, [outer, inner], { loc }),
    );
  requireZeroAxes(lw, args, axesOf(wide), loc);
  let result = cast(lw, scaled(lw, wide, args, loc), to, groups.length === 0 ? place : { loc });
  for (const { axis, outer, inner } of groups) {
    const value = materializeAny(lw, result, { loc });
    result = runtime(merge(lw, value, [outer.name, inner.name], axis, place));
  }
  return result;
}

function requireDTypes(lw: Lowering, { w, to }: DequantArguments, loc: Location): void {
  if (!QUANTIZED.includes(w.type.dtype)) {
    lw.fail("TW1130", loc, {
      message: `dequant does not work on ${w.type.dtype}`,
      seen: formatType(w.type),
      expected: QUANTIZED.join(", "),
      remedy: "multiply by the scale with *",
    });
  }
  if (isFloat(to) && !isStorage(to)) return;
  lw.fail("TW1130", loc, {
    message: `dequant does not give ${to}`,
    seen: `to: ${to}`,
    expected: "a float with arithmetic",
    remedy: `dequantize to "f32" and convert the result: cast(x, "${to}")`,
  });
}

/** Pairs each axis that only the scale has with the axis of `w` that it stands for. */
function groupsOf(lw: Lowering, args: DequantArguments, loc: Location): readonly Group[] {
  const { w, scale } = args;
  const outers = scale.type.axes.filter((axis) => findAxis(w.type, axis.name) === undefined);
  if (outers.length === 0) return [];
  const lacking = w.type.axes.filter((axis) => findAxis(scale.type, axis.name) === undefined);
  const named = args.axes?.map((name) => lacking.find((axis) => axis.name === name));
  const grouped = named ?? (outers.length === 1 ? lacking : []);
  const sizes = groupSizes(lw, args.group, outers.length);
  const groups = outers.flatMap((outer, i): readonly Group[] => {
    const [axis, size] = [grouped[i], sizes?.[i]];
    if (axis === undefined || size === undefined || outer.size * size !== axis.size) return [];
    return [{ axis, outer, inner: { name: `${axis.name}_in`, size } }];
  });
  const distinct = new Set(groups.map(({ axis }) => axis.name));
  const fits = groups.length === outers.length && grouped.length === outers.length;
  if (fits && distinct.size === groups.length) return groups;
  return misfit(lw, args, loc);
}

function groupSizes(
  lw: Lowering,
  group: AbstractValue | undefined,
  count: number,
): readonly number[] | undefined {
  if (group === undefined) return undefined;
  const good = lw.good(group);
  const items = good.kind === "array" ? good.items : Array.from({ length: count }, () => good);
  const sizes = items.map((item) => knownNumber(lw.good(item)));
  const known = sizes.every((size): size is number => size !== undefined && size > 0);
  return known && sizes.length === count ? sizes : undefined;
}

function misfit(lw: Lowering, args: DequantArguments, loc: Location): never {
  const { w, scale, group, axes } = args;
  const given = group === undefined ? "not given" : describe(lw.good(group));
  const over = axes === undefined ? "" : `, axis ${axes.join(", ")}`;
  return lw.fail("TW1211", loc, {
    message: "the scale of dequant() does not fit the quantized tile",
    seen: `w ${formatType(w.type)}, scale ${formatType(scale.type)}, group ${given}${over}`,
    expected: "the axes of w, with one of them replaced by an axis `group` times shorter",
    remedy:
      "load the scale over a dim of (grouped axis) / group, and pass group: the number of elements that share a scale; " +
      "where several axes of w are missing from the scale, name the grouped ones: axis: BK, or axis: [BN, BK]",
  });
}

/** The zero point varies along axes of the split tile only. */
function requireZeroAxes(
  lw: Lowering,
  args: DequantArguments,
  axes: readonly Axis[],
  loc: Location,
): void {
  if (args.zero === undefined) return;
  const zero = lw.good(args.zero);
  const strange = axesOf(zero).filter(
    (axis) => !axes.some((own) => own.name === axis.name && own.size === axis.size),
  );
  if (strange.length === 0) return;
  lw.fail("TW1211", loc, {
    message: "the zero point of dequant() does not fit the quantized tile",
    seen: `zero ${describe(zero)}, scale ${formatType(args.scale.type)}, w ${formatType(args.w.type)}`,
    expected: "a number, or a tile over axes of w and of the scale",
    remedy: "load the zero point over the dims of the scale",
  });
}

function scaled(
  lw: Lowering,
  x: AbstractValue,
  args: DequantArguments,
  loc: Location,
): AbstractValue {
  const { zero, scale } = args;
  const known = zero === undefined ? 0 : knownNumber(lw.good(zero));
  const offset =
    zero === undefined || known !== undefined
      ? constant(known ?? 0)
      : cast(lw, zero, "f32", { loc });
  const centred = known === 0 ? x : binary(lw, "sub", x, offset, { loc });
  return binary(lw, "mul", centred, cast(lw, runtime(scale), "f32", { loc }), { loc });
}
