/** [codegen/schedule] What a schedule asks of the compiler, and what became of each wish, as remarks. Fulfils none itself. */
import {
  commonStages,
  type Location,
  namedStages,
  type Op,
  type Schedule,
  type ScheduleKey,
  scheduleOf,
  type TileKernel,
  type WishName,
} from "../../dsl/index.ts";
import type { Remark, ScheduledKernel, SOp } from "../ir/scheduled.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";

/** Pass of the remarks that answer wishes. */
export const SCHEDULE = "schedule";
/** Pass that lets copies run ahead, and says of each that may not why. */
export const PIPELINE_LOADS = "pipeline-loads";
const NOT_AHEAD = /^copy of \S+ does not run ahead|slots instead of/;
/** Pass of the remark that says why a kernel has no roles. */
export const FIND_ROLE_LOOP = "find-role-loop";
const NO_LOOP = "not wgmma with tma: ";
const UNMET = "not as asked";

/** Says why the warps of a kernel do not share out its loop; answers of wishes that need it repeat it. */
export function remarkNoRoles(context: PassContext, why: string, loc: Location): void {
  context.remark(FIND_ROLE_LOOP, `${NO_LOOP}${why}`, loc);
}

export function wishesOf({ config }: Pick<TileKernel | ScheduledKernel, "config">): Schedule {
  return scheduleOf(config);
}

/** Says what became of a wish: `answer` follows its name. Wishes that nobody answers are answered at the end. */
export function answer(context: PassContext, key: WishName, message: string, loc: Location): void {
  context.remark(SCHEDULE, `${key}: ${message}`, loc);
}

/** What became of each wish, by its name, as far as it is known. Of several loops the one that did not get what it asked for is told of. */
export function answersOf(remarks: readonly Remark[]): Readonly<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const { pass, message } of remarks) {
    const [, key, text] = pass === SCHEDULE ? (/^([\w.$]+): (.*)$/.exec(message) ?? []) : [];
    if (key === undefined || text === undefined) continue;
    if (answers[key]?.startsWith(UNMET) !== true || text.startsWith(UNMET)) answers[key] = text;
  }
  return answers;
}

/** Wishes that meet with nothing in this kernel on this target. */
export function answerTheRest(tile: TileKernel, context: PassContext): void {
  const loc = tile.body.ops[0]?.loc;
  if (loc === undefined) return;
  const answered = answersOf(context.remarks);
  const isWritten = tile.body.ops.some(({ kind }) => kind === "roles");
  const inRoles = context.remarks.some(({ pass }) => pass === "specialize-warps");
  for (const key of wishNames(tile)) {
    if (answered[key] !== undefined) continue;
    const slots = isWritten ? undefined : unansweredSlots(tile, key, context);
    if (slots !== undefined) {
      answer(context, key, slots.message, slots.loc);
      continue;
    }
    if (!isWhole(key)) {
      const name = key.slice(STAGES_OF.length);
      const none = `does not apply: no loop ${name}, and no load of a tensor ${name} that is copied ahead`;
      answer(context, key, isWritten ? WRITTEN : none, loc);
      continue;
    }
    const alike = ALIKE[key] ?? `${NO_ROLES}: ${whyNoRoles(tile, context)}`;
    const otherwise = inRoles ? (IN_ROLES[key] ?? alike) : alike;
    answer(context, key, isWritten && key !== "warps" ? WRITTEN : otherwise, loc);
  }
}

const STAGES_OF = "stages.";
type ForOp = Extract<Op, { kind: "for" }>;

/** What became of a wish for slots that no ring has answered: the loops that it is about copy nothing ahead. Undefined where it is about none. */
function unansweredSlots(
  tile: TileKernel,
  key: WishName,
  context: PassContext,
): { readonly message: string; readonly loc: Location } | undefined {
  const name = isWhole(key) ? undefined : key.slice(STAGES_OF.length);
  if (key !== "stages" && name === undefined) return undefined;
  const named = namedStages(tile.config);
  const asked = name === undefined ? commonStages(tile.config) : named[name];
  const isMeant = (op: ForOp): boolean =>
    stagesKey(op, tile.config) === key || (name !== undefined && loadsOf(op).includes(name));
  const loop = loopsOf(tile.body.ops).find(isMeant);
  if (asked === undefined || loop === undefined) return undefined;
  const { loc } = loop;
  const none = `no copies run ahead: ${whyNoCopies(tile, context)}`;
  if (asked > 1) return { message: `${UNMET}: 1 slot: ${none}`, loc };
  const lost = hasRoleFeatures(context) ? `, and ${whyAlike(tile, context)}` : "";
  return { message: `as asked, 1 slot: no copies run ahead${lost}`, loc };
}

