/** [codegen/text] The shortest decimal text of an f32. Knows no suffix and no language. */

/** Decimals beyond it are no f32 in WGSL, though they would round to it. */
const LARGEST_F32 = 3.4028234663852886e38;

/** Decimal text with a point or exponent that reads back as the f32 `value`; -0 keeps its sign. */
export function shortestFloat(value: number): string {
  if (Object.is(value, -0)) return "-0.0";
  for (let digits = 1; digits <= 9; digits++) {
    const text = value.toPrecision(digits);
    const decimal = Number(text);
    if (Math.fround(decimal) !== value || Math.abs(decimal) > LARGEST_F32) continue;
    const plain = String(Number(text));
    return /[.e]/.test(plain) ? plain : `${plain}.0`;
  }
  return String(value);
}
