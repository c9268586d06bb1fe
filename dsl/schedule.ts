/** [dsl] The schedule object: what the compiler would else decide about a kernel's hardware, said apart from the algorithm. Decides nothing. */
import { KernelSourceError } from "./core/errors.ts";
import { didYouMean } from "./core/similar-name.ts";
import type { KernelDefinition } from "./definition.ts";

/**
 * Wishes, each by itself. What a kernel or a target does not allow is left to the compiler, with a remark of `explain()`; no wish makes a
 * compile fail or changes what is computed, but for the order and, where `fastSums` says so, the precision of sums.
 */
export interface Schedule {
  /** Warps of a block, where they all do the same. */
  readonly warps?: number;
  /** Blocks that copy for each other what both read. */
  readonly cluster?: 1 | 2;
  /** Blocks of a cluster that share a program: each multiplies a part of the contraction, one adds up the sums. */
  readonly splitK?: 1 | 2;
  /**
   * Slots of the rings of copies, in place of what the loops ask for: of all, or by the name of a loop (its variable) or of a tensor that is loaded,
   * `{ k: 3, v: 2 }`.
   */
  readonly stages?: number | Readonly<Record<string, number>>;
  /** Whether one thread copies while warpgroups multiply, or all warps do both. */
  readonly roles?: boolean;
  /** Warpgroups that multiply. */
  readonly consumers?: 1 | 2 | 3;
  /** Whether the operands of a product trade places, so that rows of the result are columns of the instruction. */
  readonly swap?: boolean;
  /** Whether blocks walk over the programs of a launch, or there is a block for each. */
  readonly persistent?: boolean;
  /** Whether every second program of a block walks its trips backwards, over what lies in the cache. False: sums always come in order. */
  readonly backwards?: boolean;
  /** Whether a product is added one trip late, under the next one of the same warpgroup. For the same sums. */
  readonly lateSums?: boolean;
  /** Whether the results of a program are stored between the first trips of the block's next one, out of registers. */
  readonly holdStores?: boolean;
  /** Whether sums of 8-bit floats stay in the tensor core, which keeps about 14 bits, instead of being added in f32 after each trip. */
  readonly fastSums?: boolean;
}

export type ScheduleKey = keyof Schedule;
/** A wish, or the one about the slots of what has this name. */
export type WishName = ScheduleKey | `stages.${string}`;

interface Wish {
  /** Key of the config that carries it: a wish is part of what is compiled, cached and tuned. */
  readonly config: string;
  readonly takes: (value: unknown) => boolean;
  readonly expected: string;
}

const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;
const isOneOrTwo = (value: unknown): boolean => value === 1 || value === 2;
const isOneToThree = (value: unknown): boolean => isOneOrTwo(value) || value === 3;

/** Every wish there is. */
export const WISHES: Readonly<Record<ScheduleKey, Wish>> = {
  warps: { config: "warps", takes: isCount, expected: "an integer of at least 1" },
  cluster: { config: "cluster", takes: isOneOrTwo, expected: "1 or 2" },
  splitK: { config: "schedule.splitK", takes: isOneOrTwo, expected: "1 or 2" },
  stages: { config: "schedule.stages", takes: isCount, expected: "an integer of at least 1" },
  roles: { config: "schedule.roles", takes: isFlag, expected: "true or false" },
  consumers: { config: "schedule.consumers", takes: isOneToThree, expected: "1, 2 or 3" },
  swap: { config: "schedule.swap", takes: isFlag, expected: "true or false" },
  persistent: { config: "schedule.persistent", takes: isFlag, expected: "true or false" },
  backwards: { config: "schedule.backwards", takes: isFlag, expected: "true or false" },
  lateSums: { config: "schedule.lateSums", takes: isFlag, expected: "true or false" },
  holdStores: {
    config: "schedule.holdStores",
    takes: isFlag,
    expected: "true or false",
  },
  fastSums: { config: "schedule.fastSums", takes: isFlag, expected: "true or false" },
};

type Config = Readonly<Record<string, number | boolean>>;

