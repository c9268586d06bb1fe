/**
 * [test/bench] Attention of examples/20, whose roles the kernel writes, beside the one of the catalogue, whose roles the compiler makes, on one GPU:
 * `tsx test/bench/explicit-attention-device.ts [--json FILE]`. Whole outputs are compared first, rows in places with doubles; then both run in turn.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { attention } from "../../dsl/kernels/catalogue.ts";
import { explicitAttention } from "../../examples/20-explicit-attention.ts";
import { noise } from "../../examples/example.ts";
import {
  emptyTensor,
  type KernelDefinition,
  type LaunchOptions,
  openDevice,
  readTensor,
  tensorFrom,
} from "../../index.ts";

interface Sizes {
  readonly B: number;
  readonly L: number;
  readonly H: number;
  readonly D: number;
  readonly CAUSAL: 0 | 1;
}
interface Way {
  readonly name: string;
  readonly kernel: KernelDefinition;
  readonly config: LaunchOptions["config"];
}

const TILES = { BM: 128, BN: 128, stages: 2 };
/** The first is what the others are compared with. */
const WAYS: readonly Way[] = [
  { name: "compiler's roles, its table", kernel: attention, config: {} },
  { name: "written roles", kernel: explicitAttention, config: TILES },
];
/** Query heads of a key head. */
const GROUP = 4;
const dtypes = { T: "bf16" } as const;
const CHECKED: readonly Sizes[] = [
  { B: 2, L: 700, H: 8, D: 128, CAUSAL: 1 },
  { B: 1, L: 333, H: 4, D: 64, CAUSAL: 0 },
];
const TIMED: readonly Sizes[] = [
  { B: 4, L: 4096, H: 32, D: 128, CAUSAL: 1 },
  { B: 4, L: 4096, H: 32, D: 128, CAUSAL: 0 },
  { B: 4, L: 4096, H: 32, D: 64, CAUSAL: 1 },
];
/** Absolute, of outputs that are means of numbers in [-1, 1]: two steps of bf16 near 1. */
const TOLERANCE = 0.016;
const ROUNDS = 7;
const BURST_US = 250_000;

const { values: flags } = parseArgs({ options: { json: { type: "string" } } });
const device = await openDevice("cuda");

function tensors({ B, L, H, D }: Sizes) {
  const make = (heads: number, seed: number) =>
    tensorFrom(device, "bf16", [B, L, heads, D], noise(B * L * heads * D, seed));
  const [q, k, v] = [make(H, 1), make(H / GROUP, 2), make(H / GROUP, 3)];
  return { q, k, v, scale: 4 / Math.sqrt(D) };
}

/** One row of the output in doubles. */
function rowOf(
  { L, H, D, CAUSAL }: Sizes,
  [q, k, v]: readonly ArrayLike<number>[],
  [b, i, h]: readonly [number, number, number],
  scale: number,
): readonly number[] {
  const kv = Math.floor(h / GROUP);
  const at = (j: number, c: number): number => ((b * L + j) * H + h) * D + c;
  const key = (j: number, c: number): number => ((b * L + j) * (H / GROUP) + kv) * D + c;
  const scores = Array.from({ length: CAUSAL === 1 ? i + 1 : L }, (_, j) => {
    let sum = 0;
    for (let c = 0; c < D; c++) sum += (q?.[at(i, c)] ?? 0) * (k?.[key(j, c)] ?? 0);
    return sum * scale;
  });
  const top = scores.reduce((x, y) => Math.max(x, y), Number.NEGATIVE_INFINITY);
  const weights = scores.map((s) => Math.exp(s - top));
  const all = weights.reduce((x, y) => x + y, 0);
  return Array.from({ length: D }, (_, c) => {
    return weights.reduce((sum, w, j) => sum + w * (v?.[key(j, c)] ?? 0), 0) / all;
  });
}

/** @throws Error where an element differs */
async function check(sizes: Sizes): Promise<void> {
  const { B, L, H, D, CAUSAL } = sizes;
  const { scale, ...given } = tensors(sizes);
  const outputs: Float32Array[] = [];
  for (const { kernel, config } of WAYS) {
    const o = tensorFrom(device, "bf16", [B, L, H, D], new Float32Array(B * L * H * D).fill(9));
    device.launch(kernel, { ...given, o, scale }, { dtypes, config: { ...config, CAUSAL } });
    outputs.push(Float32Array.from(await readTensor(o)));
  }
  const [wanted = new Float32Array(), ...others] = outputs;
  const inputs = [await readTensor(given.q), await readTensor(given.k), await readTensor(given.v)];
  const isOff = (x: number | undefined, y: number | undefined): boolean =>
    !(Math.abs((x ?? Number.NaN) - (y ?? Number.NaN)) <= TOLERANCE);
  let wrong = 0;
  for (const seen of others) for (const [i, x] of seen.entries()) if (isOff(x, wanted[i])) wrong++;
  for (const i of [0, 1, 127, 128, L - 1]) {
    const place = [B - 1, i, H - 1] as const;
    const row = rowOf(sizes, inputs, place, scale);
    const start = ((place[0] * L + i) * H + place[2]) * D;
    for (const seen of outputs)
      for (const [c, x] of row.entries()) if (isOff(seen[start + c], x)) wrong++;
  }
  console.log(`${nameOf(sizes)}: ${WAYS.length} times ${wanted.length} elements, ${wrong} wrong`);
  if (wrong > 0) throw new Error("the written roles compute something else");
}

function nameOf({ B, L, H, D, CAUSAL }: Sizes): string {
  return `${B}x${L}, ${H} heads of ${D}${CAUSAL === 1 ? ", causal" : ""}`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Bursts of a quarter of a second, every other round the other way round; ratios within a round. */
async function time(sizes: Sizes) {
  const { B, L, H, D, CAUSAL } = sizes;
  const given = tensors(sizes);
  const o = emptyTensor(device, "bf16", [B, L, H, D]);
  const run = async ({ kernel, config }: Way, count: number): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < count; i++)
      device.launch(kernel, { ...given, o }, { dtypes, config: { ...config, CAUSAL } });
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
  const flops = 4 * B * H * D * (CAUSAL === 1 ? (L * (L + 1)) / 2 : L * L);
  return ways.map(({ way, us }) => ({
    problem: nameOf(sizes),
    name: way.name,
    us: Number(median(us).toFixed(1)),
    teraflops: Math.round(flops / median(us) / 1e6),
    ratio: Number(median(us.map((mine, i) => (ways[0]?.us[i] ?? 0) / mine)).toFixed(3)),
  }));
}

for (const sizes of CHECKED) await check(sizes);
const rows = [];
for (const sizes of TIMED) rows.push(...(await time(sizes)));
for (const { problem, name, us, teraflops, ratio } of rows)
  console.log(`${problem.padEnd(36)} ${name.padEnd(38)} ${us} µs ${teraflops} TFLOP/s ${ratio}`);
if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(rows, undefined, 1)}\n`);
await device.close();
