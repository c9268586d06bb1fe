/**
 * [test/engine] gpt-oss as it is released, experts in common tensors of mxfp4 and the rest in floats, run whole: it gives what the same
 * checkpoint gives whose experts are floats again, decoded by plain loops. That the float form is right hf-tiny.test.ts shows.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { decodeArray } from "../../dsl/index.ts";
import { Engine } from "../../engine/engine.ts";
import { RequestGroup } from "../../engine/request-group.ts";
import type { Device } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";
import { mxfp4 } from "../support/quantized/four-bit.ts";
import { floats, type StoredTensor, writeSafetensors } from "../support/quantized/stored-tensor.ts";
import { readJson, sharedFolder } from "../support/shared-models.ts";

/** As the released checkpoints have it. */
const RELEASED = {
  quant_method: "mxfp4",
  modules_to_not_convert: [
    "model.layers.*.self_attn",
    "model.layers.*.mlp.router",
    "model.embed_tokens",
    "lm_head",
  ],
};
const PROMPTS = [
  [1, 17, 250, 33, 8, 121],
  [1, 300, 5, 5, 64, 199, 77, 12, 290, 41],
];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Header {
  readonly dtype: StoredTensor["dtype"];
  readonly shape: readonly number[];
  readonly data_offsets: readonly [number, number];
}

function readTensors(file: string): readonly StoredTensor[] {
  const bytes = readFileSync(file);
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString("utf8")) as object;
  return Object.entries(header).flatMap(([name, entry]) => {
    if (name === "__metadata__") return [];
    const { dtype, shape, data_offsets: at } = entry as Header;
    const data = bytes.subarray(8 + length + at[0], 8 + length + at[1]);
    return [{ name, dtype, shape, bytes: Uint8Array.from(data) }];
  });
}

/** Experts `[E, K, N]` of bf16, in mxfp4 `[E, N, K]` and as the floats `[E, K, N]` that this stands for. */
function convert({ name, shape, bytes }: StoredTensor) {
  const [experts = 0, inputs = 0, rows = 0] = shape;
  const values = decodeArray("bf16", bytes, experts * inputs * rows);
  const turned = new Float64Array(values.length);
  const place = (i: number): number => {
    const [e, k, n] = [Math.floor(i / (inputs * rows)), Math.floor(i / rows) % inputs, i % rows];
    return (e * rows + n) * inputs + k;
  };
  for (let i = 0; i < turned.length; i++) turned[place(i)] = Number(values[i]);
  const encoded = mxfp4(name, { rows: experts * rows, columns: inputs, values: turned });
  const packed = encoded.tensors.map((tensor) => ({
    ...tensor,
    name: tensor.name.replace(".weight_", "_"),
    shape: [experts, rows, ...tensor.shape.slice(1)],
  }));
  const plain = Float64Array.from(turned, (_, i) => encoded.weight.values[place(i)] ?? Number.NaN);
  return { packed, plain: floats(name, "F32", shape, plain) };
}

function write(
  source: string,
  tensors: readonly StoredTensor[],
  fields: Readonly<Record<string, unknown>>,
): string {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-gpt-oss-"));
  folders.push(folder);
  const config = readJson<Record<string, unknown>>(source, "config.json");
  writeFileSync(join(folder, "config.json"), JSON.stringify({ ...config, ...fields }));
  writeSafetensors(folder, tensors);
  return folder;
}

/** Log-probabilities of prompts and new tokens, and the tokens. */
async function outputsOf(model: string, device: Device) {
  const engine = await Engine.load({ model, device, dtype: "float32", maxModelLen: 64 });
  try {
    const params = {
      maxTokens: 3,
      temperature: 0,
      ignoreEos: true,
      logprobs: 0,
      promptLogprobs: 0,
    };
    const outputs = await new RequestGroup(engine, PROMPTS, params).finish();
    return {
      tokens: outputs.map(({ tokenIds }) => tokenIds),
      numbers: outputs.flatMap(({ logprobs, promptLogprobs }) =>
        [...promptLogprobs.slice(1), ...(logprobs ?? [])].map(
          (entry) => entry?.logprob ?? Number.NaN,
        ),
      ),
    };
  } finally {
    await engine.close();
  }
}

function distance(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? Number.NaN))));
}

const source = sharedFolder("gpt-oss in mxfp4", "fixtures/hf-tiny/gpt-oss");
if (source !== undefined) {
  const stored = readTensors(join(source, "model.safetensors"));
  const isExperts = ({ name }: StoredTensor) => /\.experts\.(gate_up|down)_proj$/.test(name);
  const converted = stored.filter(isExperts).map(convert);
  const rest = stored.filter((tensor) => !isExperts(tensor));

  await describeDevices(
    "gpt-oss in mxfp4",
    (device) => {
      it("gives what its experts give as floats", async () => {
        expect(converted).toHaveLength(6);
        const packed = [...rest, ...converted.flatMap((one) => one.packed)];
        const plain = [...rest, ...converted.map((one) => one.plain)];
        const seen = await outputsOf(
          write(source, packed, { quantization_config: RELEASED }),
          device,
        );
        const expected = await outputsOf(write(source, plain, {}), device);
        expect(seen.numbers).toHaveLength(PROMPTS.flat().length - PROMPTS.length + 6);
        expect(distance(seen.numbers, expected.numbers)).toBeLessThan(1e-3);
        expect(seen.tokens).toEqual(expected.tokens);
        // Other numbers than those of the weights before they were rounded, or nothing was compared.
        expect(distance(seen.numbers, (await outputsOf(source, device)).numbers)).toBeGreaterThan(
          2e-3,
        );
      });
    },
    ["interpreter", "cuda"],
  );
}