/** What the keys of wishes about slots by name begin with. */
const NAMED_STAGES = "schedule.stages.";
const STAGES: Wish = {
  config: NAMED_STAGES,
  takes: (value) => isCount(value) || isNamedCounts(value),
  expected: "an integer of at least 1, or such a number for each of some loops or tensors by name",
};

function isNamedCounts(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(([name, n]) => /^[A-Za-z_$][\w$]*$/.test(name) && isCount(n))
  );
}

/** What a key of a config stands for that every kernel may have, or undefined where it is none. */
export function wishOfKey(key: string): Wish | undefined {
  const isNamed = key.startsWith(NAMED_STAGES) && key.length > NAMED_STAGES.length;
  if (isNamed) return { ...WISHES.stages, config: key };
  return Object.values(WISHES).find((wish) => wish.config === key);
}

/** Slots that are asked for of all loops, where something is; for what has no wish of its own by name. */
export function commonStages(config: Config): number | undefined {
  const { config: key, takes } = WISHES.stages;
  return takes(config[key]) ? Number(config[key]) : undefined;
}

/** Slots that are asked for by the name of a loop or tensor. */
export function namedStages(config: Config): Readonly<Record<string, number>> {
  const named = Object.entries(config).flatMap(([key, value]) =>
    key.startsWith(NAMED_STAGES) && isCount(value)
      ? [[key.slice(NAMED_STAGES.length), Number(value)] as const]
      : [],
  );
  return Object.fromEntries(named);
}

/**
 * A schedule as values of a config, for a launch, a compile or a tuning run that is given one: `{ config: { BM: 128, ...scheduleConfig(s) } }`.
 * @throws KernelSourceError TW1015 for wishes that there are not, or values that they do not take
 */
export function scheduleConfig(schedule: Schedule): Config {
  const config: Record<string, number | boolean> = {};
  for (const [key, value] of Object.entries(schedule)) {
    if (value === undefined) continue;
    const own = Object.hasOwn(WISHES, key) ? WISHES[key as ScheduleKey] : undefined;
    const wish = key === "stages" ? STAGES : own;
    if (wish === undefined || !wish.takes(value)) throw wrongWish(key, value, wish);
    if (typeof value === "object")
      for (const [name, n] of Object.entries(value)) config[`${NAMED_STAGES}${name}`] = Number(n);
    else config[(own ?? wish).config] = value;
  }
  return config;
}

/** What to do with a record of wishes that was put where values of a config belong. */
export const SCHEDULE_REMEDY =
  "wishes are not nested: spread scheduleConfig({ … }) into the config, or make the kernel by scheduled(kernel, { … })";

/** The wishes among the values of a config; of slots those by name, where there are such, else that of all. */
export function scheduleOf(config: Config): Schedule {
  const found: Partial<Record<ScheduleKey, unknown>> = {};
  for (const [key, wish] of Object.entries(WISHES) as [ScheduleKey, Wish][]) {
    const value = config[wish.config];
    if (value !== undefined && wish.takes(value)) found[key] = value;
  }
  const named = namedStages(config);
  if (Object.keys(named).length > 0) found.stages = named;
  return found as Schedule;
}

/**
 * The same kernel with a schedule as part of its default config. The definition it is made of stays as it is, so one algorithm may have as
 * many schedules as there are targets; a launch's own config still goes first.
 * @throws KernelSourceError TW1015 as `scheduleConfig`
 */
export function scheduled<K extends KernelDefinition>(kernel: K, schedule: Schedule): K {
  const config = Object.freeze({ ...kernel.config, ...scheduleConfig(schedule) });
  return Object.freeze({ ...kernel, config });
}

function wrongWish(key: string, value: unknown, wish: Wish | undefined): KernelSourceError {
  return new KernelSourceError({
    code: "TW1015",
    message:
      wish === undefined
        ? `a schedule has no ${key}`
        : `${key} of a schedule does not take this value`,
    seen: `${key}: ${JSON.stringify(value) ?? String(value)}`,
    expected: wish?.expected ?? Object.keys(WISHES).join(", "),
    remedy: `${wish === undefined ? didYouMean(key, Object.keys(WISHES)) : ""}correct it, or leave it out: the compiler decides then`,
  });
}
