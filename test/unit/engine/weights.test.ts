/** [test/unit/engine] Weight files and configs: what is well-formed is read, everything else is refused with its reason. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeArray } from "../../../dsl/index.ts";
import { ropeTable } from "../../../engine/layers/rope-table.ts";
import { findFamily } from "../../../engine/models/catalogue.ts";
import { Checkpoint } from "../../../engine/weights/checkpoint.ts";
import { readModelConfig } from "../../../engine/weights/model-config.ts";
import { SafetensorsFile } from "../../../engine/weights/safetensors.ts";

function fileOf(
  header: unknown,
  data: Uint8Array | readonly number[],
  name = "model.safetensors",
): string {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-weights-"));
  const json = Buffer.from(typeof header === "string" ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  writeFileSync(join(folder, name), Buffer.concat([length, json, Buffer.from(data)]));
  return folder;
}

const entry = (start: number, end: number, shape: readonly number[], dtype = "F32") => ({
  dtype,
  shape,
  data_offsets: [start, end],
});
const ONE_TWO = new Uint8Array(Float32Array.of(1, 2).buffer);

describe("safetensors", () => {
  it("reads a tensor and converts it", () => {
    const checkpoint = new Checkpoint(
      fileOf({ __metadata__: { format: "pt" }, a: entry(0, 8, [2]) }, ONE_TWO),
    );
    const read = checkpoint.read("a", [2], "bf16");
    expect(Array.from(decodeArray("bf16", read?.bytes ?? new Uint8Array(4), 2))).toEqual([1, 2]);
    expect(() => checkpoint.finish()).not.toThrow();
  });

  it.each([
    ["a hole", { a: entry(0, 4, [1]), b: entry(8, 12, [1]) }, 12],
    ["an overlap", { a: entry(0, 8, [2]), b: entry(4, 12, [2]) }, 12],
    ["bytes after the last tensor", { a: entry(0, 4, [1]) }, 8],
    ["a tensor past the end", { a: entry(0, 8, [2]) }, 4],
    ["a shape that does not fit its bytes", { a: entry(0, 8, [3]) }, 8],
    ["offsets that run backwards", { a: entry(8, 0, [2]) }, 8],
    ["a negative size", { a: entry(0, 8, [-2]) }, 8],
    ["an entry without a dtype", { a: { shape: [1], data_offsets: [0, 4] } }, 4],
    ["a header that is no JSON", "{nonsense", 0],
    ["a header that is a list", "[]", 0],
  ])("refuses %s", (_name, header, bytes) => {
    const folder = fileOf(header, new Uint8Array(bytes));
    expect(() => new SafetensorsFile(join(folder, "model.safetensors"))).toThrow("TW4202");
  });

  it("refuses a header longer than the file", () => {
    const folder = mkdtempSync(join(tmpdir(), "tilewright-weights-"));
    writeFileSync(
      join(folder, "model.safetensors"),
      Buffer.from([255, 255, 0, 0, 0, 0, 0, 0, 123]),
    );
    expect(() => new Checkpoint(folder)).toThrow("TW4202");
  });

  it("bug class 37, tensors silently missing: each missing, misshapen and unexpected one is named", () => {
    const checkpoint = new Checkpoint(
      fileOf({ a: entry(0, 8, [2]), stray: entry(8, 12, [1]) }, new Uint8Array(12)),
    );
    checkpoint.read("a", [1, 2], "f32");
    checkpoint.read("b", [3], "f32");
    expect(() => checkpoint.finish()).toThrow(
      /'a' is not what the model needs[\s\S]*'b' is missing[\s\S]*stray/,
    );
  });
});

describe("config", () => {
  it.each([
    ["no config.json", undefined, "TW4210"],
    ["a file that is no JSON", "{", "TW4210"],
    ["a missing field", JSON.stringify({ architectures: ["LlamaForCausalLM"] }), "TW4211"],
  ])("refuses %s", (_name, text, code) => {
    const folder = mkdtempSync(join(tmpdir(), "tilewright-config-"));
    if (text !== undefined) writeFileSync(join(folder, "config.json"), text);
    expect(() => readModelConfig(folder)).toThrow(code);
  });

  it("refuses an unknown architecture with the list of the known", () => {
    expect(() => findFamily(["BertModel"])).toThrow(
      /TW4215[\s\S]*BertModel[\s\S]*LlamaForCausalLM.*Qwen3ForCausalLM/,
    );
  });
});

describe("rope tables", () => {
  const options = (parameters: object) => ({
    headDim: 8,
    maxPositions: 4,
    trainedPositions: 64,
    parameters: { rope_theta: 10000, rope_type: "default", ...parameters },
  });

  it("has cosines then sines of position times frequency", () => {
    const table = ropeTable(options({}));
    expect(table[8 * 3]).toBeCloseTo(Math.cos(3), 6);
    expect(table[8 * 3 + 4 + 1]).toBeCloseTo(Math.sin(3 * 10000 ** (-2 / 8)), 6);
  });

  it("stretches positions by a linear factor", () => {
    const table = ropeTable(options({ rope_type: "linear", factor: 3 }));
    expect(table[8 * 3]).toBeCloseTo(Math.cos(1), 6);
  });

  it("keeps high and stretches low frequencies in llama3 scaling", () => {
    const parameters = {
      rope_type: "llama3",
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 64,
    };
    const table = ropeTable(options(parameters));
    expect(table[8]).toBeCloseTo(Math.cos(1), 6); // wavelength 6.3, below 64 / 4
    expect(table[8 + 4 + 3]).toBeCloseTo(Math.sin(10000 ** (-6 / 8) / 8), 9); // wavelength 6283, above 64
  });

  it("raises the amplitude in yarn scaling", () => {
    const table = ropeTable(
      options({ rope_type: "yarn", factor: 4, original_max_position_embeddings: 64 }),
    );
    expect(table[0]).toBeCloseTo(0.1 * Math.log(4) + 1, 6);
  });

  it.each([
    ["linear", {}, "factor"],
    ["dynamic", {}, "factor"],
    ["llama3", { low_freq_factor: 1, high_freq_factor: 4 }, "factor"],
    ["llama3", { factor: 8, high_freq_factor: 4 }, "low_freq_factor"],
    ["llama3", { factor: 8, low_freq_factor: 1 }, "high_freq_factor"],
  ])("refuses %s scaling of %j", (rope_type, numbers, missing) => {
    const table = () => ropeTable(options({ rope_type, ...numbers }));
    expect(table).toThrow(new RegExp(`TW4213[\\s\\S]*needs '${missing}'[\\s\\S]*remedy`));
  });

  it("refuses a table that no host could hold", () => {
    expect(() => ropeTable({ ...options({}), maxPositions: 2 ** 31 - 1 })).toThrow("TW4104");
  });

  it("refuses a scaling that it does not know", () => {
    expect(() => ropeTable(options({ rope_type: "spiral" }))).toThrow("TW4213");
  });
});

describe("a checkpoint with another layout", () => {
  const numbers = new Uint8Array(Float32Array.from({ length: 12 }, (_, i) => i).buffer);
  const layout = { optionalPrefix: "model.", transposed: /fc$/ };

  it.each([
    ["the swapped dims of a matrix", [2, 3], [3, 2], [0, 3, 1, 4, 2, 5]],
    ["the last two dims alone", [2, 2, 3], [2, 3, 2], [0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11]],
  ])("gives %s as layers ask for them", (_, stored, asked, expected) => {
    const count = expected.length;
    const checkpoint = new Checkpoint(
      fileOf({ fc: entry(0, 4 * count, stored) }, numbers.subarray(0, 4 * count)),
      layout,
    );
    expect(checkpoint.has("model.fc")).toBe(true);
    const read = checkpoint.read("model.fc", asked, "f32");
    expect(read?.shape).toEqual(asked);
    expect(Array.from(decodeArray("f32", read?.bytes ?? numbers, count))).toEqual(expected);
    expect(() => checkpoint.finish()).not.toThrow();
  });

  it("names what is missing as it is asked for, in the shape that the file should have", () => {
    const checkpoint = new Checkpoint(fileOf({ b: entry(0, 8, [2]) }, ONE_TWO), layout);
    checkpoint.read("model.fc", [5, 7], "f32");
    checkpoint.skip("model.b");
    expect(() => checkpoint.finish()).toThrow(/'model.fc' is missing[\s\S]*\[7, 5\]/);
  });
});

describe("fields of config.json under older names", () => {
  const GPT2 = { n_embd: 48, n_layer: 1, n_head: 4, n_positions: 64, vocab_size: 10 };

  it("are read as the usual ones, with an empty n_inner as four times n_embd", () => {
    const folder = mkdtempSync(join(tmpdir(), "tilewright-weights-"));
    const config = { ...GPT2, n_inner: null, architectures: ["GPT2LMHeadModel"] };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config));
    const read = readModelConfig(folder);
    expect(read).toMatchObject({ hidden_size: 48, intermediate_size: 192 });
    expect(read).toMatchObject({ num_attention_heads: 4, max_position_embeddings: 64 });
  });
});
