/** [codegen/passes] Scalars by which a persistent block finds its programs, and those of the other block of its cluster. No pass. */
import type { SOp, SValue } from "../ir/scheduled.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";

/** How a block walks over the programs of the launch. */
export interface Walk {
  readonly grid: readonly [SValue, SValue, SValue];
  readonly total: SValue;
  readonly first: SValue;
  readonly blocks: SValue;
  readonly zero: SValue;
  /** In the cluster; absent where a cluster is one block or both of its blocks share their programs. */
  readonly rank?: SValue;
  /** Of this block in its programs; absent where they are its own. */
  readonly part?: SValue;
}

/** What the two blocks of a cluster do: nothing in common (no cluster), neighbouring programs, or halves of the same. */
export type Team = "alone" | "neighbours" | "halves";

/** A program of this block, by its index along each axis of the launch, and that of the cluster's other block. */
export interface Program {
  /** Among the programs of the launch; of a cluster's two, the first. */
  readonly index: SValue;
  readonly pids: readonly SValue[];
  readonly peer?: { readonly pids: readonly SValue[]; readonly rank: SValue };
  /** False for a program past the last: it is computed along with the peer's and not stored. */
  readonly isReal?: SValue;
}

/** The programs of the launch, and which of them this block begins with. */
export function walkPrograms(ops: SOp[], b: ScalarBuilder, team: Team): Walk {
  const { loc } = b;
  const size = (axis: 0 | 1 | 2): SValue => {
    const result = b.scalar(`grid${axis}`);
    ops.push({ kind: "grid_size", result, axis, loc });
    return result;
  };
  const grid = [size(0), size(1), size(2)] as const;
  const total = b.binary(
    ops,
    "mul",
    b.binary(ops, "mul", grid[0], grid[1], "t"),
    grid[2],
    "programs",
  );
  const first = b.scalar("block");
  ops.push({ kind: "pid", result: first, axis: 0, loc });
  const blocks = b.scalar("blocks");
  ops.push({ kind: "num_programs", result: blocks, axis: 0, loc });
  const walk = { grid, total, first, blocks, zero: b.constant(ops, 0, "zero") };
  if (team === "alone") return walk;
  const rank = b.scalar("rank");
  ops.push({ kind: "cluster_rank", result: rank, loc });
  if (team === "halves") {
    const two = b.constant(ops, 2, "two");
    const own = b.binary(ops, "floordiv", first, two, "cluster");
    return { ...walk, first: own, blocks: b.binary(ops, "floordiv", blocks, two, "t"), part: rank };
  }
  return { ...walk, first: b.binary(ops, "sub", first, rank, "cluster"), rank };
}

/** Index along each axis of the launch. */
function pidsOf(ops: SOp[], b: ScalarBuilder, { grid }: Walk, program: SValue): readonly SValue[] {
  return [
    b.binary(ops, "mod", program, grid[0], "pid0"),
    b.binary(ops, "mod", b.binary(ops, "floordiv", program, grid[0], "t"), grid[1], "pid1"),
    b.binary(ops, "floordiv", program, b.binary(ops, "mul", grid[0], grid[1], "t"), "pid2"),
  ];
}

/** The blocks of a cluster take neighbouring programs; both count trips by the first of them. */
export function programOf(ops: SOp[], b: ScalarBuilder, walk: Walk, first: SValue): Program {
  const { rank, total } = walk;
  if (rank === undefined) return { index: first, pids: pidsOf(ops, b, walk, first) };
  const one = b.constant(ops, 1, "one");
  const last = b.binary(ops, "sub", total, one, "last");
  const own = b.binary(ops, "add", first, rank, "program");
  const other = b.binary(ops, "add", first, b.binary(ops, "xor", rank, one, "t"), "t");
  return {
    index: first,
    pids: pidsOf(ops, b, walk, b.binary(ops, "min", own, last, "program")),
    peer: { pids: pidsOf(ops, b, walk, b.binary(ops, "min", other, last, "peer")), rank },
    isReal: b.compare(ops, "lt", own, total, "real"),
  };
}
