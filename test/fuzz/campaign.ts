/** [test/fuzz] Runs random programs on a device, many at a time, and says which of them disagree with the interpreter. */
import { TilewrightError } from "../../dsl/index.ts";
import { type ConformanceCase, runCases } from "../../runtime/conformance/catalogue.ts";
import type { Device } from "../../runtime/device.ts";
import { type Program, sourceOf } from "./program.ts";
import { caseOf } from "./program-case.ts";
import { shrink } from "./shrink.ts";

/** Candidates of a shrink that are compiled together. */
const SHRINK_BATCH = 12;

/** Programs that are compiled together: into one unit where the device is emulated. */
export const BATCH = 50;

export interface Failure {
  readonly program: Program;
  readonly message: string;
}

export interface Outcome {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Programs that the device says it cannot run, such as tiles that do not fit its shared memory, with the reason. */
  readonly unsupported: readonly Failure[];
}

/** The case of each program; programs that the front end refuses are failures. */
function casesOf(programs: readonly Program[]) {
  const cases: ConformanceCase[] = [];
  const made: Program[] = [];
  const refused: Failure[] = [];
  for (const program of programs) {
    try {
      cases.push(caseOf(program));
      made.push(program);
    } catch (error) {
      if (!(error instanceof TilewrightError)) throw error;
      refused.push({ program, message: error.message });
    }
  }
  return { cases, made, refused };
}

/** @param onBatch called with the number of programs that are done */
export async function runPrograms(
  device: Device,
  programs: readonly Program[],
  onBatch: (done: number) => void = () => undefined,
): Promise<Outcome> {
  const { cases, made, refused } = casesOf(programs);
  const failures: Failure[] = [...refused];
  const unsupported: Failure[] = [];
  let passed = 0;
  let done = 0;
  for await (const { status, message } of runCases(device, cases, { batch: BATCH })) {
    const program = made[done++];
    if (program === undefined) break;
    if (status === "passed") passed++;
    else (status === "failed" ? failures : unsupported).push({ program, message });
    if (done % BATCH === 0) onBatch(done);
  }
  return { passed, failures, unsupported };
}

/** What went wrong, without the numbers that a smaller program changes. */
export function kindOf(message: string): string {
  if (message.includes("elements differ")) return "values";
  const code = /TW\d{4}/.exec(message)?.[0];
  return code ?? message.split(/[:\n]/, 1)[0] ?? "";
}

/** The failure with the smallest program that fails in the same way. */
export async function shrinkFailure(device: Device, failure: Failure): Promise<Failure> {
  const kind = kindOf(failure.message);
  const failing = async (programs: readonly Program[]): Promise<readonly boolean[]> => {
    const { failures } = await runPrograms(device, programs);
    return programs.map((program) =>
      failures.some((other) => other.program === program && kindOf(other.message) === kind),
    );
  };
  const program = await shrink(failure.program, failing, SHRINK_BATCH);
  const { failures } = await runPrograms(device, [program]);
  return failures[0] ?? failure;
}

/** A failure as it is printed: where, what, and a source that shows it. */
export function formatFailure(target: string, { program, message }: Failure): string {
  const dims = Object.entries(program.dims).map(([name, size]) => `${name}=${size}`);
  return [
    `seed ${program.seed} on ${target}, ${dims.join(" ")} n=${program.n}:`,
    message,
    sourceOf(program),
  ].join("\n");
}
