/** [test/support/quantized] Weights to 4 bits as GPTQ, AWQ, compressed-tensors, bitsandbytes and MX store them, and the numbers that those stand for. */
import type { Matrix, Module, Random } from "./plain-model.ts";
import { bytesOf, floats, longs, rounded, type StoredTensor, words } from "./stored-tensor.ts";

/** A module as it is stored and as it must be computed. */
export interface Encoded extends Module {
  readonly tensors: readonly StoredTensor[];
}

export interface Grouping {
  /** Columns that share a scale; 0 for all. */
  readonly group: number;
  readonly isSymmetric: boolean;
  /** Group of each column; in order where absent. */
  readonly index?: readonly number[] | undefined;
  readonly scales: "F16" | "BF16" | "F32";
  readonly bits: 4 | 8;
}

interface Codes {
  /** `[rows, columns]` */
  readonly codes: Uint8Array;
  /** `[rows, groups]` */
  readonly zeros: Uint8Array;
  readonly scales: Float64Array;
  readonly groups: number;
  readonly weight: Matrix;
}

/** Rounds a weight to codes with a scale and a zero point for each group of columns of a row. */
function toCodes(
  weight: Matrix,
  { group, isSymmetric, index, scales: dtype, bits }: Grouping,
): Codes {
  const { rows, columns, values } = weight;
  const groups = group === 0 ? 1 : columns / group;
  const [most, middle] = [2 ** bits - 1, 2 ** (bits - 1)];
  const groupAt = (k: number): number => index?.[k] ?? (group === 0 ? 0 : Math.floor(k / group));
  const codes = new Uint8Array(rows * columns);
  const zeros = new Uint8Array(rows * groups);
  const scales = new Float64Array(rows * groups);
  const plain = new Float64Array(rows * columns);
  for (let n = 0; n < rows; n++) {
    const [lows, highs] = [new Float64Array(groups), new Float64Array(groups)];
    for (let k = 0; k < columns; k++) {
      const [g, value] = [groupAt(k), values[n * columns + k] ?? 0];
      lows[g] = Math.min(lows[g] ?? 0, value);
      highs[g] = Math.max(highs[g] ?? 0, value);
    }
    for (let g = 0; g < groups; g++) {
      const [low, high] = [lows[g] ?? 0, highs[g] ?? 0];
      const greatest = Math.max(-low, high);
      const step = isSymmetric ? greatest / (middle - 1) : (high - low) / most;
      const scale = rounded(dtype, step);
      scales[n * groups + g] = scale;
      const zero = Math.max(1, Math.min(most, Math.round(-low / scale)));
      zeros[n * groups + g] = isSymmetric ? middle : zero;
    }
    for (let k = 0; k < columns; k++) {
      const at = n * groups + groupAt(k);
      const [scale, zero] = [scales[at] ?? 1, zeros[at] ?? 0];
      const code = Math.max(
        0,
        Math.min(most, Math.round((values[n * columns + k] ?? 0) / scale) + zero),
      );
      codes[n * columns + k] = code;
      plain[n * columns + k] = (code - zero) * scale;
    }
  }
  return { codes, zeros, scales, groups, weight: { rows, columns, values: plain } };
}

/** Numbers of `bits` in 32-bit words: `at(i)` is the i-th number, `order` says which of a word's numbers each place holds. */
function inWords(
  count: number,
  bits: 4 | 8,
  at: (word: number, place: number) => number,
  order: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7],
): Uint32Array {
  return Uint32Array.from({ length: count }, (_, word) => {
    let value = 0;
    for (let place = 0; place < 32 / bits; place++)
      value += at(word, order[place] ?? place) * 2 ** (bits * place);
    return value;
  });
}

/** Groups of the columns when they are dealt out in a random order, `group` at a time. */
export function randomIndex(random: Random, columns: number, group: number): readonly number[] {
  const order = Array.from({ length: columns }, (_, k) => ({ k, key: random.uniform() }));
  order.sort((a, b) => a.key - b.key);
  const index: number[] = [];
  order.forEach(({ k }, i) => {
    index[k] = Math.floor(i / group);
  });
  return index;
}

