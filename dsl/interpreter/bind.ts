/** [dsl/interpreter] Checks the arguments of a run against the kernel's parameters and makes typed views of their bytes. */
import { DTYPES, type DType, isFloat, storageBytes } from "../core/dtype.ts";
import { type Diagnostic, LaunchError } from "../core/errors.ts";
import { roundTo } from "../core/rounding.ts";
import type { TensorParam, TileKernel } from "../ir/nodes.ts";
import type { Shadow } from "./checks.ts";

export interface TensorArgument {
  /** Storage bytes, row-major; written in place. Its start is aligned to the element size. */
  readonly data: Uint8Array;
  readonly shape: readonly number[];
  /** One byte an element, 0 where nothing was ever written. Stores of a checked run set it. */
  readonly initialised?: Uint8Array;
}

export interface RunArguments {
  readonly tensors: Readonly<Record<string, TensorArgument>>;
  readonly scalars?: Readonly<Record<string, number>>;
  /** Number of programs along each grid axis; 1 where absent. */
  readonly grid: readonly number[];
}

export type StorageArray =
  | Float32Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Int8Array
  | Uint8Array;

export interface BoundTensor {
  readonly data: StorageArray;
  readonly shadow: Shadow;
  readonly sizes: readonly number[];
  readonly strides: readonly number[];
}

export interface BoundRun {
  /** In the order of the kernel's parameters; undefined for scalars. */
  readonly tensors: readonly (BoundTensor | undefined)[];
  readonly dims: Readonly<Record<string, number>>;
  readonly scalars: Readonly<Record<string, number>>;
  readonly grid: readonly [number, number, number];
}

/** Elements of a dtype that share a byte are views of that byte. */
function viewOf(dtype: DType, data: Uint8Array): StorageArray {
  const { buffer, byteOffset, byteLength } = data;
  switch (dtype) {
    case "f32":
      return new Float32Array(buffer, byteOffset, byteLength >> 2);
    case "i32":
      return new Int32Array(buffer, byteOffset, byteLength >> 2);
    case "u32":
      return new Uint32Array(buffer, byteOffset, byteLength >> 2);
    case "f16":
    case "bf16":
      return new Uint16Array(buffer, byteOffset, byteLength >> 1);
    case "i8":
      return new Int8Array(buffer, byteOffset, byteLength);
    case "u8":
    case "i4":
    case "u4":
    case "f8e4m3":
    case "f8e5m2":
    case "f8e8m0":
    case "f4e2m1":
    case "nf4":
    case "bool":
      return data;
    default:
      return dtype satisfies never;
  }
}

function problem(message: string, seen: string, expected: string, remedy: string): Diagnostic {
  return { code: "TW1320", message, seen, expected, remedy };
}

function shapeText(shape: readonly (number | string)[]): string {
  return `[${shape.join(", ")}]`;
}

function checkTensor(
  kernel: TileKernel,
  param: TensorParam,
  argument: TensorArgument,
  dims: Record<string, number>,
): Diagnostic | undefined {
  const { data, shape } = argument;
  const name = `tensor ${param.name} of kernel ${kernel.name}`;
  const expectedShape = shapeText(param.shape.map((dim) => dim.size ?? dim.name ?? "?"));
  if (shape.length !== param.shape.length) {
    const remedy = "pass a view with the kernel's dims";
    return problem(`${name} has the wrong number of dims`, shapeText(shape), expectedShape, remedy);
  }
  for (const [i, dim] of param.shape.entries()) {
    const size = shape[i] ?? 0;
    const known = dim.size ?? (dim.name === undefined ? undefined : dims[dim.name]);
    if (known !== undefined && known !== size) {
      const label = dim.name ?? String(dim.size);
      const message = `dim ${label} of ${name} does not fit`;
      return problem(message, `${size} in ${shapeText(shape)}`, `${known}`, "make the sizes agree");
    }
    if (dim.name !== undefined && dim.size === undefined) dims[dim.name] = size;
  }
  const elements = shape.reduce((n, size) => n * size, 1);
  const bytes = storageBytes(param.dtype, elements);
  if (data.byteLength < bytes) {
    const remedy = "pass the storage bytes of the whole tensor";
    return problem(`${name} has too few bytes`, `${data.byteLength}`, `${bytes}`, remedy);
  }
  if (data.byteOffset % Math.max(1, DTYPES[param.dtype].bits / 8) !== 0) {
    const expected = `a multiple of ${DTYPES[param.dtype].bits / 8}`;
    const remedy = "copy the bytes to an aligned place";
    return problem(`${name} is not aligned`, `byte offset ${data.byteOffset}`, expected, remedy);
  }
  return undefined;
}

