/** [dsl/frontend] Ops that decompose into many primitives with rules of their own: dequant and topK. */
import type { DType } from "../core/dtype.ts";
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
import { binary, cast, compare, select } from "./arith.ts";
import { conform, dtypeOf, materialize, materializeAny } from "./coerce.ts";
import { argReduce, merge, reduce, split } from "./emit-tile.ts";
import type { Lowering } from "./lowering.ts";

export interface DequantArguments {
  readonly w: Value;
  readonly scale: Value;
  readonly to: DType;
  readonly group: AbstractValue | undefined;
  readonly zero: AbstractValue | undefined;
}

const QUANTIZED: readonly DType[] = ["i4", "u4", "i8", "u8", "f8e4m3", "f8e5m2"];

/** (cast(w) - zero) * scale, the grouped axis split so that the scale broadcasts by name. */
export function dequant(lw: Lowering, args: DequantArguments, place: Place): AbstractValue {
  const { w, scale, to } = args;
  const { loc } = place;
  if (!QUANTIZED.includes(w.type.dtype)) {
    lw.fail("TW1130", loc, {
      message: `dequant does not work on ${w.type.dtype}`,
      seen: formatType(w.type),
      expected: QUANTIZED.join(", "),
      remedy: "multiply by the scale with *",
    });
  }
  const groupAxis = scale.type.axes.filter((axis) => findAxis(w.type, axis.name) === undefined);
  const [outer] = groupAxis;
  const wide = cast(lw, runtime(w), to, { loc });
  if (outer === undefined) return scaled(lw, wide, args, place);
  const grouped = groupedAxis(lw, args, groupAxis, loc);
  const inner: Axis = { name: `${grouped.name}_in`, size: grouped.size / outer.size };
  const parts = split(lw, materializeAny(lw, wide, { loc }), grouped.name, [outer, inner], { loc });
  const result = materializeAny(lw, scaled(lw, runtime(parts), args, { loc }), { loc });
  return runtime(merge(lw, result, [outer.name, inner.name], grouped, place));
}

/** The axis of `w` that the scale's group axis stands for: the only one that the scale lacks. */
function groupedAxis(
  lw: Lowering,
  args: DequantArguments,
  groupAxes: readonly Axis[],
  loc: Location,
): Axis {
  const { w, scale } = args;
  const lacking = w.type.axes.filter((axis) => findAxis(scale.type, axis.name) === undefined);
  const [grouped] = lacking;
  const [outer] = groupAxes;
  const group = args.group === undefined ? undefined : knownNumber(lw.good(args.group));
  const fits =
    grouped !== undefined &&
    outer !== undefined &&
    group !== undefined &&
    outer.size * group === grouped.size;
  if (fits && lacking.length === 1 && groupAxes.length === 1) return grouped;
  return lw.fail("TW1211", loc, {
    message: "the scale of dequant() does not fit the quantized tile",
    seen: `w ${formatType(w.type)}, scale ${formatType(scale.type)}, group ${group ?? (args.group === undefined ? "not given" : describe(args.group))}`,
    expected: "the axes of w, with one of them replaced by an axis `group` times shorter",
    remedy:
      "load the scale over a dim of (grouped axis) / group, and pass group: the number of elements that share a scale",
  });
}

function scaled(
  lw: Lowering,
  x: AbstractValue,
  args: DequantArguments,
  place: Place,
): AbstractValue {
  const { loc } = place;
  const { zero, to } = args;
  const known = zero === undefined ? 0 : knownNumber(lw.good(zero));
  const offset =
    zero === undefined || known !== undefined ? constant(known ?? 0) : cast(lw, zero, to, { loc });
  const centred = known === 0 ? x : binary(lw, "sub", x, offset, { loc });
  return binary(lw, "mul", centred, cast(lw, runtime(args.scale), to, { loc }), place);
}

/** k rounds: find the greatest, note it, and put NaN in its place, which argmax passes over. */
export function topK(lw: Lowering, x: Value, axis: string, k: Axis, place: Place): AbstractValue {
  const { loc } = place;
  const along = findAxis(x.type, axis);
  if (
    along === undefined ||
    k.size > along.size ||
    k.size > 64 ||
    findAxis(x.type, k.name) !== undefined
  ) {
    return lw.fail("TW1212", loc, {
      message: "topK() cannot take that many elements",
      seen: `${k.name}=${k.size} of ${formatType(x.type)}`,
      expected: `a dim of at most ${Math.min(64, along?.size ?? 64)} elements, named unlike the tile's axes`,
      remedy: 'make it with axis("k", 8); for more elements select by a threshold',
    });
  }
  const positions = runtime(lw.builder.op("iota", { dtype: "i32", axes: [along] }, "", { loc }));
  const slots = runtime(lw.builder.op("iota", { dtype: "i32", axes: [k] }, "", { loc }));
  const rest = x.type.axes.filter((candidate) => candidate.name !== axis);
  let left: AbstractValue = runtime(x);
  let values: AbstractValue = runtime(
    conform(lw, constant(0), x.type.dtype, [...rest, k], { loc }),
  );
  let indices: AbstractValue = runtime(conform(lw, constant(0), "i32", [...rest, k], { loc }));
  for (let round = 0; round < k.size; round++) {
    const tile = materialize(lw, left, dtypeOf(left) ?? x.type.dtype, { loc });
    const at = argReduce(lw, "argmax", tile, axis, { loc });
    const here = compare(lw, "eq", positions, at, { loc });
    // The original value at that place: a row of -inf gives -inf again, not what stands for "taken".
    const value = reduce(
      lw,
      "max",
      materializeAny(lw, select(lw, here, runtime(x), constant(-Infinity), { loc }), { loc }),
      axis,
      { loc },
    );
    const slot = compare(lw, "eq", slots, constant(round), { loc });
    values = select(lw, slot, value, values, { loc });
    indices = select(lw, slot, at, indices, { loc });
    left = select(lw, here, constant(Number.NaN), left, { loc });
  }
  return { kind: "object", fields: { values, indices } };
}
