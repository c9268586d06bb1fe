/** [test/fuzz] How far the random programs have come on each target: a file that runs are resumed from. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Outcome } from "./campaign.ts";
import { GENERATOR_VERSION } from "./generate.ts";

export interface TargetTotals {
  /** Seeds from `first` up to, without, `next` have run. */
  readonly first: number;
  readonly next: number;
  readonly passed: number;
  /** Seeds that the target refuses, with the code of the refusal. */
  readonly unsupported: readonly (readonly [number, string])[];
  readonly failed: readonly number[];
  /** Of the compiler or driver that ran the last of them. */
  readonly versions: Readonly<Record<string, string>>;
}

export interface Totals {
  /** By version of the generator, whose seeds mean other programs than those of another version; then by target. */
  readonly generators: Readonly<Record<string, Readonly<Record<string, TargetTotals>>>>;
}

/** What was run so far; nothing where the file is absent. */
export function readTotals(path: string): Totals {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Totals) : { generators: {} };
}

/** Of this version of the generator. */
export function totalsOf({ generators }: Totals, target: string): TargetTotals | undefined {
  return generators[GENERATOR_VERSION]?.[target];
}

function codeOf(message: string): string {
  return /TW\d{4}/.exec(message)?.[0] ?? (message.split("\n", 1)[0] || "unknown");
}

/** Totals with `count` more seeds of a target. */
export function withOutcome(
  totals: Totals,
  target: string,
  from: number,
  count: number,
  outcome: Outcome,
  versions: Readonly<Record<string, string>>,
): Totals {
  const before = totalsOf(totals, target);
  const refused = outcome.unsupported.map(
    ({ program, message }) => [program.seed, codeOf(message)] as const,
  );
  const after: TargetTotals = {
    first: before?.first ?? from,
    next: from + count,
    passed: (before?.passed ?? 0) + outcome.passed,
    unsupported: [...(before?.unsupported ?? []), ...refused],
    failed: [...(before?.failed ?? []), ...outcome.failures.map(({ program }) => program.seed)],
    versions,
  };
  const own = { ...totals.generators[GENERATOR_VERSION], [target]: after };
  return { generators: { ...totals.generators, [GENERATOR_VERSION]: own } };
}

/** Whole or not at all, so that an interrupted run leaves what was there. */
export function writeTotals(path: string, totals: Totals): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(totals, null, 2)}\n`);
  renameSync(draft, path);
}
