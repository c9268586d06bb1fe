/** [dsl] `kernel()` and the constructors of its parameters. They check, freeze and return records; nothing is parsed here. */
import type { DType } from "./core/dtype.ts";
import type { DefinitionSite, KernelDefinition, TensorSpec } from "./definition.ts";
import { captureSite } from "./frontend/call-site.ts";
import { defineKernel, type LooseSpec } from "./frontend/define-kernel.ts";
import type {
  BodyArguments,
  CheckedParams,
  Config,
  ConfigArguments,
  ConfigValues,
  DimNames,
  DimValues,
  DTypeVariables,
  Empty,
  Params,
  Shape,
  TypedFunctionSpec,
  TypedScalarSpec,
  TypedTensorSpec,
} from "./typing.ts";

type DTypeName = DType | (string & Empty);

/** What `kernel()` is told besides its body. */
export interface KernelSpec<P, C, V> {
  /** snake_case; names the entry point in generated text. */
  readonly name: string;
  /** Tensors, scalars and functions, in the order of the C interface. */
  readonly params: P & CheckedParams<P, V>;
  /** Dtype variables and what each may be bound to: `{ T: ["f32", "f16"] }`. */
  readonly dtypes?: V;
  /** Compile-time values with their defaults. Numbers are dims named after their key. */
  readonly config?: C;
  /** Values the tuner may try, by config key. */
  readonly tune?: {
    readonly [K in keyof C]?: readonly (C[K] extends boolean ? boolean : number)[];
  };
  /** Tensor dims that become compile-time constants when the kernel is specialised. */
  readonly specialize?: readonly DimNames<P>[];
  /** False for configs that make no sense; they are pruned from the tuning space. */
  readonly when?: (config: ConfigValues<C>) => boolean;
  /** Number of programs along each grid axis. */
  readonly grid: (dims: DimValues<P>, config: ConfigValues<C>) => number | readonly number[];
}

/** A definition that remembers the types of its params, config and dtype variables. */
export interface Kernel<P = Params, C = Config, V = DTypeVariables> extends KernelDefinition {
  readonly params: P & Params;
  readonly config: C & Config;
  readonly dtypes: V & DTypeVariables;
}

/**
 * Defines a kernel: one function over tiles. The body is parsed from its source when the kernel is first lowered; it is never run.
 * @param spec name, parameters, config, grid
 * @param body written in place, as a function literal; first argument: params, dims and dtype variables; second: config
 * @param embedded written by the bundler plugin, never by hand: the parsed program
 * @returns a frozen record; compile, launch and tune take it as data
 * @throws KernelSourceError TW1001-TW1009 when the record contradicts itself
 */
export function kernel<
  const P extends Params,
  const C extends Config = Empty,
  const V extends DTypeVariables = Empty,
>(
  spec: KernelSpec<P, C, V>,
  body: (args: BodyArguments<P, V>, config: ConfigArguments<C>) => void,
  embedded?: string,
): Kernel<P, C, V> {
  const site = embedded === undefined ? captureSite(kernel) : { stack: "", embedded };
  return defineKernel(spec as unknown as LooseSpec, body, site) as unknown as Kernel<P, C, V>;
}

/**
 * A tensor that the kernel only reads. Row-major, contiguous.
 * @param dtype a dtype, or the name of a variable of `dtypes`
 * @param shape slowest dim first; a dim is a name, bound and cross-checked at launch, or a size
 */
export function tensor<D extends DTypeName, const S extends Shape>(
  dtype: D,
  ...shape: S
): TypedTensorSpec<D, S, "in"> {
  return tensorSpec(dtype, shape, "in");
}

/**
 * A tensor that the kernel only reads, of which the compiler may choose the order in memory: weights that are packed once and read
 * often. To the body it is like any other; the order shows in `repacker(kernel, …)`, which makes the bytes, and a row-major tensor
 * is taken too.
 */
export function packed<D extends DTypeName, const S extends Shape>(
  dtype: D,
  ...shape: S
): TypedTensorSpec<D, S, "in"> {
  return Object.freeze({ ...tensorSpec(dtype, shape, "in"), packed: true as const });
}

/** A tensor that the kernel only writes. What no program stores keeps its old contents. */
export function out<D extends DTypeName, const S extends Shape>(
  dtype: D,
  ...shape: S
): TypedTensorSpec<D, S, "out"> {
  return tensorSpec(dtype, shape, "out");
}

/** A tensor that the kernel reads and writes. */
export function inout<D extends DTypeName, const S extends Shape>(
  dtype: D,
  ...shape: S
): TypedTensorSpec<D, S, "inout"> {
  return tensorSpec(dtype, shape, "inout");
}

function tensorSpec<D extends string, S extends Shape, A extends TensorSpec["access"]>(
  dtype: D,
  shape: S,
  access: A,
): TypedTensorSpec<D, S, A> {
  return Object.freeze({ kind: "tensor" as const, dtype, shape, access });
}

/** A scalar argument, passed by value at each launch. */
export function scalar<D extends DType>(dtype: D): TypedScalarSpec<D> {
  return Object.freeze({ kind: "scalar" as const, dtype });
}

/**
 * A compile-time function argument, inlined where it is called; for example an epilogue.
 * @param fallback used where a specialisation gives none; a function literal in place, a module-level function, or an op
 */
export function fnParam<F extends (...args: never[]) => unknown>(
  fallback: F,
): TypedFunctionSpec<F> {
  return Object.freeze({ kind: "function" as const, fallback });
}

/** A function with a known place in the source, so that it can be given for a `fnParam` of any kernel. */
export interface DeviceFunction {
  readonly site: DefinitionSite;
}

/**
 * Marks a function as usable for `fnParam`: a plain JavaScript function does not know where it was written, this one does.
 * @param fn written in place, as a function literal; may capture what a kernel may capture
 * @param embedded written by the bundler plugin, never by hand: the parsed program
 * @example export const halve = deviceFunction((x: number) => x * 0.5);
 */
export function deviceFunction<F extends (...args: never[]) => unknown>(
  fn: F,
  embedded?: string,
): F & DeviceFunction {
  const call = (...args: never[]): unknown => fn(...args);
  const site = embedded === undefined ? captureSite(deviceFunction) : { stack: "", embedded };
  return Object.freeze(Object.assign(call, { site })) as unknown as F & DeviceFunction;
}

export * from "./ops/catalogue.ts";
