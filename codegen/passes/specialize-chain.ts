/**
 * [codegen/passes] A loop with two dots, the second of what the first gave, between a thread that copies and warpgroups that multiply. The second
 * dot of a trip runs under the work between the dots of the next one. Part of specialize-warps.
 */
import { DTYPES, invariant, namedStages } from "../../dsl/index.ts";
import { backwardSlice } from "../analysis/backward-slice.ts";
import type { SBlock, ScheduledKernel, SDot, SharedBuffer, SOp } from "../ir/scheduled.ts";
import { keepsRows, roleRegisters } from "../schedule/role-loop.ts";
import { answerSlots, slotsWanted } from "../schedule/wishes.ts";
import { placeBuffers } from "./allocate-shared.ts";
import { chainCopies } from "./chain-copies.ts";
import { type ChainParts, type ChainScope, findChain, ringOf } from "./chain-parts.ts";
import { alwaysRuns, programsApart, programsOverlapped } from "./chain-programs.ts";
import { ChainTrips } from "./chain-trips.ts";
import { hasFeature, type PassContext } from "./pass.ts";
import { barrierRing, freeName } from "./ring-buffers.ts";
import { WARPS_IN_GROUP } from "./role-parts.ts";
import { ScalarBuilder } from "./scalar-builder.ts";
import { walkPrograms } from "./walk-programs.ts";

const PASS = "specialize-warps";
const FEWEST_SLOTS = 2;

function bodyOf(scope: ChainScope, context: PassContext): SBlock {
  const { kernel, rows, columns, build, loc } = scope;
  const consumers = kernel.numWarps / WARPS_IN_GROUP;
  const ops: SOp[] = [rows, ...columns].flatMap((ring): SOp[] => [
    { kind: "mbarrier_init", barrier: ring.full, arrivals: 1, loc },
    {
      kind: "mbarrier_init",
      barrier: ring.empty,
      arrivals: ring === rows ? kernel.numWarps : consumers,
      loc,
    },
  ]);
  ops.push({ kind: "barrier", loc });
  const walk = walkPrograms(ops, build, "alone");
  const trips = new ChainTrips(scope);
  if (trips.full !== undefined) context.remark(PASS, "trips that no mask cuts run without it", loc);
  const isOverlapped = alwaysRuns(trips);
  if (isOverlapped)
    context.remark(PASS, "each program begins before the last dot of the one before is over", loc);
  if (scope.counted)
    context.remark(PASS, "programs differ in trips: blocks take them by a counter", loc);
  const registers = roleRegisters(consumers, false);
  ops.push({
    kind: "roles",
    producer: chainCopies(scope, walk, isOverlapped),
    consumer: isOverlapped ? programsOverlapped(trips, walk) : programsApart(trips, walk),
    ...(registers === undefined ? {} : { registers }),
    loc,
  });
  return { params: [], ops, yields: [] };
}

/** Whether programs make different numbers of trips, as far as the text tells. */
function isUneven({ before, loop }: ChainParts): boolean {
  const needed = new Set([loop.lo, loop.hi, loop.step].map(({ id }) => id));
  return backwardSlice(before, needed).some((op) => op.kind === "pid" || op.kind === "load");
}

/** Whether a thread has registers for the rows of the first dot besides its tiles. */
function rowsInRegisters({ loop }: ChainParts, consumers: number): boolean {
  const [first, second] = loop.body.ops.filter((op) => op.kind === "dot");
  invariant(first !== undefined && second !== undefined, () => "a chain has two dots");
  const size = (of: SDot): number => of.result.type.axes.at(-1)?.size ?? 0;
  const { a, axis } = first;
  const axes = a.kind === "shared" ? a.axes : a.value.type.axes;
  const contracted = axes.find(({ name }) => name === axis)?.size ?? 0;
  const { bits } = DTYPES[a.kind === "shared" ? a.dtype : a.value.type.dtype];
  return keepsRows({ bits, consumers, keys: size(first), contracted, columns: size(second) });
}

/** Words that roles hand over: the number of a program and its place along three axes. */
function wordBuffer(name: string): SharedBuffer {
  const axes = [{ name: "word", size: 4 }];
  const layout = { kind: "shared", axes, strides: [1], stageElements: 4 } as const;
  return { name, dtype: "i32", axes, stages: 1, layout };
}

