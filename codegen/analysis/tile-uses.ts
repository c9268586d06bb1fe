/** [codegen/analysis] Who reads each value of a tile kernel: ops, and the ends of blocks. */
import { type Block, type Op, operands, walkBlocks } from "../../dsl/index.ts";

export interface Usage {
  readonly op: Op | undefined;
  readonly block: Block;
}

/** Every reader of each value: an op, or the end of a block (`op` undefined). */
export function findUses(body: Block): ReadonlyMap<number, readonly Usage[]> {
  const uses = new Map<number, Usage[]>();
  const add = (id: number, usage: Usage): void => {
    const list = uses.get(id);
    if (list === undefined) uses.set(id, [usage]);
    else list.push(usage);
  };
  walkBlocks(body, (block) => {
    for (const op of block.ops) for (const value of operands(op)) add(value.id, { op, block });
    for (const value of block.yields) add(value.id, { op: undefined, block });
  });
  return uses;
}
