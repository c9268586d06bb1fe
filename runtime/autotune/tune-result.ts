/** [runtime/autotune] What a tuning run gives back, from its records. Pure. */
import { LaunchError } from "../../dsl/index.ts";
import { type BenchSubject, type CompleteProblem, costOf } from "../bench/problem.ts";
import type { Spread } from "../bench/statistics.ts";
import type { ConfigRecord, TuningKey } from "./records.ts";
import type { Candidate } from "./space.ts";
import { configKey } from "./space.ts";
import type { TuneResult } from "./tune.ts";

export interface TuneFindings {
  readonly key: TuningKey;
  readonly device: string;
  readonly subject: BenchSubject;
  readonly problem: CompleteProblem;
  readonly winner: ConfigRecord;
  readonly records: readonly ConfigRecord[];
  readonly candidates: readonly Candidate[];
  /** Those of the candidates that earlier runs had not measured. */
  readonly fresh: readonly Candidate[];
  readonly floorUs: number | undefined;
  readonly checkedBy: string | undefined;
  readonly elapsedMs: number;
}

export function resultOf(findings: TuneFindings): TuneResult {
  const { key, problem, subject, winner, records, candidates, fresh, floorUs } = findings;
  const us = winner.final?.us ?? winner.us;
  if (us === undefined) throw new TypeError("a winner was timed");
  const { bytes, flops } = costOf(subject, problem);
  const speedup = speedupOf(winner, records, candidates);
  const here = new Set(candidates.map((candidate) => candidate.key));
  const own = records.filter(({ config }) => here.has(configKey(config)));
  const known = new Set(records.map(({ config }) => configKey(config)));
  const left = fresh.filter((candidate) => !known.has(candidate.key)).length;
  const timeOf = ({ us: spread }: ConfigRecord) => spread?.median ?? Number.POSITIVE_INFINITY;
  return {
    kernel: key.kernel,
    device: findings.device,
    dims: problem.dims,
    dtypes: problem.dtypes,
    bucket: key.bucket,
    winner: {
      config: winner.config,
      mode: winner.final?.mode ?? "cold",
      us,
      teraflops: flops / us.median / 1e6,
      gigabytesPerSecond: bytes / us.median / 1e3,
      ...(floorUs === undefined ? {} : { percentOfFloor: (100 * floorUs) / us.median }),
      ...(speedup === undefined ? {} : { speedup }),
    },
    ...(findings.checkedBy === undefined ? {} : { checkedBy: findings.checkedBy }),
    ...(floorUs === undefined ? {} : { floorUs }),
    counts: {
      space: candidates.length,
      measured: fresh.length - left,
      reused: candidates.length - fresh.length,
      left,
      failed: own.filter(({ status }) => status === "failed").length,
      wrong: own.filter(({ status }) => status === "wrong").length,
    },
    results: [...records].sort((a, b) => timeOf(a) - timeOf(b)),
    elapsedMs: findings.elapsedMs,
  };
}

/** Only times of one kind are compared. */
function speedupOf(
  winner: ConfigRecord,
  records: readonly ConfigRecord[],
  candidates: readonly Candidate[],
): number | undefined {
  const key = candidates.find(({ origin }) => origin === "default")?.key;
  const plain = records.find(({ config }) => configKey(config) === key);
  const pair: readonly (Spread | undefined)[] =
    plain?.final !== undefined && winner.final !== undefined
      ? [plain.final.us, winner.final.us]
      : [plain?.us, winner.us];
  const [before, after] = pair;
  return before === undefined || after === undefined ? undefined : before.median / after.median;
}

/** TW3343: nothing that was tried could be timed. */
export function noneRight(kernel: string, records: readonly ConfigRecord[]): LaunchError {
  const reasons = records.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return new LaunchError({
    code: "TW3343",
    message: `${kernel}: no config could be timed`,
    seen: reasons[0] ?? "no time for even one",
    expected: "at least one config that compiles, runs and gives right outputs",
    remedy:
      reasons.length === 0
        ? "give a larger budget"
        : `correct the kernel or its space; ${reasons.length} configs failed`,
  });
}
