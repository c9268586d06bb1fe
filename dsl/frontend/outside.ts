/** [dsl/frontend] Indices that are outside of a tensor whatever it holds: what a device would read there is anyone's guess. */
import type { Location } from "../core/location.ts";
import type { TensorParam } from "../ir/nodes.ts";
import { type AbstractValue, knownNumber } from "./abstract-value.ts";
import type { Lowering } from "./lowering.ts";

/** A scalar index known at compile time that no size of the dim allows. */
export interface Outside {
  readonly index: number;
  readonly dim: string;
  readonly loc: Location;
}

/** The first such index of a list; spans and gathers fill what is outside, and are none. */
export function findOutside(
  tensor: TensorParam,
  items: readonly { readonly value: AbstractValue; readonly loc: Location }[],
): Outside | undefined {
  for (const [i, { value, loc }] of items.entries()) {
    const index = knownNumber(value);
    const dim = tensor.shape[i];
    if (index === undefined || dim === undefined) continue;
    if (index < 0 || (dim.size !== undefined && index >= dim.size))
      return { index, dim: dim.name ?? String(dim.size), loc };
  }
  return undefined;
}

/** @throws TW1169 unless a mask may keep the element from being accessed */
export function refuseOutside(
  lw: Lowering,
  tensor: TensorParam,
  outside: Outside | undefined,
  isMasked: boolean,
): void {
  if (outside === undefined || isMasked) return;
  const { index, dim, loc } = outside;
  lw.fail("TW1169", loc, {
    message: `the index ${index} is outside of ${tensor.name}`,
    seen: `${index} for the dim ${dim}`,
    expected: `an index from 0 to ${dim} - 1`,
    remedy: `correct it: nothing counts from the end; the last element is at ${dim} - 1`,
  });
}
