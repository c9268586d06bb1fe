/**
 * [codegen/passes] Roles that a kernel writes out, made cheaper without another order of anything: warps vote for their own rows, and loops carry
 * rows that only wgmma reads in words of two. Runs right after schedule-tiles.
 */
import type { SBlock, ScheduledKernel, SFor, SOp, SValue } from "../ir/scheduled.ts";
import type { SPackPairs, SRoles } from "../ir/scheduled-roles.ts";
import {
  mapScheduledOperands,
  mapScheduledRegions,
  scheduledOperands,
  scheduledRegions,
  walkScheduled,
} from "../ir/visit-scheduled.ts";
import { type Renaming, renamed } from "./clone-scheduled.ts";
import { countPrograms } from "./count-programs.ts";
import type { PassContext } from "./pass.ts";
import { ScalarBuilder } from "./scalar-builder.ts";
import { voteByWarps } from "./vote-by-warps.ts";

const PASS = "explicit-roles";

function mapBlocks(block: SBlock, map: (block: SBlock) => SBlock): SBlock {
  const ops = block.ops.map((op) => mapScheduledRegions(op, (inner) => mapBlocks(inner, map)));
  return map({ ...block, ops });
}

/** A carried tile that is read in words alone. */
interface Carried {
  readonly loop: SFor;
  readonly at: number;
  readonly inside: readonly SPackPairs[];
  readonly behind: readonly SPackPairs[];
}

/** Ops that read a value themselves, and whether a block gives it on. */
function readers(
  block: SBlock,
  { id }: SValue,
): { readonly ops: readonly SOp[]; readonly isGiven: boolean } {
  const ops: SOp[] = [];
  const gives = (one: SBlock): boolean => one.yields.some((value) => value.id === id);
  let isGiven = gives(block);
  walkScheduled(block, (op) => {
    if (scheduledOperands(op).some((value) => value.id === id)) ops.push(op);
    isGiven ||= scheduledRegions(op).some(gives);
  });
  return { ops, isGiven };
}

function isSameWords(a: SPackPairs, b: SPackPairs): boolean {
  return a.axis === b.axis && JSON.stringify(a.result.layout) === JSON.stringify(b.result.layout);
}

/** The words that all who read a value make of it; undefined where somebody reads it otherwise. */
function wordsOf(block: SBlock, value: SValue): readonly SPackPairs[] | undefined {
  const { ops, isGiven } = readers(block, value);
  const words = ops.filter((op): op is SPackPairs => op.kind === "pack_pairs");
  const [first] = words;
  const isAlike = first === undefined || words.every((op) => isSameWords(op, first));
  return isGiven || words.length < ops.length || !isAlike ? undefined : words;
}

/** The last loop of the block, or of one inside of it, that carries such a tile. */
function findCarried(whole: SBlock): Carried | undefined {
  let found: Carried | undefined;
  walkScheduled(whole, (loop) => {
    if (loop.kind !== "for") return;
    for (const [at, param] of loop.body.params.slice(1).entries()) {
      const result = loop.results[at];
      if (result === undefined || param.layout === undefined) continue;
      const [inside, behind] = [wordsOf(loop.body, param), wordsOf(whole, result)];
      const [one, other] = [inside?.[0], behind?.[0]];
      if (inside === undefined || behind === undefined || one === undefined) continue;
      if (other === undefined || isSameWords(one, other)) found = { loop, at, inside, behind };
    }
  });
  return found;
}

/** The words, made of the tile before the loop and at the end of each trip. */
function carryWords(
  whole: SBlock,
  { loop, at, inside, behind }: Carried,
  build: ScalarBuilder,
): SBlock {
  const [form] = inside;
  if (form === undefined) return whole;
  const pack = (x: SValue | undefined): readonly SPackPairs[] =>
    x === undefined ? [] : [{ ...form, x, result: build.like(form.result) }];
  const put = <T>(list: readonly T[], i: number, value: T | undefined): readonly T[] =>
    value === undefined ? list : list.map((own, j) => (j === i ? value : own));
  const [param, result] = [build.like(form.result), build.like(form.result)];
  const by: Renaming = new Map();
  for (const op of inside) by.set(op.result.id, param);
  for (const op of behind) by.set(op.result.id, result);
  const dropped = new Set<SOp>([...inside, ...behind]);
  const rename = (block: SBlock): SBlock => ({
    ...block,
    ops: block.ops.flatMap((op): readonly SOp[] => {
      if (dropped.has(op)) return [];
      const moved = mapScheduledOperands(mapScheduledRegions(op, rename), (value) =>
        renamed(by, value),
      );
      return op === loop && moved.kind === "for" ? words(moved) : [moved];
    }),
    yields: block.yields.map((value) => renamed(by, value)),
  });
  const words = (moved: SFor): readonly SOp[] => {
    const [before, last] = [pack(moved.inits[at]), pack(moved.body.yields[at])];
    const body: SBlock = {
      params: put(moved.body.params, at + 1, param),
      ops: [...moved.body.ops, ...last],
      yields: put(moved.body.yields, at, last[0]?.result),
    };
    const inits = put(moved.inits, at, before[0]?.result);
    return [...before, { ...moved, inits, body, results: put(moved.results, at, result) }];
  };
  return rename(whole);
}

/** For each dot that may be in flight at the end, the last one last: whether its rows are in registers. */
function inFlight(block: SBlock): readonly boolean[] {
  const dots: boolean[] = [];
  walkScheduled(block, (op) => {
    if (op.kind === "dot" && op.instruction.kind === "wgmma") dots.push(op.a.kind === "register");
    if (op.kind === "dot_wait") dots.splice(0, Math.max(0, dots.length - op.pending));
  });
  return dots;
}

/** Registers of rows are written anew in the next trip: a trip ends when the dots that read them are done. */
function waitForRows(op: SOp, context: PassContext): SOp {
  if (op.kind !== "for" && op.kind !== "while") return op;
  const dots = inFlight(op.body);
  const last = dots.lastIndexOf(true);
  if (last < 0) return op;
  const { loc } = op;
  context.remark(PASS, "a trip waits for the dots whose rows are in registers", loc);
  const wait: SOp = { kind: "dot_wait", pending: dots.length - 1 - last, done: [], loc };
  return { ...op, body: { ...op.body, ops: [...op.body.ops, wait] } };
}

function refine(roles: SRoles, build: ScalarBuilder, context: PassContext): SRoles {
  let consumer = mapBlocks(roles.consumer, (block) => ({
    ...block,
    ops: voteByWarps(block.ops, build).map((op) => waitForRows(op, context)),
  }));
  for (let at = findCarried(consumer); at !== undefined; at = findCarried(consumer))
    consumer = carryWords(consumer, at, build);
  return { ...roles, consumer };
}

/** The kernel with its written roles refined; any other as it is. */
export function refineRoles(given: ScheduledKernel, context: PassContext): ScheduledKernel {
  const written = given.body.ops.find((op) => op.kind === "roles" && op.explicit === true);
  if (written?.kind !== "roles") return given;
  const build = new ScalarBuilder(given, written.loc);
  const { kernel, roles } =
    written.counted === true
      ? countPrograms(given, written, build, context)
      : { kernel: given, roles: written };
  const refined = refine(roles, build, context);
  const ops = kernel.body.ops.map((op): SOp => (op === written ? refined : op));
  return { ...kernel, body: { ...kernel.body, ops } };
}