function withRings(
  kernel: ScheduledKernel,
  parts: ChainParts,
  slots: readonly [number, number],
  context: PassContext,
): ScheduledKernel {
  const { loc } = parts.loop;
  const rows = ringOf(kernel, parts.rows, 1);
  const [first, second] = parts.columns;
  const columns = [ringOf(kernel, first, slots[0]), ringOf(kernel, second, slots[1])] as const;
  const rings = [rows, ...columns];
  const shared = kernel.shared.map((buffer) => {
    const ring = rings.find(({ copy }) => copy.into.buffer === buffer.name);
    return ring === undefined ? buffer : { ...buffer, stages: ring.stages };
  });
  const barriers = rings.flatMap(({ full, empty, stages }) => [
    barrierRing(full, stages),
    barrierRing(empty, stages),
  ]);
  const build = new ScalarBuilder(kernel, loc);
  const dependent = hasFeature(context, "dependent-launch");
  const work = freeName(kernel, "program");
  const counted = isUneven(parts);
  const scope: ChainScope = {
    kernel,
    parts,
    rows,
    columns,
    keepsRows: rowsInRegisters(parts, kernel.numWarps / WARPS_IN_GROUP),
    build,
    loc,
    dependent,
    work,
    counted,
  };
  const words = [wordBuffer(work)];
  return { ...kernel, body: bodyOf(scope, context), shared: [...shared, ...barriers, ...words] };
}

/** Slots of both rings, the most first: as the schedule asks for each, else as the loop does and one more for the first dot. */
function slotTries(
  copies: { readonly config: ScheduledKernel["config"]; readonly tensors: readonly string[] },
  wanted: number,
): readonly (readonly [number, number])[] {
  const tries: (readonly [number, number])[] = [];
  const named = namedStages(copies.config);
  if (!copies.tensors.some((tensor) => named[tensor] !== undefined)) {
    for (let n = wanted; n >= FEWEST_SLOTS; n--) tries.push([n + 1, n], [n, n]);
    return tries;
  }
  const asked = slotsWanted({ ...copies, stages: wanted });
  let [first, second] = asked.map((n) => Math.max(FEWEST_SLOTS, n));
  for (;;) {
    if (first === undefined || second === undefined) return tries;
    tries.push([first, second]);
    if (first === FEWEST_SLOTS && second === FEWEST_SLOTS) return tries;
    if (first >= second) first--;
    else second--;
  }
}

/** The kernel in roles, or undefined where it is no chain. As many slots as the loop asks for and shared memory holds, one more for the first dot. */
export function specializeChain(
  kernel: ScheduledKernel,
  context: PassContext,
): ScheduledKernel | undefined {
  const parts = findChain(kernel);
  if (parts === undefined) return undefined;
  const wanted = Math.max(FEWEST_SLOTS, parts.loop.stages ?? FEWEST_SLOTS);
  const mark = context.remarks.length;
  const limit = context.target.maxSharedBytes;
  const copies = { config: kernel.config, tensors: parts.columns.map(({ tensor }) => tensor) };
  let result = kernel;
  for (const slots of slotTries(copies, wanted)) {
    context.dropRemarks(mark);
    result = withRings(kernel, parts, slots, context);
    if (placeBuffers(result).bytes > limit) continue;
    const why = {
      fewer: `${limit} bytes of shared memory hold no more`,
      more: `a ring has ${FEWEST_SLOTS} at least`,
    };
    answerSlots(copies, slots, why, parts.loop, context);
    const groups = kernel.numWarps / WARPS_IN_GROUP;
    const who = groups === 1 ? "one warpgroup multiplies" : `${groups} warpgroups multiply`;
    const message = `${who} while one thread copies, ${slots.join(" and ")} slots; the second dot of a trip runs under the next one`;
    context.remark(PASS, message, parts.loop.loc);
    if (!rowsInRegisters(parts, groups))
      context.remark(
        PASS,
        "rows stay in shared memory: registers are too few, or hold no words of four",
        parts.loop.loc,
      );
    return result;
  }
  return result;
}
