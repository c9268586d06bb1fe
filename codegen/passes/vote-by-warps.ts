/** [codegen/passes] Branches on whether any row of the block needs something, as branches of each warp on its own rows. Used where warpgroups run apart. */
import type { SOp, SValue } from "../ir/scheduled.ts";
import { scheduledOperands, scheduledRegions, scheduledResults } from "../ir/visit-scheduled.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";

/** Whether rows are dealt to warps in the same way, so that a warp's vote speaks for what it holds. */
function byTheSameWarps(a: SValue, b: SValue): boolean {
  return JSON.stringify(a.layout?.warp) === JSON.stringify(b.layout?.warp);
}

/** Every tile that an op touches, its blocks included. */
function tilesOf(op: SOp): readonly SValue[] {
  const inner = scheduledRegions(op).flatMap((block) => block.ops.flatMap(tilesOf));
  return [...scheduledResults(op), ...scheduledOperands(op), ...inner].filter(
    ({ layout }) => layout !== undefined,
  );
}

/** Whether warps can run an op each by itself: nothing that all meet for, and no effect. */
function staysInWarps(op: SOp): boolean {
  switch (op.kind) {
    case "const":
    case "iota":
    case "unary":
    case "binary":
    case "compare":
    case "select":
    case "cast":
    case "bitcast":
    case "broadcast":
    case "relabel":
    case "pack_pairs":
      return true;
    case "convert":
      return op.via === "registers";
    case "reduce":
      return (
        op.x.layout?.warp.every(({ axis, extent }) => axis !== op.axis || extent === 1) === true
      );
    case "if":
      return [...op.then.ops, ...op.else.ops].every(staysInWarps);
    default:
      return false;
  }
}

/** The tile of bools of which a condition says whether any is true: as legalize-narrow leaves it, the greatest of zeros and ones is not 0. */
function anyOf(cond: SValue, defs: ReadonlyMap<number, SOp>): SValue | undefined {
  const test = defs.get(cond.id);
  if (test?.kind !== "compare" || test.fn !== "ne") return undefined;
  const greatest = defs.get(test.a.id);
  if (greatest?.kind !== "reduce" || greatest.fn !== "max") return undefined;
  const bits = defs.get(greatest.x.id);
  return bits?.kind === "select" ? bits.cond : undefined;
}

/** An `if` on whether any row of the block needs it becomes one of each warp, where the branch is of the warp's own rows. */
export function voteByWarps(ops: readonly SOp[], build: ScalarBuilder): readonly SOp[] {
  const defs = new Map(
    ops.flatMap((op) => scheduledResults(op).map((value) => [value.id, op] as const)),
  );
  const votes = new Map<number, SValue>();
  return ops.flatMap((op): readonly SOp[] => {
    const cond = op.kind === "if" ? anyOf(op.cond, defs) : undefined;
    if (op.kind !== "if" || cond === undefined) return [op];
    if (op.byRows !== true || !tilesOf(op).every((tile) => byTheSameWarps(tile, cond))) return [op];
    if (![...op.then.ops, ...op.else.ops].every(staysInWarps)) return [op];
    const { byRows: _, ...plain } = op;
    const known = votes.get(cond.id);
    const result = known ?? build.scalar("any_row", "bool");
    votes.set(cond.id, result);
    const branch: SOp = { ...plain, warp: true, cond: result };
    return known === undefined
      ? [{ kind: "vote", result, x: cond, loc: op.loc }, branch]
      : [branch];
  });
}
