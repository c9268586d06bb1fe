/** [test/fuzz] Describes the random programs of CI on one target: every seed agrees with the interpreter, or is refused for a known reason. */
import { afterAll, describe, expect, it } from "vitest";
import { formatFailure, runPrograms, shrinkFailure } from "./campaign.ts";
import { randomProgram } from "./generate.ts";
import { type FuzzTarget, openFuzzTarget } from "./targets.ts";

/** Of CI; `run.ts` goes on from any number. */
const SEEDS = 200;
/** Failures of one cause come in numbers: the first few are shrunk. */
const MOST_SHRUNK = 2;
/** More shared memory than the device has: few programs may be so large. */
const TOO_LARGE = /TW2001/;
const MOST_REFUSED = 4;
const MINUTES = 60_000;

export async function describeRandomPrograms(target: FuzzTarget): Promise<void> {
  const device = await openFuzzTarget(target);
  if ("reason" in device) {
    console.warn(`skipped: random programs on ${target}: ${device.reason}`);
    describe.skip(`random programs on ${target} (${device.reason})`, () => undefined);
    return;
  }
  describe(`random programs on ${target}`, () => {
    afterAll(() => device.close());

    it(
      `agree with the interpreter: seeds 1 to ${SEEDS}`,
      async () => {
        const programs = Array.from({ length: SEEDS }, (_, i) => randomProgram(i + 1));
        const { passed, failures, unsupported } = await runPrograms(device, programs);
        const shown: string[] = [];
        for (const failure of failures.slice(0, MOST_SHRUNK))
          shown.push(formatFailure(target, await shrinkFailure(device, failure)));
        expect(
          failures.map(({ program }) => program.seed),
          shown.join("\n"),
        ).toEqual([]);
        const others = unsupported.filter(({ message }) => !TOO_LARGE.test(message));
        expect(others.map(({ program, message }) => `${program.seed}: ${message}`)).toEqual([]);
        expect(unsupported.length).toBeLessThanOrEqual(MOST_REFUSED);
        expect(passed + unsupported.length).toBe(SEEDS);
      },
      20 * MINUTES,
    );
  });
}
