/** [dsl/kernels] The order of a packed tensor as the config of its repackers, and samples of such orders. Defines no kernel. */
import type { DType } from "../core/dtype.ts";
import type { HostTensor, Problem, ReferenceCall } from "./define-kernel-entry.ts";
import { hostTensor, randomSource } from "./sample-data.ts";

/** Digits that a config has room for. */
export const MOST_DIGITS = 12;

/**
 * Blocks of BR × BC elements, in a block up to 12 digits, fastest first: digit i takes Ei values and moves DRi rows and DCi columns a
 * step (one of both is 0). Digits that are not needed take one value.
 */
export const PACK_CONFIG = {
  BR: 1,
  BC: 1,
  E0: 1,
  DR0: 0,
  DC0: 0,
  E1: 1,
  DR1: 0,
  DC1: 0,
  E2: 1,
  DR2: 0,
  DC2: 0,
  E3: 1,
  DR3: 0,
  DC3: 0,
  E4: 1,
  DR4: 0,
  DC4: 0,
  E5: 1,
  DR5: 0,
  DC5: 0,
  E6: 1,
  DR6: 0,
  DC6: 0,
  E7: 1,
  DR7: 0,
  DC7: 0,
  E8: 1,
  DR8: 0,
  DC8: 0,
  E9: 1,
  DR9: 0,
  DC9: 0,
  E10: 1,
  DR10: 0,
  DC10: 0,
  E11: 1,
  DR11: 0,
  DC11: 0,
} as const satisfies Readonly<Record<string, number>>;

/** The digits of a config, fastest first, for the body of a kernel. */
export function packDigits(c: Readonly<Record<keyof typeof PACK_CONFIG, number>>) {
  return [
    { extent: c.E0, rows: c.DR0, columns: c.DC0 },
    { extent: c.E1, rows: c.DR1, columns: c.DC1 },
    { extent: c.E2, rows: c.DR2, columns: c.DC2 },
    { extent: c.E3, rows: c.DR3, columns: c.DC3 },
    { extent: c.E4, rows: c.DR4, columns: c.DC4 },
    { extent: c.E5, rows: c.DR5, columns: c.DC5 },
    { extent: c.E6, rows: c.DR6, columns: c.DC6 },
    { extent: c.E7, rows: c.DR7, columns: c.DC7 },
    { extent: c.E8, rows: c.DR8, columns: c.DC8 },
    { extent: c.E9, rows: c.DR9, columns: c.DC9 },
    { extent: c.E10, rows: c.DR10, columns: c.DC10 },
    { extent: c.E11, rows: c.DR11, columns: c.DC11 },
  ];
}

/** [values, rows a step, columns a step]. */
export type PackDigit = readonly [extent: number, rows: number, columns: number];

export function packConfig(
  block: readonly [rows: number, columns: number],
  digits: readonly PackDigit[],
): Readonly<Record<string, number>> {
  if (digits.length > MOST_DIGITS)
    throw new RangeError(
      `an order has ${digits.length} digits, the kernels that repack take ${MOST_DIGITS}; pack such tensors on the host`,
    );
  const config: Record<string, number> = { ...PACK_CONFIG, BR: block[0], BC: block[1] };
  digits.forEach(([extent, rows, columns], i) => {
    config[`E${i}`] = extent;
    config[`DR${i}`] = rows;
    config[`DC${i}`] = columns;
  });
  return config;
}

const FRAGMENT = packConfig(
  [16, 64],
  [
    [2, 0, 1],
    [8, 0, 8],
    [2, 8, 0],
    [4, 0, 2],
    [8, 1, 0],
  ],
);
const ODD = packConfig(
  [3, 10],
  [
    [5, 0, 2],
    [3, 1, 0],
    [2, 0, 1],
  ],
);

/** Matrices whole and ragged, one and several; `P` is what they take when edges are filled up. */
export const PACK_SHAPES: readonly Omit<Problem, "dtypes">[] = [
  { name: "rows", seed: 1, dims: { H: 1, R: 3, C: 37, P: 111 } },
  { name: "odd blocks", seed: 2, dims: { H: 2, R: 7, C: 21, P: 540 }, config: ODD },
  { name: "whole blocks", seed: 3, dims: { H: 1, R: 32, C: 128, P: 4096 }, config: FRAGMENT },
  { name: "several", seed: 4, dims: { H: 3, R: 5, C: 7, P: 3072 }, config: FRAGMENT },
  { name: "ragged", seed: 5, dims: { H: 1, R: 19, C: 67, P: 4096 }, config: FRAGMENT },
];

/** Random codes of an unsigned type, random numbers of a float. */
export function packSample(problem: Problem, dtype: DType, shape: readonly number[]): HostTensor {
  const random = randomSource(problem.seed);
  const codes = { u4: 16, u8: 256, i32: 2 ** 31 }[dtype as string] ?? 0;
  return hostTensor(dtype, shape, () => (codes > 0 ? random.integer(0, codes) : random.normal()));
}

/** Calls `visit` with the place of every element that a packed tensor has room for, and the element, or -1. */
export function eachPlace(
  call: ReferenceCall,
  visit: (place: number, element: number) => void,
): void {
  const config = { ...PACK_CONFIG, ...call.problem.config } as Readonly<Record<string, number>>;
  const at = (name: string): number => config[name] ?? 1;
  const { H = 1, R = 1, C = 1 } = call.problem.dims;
  const [height, width] = [at("BR"), at("BC")];
  let place = 0;
  for (let matrix = 0; matrix < H; matrix++)
    for (let top = 0; top < R; top += height)
      for (let left = 0; left < C; left += width)
        for (let i = 0; i < height * width; i++) {
          let [row, column, rest] = [top, left, i];
          for (let d = 0; d < MOST_DIGITS; d++) {
            const digit = rest % at(`E${d}`);
            rest = (rest - digit) / at(`E${d}`);
            row += digit * (config[`DR${d}`] ?? 0);
            column += digit * (config[`DC${d}`] ?? 0);
          }
          visit(place++, row < R && column < C ? (matrix * R + row) * C + column : -1);
        }
}
