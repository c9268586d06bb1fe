/**
 * [test/bench] Experts on one GPU, for machines without the test runner: each kernel of a layer at the sizes of known models.
 * `tsx test/bench/moe-device.ts [--device cuda] [--model qwen3-30b] [--rows 4096] [--config BN=128,BK=64] [--json FILE]`; flags may be repeated.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { alignedBlocks, KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { configList } from "../../engine/cli/pair-flags.ts";
import { BenchSession, type DType, formatReport, openDevice } from "../../index.ts";

interface Model {
  readonly experts: number;
  readonly topK: number;
  readonly hidden: number;
  readonly inner: number;
}

type Sizes = Readonly<Record<string, number>>;

const MODELS: Readonly<Record<string, Model>> = {
  "qwen3-30b": { experts: 128, topK: 8, hidden: 2048, inner: 768 },
  mixtral: { experts: 8, topK: 2, hidden: 4096, inner: 14336 },
  tiny: { experts: 16, topK: 2, hidden: 256, inner: 128 },
};
/** Rows whose inputs and reference the host makes in a second; kernels without sampled checks take no more. */
const MOST_HOST_ROWS = 256;
const BLOCK_ROWS = [16, 32, 64, 128] as const;

const { values: flags } = parseArgs({
  options: {
    device: { type: "string", default: "cuda" },
    model: { type: "string", multiple: true, default: ["qwen3-30b"] },
    rows: { type: "string", multiple: true, default: ["1", "16", "128", "4096"] },
    "block-rows": { type: "string", multiple: true, default: [] },
    config: { type: "string", multiple: true, default: [] },
    kernel: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
  },
});

/** Rows of a block to be measured: what an average expert fills, and the next larger ones. */
function blockRowsFor(slots: number, experts: number): readonly number[] {
  if (flags["block-rows"].length > 0) return flags["block-rows"].map(Number);
  const first = BLOCK_ROWS.findIndex((rows) => rows * experts >= slots);
  return first < 0 ? BLOCK_ROWS.slice(-2) : BLOCK_ROWS.slice(first, first + 2);
}

/** Problems of each kernel of a layer. */
function problemsOf(model: Model, rows: number): readonly (readonly [string, Sizes])[] {
  const { experts: E, topK, hidden, inner } = model;
  const slots = rows * topK;
  const few = Math.min(rows, MOST_HOST_ROWS);
  const products = blockRowsFor(slots, E).flatMap((BM): readonly (readonly [string, Sizes])[] => {
    const shared = { E, B: 0, PB: alignedBlocks(slots, E, BM), BM, S: slots };
    return [
      ["moe_gemm", { ...shared, R: rows, K: hidden, G: 2, N: inner }],
      ["moe_gemm", { ...shared, R: slots, K: inner, G: 1, N: hidden }],
    ];
  });
  const parts = Math.ceil(slots / 256);
  const [BM = 16] = blockRowsFor(slots, E);
  return [
    ["moe_route", { R: rows, NG: 1, EG: E, K: topK }],
    ["moe_count", { S: slots, C: parts, E }],
    ["moe_align", { S: slots, C: parts, E, PB: alignedBlocks(slots, E, BM), BM }],
    ...products,
    ["moe_combine", { R: few, K: topK, NS: 0, NG: 0, H: hidden }],
  ];
}

const dtypesOf = (variables: Readonly<Record<string, unknown>>): Readonly<Record<string, DType>> =>
  Object.fromEntries(Object.keys(variables).map((name) => [name, "bf16"]));

const device = await openDevice(flags.device);
const session = await BenchSession.open(device, {
  onProgress: (line) => process.stderr.write(`${line}\n`),
});
const configs = flags.config.map(configList);
for (const name of flags.model) {
  const model = MODELS[name];
  if (model === undefined)
    throw new Error(`no model '${name}'; there are ${Object.keys(MODELS).join(", ")}`);
  for (const rows of flags.rows.map(Number)) {
    for (const [kernel, dims] of problemsOf(model, rows)) {
      const entry = KERNEL_ENTRIES.find((one) => one.kernel.name === kernel);
      if (entry === undefined) throw new Error(`no kernel ${kernel}`);
      if (flags.kernel.length > 0 && !flags.kernel.includes(kernel)) continue;
      const dtypes = dtypesOf(entry.kernel.dtypes);
      await session.run(entry, { dims, dtypes }, [
        undefined,
        ...(kernel === "moe_gemm" ? configs : []),
      ]);
    }
  }
}
const report = session.report();
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(report, undefined, 1)}\n`);
process.stdout.write(formatReport(report));
session.close();
await device.close();
