/** [codegen/passes] Copies of scheduled ops with values of their own: ids are unique in a kernel. No pass. */
import type { SBlock, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  mapScheduledRegions,
  mapScheduledResults,
} from "../ir/visit-scheduled.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";

/** Values of the kernel → those of a copy of their ops. */
export type Renaming = Map<number, SValue>;

export function renamed(by: Renaming, value: SValue): SValue {
  return by.get(value.id) ?? value;
}

/** Copies of ops; what they define is added to `by`, what it already holds is read instead of the original. */
export function cloneOps(list: readonly SOp[], by: Renaming, build: ScalarBuilder): readonly SOp[] {
  const fresh = (value: SValue): SValue => {
    const copy = build.like(value);
    by.set(value.id, copy);
    return copy;
  };
  const use = (value: SValue): SValue => renamed(by, value);
  const block = ({ params, ops, yields }: SBlock): SBlock => {
    const own = params.map(fresh);
    const inner = cloneOps(ops, by, build);
    return { params: own, ops: inner, yields: yields.map(use) };
  };
  return list.map((op) => {
    const moved = mapScheduledRegions(mapScheduledOperands(op, use), block);
    return mapScheduledResults(moved, fresh);
  });
}
