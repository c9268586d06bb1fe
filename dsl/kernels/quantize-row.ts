/** [dsl/kernels] A row of values to 8 bits with scales found from it: a function that kernels inline. Not a kernel. */
import { abs, axis, max, merge, round, split, where } from "../ops/catalogue.ts";
import type { Dim, DTypeArgument } from "../typing.ts";

/** Values as the cast to `to` should see them: whole for integers, since a cast to one drops what follows the point. */
export function wholeFor(to: DTypeArgument, values: number): number {
  return to === "i8" ? round(values) : values;
}

/** Magnitudes below it would need a factor that f32 does not hold: infinity, and NaN where it meets a zero. */
const TINY = 1e-35;

/**
 * Codes and scales of one row: value ≈ code · scale, with the greatest magnitude of each group on the greatest code.
 * @param values `[H]`, f32
 * @param name of the axis
 * @param size of the axis, known at compile time
 * @param groups how many neighbouring parts of the row have a scale of their own; a divisor of `size`
 * @param to `f8e4m3` (448 the greatest) or `i8` (127)
 * @returns codes `[H]`, f32, for a cast to `to`; scale `[groups]`, f32, 1 where a group is all zeros or below what a scale can lift
 */
export function quantizeRow(
  values: number,
  name: string,
  size: Dim,
  groups: Dim,
  to: DTypeArgument,
) {
  const most = to === "i8" ? 127 : 448;
  const grouped = split(values, name, groups, axis("GROUP", size / groups));
  const greatest = max(abs(grouped), "GROUP");
  const isEmpty = greatest < TINY;
  const scaled = grouped * where(isEmpty, 0, most / greatest);
  return { codes: wholeFor(to, merge(scaled, size)), scale: where(isEmpty, 1, greatest / most) };
}
