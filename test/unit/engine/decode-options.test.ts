/** [test/unit/engine] How many programs share out the keys or latents of a step, by device and sequences, and who merges what they leave, of shared beginnings too. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedPrefixConfig } from "../../../dsl/kernels/catalogue.ts";
import {
  attentionShape,
  decodePrograms,
  latentPrograms,
  mergesInPlace,
  optionsOfDecode,
  optionsOfLatentDecode,
  optionsOfLatentMerge,
  optionsOfLine,
  optionsOfSharedMerge,
} from "../../../engine/layers/decode-options.ts";
import { type Device, openDevice } from "../../../runtime/index.ts";

let opened: Device;
beforeAll(async () => {
  opened = await openDevice("interpreter");
});
afterAll(() => opened.close());

/** A device of which only what the choice depends on is asked. */
function deviceOf(driver: string, multiprocessors: number, maxSharedBytes: number): Device {
  const info = { ...opened.info, driver, hardware: driver === "cuda" };
  const limits = { ...opened.limits, multiprocessors, maxSharedBytes };
  return new Proxy(opened, {
    get: (target, key) =>
      key === "info" ? info : key === "limits" ? limits : Reflect.get(target, key, target),
  });
}

function programs(device: Device, heads: number, sequences: number): number {
  const shape = attentionShape(device, "bf16", 576, heads);
  const { config } = optionsOfLatentDecode(shape, undefined);
  return latentPrograms(device, shape, config, sequences);
}

it("are as many for each sequence where few are left out, else all that run at once", () => {
  const hopper = deviceOf("cuda", 132, 232448);
  const most = programs(hopper, 16, 0);
  expect(most % 132).toBe(0);
  for (const sequences of [1, 2, 3, 4, 16, 64, most]) {
    const count = programs(hopper, 16, sequences);
    expect(count % sequences).toBe(0);
    expect(count).toBeGreaterThanOrEqual(most * (1 - 1 / 16));
  }
  // Half of them would have nothing to do, or a sequence is more than one program's.
  expect(programs(hopper, 16, Math.floor(most / 2) + 20)).toBe(most);
  expect(programs(hopper, 16, most + 1)).toBe(most);
});

it("are shared by blocks of heads, and one on a device in software", () => {
  const hopper = deviceOf("cuda", 132, 232448);
  // Blocks of 64 heads, one of them a multiprocessor.
  expect(programs(hopper, 128, 0)).toBe(66);
  expect(programs(deviceOf("webgpu", 4, 16384), 16, 5)).toBe(1);
});

it("leave pieces that are merged by one warp a row, by four, or many at a time", () => {
  const hopper = deviceOf("cuda", 132, 232448);
  const options = optionsOfLatentDecode(attentionShape(hopper, "bf16", 576, 16), undefined);
  const warpsAndPieces = (sequences: number) => {
    const { config } = optionsOfLatentMerge(options, sequences, programs(hopper, 16, sequences));
    return [config?.["warps"], config?.["BJ"]];
  };
  expect(warpsAndPieces(256)).toEqual([1, 8]);
  expect(warpsAndPieces(64)).toEqual([4, 4]);
  expect(warpsAndPieces(1)).toEqual([4, 64]);
});

it("of shared beginnings are as the device has room for, and merged by how many a sequence has", () => {
  const hopper = deviceOf("cuda", 132, 232448);
  const shape = attentionShape(hopper, "bf16", 128, 4);
  const options = optionsOfDecode(shape, undefined);
  const tile = { ...shape, group: 64 };
  const block = sharedPrefixConfig(tile, options.config);
  expect(block).toMatchObject({ GP: 64, BN: 64, BS: options.config.BS });
  expect(sharedPrefixConfig(tile, options.config)).toBe(block);
  // Rows of f32 in 16 KiB.
  const small = { headDim: 256, group: 16, stagedBytes: 4, sharedBytes: 16384 } as const;
  expect(sharedPrefixConfig(small, options.config)).toMatchObject({ GP: 4, BN: 8 });
  const line = { kvHeads: 8, sequences: 0 };
  const before = decodePrograms(hopper, tile, block, line);
  const after = decodePrograms(hopper, shape, options.config, line);
  const mergeOf = (sequences: number) => {
    const tiles = Math.ceil(sequences / 16);
    const { config } = optionsOfSharedMerge(options, [before, tiles], [after, sequences]);
    return [config?.["GP"], config?.["BJ"], config?.["warps"]];
  };
  expect([4, 16, 32].map(mergeOf)).toEqual(Array(3).fill([1, 16, 2]));
  expect(mergeOf(64)).toEqual([1, 8, 1]);
  expect(mergeOf(256)).toEqual([4, 4, 1]);
});

it("are whole parts of as many sequences over pages of keys too, which the last one merges where they are up to six", () => {
  const hopper = deviceOf("cuda", 132, 232448);
  const shape = attentionShape(hopper, "bf16", 128, 4);
  const { config } = optionsOfDecode(shape, undefined);
  const counts = [1, 16, 17, 64].map((sequences) =>
    decodePrograms(hopper, shape, config, { kvHeads: 8, sequences }),
  );
  expect(counts).toEqual([49, 48, 49, 49]);
  expect([1, 7, 8, 17, 64].map((sequences) => mergesInPlace(sequences, 48))).toEqual([
    false,
    false,
    true,
    true,
    true,
  ]);
});

it("look at up to 32 sequences one a lane, at more in long steps, decode and merge alike", () => {
  const hopper = deviceOf("cuda", 132, 232448);
  const all = optionsOfDecode(attentionShape(hopper, "bf16", 128, 4), undefined);
  for (const [sequences, step] of [
    [1, 32],
    [32, 32],
    [33, 256],
  ] as const) {
    const options = optionsOfLine(all, sequences);
    expect(optionsOfLine(all, sequences)).toBe(options);
    const { decode, merged, mergeWhole, merge, mergeMany } = options;
    for (const { config } of [decode, merged, mergeWhole, merge, mergeMany])
      expect(config?.["BS"]).toBe(step);
    expect({ ...options.config, BS: 0 }).toEqual({ ...all.config, BS: 0 });
  }
});
