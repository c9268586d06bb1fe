/** [runtime/bench] The lines of one problem's result while they fill. Measures nothing. */
import type { CheckResult, Contender, ContenderRole } from "./contender.ts";
import type { Measured } from "./measure.ts";
import type { ContenderResult, Timing } from "./report.ts";
import { median } from "./statistics.ts";
import type { VendorChoice } from "./vendor.ts";

/** A contender whose outputs were right, or not checked. */
export interface Passing {
  readonly contender: Contender;
  readonly check: CheckResult | undefined;
}

/** A line of the result; a vendor may stand with another implementation in each mode. */
export interface Row extends Passing {
  readonly best?: VendorChoice["best"];
  readonly timings: Timing[];
}

/** Times of the one with the least median of all of a role. */
export function fastestOf(
  role: ContenderRole,
  rows: readonly Row[],
  measured: readonly Measured[],
): Measured | undefined {
  return measured
    .filter((_, i) => rows[i]?.contender.role === role)
    .sort((a, b) => median(a.rounds) - median(b.rounds))[0];
}

export function resultOf({ contender, check, timings, best }: Row): ContenderResult {
  const { name, role } = contender;
  const details = new Set(timings.map(({ mode }) => (best?.[mode] ?? contender).detail));
  const [only] = details;
  const detail =
    details.size > 1
      ? timings.map(({ mode }) => `${mode}: ${(best?.[mode] ?? contender).detail}`).join("; ")
      : (only ?? contender.detail);
  return { name, role, detail, ...(check === undefined ? {} : { check }), timings };
}

export function failedResult({ name, role, detail }: Contender, failure: string): ContenderResult {
  return { name, role, detail, failure, timings: [] };
}
