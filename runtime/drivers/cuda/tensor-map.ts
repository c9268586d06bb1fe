/** [runtime/drivers] What cuTensorMapEncodeTiled is told about one tensor and its boxes, checked beforehand. No driver calls. */
import { RAGGED_SIZE, type TensorMapParam } from "../../../codegen/index.ts";
import { DeviceError, type Diagnostic, DTYPES, type DType } from "../../../dsl/index.ts";

/** The tensor a map describes: a device address and row-major sizes in elements. */
export interface MappedTensor {
  readonly pointer: bigint;
  readonly dtype: DType;
  readonly shape: readonly number[];
}

/** Arguments of cuTensorMapEncodeTiled; sizes run from the innermost dim outwards. */
export interface TensorMapFields {
  readonly dataType: number;
  readonly rank: number;
  readonly pointer: bigint;
  readonly dims: BigUint64Array;
  /** Bytes between neighbours of every dim but the innermost; one unused entry for rank 1. */
  readonly strides: BigUint64Array;
  readonly box: Uint32Array;
  readonly elementStrides: Uint32Array;
  readonly swizzle: number;
}

/** CUtensorMapDataType; 8-bit floats are moved as bytes. @source CUDA driver API, enum CUtensorMapDataType */
const DATA_TYPE: Readonly<Partial<Record<DType, number>>> = {
  u8: 0,
  i8: 0,
  bool: 0,
  f8e4m3: 0,
  f8e5m2: 0,
  u32: 2,
  i32: 3,
  f16: 6,
  f32: 7,
  bf16: 9,
};
/** CUtensorMapSwizzle by bytes. @source CUDA driver API, enum CUtensorMapSwizzle */
const SWIZZLE = { 0: 0, 32: 1, 64: 2, 128: 3 } as const;
/** @source CUDA driver API, cuTensorMapEncodeTiled: alignment of addresses, strides and the innermost box; bounds of ranks and sizes */
const ALIGNMENT = 16;
const MAX_RANK = 5;
/** Rows of a group of a grouped map. */
const GROUP = 8;
const MAX_BOX = 256;
const MAX_DIM = 2 ** 32;
const MAX_STRIDE = 2 ** 40;
/** Sizes of the two dims that a ragged one adds: all that a coordinate can name. */
const MOST_POSITIONS = 0x7fff0000n;
/** RAGGED_SIZE of these are 2^64, which an address does not show. */
const WRAP_STRIDE = 2n ** 34n;

/**
 * @param kernel its name, for messages
 * @throws DeviceError TW3213 with everything that the hardware cannot describe
 */
export function tensorMapFields(
  kernel: string,
  param: TensorMapParam,
  tensor: MappedTensor,
): TensorMapFields {
  const bad = problemsOf(param, tensor);
  if (bad.length > 0)
    throw new DeviceError(bad.map((problem) => diagnosticOf(kernel, param, problem)));
  const sizes = mappedSizes(param, tensor);
  const dims = sizes.map((size) => BigInt(Math.max(1, size))).reverse();
  const strides = [...stridesOf(param, sizes)].slice(0, sizes.length - 1);
  const box = [...param.box].reverse();
  if (param.ragged !== undefined) {
    const stride = strides[sizes.length - 2 - param.ragged] ?? 0n;
    dims[sizes.length - 1 - param.ragged] = BigInt(RAGGED_SIZE);
    dims.push(MOST_POSITIONS, MOST_POSITIONS);
    strides.push(stride, WRAP_STRIDE - stride);
    box.push(1, 1);
  }
  return {
    dataType: DATA_TYPE[param.dtype] ?? 0,
    rank: dims.length,
    pointer: tensor.pointer,
    dims: BigUint64Array.from(dims),
    strides: BigUint64Array.from(strides.length === 0 ? [0n] : strides),
    box: Uint32Array.from(box),
    elementStrides: new Uint32Array(dims.length).fill(1),
    swizzle: SWIZZLE[param.swizzle],
  };
}

/** Sizes in elements of the map's dtype, which may be wider than the tensor's (two 4-bit elements move as one byte). */
function mappedSizes(
  { dtype, box, folded = 1, grouped }: TensorMapParam,
  tensor: MappedTensor,
): readonly number[] {
  const { shape } = tensor;
  if (grouped === true) {
    const [rows = 0, ...inner] = shape.slice(-3);
    const width = box.at(-1) ?? 1;
    const row = inner.reduce((product, size) => product * size, 1);
    return [...shape.slice(0, -3), rows / GROUP, row / width, GROUP, width];
  }
  const last = shape.slice(shape.length - folded).reduce((product, size) => product * size, 1);
  const bits = DTYPES[tensor.dtype].bits / DTYPES[dtype].bits;
  return [...shape.slice(0, shape.length - folded), last * bits];
}

function stridesOf({ dtype, grouped }: TensorMapParam, sizes: readonly number[]): BigUint64Array {
  if (grouped === true) return groupedStrides(dtype, sizes);
  const strides = new BigUint64Array(Math.max(1, sizes.length - 1));
  const isEmpty = sizes.includes(0);
  let bytes = DTYPES[dtype].bits / 8;
  for (let i = 0; i < sizes.length - 1; i++) {
    bytes *= Math.max(1, sizes[sizes.length - 1 - i] ?? 1);
    // Nothing of an empty tensor is ever moved, but its strides must still be legal.
    strides[i] = BigInt(isEmpty ? Math.ceil(bytes / ALIGNMENT) * ALIGNMENT : bytes);
  }
  return strides;
}