/** @param isFirst format v1, in which zero points are stored less one */
export function gptq(name: string, weight: Matrix, grouping: Grouping, isFirst: boolean): Encoded {
  const { codes, zeros, scales, groups, weight: plain } = toCodes(weight, grouping);
  const { rows, columns } = weight;
  const { group, index } = grouping;
  const byGroup = (list: ArrayLike<number>, g: number, n: number): number =>
    list[n * groups + g] ?? 0;
  const qweight = inWords((columns / 8) * rows, 4, (word, place) => {
    const [block, n] = [Math.floor(word / rows), word % rows];
    return codes[n * columns + block * 8 + place] ?? 0;
  });
  const qzeros = inWords((groups * rows) / 8, 4, (word, place) => {
    const [g, block] = [Math.floor(word / (rows / 8)), word % (rows / 8)];
    return byGroup(zeros, g, block * 8 + place) - (isFirst ? 1 : 0);
  });
  const turned = Array.from({ length: groups * rows }, (_, i) =>
    byGroup(scales, Math.floor(i / rows), i % rows),
  );
  const ordinary = Array.from({ length: columns }, (_, k) =>
    group === 0 ? 0 : Math.floor(k / group),
  );
  return {
    weight: plain,
    tensors: [
      words(`${name}.qweight`, [columns / 8, rows], qweight),
      words(`${name}.qzeros`, [groups, rows / 8], qzeros),
      floats(`${name}.scales`, "F16", [groups, rows], turned),
      words(`${name}.g_idx`, [columns], index ?? ordinary),
    ],
  };
}

export function awq(name: string, weight: Matrix, grouping: Grouping): Encoded {
  const { codes, zeros, scales, groups, weight: plain } = toCodes(weight, grouping);
  const { rows, columns } = weight;
  const order = [0, 2, 4, 6, 1, 3, 5, 7];
  const across = rows / 8;
  const qweight = inWords(
    columns * across,
    4,
    (word, place) =>
      codes[((word % across) * 8 + place) * columns + Math.floor(word / across)] ?? 0,
    order,
  );
  const qzeros = inWords(
    groups * across,
    4,
    (word, place) => zeros[((word % across) * 8 + place) * groups + Math.floor(word / across)] ?? 0,
    order,
  );
  const turned = Array.from(
    { length: groups * rows },
    (_, i) => scales[(i % rows) * groups + Math.floor(i / rows)] ?? 0,
  );
  return {
    weight: plain,
    tensors: [
      words(`${name}.qweight`, [columns, across], qweight),
      words(`${name}.qzeros`, [groups, across], qzeros),
      floats(`${name}.scales`, "F16", [groups, rows], turned),
    ],
  };
}

/** `pack-quantized`: numbers from -8 or -128 on, plus that many. */
export function packQuantized(name: string, weight: Matrix, grouping: Grouping): Encoded {
  const { codes, zeros, scales, groups, weight: plain } = toCodes(weight, grouping);
  const { rows, columns } = weight;
  const { bits, isSymmetric, index, scales: dtype } = grouping;
  const each = 32 / bits;
  const packed = inWords(
    codes.length / each,
    bits,
    (word, place) => codes[word * each + place] ?? 0,
  );
  const points = inWords((rows / each) * groups, bits, (word, place) => {
    const [block, g] = [Math.floor(word / groups), word % groups];
    return zeros[(block * each + place) * groups + g] ?? 0;
  });
  return {
    weight: plain,
    tensors: [
      words(`${name}.weight_packed`, [rows, columns / each], packed),
      floats(`${name}.weight_scale`, dtype, [rows, groups], scales),
      longs(`${name}.weight_shape`, [2], [rows, columns]),
      ...(isSymmetric ? [] : [words(`${name}.weight_zero_point`, [rows / each, groups], points)]),
      ...(index === undefined ? [] : [words(`${name}.weight_g_idx`, [columns], index)]),
    ],
  };
}

const NF4 = [
  -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635,
  -0.18477343022823334, -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725,
  0.24611230194568634, 0.33791524171829224, 0.44070982933044434, 0.5626170039176941,
  0.7229568362236023, 1,
];

function nearest(values: readonly number[], x: number): number {
  let best = 0;
  values.forEach((value, i) => {
    if (Math.abs(value - x) < Math.abs((values[best] ?? 0) - x)) best = i;
  });
  return best;
}

