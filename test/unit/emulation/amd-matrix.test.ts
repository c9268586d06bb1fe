/** [test/unit/emulation] MFMA and WMMA of the prelude against plain products, their operands and sums placed by the compiler's own layouts. */
import { expect, it } from "vitest";
import { coordinatesOf } from "../../../codegen/layout/apply-layout.ts";
import type { RegisterLayout } from "../../../codegen/layout/layout.ts";
import {
  isTransposed,
  MATRIX_FORMS,
  type MatrixForm,
  operandWords,
  sumRegisters,
} from "../../../codegen/layout/matrix-form.ts";
import {
  matrixAccumulator,
  matrixOperandA,
  matrixOperandB,
} from "../../../codegen/layout/matrix-layout.ts";
import { layoutProblem } from "../../../codegen/layout/register-layout.ts";
import { bf16Bits, f16Bits } from "../../../dsl/core/rounding.ts";
import { bytesOf, describeEmulated, floatsOf, input, output, wordsOf } from "./open.ts";

const ONE_WARP = { m: 1, n: 1, replicas: 1 };

const textOf = (form: MatrixForm): string => {
  const [words, registers] = [operandWords(form), sumRegisters(form)];
  const operands = isTransposed(form) ? "fb, fa" : "fa, fb";
  return `
TW_KERNEL(${form.wave}) ${form.name}(const u32* a, const u32* b, ${form.sum}* d) {
  u32 fa[${words}], fb[${words}];
  ${form.sum} acc[${registers}];
  for (i32 r = 0; r < ${words}; r++) fa[r] = tw_ldg<u32>(a + tw_lane() * ${words} + r);
  for (i32 r = 0; r < ${words}; r++) fb[r] = tw_ldg<u32>(b + tw_lane() * ${words} + r);
  for (i32 r = 0; r < ${registers}; r++) acc[r] = r;
  tw_${form.name}(acc, ${operands});
  for (i32 r = 0; r < ${registers}; r++) tw_stg<${form.sum}>(d + tw_lane() * ${registers} + r, acc[r]);
}`;
};

/** Small whole numbers: exact in every element type, as are their sums. */
const valueAt = (row: number, k: number, seed: number): number =>
  ((row * 5 + k * 3 + seed) % 7) - 3;

/** Codes of -3 … 3. */
const E4M3 = [0xc4, 0xc0, 0xb8, 0x00, 0x38, 0x40, 0x44];
const E5M2 = [0xc2, 0xc0, 0xbc, 0x00, 0x3c, 0x40, 0x42];

function bitsOf(value: number, element: MatrixForm["element"]): number {
  switch (element) {
    case "f16":
      return f16Bits(value);
    case "bf16":
      return bf16Bits(value);
    case "f8e4m3":
      return E4M3[value + 3] ?? 0;
    case "f8e5m2":
      return E5M2[value + 3] ?? 0;
    case "i8":
      return value & 0xff;
    default:
      return element satisfies never;
  }
}

function packed(form: MatrixForm, layout: RegisterLayout, seed: number): Uint32Array {
  const words = operandWords(form);
  const perWord = form.run / words;
  const out = new Uint32Array(form.wave * words);
  for (let lane = 0; lane < form.wave; lane++) {
    for (let reg = 0; reg < form.run; reg++) {
      const [row = 0, k = 0] = coordinatesOf(layout, { reg, lane, warp: 0 });
      const bits = bitsOf(valueAt(row, k, seed), form.element);
      const at = lane * words + Math.floor(reg / perWord);
      out[at] = ((out[at] ?? 0) | (bits << ((32 / perWord) * (reg % perWord)))) >>> 0;
    }
  }
  return out;
}

const wave = (lanes: 32 | 64): readonly MatrixForm[] =>
  MATRIX_FORMS.filter((form) => form.wave === lanes);

/** Every code of e4m3, made fit for gfx942. */
const FNUZ = `
TW_KERNEL(64) fnuz(u32* y) {
  const u32 x = tw_tid();
  tw_stg<u32>(y + x, tw_fnuz_e4m3_(x * 4u | (x * 4u + 1u) << 8 | (x * 4u + 2u) << 16 | (x * 4u + 3u) << 24));
}`;