/** Why the copies of a loop that asks for slots do not run ahead. */
function whyNoCopies(tile: TileKernel, context: PassContext): string {
  const { arch, target } = context.target;
  if (!hasFeature(context, "cp.async")) return `${arch ?? target} has no cp.async`;
  const kept = context.remarks.find(
    ({ pass, message }) => pass === PIPELINE_LOADS && NOT_AHEAD.test(message),
  );
  const alike = hasRoleFeatures(context) ? `, and ${whyAlike(tile, context)}` : "";
  return `${kept?.message ?? "no load of the loop is copied to shared memory by cp.async"}${alike}`;
}

/** That all warps do the same, and why. */
export function whyAlike(tile: Pick<TileKernel, "config">, context: PassContext): string {
  return `the warps have no roles: ${whyNoRoles(tile, context)}`;
}

function hasRoleFeatures(context: PassContext): boolean {
  return hasFeature(context, "wgmma") && hasFeature(context, "tma");
}

function loopsOf(ops: readonly Op[]): readonly ForOp[] {
  return ops.flatMap((op) => (op.kind === "for" ? [op, ...loopsOf(op.body.ops)] : []));
}

function loadsOf(op: ForOp): readonly string[] {
  return op.body.ops.flatMap((inner) => (inner.kind === "load" ? [inner.tensor] : []));
}

function isWhole(key: WishName): key is ScheduleKey {
  return !key.startsWith(STAGES_OF);
}

/** Every wish by its name, those about slots by the names in them. */
function wishNames({ config }: TileKernel): readonly WishName[] {
  const named = Object.keys(namedStages(config)).map((name): WishName => `${STAGES_OF}${name}`);
  const keys = Object.keys(scheduleOf(config)) as ScheduleKey[];
  const isWish = (key: ScheduleKey) => key !== "stages" || commonStages(config) !== undefined;
  return [...keys.filter(isWish), ...named];
}

/** What keeps the warps of a kernel from having roles. */
function whyNoRoles(tile: Pick<TileKernel, "config">, context: PassContext): string {
  const { arch, target } = context.target;
  const missing = ["wgmma", "tma"].filter((feature) => !hasFeature(context, feature));
  if (missing.length > 0) return `${arch ?? target} has no ${missing.join(" and no ")}`;
  if (wishesOf(tile).roles === false) return "roles: false asks for it";
  const remark = context.remarks.find(({ pass }) => pass === FIND_ROLE_LOOP);
  return remark?.message.replace(NO_LOOP, "") ?? "it has no product that they could share out";
}

const WRITTEN = "does not apply: the kernel writes out its roles";
const NO_ROLES = "does not apply: the warps of this kernel all do the same here";
/** Answers where there are no roles; the other wishes need them. */
const ALIKE: Readonly<Partial<Record<ScheduleKey, string>>> = {
  warps: "as asked, up to what dots can share out",
  stages: "does not apply: no loop has copies to run ahead",
};
const IN_ROLES: Readonly<Partial<Record<ScheduleKey, string>>> = {
  warps: "does not apply: roles have warpgroups, which `consumers` counts",
  cluster: "does not apply to this loop",
  splitK: "does not apply to this loop",
  roles: "as asked",
  consumers: "does not apply to this loop",
  swap: "does not apply to this loop",
  persistent: "does not apply: blocks take programs by a counter",
  backwards: "does not apply: the order of the sums is the kernel's own",
  lateSums: "does not apply to this loop",
  holdStores: "does not apply to this loop",
  fastSums: "does not apply: these sums are exact anyway, or the loop's own",
};

