/** [codegen/passes] Removes ops whose results nothing reads, and loop-carried values that only feed themselves. */
import {
  type Block,
  countUses,
  hasSideEffects,
  mapRegions,
  type Op,
  operands,
  results,
  type TileKernel,
  walkBlocks,
} from "../../dsl/index.ts";

function isUsed(op: Op, uses: ReadonlyMap<number, number>): boolean {
  return results(op).some((value) => (uses.get(value.id) ?? 0) > 0);
}

/** Positions of carried values that someone needs: the result is read, or the parameter is read by more than its own yield. */
function neededPositions(
  op: Extract<Op, { kind: "for" }>,
  uses: ReadonlyMap<number, number>,
): readonly number[] {
  const params = op.body.params.slice(1);
  return op.results.flatMap((result, i) => {
    const param = params[i];
    const ownYield = param !== undefined && op.body.yields[i]?.id === param.id ? 1 : 0;
    const reads = param === undefined ? 0 : (uses.get(param.id) ?? 0) - ownYield;
    return (uses.get(result.id) ?? 0) > 0 || reads > 0 ? [i] : [];
  });
}

function pruneCarried(op: Op, uses: ReadonlyMap<number, number>): Op {
  if (op.kind !== "for") return op;
  const needed = neededPositions(op, uses);
  if (needed.length === op.results.length) return op;
  const pick = <T>(list: readonly T[]): T[] =>
    needed.flatMap((i) => {
      const item = list[i];
      return item === undefined ? [] : [item];
    });
  const [iv, ...carried] = op.body.params;
  const params = iv === undefined ? pick(carried) : [iv, ...pick(carried)];
  const body = { ...op.body, params, yields: pick(op.body.yields) };
  return { ...op, results: pick(op.results), inits: pick(op.inits), body };
}

function sweep(kernel: TileKernel): TileKernel {
  const uses = countUses(kernel.body);
  const enter = (block: Block): Block => ({
    ...block,
    ops: block.ops.flatMap((op) =>
      hasSideEffects(op) || isUsed(op, uses) ? [mapRegions(pruneCarried(op, uses), enter)] : [],
    ),
  });
  return { ...kernel, body: enter(kernel.body) };
}

function countOps(kernel: TileKernel): number {
  let count = 0;
  walkBlocks(kernel.body, (block) => {
    count += block.ops.length + block.yields.length;
    for (const op of block.ops) count += operands(op).length;
  });
  return count;
}

export function eliminateDead(kernel: TileKernel): TileKernel {
  let current = kernel;
  for (let before = -1, after = countOps(current); before !== after; ) {
    before = after;
    current = sweep(current);
    after = countOps(current);
  }
  return current;
}
