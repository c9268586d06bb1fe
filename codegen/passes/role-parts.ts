/** [codegen/passes] A loop in roles taken apart: what stands around it, its ring of slots, and where a role stands in the ring. Used by specialize-warps and copy-role. */
import type { Location } from "../../dsl/index.ts";
import type {
  SBlock,
  SCopy,
  ScheduledKernel,
  SDot,
  SFor,
  SOp,
  SSharedLoad,
  SValue,
} from "../ir/scheduled.ts";
import { mapScheduledOperands, mapScheduledRegions } from "../ir/visit-scheduled.ts";
import type { Held } from "./hold-stores.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";
import type { Exchange } from "./split-k.ts";
import { type Program, programOf, type Walk } from "./walk-programs.ts";

/** The kernel's parts around its one loop with tensor copies. */
export interface Parts {
  readonly before: readonly SOp[];
  readonly loop: SFor;
  readonly after: readonly SOp[];
  readonly copies: readonly SCopy[];
  readonly dot: SDot;
}

export function isTensorCopy(op: SOp): op is SCopy {
  return op.kind === "copy" && op.via === "tma";
}

export function findParts({ body }: ScheduledKernel): Parts | undefined {
  const at = body.ops.findIndex((op) => op.kind === "for" && op.body.ops.some(isTensorCopy));
  const loop = body.ops[at];
  if (loop?.kind !== "for") return undefined;
  const copies = loop.body.ops.filter(isTensorCopy);
  const dot = loop.body.ops.find((op) => op.kind === "dot");
  if (dot?.kind !== "dot") return undefined;
  return { before: body.ops.slice(0, at), loop, after: body.ops.slice(at + 1), copies, dot };
}

/** Whether the dot reads a buffer; what else copies fill goes on to registers. */
export function isOperand({ a, b }: SDot, buffer: string): boolean {
  return [a, b].some((x) => x.kind === "shared" && x.ref.buffer === buffer);
}

/** Reads of a slot into registers: what came with the tiles of its trip. */
export function isRingRead(op: SOp): op is SSharedLoad {
  return op.kind === "shared_load";
}

/** Such reads out of this slot. */
export function readsFrom(reads: readonly SOp[], slot: SValue): readonly SOp[] {
  return reads.map((op) =>
    isRingRead(op) ? { ...op, from: { buffer: op.from.buffer, slot } } : op,
  );
}

/** Names of the ring's barriers: `full` counts bytes that arrive, `empty` the consumers that are done. */
export interface Ring {
  readonly stages: number;
  readonly full: string;
  readonly empty: string;
  readonly bytes: number;
}

/** What both roles are made of. */
export interface RoleScope {
  readonly kernel: ScheduledKernel;
  readonly parts: Parts;
  readonly ring: Ring;
  readonly build: ScalarBuilder;
  readonly loc: Location;
  readonly cluster: boolean;
  /** Whether a launch may begin while the one before it still runs. */
  readonly dependent: boolean;
  /** Whether every second program may walk its trips from the last to the first. */
  readonly backwards: boolean;
  /** Where the trips end that are not added to make their number even; present where sums are taken up a trip late. */
  readonly lateEnd?: SValue;
  /** The store that a program leaves to the next one of its block. */
  readonly held?: Held;
  /** Where the two blocks of a cluster multiply half of a program each. */
  readonly exchange?: Exchange;
}

/** Where in the ring a role stands. */
export interface Turn {
  readonly slot: SValue;
  readonly parity: SValue;
}

/** Warps of a warpgroup. */
export const WARPS_IN_GROUP = 4;

/** The next slot of a ring; the parity turns where the ring begins anew. */
export function advance(b: ScalarBuilder, ops: SOp[], stages: number, turn: Turn): Turn {
  const { slot, parity } = turn;
  const one = b.constant(ops, 1, "one");
  const turned = b.binary(ops, "xor", parity, one, "parity");
  if (stages === 1) return { slot, parity: turned };
  const next = b.binary(ops, "add", slot, one, "slot");
  const wraps = b.compare(ops, "eq", next, b.constant(ops, stages, "stages"), "wraps");
  return {
    slot: b.select(ops, wraps, b.constant(ops, 0, "zero"), next, "slot"),
    parity: b.select(ops, wraps, turned, parity, "parity"),
  };
}

/** Ops of the program with its index for `pid`, and the size of the launch for `num_programs`. */
export function placeOps(
  list: readonly SOp[],
  program: readonly SValue[],
  by: Map<number, SValue>,
): readonly SOp[] {
  const use = (value: SValue): SValue => by.get(value.id) ?? value;
  const place = (op: SOp): readonly SOp[] => {
    const pid = op.kind === "pid" ? program[op.axis] : undefined;
    if (op.kind === "pid" && pid !== undefined) {
      by.set(op.result.id, pid);
      return [];
    }
    if (op.kind === "num_programs") return [{ ...op, kind: "grid_size" }];
    const inner = mapScheduledRegions(mapScheduledOperands(op, use), (block) => ({
      ...block,
      ops: block.ops.flatMap(place),
      yields: block.yields.map(use),
    }));
    return [inner];
  };
  return list.flatMap(place);
}

/** What the programs of a role hand on to one another besides their place in the ring. */
export interface Carried {
  /** Ops ahead of the loop, which define `inits`, and behind it. */
  readonly before: readonly SOp[];
  readonly behind: readonly SOp[];
  readonly inits: readonly SValue[];
  readonly params: readonly SValue[];
  readonly results: readonly SValue[];
  /** Filled while the body is made. */
  readonly yields: readonly SValue[];
}
const NOTHING: Carried = { before: [], behind: [], inits: [], params: [], results: [], yields: [] };

/**
 * One role: waits for the launch before, then a loop over the block's programs that carries its place in the ring.
 * @param early ops ahead of that wait
 */
export function roleOf(
  { build: b, loc, dependent }: RoleScope,
  walk: Walk,
  early: readonly SOp[],
  body: (ops: SOp[], program: Program, turn: Turn) => Turn,
  carried: Carried = NOTHING,
): SBlock {
  const program = b.scalar("program");
  const turn = { slot: b.scalar("slot"), parity: b.scalar("parity") };
  const ops: SOp[] = [];
  const { total, first, blocks, zero } = walk;
  const next = body(ops, programOf(ops, b, walk, program), turn);
  const loop: SFor = {
    kind: "for",
    results: [b.scalar("slot"), b.scalar("parity"), ...carried.results],
    lo: first,
    hi: total,
    step: blocks,
    inits: [zero, zero, ...carried.inits],
    body: {
      params: [program, turn.slot, turn.parity, ...carried.params],
      ops,
      yields: [next.slot, next.parity, ...carried.yields],
    },
    loc,
  };
  const wait: readonly SOp[] = dependent ? [{ kind: "wait_previous", loc }] : [];
  const all = [...early, ...wait, ...carried.before, loop, ...carried.behind];
  return { params: [], ops: all, yields: [] };
}
