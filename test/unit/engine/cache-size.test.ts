/** [test/unit/engine] Pages of the KV cache by bytes that are given, by the dtype that the checkpoint names, and by what prompts leave of a share of the device's memory. */
import { describe, expect, it } from "vitest";
import type { DType } from "../../../dsl/index.ts";
import { sizeCache } from "../../../engine/cache-size.ts";
import type { EngineOptions } from "../../../engine/config.ts";
import { Engine } from "../../../engine/engine.ts";
import type { DecoderConfig } from "../../../engine/layers/decoder.ts";
import { mostExpandedBytes, type StepExtent } from "../../../engine/layers/expanded-prompts.ts";
import { mostWidenedBytes } from "../../../engine/layers/widened-prompts.ts";
import { CoreDevice, type Device, NullBackend } from "../../../runtime/index.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";

const model = writeTinyModel();

async function pagesOf(kvCacheMemoryBytes: number, blockSize = 16): Promise<number> {
  const engine = await Engine.load({ model, device: "null", blockSize, kvCacheMemoryBytes });
  const { numPages } = engine.info;
  await engine.close();
  return numPages;
}

it("are as many as fit into the bytes that are given", async () => {
  const some = await pagesOf(2 ** 20);
  expect(some).toBeGreaterThan(8);
  expect(await pagesOf(2 ** 21)).toBe(2 * some);
  expect(await pagesOf(2 ** 20, 32)).toBe(some / 2);
});

it("are no more than all requests need", async () => {
  expect(await pagesOf(2 ** 34)).toBe(await pagesOf(2 ** 35));
});

it("hold one sequence, or the model is refused with the context that would fit", async () => {
  await expect(pagesOf(2 ** 12)).rejects.toThrow(/TW4103[\s\S]*remedy/);
  await expect(pagesOf(0)).rejects.toThrow(/TW4217[\s\S]*--kv-cache-memory-bytes/);
});

it.each(["null", "interpreter"])(
  "are more where the checkpoint keeps bytes, unless floats are asked for (%s)",
  async (device) => {
    const kv_cache_scheme = { num_bits: 8, type: "float", dynamic: false, strategy: "tensor" };
    const quantization_config = { quant_method: "compressed-tensors", kv_cache_scheme };
    const bytes = {
      model: writeTinyModel({ config: { quantization_config } }),
      device,
      kvCacheMemoryBytes: 2 ** 20,
    };
    const infoOf = async (options: EngineOptions) => {
      const engine = await Engine.load(options);
      await engine.close();
      return engine.info;
    };
    const [own, asked, plain] = [
      await infoOf(bytes),
      await infoOf({ ...bytes, kvCacheDtype: "float32" }),
      await infoOf({ ...bytes, model }),
    ];
    expect([own.kvDtype, asked.kvDtype, plain.kvDtype]).toEqual(["f8e4m3", "f32", "f32"]);
    expect(own.numPages).toBeGreaterThan(3 * asked.numPages);
    expect(asked.numPages).toBe(plain.numPages);
  },
);

describe("what prompts need beside the cache", () => {
  const MEMORY = 2 ** 33;
  const WEIGHTS = 2 ** 30;
  const PAGE = 16;
  const none = new CoreDevice(new NullBackend());
  const info = { ...none.info, driver: "cuda", hardware: true, features: ["wgmma"] };
  const limits = { ...none.limits, memoryBytes: MEMORY, maxBufferBytes: 2 ** 40 };
  const hopper: Device = Object.create(none, { info: { value: info }, limits: { value: limits } });
  const plain = { kind: "attention", window: 0, numHeads: 8, numKvHeads: 4, headDim: 64 } as const;
  const sizes = { numHeads: 16, latentRank: 512, plainDim: 128, rotaryDim: 64, valueDim: 128 };
  const latent = { kind: "latent-attention", ...sizes } as const;

  /** Bytes that pages of all layers do not take of what weights leave. */
  function left(
    layer: object,
    kvDtype: DType,
    pageBytes: number,
    maxModelLen: number,
    device = hopper,
    maxNumSeqs = 4096,
  ) {
    const blocks = [1, 2].map(() => ({ mixer: { layer } }));
    const model = { blocks } as unknown as DecoderConfig;
    const options = { model: "m", blockSize: PAGE, gpuMemoryUtilization: 0.75, maxNumSeqs };
    const room = {
      model,
      dtype: "bf16",
      kvDtype,
      device,
      weightBytes: WEIGHTS,
      maxModelLen,
    } as const;
    return 0.75 * MEMORY - WEIGHTS - sizeCache(options, room).numPages * pageBytes;
  }

  const bytes = 2 * 2 * PAGE * 4 * 64; // layers, keys and values, positions, heads, head dim
  const latents = 2 * 2 * PAGE * (512 + 64);

  it.each([
    ["pages of 16 bits", plain, "bf16", 2 * bytes, 0],
    ["pages of 8 bits", plain, "f8e4m3", bytes, 2 ** 29],
    ["latents", latent, "bf16", latents, 2 ** 29],
  ] as const)("is left free for %s", (_what, layer, dtype, page, scratch) => {
    const free = left(layer, dtype, page, 8192);
    expect(free).toBeGreaterThanOrEqual(scratch);
    expect(free).toBeLessThan(scratch + page);
    expect(left(layer, dtype, page, 8192, deviceWithout())).toBeLessThan(page);
  });

  it("is what the longest steps take where that is less, or one head takes more", () => {
    const seqs = 2;
    const positions = 64 * 2 * seqs * 4; // by head dim, keys and values, heads
    expect(
      mostWidenedBytes(
        { ...plain, page: PAGE, elementBytes: 2, BM: 128, section: 8 },
        extentOf(40, seqs),
      ),
    ).toBe(
      48 * 2 * positions, // whole pages of them, 2 bytes a number
    );
    const shape = { numHeads: 16, latentRank: 512, keyDim: 192, valueDim: 128, elementBytes: 2 };
    const expanded = { ...shape, BM: 128, section: 8, copied: 16 };
    expect(mostExpandedBytes(expanded, extentOf(40, seqs))).toBe(2 * 80 * (512 + 16 * 320));
    expect(mostExpandedBytes(expanded, extentOf(2 ** 20, seqs))).toBe(2 * 2 ** 20 * (512 + 320));
  });

  function deviceWithout(): Device {
    return Object.create(hopper, { info: { value: { ...info, features: [] } } });
  }

  function extentOf(maxModelLen: number, maxNumSeqs: number): StepExtent {
    return { maxModelLen, maxNumSeqs, maxNumBatchedTokens: 2048 };
  }
});
