/**
 * [test/bench] Prompts over pages of 8-bit floats on one GPU: by the bytes as they are, through pages widened for the step, and over pages of bf16.
 * `tsx test/bench/fp8-prompts-device.ts [--device cuda] [--shape 4x4096 --shape 1x2048+14336] [--page 16] [--seconds 0.1] [--rounds 2] [--widen BS=4,BH=4] [--json FILE]`;
 * a shape is sequences x new tokens + past ones; 32 query heads over 8 of 128 numbers. Widened pages must give the bits of bf16 ones, both float64's rows.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { pagedAttention, pageWiden, prefillAttention } from "../../dsl/kernels/catalogue.ts";
import { configList } from "../../engine/cli/pair-flags.ts";
import { listedAttention, prefillOptions } from "../../engine/layers/launch-options.ts";
import { StepScope } from "../../engine/layers/scope.ts";
import { widenPrompts } from "../../engine/layers/widened-prompts.ts";
import { openDevice, readTensor, type Tensor, tensorFromBytes } from "../../runtime/index.ts";

const { values: flags } = parseArgs({
  options: {
    device: { type: "string", default: "cuda" },
    shape: {
      type: "string",
      multiple: true,
      default: ["1x8192", "1x2048+14336", "8x64+4096", "16x256"],
    },
    page: { type: "string", default: "16" },
    seconds: { type: "string", default: "0.1" },
    rounds: { type: "string", default: "2" },
    widen: { type: "string", multiple: true, default: [] },
    json: { type: "string" },
  },
});

const [HQ, HKV, D] = [32, 8, 128];
const PAGE = Number(flags.page);
const SCALE = D ** -0.5;
const V_SCALE = 0.5;
/** Rows compared with float64, and most of their relative distance: exponentials are rounded to 16 bits. */
const SPOTS = 6;
const MOST_DISTANCE = 8e-3;
const device = await openDevice(flags.device);

let state = 2024;
function word(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 8;
}

/** Codes of both signs from 2^-4 to below 4. */
function codesOf(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(count).map(() => {
    const bits = word();
    return (bits & 0x80) | (0x18 + (bits % 0x30));
  });
}

