/** [test/engine] `tilewright bench --model`: steps, floors and breakdowns of a tiny shape on the interpreter, captured and launch by launch. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stepFloor, usedExperts } from "../../engine/model-bench/floor.ts";
import { benchModel } from "../../engine/model-bench/model-bench.ts";
import type { ModelReport } from "../../engine/model-bench/report.ts";
import { shapeConfig } from "../../engine/model-bench/shapes.ts";
import { findFamily } from "../../engine/models/catalogue.ts";
import { CoreDevice } from "../../runtime/index.ts";
import { CapturingBackend } from "../support/capturing-backend.ts";
import { tilewright } from "../support/run-command.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const LAYERS = 2;

function floorOf(name: string, batch: number, context: number) {
  const config = shapeConfig(name);
  const model = findFamily(config.architectures).configure(config, context);
  return stepFloor(model, "bf16", { batch, context });
}

describe("the floor of a step", () => {
  it("is all weights but the table of embeddings, and the live cache", () => {
    // 32 layers of 4096 × (2 · 4096 + 2 · 1024 + 3 · 14336), and the head of 128256 rows; 2 · 8 · 128 numbers a layer and position.
    const layer = 4096 * (2 * 4096 + 2 * 1024 + 3 * 14336);
    expect(floorOf("llama-3.1-8b", 64, 1024)).toEqual({
      weights: 2 * (32 * layer + 128256 * 4096),
      cache: 2 * 32 * 2 * 8 * 128 * 1024 * 64,
    });
  });

  it("counts the experts that a batch takes, not all of them", () => {
    expect(usedExperts(128, 8, 1)).toBeCloseTo(8);
    expect(usedExperts(128, 8, 2)).toBeCloseTo(15.5);
    expect(usedExperts(128, 8, 1000)).toBeCloseTo(128);
    const [one, many] = [floorOf("qwen3-30b-a3b", 1, 16), floorOf("qwen3-30b-a3b", 256, 16)];
    expect(one?.weights).toBeGreaterThan(5.5e9); // 3 billion active parameters, without the embedding
    expect(one?.weights).toBeLessThan(6.5e9);
    expect(many?.weights).toBeGreaterThan(59e9);
  });

  it("reads no further back than windows, and says nothing of layers it does not count", () => {
    const config = shapeConfig("llama-3.2-1b");
    const model = findFamily(config.architectures).configure(config, 64);
    const blocks = model.blocks.map(({ mixer, feedForward }) => ({
      feedForward,
      mixer: { ...mixer, layer: { ...mixer.layer, window: 8 } as typeof mixer.layer },
    }));
    const load = { batch: 1, context: 64 };
    const whole = stepFloor(model, "bf16", load)?.cache ?? 0;
    expect(stepFloor({ ...model, blocks }, "bf16", load)?.cache).toBe(whole / 8);
    const states = blocks.map(({ mixer, ...rest }) => ({
      ...rest,
      mixer: { ...mixer, layer: { ...mixer.layer, kind: "state-space" } as never },
    }));
    expect(stepFloor({ ...model, blocks: states }, "bf16", load)).toBeUndefined();
  });
});

describe("bench --model", () => {
  const args = ["bench", "--device", "interpreter", "--steps", "2", "--rounds", "1"] as const;

  it("prints and writes steps, kernels and a trace", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tilewright-bench-"));
    const [json, trace] = [join(folder, "report.json"), join(folder, "trace.json")];
    const files = ["--json", json, "--profile", trace];
    const loads = ["--batch", "1,3", "--context", "5,20"];
    const ran = await tilewright(...args, "--model", writeTinyModel(), ...loads, ...files);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.stdout).toMatch(/batch 3, context 20: .* tokens\/s, .* % of the floor of/);
    const report = JSON.parse(readFileSync(json, "utf8")) as ModelReport;
    expect(report).toMatchObject({ layers: LAYERS, captured: false, dtype: "f32", clock: "calls" });
    expect(report.steps.map(({ batch, context }) => [batch, context])).toEqual([
      [1, 5],
      [1, 20],
      [3, 5],
      [3, 20],
    ]);
    const [step] = report.steps;
    const launches = step?.kernels.reduce((sum, kernel) => sum + kernel.launches, 0);
    expect(launches).toBe(step?.launches);
    expect(step?.stepMs.median).toBeGreaterThan(0);
    expect(step?.kernels.find(({ kernel }) => kernel === "paged_decode_merged")?.launches).toBe(
      LAYERS,
    );
    const { traceEvents } = JSON.parse(readFileSync(trace, "utf8")) as {
      readonly traceEvents: readonly { readonly ph: string; readonly tid?: number }[];
    };
    expect(traceEvents.filter(({ ph, tid }) => ph === "X" && tid === 0)).toHaveLength(
      launches ?? 0,
    );
  });

  it("counts of caches and tables what the load has of them", async () => {
    const device = new CoreDevice(new CapturingBackend());
    const options = { name: "tiny", dtype: "f32", steps: 2, rounds: 1 } as const;
    const shape = { ...options, config: shapeConfig(writeTinyModel()), batches: [2, 3] };
    const { report } = await benchModel(device, { ...shape, contexts: [16, 64] });
    expect(report.captured).toBe(true);
    const bytes = (kernel: string) =>
      report.steps.map(({ kernels }) => kernels.find((one) => one.kernel === kernel)?.bytes ?? 0);
    // 2 layers of 2 heads of 8 numbers, keys and values, 4 bytes: more than 16 positions read 48 more.
    const [two16 = 0, two64 = 0, three16 = 0, three64 = 0] = bytes("paged_decode_merged");
    const perPosition = LAYERS * 2 * 2 * 8 * 4;
    const pages = LAYERS * 4 * (4 - 1);
    expect(two64 - two16).toBeCloseTo(2 * (48 * perPosition + pages));
    expect(three64 - three16).toBeGreaterThan(3 * 48 * perPosition);
    await device.close();
  });

  it.each([
    [["--model", "llama-9"], /TW4418[\s\S]*llama-3\.1-8b/],
    [["--model", "qwen3-0.6b", "--dtype", "i8"], /TW4419[\s\S]*bfloat16/],
  ])("refuses %j", async (flags, message) => {
    const ran = await tilewright(...args, ...flags);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(message);
  });

  it("knows the sizes of the models it names", () => {
    const layers = (name: string) => shapeConfig(name).num_hidden_layers;
    expect(["llama-3.1-8b", "llama-3.2-1b", "qwen3-0.6b", "qwen3-30b-a3b"].map(layers)).toEqual([
      32, 16, 28, 48,
    ]);
  });
});
