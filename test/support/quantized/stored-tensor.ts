/** [test/support/quantized] Tensors as safetensors stores them, made of numbers, and files of them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeArray, encodeArray } from "../../../dsl/index.ts";
import type { Matrix } from "./plain-model.ts";

export interface StoredTensor {
  readonly name: string;
  /** As the format spells it. */
  readonly dtype: "F32" | "F16" | "BF16" | "F8_E4M3" | "I8" | "U8" | "I32" | "I64";
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

const FLOATS = { F32: "f32", F16: "f16", BF16: "bf16", F8_E4M3: "f8e4m3" } as const;
type FloatName = keyof typeof FLOATS;

export function floats(
  name: string,
  dtype: FloatName,
  shape: readonly number[],
  values: ArrayLike<number>,
): StoredTensor {
  return { name, dtype, shape, bytes: encodeArray(FLOATS[dtype], Float32Array.from(values)) };
}

export function matrix(name: string, { rows, columns, values }: Matrix): StoredTensor {
  return floats(name, "F32", [rows, columns], values);
}

/** What is left of a number in a float type. */
export function rounded(dtype: FloatName, value: number): number {
  const bytes = encodeArray(FLOATS[dtype], Float32Array.of(value));
  return Number(decodeArray(FLOATS[dtype], bytes, 1)[0]);
}

export function words(
  name: string,
  shape: readonly number[],
  values: ArrayLike<number>,
): StoredTensor {
  const list = Uint32Array.from(values, (value) => value >>> 0);
  return { name, dtype: "I32", shape, bytes: new Uint8Array(list.buffer) };
}

export function bytesOf(
  name: string,
  dtype: "I8" | "U8",
  shape: readonly number[],
  values: ArrayLike<number>,
): StoredTensor {
  return { name, dtype, shape, bytes: Uint8Array.from(values, (value) => value & 255) };
}

export function longs(
  name: string,
  shape: readonly number[],
  values: readonly number[],
): StoredTensor {
  const list = BigInt64Array.from(values, (value) => BigInt(value));
  return { name, dtype: "I64", shape, bytes: new Uint8Array(list.buffer) };
}

export function writeSafetensors(folder: string, tensors: readonly StoredTensor[]): void {
  let offset = 0;
  const header: Record<string, unknown> = {};
  for (const { name, dtype, shape, bytes } of tensors) {
    header[name] = { dtype, shape, data_offsets: [offset, offset + bytes.byteLength] };
    offset += bytes.byteLength;
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(json.length));
  const parts = [length, json, ...tensors.map(({ bytes }) => bytes)];
  writeFileSync(join(folder, "model.safetensors"), Buffer.concat(parts));
}
