/** [codegen/targets/hip] Text of the matrix instructions of the prelude, made for the forms that a kernel calls. */
import type { GeneratedPrelude } from "../../c-family/assemble-prelude.ts";
import {
  MATRIX_FORMS,
  type MatrixElement,
  type MatrixForm,
  operandWords,
  sumRegisters,
} from "../../layout/matrix-form.ts";

/** Operands of a builtin: the type of an element, or of all of them in one integer, and their number. */
interface OperandType {
  readonly element: string;
  readonly count: number;
}

const WIDE_FLOATS: Partial<Readonly<Record<MatrixElement, string>>> = {
  f8e4m3: "fp8_fp8",
  f8e5m2: "bf8_bf8",
};

/** @source LLVM, BuiltinsAMDGPU.def: the first bf16 instructions take short, bytes come in integers of their whole width */
function operandType(form: MatrixForm): OperandType {
  const { element, run, family, feature } = form;
  if (element === "f16") return { element: "_Float16", count: run };
  if (element === "bf16")
    return { element: feature === "mfma-16-bytes" ? "__bf16" : "short", count: run };
  const words = operandWords(form);
  if (words === 1) return { element: "i32", count: 1 };
  const isMfma = family === "mfma16" || family === "mfma32";
  return isMfma && words === 2 ? { element: "long", count: 1 } : { element: "i32", count: words };
}

/** Name of the builtin. @source LLVM, BuiltinsAMDGPU.def */
function builtinName(form: MatrixForm): string {
  const { family, side, k, element, sum, run } = form;
  const sizes = `${side}x${side}x${k}`;
  if (family === "wmma11" || family === "wmma12") {
    const type = element === "i8" ? "iu8" : (WIDE_FLOATS[element] ?? element);
    return `__builtin_amdgcn_wmma_${sum}_${sizes}_${type}_w32${family === "wmma12" ? "_gfx12" : ""}`;
  }
  // The oldest have their type right after the sizes.
  if (run === 4)
    return `__builtin_amdgcn_mfma_${sum}_${sizes}${element === "bf16" ? "bf16_1k" : element}`;
  return `__builtin_amdgcn_mfma_${sum}_${sizes}_${WIDE_FLOATS[element] ?? element}`;
}

function callText(form: MatrixForm): string {
  const name = builtinName(form);
  if (form.wave === 64) return `${name}(x, y, sums, 0, 0, 0)`;
  // Both operands signed, no clamping.
  return form.element === "i8" ? `${name}(true, x, true, y, sums, false)` : `${name}(x, y, sums)`;
}

function vectorType(name: string, { element, count }: OperandType): string {
  return count === 1
    ? `typedef ${element} ${name};`
    : `typedef ${element} ${name} __attribute__((ext_vector_type(${count})));`;
}

/**
 * gfx942 takes 8-bit floats in an encoding of its own, in which the same bits mean half the value: the words are made fit, the product
 * starts from 0 and is added four times.
 */
function isFnuz({ element, feature }: MatrixForm): boolean {
  return element === "f8e4m3" && feature === "mfma-8-bytes";
}

function functionText(form: MatrixForm): string {
  const [words, registers] = [operandWords(form), sumRegisters(form)];
  const plain = [
    `  for (i32 i = 0; i < ${registers}; i++) sums[i] = d[i];`,
    `  __builtin_memcpy(&x, a, ${4 * words});`,
    `  __builtin_memcpy(&y, b, ${4 * words});`,
    `  sums = ${callText(form)};`,
    `  for (i32 i = 0; i < ${registers}; i++) d[i] = sums[i];`,
  ];
  const own = [
    "#ifdef __gfx942__",
    `  u32 p[${words}], q[${words}];`,
    `  for (i32 i = 0; i < ${words}; i++) p[i] = tw_fnuz_e4m3_(a[i]), q[i] = tw_fnuz_e4m3_(b[i]);`,
    `  for (i32 i = 0; i < ${registers}; i++) sums[i] = 0.0f;`,
    `  __builtin_memcpy(&x, p, ${4 * words});`,
    `  __builtin_memcpy(&y, q, ${4 * words});`,
    `  sums = ${callText(form)};`,
    `  for (i32 i = 0; i < ${registers}; i++) d[i] = tw_fma(4.0f, sums[i], d[i]);`,
    "#else",
  ];
  const body = isFnuz(form) ? [...own, ...plain, "#endif"] : plain;
  return [
    `TW_DEV void tw_${form.name}(${form.sum}* d, const u32* a, const u32* b) {`,
    `  ${vectorType("sums_type", { element: form.sum, count: registers })}`,
    `  ${vectorType("operand_type", operandType(form))}`,
    "  sums_type sums;",
    "  operand_type x, y;",
    ...body,
    "}",
  ].join("\n");
}

/** The matrix instructions as a part of the HIP prelude. */
export function generateMatrix(): GeneratedPrelude {
  const byName = new Map(MATRIX_FORMS.map((form) => [`tw_${form.name}`, form]));
  return {
    names: [...byName.keys()],
    textOf: (name) => {
      const form = byName.get(name);
      if (form === undefined) throw new Error(`no matrix instruction is named ${name}`);
      return functionText(form);
    },
  };
}
