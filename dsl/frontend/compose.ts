/** [dsl/frontend] Ops that decompose into many primitives with rules of their own: topK. */
import { type Axis, findAxis, formatType, type Value } from "../ir/types.ts";
import { type AbstractValue, constant, type Place, runtime } from "./abstract-value.ts";
import { compare, select } from "./arith.ts";
import { conform, dtypeOf, materialize, materializeAny } from "./coerce.ts";
import { argReduce, reduce } from "./emit-tile.ts";
import type { Lowering } from "./lowering.ts";

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
