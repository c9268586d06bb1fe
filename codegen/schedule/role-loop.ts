/** [codegen/schedule] What find-role-loop and find-role-chain share: the loop that they find, its limits, and what may stand beside its dots. No search. */
import { DTYPES, elementCount, type Op, type TileKernel, type Value } from "../../dsl/index.ts";
import type { PassContext } from "../passes/pass.ts";
import type { DotShape } from "./dot-forms.ts";
import { tensorOf } from "./find-boxes.ts";

type DotOp = Extract<Op, { kind: "dot" }>;
type ForOp = Extract<Op, { kind: "for" }>;
type LoadOp = Extract<Op, { kind: "load" }>;

/** A dot of a loop in roles. */
export interface RoleDot {
  readonly dot: DotOp;
  /** As the instruction sees it: rows are those of operand b where the operands are swapped. */
  readonly shape: DotShape;
  readonly swapped: boolean;
}

/** The dots of a top-level loop, one, or two of which the second multiplies what the first gave, with their loads: what the warps of a block share out. */
export interface RoleLoop {
  readonly loop: ForOp;
  readonly dots: readonly RoleDot[];
  readonly loads: readonly LoadOp[];
  /** Loads besides that take the same way to shared memory and are read from there by threads: a row of words a trip. */
  readonly sides?: readonly LoadOp[];
  /** Warpgroups that multiply, 64 rows or a multiple each. */
  readonly consumers: number;
  /** Sums of 8-bit floats stay in the tensor core. */
  readonly fastSums?: true;
}

/** Rows of a wgmma. */
export const ROWS = 64;
/** Warpgroups that may multiply: a fourth would leave each 120 registers a thread. */
export const MOST_CONSUMERS = 3;

/** Registers of a thread's tiles that leave a consumer enough for the rest: of 240, or of 160 where three multiply. */
export function mostAccumulators(consumers: number): number {
  return consumers < MOST_CONSUMERS ? 208 : 128;
}

/** Columns of a product: ptxas takes none (C7602) with more accumulators than leave some of the 128 registers that four warpgroups start with. */
export function mostColumns(consumers: number): number {
  return consumers < MOST_CONSUMERS ? 256 : 192;
}

/** The registers of tiles where rows are among them, which all trips read: at 208 ptxas lets products run one after the other (C7512). */
function mostWithRows(consumers: number): number {
  return consumers < MOST_CONSUMERS ? 200 : 120;
}

/** Registers of a thread in each role. */
export interface RoleRegisters {
  readonly producer: number;
  readonly consumer: number;
}

/**
 * What the block's registers, 64 K shared out evenly at first, become where two or three warpgroups multiply.
 * @param few those of a copying thread that keeps little
 * @returns undefined for one, which has enough as it is
 */
export function roleRegisters(consumers: number, few: boolean): RoleRegisters | undefined {
  if (consumers === 1) return undefined;
  if (consumers === MOST_CONSUMERS) return { producer: 32, consumer: 160 };
  return few ? { producer: 24, consumer: 240 } : { producer: 40, consumer: 232 };
}
/** A slot is given back one trip late, so a ring has two at least; panels of a warpgroup, each warp's two of 16 rows by 128 bytes. */
const FEWEST_SLOTS = 2;
export const PANELS_BYTES = 4 * 2 * 16 * 128;

export type Found = { readonly found: RoleLoop } | { readonly obstacle: string };

export function findLoad(loop: ForOp, value: Value): LoadOp | undefined {
  const op = loop.body.ops.find((o) => o.kind === "load" && o.result.id === value.id);
  return op?.kind === "load" ? op : undefined;
}

/** Ops on tiles that consumers may run beside the product of a trip: they read what no kernel writes, and write nothing. */
export function isSideOp(kernel: TileKernel, op: Op): boolean {
  switch (op.kind) {
    case "const":
    case "iota":
    case "merge":
    case "unary":
    case "binary":
    case "compare":
    case "select":
    case "cast":
    case "broadcast":
    case "rename":
      return true;
    case "load":
      return tensorOf(kernel, op.tensor)?.access === "in";
    default:
      return false;
  }
}

/** Sizes of two chained dots: columns of the first, what it contracts, columns of the second. */
export interface ChainSizes {
  /** Bits of an element. */
  readonly bits: number;
  readonly consumers: number;
  readonly keys: number;
  readonly contracted: number;
  readonly columns: number;
}

/** Registers of a thread for the tiles of two chained dots: scores, sums and, in whole words, what the second dot multiplies and the rows of the first. */
export function chainRegisters({
  bits,
  keys,
  contracted,
  columns,
}: Omit<ChainSizes, "consumers">): {
  readonly tiles: number;
  readonly rows: number;
} {
  const words = bits / 32;
  return { tiles: (keys + columns + keys * words) / 2, rows: (contracted * words) / 2 };
}

/** Whether the rows of the first dot stay in registers over all trips; else each trip reads them from shared memory, as it does those of 8 bits. */
export function keepsRows(sizes: ChainSizes): boolean {
  if (sizes.bits === 8) return false;
  const { tiles, rows } = chainRegisters(sizes);
  return tiles + rows <= mostWithRows(sizes.consumers);
}

/**
 * Why not even the shortest ring fits beside the panels that results leave through.
 * @param once loads that have one slot
 */
export function ringObstacle(
  loads: readonly LoadOp[],
  consumers: number,
  context: PassContext,
  once: readonly LoadOp[] = [],
): string | undefined {
  const bytes = (list: readonly LoadOp[]): number =>
    list.reduce((sum, { result: { type } }) => {
      return sum + (elementCount(type) * DTYPES[type.dtype].bits) / 8;
    }, 0);
  const needed = FEWEST_SLOTS * bytes(loads) + bytes(once) + consumers * PANELS_BYTES;
  const { maxSharedBytes } = context.target;
  return needed <= maxSharedBytes
    ? undefined
    : `${FEWEST_SLOTS} slots and panels take ${needed} bytes of shared memory, more than ${maxSharedBytes}`;
}