function fromCode(code = 0): number {
  return (code & 0x80 ? -1 : 1) * (8 + (code & 7)) * 2 ** (((code >> 3) & 15) - 10);
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

function inputsOf(scope: StepScope, { sequences, queries, length }: Shape) {
  const width = Math.ceil(length / PAGE);
  const pages = sequences * width;
  const table = Int32Array.from({ length: pages }, (_, i) => (i * 7919 + 13) % pages);
  if (new Set(table).size !== pages) throw new Error("pages are no multiple of 7919 apart");
  const [kCodes, vCodes] = [codesOf(pages * PAGE * HKV * D), codesOf(pages * PAGE * HKV * D)];
  const shape = [pages, PAGE, HKV, D];
  const q = new Float32Array(sequences * queries * HQ * D).map(() => (word() % 4096) / 1024 - 2);
  const bits = Uint16Array.from(new Uint32Array(q.buffer), (wide) => wide >>> 16);
  return {
    table,
    width,
    kCodes,
    vCodes,
    q: tensorFromBytes(device, "bf16", [sequences * queries, HQ, D], new Uint8Array(bits.buffer)),
    bits,
    kCache: tensorFromBytes(device, "f8e4m3", shape, kCodes),
    vCache: tensorFromBytes(device, "f8e4m3", shape, vCodes),
    tables: scope.from(table, [sequences, width]),
    queryStart: scope.from(Int32Array.from({ length: sequences + 1 }, (_, i) => i * queries)),
    lens: scope.from(new Int32Array(sequences).fill(length)),
  };
}

type Inputs = ReturnType<typeof inputsOf>;

/** What each form launches. */
function formsOf(scope: StepScope, given: Inputs, shape: Shape, o: Tensor) {
  const { q, kCache, vCache, tables: table, queryStart, lens } = given;
  const config = listedAttention(scope.options, "bf16", { headDim: D, heads: HQ, page: PAGE });
  if (config === undefined) throw new Error("the device takes no lists of row blocks");
  const list = { numHeads: HQ, numKvHeads: HKV, headDim: D, page: PAGE, elementBytes: 2 };
  const sizes = { ...list, BM: config.BM, section: config.heads };
  const sequences = Array.from({ length: shape.sequences }, () => shape);
  const widened = widenPrompts(scope, sequences, sizes, 1);
  const [part] = widened?.parts ?? [];
  if (part === undefined || widened?.parts.length !== 1) throw new Error("more than one part");
  const made = [part.numPages, PAGE, HKV, D];
  const [k, v] = [scope.empty("bf16", made), scope.empty("bf16", made)];
  const listed = { config: { ...config, SOFTCAP: 0, WINDOW: 0 } };
  const attend = { q, kCache: k, vCache: v, table: part.table, blocks: part.blocks, o };
  const scalars = { scale: SCALE, window: 0 };
  const attention = () => device.launch(pagedAttention, { ...attend, ...scalars }, listed);
  const pages = { kCache, vCache, table, pages: part.pages, k, v, vScale: V_SCALE };
  const own = { q, kCache, vCache, table, queryStart, lens, o, ...scalars, vScale: V_SCALE };
  const prefill = prefillOptions(device, scope.options, "bf16", D, HQ / HKV);
  const widens = [undefined, ...flags.widen.map(configList)];
  return new Map<string, () => void>([
    ["bytes", () => device.launch(prefillAttention, own, prefill)],
    ...widens.map((block, i): readonly [string, () => void] => [
      `widened${block === undefined ? "" : ` ${flags.widen[i - 1]}`}`,
      () => {
        device.launch(pageWiden, pages, block && { config: block });
        attention();
      },
    ]),
    ["bf16", attention],
  ]);
}

/** One row of a head in float64. */
function rowOf(given: Inputs, { queries, length }: Shape, row: number, h: number): Float64Array {
  const s = Math.floor(row / queries);
  const position = length - queries + (row % queries);
  const kv = Math.floor(h / (HQ / HKV));
  const word32 = new Uint32Array(1);
  const float = new Float32Array(word32.buffer);
  const query = Float64Array.from({ length: D }, (_, d) => {
    word32[0] = (given.bits[(row * HQ + h) * D + d] ?? 0) << 16;
    return float[0] ?? 0;
  });
  const placeOf = (t: number) => {
    const page = given.table[s * given.width + Math.floor(t / PAGE)] ?? 0;
    return ((page * PAGE + (t % PAGE)) * HKV + kv) * D;
  };
  const scores = Array.from({ length: position + 1 }, (_, t) =>
    query.reduce((sum, x, d) => sum + x * fromCode(given.kCodes[placeOf(t) + d]) * SCALE, 0),
  );
  const top = scores.reduce((a, b) => Math.max(a, b));
  const weights = scores.map((score) => Math.exp(score - top));
  const total = weights.reduce((a, b) => a + b, 0);
  const out = new Float64Array(D);
  weights.forEach((w, t) => {
    for (let d = 0; d < D; d++)
      out[d] = (out[d] ?? 0) + (w / total) * V_SCALE * fromCode(given.vCodes[placeOf(t) + d]);
  });
  return out;
}

function spotDistance(given: Inputs, shape: Shape, o: ArrayLike<number>): number {
  const rows = shape.sequences * shape.queries;
  const picked = [0, rows - 1, ...Array.from({ length: SPOTS - 2 }, () => word() % rows)];
  return picked.reduce((worst, row, i) => {
    const h = (i * 5) % HQ;
    const expected = rowOf(given, shape, row, h);
    let [difference, size] = [0, 0];
    expected.forEach((x, d) => {
      difference += ((o[(row * HQ + h) * D + d] ?? Number.NaN) - x) ** 2;
      size += x * x;
    });
    return Math.max(worst, Math.sqrt(difference / size));
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

const results: object[] = [];
for (const text of flags.shape) {
  const shape = parseShape(text);
  const scope = new StepScope(device);
  const given = inputsOf(scope, shape);
  const o = scope.empty("bf16", [shape.sequences * shape.queries, HQ, D]);
  const forms = formsOf(scope, given, shape, o);
  const outputs = new Map<string, ArrayLike<number>>();
  for (const [name, run] of forms) {
    device.fill(o.buffer, 0, 2 * shape.sequences * shape.queries * HQ * D, 0xff);
    run();
    outputs.set(name, await readTensor(o));
  }
  const times = new Map([...forms.keys()].map((name) => [name, [] as number[]]));
  for (let round = 0; round < Number(flags.rounds); round++)
    for (const [name, run] of forms) times.get(name)?.push(await timeOf(run));
  const reference = outputs.get("bf16") ?? [];
  const pairs = shape.sequences * shape.queries * (shape.length - (shape.queries - 1) / 2);
  for (const name of forms.keys()) {
    const seen = outputs.get(name) ?? [];
    const us = Math.min(...(times.get(name) ?? []));
    const fromFloat64 = spotDistance(given, shape, seen);
    let differ = 0;
    for (let i = 0; i < reference.length; i++) if (!Object.is(reference[i], seen[i])) differ++;
    const isWrong = !(fromFloat64 < MOST_DISTANCE) || (name !== "bytes" && differ > 0);
    results.push({
      shape: text,
      page: PAGE,
      form: name,
      us: Math.round(us * 10) / 10,
      tflops: Math.round((4 * pairs * HQ * D) / us / 1e6),
      all: (times.get(name) ?? []).map((time) => Math.round(time * 10) / 10),
      fromFloat64: Number(fromFloat64.toExponential(2)),
      differFromBf16: differ,
      ...(isWrong ? { wrong: true } : {}),
    });
    process.stdout.write(`${JSON.stringify(results.at(-1))}\n`);
  }
  scope.close();
  for (const { buffer } of [given.q, given.kCache, given.vCache]) device.free(buffer);
}
if (flags.json !== undefined)
  writeFileSync(flags.json, `${JSON.stringify(results, undefined, 1)}\n`);
await device.close();
