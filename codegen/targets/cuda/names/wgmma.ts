/** [codegen/targets/cuda] The shapes of wgmma, as data and as lines of the prelude's table. Their text is made in wgmma-text.ts. */
import { ONLY_SM_90A, type Row } from "./row.ts";

export type WgmmaElement = "bf16" | "f16" | "e4m3" | "e5m2" | "s8";

/** d[64, n] (+)= a[64, k] · b[k, n] by one warpgroup. */
export interface WgmmaForm {
  readonly name: string;
  readonly n: number;
  readonly k: 16 | 32;
  readonly element: WgmmaElement;
  readonly accumulator: "f32" | "s32";
  readonly aFrom: "shared" | "registers";
}

const STEPS_OF_8 = Array.from({ length: 32 }, (_, i) => 8 * (i + 1));
/** @source PTX ISA, wgmma.mma_async, "Supported shapes": integers have fewer values of n */
const INTEGER_N = STEPS_OF_8.filter((n) => n % 16 === 0 || n === 8 || n === 24);

function forms(element: WgmmaElement, aFrom: WgmmaForm["aFrom"]): readonly WgmmaForm[] {
  const accumulator = element === "s8" ? "s32" : "f32";
  const k = element === "bf16" || element === "f16" ? 16 : 32;
  const suffix = aFrom === "registers" ? "_ra" : "";
  return (element === "s8" ? INTEGER_N : STEPS_OF_8).map((n) => ({
    name: `tw_wgmma_m64n${n}k${k}_${accumulator}_${element}${suffix}`,
    n,
    k,
    element,
    accumulator,
    aFrom,
  }));
}

/** Every wgmma of the prelude. */
export const WGMMA_FORMS: readonly WgmmaForm[] = [
  ...forms("bf16", "shared"),
  ...forms("f16", "shared"),
  ...forms("bf16", "registers"),
  ...forms("f16", "registers"),
  ...forms("e4m3", "shared"),
  ...forms("e4m3", "registers"),
  ...forms("e5m2", "shared"),
  ...forms("s8", "shared"),
];

/** `f32* d, u64 a, u64 b, u32 accumulate` */
export function wgmmaParams(form: WgmmaForm): string {
  const d = form.accumulator === "f32" ? "f32* d" : "i32* d";
  const a = form.aFrom === "shared" ? "u64 a" : "const u32* a";
  return `${d}, ${a}, u64 b, u32 accumulate`;
}

function meaning(form: WgmmaForm): string {
  const from =
    form.aFrom === "shared"
      ? "a, b descriptors"
      : "a the four registers of mma.sync for rows 16(warp%4) …, b a descriptor";
  const transposed =
    form.k === 32
      ? "K-major"
      : form.aFrom === "shared"
        ? "N bit 0: a lies M-major, bit 1: b lies N-major"
        : "N bit 1: b lies N-major";
  return `starts d[64, ${form.n}] = a b (+ d where accumulate); ${from}; ${transposed}; d[i] is row 16(warp%4) + lane/4 + 8(i/2%2), column 8(i/4) + 2(lane%4) + i%2`;
}

export const WGMMA_SHAPES: readonly Row[] = WGMMA_FORMS.map((form) => [
  `void ${form.name}${form.k === 16 ? "<N>" : ""}(${wgmmaParams(form)})`,
  meaning(form),
  ONLY_SM_90A,
]);
