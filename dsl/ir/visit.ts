/** [dsl/ir] Reading ops generically: operands, results, regions, walks, uses and free values. Rebuilding ops lives in rewrite.ts. */
import type { Block, Index, Op, TileKernel } from "./nodes.ts";
import type { Value } from "./types.ts";

/** Values that the addressing of a load, store or atomic reads. */
export function indexOperands(index: Index): readonly Value[] {
  switch (index.kind) {
    case "at":
      return [index.value];
    case "span":
      return index.end === undefined ? [index.start] : [index.start, index.end];
    case "gather":
      return [index.index];
    default:
      return index satisfies never;
  }
}

function memoryOperands(
  at: readonly Index[],
  value: Value | undefined,
  mask: Value | undefined,
): readonly Value[] {
  const list = at.flatMap(indexOperands);
  if (value !== undefined) list.push(value);
  if (mask !== undefined) list.push(mask);
  return list;
}

/** Values that an op reads itself, in the order of its text; what its regions read is left out. */
export function operands(op: Op): readonly Value[] {
  switch (op.kind) {
    case "const":
    case "dim":
    case "param":
    case "pid":
    case "num_programs":
    case "iota":
    case "walk":
    case "ring":
    case "barrier":
    case "roles":
      return [];
    case "unary":
    case "cast":
    case "bitcast":
    case "broadcast":
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "rename":
    case "merge":
    case "split":
    case "print":
      return [op.x];
    case "binary":
    case "compare":
      return [op.a, op.b];
    case "select":
      return [op.cond, op.a, op.b];
    case "dot":
      return op.acc === undefined ? [op.a, op.b] : [op.a, op.b, op.acc];
    case "load":
      return memoryOperands(op.at, undefined, op.mask);
    case "store":
    case "atomic":
      return memoryOperands(op.at, op.value, op.mask);
    case "for":
      return [op.lo, op.hi, op.step, ...op.inits];
    case "while":
      return op.inits;
    case "if":
    case "assert":
      return [op.cond];
    case "if_any":
      return [op.cond, ...op.elseValues];
    case "barrier_wait":
    case "barrier_arrive":
    case "slot":
      return [op.use];
    case "copy_async":
      return [op.use, op.value];
    case "dot_wait":
      return op.xs;
    default:
      return op satisfies never;
  }
}

/** Values that an op defines in the block it stands in. */
export function results(op: Op): readonly Value[] {
  switch (op.kind) {
    case "store":
    case "assert":
    case "print":
    case "ring":
    case "barrier":
    case "barrier_wait":
    case "barrier_arrive":
    case "copy_async":
    case "roles":
      return [];
    case "dot_wait":
    case "for":
    case "while":
    case "if":
    case "if_any":
      return op.results;
    default:
      return [op.result];
  }
}

/** Blocks that an op owns, in the order of its text. */
export function regions(op: Op): readonly Block[] {
  switch (op.kind) {
    case "for":
    case "if_any":
      return [op.body];
    case "while":
      return [op.cond, op.body];
    case "if":
      return [op.then, op.else];
    case "roles":
      return [op.producer, op.consumer];
    default:
      return [];
  }
}

/** True where removing an op whose results are unused would change what a kernel does. Regions count. */
export function hasSideEffects(op: Op): boolean {
  switch (op.kind) {
    case "store":
    case "atomic":
    case "assert":
    case "print":
    case "ring":
    case "barrier":
    case "barrier_wait":
    case "barrier_arrive":
    case "copy_async":
    case "dot_wait":
      return true;
    case "while":
      return true; // it may fail to end
    default:
      return regions(op).some((block) => block.ops.some(hasSideEffects));
  }
}

/** True where an op reads memory, itself or in a region. */
export function readsMemory(op: Op): boolean {
  return (
    op.kind === "load" ||
    op.kind === "atomic" ||
    op.kind === "slot" ||
    regions(op).some((block) => block.ops.some(readsMemory))
  );
}

/** Calls `visit` for every op of a block and of the blocks inside, owners before what they own. */
export function walkOps(block: Block, visit: (op: Op, depth: number) => void, depth = 0): void {
  for (const op of block.ops) {
    visit(op, depth);
    for (const region of regions(op)) walkOps(region, visit, depth + 1);
  }
}

/** Calls `visit` for every block: `block` itself first, then those inside. */
export function walkBlocks(
  block: Block,
  visit: (block: Block, owner: Op | undefined) => void,
): void {
  const enter = (inner: Block, owner: Op | undefined): void => {
    visit(inner, owner);
    for (const op of inner.ops) for (const region of regions(op)) enter(region, op);
  };
  enter(block, undefined);
}

/** Number of reads of every value, keyed by id; a yield is a read. */
export function countUses(block: Block): ReadonlyMap<number, number> {
  const uses = new Map<number, number>();
  const add = (value: Value): void => {
    uses.set(value.id, (uses.get(value.id) ?? 0) + 1);
  };
  walkBlocks(block, (inner) => {
    for (const op of inner.ops) operands(op).forEach(add);
    inner.yields.forEach(add);
  });
  return uses;
}

/** What defines each value: an op, or the block that it is a parameter of. */
export type Definition =
  | { readonly kind: "op"; readonly op: Op; readonly value: Value }
  | {
      readonly kind: "param";
      readonly block: Block;
      readonly owner: Op | undefined;
      readonly value: Value;
    };

/** Every definition of a block and of the blocks inside, keyed by value id. */
export function definitions(block: Block): ReadonlyMap<number, Definition> {
  const map = new Map<number, Definition>();
  walkBlocks(block, (inner, owner) => {
    for (const value of inner.params)
      map.set(value.id, { kind: "param", block: inner, owner, value });
    for (const op of inner.ops) {
      for (const value of results(op)) map.set(value.id, { kind: "op", op, value });
    }
  });
  return map;
}

/** Values that a block (or a block inside) reads and that are defined outside of it, in order of first use. */
export function freeValues(block: Block): readonly Value[] {
  const defined = definitions(block);
  const free = new Map<number, Value>();
  const read = (value: Value): void => {
    if (!defined.has(value.id)) free.set(value.id, value);
  };
  const enter = (inner: Block): void => {
    for (const op of inner.ops) {
      operands(op).forEach(read);
      regions(op).forEach(enter);
    }
    inner.yields.forEach(read);
  };
  enter(block);
  return [...free.values()];
}

/** The least id that no value of the kernel has. */
export function nextValueId(kernel: TileKernel): number {
  let next = 0;
  walkBlocks(kernel.body, (block) => {
    for (const value of block.params) next = Math.max(next, value.id + 1);
    for (const op of block.ops) {
      for (const value of results(op)) next = Math.max(next, value.id + 1);
    }
  });
  return next;
}
