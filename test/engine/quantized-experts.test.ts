/** [test/engine] Experts of quantized checkpoints: a layer gives what plain loops over the numbers in the files give. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ArrivalCounters } from "../../engine/layers/arrival-counters.ts";
import { RopeTables } from "../../engine/layers/build-context.ts";
import { USUAL_PROJECTIONS } from "../../engine/layers/experts.ts";
import { Moe, type MoeConfig } from "../../engine/layers/moe.ts";
import { StepScope } from "../../engine/layers/scope.ts";
import { WeightLoader } from "../../engine/layers/weight-loader.ts";
import { Checkpoint } from "../../engine/weights/checkpoint.ts";
import { planQuantization } from "../../engine/weights/quantization/plan.ts";
import { type Device, openDevice, readTensor, tensorFrom } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";
import { SCHEMES, type Scheme } from "../support/quantized/checkpoints.ts";
import { mxfp4, randomIndex } from "../support/quantized/four-bit.ts";
import { type Edges, type Matrix, type Module, Random } from "../support/quantized/plain-model.ts";
import { matrix, type StoredTensor, writeSafetensors } from "../support/quantized/stored-tensor.ts";

const [ROWS, HIDDEN, INNER, EXPERTS, TOP_K] = [9, 256, 256, 4, 2];
const CONFIG: MoeConfig = {
  kind: "moe",
  router: {
    name: "mlp.gate",
    hasBias: false,
    numExperts: EXPERTS,
    topK: TOP_K,
    scores: { kind: "softmax" },
    renormalize: true,
    scaling: 1,
  },
  experts: {
    intermediateSize: INNER,
    gate: "silu",
    tensors: { kind: "separate", name: "mlp.experts", projections: USUAL_PROJECTIONS },
  },
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Written {
  readonly folder: string;
  /** What the files stand for, by module. */
  readonly modules: ReadonlyMap<string, Module>;
}

function write(scheme: Scheme): Written {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-experts-"));
  folders.push(folder);
  const random = new Random(scheme.seed);
  const router = random.matrix(EXPERTS, HIDDEN, 1 / Math.sqrt(HIDDEN));
  const modules = new Map<string, Module>([["mlp.gate", { weight: router }]]);
  const tensors: StoredTensor[] = [matrix("mlp.gate.weight", router)];
  // Modules that read the same activations share an order, unless each is to have its own.
  const orders = new Random(scheme.seed + 5);
  let shared: readonly number[] = [];
  const indexOf = (columns: number, isFirst: boolean) => (group: number) => {
    if (isFirst || scheme.hasOwnOrders === true) shared = randomIndex(orders, columns, group);
    return shared;
  };
  for (let e = 0; e < EXPERTS; e++)
    for (const [part, rows, columns] of [
      ["gate_proj", INNER, HIDDEN],
      ["up_proj", INNER, HIDDEN],
      ["down_proj", HIDDEN, INNER],
    ] as const) {
      const name = `mlp.experts.${e}.${part}`;
      const weight = random.matrix(rows, columns, 1 / Math.sqrt(columns));
      const encoded = scheme.encode(name, weight, indexOf(columns, part !== "up_proj"));
      modules.set(name, encoded);
      tensors.push(...encoded.tensors);
    }
  writeSafetensors(folder, tensors);
  return { folder, modules };
}

function times(module: Module, x: readonly number[], edges: Edges): readonly number[] {
  const { rows, columns, values } = module.weight;
  const row = module.activations?.(Float64Array.from(x), edges) ?? x;
  return Array.from({ length: rows }, (_, n) => {
    let sum = 0;
    for (let k = 0; k < columns; k++) sum += (row[k] ?? 0) * (values[n * columns + k] ?? 0);
    return sum;
  });
}

function expectedRow(
  modules: Written["modules"],
  x: readonly number[],
  edges: Edges,
): readonly number[] {
  const of = (name: string): Module => modules.get(name) as Module;
  const logits = times(of("mlp.gate"), x, edges);
  const chosen = [...logits.keys()]
    .sort((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0))
    .slice(0, TOP_K);
  const terms = chosen.map((e) => Math.exp(logits[e] ?? 0));
  const total = terms.reduce((sum, term) => sum + term, 0);
  const y = new Array<number>(HIDDEN).fill(0);
  chosen.forEach((e, i) => {
    const up = times(of(`mlp.experts.${e}.up_proj`), x, edges);
    const inner = times(of(`mlp.experts.${e}.gate_proj`), x, edges).map(
      (g, k) => (g / (1 + Math.exp(-g))) * (up[k] ?? 0),
    );
    times(of(`mlp.experts.${e}.down_proj`), inner, edges).forEach((value, h) => {
      y[h] = (y[h] ?? 0) + ((terms[i] ?? 0) / total) * value;
    });
  });
  return y;
}

