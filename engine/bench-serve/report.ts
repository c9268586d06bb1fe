/** [engine/bench-serve] What a load test measured: throughput, percentiles, goodput. Pure. */
import type { Outcome } from "./event-times.ts";
import type { LoadRun } from "./run.ts";

export interface Spread {
  readonly mean: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
}

/** Bounds in ms that a request must keep to count as good. */
export interface Goals {
  readonly ttft?: number;
  /** Mean time a token after the first. */
  readonly tpot?: number;
  readonly e2el?: number;
}

export interface LoadReport {
  readonly completed: number;
  readonly failed: number;
  /** The first few, with how often each came. */
  readonly errors: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Requests whose tokens the server did not count: ids or words of the prompt and events stand for them. */
  readonly withoutUsage: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly requestsPerSecond: number;
  readonly outputTokensPerSecond: number;
  readonly totalTokensPerSecond: number;
  /** Events with text; a server may put several tokens into one. */
  readonly eventsPerSecond: number;
  /** Requests a second that keep all goals; absent without goals. */
  readonly goodput: number | undefined;
  /** In ms: first token, between events, mean a token after the first, whole request. */
  readonly ttft: Spread;
  readonly itl: Spread;
  readonly tpot: Spread;
  readonly e2el: Spread;
}

export function makeReport(
  outcomes: readonly Outcome[],
  seconds: number,
  goals: Goals = {},
): LoadReport {
  const good = outcomes.filter(({ error }) => error === undefined);
  const sum = (read: (one: Outcome) => number) => good.reduce((total, one) => total + read(one), 0);
  const [promptTokens, outputTokens] = [
    sum((one) => one.promptTokens),
    sum((one) => one.outputTokens),
  ];
  const hasGoals = Object.values(goals).some((goal) => goal !== undefined);
  return {
    completed: good.length,
    failed: outcomes.length - good.length,
    errors: countErrors(outcomes),
    seconds,
    withoutUsage: good.filter(({ hasUsage }) => !hasUsage).length,
    promptTokens,
    outputTokens,
    requestsPerSecond: good.length / seconds,
    outputTokensPerSecond: outputTokens / seconds,
    totalTokensPerSecond: (promptTokens + outputTokens) / seconds,
    eventsPerSecond: sum((one) => one.gaps.length + 1) / seconds,
    goodput: hasGoals ? good.filter((one) => keeps(one, goals)).length / seconds : undefined,
    ttft: spread(good.map(({ ttft }) => ttft)),
    itl: spread(good.flatMap(({ gaps }) => gaps)),
    tpot: spread(good.filter(({ outputTokens: n }) => n > 1).map(tpotOf)),
    e2el: spread(good.map(({ latency }) => latency)),
  };
}

function tpotOf({ latency, ttft, outputTokens }: Outcome): number {
  return (latency - ttft) / Math.max(1, outputTokens - 1);
}

function keeps(one: Outcome, { ttft, tpot, e2el }: Goals): boolean {
  const within = (value: number, goal: number | undefined) => goal === undefined || value <= goal;
  return within(one.ttft, ttft) && within(tpotOf(one), tpot) && within(one.latency, e2el);
}

function countErrors(outcomes: readonly Outcome[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { error } of outcomes)
    if (error !== undefined) counts.set(error, (counts.get(error) ?? 0) + 1);
  return Object.fromEntries([...counts].slice(0, 5));
}

/** Percentiles by linear interpolation between the two nearest values. NaN of nothing. */
export function spread(values: readonly number[]): Spread {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    if (low === undefined || high === undefined) return Number.NaN;
    return low + (high - low) * (place - Math.floor(place));
  };
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { mean, p50: at(0.5), p90: at(0.9), p99: at(0.99) };
}

/** `inf` for all at once. */
export function rateName(rate: number): string {
  return Number.isFinite(rate) ? String(rate) : "inf";
}

/** A line a rate. */
export function formatSweep(runs: readonly LoadRun[]): string {
  const hasGoals = runs.some(({ report }) => report.goodput !== undefined);
  const head = [
    "rate",
    "done",
    "failed",
    "requests/s",
    ...(hasGoals ? ["good/s"] : []),
    "tokens/s",
    "TTFT p50",
    "p99 ms",
    "ITL p50",
    "p99 ms",
    "E2EL p99 ms",
  ];
  const rows = runs.map(({ rate, report }) => [
    rateName(rate),
    String(report.completed),
    String(report.failed),
    report.requestsPerSecond.toFixed(2),
    ...(hasGoals ? [report.goodput?.toFixed(2) ?? ""] : []),
    report.outputTokensPerSecond.toFixed(1),
    ...[report.ttft.p50, report.ttft.p99, report.itl.p50, report.itl.p99, report.e2el.p99].map(
      (value) => (Number.isFinite(value) ? value.toFixed(2) : "-"),
    ),
  ]);
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  return [head, ...rows]
    .map((row) => row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "))
    .join("\n");
}

export function formatReport(report: LoadReport): string {
  const { completed, failed, seconds, errors } = report;
  return [
    `${completed} requests in ${seconds.toFixed(2)} s, ${failed} failed`,
    ...Object.entries(errors).map(([error, count]) => `  ${count} × ${error}`),
    ...(completed > 0 ? measured(report) : []),
  ].join("\n");
}

/** Nothing of this is known where no request came to its end. */
function measured(report: LoadReport): readonly string[] {
  const { goodput, withoutUsage } = report;
  const line = (name: string, { mean, p50, p90, p99 }: Spread) =>
    `${name.padEnd(6)} ms  mean ${mean.toFixed(2)}  p50 ${p50.toFixed(2)}  p90 ${p90.toFixed(2)}  p99 ${p99.toFixed(2)}`;
  return [
    `${report.requestsPerSecond.toFixed(2)} requests/s, ${report.outputTokensPerSecond.toFixed(1)} output tokens/s, ${report.totalTokensPerSecond.toFixed(1)} tokens/s, ${report.eventsPerSecond.toFixed(1)} events/s`,
    ...(goodput === undefined ? [] : [`${goodput.toFixed(2)} requests/s within the goals`]),
    ...(withoutUsage === 0
      ? []
      : [`${withoutUsage} answers without usage: events are counted as tokens`]),
    line("TTFT", report.ttft),
    line("ITL", report.itl),
    line("TPOT", report.tpot),
    line("E2EL", report.e2el),
  ];
}
