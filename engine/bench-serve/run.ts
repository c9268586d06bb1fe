/** [engine/bench-serve] Sends the requests of a load test: at one rate or at several, and no more at once than allowed. */
import { setTimeout as delay } from "node:timers/promises";
import { runRequest, type Target } from "./client.ts";
import { arrivalGaps, type DatasetOptions, makeRequests } from "./dataset.ts";
import type { Outcome } from "./event-times.ts";
import { type Goals, type LoadReport, makeReport } from "./report.ts";

export interface LoadOptions extends DatasetOptions {
  readonly target: Target;
  /** Requests a second, as a Poisson process; Infinity sends all at once. */
  readonly rate: number;
  /** Most in flight. */
  readonly concurrency: number;
  readonly goals: Goals;
}

export interface LoadRun {
  readonly rate: number;
  readonly report: LoadReport;
}

/**
 * A load at each rate, one after the other, each with prompts of its own: a server's prefix cache must not know them.
 * @param onRun told of each as it ends
 */
export async function runSweep(
  options: Omit<LoadOptions, "rate">,
  rates: readonly number[],
  onRun: (run: LoadRun) => void = () => {},
): Promise<readonly LoadRun[]> {
  const runs: LoadRun[] = [];
  for (const [i, rate] of rates.entries()) {
    const run = { rate, report: await runLoad({ ...options, rate, seed: options.seed + i }) };
    onRun(run);
    runs.push(run);
  }
  return runs;
}

export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { target, rate, concurrency, seed, goals } = options;
  const requests = makeRequests(options);
  const gaps = arrivalGaps(requests.length, rate, seed);
  const outcomes: Outcome[] = [];
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const running: Promise<void>[] = [];
  const start = performance.now();
  let due = start;
  for (const [i, request] of requests.entries()) {
    due += 1000 * (gaps[i] ?? 0);
    const early = due - performance.now();
    if (early > 0) await delay(early);
    if (inFlight >= concurrency) await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight++;
    running.push(
      runRequest(target, request).then((outcome) => {
        outcomes.push(outcome);
        inFlight--;
        waiting.shift()?.();
      }),
    );
  }
  await Promise.all(running);
  return makeReport(outcomes, (performance.now() - start) / 1000, goals);
}
