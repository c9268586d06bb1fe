/** [dsl] What `kernel()` returns and what the front end needs to lower it. Types only; the functions live in language.ts. */
import type { DType } from "./core/dtype.ts";

/** `tensor('T', 'M', 'K')`: the dtype is a DType or the name of a dtype variable; a dim is a name or a size. */
export interface TensorSpec {
  /** Elements may lie in an order that the compiler chose. Only of tensors that are read. */
  readonly packed?: true;
  readonly kind: "tensor";
  readonly dtype: string;
  readonly shape: readonly (string | number)[];
  readonly access: "in" | "out" | "inout";
}
export interface ScalarSpec {
  readonly kind: "scalar";
  readonly dtype: DType;
}
/** A compile-time function argument, for example an epilogue; `fallback` is used where none is given. */
export interface FunctionSpec {
  readonly kind: "function";
  readonly fallback: (...args: never[]) => unknown;
}
export type ParamSpec = TensorSpec | ScalarSpec | FunctionSpec;

/** Where `kernel()` was called. The stack is captured at the call and parsed only when the source is needed. */
export interface DefinitionSite {
  readonly stack: string;
  /** The same frames with positions in the compiled file, untouched by source-map hooks. */
  readonly raw?: string;
  /** Set by `kernelFromSource()`: the text itself and the name under which it exports the kernel. */
  readonly text?: { readonly file: string; readonly source: string; readonly exportName: string };
  /** Set by the bundler plugin: the parsed program as JSON. Then no source is looked for and no parser loaded. */
  readonly embedded?: string;
}

/** A frozen kernel definition. It holds no compiled state: compile, launch and tune take it as data. */
export interface KernelDefinition {
  readonly kind: "kernel";
  readonly name: string;
  readonly params: Readonly<Record<string, ParamSpec>>;
  /** Dtype variables and what each may be bound to. */
  readonly dtypes: Readonly<Record<string, readonly DType[]>>;
  /** Default config; always compile-time. */
  readonly config: Readonly<Record<string, number | boolean>>;
  readonly tune: Readonly<Record<string, readonly (number | boolean)[]>>;
  /** Tensor dims that become compile-time constants, bound at launch. */
  readonly specialize: readonly string[];
  /** False for configs of the tuning space that make no sense. */
  readonly when?: (config: Readonly<Record<string, number | boolean>>) => boolean;
  readonly grid: (
    dims: Readonly<Record<string, number>>,
    config: Readonly<Record<string, number | boolean>>,
  ) => number | readonly number[];
  readonly body: (...args: never[]) => unknown;
  readonly site: DefinitionSite;
}

/** What makes one specialisation of a definition. */
export interface Specialization {
  /** Dtype variable → dtype. Every variable of the definition must be bound. */
  readonly dtypes?: Readonly<Record<string, DType>>;
  /** Overrides of the default config. */
  readonly config?: Readonly<Record<string, number | boolean>>;
  /** Sizes of the dims named by `specialize`. */
  readonly dims?: Readonly<Record<string, number>>;
  /** Functions for `fnParam` params, defined at module level (their source is found like the kernel's). */
  readonly functions?: Readonly<Record<string, (...args: never[]) => unknown>>;
}
