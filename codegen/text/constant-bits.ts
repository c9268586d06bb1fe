/** [codegen/text] The bits that a constant of a dtype is stored as. Values at run time are converted by preludes, not here. */
import { DTYPES, type DType, encodeArray, invariant } from "../../dsl/index.ts";

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
 * The stored bits of `value`, as `encodeArray` stores it; of a type of 4 bits the low half of a byte.
 * @throws InternalError where an integer does not fit its type
 */
export function encodeConstant(value: number, dtype: DType): number {
  if (DTYPES[dtype].kind === "int") return integerBits(value, dtype);
  return encodeArray(dtype, [value]).reduceRight((bits, byte) => bits * 256 + byte, 0);
}
