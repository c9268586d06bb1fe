/** [codegen/passes] One trip of a loop with two dots taken apart: what runs between them, and what waits for the second dot of the trip before. Used by specialize-chain. */
import { invariant } from "../../dsl/index.ts";
import type { SDot, SFor, SIf, SOp, SValue } from "../ir/scheduled.ts";
import { readsOf, scheduledResults } from "../ir/visit-scheduled.ts";
import { cloneOps, type Renaming, renamed } from "./clone-scheduled.ts";
import { isTensorCopy } from "./role-parts.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";
import { voteByWarps } from "./vote-by-warps.ts";

/** The ops of a trip in the order of the new loop. */
export interface SplitTrip {
  readonly first: SDot;
  readonly second: SDot;
  /** What needs nothing of the second dot: the softmax of attention. */
  readonly middle: readonly SOp[];
  /** What brings the second dot its operand: its registers are read until the dot of the trip before is over. */
  readonly feed: readonly SOp[];
  /** What reads or writes the second dot's sum. */
  readonly late: readonly SOp[];
  /** Carried value that the second dot adds to. */
  readonly sum: SValue;
}

function touches(op: SOp, ids: ReadonlySet<number>): boolean {
  return readsOf(op).some(({ id }) => ids.has(id));
}

/** Ids that depend on one of `roots` through these ops. */
function dependents(ops: readonly SOp[], roots: readonly number[]): ReadonlySet<number> {
  const found = new Set(roots);
  for (const op of ops)
    if (touches(op, found)) for (const { id } of scheduledResults(op)) found.add(id);
  return found;
}

/** Ops that touch what comes late, and broadcasts for them alone: the small tile is what crosses over. */
function lateOf(ops: readonly SOp[], inside: ReadonlySet<number>): readonly SOp[] {
  const late = new Set(ops.filter((one) => touches(one, inside)));
  for (const op of [...ops].reverse()) {
    if (op.kind !== "broadcast") continue;
    const made = new Set([op.result.id]);
    const readers = ops.filter((other) => touches(other, made));
    if (readers.length > 0 && readers.every((reader) => late.has(reader))) late.add(op);
  }
  return ops.filter((op) => late.has(op));
}

/**
 * An `if` that both scales the sum and does other things, as two: the second has what touches `late` values, and what it needs of the
 * first's inside comes out of that as results.
 */
function splitIf(op: SIf, late: ReadonlySet<number>, build: ScalarBuilder): readonly [SIf, SIf] {
  const inside = dependents(op.then.ops, [...late]);
  const isLate = op.results.map((_, i) =>
    [op.then.yields[i], op.else.yields[i]].some((v) => v !== undefined && inside.has(v.id)),
  );
  const early = <T>(list: readonly T[]): T[] => list.filter((_, i) => isLate[i] !== true);
  const rest = <T>(list: readonly T[]): T[] => list.filter((_, i) => isLate[i] === true);
  const lateOps = lateOf(op.then.ops, inside);
  const earlyOps = op.then.ops.filter((one) => !lateOps.includes(one));
  const read = new Set([...lateOps.flatMap(readsOf), ...rest(op.then.yields)].map(({ id }) => id));
  const handed = earlyOps.flatMap(scheduledResults).filter(({ id }) => read.has(id));
  const outside = handed.map((value) => build.like(value));
  const blanks = handed.map((value) => build.like(value));
  const fill = blanks.map((result): SOp => ({ kind: "const", result, value: 0, loc: op.loc }));
  const none = [...op.else.ops, ...fill];
  const sooner: SIf = {
    ...op,
    results: [...early(op.results), ...outside],
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    then: { params: [], ops: earlyOps, yields: [...early(op.then.yields), ...handed] },
    else: { params: [], ops: none, yields: [...early(op.else.yields), ...blanks] },
  };
  const by: Renaming = new Map();
  for (const [i, value] of handed.entries()) by.set(value.id, outside[i] ?? value);
  const ops = cloneOps(lateOps, by, build);
  const yields = rest(op.then.yields).map((value) => renamed(by, value));
  const later: SIf = {
    ...op,
    results: rest(op.results),
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    then: { params: [], ops, yields },
    else: { params: [], ops: [], yields: rest(op.else.yields) },
  };
  return [sooner, later];
}

const PASSING: readonly SOp["kind"][] = ["pack_pairs", "pack_quads", "cast", "convert", "relabel"];

/** Ops that only bring the second dot its operand: its registers are read until that dot is over, so they wait. */
function feedOf(ops: readonly SOp[], second: SDot, yields: readonly SValue[]): ReadonlySet<SOp> {
  const feed = new Set<SOp>([second]);
  const kept = new Set(yields.map(({ id }) => id));
  for (const op of [...ops].reverse()) {
    if (!PASSING.includes(op.kind)) continue;
    const made = new Set(scheduledResults(op).map(({ id }) => id));
    const readers = ops.filter((other) => touches(other, made));
    const isFeed = readers.length > 0 && readers.every((reader) => feed.has(reader));
    if (isFeed && ![...made].some((id) => kept.has(id))) feed.add(op);
  }
  feed.delete(second);
  return feed;
}

/** The loop's trip in parts; find-role-chain has seen that it has them. */
export function splitTrip(loop: SFor, build: ScalarBuilder): SplitTrip {
  const own = loop.body.ops.filter((op) => !isTensorCopy(op));
  const ops = voteByWarps(own, build);
  const [first, second] = ops.filter((op): op is SDot => op.kind === "dot");
  invariant(first !== undefined && second !== undefined, () => "a chain has two dots");
  const [, ...carried] = loop.body.params;
  const at = loop.body.yields.findIndex(({ id }) => id === second.result.id);
  const sum = carried[at];
  invariant(sum !== undefined, () => "the second dot's sum is not carried");
  const late = new Set([sum.id]);
  const wait = (op: SOp): void => {
    behind.push(op);
    for (const { id } of scheduledResults(op)) late.add(id);
  };
  const feed = feedOf(ops, second, loop.body.yields);
  const [before, behind]: [SOp[], SOp[]] = [[], []];
  for (const op of ops) {
    if (op === first || op === second) continue;
    if (feed.has(op)) continue;
    if (!touches(op, late)) before.push(op);
    else if (op.kind === "if") {
      const [sooner, later] = splitIf(op, late, build);
      before.push(sooner);
      wait(later);
    } else wait(op);
  }
  const feeding = ops.filter((op) => feed.has(op));
  return { first, second, middle: before, feed: feeding, late: behind, sum };
}