/** Of rows, panels, groups of rows, and what is outside of them, innermost first: panels are nearer to each other than rows. */
function groupedStrides(dtype: DType, sizes: readonly number[]): BigUint64Array {
  const [outer, [groups = 1, panels = 1, , width = 1]] = [sizes.slice(0, -4), sizes.slice(-4)];
  const panel = (width * DTYPES[dtype].bits) / 8;
  const strides = [panel * Math.max(1, panels), panel];
  strides.push((strides[0] ?? 0) * GROUP);
  let bytes = (strides[2] ?? 0) * Math.max(1, groups);
  for (const size of [...outer].reverse()) {
    strides.push(bytes);
    bytes *= Math.max(1, size);
  }
  return BigUint64Array.from(strides.map(BigInt));
}

interface Problem {
  readonly message: string;
  readonly seen: string;
  readonly expected: string;
}

function problemsOf(param: TensorMapParam, tensor: MappedTensor): readonly Problem[] {
  return [...problemsOfBox(param, tensor), ...problemsOfTensor(param, tensor)];
}

function problemsOfBox(param: TensorMapParam, tensor: MappedTensor): readonly Problem[] {
  const { box, dtype, swizzle } = param;
  const problems: Problem[] = [];
  const add = (message: string, seen: string, expected: string) =>
    problems.push({ message, seen, expected });
  if (DATA_TYPE[dtype] === undefined)
    add("its dtype cannot be moved by boxes", dtype, Object.keys(DATA_TYPE).join(", "));
  const rank = box.length + (param.ragged === undefined ? 0 : 2);
  const sizes = mappedSizes(param, tensor);
  if (box.length < 1 || rank > MAX_RANK || box.length !== sizes.length)
    add(
      "its box has another rank than the tensor, or an impossible one",
      `box [${box.join(", ")}] on a tensor of shape [${tensor.shape.join(", ")}]`,
      `as many sizes as the tensor has dims, 1 to ${MAX_RANK}`,
    );
  if (box.some((size) => !Number.isInteger(size) || size < 1 || size > MAX_BOX))
    add(
      "a size of its box is out of range",
      `[${box.join(", ")}]`,
      `integers from 1 to ${MAX_BOX}`,
    );
  if (param.ragged !== undefined && !(param.ragged >= 0 && param.ragged < box.length - 1))
    add(
      "the dim with ends is none that has a stride",
      `dim ${param.ragged}`,
      `0 to ${box.length - 2}`,
    );
  const rowBytes = ((box.at(-1) ?? 0) * DTYPES[dtype].bits) / 8;
  if (rowBytes % ALIGNMENT !== 0 || (swizzle > 0 && rowBytes > swizzle))
    add(
      "a row of its box has a width that cannot be moved",
      `${rowBytes} bytes with a swizzle of ${swizzle}`,
      `a multiple of ${ALIGNMENT} bytes${swizzle > 0 ? `, at most ${swizzle}` : ""}`,
    );
  return problems;
}

function problemsOfTensor(param: TensorMapParam, tensor: MappedTensor): readonly Problem[] {
  const problems: Problem[] = [];
  const add = (message: string, seen: string, expected: string) =>
    problems.push({ message, seen, expected });
  if (tensor.pointer % BigInt(ALIGNMENT) !== 0n)
    add(
      "its tensor starts at an unaligned address",
      `0x${tensor.pointer.toString(16)}`,
      `a multiple of ${ALIGNMENT} bytes`,
    );
  const sizes = mappedSizes(param, tensor);
  if (sizes.some((size) => !Number.isInteger(size) || size > MAX_DIM))
    add(
      "a dim of its tensor cannot be counted",
      `[${sizes.join(", ")}] elements of ${param.dtype}`,
      `whole numbers of at most ${MAX_DIM}`,
    );
  else if (!sizes.includes(0)) {
    const strides = [...stridesOf(param, sizes)].slice(0, sizes.length - 1).map(Number);
    const bad = strides.find((bytes) => bytes % ALIGNMENT !== 0 || bytes >= MAX_STRIDE);
    if (bad !== undefined)
      add(
        "a stride of its tensor cannot be described",
        `${bad} bytes, from ${tensor.dtype}[${tensor.shape.join(", ")}]`,
        `multiples of ${ALIGNMENT} bytes below ${MAX_STRIDE}`,
      );
  }
  return problems;
}

function diagnosticOf(kernel: string, param: TensorMapParam, problem: Problem): Diagnostic {
  return {
    code: "TW3213",
    message: `${kernel}: tensor map '${param.name}' of '${param.tensor}': ${problem.message}`,
    seen: problem.seen,
    expected: problem.expected,
    remedy:
      "pad the tensor so that rows are multiples of 16 bytes; a kernel that was compiled for such sizes must not use a map: please report it",
  };
}
