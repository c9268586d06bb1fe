/** [codegen/passes] Pieces of rings between roles: their barriers and names, and a branch on a scalar. No pass. */
import type { Location } from "../../dsl/index.ts";
import type { ScheduledKernel, SharedBuffer, SOp, SValue } from "../ir/scheduled.ts";

/** A ring of mbarriers: eight bytes a slot. */
export function barrierRing(name: string, stages: number): SharedBuffer {
  const axes = [{ name: "word", size: 2 }];
  return {
    name,
    dtype: "u32",
    axes,
    stages,
    layout: { kind: "shared", axes, strides: [1], stageElements: 2 },
  };
}

/** A buffer name that the kernel does not have, close to `wish`. */
export function freeName(kernel: ScheduledKernel, wish: string): string {
  let name = wish;
  for (let n = 2; kernel.shared.some((buffer) => buffer.name === name); n++) name = `${wish}_${n}`;
  return name;
}

/** The ops where a scalar holds, others where it does not. */
export function eitherOr(
  cond: SValue,
  ops: readonly SOp[],
  others: readonly SOp[],
  loc: Location,
): SOp {
  const then = { params: [], ops, yields: [] };
  return {
    kind: "if",
    results: [],
    cond,
    then,
    else: { params: [], ops: others, yields: [] },
    loc,
  };
}

/** The ops where a scalar holds. */
export function onlyIf(cond: SValue, ops: readonly SOp[], loc: Location): SOp {
  return eitherOr(cond, ops, [], loc);
}
