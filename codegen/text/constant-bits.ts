/** [codegen/text] The bits that a constant of a dtype is stored as. Values at run time are converted by preludes, not here. */
import {
  bf16Bits,
  DTYPES,
  type DType,
  f4e2m1Bits,
  f8e4m3Bits,
  f8e5m2Bits,
  f8e8m0Bits,
  f16Bits,
  invariant,
  nf4Bits,
} from "../../dsl/index.ts";

function f32Bits(value: number): number {
  const words = new DataView(new ArrayBuffer(4));
  words.setFloat32(0, value);
  return words.getUint32(0);
}

function integerBits(value: number, dtype: DType): number {
  const { bits, signed } = DTYPES[dtype];
  const least = signed ? -(2 ** (bits - 1)) : 0;
  invariant(
    Number.isInteger(value) && value >= least && value < least + 2 ** bits,
    () => `${value} is no ${dtype} constant`,
  );
  return value >= 0 ? value : 2 ** bits + value;
}

/**
 * The stored bits of `value`, rounded to nearest even; fp8 saturates; bools are 0 or 1.
 * @throws InternalError where an integer does not fit its type
 */
export function encodeConstant(value: number, dtype: DType): number {
  switch (dtype) {
    case "f32":
      return f32Bits(value);
    case "f16":
      return f16Bits(value);
    case "bf16":
      return bf16Bits(value);
    case "f8e4m3":
      return f8e4m3Bits(value);
    case "f8e5m2":
      return f8e5m2Bits(value);
    case "f8e8m0":
      return f8e8m0Bits(value);
    case "f4e2m1":
      return f4e2m1Bits(value);
    case "nf4":
      return nf4Bits(value);
    case "bool":
      return value === 0 ? 0 : 1;
    case "i32":
    case "u32":
    case "i8":
    case "u8":
    case "i4":
    case "u4":
      return integerBits(value, dtype);
    default:
      return dtype satisfies never;
  }
}
