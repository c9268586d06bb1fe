/** [codegen/passes] A kernel of two chained dots taken apart: its rings of slots with their barriers, and steps on them. Used by specialize-chain and chain-copies. */
import { DTYPES, type Location } from "../../dsl/index.ts";
import type { SCopy, ScheduledKernel, SFor, SOp, SValue } from "../ir/scheduled.ts";
import { freeName } from "./ring-buffers.ts";
import { isTensorCopy, type Turn } from "./role-parts.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";
import type { Walk } from "./walk-programs.ts";

/** Slots that one copy fills, one after the other, and the barriers that say which are full and which are empty. */
export interface CopyRing {
  readonly copy: SCopy;
  readonly stages: number;
  readonly full: string;
  readonly empty: string;
  readonly bytes: number;
}

/** The ops around the loop, without copies, and the copies: of the rows once a program, of both columns once a trip. */
export interface ChainParts {
  readonly before: readonly SOp[];
  readonly loop: SFor;
  readonly after: readonly SOp[];
  readonly rows: SCopy;
  readonly columns: readonly [SCopy, SCopy];
}

export interface ChainScope {
  readonly kernel: ScheduledKernel;
  readonly parts: ChainParts;
  readonly rows: CopyRing;
  /** Of the first dot, then of the second. */
  readonly columns: readonly [CopyRing, CopyRing];
  /** Whether the rows stay in registers over all trips of a program; else each trip reads them from their slot. */
  readonly keepsRows: boolean;
  readonly build: ScalarBuilder;
  readonly loc: Location;
  /** Buffer in which a program's place and the number of the block's next one go along with the rows. */
  readonly work: string;
  /** Whether a counter gives the programs. */
  readonly counted: boolean;
  /** Whether a launch may begin while the one before it still runs. */
  readonly dependent: boolean;
}

/** The parts, where the kernel has one loop with two dots that tensor maps feed. */
export function findChain({ body }: ScheduledKernel): ChainParts | undefined {
  const at = body.ops.findIndex((op) => op.kind === "for" && op.body.ops.some(isTensorCopy));
  const loop = body.ops[at];
  const rows = body.ops.find(isTensorCopy);
  if (loop?.kind !== "for" || rows === undefined) return undefined;
  const [first, second] = loop.body.ops.filter(isTensorCopy);
  if (first === undefined || second === undefined) return undefined;
  if (loop.body.ops.filter((op) => op.kind === "dot").length !== 2) return undefined;
  const before = body.ops.slice(0, at).filter((op) => op !== rows);
  return { before, loop, after: body.ops.slice(at + 1), rows, columns: [first, second] };
}

export function ringOf(kernel: ScheduledKernel, copy: SCopy, stages: number): CopyRing {
  const { buffer: name } = copy.into;
  const buffer = kernel.shared.find((one) => one.name === name);
  const elements = buffer?.axes.reduce((n, axis) => n * axis.size, 1) ?? 0;
  return {
    copy,
    stages,
    full: freeName(kernel, `${name}_full`),
    empty: freeName(kernel, `${name}_empty`),
    bytes: (elements * DTYPES[buffer?.dtype ?? "f32"].bits) / 8,
  };
}

/** Turns in all rings as a flat list of scalars, as loops and branches carry them, and back. */
export function flatTurns(turns: readonly Turn[]): readonly SValue[] {
  return turns.flatMap(({ slot, parity }) => [slot, parity]);
}

export function freshTurns(b: ScalarBuilder, count: number): readonly Turn[] {
  return Array.from({ length: count }, () => ({
    slot: b.scalar("slot"),
    parity: b.scalar("parity"),
  }));
}

/** What a role does with a program: the number of the block's next one, and what it carries on to that. */
export interface ProgramEnd {
  readonly next: SValue;
  readonly yields: readonly SValue[];
}

/**
 * A loop that runs `body` for the programs of the block: every `blocks`-th of the launch, or those that a counter gives it.
 * @returns what the loop carries behind the last of them
 */
export function programLoop(
  into: SOp[],
  { build: b, loc, counted }: ChainScope,
  { first, total, blocks }: Walk,
  inits: readonly SValue[],
  body: (ops: SOp[], program: SValue, carried: readonly SValue[]) => ProgramEnd,
): readonly SValue[] {
  const program = b.scalar("program");
  const carried = inits.map((value) => b.like(value));
  const results = inits.map((value) => b.like(value));
  const ops: SOp[] = [];
  const { next, yields } = body(ops, program, carried);
  if (!counted) {
    const block = { params: [program, ...carried], ops, yields };
    into.push({
      kind: "for",
      results,
      lo: first,
      hi: total,
      step: blocks,
      inits,
      body: block,
      loc,
    });
    return results;
  }
  const head = b.like(program);
  const test: SOp[] = [];
  const more = b.compare(test, "lt", head, total, "more");
  const heads = [head, ...carried.map((value) => b.like(value))];
  into.push({
    kind: "while",
    results: [b.scalar("program"), ...results],
    inits: [first, ...inits],
    cond: { params: heads, ops: test, yields: [more] },
    body: { params: [program, ...carried], ops, yields: [next, ...yields] },
    loc,
  });
  return results;
}

/** The ops with which a role begins: what earlier launches wrote is there behind them. */
export function roleStart({ dependent, loc }: ChainScope): SOp[] {
  return dependent ? [{ kind: "wait_previous", loc }] : [];
}

/** Turns out of a flat list. */
export function turnsOf(flat: readonly SValue[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const [slot, parity] = [flat[i], flat[i + 1]];
    if (slot !== undefined && parity !== undefined) turns.push({ slot, parity });
  }
  return turns;
}
