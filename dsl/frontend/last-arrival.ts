/** [dsl/frontend] lastArrival: one program counted at one counter. */
import type { Location } from "../core/location.ts";
import { type AbstractValue, constant, type Place, runtime } from "./abstract-value.ts";
import { compare } from "./arith.ts";
import { materialize } from "./coerce.ts";
import type { Addressed } from "./emit-memory.ts";
import type { Lowering } from "./lowering.ts";

/** @returns whether the program is the last of `expected` to arrive at the counter. @throws TW1213, TW1214, TW1220 */
export function lastArrival(
  lw: Lowering,
  { tensor, at }: Addressed,
  expected: AbstractValue,
  place: Place,
): AbstractValue {
  const { loc } = place;
  if (lw.role !== undefined || lw.builder.has("roles"))
    refuseBesideRoles(lw, loc, lw.role === undefined ? "behind roles()" : `in the ${lw.role}`);
  lw.arrives = true;
  if (tensor.dtype !== "i32")
    lw.fail("TW1213", loc, {
      message: "programs are counted in i32",
      seen: `the tensor ${tensor.name} of dtype ${tensor.dtype}`,
      expected: "counters of dtype i32",
      remedy: `declare it with inout("i32", …)`,
    });
  if (at.some((index) => index.kind !== "at"))
    lw.fail("TW1214", loc, {
      message: "a program arrives at one counter at a time",
      seen: `a span or a gather among the indices of ${tensor.name}`,
      expected: "a scalar for each dim of the counters",
      remedy: "name one counter by scalars, for example pid(0); several take several calls",
    });
  const value = materialize(lw, expected, "i32", { loc });
  const parts = { fn: "arrive" as const, tensor: tensor.name, at, value, loc };
  const arrived = lw.builder.op("atomic", { dtype: "i32", axes: [] }, place.hint ?? "", parts);
  return compare(lw, "ne", runtime(arrived), constant(0), { loc });
}

/** Roles have no place at which all that a program stored is known to be there, and blocks that take several programs would count once. @throws TW1220 */
export function refuseBesideRoles(lw: Lowering, loc: Location, where: string): never {
  return lw.fail("TW1220", loc, {
    message: "lastArrival() stands in a kernel with roles()",
    seen: `a call ${where}`,
    expected: "programs counted where all their threads do the same",
    remedy:
      "let the roles store their parts, and put what the last program did into a second kernel, launched behind this one",
  });
}
