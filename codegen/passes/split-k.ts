/**
 * [codegen/passes] One program by the two blocks of a cluster: each multiplies half of the contraction, the second sends its sums to the
 * first. Used by specialize-warps.
 */
import type { ScheduledKernel, SFor, SharedBuffer, SOp, SValue } from "../ir/scheduled.ts";
import { walkScheduled } from "../ir/visit-scheduled.ts";
import { registerCount } from "../layout/register-layout.ts";
import { answer, wishesOf } from "../schedule/wishes.ts";
import { hasFeature, type PassContext } from "./pass.ts";
import { barrierRing, freeName, onlyIf } from "./ring-buffers.ts";
import type { Parts } from "./role-parts.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";
import type { Walk } from "./walk-programs.ts";

/** Blocks that share a program. */
export const BLOCKS_OF_PROGRAM = 2;
/** Threads of a warpgroup. */
const THREADS = 128;

/** What the second block's sums go through: places for them, and who may go on. */
export interface Exchange {
  readonly sums: string;
  /** The sums are there. */
  readonly sent: string;
  /** Their places are free again. */
  readonly taken: string;
}

/** Whether the sum begins with zeros. */
function startsAtZero({ before, loop }: Parts): boolean {
  const [init] = loop.inits;
  let value = init;
  for (let i = before.length - 1; i >= 0; i--) {
    const op = before[i];
    if (op === undefined || !("result" in op) || op.result.id !== value?.id) continue;
    if (op.kind === "const") return op.value === 0;
    if (op.kind !== "broadcast" && op.kind !== "convert" && op.kind !== "relabel") return false;
    value = op.x;
  }
  return false;
}

/** Whether a trip does nothing but add its product. */
function onlyAdds({ dot, loop }: Parts): boolean {
  const [, acc] = loop.body.params;
  return acc?.id === dot.acc.id && loop.body.yields[0]?.id === dot.result.id;
}

function obstacle(parts: Parts, context: PassContext): string | undefined {
  const { before, loop } = parts;
  if (!hasFeature(context, "multicast")) return "the target has no clusters";
  if (loop.body.params.length !== 2) return "the loop carries more than a sum";
  if (!onlyAdds(parts)) return "a trip does more than add its product";
  if (!startsAtZero(parts)) return "the sum does not begin with zeros";
  let changes = false;
  walkScheduled({ params: [], ops: [...before, ...loop.body.ops], yields: [] }, (op) => {
    changes ||= op.kind === "store" || op.kind === "atomic";
  });
  return changes ? "both blocks would write what is written ahead of the sum" : undefined;
}

/**
 * Whether the schedule asks for programs of two blocks and the loop allows it.
 * @param fits whether shared memory holds the sums of the second block besides
 */
export function splitsK(
  kernel: ScheduledKernel,
  parts: Parts,
  context: PassContext,
  fits: () => boolean,
): boolean {
  const { splitK, cluster } = wishesOf(kernel);
  if (splitK !== BLOCKS_OF_PROGRAM) return false;
  const other = cluster === 2 ? "cluster: 2 is asked for, too" : obstacle(parts, context);
  const why = other ?? (fits() ? undefined : "shared memory does not hold the sums besides");
  const message =
    why === undefined
      ? "as asked: two blocks share the trips of a program"
      : `not as asked: ${why}`;
  answer(context, "splitK", message, parts.loop.loc);
  return why === undefined;
}

/** The loop with this block's half of the trips; the first block has the odd one. */
export function halfOfTrips(parts: Parts, b: ScalarBuilder): Parts {
  const { lo, hi, step } = parts.loop;
  const ops: SOp[] = [];
  const rank = b.scalar("part");
  ops.push({ kind: "cluster_rank", result: rank, loc: b.loc });
  const one = b.constant(ops, 1, "one");
  const two = b.constant(ops, BLOCKS_OF_PROGRAM, "blocks");
  const most = b.binary(ops, "add", b.binary(ops, "sub", hi, lo, "t"), step, "t");
  const trips = b.binary(ops, "floordiv", b.binary(ops, "sub", most, one, "t"), step, "trips");
  const more = b.binary(ops, "floordiv", b.binary(ops, "add", trips, one, "t"), two, "half");
  const end = b.binary(ops, "add", lo, b.binary(ops, "mul", more, step, "t"), "t");
  const middle = b.binary(ops, "min", end, hi, "middle");
  const isSecond = b.compare(ops, "eq", rank, one, "second");
  const loop: SFor = {
    ...parts.loop,
    lo: b.select(ops, isSecond, middle, lo, "lo"),
    hi: b.select(ops, isSecond, hi, middle, "hi"),
  };
  return { ...parts, before: [...parts.before, ...ops], loop };
}

