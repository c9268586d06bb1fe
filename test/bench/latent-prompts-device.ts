/**
 * [test/bench] Prompts of latent attention on one GPU in both forms: queries absorbed into latents, and keys and values made of latents.
 * `tsx test/bench/latent-prompts-device.ts [--device cuda] [--shape 4x4096 --shape 1x2048+14336] [--heads 16] [--seconds 0.1] [--keys 96] [--section 8] [--least 1] [--json FILE]`;
 * a shape is sequences x new tokens + past ones. Both forms are compared with each other wholly and with float64 at some rows before they are timed, in turn.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  headLinear,
  mlaExpand,
  mlaGather,
  mlaPrefill,
  mlaRope,
  mlaRopeWhole,
  raggedAttention,
} from "../../dsl/kernels/catalogue.ts";
import { expandPrompts } from "../../engine/layers/expanded-prompts.ts";
import { expansionOptions } from "../../engine/layers/expansion-options.ts";
import { latentPrefillOptions } from "../../engine/layers/launch-options.ts";
import { StepScope } from "../../engine/layers/scope.ts";
import { openDevice, readTensor, type Tensor, tensorFromBytes } from "../../runtime/index.ts";

const { values: flags } = parseArgs({
  options: {
    device: { type: "string", default: "cuda" },
    shape: { type: "string", multiple: true, default: ["4x4096", "1x16384", "1x2048+14336"] },
    heads: { type: "string", default: "16" },
    seconds: { type: "string", default: "0.1" },
    rounds: { type: "string", default: "3" },
    keys: { type: "string", multiple: true, default: [] },
    section: { type: "string", multiple: true, default: [] },
    least: { type: "string", default: "1" },
    json: { type: "string" },
  },
});

/** DeepSeek's. */
const [RANK, PLAIN, ROTARY, VALUE, PAGE] = [512, 128, 64, 128, 16];
const KEY = PLAIN + ROTARY;
const SCALE = KEY ** -0.5;
const H = Number(flags.heads);
const device = await openDevice(flags.device);

let state = 12345;
/** Uniform, variance 1. */
function draw(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return (state / 2 ** 31 - 1) * Math.sqrt(3);
}

const words = new Uint32Array(1);
const float = new Float32Array(words.buffer);
function toBits(value: number): number {
  float[0] = value;
  const word = words[0] ?? 0;
  return (word + 0x7fff + ((word >>> 16) & 1)) >>> 16;
}

function fromBits(bits: number): number {
  words[0] = bits << 16;
  return float[0] ?? 0;
}

interface Held {
  readonly tensor: Tensor;
  readonly bits: Uint16Array;
}

function made(shape: readonly number[], scale = 1): Held {
  const bits = new Uint16Array(shape.reduce((a, b) => a * b, 1));
  for (let i = 0; i < bits.length; i++) bits[i] = toBits(draw() * scale);
  return { tensor: tensorFromBytes(device, "bf16", shape, new Uint8Array(bits.buffer)), bits };
}

function empty(scope: StepScope, ...shape: readonly number[]): Tensor {
  const tensor = scope.empty("bf16", shape);
  device.fill(
    tensor.buffer,
    0,
    shape.reduce((a, b) => a * b, 2),
    0xff,
  ); // NaN
  return tensor;
}

interface Shape {
  readonly sequences: number;
  readonly queries: number;
  readonly length: number;
}

function parseShape(text: string): Shape {
  const [, s = "1", n = "1", past = "0"] = /^(\d+)x(\d+)(?:\+(\d+))?$/.exec(text) ?? [];
  return { sequences: Number(s), queries: Number(n), length: Number(n) + Number(past) };
}

