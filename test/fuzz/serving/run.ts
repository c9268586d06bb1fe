/**
 * [test/fuzz] Random requests through engine and scheduler by hand, with totals.
 * `tsx test/fuzz/serving/run.ts [--interpreter | --sockets] [--count 100000] [--from SEED] [--json FILE]`; a failing round is run again by
 * `--from SEED --count 1`. With --interpreter a model computes, and each request must get the tokens that it gets alone; with
 * --sockets clients vanish, read slowly and send slowly at a server.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Engine } from "../../../engine/engine.ts";
import { loadModel } from "../../../engine/load.ts";
import { openDevice } from "../../../runtime/index.ts";
import { writeTinyFiles } from "../../support/tiny-files.ts";
import { interpreterRound } from "./interpreter-round.ts";
import { serveRound } from "./round.ts";
import { socketRound } from "./socket-round.ts";

const A_ROUND = 40;

const { values: flags } = parseArgs({
  options: {
    count: { type: "string", default: "100000" },
    from: { type: "string", default: "1" },
    json: { type: "string" },
    interpreter: { type: "boolean", default: false },
    sockets: { type: "boolean", default: false },
  },
});

let unhandled = 0;
process.on("unhandledRejection", (reason) => {
  unhandled++;
  console.log(`unhandled rejection: ${String(reason)}`);
});

const folder = mkdtempSync(join(tmpdir(), "tilewright-fuzz-"));
writeTinyFiles(folder);
const totals: Record<string, number> = { rounds: 0, failedRounds: 0 };
const begin = performance.now();
const first = Number(flags.from);
let seed = first;

/** Adds the figures of a round. */
function add(report: object): void {
  totals["rounds"] = (totals["rounds"] ?? 0) + 1;
  for (const [name, value] of Object.entries(report))
    if (typeof value === "number" && name !== "seed") totals[name] = (totals[name] ?? 0) + value;
  const { problems } = report as { readonly problems: readonly string[] };
  if (problems.length === 0) return;
  totals["failedRounds"] = (totals["failedRounds"] ?? 0) + 1;
  console.log(`seed ${seed}: ${problems.slice(0, 5).join("; ")}`);
}

const isDone = () => (totals["numRequests"] ?? totals["numClients"] ?? 0) >= Number(flags.count);
const ends: Record<string, number> = {};
if (flags.interpreter) {
  const device = await openDevice("interpreter");
  const plain = { enablePrefixCaching: false, asyncScheduling: false, maxNumSeqs: 1 };
  const alone = await Engine.load({ model: folder, device, batchInvariant: true, ...plain });
  for (; !isDone(); seed++) add(await interpreterRound(folder, device, alone, seed, A_ROUND / 2));
  await alone.close();
  await device.close();
} else {
  const model = await loadModel({ model: folder, device: "null" });
  for (; !isDone(); seed++) {
    const report = await (flags.sockets ? socketRound : serveRound)(model, seed, A_ROUND);
    add(report);
    for (const [end, count] of Object.entries(report.ends)) ends[end] = (ends[end] ?? 0) + count;
  }
  await model.device.close();
}
rmSync(folder, { recursive: true });
const seconds = Math.round(performance.now() - begin) / 1000;
const result = {
  what: flags.sockets
    ? "random clients as sockets at a server over a runner that checks what every position finds in its pages: they vanish anywhere, read slowly, send slowly"
    : flags.interpreter
      ? "random requests through engine, scheduler and a tiny model on the interpreter, batch-invariant; each must get the tokens that it gets alone"
      : "random requests through engine and scheduler; the runner checks what every position finds in its pages, the books are checked after every step",
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}`,
  seeds: [first, seed - 1],
  ...totals,
  unhandledRejections: unhandled,
  ...(flags.interpreter ? {} : { ends }),
  seconds,
};
console.log(JSON.stringify(result, undefined, 2));
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(result, undefined, 2)}\n`);
process.exitCode = (totals["failedRounds"] ?? 0) + unhandled === 0 ? 0 : 1;