/** Places for the registers of each thread that multiplies, and the barriers around them. */
export function exchangeOf(
  kernel: ScheduledKernel,
  { dot }: Parts,
): { readonly exchange: Exchange; readonly shared: readonly SharedBuffer[] } {
  const { layout, type } = dot.result;
  const exchange = {
    sums: freeName(kernel, "sums"),
    sent: freeName(kernel, "sent"),
    taken: freeName(kernel, "taken"),
  };
  const registers = layout === undefined ? 1 : registerCount(layout);
  const size = registers * kernel.numWarps * kernel.warpSize;
  const axes = [{ name: "place", size }];
  const sums: SharedBuffer = {
    name: exchange.sums,
    dtype: type.dtype,
    axes,
    stages: 1,
    layout: { kind: "shared", axes, strides: [1], stageElements: size },
  };
  const shared = [sums, barrierRing(exchange.sent, 1), barrierRing(exchange.taken, 1)];
  return { exchange, shared };
}

/** Arrivals of one thread each: racecheck follows no warp that one lane arrives for. */
export function exchangeInits(
  { sent, taken }: Exchange,
  consumers: number,
  loc: SOp["loc"],
): readonly SOp[] {
  const arrivals = consumers * THREADS;
  return [sent, taken].map(
    (barrier) => ({ kind: "mbarrier_init", barrier, arrivals, loc }) as const,
  );
}

/**
 * The second block sends its sums as soon as their places are free, the first adds them and goes on.
 * @param program index of the first block's program, by which exchanges are counted
 * @param rest what follows on the sums of both; done by the first block alone
 */
export function addHalves(
  b: ScalarBuilder,
  exchange: Exchange,
  { first, blocks, part }: Walk,
  program: SValue,
  sum: SValue,
  rest: (total: SValue) => readonly SOp[],
): readonly SOp[] {
  const { loc } = b;
  const ops: SOp[] = [];
  const one = b.constant(ops, 1, "one");
  const turn = b.binary(ops, "floordiv", b.binary(ops, "sub", program, first, "t"), blocks, "turn");
  const parity = b.binary(ops, "and", turn, one, "parity");
  // The phase before the first counts as over: the places are free at first.
  const free = b.binary(ops, "xor", parity, one, "free");
  const [sent, taken] = [{ buffer: exchange.sent }, { buffer: exchange.taken }];
  const other = b.like(sum);
  const total = b.like(sum);
  const isFirst = b.compare(ops, "ne", part ?? one, one, "leads");
  const send: readonly SOp[] = [
    { kind: "mbarrier_wait", on: taken, parity: free, cluster: true, loc },
    { kind: "send_tile", value: sum, into: exchange.sums, rank: 0, loc },
    { kind: "mbarrier_arrive", on: sent, rank: 0, loc },
  ];
  const add: readonly SOp[] = [
    { kind: "mbarrier_wait", on: sent, parity, cluster: true, loc },
    { kind: "take_tile", result: other, from: exchange.sums, loc },
    { kind: "mbarrier_arrive", on: taken, rank: 1, loc },
    { kind: "binary", fn: "add", result: total, a: sum, b: other, loc },
    ...rest(total),
  ];
  const branch = onlyIf(isFirst, add, loc);
  return branch.kind === "if"
    ? [...ops, { ...branch, else: { params: [], ops: send, yields: [] } }]
    : ops;
}

/** Whether the programs of a kernel are of two blocks each. */
export function hasSplitPrograms({ body }: ScheduledKernel): boolean {
  let splits = false;
  walkScheduled(body, (op) => {
    splits ||= op.kind === "send_tile";
  });
  return splits;
}
