/** [codegen/passes] `if_any` → one `if` for the whole block on whether any row is true. Runs first; debug ops (assert, print) are dropped here too. */
import { type Block, mapRegions, type Op, type TileKernel, ValueSource } from "../../dsl/index.ts";
import { TileBuilder } from "./tile-builder.ts";

/** The body is neutral for rows where the condition is false, so that it may run for all of them. */
function lowerOp(op: Extract<Op, { kind: "if_any" }>, source: ValueSource): readonly Op[] {
  const builder = new TileBuilder(source, op.loc);
  const any = op.cond.type.axes.reduce(
    (cond, axis) => builder.reduce("any", cond, axis.name),
    op.cond,
  );
  const lowered: Op = {
    kind: "if",
    results: op.results,
    byRows: true,
    cond: any,
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    then: op.body,
    else: { params: [], ops: [], yields: op.elseValues },
    loc: op.loc,
  };
  return [...builder.ops, lowered];
}

export function lowerIfAny(kernel: TileKernel): TileKernel {
  const source = new ValueSource(kernel);
  const enter = (block: Block): Block => ({
    ...block,
    ops: block.ops.flatMap((original): readonly Op[] => {
      const op = mapRegions(original, enter);
      if (op.kind === "assert" || op.kind === "print") return [];
      return op.kind === "if_any" ? lowerOp(op, source) : [op];
    }),
  });
  return { ...kernel, body: enter(kernel.body) };
}
