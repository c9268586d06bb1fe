/** [test/support/source-project] Constants and helpers that the project's kernels capture from another file. */
import { exp2, maximum, type Tile } from "../../../dsl/index.ts";

const BASE = 2;
export const HALF = 1 / BASE;
export const BOUNDS = { low: -HALF, high: HALF } as const;

/** Captures a constant of its own file and ops. */
export function clampLow(x: number): number {
  return maximum(x, BOUNDS.low);
}

export const power = (x: Tile): number => exp2(x) * HALF;