/** Inputs of one step of prompts; pages lie in a shuffled order. */
function inputsOf(scope: StepScope, { sequences, queries, length }: Shape) {
  const pages = Math.ceil(length / PAGE);
  const width = Math.ceil(pages / 16) * 16;
  const order = Array.from({ length: sequences * pages }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(((draw() / Math.sqrt(3) + 1) / 2) * (i + 1)) % (i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  const table = new Int32Array(sequences * width);
  for (let s = 0; s < sequences; s++)
    for (let p = 0; p < pages; p++) table[s * width + p] = order[s * pages + p] ?? 0;
  const n = sequences * queries;
  const angles = new Float32Array(length * ROTARY).map((_, i) => {
    const [row, column] = [Math.floor(i / ROTARY), i % ROTARY];
    const theta = row * 10000 ** (-(column % (ROTARY / 2)) / (ROTARY / 2));
    return column < ROTARY / 2 ? Math.cos(theta) : Math.sin(theta);
  });
  const positions = Int32Array.from({ length: n }, (_, i) => length - queries + (i % queries));
  return {
    table,
    width,
    angles,
    q: made([n, H, KEY]),
    latents: made([order.length, PAGE, RANK]),
    ropes: made([order.length, PAGE, ROTARY]),
    up: made([H, PLAIN + VALUE, RANK], RANK ** -0.5),
    tables: scope.from(table, [sequences, width]),
    positions: scope.from(positions),
    cosSin: scope.from(angles, [length, 2, ROTARY / 2]),
    queryStart: scope.from(Int32Array.from({ length: sequences + 1 }, (_, i) => i * queries)),
    lens: scope.from(new Int32Array(sequences).fill(length)),
  };
}

type Inputs = ReturnType<typeof inputsOf>;
type Steps = readonly (readonly [string, () => void])[];

function absorbedSteps(scope: StepScope, given: Inputs, o: Tensor): Steps {
  const { q, up, positions, cosSin, tables, queryStart, lens } = given;
  const [n = 0] = q.tensor.shape;
  const qRope = empty(scope, n, H, ROTARY);
  const absorbed = empty(scope, n, H, RANK);
  const latent = empty(scope, n, H, RANK);
  const caches = { latents: given.latents.tensor, ropes: given.ropes.tensor };
  const transposed = { config: { TRANSPOSED: true, DEPTH: PLAIN } };
  const prefill = latentPrefillOptions(device, scope.options, "bf16", RANK + ROTARY, H);
  const through = { w: up.tensor };
  const attend = { q: absorbed, qRope, ...caches, table: tables, queryStart, lens };
  return [
    ["rope", () => device.launch(mlaRope, { q: q.tensor, positions, cosSin, qRope })],
    [
      "absorb",
      () =>
        device.launch(headLinear, { x: q.tensor, ...through, y: absorbed, first: 0 }, transposed),
    ],
    [
      "mla_prefill",
      () => device.launch(mlaPrefill, { ...attend, o: latent, scale: SCALE }, prefill),
    ],
    ["values", () => device.launch(headLinear, { x: latent, ...through, y: o, first: PLAIN })],
  ];
}

function expandedSteps(
  scope: StepScope,
  given: Inputs,
  shape: Shape,
  o: Tensor,
  wished: { readonly keys?: number | undefined; readonly section?: number | undefined },
): Steps {
  const sizes = { numHeads: H, latentRank: RANK, plainDim: PLAIN, rotaryDim: ROTARY };
  const options = expansionOptions(scope.options, "bf16", { ...sizes, valueDim: VALUE });
  if (options === undefined) throw new Error("the device keeps the absorbed form");
  const { q, up, positions, cosSin, tables } = given;
  const section = wished.section ?? options.shape.section;
  const sequences = Array.from({ length: shape.sequences }, () => shape);
  const prompts = expandPrompts(
    scope,
    sequences,
    { ...options.shape, section },
    Number(flags.least),
  );
  const whole = empty(scope, ...q.tensor.shape);
  const caches = { latents: given.latents.tensor, ropes: given.ropes.tensor };
  const steps: [string, () => void][] = [
    ["rope", () => device.launch(mlaRopeWhole, { q: q.tensor, positions, cosSin, y: whole })],
  ];
  for (const { numKeys, heads, hasSections, copies, blocks } of prompts?.parts ?? []) {
    const x = empty(scope, numKeys, RANK);
    const k = empty(scope, numKeys, heads, KEY);
    const v = empty(scope, numKeys, heads, VALUE);
    const usual = (hasSections ? options.attentionBySections : options.attention).config;
    const own = { ...usual, BN: wished.keys ?? usual?.["BN"], heads: hasSections ? section : 0 };
    const attention = { config: own as Readonly<Record<string, number>> };
    const gather = { ...caches, table: tables, copies, x, k };
    steps.push(["gather", () => device.launch(mlaGather, gather, options.gather)]);
    for (let firstHead = 0; firstHead < H; firstHead += heads) {
      const from = { x, w: up.tensor, firstHead };
      const toKeys = { ...from, first: 0, y: k };
      const toValues = { ...from, first: PLAIN, y: v };
      const attend = { q: whole, k, v, blocks, o, scale: SCALE, firstHead };
      steps.push(
        ["keys", () => device.launch(mlaExpand, toKeys, options.keys)],
        ["values", () => device.launch(mlaExpand, toValues, options.values)],
        ["ragged_attention", () => device.launch(raggedAttention, attend, attention)],
      );
    }
  }
  return steps;
}

/** One row of a head in float64, from the inputs as they are rounded. */
function rowOf(given: Inputs, { queries, length }: Shape, row: number, h: number): Float64Array {
  const s = Math.floor(row / queries);
  const position = length - queries + (row % queries);
  const at = (bits: Uint16Array, i: number): number => fromBits(bits[i] ?? 0);
  const query = (d: number): number => at(given.q.bits, (row * H + h) * KEY + d);
  const half = ROTARY / 2;
  const rotated = new Float64Array(ROTARY);
  for (let i = 0; i < half; i++) {
    const [cos, sin] = [i, half + i].map((c) => given.angles[position * ROTARY + c] ?? 0);
    const [x, y] = [query(PLAIN + 2 * i), query(PLAIN + 2 * i + 1)];
    rotated[i] = x * (cos ?? 0) - y * (sin ?? 0);
    rotated[half + i] = y * (cos ?? 0) + x * (sin ?? 0);
  }
  const weight = (part: number, r: number): number =>
    at(given.up.bits, (h * (PLAIN + VALUE) + part) * RANK + r);
  const absorbed = new Float64Array(RANK);
  for (let d = 0; d < PLAIN; d++)
    for (let r = 0; r < RANK; r++) absorbed[r] = (absorbed[r] ?? 0) + query(d) * weight(d, r);
  const slots = Array.from(
    { length: position + 1 },
    (_, t) => (given.table[s * given.width + Math.floor(t / PAGE)] ?? 0) * PAGE + (t % PAGE),
  );
  const scores = slots.map((slot) => {
    let sum = 0;
    for (let r = 0; r < RANK; r++)
      sum += (absorbed[r] ?? 0) * at(given.latents.bits, slot * RANK + r);
    for (let d = 0; d < ROTARY; d++)
      sum += (rotated[d] ?? 0) * at(given.ropes.bits, slot * ROTARY + d);
    return sum * SCALE;
  });
  const top = scores.reduce((a, b) => Math.max(a, b));
  const weights = scores.map((score) => Math.exp(score - top));
  const total = weights.reduce((a, b) => a + b, 0);
  const latent = new Float64Array(RANK);
  slots.forEach((slot, t) => {
    const w = (weights[t] ?? 0) / total;
    for (let r = 0; r < RANK; r++)
      latent[r] = (latent[r] ?? 0) + w * at(given.latents.bits, slot * RANK + r);
  });
  return Float64Array.from({ length: VALUE }, (_, d) => {
    let sum = 0;
    for (let r = 0; r < RANK; r++) sum += (latent[r] ?? 0) * weight(PLAIN + d, r);
    return sum;
  });
}

function distance(seen: ArrayLike<number>, expected: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    difference += ((seen[i] ?? Number.NaN) - (expected[i] ?? 0)) ** 2;
    size += (expected[i] ?? 0) ** 2;
  }
  return Math.sqrt(difference / size);
}

/** Largest distance of some rows from float64. */
function spotError(given: Inputs, shape: Shape, o: ArrayLike<number>): number {
  const rows = shape.sequences * shape.queries;
  const picked = [
    0,
    1,
    rows >> 1,
    rows - 1,
    ...Array.from({ length: 6 }, () => Math.floor(Math.abs(draw() / 1.8) * rows)),
  ];
  return picked.reduce((worst, row, i) => {
    const h = (i * 5) % H;
    const start = (row * H + h) * VALUE;
    const seen = Array.from({ length: VALUE }, (_, d) => o[start + d] ?? Number.NaN);
    return Math.max(worst, distance(seen, rowOf(given, shape, row, h)));
  }, 0);
}

/** Microseconds of a run, sustained. */
async function timeOf(run: () => void): Promise<number> {
  const { createEvent } = device;
  if (createEvent === undefined) throw new Error("the device has no events");
  const [begin, end] = [createEvent.call(device), createEvent.call(device)];
  const measure = async (count: number): Promise<number> => {
    begin.record();
    for (let i = 0; i < count; i++) run();
    end.record();
    await end.wait();
    return end.elapsedMs(begin) / count;
  };
  run();
  const once = await measure(2);
  const ms = await measure(Math.max(3, Math.ceil((Number(flags.seconds) * 1e3) / once)));
  begin.close?.();
  end.close?.();
  return ms * 1e3;
}

const runAll = (steps: Steps) => (): void => {
  for (const [, run] of steps) run();
};

const results: object[] = [];
for (const text of flags.shape) {
  const shape = parseShape(text);
  const scope = new StepScope(device);
  const given = inputsOf(scope, shape);
  const n = shape.sequences * shape.queries;
  const o = empty(scope, n, H, VALUE);
  const forms = new Map<string, Steps>([["absorbed", absorbedSteps(scope, given, o)]]);
  const numbers = (list: readonly string[]) => (list.length > 0 ? list.map(Number) : [undefined]);
  for (const keys of numbers(flags.keys))
    for (const section of numbers(flags.section)) {
      const name = ["expanded", keys && `BN=${keys}`, section && `section=${section}`];
      const steps = expandedSteps(scope, given, shape, o, { keys, section });
      forms.set(name.filter(Boolean).join(" "), steps);
    }
  const outputs = new Map<string, ArrayLike<number>>();
  for (const [name, steps] of forms) {
    device.fill(o.buffer, 0, 2 * n * H * VALUE, 0xff);
    runAll(steps)();
    outputs.set(name, await readTensor(o));
  }
  const reference = outputs.get("absorbed") ?? [];
  const pairs = shape.sequences * shape.queries * (shape.length - (shape.queries - 1) / 2);
  const times = new Map([...forms.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const [name, steps] of forms) times.get(name)?.push(await timeOf(runAll(steps)));
  for (const [name, steps] of forms) {
    const parts: [string, number][] = [];
    for (const [part, run] of steps) parts.push([part, Math.round((await timeOf(run)) * 10) / 10]);
    const seen = outputs.get(name) ?? [];
    const us = Math.min(...(times.get(name) ?? []));
    results.push({
      shape: text,
      heads: H,
      form: name,
      us: Math.round(us * 10) / 10,
      /** As if no keys had to be made: 2 · 320 a pair and head. */
      tflops: Math.round((2 * pairs * H * (KEY + VALUE)) / us / 1e6),
      all: (times.get(name) ?? []).map((time) => Math.round(time)),
      fromAbsorbed: Number(distance(seen, reference).toExponential(2)),
      fromFloat64: Number(spotError(given, shape, seen).toExponential(2)),
      parts: parts.length > 12 ? undefined : parts,
    });
    process.stdout.write(`${JSON.stringify(results.at(-1))}\n`);
  }
  scope.close();
  for (const { tensor } of [given.q, given.latents, given.ropes, given.up])
    device.free(tensor.buffer);
}
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(results, undefined, 1)}\n`);
await device.close();