/** nf4 with blocks of 64, whose scales are f32 or themselves bytes of a table with scales of 256 and an offset. */
export function bitsAndBytes(
  name: string,
  { rows, columns, values }: Matrix,
  isNested: boolean,
): Encoded {
  const block = 64;
  const count = values.length / block;
  const greatest = Float64Array.from({ length: count }, (_, i) =>
    Math.fround(Math.max(...values.subarray(i * block, (i + 1) * block).map(Math.abs))),
  );
  const table = Array.from({ length: 256 }, (_, i) => Math.fround(((i - 127.5) / 127.5) ** 3));
  const offset = Math.fround(greatest.reduce((a, b) => a + b, 0) / count);
  const nested = Float64Array.from({ length: Math.ceil(count / 256) }, (_, i) =>
    Math.fround(
      Math.max(...greatest.subarray(i * 256, (i + 1) * 256).map((v) => Math.abs(v - offset))),
    ),
  );
  const bytes = greatest.map((v, i) =>
    nearest(table, (v - offset) / (nested[Math.floor(i / 256)] ?? 1)),
  );
  const scales = isNested
    ? bytes.map((byte, i) =>
        Math.fround((table[byte] ?? 0) * (nested[Math.floor(i / 256)] ?? 0) + offset),
      )
    : greatest;
  const codes = Uint8Array.from(values, (value, i) =>
    nearest(NF4, value / (scales[Math.floor(i / block)] ?? 1)),
  );
  const plain = Float64Array.from(
    codes,
    (code, i) => (NF4[code] ?? 0) * (scales[Math.floor(i / block)] ?? 0),
  );
  const packed = Array.from(
    { length: codes.length / 2 },
    (_, i) => (codes[2 * i] ?? 0) * 16 + (codes[2 * i + 1] ?? 0),
  );
  const state = { quant_type: "nf4", blocksize: block, dtype: "float32", shape: [rows, columns] };
  const more = { nested_blocksize: 256, nested_dtype: "float32", nested_offset: offset };
  const json = new TextEncoder().encode(JSON.stringify(isNested ? { ...state, ...more } : state));
  const weight = `${name}.weight`;
  return {
    weight: { rows, columns, values: plain },
    tensors: [
      bytesOf(weight, "U8", [packed.length, 1], packed),
      isNested
        ? bytesOf(`${weight}.absmax`, "U8", [count], bytes)
        : floats(`${weight}.absmax`, "F32", [count], greatest),
      floats(`${weight}.quant_map`, "F32", [16], NF4),
      ...(isNested
        ? [
            floats(`${weight}.nested_absmax`, "F32", [nested.length], nested),
            floats(`${weight}.nested_quant_map`, "F32", [256], table),
          ]
        : []),
      bytesOf(`${weight}.quant_state.bitsandbytes__nf4`, "U8", [json.length], json),
    ],
  };
}

const E2M1 = [0, 0.5, 1, 1.5, 2, 3, 4, 6];

/** e2m1 with a power of two for each 32 columns. */
export function mxfp4(name: string, { rows, columns, values }: Matrix): Encoded {
  const groups = columns / 32;
  const exponents = Uint8Array.from({ length: rows * groups }, (_, i) => {
    const greatest = Math.max(...values.subarray(i * 32, (i + 1) * 32).map(Math.abs));
    return Math.floor(Math.log2(greatest)) - 2 + 127;
  });
  const scaleAt = (i: number): number => 2 ** ((exponents[Math.floor(i / 32)] ?? 0) - 127);
  const codes = Uint8Array.from(values, (value, i) => {
    return nearest(E2M1, Math.abs(value) / scaleAt(i)) + (value < 0 ? 8 : 0);
  });
  const plain = Float64Array.from(codes, (code, i) => {
    return (E2M1[code % 8] ?? 0) * (code >= 8 ? -1 : 1) * scaleAt(i);
  });
  const packed = Array.from(
    { length: codes.length / 2 },
    (_, i) => (codes[2 * i] ?? 0) + (codes[2 * i + 1] ?? 0) * 16,
  );
  return {
    weight: { rows, columns, values: plain },
    tensors: [
      bytesOf(`${name}.weight_blocks`, "U8", [rows, groups, 16], packed),
      bytesOf(`${name}.weight_scales`, "U8", [rows, groups], exponents),
    ],
  };
}
