/** [codegen/passes/threads] Cuts the register loop of an access into vectors of consecutive registers. */
import type { Iter, RegisterLayout } from "../../layout/layout.ts";

export interface VectorLoop {
  /** Elements of one access; at most what was asked for. */
  readonly width: number;
  /** Iters that are left to loop over: one step is one access. */
  readonly iters: readonly Iter[];
}

/**
 * @param axis the axis whose neighbours are neighbours in memory
 * @param width wanted elements; where the registers do not hold that many neighbours in a row, fewer are taken
 */
export function vectorLoop(
  layout: RegisterLayout | undefined,
  axis: string | undefined,
  width: number,
): VectorLoop {
  const reg = layout?.reg ?? [];
  const [first, ...rest] = reg;
  if (first === undefined || first.axis !== axis || first.stride !== 1 || width === 1)
    return { width: 1, iters: reg };
  let fitting = width;
  while (first.extent % fitting !== 0) fitting /= 2;
  if (fitting === 1) return { width: 1, iters: reg };
  const outer: Iter = { axis: first.axis, stride: fitting, extent: first.extent / fitting };
  return { width: fitting, iters: [outer, ...rest] };
}
