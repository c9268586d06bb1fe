/** [dsl/kernels] What the catalogue knows of a kernel: reference, samples, cost. No kernel is defined here. */
import { type DType, isFloat } from "../core/dtype.ts";
import { InternalError } from "../core/errors.ts";
import { roundTo } from "../core/rounding.ts";
import type { Tolerance } from "../core/tolerance.ts";
import type { KernelDefinition, Specialization } from "../definition.ts";

/** A tensor as plain numbers, row-major. The numbers are representable in `dtype`. */
export interface HostTensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

/** One sequence of a batch: `queries` new tokens at the end of `length` tokens of context. */
export interface Sequence {
  readonly queries: number;
  readonly length: number;
}

/** A problem: everything that fixes shapes, types and random data of one call. */
export interface Problem {
  /** Unique among the samples of a kernel once the dtypes are appended. */
  readonly name: string;
  readonly seed: number;
  /** Every dim that the kernel's tensors name. */
  readonly dims: Readonly<Record<string, number>>;
  readonly dtypes: Readonly<Record<string, DType>>;
  /** Overrides of the default config. */
  readonly config?: Readonly<Record<string, number | boolean>>;
  readonly functions?: Specialization["functions"];
  /** Values that the inputs are made with: scalar parameters, and choices that one kernel documents. */
  readonly options?: Readonly<Record<string, number>>;
  /** For kernels over a batch of sequences. */
  readonly sequences?: readonly Sequence[];
}

/** Arguments of one call. Tensors that are only written are absent. */
export interface KernelInputs {
  readonly tensors: Readonly<Record<string, HostTensor>>;
  readonly scalars: Readonly<Record<string, number>>;
}

export interface ExpectedTensor {
  /** Whole contents after the call; elements that the kernel must not touch hold what was there before. */
  readonly data: Float64Array;
  readonly tolerance: Tolerance;
}

/** One runnable case: any driver can upload `tensors`, launch, and compare every tensor named in `expected`. */
export interface KernelSample {
  readonly name: string;
  readonly kernel: KernelDefinition;
  readonly specialization: Specialization;
  readonly dims: Readonly<Record<string, number>>;
  /** Initial contents of every tensor parameter; what is only written starts as poison (NaN, or `POISON_INT`). */
  readonly tensors: Readonly<Record<string, HostTensor>>;
  readonly scalars: Readonly<Record<string, number>>;
  readonly expected: Readonly<Record<string, ExpectedTensor>>;
}

export interface KernelEntry {
  readonly kernel: KernelDefinition;
  readonly samples: readonly Problem[];
  /** Seeded inputs; whatever the kernel must never read is poison. */
  readonly inputs: (problem: Problem) => KernelInputs;
  /**
   * Naive implementation over plain numbers, independent of the compiler and of the interpreter.
   * @returns contents of every `out` and `inout` tensor; `initial` holds what they start with
   */
  readonly reference: (call: ReferenceCall) => Readonly<Record<string, ExpectedTensor>>;
  /** Bytes that must move between memory and the device at least, each element once. */
  readonly bytes: (problem: Problem) => number;
  /** Floating-point operations, a multiply-add counted as two. */
  readonly flops: (problem: Problem) => number;
  /** Of kernels whose operands are larger than the host can make in a short time. */
  readonly spots?: SpotCheck;
}

/** How problems are measured that are too large to be made and computed whole on the host: random operands, and some elements recomputed. */
export interface SpotCheck {
  /** Tensors of floats that the device fills with normal numbers, by name; the numbers are their standard deviations. */
  readonly noise: (problem: Problem) => Readonly<Record<string, number>>;
  /** What else is read. */
  readonly inputs: (problem: Problem) => KernelInputs;
  /**
   * @param read numbers of a tensor on the device, from a row-major place on
   * @returns elements of outputs, spread over all of them
   */
  readonly elements: (problem: Problem, read: ReadNumbers) => Promise<readonly SpotElement[]>;
}

export type ReadNumbers = (tensor: string, start: number, count: number) => Promise<Float64Array>;