/** Stands for memory that nobody has written: NaN for floats, a pattern that is no plausible number for ints. */
function poisonByte(dtype: DType): number {
  if (dtype === "bool") return 1;
  return isFloat(dtype) ? 0xff : 0x5a;
}

function poison(param: TensorParam, { data, shape, initialised }: TensorArgument): void {
  const byte = poisonByte(param.dtype);
  if (initialised === undefined) {
    if (param.access === "out") data.fill(byte);
    return;
  }
  const bits = DTYPES[param.dtype].bits;
  const elements = shape.reduce((n, size) => n * size, 1);
  if (bits < 8) return; // neighbours share a byte
  for (let i = 0; i < elements; i++) {
    if (initialised[i] === 0) data.fill(byte, (i * bits) / 8, ((i + 1) * bits) / 8);
  }
}

/** How memory that nobody has written is treated by a checked run. */
export type UnwrittenMode = "error" | "poison";

function bindTensor(
  param: TensorParam,
  argument: TensorArgument,
  checks: boolean,
  unwritten: UnwrittenMode,
): BoundTensor {
  const sizes = argument.shape;
  const strides = sizes.map((_, i) => sizes.slice(i + 1).reduce((n, size) => n * size, 1));
  const elements = sizes.reduce((n, size) => n * size, 1);
  if (checks && unwritten === "poison") poison(param, argument);
  const shared = checks && param.access !== "in" ? elements : 0;
  const shadow: Shadow = {
    tensor: param,
    shape: sizes,
    initialised: argument.initialised,
    reportUnwritten: unwritten === "error",
    writer: new Int32Array(shared),
    reader: new Int32Array(shared),
  };
  return { data: viewOf(param.dtype, argument.data), shadow, sizes, strides };
}

/**
 * Binds the arguments of one run.
 * @throws LaunchError TW1320 with everything that does not fit
 */
export function bindArguments(
  kernel: TileKernel,
  run: RunArguments,
  checks: boolean,
  unwritten: UnwrittenMode,
): BoundRun {
  const dims: Record<string, number> = {};
  const scalars: Record<string, number> = {};
  const problems: Diagnostic[] = [];
  const tensors = kernel.params.map((param) => {
    if (param.kind === "scalar") {
      const value = run.scalars?.[param.name];
      if (value === undefined) {
        const message = `scalar ${param.name} of kernel ${kernel.name} is missing`;
        const remedy = `pass the scalar; on the command line, --scalar ${param.name}=1`;
        problems.push(problem(message, "no value", `a ${param.dtype}`, remedy));
      } else scalars[param.name] = roundTo(param.dtype, value);
      return undefined;
    }
    const argument = run.tensors[param.name];
    if (argument === undefined) {
      const message = `tensor ${param.name} of kernel ${kernel.name} is missing`;
      problems.push(problem(message, "no tensor", `a ${param.dtype} tensor`, "pass the tensor"));
      return undefined;
    }
    const wrong = checkTensor(kernel, param, argument, dims);
    if (wrong === undefined) return bindTensor(param, argument, checks, unwritten);
    problems.push(wrong);
    return undefined;
  });
  const grid = [run.grid[0] ?? 1, run.grid[1] ?? 1, run.grid[2] ?? 1] as const;
  if (grid.some((size) => !Number.isInteger(size) || size < 0) || run.grid.length > 3) {
    const message = `the grid of kernel ${kernel.name} is no grid`;
    const expected = "up to three integers of at least 0";
    problems.push(problem(message, shapeText(run.grid), expected, "correct the grid"));
  }
  if (problems.length > 0) throw new LaunchError(problems);
  return { tensors, dims, scalars, grid };
}
