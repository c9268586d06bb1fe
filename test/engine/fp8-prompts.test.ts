/** [test/engine] Long prompts over pages of 8 bits through pages of 16 made for the step: whole, in chunks beside decodes, in parts; against the bytes as they are. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BLOCK_COLUMNS } from "../../dsl/kernels/catalogue.ts";
import type { EngineOptions } from "../../engine/config.ts";
import { Engine } from "../../engine/engine.ts";
import { StepScope } from "../../engine/layers/scope.ts";
import { widenPrompts } from "../../engine/layers/widened-prompts.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import { type Device, openDevice, readTensor } from "../../runtime/index.ts";
import { tinyCases, tinyFolder } from "../support/hf-tiny.ts";
import { HopperLike } from "../support/hopper-like.ts";
import { sharedFolder } from "../support/shared-models.ts";

/** The same numbers in other sums, in f16: what lies between two codes of a later layer goes either way, and a router may turn. */
const MEAN_DISTANCE = { llama: 4e-3, "gpt-oss": 0.03 } as const;
const LONG = 100;

let hopper: HopperLike;
let plain: Device;
beforeAll(async () => {
  hopper = new HopperLike();
  plain = await openDevice("interpreter");
});
afterAll(async () => {
  await hopper.close();
  await plain.close();
});

describe("lists of widened pages", () => {
  const shape = { numHeads: 4, numKvHeads: 2, headDim: 16, page: 8, elementBytes: 2 };
  const sizes = { ...shape, BM: 16, section: 0 };
  const asRows = async (tensor: Parameters<typeof readTensor>[0]) => {
    const [, width = 1] = tensor.shape;
    const values = [...(await readTensor(tensor))];
    return Array.from({ length: values.length / width }, (_, i) =>
      values.slice(i * width, (i + 1) * width),
    );
  };

  it("hold the sequences behind the last short one, each page once", async () => {
    const scope = new StepScope(plain);
    const sequences = [
      { queries: 70, length: 70 },
      { queries: 1, length: 300 },
      { queries: 20, length: 20 },
      { queries: 17, length: 25 },
    ];
    const made = widenPrompts(scope, sequences, sizes, 16);
    expect(made).toMatchObject({ numOthers: 2, numOtherRows: 71 });
    expect(made?.parts).toHaveLength(1);
    const [part] = made?.parts ?? [];
    if (part === undefined) throw new Error("no part");
    expect(await asRows(part.pages)).toEqual([
      ...[0, 1, 2].map((i) => [2, i]),
      ...[0, 1, 2, 3].map((i) => [3, i]),
    ]);
    expect(await asRows(part.table)).toEqual([
      [0, 1, 2, -1],
      [3, 4, 5, 6],
    ]);
    expect(part.blocks.shape[1]).toBe(BLOCK_COLUMNS);
    expect((await asRows(part.blocks)).sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0))).toEqual([
      [0, 71, 87, 0, 20, 0],
      [0, 87, 91, 16, 20, 0],
      [1, 91, 107, 8, 25, 0],
      [1, 107, 108, 24, 25, 0],
    ]);
    expect(widenPrompts(scope, sequences, sizes, 18)).toMatchObject({ numOthers: 2 });
    expect(widenPrompts(scope, sequences, sizes, 20)).toBeUndefined();
    scope.close();
  });

  it("are cut where memory ends, and none where one sequence alone takes more", () => {
    const scope = new StepScope(plain);
    // 128 KiB a page of a sequence of 16 slots: 4096 pages are the most.
    const large = { ...sizes, numKvHeads: 16, headDim: 128, page: 16 };
    const sequence = (pages: number) => ({ queries: 65, length: pages * 16 });
    const parts = widenPrompts(scope, [2000, 2000, 97, 4096].map(sequence), large)?.parts;
    expect(parts?.map(({ numPages }) => numPages)).toEqual([4000, 97, 4096]);
    expect(widenPrompts(scope, [sequence(10), sequence(4097)], large)).toBeUndefined();
    scope.close();
  });
});

const root = sharedFolder("fp8 prompts", "fixtures/hf-tiny");
if (root !== undefined) {
  describe.each(["llama", "gpt-oss"] as const)("%s", (name) => {
    const cases = tinyCases(root, name).map(({ prompt }) => prompt);
    const all = cases.flat();
    const long = Array.from({ length: LONG }, (_, i) => all[i % all.length] ?? 0);
    const prompts = [cases[0] ?? [], long, [...long].reverse(), cases[1] ?? []];
    const run = async (device: Device, options: Partial<EngineOptions> = {}) => {
      const model = tinyFolder(root, name);
      const usual = { maxModelLen: 256, dtype: "float16", kvCacheDtype: "fp8", blockSize: 8 };
      const engine = await Engine.load({ model, device, ...usual, ...options } as EngineOptions);
      const params = { maxTokens: 4, temperature: 0, ignoreEos: true, promptLogprobs: 0 };
      const outputs = await new RequestGroup(engine, prompts, params).finish();
      await engine.close();
      return outputs.flatMap(({ promptLogprobs = [] }) =>
        promptLogprobs.slice(1).map((entry) => entry?.logprob ?? Number.NaN),
      );
    };
    let expected: readonly number[] = [];
    beforeAll(async () => {
      expected = await run(plain);
    });

    it.each([
      ["whole, beside short ones", {}],
      ["in chunks beside decodes", { maxNumBatchedTokens: 90 }],
    ] as const)("gives what the bytes give: %s", async (_, options) => {
      hopper.counts.clear();
      const seen = await run(hopper, options);
      expect(hopper.countOf("page_widen")).toBeGreaterThan(0);
      const listed = hopper.countOf("paged_attention") + hopper.countOf("paged_sink_attention");
      expect(listed).toBe(hopper.countOf("page_widen"));
      const distances = seen.map((value, i) => Math.abs(value - (expected[i] ?? Number.NaN)));
      expect(distances).toHaveLength(expected.length);
      const mean = distances.reduce((x, y) => x + y, 0) / distances.length;
      expect(mean).toBeLessThan(MEAN_DISTANCE[name]);
    });
  });
}
