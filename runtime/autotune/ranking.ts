/** [runtime/autotune] Orders the candidates of a run by the cost model, within a share of its time. Compiles nothing. */
import { type KernelDefinition, lowerKernel, type Specialization } from "../../dsl/index.ts";
import type { Dims } from "./buckets.ts";
import type { Machine } from "./machine.ts";
import { type Cost, type Prediction, predict } from "./rank.ts";
import type { Candidate } from "./space.ts";

export interface Ranked {
  readonly candidate: Candidate;
  readonly prediction: Prediction;
}

/** A candidate that the front end refuses. */
export interface Refused {
  readonly candidate: Candidate;
  readonly reason: string;
}

export interface RankContext {
  readonly kernel: KernelDefinition;
  /** What all candidates are specialised by; the config is theirs. */
  readonly specialization: Specialization;
  readonly dims: Dims;
  readonly cost: Cost;
  readonly machine: Machine;
  readonly isOver: () => boolean;
  readonly onRanked?: (done: number, total: number) => void;
}

export interface Ranking {
  /** First those that are tried in any case, then the predicted fastest, then those for which there was no time to predict. */
  readonly ranked: readonly Ranked[];
  readonly refused: readonly Refused[];
}

const UNKNOWN: Prediction = {
  us: Number.POSITIVE_INFINITY,
  programs: 0,
  waves: 0,
  resident: 0,
  padding: 1,
  penalty: 1,
};

/** Candidates between two turns of the event loop. */
const BATCH = 32;

/** The default and what was good elsewhere are tried whatever the model says, and however short the time. */
export function isPrivileged({ origin }: Candidate): boolean {
  return origin === "default" || origin === "known";
}

export async function rankCandidates(
  candidates: readonly Candidate[],
  context: RankContext,
): Promise<Ranking> {
  const ranked: Ranked[] = [];
  const refused: Refused[] = [];
  const order = [
    ...candidates.filter(isPrivileged),
    ...scattered(candidates.filter((candidate) => !isPrivileged(candidate))),
  ];
  let done = 0;
  for (const candidate of order) {
    if (!isPrivileged(candidate) && context.isOver()) {
      ranked.push({ candidate, prediction: UNKNOWN });
      continue;
    }
    try {
      ranked.push({ candidate, prediction: predictionOf(candidate, context) });
    } catch (error) {
      refused.push({ candidate, reason: error instanceof Error ? error.message : String(error) });
    }
    done++;
    if (done % BATCH === 0) {
      context.onRanked?.(done, order.length);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const group = ({ candidate }: Ranked) => (isPrivileged(candidate) ? 0 : 1);
  ranked.sort((a, b) => group(a) - group(b) || byTime(a.prediction.us, b.prediction.us));
  return { ranked, refused };
}

function predictionOf({ config }: Candidate, context: RankContext): Prediction {
  const { kernel, specialization } = context;
  const { tile } = lowerKernel(kernel, { ...specialization, config });
  return predict({ ...context, tile, config });
}

function byTime(a: number, b: number): number {
  return a === b ? 0 : a - b; // two infinite ones keep their order
}

/** The same order in every run, in which any beginning covers the whole space: steps of about the golden section. */
export function scattered<T>(list: readonly T[]): readonly T[] {
  const { length } = list;
  if (length < 3) return list;
  let step = Math.max(1, Math.round(length * 0.618));
  while (greatestDivisor(step, length) !== 1) step++;
  return list.map((_, i) => list[(i * step) % length] as T);
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
