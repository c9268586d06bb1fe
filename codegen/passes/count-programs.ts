/**
 * [codegen/passes] Programs of written roles by a counter: the role that copies asks for the block's next program while it copies this one, and hands its
 * number to the role that multiplies, through two slots of shared memory. Used by refine-roles.
 */
import { invariant } from "../../dsl/index.ts";
import type { SBlock, ScheduledKernel, SFor, SharedBuffer, SOp, SValue } from "../ir/scheduled.ts";
import type { SRoles } from "../ir/scheduled-roles.ts";
import { walkScheduled } from "../ir/visit-scheduled.ts";
import type { PassContext } from "./pass.ts";
import { barrierRing, freeName } from "./ring-buffers.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";

/** Programs that may be on their way. */
const SLOTS = 2;

interface Handing {
  readonly build: ScalarBuilder;
  readonly blocks: SValue;
  readonly words: string;
  readonly full: string;
  readonly empty: string;
}

/** The one loop of a role that walks over the block's programs, at its top level; undefined where there is none or another one. */
function walkOf(role: SBlock, blocks: ReadonlySet<number>): SFor | undefined {
  const found: SFor[] = [];
  walkScheduled(role, (op) => {
    if (op.kind === "for" && blocks.has(op.step.id)) found.push(op);
  });
  const [loop] = found;
  return found.length === 1 && loop !== undefined && role.ops.includes(loop) ? loop : undefined;
}

/** Number of the slot that a program's successor takes, and the parity of its phase. */
function turnOf(ops: SOp[], b: ScalarBuilder, taken: SValue): { slot: SValue; parity: SValue } {
  const one = b.constant(ops, 1, "one");
  const slot = b.binary(ops, "and", taken, one, "slot");
  const round = b.binary(ops, "shr", taken, one, "round");
  return { slot, parity: b.binary(ops, "and", round, one, "parity") };
}

/** What the copying role does around a program. @returns its number's successor */
function give(
  before: SOp[],
  after: SOp[],
  { build: b, blocks, words, full, empty }: Handing,
  [program, taken]: readonly [SValue, SValue],
): SValue {
  const { loc } = b;
  const next = b.scalar("next");
  before.push({ kind: "next_program", result: next, first: blocks, after: program, blocks, loc });
  const { slot, parity } = turnOf(after, b, taken);
  const free = b.binary(after, "xor", parity, b.constant(after, 1, "one"), "free");
  after.push(
    { kind: "mbarrier_wait", on: { buffer: empty, slot }, parity: free, loc },
    { kind: "post", into: { buffer: words, slot }, word: 0, value: next, loc },
    { kind: "mbarrier_expect", on: { buffer: full, slot }, bytes: 0, loc },
  );
  return next;
}

/** What the role that multiplies does behind a program. @returns its number's successor */
function take(
  after: SOp[],
  { build: b, blocks, words, full, empty }: Handing,
  [program, taken]: readonly [SValue, SValue],
): SValue {
  const { loc } = b;
  const { slot, parity } = turnOf(after, b, taken);
  const same = b.binary(after, "add", program, blocks, "next");
  const next = b.scalar("next");
  after.push(
    { kind: "mbarrier_wait", on: { buffer: full, slot }, parity, loc },
    { kind: "fetch", result: next, from: { buffer: words, slot }, word: 0, same, loc },
    { kind: "mbarrier_arrive", on: { buffer: empty, slot }, warps: true, loc },
  );
  return next;
}

