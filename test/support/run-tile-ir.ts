/** [test/support] Runs kernels given as tile IR text on plain numbers, and gives the contents of their tensors. */
import type { DType } from "../../dsl/core/dtype.ts";
import { KernelRunError } from "../../dsl/core/errors.ts";
import { decodeArray, encodeArray } from "../../dsl/core/rounding.ts";
import type { TensorArgument } from "../../dsl/interpreter/bind.ts";
import type { CheckFinding } from "../../dsl/interpreter/checks.ts";
import { type InterpreterOptions, prepareInterpreter } from "../../dsl/interpreter/program.ts";
import { parseKernel } from "../../dsl/ir/parse.ts";

export interface TensorInput {
  readonly shape: readonly number[];
  /** Row-major; zeros where absent. */
  readonly values?: readonly number[];
  readonly initialised?: Uint8Array;
}

export interface RunInput {
  readonly tensors: Readonly<Record<string, TensorInput>>;
  readonly scalars?: Readonly<Record<string, number>>;
  readonly grid?: readonly number[];
  readonly options?: InterpreterOptions;
}

function count(shape: readonly number[]): number {
  return shape.reduce((n, size) => n * size, 1);
}

/** Contents of every tensor parameter after a run. */
export function runText(
  text: string,
  input: RunInput,
): Readonly<Record<string, readonly number[]>> {
  const kernel = parseKernel(text);
  const tensors: Record<string, TensorArgument> = {};
  const dtypes: Record<string, DType> = {};
  for (const param of kernel.params) {
    const given = input.tensors[param.name];
    if (param.kind !== "tensor" || given === undefined) continue;
    const values = given.values ?? new Array<number>(count(given.shape)).fill(0);
    const { initialised } = given;
    const data = encodeArray(param.dtype, values);
    tensors[param.name] = {
      data,
      shape: given.shape,
      ...(initialised === undefined ? {} : { initialised }),
    };
    dtypes[param.name] = param.dtype;
  }
  const args = { tensors, scalars: input.scalars ?? {}, grid: input.grid ?? [1] };
  prepareInterpreter(kernel, input.options ?? {}).run(args);
  return Object.fromEntries(
    Object.entries(tensors).map(([name, { data, shape }]) => [
      name,
      [...decodeArray(dtypes[name] ?? "f32", data, count(shape))],
    ]),
  );
}

/** Findings of a run that must fail its checks. */
export function findingsOf(text: string, input: RunInput): readonly CheckFinding[] {
  try {
    runText(text, input);
  } catch (error) {
    if (error instanceof KernelRunError) return error.diagnostics as readonly CheckFinding[];
    throw error;
  }
  return [];
}

/**
 * Evaluates lines of IR that define `%out.9`, from `%a.1` and `%b.2` (tiles `[A=n]` of the given dtype), and gives the tile.
 * @param outType type of `%out.9` without axes
 */
export function evaluate(
  lines: string,
  dtype: DType,
  a: readonly number[],
  b: readonly number[] = a,
  outType: DType = dtype,
  options: InterpreterOptions = {},
): readonly number[] {
  const n = a.length;
  const text = `kernel k(a: in ${dtype}[N], b: in ${dtype}[N], out: out ${outType}[N]) dims(N) {
    %zero.0: i32 = const 0
    %a.1: ${dtype}[A=${n}] = load a[span A=${n} from %zero.0] fill 0
    %b.2: ${dtype}[A=${n}] = load b[span A=${n} from %zero.0] fill 0
    ${lines}
    store out[span A=${n} from %zero.0] = %out.9
  }`;
  const tensors = {
    a: { shape: [n], values: a },
    b: { shape: [n], values: b },
    out: { shape: [n] },
  };
  return runText(text, { tensors, options })["out"] ?? [];
}
