/** [runtime/bench] Two reports side by side: what became slower or faster, and by how much beside the noise. Pure. */
import { LaunchError } from "../../dsl/index.ts";
import { type BenchReport, type ContenderResult, REPORT_FORMAT, type Timing } from "./report.ts";

export type Verdict = "slower" | "faster" | "same";

/** One contender in one mode on one problem that both reports hold. */
export interface Comparison {
  readonly key: string;
  readonly beforeUs: number;
  readonly afterUs: number;
  /** Times faster after than before; where both reports measured a vendor, the change of the ratio to it. */
  readonly speedup: number;
  readonly basis: "time" | "ratio to the vendor";
  readonly verdict: Verdict;
}

export interface ComparedReports {
  readonly comparisons: readonly Comparison[];
  /** Keys that only one report holds. */
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** Differences between the machines that make times incomparable. */
  readonly warnings: readonly string[];
}

/** Changes below this are noise, whatever the spread. */
const LEAST_CHANGE = 0.02;

/**
 * Compares what both reports hold. A change counts where it is above 2 % and the middle 60 % of the samples do not overlap.
 * Vendors are compared by time only, and never are a regression of ours.
 */
export function compareReports(before: BenchReport, after: BenchReport): ComparedReports {
  const [old, fresh] = [timingsOf(before), timingsOf(after)];
  const comparisons: Comparison[] = [];
  for (const [key, from] of old) {
    const to = fresh.get(key);
    if (to !== undefined) comparisons.push(compareTimings(key, from, to));
  }
  const warnings: string[] = [];
  if (before.device.name !== after.device.name)
    warnings.push(`the devices differ: ${before.device.name}, then ${after.device.name}`);
  for (const [when, { notes }] of [
    ["before", before],
    ["after", after],
  ] as const)
    warnings.push(...notes.filter((note) => note.startsWith("void")).map((n) => `${when}: ${n}`));
  return {
    comparisons,
    onlyBefore: [...old.keys()].filter((key) => !fresh.has(key)),
    onlyAfter: [...fresh.keys()].filter((key) => !old.has(key)),
    warnings,
  };
}

export function hasRegressions({ comparisons }: ComparedReports): boolean {
  return comparisons.some(({ verdict }) => verdict === "slower");
}

/** Lines, the worst changes first; what stayed the same is counted. */
export function formatComparisons(compared: ComparedReports): string {
  const changed = compared.comparisons
    .filter(({ verdict }) => verdict !== "same")
    .sort((a, b) => a.speedup - b.speedup);
  const lines = changed.map(
    ({ key, beforeUs, afterUs, speedup, basis, verdict }) =>
      `${verdict} ${speedup.toFixed(3)}×  ${key}: ${beforeUs.toFixed(2)} → ${afterUs.toFixed(2)} µs (by ${basis})`,
  );
  const total = compared.comparisons.length;
  if (total > 0) lines.push(`${total - changed.length} of ${total} within the noise`);
  else lines.push("nothing to compare: no measurement is in both reports");
  for (const warning of compared.warnings) lines.unshift(`warning: ${warning}`);
  for (const key of compared.onlyBefore) lines.push(`only before: ${key}`);
  for (const key of compared.onlyAfter) lines.push(`only after: ${key}`);
  return `${lines.join("\n")}\n`;
}

/** @throws LaunchError TW3320 where the JSON is no report of this format */
export function parseReport(json: unknown, name: string): BenchReport {
  const report = json as Partial<BenchReport> | null;
  if (
    typeof report === "object" &&
    report?.format === REPORT_FORMAT &&
    Array.isArray(report.results)
  )
    return report as BenchReport;
  throw new LaunchError({
    code: "TW3320",
    message: `${name} is no report of a benchmark`,
    seen: `format ${JSON.stringify(report?.format)}`,
    expected: `"${REPORT_FORMAT}"`,
    remedy: "give a file that `tilewright bench --json` of this version wrote",
  });
}

interface Entry {
  readonly contender: ContenderResult;
  readonly timing: Timing;
}

function timingsOf({ results }: BenchReport): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { kernel, problem, dtypes, contenders } of results)
    for (const contender of contenders)
      for (const timing of contender.timings) {
        // A vendor's algorithm may change from run to run; it is still the vendor.
        const detail = contender.role === "vendor" ? "" : ` ${contender.detail}`;
        const types = Object.values(dtypes).join(" ");
        entries.set(`${kernel} ${problem} ${types}, ${contender.name}${detail}, ${timing.mode}`, {
          contender,
          timing,
        });
      }
  return entries;
}

function compareTimings(key: string, from: Entry, to: Entry): Comparison {
  const [a, b] = [from.timing, to.timing];
  const isVendor = to.contender.role === "vendor";
  const hasRatio = !isVendor && a.ratioToVendor !== undefined && b.ratioToVendor !== undefined;
  const speedup = hasRatio
    ? (b.ratioToVendor ?? 1) / (a.ratioToVendor ?? 1)
    : a.us.median / b.us.median;
  const isApart = hasRatio || a.us.p80 < b.us.p20 || b.us.p80 < a.us.p20;
  const isChange = isApart && Math.abs(speedup - 1) > LEAST_CHANGE && !isVendor;
  return {
    key,
    beforeUs: a.us.median,
    afterUs: b.us.median,
    speedup,
    basis: hasRatio ? "ratio to the vendor" : "time",
    verdict: !isChange ? "same" : speedup < 1 ? "slower" : "faster",
  };
}