/** The layer on a device, loaded from a folder, applied to ROWS rows. */
async function outputOf(
  device: Device,
  scheme: Pick<Scheme, "config">,
  folder: string,
  x: Float32Array,
  config: MoeConfig = CONFIG,
) {
  const checkpoint = new Checkpoint(folder);
  const plan = planQuantization(scheme.config);
  const weights = new WeightLoader(device, "f32", checkpoint, () => {}, plan);
  const norm = { kind: "rms", eps: 1e-6, offset: 0, updateScale: 1 } as const;
  const scope = new StepScope(device);
  try {
    const context = {
      weights,
      hidden: HIDDEN,
      norm,
      ropes: new RopeTables(weights),
      arrivals: new ArrivalCounters(weights),
      cacheDtype: "f32" as const,
    };
    const moe = new Moe(context, config);
    weights.finish();
    return await readTensor(moe.apply(scope, tensorFrom(device, "f32", [ROWS, HIDDEN], x)));
  } finally {
    scope.close();
    weights.release();
    checkpoint.close();
  }
}

/** Rows and what becomes of them, of the first seed with which no activation lies at the edge of two codes. */
function examples(modules: Written["modules"]) {
  for (let seed = 7; seed < 100; seed++) {
    const x = Float32Array.from(new Random(seed).matrix(ROWS, HIDDEN, 1).values);
    const edges = { count: 0 };
    const expected = Array.from({ length: ROWS }, (_, r) =>
      expectedRow(modules, [...x.subarray(r * HIDDEN, (r + 1) * HIDDEN)], edges),
    );
    if (edges.count === 0) return { x, expected: expected.flat() };
  }
  throw new Error("every seed has activations at the edge of two codes");
}

async function distance(
  device: Device,
  scheme: Pick<Scheme, "config">,
  config: MoeConfig,
  { folder, modules }: Written,
): Promise<number> {
  const { x, expected } = examples(modules);
  const seen = await outputOf(device, scheme, folder, x, config);
  return Math.max(...expected.map((value, i) => Math.abs((seen[i] ?? Number.NaN) - value)));
}

/** One of each kernel and form of scales, for devices whose pipelines take long to build. */
const FEW = [
  "awq, groups of 64",
  "bitsandbytes nf4",
  "mxfp4",
  "fp8, blocks",
  "compressed-tensors int-quantized",
];

await describeDevices("experts of a quantized checkpoint", (device) => {
  const isQuick = device.info.driver === "interpreter" || device.info.hardware;
  const schemes = SCHEMES.filter((scheme) => isQuick || FEW.includes(scheme.title));
  it.each(schemes)("of $title", async (scheme) => {
    // Tensor cores add 8-bit floats with fewer bits, which takes some activations over the edge of two codes.
    const isInexact = scheme.hasFloatCodes === true && device.info.driver === "cuda";
    const bound = isInexact ? 0.05 : 1e-3;
    expect(await distance(device, scheme, CONFIG, write(scheme))).toBeLessThan(bound);
  });
});

/** All experts in common tensors, rows of gate and up in turn; routers are not converted. */
const STACKED: MoeConfig = {
  ...CONFIG,
  experts: {
    intermediateSize: INNER,
    gate: "silu",
    tensors: {
      kind: "stacked",
      gateUp: "mlp.experts.gate_up_proj",
      down: "mlp.experts.down_proj",
      isInterleaved: true,
    },
  },
};

/** The matrices of all experts one below the other; `of` names what row i of an expert is. */
function below(
  parts: readonly Matrix[],
  order: (e: number, i: number) => readonly [number, number],
) {
  const [{ columns } = { columns: 0 }] = parts;
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const values = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const [part, at] = order(Math.floor(row / (rows / EXPERTS)), row % (rows / EXPERTS));
    const from = parts[part]?.values.subarray(at * columns, (at + 1) * columns);
    if (from !== undefined) values.set(from, row * columns);
  }
  return { rows, columns, values };
}

function writeStacked(): Written {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-experts-"));
  folders.push(folder);
  const random = new Random(23);
  const router = random.matrix(EXPERTS, HIDDEN, 1 / Math.sqrt(HIDDEN));
  const modules = new Map<string, Module>([["mlp.gate", { weight: router }]]);
  const of = (part: string, rows: number, columns: number) =>
    Array.from({ length: EXPERTS }, (_, e) => {
      const plain = random.matrix(rows, columns, 1 / Math.sqrt(columns));
      const { weight } = mxfp4("", plain);
      modules.set(`mlp.experts.${e}.${part}`, { weight });
      return plain;
    });
  const halves = [of("gate_proj", INNER, HIDDEN), of("up_proj", INNER, HIDDEN)].flat();
  const gateUp = below(halves, (e, i) => [e + (i % 2) * EXPERTS, Math.floor(i / 2)]);
  const down = below(of("down_proj", HIDDEN, INNER), (e, i) => [e, i]);
  const stored = [gateUp, down].flatMap((all, i) => {
    const name = `mlp.experts.${i === 0 ? "gate_up_proj" : "down_proj"}`;
    return mxfp4(name, all).tensors.map((tensor) => ({
      ...tensor,
      name: tensor.name.replace(".weight_", "_"),
      shape: [EXPERTS, all.rows / EXPERTS, ...tensor.shape.slice(1)],
    }));
  });
  writeSafetensors(folder, [matrix("mlp.gate.weight", router), ...stored]);
  return { folder, modules };
}

describe("experts in common tensors of mxfp4", () => {
  it("compute what the files stand for", async () => {
    const device = await openDevice("interpreter");
    const config = { quant_method: "mxfp4", modules_to_not_convert: ["mlp.gate"] };
    expect(await distance(device, { config }, STACKED, writeStacked())).toBeLessThan(1e-3);
    await device.close();
  });
});
