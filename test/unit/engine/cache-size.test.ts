/** [test/unit/engine] Pages of the KV cache by bytes that are given, in the place of a share of the device's memory. */
import { expect, it } from "vitest";
import type { EngineOptions } from "../../../engine/config.ts";
import { Engine } from "../../../engine/engine.ts";
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
