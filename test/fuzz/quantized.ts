/** [test/fuzz] Random dequantisations: codes of all widths, packed or not, with scales of tensors, rows and groups, with zero points. */
import type { DType } from "../../dsl/index.ts";
import type { Range, Value } from "./program.ts";
import { multiplied, rangeIn } from "./ranges.ts";
import type { Scope } from "./scope.ts";

/** Codes with what a difference from a zero point up to 3 may be. nf4 has numbers that no power of two divides. */
const CODES: readonly (readonly [DType, Range, Range])[] = [
  ["u4", { bits: 4, grain: 0 }, { bits: 4, grain: 0 }],
  ["i4", { bits: 3, grain: 0 }, { bits: 4, grain: 0 }],
  ["u8", { bits: 8, grain: 0 }, { bits: 8, grain: 0 }],
  ["i8", { bits: 7, grain: 0 }, { bits: 8, grain: 0 }],
  ["f8e4m3", { bits: 2, grain: 1 }, { bits: 3, grain: 1 }],
  ["f4e2m1", { bits: 2, grain: 1 }, { bits: 3, grain: 1 }],
  ["nf4", { bits: 0, grain: 3 }, { bits: 2, grain: 0, error: 2 }],
];
const SCALES: Range = { bits: 1, grain: 2 };

interface Scale {
  readonly text: string;
  readonly range: Range;
  readonly options: string;
}

/** One for the tensor, one for each row, or one for each group of columns. */
function scaleFor(scope: Scope): Scale | undefined {
  const { dice } = scope;
  const dtype = dice.pick(["f32", "f16", "bf16"] as const);
  const kind = dice.below(3);
  if (kind === 0 || scope.isFull)
    return { text: dice.pick(["0.5", "2", "n"]), range: { bits: 2, grain: 1 }, options: "" };
  if (kind === 1) {
    const { name } = scope.input(dtype, ["M"], SCALES);
    return { text: `load(${name}, [rows])`, range: SCALES, options: "" };
  }
  const columns = scope.size("BN");
  const group = dice.pick([1, 2, 4, 8].filter((size) => columns % size === 0));
  const axis = scope.axis("G", columns / group);
  const { name } = scope.input(dtype, ["M", "N"], SCALES);
  return {
    text: `load(${name}, [rows, span(pid(1) * ${columns / group}, ${axis})])`,
    range: SCALES,
    options: `, group: ${group}, axis: "BN"`,
  };
}

export function dequantize(scope: Scope): Value | undefined {
  if (scope.isFull) return undefined;
  const { dice } = scope;
  const [dtype, stored, difference] = dice.pick(CODES);
  const scale = scaleFor(scope);
  if (scale === undefined || scope.isFull) return undefined;
  const to = dice.pick(["f32", "f32", "f16", "bf16"] as const);
  const range = rangeIn(to, multiplied(difference, scale.range));
  if (range === undefined) return undefined;
  const special = dice.chance(0.25) ? { packed: true } : {};
  const { name } = scope.input(dtype, ["M", "N"], stored, special);
  const zero = dice.pick(["", "", ", zero: 3"]);
  const codes = `load(${name}, [${dice.pick(["rows, cols", "rows, cols", "span(1, BM), cols"])}])`;
  const text = `dequant(${codes}, ${scale.text}, { to: "${to}"${scale.options}${zero} })`;
  return scope.push({ dtype: to, axes: ["BM", "BN"] }, range, { text, args: [] });
}
