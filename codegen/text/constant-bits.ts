/** [codegen/text] The bits that a constant of a dtype is stored as. Values at run time are converted by preludes, not here. */
import { DTYPES, type DType, InternalError } from "../../dsl/index.ts";

interface FloatFormat {
  readonly exponent: number;
  readonly fraction: number;
  /** Largest finite value; what lies beyond becomes it (fp8) or infinity. */
  readonly most: number;
  readonly saturates: boolean;
}

const FORMATS: Partial<Readonly<Record<DType, FloatFormat>>> = {
  f16: { exponent: 5, fraction: 10, most: 65504, saturates: false },
  bf16: { exponent: 8, fraction: 7, most: (2 - 2 ** -7) * 2 ** 127, saturates: false },
  f8e4m3: { exponent: 4, fraction: 3, most: 448, saturates: true },
  f8e5m2: { exponent: 5, fraction: 2, most: 57344, saturates: true },
};

/** To nearest even, in units of 2^-fraction of the value's binade (or of the smallest subnormal). */
function roundToUnits(size: number, fraction: number, leastExponent: number): number {
  const exponent = Math.max(Math.floor(Math.log2(size)), leastExponent);
  const units = size / 2 ** (exponent - fraction);
  const floor = Math.floor(units);
  const rest = units - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 === 1);
  return (floor + (up ? 1 : 0)) * 2 ** (exponent - fraction);
}

function encodeFloat(value: number, format: FloatFormat): number {
  const { exponent, fraction, most, saturates } = format;
  const sign = value < 0 || Object.is(value, -0) ? 1 << (exponent + fraction) : 0;
  const allOnes = ((1 << exponent) - 1) << fraction;
  if (Number.isNaN(value)) return fraction === 3 ? 0x7f : allOnes | (1 << (fraction - 1));
  const bias = (1 << (exponent - 1)) - 1;
  const size = Math.abs(value);
  if (size === 0) return sign;
  const rounded = size === Infinity ? size : roundToUnits(size, fraction, 1 - bias);
  if (rounded > most) return sign | (saturates ? encodeFloat(most, format) : allOnes);
  const binade = Math.max(Math.floor(Math.log2(rounded)), 1 - bias);
  const units = rounded / 2 ** (binade - fraction);
  // A subnormal has no leading one, so its exponent field is one less.
  return sign | ((binade + bias - 1) * 2 ** fraction + units);
}

/**
 * The stored bits of `value`, rounded to nearest even; fp8 saturates; bools are 0 or 1.
 * @throws InternalError where an integer does not fit its type
 */
export function encodeConstant(value: number, dtype: DType): number {
  const format = FORMATS[dtype];
  if (format !== undefined) return encodeFloat(value, format);
  if (dtype === "f32") {
    const words = new DataView(new ArrayBuffer(4));
    words.setFloat32(0, value);
    return words.getUint32(0);
  }
  if (dtype === "bool") return value === 0 ? 0 : 1;
  const { bits, signed } = DTYPES[dtype];
  const least = signed ? -(2 ** (bits - 1)) : 0;
  if (!Number.isInteger(value) || value < least || value >= least + 2 ** bits) {
    throw new InternalError({ code: "TW9001", message: `${value} is no ${dtype} constant` });
  }
  return value >= 0 ? value : 2 ** bits + value;
}
