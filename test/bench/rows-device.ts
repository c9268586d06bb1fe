/**
 * [test/bench] Kernels bound by memory on one GPU, for machines without the test runner: share of the measured copy bandwidth.
 * `tsx test/bench/rows-device.ts [--device cuda] [--rows 8192] [--columns 8192] [--json FILE]`.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { scaledSoftmax } from "../../examples/softmax.ts";
import { BenchSession, formatReport, openDevice } from "../../index.ts";

const { values: flags } = parseArgs({
  options: {
    device: { type: "string", default: "cuda" },
    rows: { type: "string", default: "8192" },
    columns: { type: "string", default: "8192" },
    json: { type: "string" },
  },
});
const [rows, columns] = [Number(flags.rows), Number(flags.columns)];
const device = await openDevice(flags.device);
const session = await BenchSession.open(device, {
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
const wanted: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  rms_norm: { R: rows, H: columns },
  add_rms_norm: { R: rows, H: columns },
  silu_and_mul: { R: rows, I: columns },
};
for (const entry of KERNEL_ENTRIES) {
  const dims = wanted[entry.kernel.name];
  if (dims !== undefined) await session.run(entry, { dims, dtypes: { T: "bf16" } });
}
const softmax = { kernel: scaledSoftmax, rows: "R" };
await session.run(softmax, { dims: { R: rows, N: columns }, scalars: { scale: 0.5 } });
const report = session.report();
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(report, undefined, 1)}\n`);
process.stdout.write(formatReport(report));
session.close();
await device.close();
