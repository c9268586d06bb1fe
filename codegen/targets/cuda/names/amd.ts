/** [codegen/targets/cuda] Names that only the HIP prelude has: operands of matrix instructions from shared memory, and the instructions. Their text is made in targets/hip. */
import { MATRIX_FORMS, operandWords, sumRegisters } from "../../../layout/matrix-form.ts";
import type { Row } from "./row.ts";

const HIP = { cuda: false } as const;

export const FRAGMENT: readonly Row[] = [
  ["void tw_lds_words<N>(u32* r, u32 address)", "r[0 … N-1] by one access; N is 1, 2 or 4", HIP],
  ["void tw_lds_halves(u32* r, u32 a, u32 b)", "16 bits at each address, a in the low half", HIP],
  [
    "void tw_lds_bytes(u32* r, u32 a, u32 b, u32 c, u32 d)",
    "8 bits at each address, a in the low byte",
    HIP,
  ],
];

export const MATRIX_AMD: readonly Row[] = MATRIX_FORMS.map((form) => [
  `void tw_${form.name}(${form.sum}* d, const u32* a, const u32* b)`,
  `d[${sumRegisters(form)}] += a[${operandWords(form)}] b[${operandWords(form)}] by all lanes of a wave of ${form.wave}; see layout/matrix-form.ts, family ${form.family}`,
  { cuda: false, hipFeature: form.feature },
]);