/** One element of an output and what must be there. */
export interface SpotElement {
  readonly tensor: string;
  /** Row-major place. */
  readonly index: number;
  readonly expected: number;
  readonly tolerance: Tolerance;
}

export interface ReferenceCall {
  readonly problem: Problem;
  /** All tensors, those only written filled with poison. */
  readonly tensors: Readonly<Record<string, HostTensor>>;
  readonly scalars: Readonly<Record<string, number>>;
}

/** Fills integer tensors that are only written. */
export const POISON_INT = -1431655766;

export function defineKernelEntry(entry: KernelEntry): KernelEntry {
  return Object.freeze(entry);
}

/** Makes a problem runnable: inputs, poisoned outputs, and what must come out. */
export function makeSample(entry: KernelEntry, problem: Problem): KernelSample {
  const { kernel } = entry;
  const inputs = entry.inputs(problem);
  const tensors: Record<string, HostTensor> = {};
  for (const [name, spec] of Object.entries(kernel.params)) {
    if (spec.kind !== "tensor") continue;
    tensors[name] = inputs.tensors[name] ?? poisoned(entry, problem, name);
  }
  const expected = entry.reference({ problem, tensors, scalars: inputs.scalars });
  return {
    name: problem.name,
    kernel,
    specialization: {
      dtypes: problem.dtypes,
      dims: Object.fromEntries(kernel.specialize.map((dim) => [dim, dimOf(problem, dim)])),
      ...(problem.config === undefined ? {} : { config: problem.config }),
      ...(problem.functions === undefined ? {} : { functions: problem.functions }),
    },
    dims: problem.dims,
    tensors,
    scalars: inputs.scalars,
    expected,
  };
}

/** The sample problems, each once for every dtype that its variable may be bound to. */
export function forDTypes(
  variable: string,
  dtypes: readonly DType[],
  problems: readonly Omit<Problem, "dtypes">[],
): readonly Problem[] {
  return problems.flatMap((problem) =>
    dtypes.map((dtype) => ({
      ...problem,
      name: `${problem.name}, ${variable}=${dtype}`,
      dtypes: { [variable]: dtype },
    })),
  );
}

/** Size of a dim of the problem. */
export function dimOf(problem: Problem, dim: string): number {
  const size = problem.dims[dim];
  if (size === undefined) throw missing(`problem "${problem.name}" has no dim ${dim}`);
  return size;
}

/** Dtype that a variable is bound to. */
export function dtypeOf(problem: Problem, variable: string): DType {
  const dtype = problem.dtypes[variable];
  if (dtype === undefined)
    throw missing(`problem "${problem.name}" does not bind dtype ${variable}`);
  return dtype;
}

/** A tensor of the call. */
export function tensorOf(call: ReferenceCall, name: string): HostTensor {
  const tensor = call.tensors[name];
  if (tensor === undefined) throw missing(`the call has no tensor ${name}`);
  return tensor;
}

/** A scalar of the call. */
export function scalarOf(call: ReferenceCall, name: string): number {
  const value = call.scalars[name];
  if (value === undefined) throw missing(`the call has no scalar ${name}`);
  return value;
}

function poisoned(entry: KernelEntry, problem: Problem, name: string): HostTensor {
  const spec = entry.kernel.params[name];
  if (spec?.kind !== "tensor" || spec.access !== "out") {
    throw missing(
      `inputs of "${problem.name}" lack tensor ${name}, which ${entry.kernel.name} reads`,
    );
  }
  const dtype = (problem.dtypes[spec.dtype] ?? spec.dtype) as DType;
  const shape = spec.shape.map((dim) => (typeof dim === "number" ? dim : dimOf(problem, dim)));
  const count = shape.reduce((n, size) => n * size, 1);
  const poison = roundTo(dtype, isFloat(dtype) ? Number.NaN : POISON_INT);
  return { dtype, shape, data: new Float64Array(count).fill(poison) };
}

function missing(message: string): InternalError {
  return new InternalError({
    code: "TW9002",
    message: `kernel sample: ${message}`,
    remedy: "complete the entry of this kernel in dsl/kernels",
  });
}
