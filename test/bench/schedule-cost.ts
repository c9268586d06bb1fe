/**
 * [test/bench] Host time of a step besides its launches: scheduling, the batch's arrays, taking results in, for 256 sequences that decode.
 * `tsx test/bench/schedule-cost.ts [--sequences 256] [--context 1024] [--windows 0] [--json FILE]`
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Request, type StepPlan } from "../../engine/core.ts";
import { DecodeRows } from "../../engine/decode-rows.ts";
import { KvManager } from "../../engine/kv/kv-manager.ts";
import { OwnedTensors } from "../../engine/owned-tensors.ts";
import { resolveSampling } from "../../engine/sampling.ts";
import { Scheduler } from "../../engine/scheduler/scheduler.ts";
import { openDevice } from "../../runtime/index.ts";

const { values: flags } = parseArgs({
  options: {
    sequences: { type: "string", default: "256" },
    context: { type: "string", default: "1024" },
    windows: { type: "string", default: "0" },
    json: { type: "string" },
  },
});

const PAGE = 16;
const STEPS = 600;
/** Steps that are not counted: the code is compiled in them. */
const WARM = 200;
const sequences = Number(flags.sequences);
const context = Number(flags.context);
const maxModelLen = context + STEPS + 1;
const windows = Array.from(
  { length: Number(flags.windows) },
  () => ({ kind: "window", window: 64 }) as const,
);
const groups = [{ kind: "full" } as const, ...windows];
const numPages = 1 + sequences * Math.ceil(maxModelLen / PAGE) * groups.length;

const device = await openDevice("null");
const kv = new KvManager({
  numPages,
  pageSize: PAGE,
  groups,
  prefixCaching: true,
});
const scheduler = new Scheduler(
  { maxBatchedTokens: sequences * context, maxNumSeqs: sequences, maxModelLen, watermark: 0.01 },
  kv,
  [2],
);
const maxPages = Math.ceil(maxModelLen / PAGE);
const memory = new OwnedTensors(device);
const rows = new DecodeRows(device, memory, {
  maxRows: sequences,
  maxPages,
  pageSize: PAGE,
  numGroups: groups.length,
  paddingLength: 0,
});
const params = resolveSampling({ maxTokens: STEPS + 2, ignoreEos: true });
for (let i = 0; i < sequences; i++) {
  const ids = Array.from({ length: context }, (_, at) => (i * 131 + at * 7) % 1000);
  scheduler.add(new Request(String(i), ids, params, i));
}

const spent: Readonly<Record<"schedule" | "prepare" | "update", number[]>> = {
  schedule: [],
  prepare: [],
  update: [],
};

function timed<T>(part: keyof typeof spent, isCounted: boolean, work: () => T): T {
  const begin = performance.now();
  const result = work();
  if (isCounted) spent[part].push(performance.now() - begin);
  return result;
}

/** Plans overlap as they do in the core: a step is planned before the one before is taken in. */
let before: StepPlan | undefined;
for (let step = 0; step < STEPS; step++) {
  const isCounted = step >= WARM;
  const plan = timed("schedule", isCounted, () => scheduler.schedule());
  if (plan === undefined) throw new Error("nothing was planned");
  if (step > 0) timed("prepare", isCounted, () => rows.fill(plan.entries, sequences, () => 0));
  const last = before;
  if (last !== undefined) {
    const outputs = last.entries.map((entry) => ({ entry, token: 7 }));
    timed("update", isCounted, () => scheduler.update(last, outputs));
  }
  before = plan;
}
memory.close();
await device.close();
const counted = STEPS - WARM;

/** Median, µs: the machine does other work too. */
function median(list: readonly number[]): number {
  return Math.round(([...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0) * 1000);
}

function mean(list: readonly number[]): number {
  return Math.round((list.reduce((sum, ms) => sum + ms, 0) / list.length) * 1000);
}

const result = {
  what: "host time of one decode step without launches, µs, median",
  machine: `${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}`,
  sequences,
  groups: groups.length,
  context,
  steps: counted,
  schedule: median(spent.schedule),
  prepare: median(spent.prepare),
  update: median(spent.update),
  // All sequences fill a page in the same step here, and the pages are named then.
  means: {
    schedule: mean(spent.schedule),
    prepare: mean(spent.prepare),
    update: mean(spent.update),
  },
  scheduleAndPrepare: median(spent.schedule.map((ms, i) => ms + (spent.prepare[i] ?? 0))),
};
console.log(JSON.stringify(result, undefined, 2));
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(result, undefined, 2)}\n`);
