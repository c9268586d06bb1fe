/** [codegen/schedule] What a schedule asks of the compiler, and what became of each wish, as remarks. Fulfils none itself. */
import {
  type Location,
  type Op,
  type Schedule,
  type ScheduleKey,
  scheduleOf,
  type TileKernel,
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
export function answer(
  context: PassContext,
  key: ScheduleKey,
  message: string,
  loc: Location,
): void {
  context.remark(SCHEDULE, `${key}: ${message}`, loc);
}

/** What became of each wish, by its name, as far as it is known. */
export function answersOf(remarks: readonly Remark[]): Readonly<Record<string, string>> {
  const answers = remarks.flatMap(({ pass, message }) => {
    const [, key, text] = pass === SCHEDULE ? (/^(\w+): (.*)$/.exec(message) ?? []) : [];
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
  for (const key of Object.keys(wishesOf(tile)) as ScheduleKey[]) {
    if (answered[key] !== undefined) continue;
    const alike = ALIKE[key] ?? `${NO_ROLES}: ${whyNoRoles(tile, context)}`;
    const otherwise = inRoles ? (IN_ROLES[key] ?? alike) : alike;
    answer(context, key, isWritten && key !== "warps" ? WRITTEN : otherwise, loc);
  }
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

/** Gives the loops with copies as many slots as the schedule says: those that ask for stages, else those with a load at the top level. */
export function withStages(kernel: TileKernel, context: PassContext): TileKernel {
  const { stages } = wishesOf(kernel);
  if (stages === undefined) return kernel;
  let count = 0;
  const place = (op: Op): Op => {
    if (op.kind !== "for") return op;
    const loads = op.body.ops.some(({ kind }) => kind === "load");
    const isMeant = loads || op.hints.stages !== undefined;
    const body = { ...op.body, ops: op.body.ops.map(place) };
    if (!isMeant) return { ...op, body };
    count++;
    answer(context, "stages", `${stages} asked of the loop`, op.loc);
    return { ...op, hints: { ...op.hints, stages }, body };
  };
  const ops = kernel.body.ops.map(place);
  return count === 0 ? kernel : { ...kernel, body: { ...kernel.body, ops } };
}
