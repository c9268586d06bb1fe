/**
 * [test/fuzz] Runs random programs by hand, on from where the last run stopped, and keeps the totals.
 * `tsx test/fuzz/run.ts [--target sm_80] [--count 500] [--from SEED] [--json test/bench/results/random-programs.json]`;
 * without --target all of them in turn. --from runs any seeds again and writes nothing.
 */
import { parseArgs } from "node:util";
import type { Device } from "../../runtime/device.ts";
import { BATCH, formatFailure, runPrograms, shrinkFailure } from "./campaign.ts";
import { randomProgram } from "./generate.ts";
import { FUZZ_TARGETS, type FuzzTarget, openFuzzTarget } from "./targets.ts";
import { readTotals, totalsOf, withOutcome, writeTotals } from "./totals.ts";

const { values: flags } = parseArgs({
  options: {
    target: { type: "string", multiple: true },
    count: { type: "string", default: "500" },
    from: { type: "string" },
    json: { type: "string", default: "test/bench/results/random-programs.json" },
  },
});

/** Compilers report more lines than a name and a version. */
function firstLines(versions: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(versions).map(([name, text]) => [name, text.split("\n", 1)[0] ?? ""]),
  );
}

/** One batch of seeds. @returns the number of failures */
async function runBatch(
  device: Device,
  target: FuzzTarget,
  from: number,
  count: number,
): Promise<number> {
  const programs = Array.from({ length: count }, (_, i) => randomProgram(from + i));
  const begin = performance.now();
  const outcome = await runPrograms(device, programs);
  if (flags.from === undefined) {
    const versions = firstLines(device.info.versions);
    // Read again: another target may have been run beside this one.
    const totals = readTotals(flags.json);
    writeTotals(flags.json, withOutcome(totals, target, from, count, outcome, versions));
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const { passed, failures, unsupported } = outcome;
  console.log(
    `${target}: seeds ${from} to ${from + count - 1}: ${passed} passed, ${unsupported.length} unsupported, ${failures.length} failed, ${seconds} s`,
  );
  for (const failure of failures) {
    console.log(formatFailure(target, await shrinkFailure(device, failure)));
  }
  return failures.length;
}

async function runTarget(target: FuzzTarget, count: number): Promise<number> {
  const device = await openFuzzTarget(target);
  if ("reason" in device) {
    console.log(`${target}: not run: ${device.reason}`);
    return 0;
  }
  const first = Number(flags.from ?? totalsOf(readTotals(flags.json), target)?.next ?? 1);
  let failures = 0;
  for (let done = 0; done < count; done += BATCH)
    failures += await runBatch(device, target, first + done, Math.min(BATCH, count - done));
  await device.close();
  return failures;
}

const chosen = FUZZ_TARGETS.filter((name) => flags.target?.includes(name) ?? true);
const unknown = (flags.target ?? []).filter((name) => !FUZZ_TARGETS.some((own) => own === name));
if (unknown.length > 0)
  throw new Error(`unknown target ${unknown.join(", ")}; known: ${FUZZ_TARGETS.join(", ")}`);
let failures = 0;
for (const target of chosen) failures += await runTarget(target, Number(flags.count));
process.exitCode = failures === 0 ? 0 : 1;
