/** [engine] Steps that warm a model up: dummy requests of the shapes that serving meets. Runs nothing. */
import { Request, type StepPlan } from "./core.ts";
import { RESERVED_PAGE } from "./kv/page-pool.ts";
import type { RunnerOptions } from "./runner.ts";
import { resolveSampling } from "./sampling.ts";
import type { SharedPrefixes } from "./shared-prefix.ts";

/** Rows of a prompt that take the kernels for many rows. */
const WARM_PREFILL = 16;

export interface WarmUpShapes {
  /** Sequences of the steps of decodes. */
  readonly batches: readonly number[];
  readonly pageSize: number;
  /** Positions that the sequences of a further step of decodes share; undefined for no such step. */
  readonly shared: number | undefined;
}

/** Sequences of a step that shares a beginning. */
const SHARING_BATCH = 16;

/** Positions of a beginning that so many sequences may come to share; undefined where they are too few or too short. */
export function warmBeginning(
  prefixes: SharedPrefixes | undefined,
  sizes: Pick<RunnerOptions, "pageSize" | "maxModelLen" | "maxNumSeqs">,
): number | undefined {
  const tokens = prefixes?.leastTokens(SHARING_BATCH) ?? sizes.maxModelLen;
  const isMet = sizes.maxNumSeqs >= SHARING_BATCH && tokens + sizes.pageSize <= sizes.maxModelLen;
  return isMet ? tokens : undefined;
}

export function warmUpPlans({ batches, pageSize, shared }: WarmUpShapes): StepPlan[] {
  return [
    ...batches.map((size) => dummyPlan(size, 1, pageSize)),
    ...(shared === undefined ? [] : [dummyPlan(SHARING_BATCH, 1, pageSize, shared)]),
    dummyPlan(1, Math.min(pageSize, WARM_PREFILL), pageSize),
  ];
}

/**
 * A step of `size` requests with `count` tokens, all in the reserved page, a slot each while it has some.
 * @param behind positions before those, a multiple of the page size
 */
function dummyPlan(size: number, count: number, pageSize: number, behind = 0): StepPlan {
  const params = resolveSampling({ temperature: 1 });
  const entries = Array.from({ length: size }, (_, i) => {
    const start = behind + (i % pageSize);
    const tokens = new Array<number>(start + count).fill(0);
    const request = new Request(`warm-up-${i}`, tokens, params, i);
    const numPages = Math.ceil((start + count) / pageSize);
    request.pages.push(...new Array<number>(numPages).fill(RESERVED_PAGE));
    return { request, start, count, samples: true, awaits: false };
  });
  return { entries, numTokens: size * count, preempted: [], copies: [] };
}