/** @source AMD CDNA3 ISA, "8-bit floats": exponents count from 8, no infinities, one NaN */
function valueOfFnuz(code: number): number {
  if (code === 0x80) return Number.NaN;
  const [sign, exponent, mantissa] = [code >> 7 ? -1 : 1, (code >> 3) & 15, code & 7];
  return (
    sign * (exponent === 0 ? (mantissa / 8) * 2 ** -7 : (1 + mantissa / 8) * 2 ** (exponent - 8))
  );
}

function valueOfE4m3(code: number): number {
  if ((code & 0x7f) === 0x7f) return Number.NaN;
  const [sign, exponent, mantissa] = [code >> 7 ? -1 : 1, (code >> 3) & 15, code & 7];
  return (
    sign * (exponent === 0 ? (mantissa / 8) * 2 ** -6 : (1 + mantissa / 8) * 2 ** (exponent - 7))
  );
}

describeEmulated("matrix instructions of AMD chips", (emulation) => {
  const kernels = (lanes: 32 | 64) =>
    wave(lanes).map((form) => ({ id: form.name, entry: form.name, text: textOf(form) }));
  const fnuz = { id: "fnuz", entry: "fnuz", text: FNUZ };
  const units = {
    32: emulation.build(kernels(32), { warp: 32 }),
    64: emulation.build([...kernels(64), fnuz], { warp: 64 }),
  };

  it.each(MATRIX_FORMS)("$name multiplies what the layouts say", (form) => {
    const { side, k, sum } = form;
    const [m, n, axis] = [
      { name: "M", size: side },
      { name: "N", size: side },
      { name: "K", size: k },
    ];
    const [a, b, d] = [
      matrixOperandA(form, m, axis, ONE_WARP),
      matrixOperandB(form, n, axis, ONE_WARP),
      matrixAccumulator(form, m, n, ONE_WARP),
    ];
    for (const layout of [a, b, d]) expect(layoutProblem(layout)).toBeUndefined();
    const registers = sumRegisters(form);
    const [run] = units[form.wave].launch({
      kernel: form.name,
      grid: [1, 1, 1],
      threads: form.wave,
      sharedBytes: 0,
      seeds: [1],
      args: [
        input("a", packed(form, a, 1)),
        input("b", packed(form, b, 2)),
        output("d", new Uint32Array(form.wave * registers)),
      ],
    });
    expect(run?.reports).toEqual([]);
    const got = sum === "f32" ? floatsOf(run, "d") : Int32Array.from(wordsOf(run, "d"));
    for (let lane = 0; lane < form.wave; lane++) {
      for (let reg = 0; reg < registers; reg++) {
        const [row = 0, column = 0] = coordinatesOf(d, { reg, lane, warp: 0 });
        let wanted = reg;
        for (let i = 0; i < k; i++) wanted += valueAt(row, i, 1) * valueAt(column, i, 2);
        expect(got[lane * registers + reg]).toBe(wanted);
      }
    }
  });

  it("halves every code of e4m3 for gfx942", () => {
    const [run] = units[64].launch({
      kernel: "fnuz",
      grid: [1, 1, 1],
      threads: 64,
      sharedBytes: 0,
      seeds: [1],
      args: [output("y", new Uint32Array(64))],
    });
    const codes = [...bytesOf(run, "y")];
    expect(codes.map((code) => valueOfFnuz(code) * 2 + 0)).toEqual(
      codes.map((_, code) => valueOfE4m3(code) + 0),
    );
  });

  it("reports lanes of gfx11 that do not repeat the others", () => {
    const form = MATRIX_FORMS.find(({ name }) => name === "wmma11_f32_16x16x16_f16");
    const [run] = units[32].launch({
      kernel: form?.name ?? "",
      grid: [1, 1, 1],
      threads: 32,
      sharedBytes: 0,
      seeds: [1],
      args: [
        input(
          "a",
          Uint32Array.from({ length: 256 }, (_, i) => i),
        ),
        input("b", new Uint32Array(256)),
        output("d", new Uint32Array(256)),
      ],
    });
    expect(run?.reports.map(({ text }) => text).join()).toContain("do not repeat");
  });
});
