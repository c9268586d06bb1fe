/** [engine/weights/quantization] Quantized weights of all experts of a layer as one: codes by expert, scales by groups of columns. */
import { encodeArray, ModelError } from "../../../dsl/index.ts";
import { concatRows, type HostParts, type HostTensor } from "../checkpoint.ts";
import {
  type EightBitWeight,
  type FourBitWeight,
  floatsOf,
  floatTensor,
  type QuantizedWeight,
} from "./quantized-weight.ts";

/** Weights of E experts whose rows are halves one after the other, each of N rows and K columns. */
export type ExpertStack =
  | {
      readonly kind: "quantized";
      /** `[E, halves, N, K]` */
      readonly codes: HostParts;
      /** `[E, KG, halves, N]` */
      readonly scale: HostTensor;
      /** `[E, KG or 0, halves, N]` u4 */
      readonly zero: HostTensor;
      /** `[E, K]` i32: which column of the rows each column of the codes meets; absent where it is the same for all experts */
      readonly order: HostTensor | undefined;
    }
  | {
      readonly kind: "eight-bit";
      /** `[E, halves, N, K]` */
      readonly codes: HostParts;
      /** `[E, KG, halves, N]`, f32 */
      readonly scale: HostTensor;
      readonly activations: EightBitWeight["activations"];
      /** Scale of the activations where it is static: the greatest of all experts and halves. */
      readonly inputScale: number | undefined;
    }
  | {
      readonly kind: "float";
      /** `[halves · N, K]` f32 of each expert */
      readonly weights: readonly HostTensor[];
      /** `[E, halves, N, K]` */
      readonly shape: readonly number[];
    };

/** Rows and columns that share a scale of a block. */
const BLOCK = 128;
/** The code for 0 where a weight of u4 has no zero points. */
const MIDDLE = 8;

/**
 * @param names of the experts, for messages
 * @throws ModelError TW4241 where experts differ in scheme
 */
export function stackExperts(
  experts: readonly QuantizedWeight[],
  names: readonly string[],
  halves: number,
): ExpertStack {
  const [first] = experts;
  const other = experts.findIndex((one) => one.kind !== first?.kind);
  if (other >= 0) throw differs(names, other);
  const unlike = experts.findIndex((one) => formOf(one) !== formOf(first));
  if (unlike >= 0) throw differs(names, unlike);
  const fourBit = experts.filter((one) => one.kind === "four-bit");
  if (fourBit.length > 0) return stackFourBitExperts(fourBit, halves);
  const eightBit = experts.filter((one) => one.kind === "eight-bit");
  const [byte] = eightBit;
  if (byte !== undefined) return stackEightBitExperts(eightBit, byte.activations, halves);
  const dense = experts.filter((one) => one.kind === "dense").map(({ weight }) => weight);
  return { kind: "float", weights: dense, shape: expertsOf(dense, halves).shape };
}

/** What codes and scales must have in common to lie in one tensor, and how activations meet them. */
function formOf(weight: QuantizedWeight | undefined): string {
  if (weight === undefined || weight.kind === "dense") return "";
  const { codes, scale } = weight;
  const activations = weight.kind === "eight-bit" ? ` ${weight.activations}` : "";
  return `${codes.dtype}[${codes.shape}] ${scale.dtype}[${scale.shape}]${activations}`;
}

function stackFourBitExperts(experts: readonly FourBitWeight[], halves: number): ExpertStack {
  const hasZeros = experts.some(({ zero }) => zero !== undefined);
  const zeros = experts.flatMap(({ zero, scale }) => (hasZeros ? [zero ?? middlesOf(scale)] : []));
  const scale = scalesOf(
    experts.map((one) => one.scale),
    halves,
  );
  const [count = 0, , , rows = 0] = scale.shape;
  const none = { dtype: "u4", shape: [count, 0, halves, rows], bytes: new Uint8Array(0) } as const;
  return {
    kind: "quantized",
    codes: expertsOf(
      experts.map(({ codes }) => codes),
      halves,
    ),
    scale,
    zero: hasZeros ? scalesOf(zeros, halves) : none,
    order: ordersOf(experts),
  };
}

/** Where one expert's columns have an order of their own, all are given one. */
function ordersOf(experts: readonly FourBitWeight[]): HostTensor | undefined {
  if (experts.every(({ order }) => order === undefined)) return undefined;
  const [, columns = 0] = experts[0]?.codes.shape ?? [];
  const plain = Int32Array.from({ length: columns }, (_, k) => k);
  const orders = experts.map(({ order = plain }) => Buffer.from(Int32Array.from(order).buffer));
  return { dtype: "i32", shape: [experts.length, columns], bytes: Buffer.concat(orders) };
}

function stackEightBitExperts(
  experts: readonly EightBitWeight[],
  activations: EightBitWeight["activations"],
  halves: number,
): ExpertStack {
  const scales = experts.flatMap(({ inputScale }) => inputScale ?? []);
  return {
    kind: "eight-bit",
    codes: expertsOf(
      experts.map(({ codes }) => codes),
      halves,
    ),
    scale: scalesOf(
      experts.map((one) => spreadScale(one)),
      halves,
    ),
    activations,
    inputScale: scales.length === 0 ? undefined : Math.max(...scales),
  };
}

/** Scales of rows or of blocks as `[KG, rows]`. */
function spreadScale({ codes, scale }: EightBitWeight): HostTensor {
  const [rows = 0] = codes.shape;
  const [, groups] = scale.shape;
  if (groups === undefined) return { ...scale, shape: [1, rows] };
  const values = floatsOf(scale);
  const spread = Float32Array.from({ length: groups * rows }, (_, i) => {
    const [group, row] = [Math.floor(i / rows), i % rows];
    return values[Math.floor(row / BLOCK) * groups + group] ?? 0;
  });
  return floatTensor(spread, [groups, rows]);
}

/** `[rows, K]` each → `[E, halves, rows / halves, K]`. */
function expertsOf(experts: readonly HostTensor[], halves: number): HostParts {
  const [rows = 0, inputs = 0] = experts[0]?.shape ?? [];
  return {
    dtype: experts[0]?.dtype ?? "f32",
    shape: [experts.length, halves, rows / halves, inputs],
    parts: experts.map(({ bytes }) => bytes),
  };
}

/** `[KG, rows]` each → `[E, KG, halves, rows / halves]`. */
function scalesOf(parts: readonly HostTensor[], halves: number): HostTensor {
  const { dtype, bytes } = concatRows(parts);
  const [groups = 0, rows = 0] = parts[0]?.shape ?? [];
  return { dtype, shape: [parts.length, groups, halves, rows / halves], bytes };
}

/** Zero points in the middle, for an expert whose own were dropped because all are there. */
function middlesOf({ shape }: HostTensor): HostTensor {
  const count = shape.reduce((n, size) => n * size, 1);
  const bytes = encodeArray("u4", new Uint32Array(count).fill(MIDDLE));
  return { dtype: "u4", shape, bytes };
}

function differs(names: readonly string[], other: number): ModelError {
  return new ModelError({
    code: "TW4241",
    message: "experts of one layer are quantized differently",
    seen: `another scheme in ${names[0]} than in ${names[other]}`,
    expected: "one scheme for all experts of a layer",
    remedy: "use a checkpoint that ignores all of them or none",
  });
}
