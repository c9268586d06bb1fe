/**
 * [test/fuzz] Random requests through engine and scheduler by hand, with totals.
 * `tsx test/fuzz/serving/run.ts [--count 100000] [--from SEED] [--json FILE]`; a failing round is run again by `--from SEED --count 1`.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { loadModel } from "../../../engine/load.ts";
import { writeTinyFiles } from "../../support/tiny-files.ts";
import { serveRound } from "./round.ts";

const A_ROUND = 40;

const { values: flags } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    from: { type: "string", default: "1" },
    json: { type: "string" },
  },
});

let unhandled = 0;
process.on("unhandledRejection", (reason) => {
  unhandled++;
  console.log(`unhandled rejection: ${String(reason)}`);
});

const folder = mkdtempSync(join(tmpdir(), "tilewright-fuzz-"));
writeTinyFiles(folder);
const model = await loadModel({ model: folder, device: "null" });
const totals = {
  rounds: 0,
  requests: 0,
  steps: 0,
  preemptions: 0,
  cachedTokens: 0,
  failedRounds: 0,
};
const ends: Record<string, number> = {};
const begin = performance.now();
const first = Number(flags.from);
let seed = first;
for (; totals.requests < Number(flags.count); seed++) {
  const report = await serveRound(model, seed, A_ROUND);
  totals.rounds++;
  totals.requests += report.numRequests;
  totals.steps += report.numSteps;
  totals.preemptions += report.numPreemptions;
  totals.cachedTokens += report.cachedTokens;
  for (const [end, count] of Object.entries(report.ends)) ends[end] = (ends[end] ?? 0) + count;
  if (report.problems.length === 0) continue;
  totals.failedRounds++;
  console.log(`seed ${seed}: ${report.problems.slice(0, 5).join("; ")}`);
}
await model.device.close();
rmSync(folder, { recursive: true });
const seconds = Math.round(performance.now() - begin) / 1000;
const result = {
  what: "random requests through engine and scheduler; the runner checks what every position finds in its pages, the books are checked after every step",
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}`,
  seeds: [first, seed - 1],
  ...totals,
  unhandledRejections: unhandled,
  ends,
  seconds,
};
console.log(JSON.stringify(result, undefined, 2));
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(result, undefined, 2)}\n`);
process.exitCode = totals.failedRounds + unhandled === 0 ? 0 : 1;
