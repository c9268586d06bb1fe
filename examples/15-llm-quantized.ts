/** [examples] 15: a quantized model by its method, line by line from vLLM's; the 4-bit checkpoint is made here of the story model, in AWQ's layout. */
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
// from vllm import LLM, SamplingParams
import {
  type Device,
  type DType,
  decodeArray,
  encodeArray,
  LLM,
  type RequestOutput,
} from "../index.ts";
import { check, type Example, runByHand } from "./example.ts";

const STORY = fileURLToPath(new URL("./models/story-1m", import.meta.url));
const GROUP = 64;
const LEVELS = 15;
/** The place of each of eight neighbours in a word. @source AutoAWQ's gemm layout */
const ORDER = [0, 2, 4, 6, 1, 3, 5, 7] as const;

interface Stored {
  readonly dtype: "F32" | "F16" | "I32";
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}
interface Weight {
  readonly rows: number;
  readonly inputs: number;
  readonly values: ArrayLike<number>;
}

/** Tensors of a safetensors file: a length, a header of JSON, the bytes. */
function readTensors(path: string): ReadonlyMap<string, Weight> {
  const file = readFileSync(path);
  const start = 8 + Number(file.readBigUInt64LE(0));
  const header = JSON.parse(file.toString("utf8", 8, start)) as Readonly<
    Record<
      string,
      { readonly shape: readonly number[]; readonly data_offsets: readonly [number, number] }
    >
  >;
  const tensors = new Map<string, Weight>();
  for (const [name, { shape, data_offsets: at }] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [rows = 1, inputs = 1] = shape.length === 1 ? [1, shape[0]] : shape;
    const bytes = file.subarray(start + at[0], start + at[1]);
    tensors.set(name, { rows, inputs, values: decodeArray("bf16", bytes, rows * inputs) });
  }
  return tensors;
}

function writeTensors(path: string, tensors: ReadonlyMap<string, Stored>): void {
  let at = 0;
  const header: Record<string, object> = {};
  for (const [name, { dtype, shape, bytes }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.byteLength] };
    at += bytes.byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.byteLength));
  writeFileSync(
    path,
    Buffer.concat([length, text, ...[...tensors.values()].map(({ bytes }) => bytes)]),
  );
}

const stored = (
  dtype: "F32" | "F16",
  shape: readonly number[],
  values: ArrayLike<number>,
): Stored => ({
  dtype,
  shape,
  bytes: encodeArray(dtype.toLowerCase() as DType, values),
});

/** Rows of 4-bit codes with a scale and a zero for each group of inputs: AWQ's three tensors, and the weight that they stand for. */
function quantize({ rows, inputs, values }: Weight) {
  const groups = inputs / GROUP;
  const [codes, zeros] = [new Int32Array((inputs * rows) / 8), new Int32Array((groups * rows) / 8)];
  const [scales, plain] = [new Float32Array(groups * rows), new Float32Array(rows * inputs)];
  const put = (words: Int32Array, line: number, row: number, code: number) => {
    const word = (line * rows + row) >> 3;
    words[word] =
      (words[word] ?? 0) | (code << (4 * ORDER.indexOf((row % 8) as (typeof ORDER)[number])));
  };
  for (let row = 0; row < rows; row++) {
    for (let group = 0; group < groups; group++) {
      const start = row * inputs + group * GROUP;
      const part = Array.from({ length: GROUP }, (_, i) => values[start + i] ?? 0);
      const [low, high] = [Math.min(0, ...part), Math.max(0, ...part)];
      const [scale = 1] = decodeArray("f16", encodeArray("f16", [(high - low) / LEVELS || 1]), 1);
      const zero = Math.min(LEVELS, Math.max(0, Math.round(-low / scale)));
      scales[group * rows + row] = scale;
      put(zeros, group, row, zero);
      for (const [i, value] of part.entries()) {
        const code = Math.min(LEVELS, Math.max(0, Math.round(value / scale) + zero));
        put(codes, group * GROUP + i, row, code);
        plain[start + i] = (code - zero) * scale;
      }
    }
  }
  const words = (lines: number, data: Int32Array): Stored => ({
    dtype: "I32",
    shape: [lines, rows / 8],
    bytes: new Uint8Array(data.buffer),
  });
  return {
    plain,
    tensors: {
      qweight: words(inputs, codes),
      qzeros: words(groups, zeros),
      scales: stored("F16", [groups, rows], scales),
    },
  };
}

/** The story model in 4 bits, and the same weights as floats, to compare with. */
function writeCheckpoints(quantized: string, floats: string): void {
  const [small, large] = [new Map<string, Stored>(), new Map<string, Stored>()];
  for (const [name, weight] of readTensors(join(STORY, "model.safetensors"))) {
    const shape = weight.rows === 1 ? [weight.inputs] : [weight.rows, weight.inputs];
    const isLinear = name.endsWith("_proj.weight");
    const made = isLinear ? quantize(weight) : undefined;
    large.set(name, stored("F32", shape, made?.plain ?? weight.values));
    if (made === undefined) small.set(name, stored("F16", shape, weight.values));
    for (const [part, tensor] of Object.entries(made?.tensors ?? {}))
      small.set(name.replace("weight", part), tensor);
  }
  for (const folder of [quantized, floats]) cpSync(STORY, folder, { recursive: true });
  writeTensors(join(quantized, "model.safetensors"), small);
  writeTensors(join(floats, "model.safetensors"), large);
  const config = JSON.parse(readFileSync(join(STORY, "config.json"), "utf8")) as object;
  const quantization_config = {
    quant_method: "awq",
    bits: 4,
    group_size: GROUP,
    version: "gemm",
    zero_point: true,
  };
  writeFileSync(join(quantized, "config.json"), JSON.stringify({ ...config, quantization_config }));
}

async function generate(
  device: Device,
  model: string,
  quantization?: string,
): Promise<RequestOutput> {
  // llm = LLM(model="…", quantization="awq")
  const method = quantization === undefined ? {} : { quantization };
  const llm = new LLM({ model, ...method, device, dtype: "float32", maxModelLen: 64 });
  try {
    // output = llm.generate("…", SamplingParams(temperature=0, max_tokens=12, logprobs=3))[0]
    const params = { temperature: 0, maxTokens: 12, logprobs: 3 };
    const [output] = await llm.generate("Once upon a time", params);
    if (output === undefined) throw new Error("a prompt got no output");
    return output;
  } finally {
    await llm.close();
  }
}

export const main: Example = async (device) => {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-example-"));
  const [quantized, floats] = [join(folder, "awq"), join(folder, "floats")];
  try {
    writeCheckpoints(quantized, floats);
    const bytes = (model: string) => statSync(join(model, "model.safetensors")).size;
    console.log(`${bytes(floats)} bytes in 32 bits, ${bytes(quantized)} with the products in 4`);
    const [four, full] = [await generate(device, quantized, "awq"), await generate(device, floats)];
    console.log(`Once upon a time${four.text}`);
    if (four.text !== full.text) throw new Error(`'${four.text}' is not '${full.text}'`);
    const likelihoods = ({ logprobs }: RequestOutput) =>
      logprobs.flatMap(({ top }) => top.map(({ logprob }) => logprob));
    check("log-probabilities", likelihoods(four), likelihoods(full), 2e-3);

    // A method that the checkpoint does not have is refused.
    const refusal = await generate(device, STORY, "awq").catch((error: unknown) => error);
    if (!(refusal instanceof Error)) throw new Error("plain weights were taken for quantized ones");
    console.log(refusal.message.split("\n")[0]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

await runByHand(import.meta.url, main);
