/** [codegen/analysis/protocol] Values of scalar ops where those of the launch are given. Loops and branches are walked by walk-role.ts. */
import { formatSpan, isScalar } from "../../../dsl/index.ts";
import type { SOp, SValue } from "../../ir/scheduled.ts";
import { foldBinary, foldCast, foldCompare, foldUnary } from "../../passes/constant-arithmetic.ts";

/** Ops whose scalars come from the launch or from memory. */
type LeafOp = Extract<
  SOp,
  {
    kind: "dim" | "param" | "pid" | "num_programs" | "grid_size" | "cluster_rank" | "load";
  }
>;

/** What a kernel is launched with, as far as it matters: a scalar of a tensor has one value wherever it is read. */
export interface Launch {
  /** Programs along the first axis of the grid; there is one along the others. */
  readonly programs: number;
  /** The first block of the cluster. */
  readonly block: number;
  /** Of the block in the cluster. */
  readonly rank: number;
  readonly blocks: number;
  /** Dims, parameters and scalars out of memory by `leafName`. */
  readonly values: ReadonlyMap<string, number>;
  /** The value of those that are not listed, and of integers that come out of tiles. */
  readonly other: number;
  /** Values by id that are set, whatever they are made of: bounds that no numbers were found for. */
  readonly forced: ReadonlyMap<number, number>;
}

/** True for scalars that a launch may give any value. */
export function leafName(op: LeafOp): string | undefined {
  switch (op.kind) {
    case "dim":
      return op.dim;
    case "param":
      return op.param;
    case "load":
      return `${op.tensor} at ${formatSpan(op.loc.span)}`;
    case "pid":
    case "num_programs":
    case "grid_size":
    case "cluster_rank":
      return undefined;
    default:
      return op satisfies never;
  }
}

/** Integer of a leaf, or undefined where it is none. */
function leafValue(op: LeafOp, launch: Launch): number | undefined {
  if (!isScalar(op.result.type)) return undefined;
  const { dtype } = op.result.type;
  if (dtype !== "i32" && dtype !== "u32") return undefined;
  switch (op.kind) {
    case "pid":
      return op.axis === 0 ? launch.block + launch.rank : 0;
    case "cluster_rank":
      return launch.rank;
    case "num_programs":
      return op.axis === 0 ? launch.blocks : 1;
    case "grid_size":
      return op.axis === 0 ? launch.programs : 1;
    default:
      return launch.values.get(leafName(op) ?? "") ?? launch.other;
  }
}

type Read = (value: SValue) => number | undefined;

function fold1(x: number | undefined, fold: (x: number) => number | undefined): number | undefined {
  return x === undefined ? undefined : fold(x);
}

function fold2(
  a: number | undefined,
  b: number | undefined,
  fold: (a: number, b: number) => number | undefined,
): number | undefined {
  return a === undefined || b === undefined ? undefined : fold(a, b);
}

/** Number of a scalar op (0 or 1 for bool), or undefined where it is not known or no scalar. */
export function evaluateScalar(op: SOp, read: Read, launch: Launch): number | undefined {
  switch (op.kind) {
    case "const":
      return isScalar(op.result.type) ? op.value : undefined;
    case "dim":
    case "param":
    case "pid":
    case "num_programs":
    case "grid_size":
    case "cluster_rank":
    case "load":
      return leafValue(op, launch);
    case "unary":
      return fold1(read(op.x), (x) => foldUnary(op.fn, x, op.x.type.dtype));
    case "binary":
      return fold2(read(op.a), read(op.b), (a, b) => foldBinary(op.fn, a, b, op.a.type.dtype));
    case "compare":
      return fold2(read(op.a), read(op.b), (a, b) => foldCompare(op.fn, a, b));
    case "select": {
      const [cond, a, b] = [read(op.cond), read(op.a), read(op.b)];
      if (cond !== undefined) return cond === 0 ? b : a;
      return a === b ? a : undefined;
    }
    // In whatever order programs are taken, a block sees what it would see of this one.
    case "fetch":
      return read(op.same);
    case "next_program":
      return fold2(read(op.after), read(op.blocks), (after, blocks) => after + blocks);
    case "cast":
      return fold1(read(op.x), (x) => foldCast(x, op.x.type.dtype, op.result.type.dtype));
    default:
      return undefined;
  }
}
