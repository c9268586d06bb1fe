/** [runtime/autotune] The configs that a kernel can be tuned over: those known, then every point of its space. Ranks nothing. */
import {
  DTYPES,
  type DType,
  type KernelDefinition,
  namedStages,
  type Schedule,
  scheduleConfig,
  scheduleOf,
  stableJson,
  type TileKernel,
  walkOps,
} from "../../dsl/index.ts";
import type { Config } from "../bench/own-contender.ts";

/** Where a config comes from: `default` the definition, `known` a table or an earlier run, `given` the caller, `space` the rest. */
export type Origin = "default" | "known" | "given" | "space";

export interface Candidate {
  /** Every value of the kernel's config, and `warps` where one is named. */
  readonly config: Config;
  readonly key: string;
  readonly origin: Origin;
}

/** Points of a space at most; a larger one is read in even steps. */
const MOST_POINTS = 20_000;

/** The same for equal configs, whatever the order of their values. */
export function configKey(config: Config): string {
  return stableJson(config);
}

/**
 * Candidates without repetition: the default, those known, those given; without given ones every point of `tune` that `when` allows.
 * @param known overrides of the default that were good elsewhere
 * @param given overrides of the default; where there are any, the space is left alone
 */
export function enumerateSpace(
  kernel: KernelDefinition,
  known: readonly Config[] = [],
  given: readonly Config[] = [],
): readonly Candidate[] {
  const byKey = new Map<string, Candidate>();
  const add = (overrides: Config, origin: Origin): void => {
    const config = { ...kernel.config, ...overrides };
    const key = configKey(config);
    if (!byKey.has(key)) byKey.set(key, { config, key, origin });
  };
  add({}, "default");
  for (const config of given) add(config, "given");
  for (const config of known)
    if (kernel.when?.({ ...kernel.config, ...config }) !== false) add(config, "known");
  if (given.length === 0)
    for (const config of points(kernel))
      if (kernel.when?.({ ...kernel.config, ...config }) !== false) add(config, "space");
  return [...byKey.values()];
}

/**
 * What lies beside a config: one step up and down in each list of values, and what `beside` adds to it.
 * @param beside overrides, for example clusters, which a kernel need not list
 */
export function neighbours(
  kernel: KernelDefinition,
  config: Config,
  beside: readonly Config[] = [],
): readonly Candidate[] {
  const found = new Map<string, Candidate>();
  const add = (overrides: Config): void => {
    const changed = { ...config, ...overrides };
    const key = configKey(changed);
    if (kernel.when?.(changed) !== false) found.set(key, { config: changed, key, origin: "space" });
  };
  for (const [name, values] of Object.entries(kernel.tune)) {
    const at = values.indexOf(config[name] ?? Number.NaN);
    for (const value of [values[at - 1], values[at + 1]])
      if (at >= 0 && value !== undefined) add({ [name]: value });
  }
  for (const overrides of beside) add(overrides);
  found.delete(configKey(config));
  return [...found.values()];
}

/** The dtype of a kernel's products, and the tensors whose copies have a ring each: of two products in a trip; one has a ring for both operands. */
export function productsOf(tile: TileKernel): {
  readonly dtype: DType | undefined;
  readonly rings: readonly string[];
} {
  let dtype: DType | undefined;
  const rings = new Set<string>();
  walkOps(tile.body, (op) => {
    if (op.kind === "dot") dtype = op.a.type.dtype;
    if (op.kind !== "for" || op.body.ops.filter(({ kind }) => kind === "dot").length < 2) return;
    for (const load of op.body.ops)
      if (load.kind === "load" && load.result.type.axes.length > 1) rings.add(load.tensor);
  });
  return { dtype, rings: [...rings] };
}

/** Of a ring that a tuning run asks for. */
const FEWEST_SLOTS = 2;

/** Slots of single rings, one more and one less than there are. @param rings tensors whose copies have rings of their own */
function slotsBeside(config: Config, rings: readonly string[]): readonly Schedule[] {
  const named = namedStages(config);
  const all = config["schedule.stages"] ?? config["stages"];
  return rings.flatMap((name) => {
    const slots = named[name] ?? all;
    if (typeof slots !== "number") return [];
    const near = [slots - 1, slots + 1].filter((n) => n >= FEWEST_SLOTS);
    return near.map((n) => ({ stages: { ...named, [name]: n } }));
  });
}

/**
 * Schedules one wish away from that of a config, which leave alone what sums keep.
 * @param dtype of the operands of its products
 * @param rings tensors whose copies have rings of their own
 */
export function wishesBeside(
  config: Config,
  dtype: DType,
  rings: readonly string[] = [],
): readonly Config[] {
  const wishes = scheduleOf(config);
  const { cluster = 1, backwards = true, swap, holdStores, lateSums = false, splitK } = wishes;
  const addsEachTrip = DTYPES[dtype].bits === 8 && DTYPES[dtype].kind === "float";
  const beside: readonly Schedule[] = [
    { cluster: cluster === 2 ? 1 : 2 },
    ...(cluster === 2 ? [] : [{ splitK: splitK === 2 ? (1 as const) : (2 as const) }]),
    { backwards: !backwards },
    { holdStores: holdStores !== true },
    ...(swap === undefined ? [{ swap: true }] : []),
    ...(addsEachTrip ? [{ lateSums: !lateSums }] : []),
    ...slotsBeside(config, rings),
  ];
  return beside.map(scheduleConfig);
}

/** The product of all lists of values, the last one fastest. */
function* points({ tune }: KernelDefinition): Generator<Config> {
  const axes = Object.entries(tune).filter(([, values]) => values.length > 0);
  if (axes.length === 0) return;
  const total = axes.reduce((product, [, values]) => product * values.length, 1);
  const step = Math.max(1, total / MOST_POINTS);
  for (let at = 0; at < total; at += step) {
    let rest = Math.floor(at);
    const config: Record<string, number | boolean> = {};
    for (const [name, values] of [...axes].reverse()) {
      const value = values[rest % values.length];
      if (value !== undefined) config[name] = value;
      rest = Math.floor(rest / values.length);
    }
    yield config;
  }
}
