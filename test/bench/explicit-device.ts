/**
 * [test/bench] The product of examples/18, whose roles the kernel writes, beside the one of the catalogue, whose roles the compiler makes, on one GPU:
 * `tsx test/bench/explicit-device.ts [--json FILE]`. Outputs are compared in full first, and with sums in doubles in places; then both run in turn.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { linear } from "../../dsl/kernels/catalogue.ts";
import { explicitGemm } from "../../examples/18-explicit-gemm.ts";
import { noise } from "../../examples/example.ts";
import {
  emptyTensor,
  type KernelDefinition,
  type LaunchOptions,
  openDevice,
  readTensor,
  tensorFrom,
} from "../../index.ts";

type Sizes = readonly [M: number, N: number, K: number];
interface Way {
  readonly name: string;
  readonly kernel: KernelDefinition;
  readonly options: LaunchOptions;
}

const tiles = { BM: 128, BN: 256, BK: 64, stages: 4, group: 8 };
const own = { dtypes: { T: "bf16", O: "bf16" } } as const;
const explicit = { dtypes: { T: "bf16" } } as const;
/** The first is what the others are compared with. */
const WAYS: readonly Way[] = [
  { name: "compiler's roles, its table", kernel: linear, options: own },
  { name: "written roles", kernel: explicitGemm, options: explicit },
  {
    name: "written roles, group 16",
    kernel: explicitGemm,
    options: { ...explicit, config: { group: 16 } },
  },
  { name: "compiler's roles, no pairs", kernel: linear, options: { ...own, config: tiles } },
  {
    name: "compiler's roles, no pairs, in order",
    kernel: linear,
    options: { ...own, config: { ...tiles, "schedule.backwards": false } },
  },
];
const CHECKED: readonly Sizes[] = [
  [1000, 1032, 520],
  [129, 4104, 72],
  [4096, 4096, 4096],
];
const TIMED: readonly Sizes[] = [
  [4096, 4096, 4096],
  [8192, 8192, 8192],
  [2048, 2048, 2048],
];
/** Relative to the larger of 1 and the value: a step of bf16 and the order of sums. */
const TOLERANCE = 0.01;
const ROUNDS = 7;
const BURST_US = 250_000;

const { values: flags } = parseArgs({ options: { json: { type: "string" } } });
const device = await openDevice("cuda");

function isOff(seen: number, expected: number): boolean {
  return !(Math.abs(seen - expected) <= TOLERANCE * Math.max(1, Math.abs(expected)));
}

/** @throws Error where an element differs */
async function check([M, N, K]: Sizes): Promise<void> {
  const x = tensorFrom(device, "bf16", [M, K], noise(M * K, 1));
  const w = tensorFrom(device, "bf16", [N, K], noise(N * K, 2));
  const [a, b] = [emptyTensor(device, "bf16", [M, N]), emptyTensor(device, "bf16", [M, N])];
  device.launch(linear, { x, w, y: a }, own);
  device.launch(explicitGemm, { x, w, y: b }, explicit);
  const [wanted, got] = [await readTensor(a), await readTensor(b)];
  const [xs, ws] = [await readTensor(x), await readTensor(w)];
  let wrong = 0;
  for (let i = 0; i < got.length; i++) if (isOff(got[i] ?? Number.NaN, wanted[i] ?? 0)) wrong++;
  for (const m of [0, M - 1])
    for (let n = 0; n < N; n += 37) {
      let sum = 0;
      for (let k = 0; k < K; k++) sum += (xs[m * K + k] ?? 0) * (ws[n * K + k] ?? 0);
      if (isOff(got[m * N + n] ?? Number.NaN, sum)) wrong++;
    }
  console.log(`${M} × ${N} × ${K}: ${got.length} elements, ${wrong} wrong`);
  if (wrong > 0) throw new Error("the written roles compute something else");
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Bursts of a quarter of a second, every other round the other way round; ratios within a round. */
async function time([M, N, K]: Sizes) {
  const x = tensorFrom(device, "bf16", [M, K], noise(M * K, 3));
  const w = tensorFrom(device, "bf16", [N, K], noise(N * K, 4));
  const y = emptyTensor(device, "bf16", [M, N]);
  const run = async ({ kernel, options }: Way, count: number): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < count; i++) device.launch(kernel, { x, w, y }, options);
    await device.synchronize();
    return ((performance.now() - start) * 1000) / count;
  };
  const ways = WAYS.map((way) => ({ way, us: [] as number[], count: 0 }));
  for (const one of ways) {
    await run(one.way, 3);
    one.count = Math.max(10, Math.round(BURST_US / (await run(one.way, 10))));
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const one of round % 2 === 0 ? ways : [...ways].reverse())
      one.us.push(await run(one.way, one.count));
  return ways.map(({ way, us }) => ({
    problem: `${M}x${N}x${K}`,
    name: way.name,
    us: Number(median(us).toFixed(1)),
    teraflops: Math.round((2 * M * N * K) / median(us) / 1e6),
    ratio: Number(median(us.map((mine, i) => (ways[0]?.us[i] ?? 0) / mine)).toFixed(3)),
  }));
}

for (const sizes of CHECKED) await check(sizes);
const rows = [];
for (const sizes of TIMED) rows.push(...(await time(sizes)));
for (const { problem, name, us, teraflops, ratio } of rows)
  console.log(`${problem.padEnd(16)} ${name.padEnd(38)} ${us} µs ${teraflops} TFLOP/s ${ratio}`);
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(rows, undefined, 1)}\n`);
await device.close();
