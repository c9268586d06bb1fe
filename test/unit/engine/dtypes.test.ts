/** [test/unit/engine] Names of dtypes, and which dtype caches have by what was asked for, by the layers and by the checkpoint. */
import { describe, expect, it } from "vitest";
import { checkOptions } from "../../../engine/config.ts";
import {
  type CacheUse,
  chooseCacheDtype,
  chooseDtype,
  DTYPE_NAMES,
} from "../../../engine/dtypes.ts";
import { keepsBytes } from "../../../engine/weights/quantization/cache-scheme.ts";
import { InterpreterBackend } from "../../../runtime/drivers/interpreter/device.ts";
import { CoreDevice } from "../../../runtime/index.ts";

const device = new CoreDevice(new InterpreterBackend());

describe("dtypes", () => {
  it("have torch's names, and short ones", () => {
    const all = DTYPE_NAMES.map((name) => [name, chooseDtype(name, "bf16", device)]);
    expect(Object.fromEntries(all)).toEqual({
      auto: "f32", // arithmetic is in software
      float32: "f32",
      float: "f32",
      f32: "f32",
      fp32: "f32",
      float16: "f16",
      half: "f16",
      f16: "f16",
      fp16: "f16",
      bfloat16: "bf16",
      bf16: "bf16",
    });
  });

  it("that are not known are refused with the nearest", () => {
    const asked = { model: "m", dtype: "bfloat15" as "bfloat16" };
    expect(() => checkOptions(asked)).toThrow(/TW4216[\s\S]*did you mean 'bfloat16'/);
    expect(() => checkOptions({ ...asked, dtype: "bf16" })).not.toThrow();
  });
});

describe("the dtype of caches", () => {
  const of = (...kinds: string[]) =>
    kinds.map((kind) => ({ kind })) as unknown as CacheUse["layers"];
  const plain = of("attention", "attention");
  const latent = of("attention", "latent-attention");

  it("is what the checkpoint says, where all layers can keep that and nothing else is asked for", () => {
    const layers = plain;
    expect(chooseCacheDtype("auto", "bf16", { layers, keepsBytes: true })).toBe("f8e4m3");
    expect(chooseCacheDtype(undefined, "bf16", { layers, keepsBytes: true })).toBe("f8e4m3");
    expect(chooseCacheDtype("bfloat16", "bf16", { layers, keepsBytes: true })).toBe("bf16");
    expect(chooseCacheDtype("auto", "bf16", { layers, keepsBytes: false })).toBe("bf16");
    expect(chooseCacheDtype("auto", "bf16", { layers: latent, keepsBytes: true })).toBe("bf16");
  });

  it("is that of activations or e4m3", () => {
    expect(chooseCacheDtype("fp8", "f16", { layers: plain })).toBe("f8e4m3");
    expect(() => chooseCacheDtype("fp8", "f16", { layers: latent })).toThrow("TW4250");
    expect(() => chooseCacheDtype("float16", "bf16", { layers: plain })).toThrow(
      /TW4250[\s\S]*float16, and activations of bf16/,
    );
  });

  it.each([
    [{ kv_cache_scheme: { num_bits: 8, type: "float", dynamic: false, strategy: "tensor" } }, true],
    [{ kv_cache_scheme: { num_bits: 8, type: "int" } }, false],
    [{ kv_cache_scheme: { num_bits: 4, type: "float" } }, false],
    [{ kv_cache_scheme: null }, false],
    [{ quant_method: "gptq" }, false],
    [undefined, false],
  ])("by %j of the checkpoint", (section, expected) => {
    expect(keepsBytes(section)).toBe(expected);
  });
});