/** The loop as one that goes on until the counter has passed the last program. */
function counted(
  role: SBlock,
  loop: SFor,
  handing: Handing,
  hand: (before: SOp[], after: SOp[], at: readonly [SValue, SValue]) => SValue,
  end: readonly SOp[],
): SBlock {
  const { build: b } = handing;
  const [program, ...carried] = loop.body.params;
  invariant(program !== undefined, () => "a loop without a counter");
  const [ahead, before, after, test]: SOp[][] = [[], [], [], []];
  invariant(
    ahead !== undefined && before !== undefined && after !== undefined && test !== undefined,
    () => "four lists",
  );
  const none = b.constant(ahead, 0, "zero");
  const taken = b.scalar("taken");
  const next = hand(before, after, [program, taken]);
  const more = b.binary(after, "add", taken, b.constant(after, 1, "one"), "taken");
  const heads = [program, ...carried, taken].map((value) => b.like(value));
  const goesOn = b.compare(test, "lt", heads[0] ?? program, loop.hi, "more");
  const until: SOp = {
    kind: "while",
    results: [b.scalar("program"), ...loop.results, b.scalar("taken")],
    inits: [loop.lo, ...loop.inits, none],
    cond: { params: heads, ops: test, yields: [goesOn] },
    body: {
      params: [program, ...carried, taken],
      ops: [...before, ...loop.body.ops, ...after],
      yields: [next, ...loop.body.yields, more],
    },
    loc: loop.loc,
  };
  return {
    ...role,
    ops: role.ops.flatMap((op) => (op === loop ? [...ahead, until, ...end] : [op])),
  };
}

function buffersOf(kernel: ScheduledKernel): {
  readonly names: Pick<Handing, "words" | "full" | "empty">;
  readonly shared: readonly SharedBuffer[];
} {
  const names = {
    words: freeName(kernel, "programs_taken"),
    full: freeName(kernel, "programs_full"),
    empty: freeName(kernel, "programs_empty"),
  };
  const axes = [{ name: "word", size: 4 }];
  const layout = { kind: "shared", axes, strides: [1], stageElements: 4 } as const;
  const words: SharedBuffer = { name: names.words, dtype: "i32", axes, stages: SLOTS, layout };
  const barriers = [barrierRing(names.full, SLOTS), barrierRing(names.empty, SLOTS)];
  return { names, shared: [words, ...barriers] };
}

/** The kernel with its written roles' programs taken by a counter; as it is, with a remark, where a role has not one loop over them. */
export function countPrograms(
  kernel: ScheduledKernel,
  { counted: _, ...roles }: SRoles,
  build: ScalarBuilder,
  context: PassContext,
): { readonly kernel: ScheduledKernel; readonly roles: SRoles } {
  const { loc } = roles;
  const steps = kernel.body.ops.flatMap((op) => (op.kind === "num_programs" ? [op.result] : []));
  const ids = new Set(steps.map(({ id }) => id));
  const [producing, consuming] = [walkOf(roles.producer, ids), walkOf(roles.consumer, ids)];
  const blocks = steps.find(({ id }) => id === producing?.step.id);
  if (producing === undefined || consuming === undefined || blocks === undefined) {
    const why = "a role has not one loop over programs() at its top level";
    context.remark("explicit-roles", `blocks take every so many programs: ${why}`, loc);
    return { kernel, roles };
  }
  const { names, shared } = buffersOf(kernel);
  const handing: Handing = { build, blocks, ...names };
  const done: SOp = { kind: "programs_done", blocks, loc };
  const producer = counted(
    roles.producer,
    producing,
    handing,
    (before, after, at) => give(before, after, handing, at),
    [done],
  );
  const consumer = counted(
    roles.consumer,
    consuming,
    handing,
    (_before, after, at) => take(after, handing, at),
    [],
  );
  const inits: readonly SOp[] = [
    { kind: "mbarrier_init", barrier: names.full, arrivals: 1, loc },
    { kind: "mbarrier_init", barrier: names.empty, arrivals: kernel.numWarps, loc },
  ];
  const at = kernel.body.ops.findLastIndex(({ kind }) => kind === "barrier");
  const ops = kernel.body.ops.toSpliced(at, 0, ...inits);
  context.remark("explicit-roles", "blocks take programs by a counter", loc);
  return {
    kernel: { ...kernel, shared: [...kernel.shared, ...shared], body: { ...kernel.body, ops } },
    roles: { ...roles, producer, consumer },
  };
}
