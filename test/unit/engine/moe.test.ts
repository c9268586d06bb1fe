/** [test/unit/engine] The sparse feed-forward block against plain loops, its weights' names, and which layers of a model have one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { ArrivalCounters } from "../../../engine/layers/arrival-counters.ts";
import { RopeTables } from "../../../engine/layers/build-context.ts";
import { USUAL_PROJECTIONS } from "../../../engine/layers/experts.ts";
import { Moe, type MoeConfig } from "../../../engine/layers/moe.ts";
import { StepScope } from "../../../engine/layers/scope.ts";
import { WeightLoader } from "../../../engine/layers/weight-loader.ts";
import { mixtral } from "../../../engine/models/mixtral.ts";
import { qwen3Moe } from "../../../engine/models/qwen3-moe.ts";
import { Checkpoint } from "../../../engine/weights/checkpoint.ts";
import type { RawConfig } from "../../../engine/weights/model-config.ts";
import { openDevice, readTensor, tensorFrom } from "../../../runtime/index.ts";
import { type NamedTensor, writeShards } from "../../support/tiny-model.ts";

const [HIDDEN, INNER, EXPERTS, TOP_K] = [12, 10, 8, 3];
const NORM = { kind: "rms", eps: 1e-6, offset: 0, updateScale: 1 } as const;

const folders: string[] = [];
const device = await openDevice("interpreter");
afterAll(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  await device.close();
});

/** Sums of sines: different at every place, and the same in every run. */
function values(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 37.1 + i * 1.37 + (i % 7)));
}

const ROUTER = {
  name: "mlp.gate",
  hasBias: false,
  numExperts: EXPERTS,
  topK: TOP_K,
  scaling: 1,
} as const;
const SEPARATE = {
  intermediateSize: INNER,
  gate: "silu",
  tensors: { kind: "separate", name: "mlp.experts", projections: USUAL_PROJECTIONS },
} as const;

const SOFTMAX: MoeConfig = {
  kind: "moe",
  router: { ...ROUTER, scores: { kind: "softmax" }, renormalize: false },
  experts: SEPARATE,
  shared: {
    mlp: {
      kind: "gated",
      name: "mlp.shared_expert",
      intermediateSize: 6,
      activation: "silu",
      gateUp: ["gate_proj", "up_proj"],
      hasBias: false,
    },
    gate: "mlp.shared_expert_gate",
  },
};

const SIGMOID: MoeConfig = {
  kind: "moe",
  router: {
    ...ROUTER,
    scores: { kind: "sigmoid", bias: "mlp.gate.e_score_correction_bias" },
    renormalize: true,
    scaling: 2.5,
    groups: { count: 4, kept: 2 },
  },
  experts: SEPARATE,
};

const STACKED: MoeConfig = {
  kind: "moe",
  router: { ...ROUTER, hasBias: true, scores: { kind: "softmax" }, renormalize: true },
  experts: {
    intermediateSize: INNER,
    gate: "clamped",
    tensors: {
      kind: "stacked",
      gateUp: "mlp.experts.gate_up_proj",
      down: "mlp.experts.down_proj",
      biases: { gateUp: "mlp.experts.gate_up_proj_bias", down: "mlp.experts.down_proj_bias" },
      isInterleaved: true,
    },
  },
};

/** All experts in one tensor, rows of gate and up in turn; large enough that clamping shows. */
function stackedTensors(): readonly NamedTensor[] {
  const tensor = (name: string, shape: readonly number[], seed: number, scale: number) => ({
    name,
    shape,
    values: values(
      shape.reduce((n, size) => n * size, 1),
      seed,
    ).map((w) => w * scale),
  });
  return [
    tensor("mlp.gate.weight", [EXPERTS, HIDDEN], 5, 1 / 3),
    tensor("mlp.gate.bias", [EXPERTS], 6, 1),
    tensor("mlp.experts.gate_up_proj", [EXPERTS, 2 * INNER, HIDDEN], 7, 4),
    tensor("mlp.experts.gate_up_proj_bias", [EXPERTS, 2 * INNER], 8, 2),
    tensor("mlp.experts.down_proj", [EXPERTS, HIDDEN, INNER], 9, 1 / 8),
    tensor("mlp.experts.down_proj_bias", [EXPERTS, HIDDEN], 10, 1),
  ];
}

/** What expert e of `stackedTensors` gives for a row. */
function stackedExpert(named: Named, e: number, x: readonly number[]): readonly number[] {
  const of = (name: string): Float32Array =>
    named.get(`mlp.experts.${name}`)?.values ?? values(0, 0);
  const sumOf = (w: Float32Array, row: number, v: readonly number[]) =>
    v.reduce((sum, value, k) => sum + value * (w[row * v.length + k] ?? 0), 0);
  const part = (row: number) =>
    sumOf(of("gate_up_proj"), row, x) + (of("gate_up_proj_bias")[row] ?? 0);
  const inner = Array.from({ length: INNER }, (_, i) => {
    const gate = Math.min(7, part((e * INNER + i) * 2));
    const up = Math.max(-7, Math.min(7, part((e * INNER + i) * 2 + 1)));
    return (up + 1) * gate * sigmoid(1.702 * gate);
  });
  return Array.from({ length: HIDDEN }, (_, h) => {
    const row = e * HIDDEN + h;
    return sumOf(of("down_proj"), row, inner) + (of("down_proj_bias")[row] ?? 0);
  });
}

