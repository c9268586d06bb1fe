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
import type { Remark, ScheduledKernel } from "../ir/scheduled.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";

/** Pass of the remarks that answer wishes. */
export const SCHEDULE = "schedule";
/** Pass of the remark that says why a kernel has no roles. */
export const FIND_ROLE_LOOP = "find-role-loop";
const NO_LOOP = "not wgmma with tma: ";

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

/** What became of each wish, by its name, as far as it is known. */
export function answersOf(remarks: readonly Remark[]): Readonly<Record<string, string>> {
  const answers = remarks.flatMap(({ pass, message }) => {
    const [, key, text] = pass === SCHEDULE ? (/^([\w.$]+): (.*)$/.exec(message) ?? []) : [];
    return key === undefined || text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(answers);
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
function whyNoRoles(tile: TileKernel, context: PassContext): string {
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
export function withStages(kernel: TileKernel, context: PassContext): TileKernel {
  if (wishesOf(kernel).stages === undefined) return kernel;
  const [named, all] = [namedStages(kernel.config), commonStages(kernel.config)];
  let count = 0;
  const place = (op: Op): Op => {
    if (op.kind !== "for") return op;
    const loads = op.body.ops.flatMap((inner) => (inner.kind === "load" ? [inner.tensor] : []));
    const body = { ...op.body, ops: op.body.ops.map(place) };
    const asked = stagesAsked(op, { loads, named, all }, context);
    if (asked === undefined) return { ...op, body };
    count++;
    return { ...op, hints: { ...op.hints, stages: asked }, body };
  };
  const ops = kernel.body.ops.map(place);
  return count === 0 ? kernel : { ...kernel, body: { ...kernel.body, ops } };
}

interface StageWishes {
  /** Tensors that the loop loads itself. */
  readonly loads: readonly string[];
  readonly named: Readonly<Record<string, number>>;
  readonly all: number | undefined;
}

/** What the schedule asks of a loop, or undefined where it asks nothing. */
function stagesAsked(
  op: Extract<Op, { kind: "for" }>,
  { loads, named, all }: StageWishes,
  context: PassContext,
): number | undefined {
  const name = op.body.params[0]?.name ?? "";
  const own = named[name];
  const isMeant = loads.length > 0 || op.hints.stages !== undefined;
  const asked = own ?? (isMeant ? all : undefined);
  if (asked !== undefined) {
    const key: WishName = own === undefined ? "stages" : `${STAGES_OF}${name}`;
    answer(context, key, `${asked} asked of the loop`, op.loc);
    return asked;
  }
  const most = Math.max(1, ...loads.map((tensor) => named[tensor] ?? 1));
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

/**
 * Says what became of wishes about single copies.
 * @param got slots of each, in the order of the tensors
 * @param why why they are others than asked
 */
export function answerSlots(
  { config, tensors }: Omit<RingCopies, "stages">,
  got: readonly number[],
  why: string,
  loc: Location,
  context: PassContext,
): void {
  const named = namedStages(config);
  const seen = new Set<string>();
  for (const [i, tensor] of tensors.entries()) {
    const [asked, given] = [named[tensor], got[i]];
    if (asked === undefined || given === undefined || seen.has(tensor)) continue;
    seen.add(tensor);
    const became =
      asked === given ? `as asked, ${given} slots` : `not as asked: ${given} slots: ${why}`;
    answer(context, `${STAGES_OF}${tensor}`, became, loc);
  }
}
