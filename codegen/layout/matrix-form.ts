/** [codegen/layout] The matrix instructions of AMD chips as data: sizes, element types, and how lanes hold operands and sums. Layouts made of them are in matrix-layout.ts. */
import type { DType } from "../../dsl/index.ts";

/**
 * How a wave holds the sums, rows r and columns c of the instruction: column = lane % side always, and with `group` = lane / side
 * - `mfma32`: register i is row 8 (i / 4) + 4 group + i % 4
 * - `mfma16`: register i is row 4 group + i
 * - `wmma11`: register i is row 2 i + group
 * - `wmma12`: register i is row 8 group + i
 * @source AMD CDNA3 ISA, "Matrix Arithmetic Instructions"; RDNA3 and RDNA4 ISA, "Wave Matrix Multiply Accumulate"; AMD Matrix Instruction Calculator
 */
export type MatrixFamily = "mfma32" | "mfma16" | "wmma11" | "wmma12";

/** Element types that some chip multiplies. */
export type MatrixElement = Extract<DType, "f16" | "bf16" | "f8e4m3" | "f8e5m2" | "i8">;

/** sums[side, side] += a[side, k] · b[k, side], by all lanes of a wave. */
export interface MatrixForm {
  /** Name of the instruction in thread IR; the prelude's has `tw_` in front. */
  readonly name: string;
  readonly family: MatrixFamily;
  readonly side: 16 | 32;
  readonly k: number;
  readonly wave: 32 | 64;
  readonly element: MatrixElement;
  readonly sum: "f32" | "i32";
  /** What a target must list among its features. */
  readonly feature: string;
  /**
   * Neighbours along k that a lane holds of its row: those from `run` × (lane / side) on. On gfx11 each lane holds all of k, and lanes
   * 16 … 31 repeat lanes 0 … 15. Which k a lane holds is free as long as both operands agree.
   */
  readonly run: number;
}

const WORD_BITS = 32;
const ELEMENTS = {
  f16: { text: "f16", bits: 16 },
  bf16: { text: "bf16", bits: 16 },
  f8e4m3: { text: "e4m3", bits: 8 },
  f8e5m2: { text: "e5m2", bits: 8 },
  i8: { text: "i8", bits: 8 },
} as const satisfies Record<MatrixElement, { readonly text: string; readonly bits: number }>;

function form(
  family: MatrixFamily,
  element: MatrixElement,
  k: number,
  feature: string,
): MatrixForm {
  const side = family === "mfma32" ? 32 : 16;
  const wave = family === "mfma32" || family === "mfma16" ? 64 : 32;
  const sum = element === "i8" ? "i32" : "f32";
  const prefix = wave === 64 ? "mfma" : family;
  return {
    name: `${prefix}_${sum}_${side}x${side}x${k}_${ELEMENTS[element].text}`,
    family,
    side,
    k,
    wave,
    element,
    sum,
    feature,
    run: family === "wmma11" ? k : (k * side) / wave,
  };
}

/** The same work in both sizes of MFMA: the larger one takes half as long a contraction. */
function mfma(element: MatrixElement, k: number, feature: string): readonly MatrixForm[] {
  return [form("mfma32", element, k / 2, feature), form("mfma16", element, k, feature)];
}

/** Every form that is used, longer contractions first. */
export const MATRIX_FORMS: readonly MatrixForm[] = [
  ...mfma("f16", 32, "mfma-16-bytes"),
  ...mfma("bf16", 32, "mfma-16-bytes"),
  ...mfma("i8", 64, "mfma-16-bytes"),
  ...mfma("f16", 16, "mfma-f16"),
  ...mfma("bf16", 16, "mfma-bf16"),
  ...mfma("f8e4m3", 32, "mfma-8-bytes"),
  ...mfma("f8e5m2", 32, "mfma-f8e5m2"),
  ...mfma("i8", 32, "mfma-8-bytes"),
  ...mfma("i8", 16, "mfma-4-bytes"),
  ...(["f16", "bf16", "i8"] as const).map((type) => form("wmma11", type, 16, "wmma-gfx11")),
  ...(["f16", "bf16", "i8", "f8e4m3", "f8e5m2"] as const).map((type) =>
    form("wmma12", type, 16, "wmma-gfx12"),
  ),
];

const BY_NAME: ReadonlyMap<string, MatrixForm> = new Map(
  MATRIX_FORMS.map((one) => [one.name, one] as const),
);

/** The form of this name, or undefined for a name that is none. */
export function matrixForm(name: string): MatrixForm | undefined {
  return BY_NAME.get(name);
}

/** Forms that a target with these features has. */
export function matrixFormsOf(features: readonly string[]): readonly MatrixForm[] {
  return MATRIX_FORMS.filter(({ feature }) => features.includes(feature));
}

/** 32-bit registers of one operand. */
export function operandWords({ run, element }: MatrixForm): number {
  return (run * ELEMENTS[element].bits) / WORD_BITS;
}

/** Registers of the sums. */
export function sumRegisters({ side, wave }: MatrixForm): number {
  return (side * side) / wave;
}

/** True where every lane holds all of k. */
export function repeatsOperands({ run, k }: MatrixForm): boolean {
  return run === k;
}

/**
 * Whether the operands trade places, so that the registers of a lane run along the columns of the product: what is stored is then
 * made of vectors, and a product is in the layout of operand a of the next. On gfx11 neither would come of it.
 */
export function isTransposed({ family }: MatrixForm): boolean {
  return family !== "wmma11";
}

/** Whether a lane holds of its sums, transposed, what it would hold of an operand: a product is then an operand without any exchange. */
export function feedsItself(one: MatrixForm): boolean {
  return isTransposed(one) && one.run === (one.family === "wmma12" ? 8 : 4);
}
