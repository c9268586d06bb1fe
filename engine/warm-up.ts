/** [engine] Steps that warm a model up: dummy requests of the shapes that serving meets. Runs nothing. */
import { Request, type StepPlan } from "./core.ts";
import { RESERVED_PAGE } from "./kv/page-pool.ts";
import { resolveSampling } from "./sampling.ts";

/** Rows of a prompt that take the kernels for many rows. */
const WARM_PREFILL = 16;

export interface WarmUpShapes {
  /** Sequences of the steps of decodes. */
  readonly batches: readonly number[];
  readonly pageSize: number;
}

export function warmUpPlans({ batches, pageSize }: WarmUpShapes): StepPlan[] {
  return [
    ...batches.map((size) => dummyPlan(size, 1, pageSize)),
    dummyPlan(1, Math.min(pageSize, WARM_PREFILL), pageSize),
  ];
}

/** A step of `size` requests with `count` tokens, all in the reserved page, a slot each while it has some. */
function dummyPlan(size: number, count: number, pageSize: number): StepPlan {
  const params = resolveSampling({ temperature: 1 });
  const entries = Array.from({ length: size }, (_, i) => {
    const start = i % pageSize;
    const tokens = new Array<number>(start + count).fill(0);
    const request = new Request(`warm-up-${i}`, tokens, params, i);
    const numPages = Math.ceil((start + count) / pageSize);
    request.pages.push(...new Array<number>(numPages).fill(RESERVED_PAGE));
    return { request, start, count, samples: true, awaits: false };
  });
  return { entries, numTokens: size * count, preempted: [], copies: [] };
}
