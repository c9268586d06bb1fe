/**
 * [test/bench] Decodes of latent attention with many heads on one GPU: `mlaDecode` beside `mlaDecodeHalves`, each with the launches it needs, merge included.
 * `tsx test/bench/latent-decode-device.ts [--device cuda] [--shape 64x4096x128] [--seconds 0.05] [--rounds 3]`; a shape is sequences x keys x heads. Outputs are
 * compared wholly and with float64 at some rows before they are timed, in turn. Lines of JSON.
 */
import { parseArgs } from "node:util";
import {
  mlaDecode,
  mlaDecodeHalves,
  mlaShares,
  pagedDecodeMerge,
  SHARE_NUMBERS,
} from "../../dsl/kernels/catalogue.ts";
import { openDevice, readTensor, type Tensor, tensorFromBytes } from "../../runtime/index.ts";

const { values: flags } = parseArgs({
  options: {
    device: { type: "string", default: "cuda" },
    shape: { type: "string", multiple: true, default: ["64x4096x128", "64x4096x64"] },
    seconds: { type: "string", default: "0.05" },
    rounds: { type: "string", default: "3" },
  },
});

/** DeepSeek's. */
const [RANK, ROTARY, PAGE] = [512, 64, 64];
const SCALE = 192 ** -0.5;
const UNITS = 132;
const device = await openDevice(flags.device);

let state = 777;
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
function made(shape: readonly number[], scale: number): Held {
  const bits = new Uint16Array(shape.reduce((a, b) => a * b, 1));
  for (let i = 0; i < bits.length; i++) bits[i] = toBits(draw() * scale);
  return { tensor: tensorFromBytes(device, "bf16", shape, new Uint8Array(bits.buffer)), bits };
}
function numbers(values: Int32Array, shape: readonly number[]): Tensor {
  return tensorFromBytes(device, "i32", shape, new Uint8Array(values.buffer));
}
function empty(dtype: "bf16" | "f32" | "i32", shape: readonly number[]): Tensor {
  const bytes = shape.reduce((a, b) => a * b, dtype === "bf16" ? 2 : 4);
  const buffer = device.alloc(bytes);
  device.fill(buffer, 0, bytes, 0xff);
  return { buffer, byteOffset: 0, dtype, shape };
}

interface Shape {
  readonly sequences: number;
  readonly keys: number;
  readonly heads: number;
}

function inputsOf({ sequences, keys, heads }: Shape) {
  const lens = Int32Array.from({ length: sequences }, (_, s) => Math.max(1, keys - 7 * (s % 9)));
  const width = Math.ceil(keys / PAGE);
  const order = Array.from({ length: sequences * width }, (_, i) => i);
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(((draw() / Math.sqrt(3) + 1) / 2) * (i + 1)) % (i + 1);
    [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
  }
  return {
    lens,
    table: Int32Array.from(order),
    width,
    q: made([sequences, heads, RANK], 0.25),
    qRope: made([sequences, heads, ROTARY], 1),
    latents: made([order.length, PAGE, RANK], 1),
    ropes: made([order.length, PAGE, ROTARY], 1),
  };
}

type Inputs = ReturnType<typeof inputsOf>;
type Config = Readonly<Record<string, number>>;

/** Launches of one form, for `count` shares. */
function launchesOf(shape: Shape, given: Inputs, count: number, own: Config, isHalves: boolean) {
  const { sequences, heads } = shape;
  const partial = empty("f32", [sequences + count, 1, heads, RANK]);
  const lse = empty("f32", [sequences + count, 1, heads]);
  const o = empty("bf16", [sequences, 1, heads, RANK]);
  const line = empty("i32", [SHARE_NUMBERS * count + sequences]);
  const lens = numbers(given.lens, [sequences]);
  const table = numbers(given.table, [sequences, given.width]);
  const caches = { latents: given.latents.tensor, ropes: given.ropes.tensor };
  const args = { q: given.q.tensor, qRope: given.qRope.tensor, ...caches, table };
  const { BN = 64, BS = 256 } = own;
  const merge = { config: { BN, BS, LEAST: 1, GP: 1, BJ: 4, warps: 4 } };
  return {
    o,
    run: (): void => {
      if (isHalves) {
        device.launch(mlaShares, { lens, line }, { config: { BN, BS, LEAST: 1 } });
        const { BS: _, ...config } = own;
        device.launch(mlaDecodeHalves, { ...args, line, partial, lse, scale: SCALE }, { config });
      } else
        device.launch(mlaDecode, { ...args, lens, partial, lse, scale: SCALE }, { config: own });
      device.launch(pagedDecodeMerge, { partial, lse, lens, o, window: 0 }, merge);
    },
  };
}