function gated(name: string, inner: number, seed: number): readonly NamedTensor[] {
  return [
    { name: `${name}.gate_proj.weight`, shape: [inner, HIDDEN] },
    { name: `${name}.up_proj.weight`, shape: [inner, HIDDEN] },
    { name: `${name}.down_proj.weight`, shape: [HIDDEN, inner] },
  ].map((part, i) => ({ ...part, values: values(inner * HIDDEN, seed + i * 0.31) }));
}

function tensorsFor({ router, shared, experts }: MoeConfig): readonly NamedTensor[] {
  if (experts.tensors.kind === "stacked") return stackedTensors();
  const gate = { name: `${router.name}.weight`, shape: [EXPERTS, HIDDEN] };
  const tensors: NamedTensor[] = [
    { ...gate, values: values(EXPERTS * HIDDEN, 5).map((w) => w / 3) },
    ...Array.from({ length: EXPERTS }, (_, e) => gated(`mlp.experts.${e}`, INNER, 11 + e)).flat(),
  ];
  if (router.scores.kind === "sigmoid" && router.scores.bias !== undefined)
    tensors.push({ name: router.scores.bias, shape: [EXPERTS], values: values(EXPERTS, 7) });
  if (shared !== undefined) {
    tensors.push(...gated(shared.mlp.name, shared.mlp.intermediateSize, 43));
    tensors.push({
      name: `${shared.gate}.weight`,
      shape: [1, HIDDEN],
      values: values(HIDDEN, 47),
    });
  }
  return tensors;
}

function checkpointOf(tensors: readonly NamedTensor[]): Checkpoint {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-moe-"));
  folders.push(folder);
  writeShards(folder, tensors, 1);
  return new Checkpoint(folder);
}

type Named = ReadonlyMap<string, NamedTensor>;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function times(named: Named, name: string, x: readonly number[]): readonly number[] {
  const { shape, values: w } = named.get(`${name}.weight`) as NamedTensor;
  return Array.from({ length: shape[0] ?? 0 }, (_, n) =>
    x.reduce((sum, v, k) => sum + v * (w[n * x.length + k] ?? 0), 0),
  );
}

function gatedRow(named: Named, name: string, x: readonly number[]): readonly number[] {
  const up = times(named, `${name}.up_proj`, x);
  const inner = times(named, `${name}.gate_proj`, x).map((g, i) => g * sigmoid(g) * (up[i] ?? 0));
  return times(named, `${name}.down_proj`, inner);
}

const best = (scores: readonly number[], count: number): readonly number[] =>
  [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, count);

/** Weight of each expert for a row, 0 for those that it does not take. */
function weightsOf({ router }: MoeConfig, named: Named, x: readonly number[]): readonly number[] {
  const offsets = named.get(`${router.name}.bias`)?.values ?? [];
  const logits = times(named, router.name, x).map((l, e) => l + (offsets[e] ?? 0));
  if (router.scores.kind === "softmax") {
    const chosen = best(logits, TOP_K);
    const summed = router.renormalize ? chosen.map((e) => logits[e] ?? 0) : logits;
    const total = summed.reduce((sum, l) => sum + Math.exp(l), 0);
    return logits.map((l, e) => (chosen.includes(e) ? Math.exp(l) / total : 0));
  }
  const bias = named.get("mlp.gate.e_score_correction_bias")?.values ?? [];
  const scores = logits.map(sigmoid);
  const biased = scores.map((s, e) => s + (bias[e] ?? 0));
  const groups = [0, 1, 2, 3].map((g) => (biased[2 * g] ?? 0) + (biased[2 * g + 1] ?? 0));
  const kept = best(groups, 2);
  const chosen = best(
    biased.map((s, e) => (kept.includes(e >> 1) ? s : Number.NEGATIVE_INFINITY)),
    TOP_K,
  );
  const total = chosen.reduce((sum, e) => sum + (scores[e] ?? 0), 0);
  return scores.map((s, e) => (chosen.includes(e) ? (s / total) * router.scaling : 0));
}

function expectedRow(config: MoeConfig, named: Named, x: readonly number[]): readonly number[] {
  const expertOf = (e: number) =>
    config.experts.tensors.kind === "stacked"
      ? stackedExpert(named, e, x)
      : gatedRow(named, `mlp.experts.${e}`, x);
  const y = new Array<number>(HIDDEN).fill(0);
  const add = (row: readonly number[], weight: number): void => {
    for (const [h, v] of row.entries()) y[h] = (y[h] ?? 0) + weight * v;
  };
  for (const [e, weight] of weightsOf(config, named, x).entries())
    if (weight !== 0) add(expertOf(e), weight);
  if (config.shared !== undefined) {
    const [gate = 0] = times(named, config.shared.gate ?? "", x);
    add(gatedRow(named, config.shared.mlp.name, x), sigmoid(gate));
  }
  return y;
}

