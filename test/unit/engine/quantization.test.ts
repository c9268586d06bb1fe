/** [test/unit/engine] quantization_config: which scheme each module gets, names in their fused and unfused forms, and all that is refused by name. */
import { describe, expect, it } from "vitest";
import { isNamed } from "../../../engine/weights/quantization/module-names.ts";
import { planQuantization } from "../../../engine/weights/quantization/plan.ts";
import { SUPPORTED_SCHEMES } from "../../../engine/weights/quantization/scheme.ts";

const QUERY = "model.layers.3.self_attn.q_proj";
const DOWN = "model.layers.3.mlp.down_proj";

function schemeOf(config: object, name = QUERY) {
  return planQuantization(config)?.schemeOf(name);
}

describe("a list of modules", () => {
  it.each([
    [["model.layers.3.self_attn.q_proj"], true],
    [["self_attn.q_proj"], true],
    [["q_proj"], true],
    [["model.layers.3"], true],
    [["model.layers.3.self_attn.qkv_proj"], true],
    [["re:.*q_proj"], true],
    [["re:model\\.layers\\.3"], true],
    [["re:q_proj"], false],
    [["model.layers.*.self_attn"], true],
    [["model.*.self_attn"], false],
    [["self_attn.*.*"], false],
    [["model.layers.30"], false],
    [["proj"], false],
    [["model.layers.3.self_attn.k_proj"], false],
    [[], false],
  ])("%j names q_proj of layer 3: %s", (patterns, expected) => {
    expect(isNamed(patterns, QUERY)).toBe(expected);
  });

  it("names a fused module by all of its parts", () => {
    const fused = "model.layers.3.mlp.gate_up_proj";
    expect(isNamed(["gate_proj", "up_proj"], fused)).toBe(true);
    expect(isNamed(["gate_proj"], fused)).toBe(false);
  });
});

describe("quantization_config", () => {
  it("gives plain checkpoints no plan", () => {
    expect(planQuantization(undefined)).toBeUndefined();
    expect(planQuantization(null)).toBeUndefined();
  });

  it.each([
    [
      { quant_method: "gptq", bits: 4, group_size: 128 },
      { kind: "gptq", group: 128, adjust: 1 },
    ],
    [
      { quant_method: "gptq", bits: 4, group_size: -1, checkpoint_format: "gptq_v2" },
      { kind: "gptq", group: 0, adjust: 0 },
    ],
    [
      { quant_method: "awq", w_bit: 4, q_group_size: 64 },
      { kind: "awq", group: 64 },
    ],
    [
      { quant_method: "fp8", activation_scheme: "static" },
      {
        kind: "eight-bit",
        dtype: "f8e4m3",
        weights: "tensor",
        scale: "weight_scale",
        activations: "static",
      },
    ],
    [
      { quant_method: "fp8", weight_block_size: [128, 128] },
      {
        kind: "eight-bit",
        dtype: "f8e4m3",
        weights: "block",
        scale: "weight_scale_inv",
        activations: "group",
      },
    ],
    [
      { quant_method: "bitsandbytes", load_in_4bit: true, bnb_4bit_quant_type: "nf4" },
      { kind: "nf4" },
    ],
    [{ quant_method: "mxfp4" }, { kind: "mxfp4" }],
  ])("%j gives %j", (config, expected) => {
    expect(schemeOf(config)).toEqual(expected);
  });

  it("leaves out what its lists name", () => {
    const gptq = { quant_method: "gptq", bits: 4, dynamic: { "-:.*down": {} } };
    expect(schemeOf(gptq)).toBeDefined();
    expect(schemeOf(gptq, DOWN)).toBeUndefined();
    expect(schemeOf(gptq, "lm_head")).toBeUndefined();
    expect(schemeOf({ ...gptq, lm_head: true }, "lm_head")).toBeDefined();
    const fp8 = {
      quant_method: "fp8",
      ignored_layers: [DOWN],
      modules_to_not_convert: ["lm_head"],
    };
    expect(schemeOf(fp8, DOWN)).toBeUndefined();
    expect(schemeOf(fp8, "lm_head")).toBeUndefined();
  });

  it("takes each module by the group that targets it", () => {
    const weights = { num_bits: 8, type: "float", strategy: "channel" };
    const config = {
      quant_method: "compressed-tensors",
      format: "float-quantized",
      config_groups: {
        rest: { targets: ["Linear"], weights, input_activations: null },
        down: {
          targets: ["re:.*down_proj"],
          weights: { num_bits: 4, type: "int", strategy: "group", group_size: 32 },
          format: "pack-quantized",
        },
      },
      ignore: ["lm_head"],
    };
    expect(schemeOf(config)).toMatchObject({ kind: "eight-bit", activations: "none" });
    expect(schemeOf(config, DOWN)).toMatchObject({ kind: "packed", group: 32, bits: 4 });
    expect(schemeOf(config, "lm_head")).toBeUndefined();
  });

  const weights = { num_bits: 4, type: "int", strategy: "group", group_size: 32 };
  const compressed = (format: string, group: object) => ({
    quant_method: "compressed-tensors",
    format,
    config_groups: { group_0: group },
  });
  it.each([
    [{ quant_method: "aqlm" }, "aqlm"],
    [{}, "undefined"],
    [{ quant_method: "gptq", bits: 3 }, "gptq with 3 bits"],
    [{ quant_method: "gptq", bits: 8 }, "gptq with 8 bits"],
    [{ quant_method: "gptq", bits: 4, checkpoint_format: "marlin" }, "gptq in format marlin"],
    [{ quant_method: "gptq", bits: 4, dynamic: { "+:a": {} } }, "a rule of its own for +:a"],
    [{ quant_method: "awq", bits: 8 }, "awq with 8 bits"],
    [{ quant_method: "awq", bits: 4, version: "gemv" }, "awq in version gemv"],
    [{ quant_method: "fp8", weight_block_size: [64, 64] }, "fp8 with blocks of 64×64"],
    [{ quant_method: "bitsandbytes", load_in_8bit: true }, "bitsandbytes with 8 bits"],
    [{ quant_method: "bitsandbytes", load_in_4bit: true }, "bitsandbytes with fp4"],
    [compressed("nvfp4-pack-quantized", { weights }), "nvfp4-pack-quantized"],
    [compressed("pack-quantized", { weights: { ...weights, num_bits: 3 } }), "3-bit int"],
    [compressed("int-quantized", { weights }), "4-bit int"],
    [
      compressed("int-quantized", {
        weights: { num_bits: 8, type: "int", strategy: "channel" },
        input_activations: {
          num_bits: 8,
          type: "int",
          symmetric: false,
          dynamic: true,
          strategy: "token",
        },
      }),
      "activations of 8-bit int, asymmetric",
    ],
  ])("%j is refused by name", (config, name) => {
    expect(() => planQuantization(config)).toThrow(name);
    expect(() => planQuantization(config)).toThrow(SUPPORTED_SCHEMES);
  });

  it.each([
    [{ quant_method: "gptq", bits: 4, dynamic: { "-:(": {} } }],
    [{ quant_method: "awq", bits: 4, modules_to_not_convert: ["re:(?i)head"] }],
    [{ ...compressed("pack-quantized", { weights }), ignore: ["re:["] }],
  ])("%j holds an expression that is none", (config) => {
    expect(() => schemeOf(config)).toThrow(/TW4211[\s\S]*expression/);
  });

  it("says which field does not fit", () => {
    expect(() => planQuantization({ quant_method: "gptq", bits: "four" })).toThrow(
      /TW4211[\s\S]*quantization_config\.bits/,
    );
  });
});
