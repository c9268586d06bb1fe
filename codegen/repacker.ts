/** [codegen] What makes the bytes of packed tensors: for each the order that the compiler chose, the host's repacker, and the device's as a kernel. */
import type { DType, KernelDefinition, Specialization } from "../dsl/index.ts";
import { DTYPES } from "../dsl/index.ts";
import { packConfig, packTensor, unpackTensor } from "../dsl/kernels/catalogue.ts";
import type { CompileRequest } from "./artifact.ts";
import { compile } from "./compile.ts";
import { packBytes, unpackBytes } from "./layout/pack-bytes.ts";
import {
  matrixShape,
  type PackedOrder,
  packedElements,
  requireOrder,
  type TensorOrder,
} from "./layout/packed-order.ts";
import { encodeConstant } from "./text/constant-bits.ts";

/** One launch that repacks a tensor: `x` has the shape `from`, `y` the shape `to`, both of dtype `codes`. */
export interface DeviceRepack {
  readonly kernel: KernelDefinition;
  readonly specialization: Specialization;
  /** The type whose elements are as wide: what is stored is moved, whatever it means. */
  readonly codes: DType;
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly scalars: Readonly<Record<string, number>>;
}

/** Numbers of 16 bits have no integers as wide: NaN stays one, its payload may not. */
function codesOf(dtype: DType): DType {
  const { bits } = DTYPES[dtype];
  if (bits === 16) return dtype;
  return bits === 4 ? "u4" : bits === 8 ? "u8" : "i32";
}

function specializationOf(order: PackedOrder, codes: DType): Specialization {
  const digits = order.digits.map(({ extent, side, stride }) =>
    side === "row" ? ([extent, stride, 0] as const) : ([extent, 0, stride] as const),
  );
  return { dtypes: { T: codes }, config: packConfig(order.block, digits) };
}

/**
 * How a device packs a row-major tensor.
 * @throws UnsupportedError TW2305 where the order breaks its rules
 */
export function devicePack(
  order: PackedOrder,
  dtype: DType,
  shape: readonly number[],
): DeviceRepack {
  requireOrder("a tensor", order);
  const { count, rows, columns } = matrixShape(shape);
  const codes = codesOf(dtype);
  return {
    kernel: packTensor,
    specialization: specializationOf(order, codes),
    codes,
    from: [count, rows, columns],
    to: [packedElements(order, shape)],
    scalars: { pad: DTYPES[dtype].bits === 4 ? encodeConstant(0, dtype) : 0 },
  };
}

/** How a device unpacks one. @throws as `devicePack` */
export function deviceUnpack(
  order: PackedOrder,
  dtype: DType,
  shape: readonly number[],
): DeviceRepack {
  const { kernel: _, scalars: _pad, from, to, ...rest } = devicePack(order, dtype, shape);
  return { ...rest, kernel: unpackTensor, from: to, to: from, scalars: {} };
}

/** One packed tensor of a kernel. */
export interface Repacker {
  readonly tensor: string;
  readonly dtype: DType;
  /** `rows` where the compiler found nothing better: then `pack` and `unpack` copy. */
  readonly order: TensorOrder;
  /**
   * Row-major storage bytes to those that the kernel reads best.
   * @throws RangeError where the bytes are not those of the shape
   */
  pack(shape: readonly number[], bytes: Uint8Array): Uint8Array;
  unpack(shape: readonly number[], bytes: Uint8Array): Uint8Array;
}

function repackerOf(tensor: string, dtype: DType, order: TensorOrder): Repacker {
  return {
    tensor,
    dtype,
    order,
    pack: (shape, bytes) => packBytes(order, dtype, shape, bytes),
    unpack: (shape, bytes) => unpackBytes(order, dtype, shape, bytes),
  };
}

/**
 * The repackers of a kernel's packed tensors, by name, in the orders of one specialisation.
 * @param request orders that it gives are kept; the compiler chooses the others, and `explain()` says why
 * @throws what `compile` throws
 */
export function repacker(
  definition: KernelDefinition,
  request: CompileRequest,
): Readonly<Record<string, Repacker>> {
  const artifact = compile(definition, request);
  const repackers = artifact.params.flatMap((param) => {
    if (param.kind !== "tensor") return [];
    const spec = definition.params[param.name];
    if (spec?.kind !== "tensor" || spec.packed !== true) return [];
    const one = repackerOf(param.name, param.dtype, param.order ?? "rows");
    return [[param.name, one] as const];
  });
  return Object.fromEntries(repackers);
}