describe("the sparse feed-forward block", () => {
  it.each([
    ["softmax over all, a shared expert with a gate", SOFTMAX, 21],
    ["the same, slots sorted in two parts", SOFTMAX, 90],
    ["the same, one row", SOFTMAX, 1],
    ["sigmoid with bias, groups and scaling", SIGMOID, 21],
    ["stacked experts with biases and a clamped gate", STACKED, 21],
  ])("computes what plain loops do: %s", async (_, config, numRows) => {
    const tensors = tensorsFor(config);
    const checkpoint = checkpointOf(tensors);
    const weights = new WeightLoader(device, "f32", checkpoint);
    const ropes = new RopeTables(weights);
    const arrivals = new ArrivalCounters(weights);
    const caches = { cacheDtype: "f32" } as const;
    const moe = new Moe(
      { weights, hidden: HIDDEN, norm: NORM, ropes, arrivals, ...caches },
      config,
    );
    weights.finish(); // every tensor was asked for, and none is left over
    const scope = new StepScope(device);
    const read = vi.spyOn(device, "read");
    const x = values(numRows * HIDDEN, 3);
    const output = moe.apply(scope, tensorFrom(device, "f32", [numRows, HIDDEN], x));
    expect(read).not.toHaveBeenCalled(); // so that a step may be captured once and run for any routing
    read.mockRestore();
    const y = await readTensor(output);
    scope.close();
    weights.release();
    checkpoint.close();
    const named = new Map(tensors.map((tensor) => [tensor.name, tensor]));
    for (let r = 0; r < numRows; r++) {
      const row = expectedRow(config, named, [...x.subarray(r * HIDDEN, (r + 1) * HIDDEN)]);
      const seen = y.slice(r * HIDDEN, (r + 1) * HIDDEN);
      row.forEach((value, h) => {
        expect(Math.abs((seen[h] ?? Number.NaN) - value)).toBeLessThan(1e-4);
      });
    }
  });

  it("names every tensor of an expert that is missing", () => {
    const tensors = tensorsFor(SIGMOID).filter(
      ({ name }) => !/experts\.(3\.up_proj|6\.down_proj)/.test(name),
    );
    const weights = new WeightLoader(device, "f32", checkpointOf(tensors));
    const context = {
      weights,
      hidden: HIDDEN,
      norm: NORM,
      ropes: new RopeTables(weights),
      arrivals: new ArrivalCounters(weights),
      cacheDtype: "f32" as const,
    };
    new Moe(context, SIGMOID);
    expect(() => weights.finish()).toThrow(
      /TW4205: tensor 'mlp.experts.3.up_proj.weight' is missing[\s\S]*experts.6.down_proj.weight' is missing/,
    );
    weights.release();
  });
});

const CONFIG = {
  architectures: ["Qwen3MoeForCausalLM"],
  vocab_size: 64,
  hidden_size: 32,
  intermediate_size: 48,
  moe_intermediate_size: 16,
  num_hidden_layers: 6,
  num_attention_heads: 4,
  num_experts: 8,
  num_experts_per_tok: 2,
  max_position_embeddings: 64,
  rms_norm_eps: 1e-6,
  hidden_act: "silu",
} as unknown as RawConfig;

describe("models with experts", () => {
  const kinds = (config: RawConfig) =>
    qwen3Moe.configure(config, 64).blocks.map(({ feedForward }) => feedForward?.layer.kind);

  it("have them in every layer, or where the config says", () => {
    expect(new Set(kinds(CONFIG))).toEqual(new Set(["moe"]));
    const sparse = { ...CONFIG, decoder_sparse_step: 2, mlp_only_layers: [3] };
    expect(kinds(sparse)).toEqual(["gated", "moe", "gated", "gated", "gated", "moe"]);
  });

  it("renormalise the weights where the config says so, Mixtral always", () => {
    const renormalizes = (config: RawConfig, family = qwen3Moe) =>
      family.configure(config, 64).blocks.map(({ feedForward }) => {
        const layer = feedForward?.layer;
        return layer?.kind === "moe" ? layer.router.renormalize : undefined;
      })[0];
    expect(renormalizes(CONFIG)).toBe(false);
    expect(renormalizes({ ...CONFIG, norm_topk_prob: true })).toBe(true);
    expect(renormalizes(CONFIG, mixtral)).toBe(true);
  });

  it("are refused without experts, and with more chosen than there are", () => {
    const configure = (more: Partial<RawConfig>) => () =>
      mixtral.configure({ ...CONFIG, ...more }, 64);
    expect(configure({ num_experts: null })).toThrow(/TW4214[\s\S]*'num_local_experts'/);
    expect(configure({ num_experts_per_tok: 9 })).toThrow(
      /'num_experts_per_tok'[\s\S]*seen: +9[\s\S]*1 to 8/,
    );
    expect(configure({ hidden_act: "gelu" })).toThrow(/'hidden_act'[\s\S]*seen: +gelu/);
  });
});
