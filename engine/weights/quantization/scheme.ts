/** [engine/weights/quantization] How the weight of a module is stored: the schemes as data, and the refusal of all others. Reads nothing. */
import { UnsupportedError } from "../../../dsl/index.ts";

/** Codes of 4 bits packed in 32-bit words along K, zero points along N. `adjust` is added to a stored zero point. */
export interface GptqScheme {
  readonly kind: "gptq";
  /** Columns that share a scale; 0 for all of them. */
  readonly group: number;
  /** 1 where zero points are stored less one. */
  readonly adjust: 0 | 1;
}

/** Codes and zero points of 4 bits packed in 32-bit words along N, in an order of their own. */
export interface AwqScheme {
  readonly kind: "awq";
  readonly group: number;
}

/** `pack-quantized` of compressed-tensors: signed codes plus half their range, in 32-bit words along K. */
export interface PackedScheme {
  readonly kind: "packed";
  readonly bits: 4 | 8;
  readonly group: number;
  readonly hasZeros: boolean;
  /** Columns were assigned to groups by an index. */
  readonly isReordered: boolean;
}

/** nf4 of bitsandbytes with a scale for each block of the flattened weight, plain or quantized again. */
export interface Nf4Scheme {
  readonly kind: "nf4";
}

/** e2m1 with an e8m0 exponent for each 32 columns. */
export interface Mxfp4Scheme {
  readonly kind: "mxfp4";
}

/** How activations of a layer with 8-bit weights become 8 bits: not at all, by rows, by a stored scale, by groups of 128 columns. */
export type ActivationScheme = "none" | "token" | "static" | "group";

/** One code a byte. */
export interface EightBitScheme {
  readonly kind: "eight-bit";
  readonly dtype: "f8e4m3" | "i8";
  /** What shares a scale of the weight: all of it, a row, 128 × 128. */
  readonly weights: "tensor" | "channel" | "block";
  /** Name of the scales behind the module's. */
  readonly scale: "weight_scale" | "weight_scale_inv";
  readonly activations: ActivationScheme;
}

export type Scheme =
  | GptqScheme
  | AwqScheme
  | PackedScheme
  | Nf4Scheme
  | Mxfp4Scheme
  | EightBitScheme;

/** For messages: what can be loaded. */
export const SUPPORTED_SCHEMES =
  "gptq (4 bits), awq (4 bits, gemm), fp8 (e4m3: static, dynamic, blocks of 128 × 128), compressed-tensors " +
  "(pack-quantized with 4 or 8 bits, int-quantized, float-quantized), bitsandbytes (nf4), mxfp4";

/**
 * @param seen the scheme or the setting of it that is not supported, by name
 * @throws UnsupportedError TW4212 always
 */
export function refuse(seen: string): never {
  throw new UnsupportedError({
    code: "TW4212",
    message: "the checkpoint is quantized in a way that is not supported",
    seen,
    expected: SUPPORTED_SCHEMES,
    remedy: "use a checkpoint quantized in one of these ways, or the unquantized one",
  });
}
