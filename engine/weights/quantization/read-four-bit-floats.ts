/** [engine/weights/quantization] Modules of bitsandbytes nf4 and of mxfp4: codes of 4-bit floats with scales of blocks along K. */
import { z } from "zod";
import { ModelError } from "../../../dsl/index.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { FLOATS, type FourBitRows, floatsOf, floatTensor } from "./quantized-weight.ts";
import type { ModuleSize } from "./read-gptq.ts";
import { refuse } from "./scheme.ts";

const stateSchema = z.object({
  quant_type: z.string().default("nf4"),
  blocksize: z.number().int().positive(),
  nested_blocksize: z.number().int().positive().optional(),
  nested_offset: z.number().optional(),
});

/** The numbers of nf4, rounded. @source arXiv 2305.14314 (QLoRA), appendix E */
const NF4: readonly number[] = [
  -1, -0.6962, -0.5251, -0.3949, -0.2844, -0.1848, -0.0911, 0, 0.0796, 0.1609, 0.2461, 0.3379,
  0.4407, 0.5626, 0.723, 1,
];

/** Columns of the smallest group that the kernels read; they take powers of two. */
const LEAST_BLOCK = 16;

/** The first of two codes is in the upper half of a byte there, in the lower half here. */
function swapHalves(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => (byte >>> 4) | ((byte & 15) << 4));
}

function readState(checkpoint: Checkpoint, name: string) {
  const [found] = checkpoint.names.filter((one) => one.startsWith(`${name}.quant_state.`));
  const shape = found === undefined ? undefined : checkpoint.find(found)?.shape;
  const key = found ?? `${name}.quant_state.bitsandbytes__nf4`;
  const tensor = checkpoint.stored(key, ["u8"], [shape ?? [0]]);
  if (tensor === undefined) return undefined;
  try {
    const text = new TextDecoder().decode(tensor.bytes);
    return stateSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ModelError(
      {
        code: "TW4240",
        message: `tensor '${key}' does not describe a quantized weight`,
        seen: cause instanceof Error ? cause.message : String(cause),
        expected: "JSON with quant_type and blocksize",
        remedy: "download the checkpoint again",
      },
      { cause },
    );
  }
}

/** Scales of blocks; those that are themselves quantized are looked up, scaled and shifted. */
function readScales(
  checkpoint: Checkpoint,
  name: string,
  count: number,
  nestedBlock: number | undefined,
  offset: number,
): Float32Array | undefined {
  if (nestedBlock === undefined) {
    const plain = checkpoint.stored(`${name}.absmax`, ["f32"], [[count]]);
    return plain && floatsOf(plain);
  }
  const blocks = Math.ceil(count / nestedBlock);
  const codes = checkpoint.stored(`${name}.absmax`, ["u8"], [[count]]);
  const table = checkpoint.stored(`${name}.nested_quant_map`, FLOATS, [[256]]);
  const scale = checkpoint.stored(`${name}.nested_absmax`, FLOATS, [[blocks]]);
  if (codes === undefined || table === undefined || scale === undefined) return undefined;
  const [values, scales] = [floatsOf(table), floatsOf(scale)];
  return Float32Array.from(codes.bytes, (code, i) => {
    return (values[code] ?? 0) * (scales[Math.floor(i / nestedBlock)] ?? 0) + offset;
  });
}

export function readNf4(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
): FourBitRows | undefined {
  const weight = `${name}.weight`;
  const state = readState(checkpoint, weight);
  const elements = rows * inputs;
  const packed = checkpoint.stored(weight, ["u8"], [[elements / 2, 1], [elements / 2]]);
  const map = checkpoint.stored(`${weight}.quant_map`, FLOATS, [[16]]);
  if (state === undefined || packed === undefined || map === undefined) return undefined;
  const { blocksize: block, quant_type: type } = state;
  const isNf4 = floatsOf(map).every((value, code) => Math.abs(value - (NF4[code] ?? 2)) < 1e-3);
  if (type !== "nf4" || !isNf4) return refuse(`bitsandbytes with ${type} in '${weight}'`);
  if (inputs % block !== 0)
    return refuse(`bitsandbytes with blocks of ${block} across rows of ${inputs} in '${weight}'`);
  if (block < LEAST_BLOCK || (block & (block - 1)) !== 0)
    return refuse(`bitsandbytes with blocks of ${block} in '${weight}'`);
  const count = elements / block;
  const { nested_blocksize: nested, nested_offset: offset = 0 } = state;
  const isNested = checkpoint.has(`${weight}.nested_absmax`);
  const scales = readScales(
    checkpoint,
    weight,
    count,
    isNested ? (nested ?? 256) : undefined,
    offset,
  );
  if (scales === undefined) return undefined;
  return {
    codes: { dtype: "nf4", shape: [rows, inputs], bytes: swapHalves(packed.bytes) },
    scale: floatTensor(scales, [rows, inputs / block]),
    zeros: undefined,
    order: undefined,
  };
}

/** Columns that share an exponent. */
const MX_GROUP = 32;

export function readMxfp4(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
): FourBitRows | undefined {
  const groups = inputs / MX_GROUP;
  const blocks = `${name}.weight_blocks`;
  const packed = checkpoint.stored(blocks, ["u8"], [[rows, groups, MX_GROUP / 2]]);
  const scale = checkpoint.stored(`${name}.weight_scales`, ["u8"], [[rows, groups]]);
  if (packed === undefined || scale === undefined) return undefined;
  return {
    codes: { dtype: "f4e2m1", shape: [rows, inputs], bytes: packed.bytes },
    scale: { ...scale, dtype: "f8e8m0" },
    zeros: undefined,
    order: undefined,
  };
}