/**
 * Gives the loops with copies as many slots as the schedule says: those that ask for stages, else those with a load at the top level. Slots of single
 * loads are for the passes that make the rings; a loop that asks for none begins with theirs.
 */
export function withStages(kernel: TileKernel): TileKernel {
  if (wishesOf(kernel).stages === undefined) return kernel;
  let count = 0;
  const place = (op: Op): Op => {
    if (op.kind !== "for") return op;
    const body = { ...op.body, ops: op.body.ops.map(place) };
    const asked = stagesAsked(op, kernel.config);
    if (asked === undefined) return { ...op, body };
    count++;
    return { ...op, hints: { ...op.hints, stages: asked }, body };
  };
  const ops = kernel.body.ops.map(place);
  return count === 0 ? kernel : { ...kernel, body: { ...kernel.body, ops } };
}

/** The wish that a loop's slots are asked for by, or undefined where none is about it. */
function stagesKey(op: ForOp, config: TileKernel["config"]): WishName | undefined {
  const name = op.body.params[0]?.name ?? "";
  if (namedStages(config)[name] !== undefined) return `${STAGES_OF}${name}`;
  const isMeant = loadsOf(op).length > 0 || op.hints.stages !== undefined;
  return isMeant && commonStages(config) !== undefined ? "stages" : undefined;
}

/** What the schedule asks of a loop, or undefined where it asks nothing. */
function stagesAsked(op: ForOp, config: TileKernel["config"]): number | undefined {
  const named = namedStages(config);
  const key = stagesKey(op, config);
  if (key !== undefined)
    return key === "stages" ? commonStages(config) : named[key.slice(STAGES_OF.length)];
  const most = Math.max(1, ...loadsOf(op).map((tensor) => named[tensor] ?? 1));
  return most > 1 && (op.hints.stages ?? 1) < 2 ? most : undefined;
}

/** What is known of the rings of a loop's copies. */
interface RingCopies {
  readonly config: TileKernel["config"];
  /** Tensors that are copied. */
  readonly tensors: readonly string[];
  /** Slots that the loop asks for. */
  readonly stages: number;
}

/** Slots for each of the copies: its own wish, or what the loop asks for. */
export function slotsWanted({ config, tensors, stages }: RingCopies): readonly number[] {
  const named = namedStages(config);
  return tensors.map((tensor) => named[tensor] ?? stages);
}

/** Why a ring has not as many slots as one wish asks for. */
interface WhyOthers {
  readonly fewer: string;
  readonly more: string;
}

/** A loop whose copies run ahead, in the scheduled IR. */
type RingLoop = Pick<Extract<SOp, { kind: "for" }>, "body" | "loc">;

/**
 * Says what became of wishes about slots: of the loop's, for the copies that none of their own is about, and of those of single copies.
 * @param got slots of each, in the order of the tensors
 */
export function answerSlots(
  { config, tensors }: Omit<RingCopies, "stages">,
  got: readonly number[],
  why: WhyOthers,
  loop: RingLoop,
  context: PassContext,
): void {
  const named = namedStages(config);
  const say = (key: WishName, asked: number, slots: readonly number[]): void => {
    const given = Math.min(...slots);
    const count = [...new Set(slots)].join(" and ");
    const reason = given < asked ? why.fewer : why.more;
    const met = asked === given ? "as asked, " : `${UNMET}: `;
    const text = `${met}${count} slots${asked === given ? "" : `: ${reason}`}`;
    answer(context, key, text, loop.loc);
  };
  for (const tensor of new Set(tensors)) {
    const [asked, given] = [named[tensor], got[tensors.indexOf(tensor)]];
    if (asked !== undefined && given !== undefined) say(`${STAGES_OF}${tensor}`, asked, [given]);
  }
  const name = loop.body.params[0]?.name ?? "";
  const own = named[name];
  const ofLoop = own ?? commonStages(config);
  if (ofLoop === undefined || tensors.includes(name)) return;
  const key: WishName = own === undefined ? "stages" : `${STAGES_OF}${name}`;
  const rest = got.filter((_, i) => named[tensors[i] ?? ""] === undefined);
  if (rest.length > 0) say(key, ofLoop, rest);
  else
    answer(context, key, "does not apply: each copy of the loop has a wish of its own", loop.loc);
}
