/** [runtime/autotune] Interleaved timing: runners alternate in rounds, hopeless ones leave early. Knows no device and no clock of its own. */
import { TilewrightError } from "../../dsl/index.ts";
import { median, quantile, spreadOf } from "../bench/statistics.ts";

/** Something that can be timed. */
export interface Runner {
  readonly name: string;
  /** Microseconds of a few launches. A TilewrightError takes it out of the race. */
  measure(): Promise<readonly number[]>;
}

export interface RaceOptions {
  readonly rounds: number;
  /** Milliseconds now. */
  readonly now: () => number;
  /** The moment after which nothing new is begun; the first runner is measured once in any case. */
  readonly deadlineMs: number;
  readonly onMeasured?: (index: number, standing: Standing) => void;
  /** A runner failed; what this throws ends the race. */
  readonly onFailed?: (index: number) => Promise<void>;
  readonly onRound?: (standings: readonly Standing[]) => Promise<void> | void;
}

/** `finished` all rounds, left as `hopeless`, `failed`, or the time was over (`cut`; without rounds it was never measured). */
export type StandingState = "running" | "finished" | "hopeless" | "failed" | "cut";

export interface Standing {
  readonly name: string;
  /** Median microseconds of each round that it ran. */
  readonly rounds: readonly number[];
  /** All samples in microseconds. */
  readonly samples: readonly number[];
  readonly state: StandingState;
  readonly reason?: string;
}

/** How much slower than the best a runner must be to leave after so many rounds, on top of the noise of both. */
const MARGINS = [0.5, 0.15, 0.06] as const;
const LAST_MARGIN = 0.03;

interface Running {
  readonly runner: Runner;
  readonly rounds: number[];
  readonly samples: number[];
  state: StandingState;
  reason?: string;
}

/** Times all runners; each round starts with another one and every second round runs backwards. */
export async function race(
  runners: readonly Runner[],
  options: RaceOptions,
): Promise<readonly Standing[]> {
  const all = runners.map(
    (runner): Running => ({ runner, rounds: [], samples: [], state: "running" }),
  );
  for (let round = 0; round < options.rounds; round++) {
    const active = all.filter(({ state }) => state === "running");
    if (active.length === 0) break;
    for (const one of orderOf(active, round)) {
      const isFirst = all.every(({ rounds }) => rounds.length === 0);
      if (!isFirst && options.now() >= options.deadlineMs) {
        for (const rest of active) if (rest.state === "running") rest.state = "cut";
        break;
      }
      await measureOnce(one);
      if (one.state === "failed") await options.onFailed?.(all.indexOf(one));
      options.onMeasured?.(all.indexOf(one), standing(one));
    }
    leaveHopeless(
      active.filter(({ state }) => state === "running"),
      round,
    );
    await options.onRound?.(all.map(standing));
  }
  for (const one of all) if (one.state === "running") one.state = "finished";
  return all.map(standing);
}

async function measureOnce(one: Running): Promise<void> {
  try {
    const samples = await one.runner.measure();
    one.samples.push(...samples);
    one.rounds.push(median(samples));
  } catch (error) {
    if (!(error instanceof TilewrightError)) throw error;
    one.state = "failed";
    one.reason = error.message;
  }
}

/**
 * A runner leaves where it is slower than the best by more than the margin of the round and the noise of both together. Times are
 * compared within rounds, so that a change of clocks between rounds counts for nothing.
 */
function leaveHopeless(active: readonly Running[], round: number): void {
  const best = [...active].sort((a, b) => median(a.rounds) - median(b.rounds))[0];
  if (best === undefined) return;
  const margin = MARGINS[round] ?? LAST_MARGIN;
  for (const one of active) {
    if (one === best) continue;
    const ratios = one.rounds.map((us, i) => us / (best.rounds[i] ?? us));
    const noise = relativeSpread(one.samples) + relativeSpread(best.samples);
    if (quantile(ratios, 0.2) - noise > 1 + margin) one.state = "hopeless";
  }
}

/** Half of the middle 60 % over the median. */
function relativeSpread(samples: readonly number[]): number {
  const { median: middle, p20, p80 } = spreadOf(samples);
  return middle > 0 ? (p80 - p20) / 2 / middle : 0;
}

function orderOf<T>(active: readonly T[], round: number): readonly T[] {
  const order = active.map((_, i) => active[(i + round) % active.length] as T);
  return round % 2 === 0 ? order : order.reverse();
}

function standing({ runner, rounds, samples, state, reason }: Running): Standing {
  const why = reason === undefined ? {} : { reason };
  return { name: runner.name, rounds: [...rounds], samples: [...samples], state, ...why };
}
