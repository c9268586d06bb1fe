/** [test/support] Turns runs of the conformance suite into tests: one test a group, every case named where it fails. */
import { expect, it } from "vitest";
import {
  CONFORMANCE_GROUPS,
  type ConformanceCase,
  type ConformanceGroup,
  conformanceCases,
  runConformance,
} from "../../runtime/conformance/catalogue.ts";
import type { Device } from "../../runtime/device.ts";

export interface ConformanceExpectation {
  readonly batch?: number;
  readonly groups?: readonly ConformanceGroup[];
  /** Cases to run; what it leaves out is said by the caller's comment. */
  readonly filter?: (test: ConformanceCase) => boolean;
  /** What a device may refuse: each message of an unsupported case must match one of these. */
  readonly unsupported: readonly RegExp[];
}

const MINUTES = 60_000;
/** Where the name of a sample goes on with its dtypes. */
const DTYPES = /, [A-Z]+=.*/;

/**
 * Keeps of every sample of the catalogue's kernels one choice of dtypes, of other groups everything. The choices take turns from
 * sample to sample, and another `turn` keeps others: suites with turns 0, 1 and 2 together run every sample in all of three dtypes.
 */
export function inTurns(turn: number): (test: ConformanceCase) => boolean {
  const samples = new Map<string, string[]>();
  for (const { name } of CONFORMANCE_GROUPS.kernels) {
    const sample = name.replace(DTYPES, "");
    samples.set(sample, [...(samples.get(sample) ?? []), name]);
  }
  const kept = new Set([...samples.values()].map((names, i) => names[(i + turn) % names.length]));
  return ({ group, name }) => group !== "kernels" || kept.has(name);
}

/**
 * Keeps one sample of every kernel of the catalogue, and of other groups everything. Another `turn` keeps others.
 * @param prefers which samples of a kernel are chosen from, where it has such
 */
export function oneOfEach(
  turn: number,
  prefers: (test: ConformanceCase) => boolean,
): (test: ConformanceCase) => boolean {
  const samples = new Map<string, ConformanceCase[]>();
  for (const test of conformanceCases({ groups: ["kernels"] }))
    samples.set(test.kernel.name, [...(samples.get(test.kernel.name) ?? []), test]);
  const kept = new Set(
    [...samples.values()].map((tests) => {
      const preferred = tests.filter(prefers);
      const from = preferred.length > 0 ? preferred : tests;
      return from[turn % from.length]?.name;
    }),
  );
  return ({ group, name }) => group !== "kernels" || kept.has(name);
}

/** One test for each group. A case that is unsupported for another reason than the expected ones is a failure. */
export function conformsTo(open: () => Device, expectation: ConformanceExpectation): void {
  const { batch = 32, unsupported, filter, groups } = expectation;
  for (const group of groups ?? (Object.keys(CONFORMANCE_GROUPS) as readonly ConformanceGroup[])) {
    it(
      `passes ${group}`,
      async () => {
        const failures: string[] = [];
        let passed = 0;
        let refused = 0;
        for await (const result of runConformance(open(), {
          groups: [group],
          batch,
          ...(filter === undefined ? {} : { filter }),
        })) {
          const { status, message, case: one } = result;
          if (status === "passed") passed++;
          else if (status === "failed" || !unsupported.some((reason) => reason.test(message)))
            failures.push(`${one.name}: ${status}: ${message.slice(0, 800)}`);
          else refused++;
        }
        expect(failures).toEqual([]);
        // A target that lacks what a whole group is about refuses all of it.
        expect(passed + refused).toBeGreaterThan(0);
        if (passed === 0) process.stderr.write(`${group}: all ${refused} refused as expected\n`);
      },
      60 * MINUTES,
    );
  }
}
