/** [engine/weights/quantization] Modules of GPTQ, AWQ and pack-quantized checkpoints: codes of 4 bits out of 32-bit words, to rows of u4. */
import type { Checkpoint, HostTensor } from "../checkpoint.ts";
import { columnOrder } from "./column-order.ts";
import { FLOATS, type FourBitRows, transpose, wordsOf } from "./quantized-weight.ts";
import type { AwqScheme, GptqScheme, PackedScheme } from "./scheme.ts";

/** Sizes of a module's weight. */
export interface ModuleSize {
  readonly name: string;
  readonly rows: number;
  readonly inputs: number;
}

const IN_WORD = 8;
/** Column of a word's eight that each of its nibbles holds, lowest first. @source AutoAWQ, awq/utils/packing_utils.py */
const AWQ_ORDER: readonly number[] = [0, 2, 4, 6, 1, 3, 5, 7];
const PLAIN_ORDER: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7];

/** Numbers of 4 bits from words `[count, across]`, along the second dim, in the order of a word. @returns `[count, across · 8]` */
function unpackWords(
  { shape, ...tensor }: HostTensor,
  order: readonly number[],
): { readonly values: Uint8Array; readonly width: number } {
  const words = wordsOf({ shape, ...tensor });
  const values = new Uint8Array(words.length * IN_WORD);
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    for (let j = 0; j < IN_WORD; j++)
      values[i * IN_WORD + (order[j] ?? 0)] = (word >>> (4 * j)) & 15;
  }
  return { values, width: (shape[1] ?? 0) * IN_WORD };
}

/** Numbers `[rows, columns]` as u4, two a byte. */
function packRows(values: Uint8Array, rows: number, columns: number): HostTensor {
  const bytes = new Uint8Array((rows * columns) / 2);
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (values[2 * i] ?? 0) | ((values[2 * i + 1] ?? 0) << 4);
  return { dtype: "u4", shape: [rows, columns], bytes };
}

function turned(values: Uint8Array, rows: number, columns: number): Uint8Array {
  return transpose({ dtype: "u8", shape: [rows, columns], bytes: values }).bytes;
}

export function groupsOf(inputs: number, group: number): number {
  return group === 0 ? 1 : inputs / group;
}

/** Columns of `[rows, columns]` in another order. */
function reorder(values: Uint8Array, rows: number, order: Int32Array): Uint8Array {
  const columns = order.length;
  const to = new Uint8Array(values.length);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++)
      to[r * columns + c] = values[r * columns + (order[c] ?? 0)] ?? 0;
  return to;
}

export function readGptq(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
  { group, adjust }: GptqScheme,
): FourBitRows | undefined {
  const groups = groupsOf(inputs, group);
  const packed = checkpoint.stored(`${name}.qweight`, ["i32"], [[inputs / IN_WORD, rows]]);
  const zeros = checkpoint.stored(`${name}.qzeros`, ["i32"], [[groups, rows / IN_WORD]]);
  const scale = checkpoint.stored(`${name}.scales`, FLOATS, [[groups, rows]]);
  const hasIndex = checkpoint.has(`${name}.g_idx`);
  const index = hasIndex ? checkpoint.stored(`${name}.g_idx`, ["i32"], [[inputs]]) : undefined;
  if (packed === undefined || zeros === undefined || scale === undefined) return undefined;
  const order = columnOrder(`${name}.g_idx`, index, groups);
  // A word holds eight columns of one row, as a row of codes does.
  let codes: HostTensor = { dtype: "u4", shape: [rows, inputs], bytes: transpose(packed).bytes };
  if (order !== undefined) {
    const { values } = unpackWords(transpose(packed), PLAIN_ORDER);
    codes = packRows(reorder(values, rows, order), rows, inputs);
  }
  const { values, width } = unpackWords(zeros, PLAIN_ORDER);
  const adjusted = turned(values, groups, width).map((zero) => (zero + adjust) & 15);
  return { codes, scale: transpose(scale), zeros: adjusted, order };
}

/** Words `[inputs, rows / 8]` to rows of codes, two neighbouring columns a byte. */
function turnAwq(words: Uint32Array, rows: number, inputs: number): Uint8Array {
  const to = new Uint8Array((rows * inputs) / 2);
  const [across, pairs] = [rows / IN_WORD, inputs / 2];
  for (let block = 0; block < across; block++)
    for (let pair = 0; pair < pairs; pair++) {
      const first = words[2 * pair * across + block] ?? 0;
      const second = words[(2 * pair + 1) * across + block] ?? 0;
      for (let j = 0; j < IN_WORD; j++) {
        const row = block * IN_WORD + (AWQ_ORDER[j] ?? 0);
        to[row * pairs + pair] = ((first >>> (4 * j)) & 15) | (((second >>> (4 * j)) & 15) << 4);
      }
    }
  return to;
}

export function readAwq(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
  { group }: AwqScheme,
): FourBitRows | undefined {
  const groups = groupsOf(inputs, group);
  const packed = checkpoint.stored(`${name}.qweight`, ["i32"], [[inputs, rows / IN_WORD]]);
  const zeros = checkpoint.stored(`${name}.qzeros`, ["i32"], [[groups, rows / IN_WORD]]);
  const scale = checkpoint.stored(`${name}.scales`, FLOATS, [[groups, rows]]);
  if (packed === undefined || zeros === undefined || scale === undefined) return undefined;
  const zero = unpackWords(zeros, AWQ_ORDER);
  return {
    codes: { dtype: "u4", shape: [rows, inputs], bytes: turnAwq(wordsOf(packed), rows, inputs) },
    scale: transpose(scale),
    zeros: turned(zero.values, groups, zero.width),
    order: undefined,
  };
}

export function readPacked(
  checkpoint: Checkpoint,
  { name, rows, inputs }: ModuleSize,
  { group, hasZeros, isReordered }: PackedScheme,
): FourBitRows | undefined {
  const groups = groupsOf(inputs, group);
  checkpoint.skip(`${name}.weight_shape`);
  const packed = checkpoint.stored(`${name}.weight_packed`, ["i32"], [[rows, inputs / IN_WORD]]);
  const scale = checkpoint.stored(`${name}.weight_scale`, FLOATS, [[rows, groups]]);
  const zeros = hasZeros
    ? checkpoint.stored(`${name}.weight_zero_point`, ["i32"], [[rows / IN_WORD, groups]])
    : undefined;
  const index = isReordered
    ? checkpoint.stored(`${name}.weight_g_idx`, ["i32"], [[inputs]])
    : undefined;
  if (packed === undefined || scale === undefined || (hasZeros && zeros === undefined))
    return undefined;
  const order = columnOrder(`${name}.weight_g_idx`, index, groups);
  let codes: HostTensor = { dtype: "u4", shape: [rows, inputs], bytes: packed.bytes };
  if (order !== undefined)
    codes = packRows(reorder(unpackWords(packed, PLAIN_ORDER).values, rows, order), rows, inputs);
  // Zero points lie in words along the rows.
  const points = zeros && unpackWords(transpose(zeros), PLAIN_ORDER);
  return { codes, scale, zeros: points && turned(points.values, groups, points.width), order };
}