function distance(seen: ArrayLike<number>, expected: ArrayLike<number>): number {
  let [difference, size] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    difference += ((seen[i] ?? Number.NaN) - (expected[i] ?? 0)) ** 2;
    size += (expected[i] ?? 0) ** 2;
  }
  return Math.sqrt(difference / size);
}

/** One head of one sequence in float64. */
function rowOf(given: Inputs, { heads }: Shape, s: number, h: number): Float64Array {
  const at = (bits: Uint16Array, i: number): number => fromBits(bits[i] ?? 0);
  const slots = Array.from(
    { length: given.lens[s] ?? 0 },
    (_, t) => (given.table[s * given.width + Math.floor(t / PAGE)] ?? 0) * PAGE + (t % PAGE),
  );
  const scores = slots.map((slot) => {
    let sum = 0;
    for (let r = 0; r < RANK; r++)
      sum += at(given.q.bits, (s * heads + h) * RANK + r) * at(given.latents.bits, slot * RANK + r);
    for (let d = 0; d < ROTARY; d++)
      sum +=
        at(given.qRope.bits, (s * heads + h) * ROTARY + d) *
        at(given.ropes.bits, slot * ROTARY + d);
    return sum * SCALE;
  });
  const top = scores.reduce((a, b) => Math.max(a, b));
  const weights = scores.map((score) => Math.exp(score - top));
  const total = weights.reduce((a, b) => a + b, 0);
  const out = new Float64Array(RANK);
  slots.forEach((slot, t) => {
    const w = (weights[t] ?? 0) / total;
    for (let r = 0; r < RANK; r++)
      out[r] = (out[r] ?? 0) + w * at(given.latents.bits, slot * RANK + r);
  });
  return out;
}

function spotError(given: Inputs, shape: Shape, o: ArrayLike<number>): number {
  let worst = 0;
  for (let i = 0; i < 6; i++) {
    const [s, h] = [(i * 11) % shape.sequences, (i * 37) % shape.heads];
    const start = (s * shape.heads + h) * RANK;
    const seen = Array.from({ length: RANK }, (_, r) => o[start + r] ?? Number.NaN);
    worst = Math.max(worst, distance(seen, rowOf(given, shape, s, h)));
  }
  return worst;
}

/** Microseconds of a run, sustained. */
async function timeOf(run: () => void): Promise<number> {
  const { createEvent } = device;
  if (createEvent === undefined) return Number.NaN;
  const [begin, end] = [createEvent.call(device), createEvent.call(device)];
  const measure = async (count: number): Promise<number> => {
    begin.record();
    for (let i = 0; i < count; i++) run();
    end.record();
    await end.wait();
    return end.elapsedMs(begin) / count;
  };
  run();
  const ms = await measure(
    Math.max(3, Math.ceil((Number(flags.seconds) * 1e3) / (await measure(2)))),
  );
  begin.close?.();
  end.close?.();
  return ms * 1e3;
}

for (const text of flags.shape) {
  const [sequences = 1, keys = 1, heads = 1] = text.split("x").map(Number);
  const shape = { sequences, keys, heads };
  const given = inputsOf(shape);
  const blocks = Math.ceil(heads / 64);
  const halves = { GP: 64, BN: 64, BS: 256, stages: 2, HALF: RANK / 2 };
  const own = { GP: 64, BN: 32, BS: 256, LEAST: 1, stages: 2, warps: 8 };
  const each = Math.floor(UNITS / (2 * blocks));
  const forms = new Map([
    ["mla_decode", launchesOf(shape, given, Math.floor(UNITS / blocks), own, false)],
    ["mla_decode_halves", launchesOf(shape, given, each, halves, true)],
  ]);
  const outputs = new Map<string, ArrayLike<number>>();
  for (const [name, { o, run }] of forms) {
    run();
    outputs.set(name, await readTensor(o));
  }
  const times = new Map([...forms.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const [name, { run }] of forms) times.get(name)?.push(await timeOf(run));
  const tokens = given.lens.reduce((a, b) => a + b, 0);
  for (const name of forms.keys()) {
    const us = Math.min(...(times.get(name) ?? []));
    const seen = outputs.get(name) ?? [];
    const row = {
      shape: text,
      form: name,
      us: Math.round(us * 10) / 10,
      tflops: Math.round((2 * tokens * heads * (2 * RANK + ROTARY)) / us / 1e6),
      gbs: Math.round((2 * tokens * (RANK + ROTARY)) / us / 1e3),
      all: (times.get(name) ?? []).map(Math.round),
      fromOther: Number(distance(seen, outputs.get("mla_decode") ?? []).toExponential(2)),
      fromFloat64: Number(spotError(given, shape, seen).toExponential(2)),
    };
    process.stdout.write(`${JSON.stringify(row)}\n`);
  }
}
await device.close();
