/** [codegen/passes/threads] Coordinates of boxes that end where the copy says: how a position along such a dim becomes two coordinates. */
import { RAGGED_SIZE } from "../../artifact.ts";
import type { Expr } from "../../ir/thread.ts";
import { dimSize, findTensorParam } from "./address.ts";
import type { LoweringContext } from "./context.ts";
import { add, binary, constant, sub } from "./expr.ts";

/** What a map with ends along one dim needs for one end. @source TensorMapParam.ragged */
export interface RaggedEnd {
  /** Adds to positions along the dim. */
  readonly shift: Expr;
  /** The coordinate along the second of the dims that the map has before all others. */
  readonly end: Expr;
}

/**
 * Positions from here on are out of bounds of the map.
 * @param end may lie past the tensor
 */
export function raggedEnd(ctx: LoweringContext, tensor: string, dim: number, end: Expr): RaggedEnd {
  const size = findTensorParam(ctx, tensor).shape[dim];
  const bound = size === undefined ? end : dimSize(ctx, size);
  const last = ctx.w.bind(binary("min", end, bound), "end");
  return { shift: ctx.w.bind(sub(constant(RAGGED_SIZE), last), "shift"), end: last };
}

/** Coordinates in the map's own order, outermost first. @param at positions, outermost dim first */
export function raggedCoordinates(
  at: readonly Expr[],
  dim: number,
  { shift, end }: RaggedEnd,
): readonly Expr[] {
  return [
    constant(RAGGED_SIZE),
    end,
    ...at.map((position, d) => (d === dim ? add(position, shift) : position)),
  ];
}
