/** [dsl] The types a kernel's body is checked with: soft-branded tiles, dims, tensors and our own error sentences. No run-time code. */
import type { DType } from "./core/dtype.ts";
import type { FunctionSpec, ParamSpec, ScalarSpec, TensorSpec } from "./definition.ts";

declare const dimBrand: unique symbol;
declare const tileBrand: unique symbol;
declare const tensorBrand: unique symbol;
declare const indexBrand: unique symbol;
declare const dtypeBrand: unique symbol;
declare const sharedBrand: unique symbol;
declare const barrierBrand: unique symbol;

/** A named size: a config value or a tensor's dim. As a number it is its size. */
export type Dim<N extends string = string> = number & { readonly [dimBrand]: N };

/**
 * A tile (or scalar, with no axes) of dtype `D` over the axes `S`. Softly branded: a plain number, which is what an
 * operator gives, is assignable to it, while a tile of another known dtype or other known axes is not. The brand's
 * members are methods because method parameters compare both ways, so a part that is `unknown` fits everything; it may be
 * undefined so that `===` takes tiles over different axes.
 */
export type Tile<D = unknown, S = unknown> = number & {
  toFixed(fractionDigits?: number): string;
  readonly [tileBrand]?: { dtype(d: D): void; axes(s: S): void } | undefined;
};

/** A tensor parameter inside the body: only `load`, `store` and atomics touch it. */
export interface KernelTensor<D extends string = string, S extends Shape = Shape> {
  readonly [tensorBrand]: { readonly dtype: D; readonly shape: S };
}
export type Shape = readonly (string | number)[];

/** A dtype variable inside the body, for `cast(x, T)` and `zeros(T, BM)`. */
export interface DTypeVariable<N extends string = string> {
  readonly [dtypeBrand]: N;
}
export type DTypeArgument = DType | DTypeVariable;
export type NameOf<D> = D extends DTypeVariable<infer N> ? N : D;

/** How one dim of a tensor is addressed with a run of elements; `S` are the axes it adds to the tile. */
export interface AxisIndex<S = unknown> {
  readonly [indexBrand]: S;
}
export type Index = number | AxisIndex;

/** What `shared()` gives: a ring of tiles of dtype `D` over the axes `S`. */
export interface SharedTile<D = unknown, S = unknown> {
  readonly [sharedBrand]: { dtype(d: D): void; axes(s: S): void };
}
/** What `barrier()` gives. */
export interface Barrier {
  readonly [barrierBrand]: true;
}

// ---- parameters of kernel() ------------------------------------------------------------------
export interface TypedTensorSpec<D extends string, S extends Shape, A extends TensorSpec["access"]>
  extends TensorSpec {
  readonly dtype: D;
  readonly shape: S;
  readonly access: A;
}
export interface TypedScalarSpec<D extends DType> extends ScalarSpec {
  readonly dtype: D;
}
export interface TypedFunctionSpec<F extends (...args: never[]) => unknown> extends FunctionSpec {
  readonly fallback: F;
}

export type Params = Readonly<Record<string, ParamSpec>>;
export type Config = Readonly<Record<string, number | boolean>>;
export type DTypeVariables = Readonly<Record<string, readonly DType[]>>;
export type Empty = Readonly<Record<never, never>>;

type Member<P> = P[keyof P];
export type DimNames<P> = Member<{
  [K in keyof P]: P[K] extends TypedTensorSpec<string, infer S extends Shape, TensorSpec["access"]>
    ? Extract<S[number], string>
    : never;
}>;
type ArgumentOf<P> =
  P extends TypedTensorSpec<infer D, infer S, TensorSpec["access"]>
    ? KernelTensor<D, S>
    : P extends TypedScalarSpec<infer D>
      ? D extends "bool"
        ? boolean
        : Tile<D, readonly []>
      : P extends TypedFunctionSpec<infer F>
        ? F
        : never;

/** The first argument of a body: params, dims and dtype variables by name. */
export type BodyArguments<P, V> = { readonly [K in keyof P]: ArgumentOf<P[K]> } & {
  readonly [N in DimNames<P>]: Dim<N>;
} & { readonly [N in keyof V & string]: DTypeVariable<N> };
/** The second argument of a body: numbers are dims named after their key. */
export type ConfigArguments<C> = {
  readonly [K in keyof C & string]: C[K] extends boolean ? boolean : Dim<K>;
};
/** Config as host functions (`grid`, `when`) see it. */
export type ConfigValues<C> = { readonly [K in keyof C]: C[K] extends boolean ? boolean : number };
export type DimValues<P> = { readonly [N in DimNames<P>]: number };

/** Rejects a tensor whose dtype is neither a dtype nor a variable of `dtypes`. */
export type CheckedParams<P, V> = {
  readonly [K in keyof P]: P[K] extends TypedTensorSpec<infer D, Shape, TensorSpec["access"]>
    ? D extends DType | keyof V
      ? P[K]
      : Err<`tensor: '${D}' is neither a dtype nor listed in dtypes`>
    : P[K];
};

// ---- checks: exact where both sides are known, silent where an operator has erased the brand --
/** Never a value: tsc prints the sentence where an argument does not fit. */
export interface Err<Sentence extends string> {
  readonly __kernelError: Sentence;
}
type IsKnown<T> = unknown extends T ? false : true;
type Brand<X> = X extends { readonly [tileBrand]?: infer F } ? NonNullable<F> : unknown;
export type DTypeOf<X> = Brand<X> extends { dtype(d: infer D): void } ? D : unknown;
export type AxesOf<X> = Brand<X> extends { axes(s: infer S): void } ? S : unknown;

type Has<S, N> = S extends readonly (infer P)[] ? (N extends P ? true : false) : false;
export type Without<S, N> = S extends readonly [infer H, ...infer R]
  ? H extends N
    ? Without<R, N>
    : readonly [H, ...Without<R, N>]
  : readonly [];
type Append<S extends readonly unknown[], E> = E extends readonly [infer H, ...infer R]
  ? Append<Has<S, H> extends true ? S : readonly [...S, H], R>
  : S;
type Shared<A, B> = A extends readonly (infer P)[]
  ? B extends readonly (infer Q)[]
    ? Extract<P, Q>
    : never
  : never;

/** Axes of a tile addressed by `I`: those of its indices, each once, in order; unknown when an index or their number is. */
export type AxesOfIndices<I extends readonly unknown[]> = number extends I["length"]
  ? unknown
  : CollectAxes<I, readonly []>;
type CollectAxes<I, S extends readonly unknown[]> = I extends readonly [infer H, ...infer R]
  ? H extends AxisIndex<infer N>
    ? N extends readonly unknown[]
      ? CollectAxes<R, Append<S, N>>
      : unknown
    : CollectAxes<R, S>
  : S;
export type NamesOf<S extends readonly unknown[]> = {
  readonly [K in keyof S]: S[K] extends Dim<infer N> ? N : never;
};

export type RankOk<
  What extends string,
  S extends Shape,
  I extends readonly unknown[],
> = I["length"] extends S["length"]
  ? unknown
  : number extends S["length"] | I["length"]
    ? unknown
    : Err<`${What}: the number of indices differs from the tensor's number of dims`>;

/** What an elementwise function gives: its argument's type, or number where that is not known. */
export type Like<X> = IsKnown<DTypeOf<X>> extends true ? X : number;

type FloatName<D> = D extends
  | "i32"
  | "u32"
  | "i8"
  | "u8"
  | "i4"
  | "u4"
  | "bool"
  | "nf4"
  | "f4e2m1"
  | "f8e8m0"
  ? false
  : true;
export type FloatOk<What extends string, X> =
  IsKnown<DTypeOf<X>> extends true
    ? FloatName<DTypeOf<X>> extends true
      ? unknown
      : Err<`${What}: needs floats; cast() first`>
    : unknown;

export type AxisOk<What extends string, X, A> =
  IsKnown<AxesOf<X>> extends true
    ? Has<AxesOf<X>, A> extends true
      ? unknown
      : Err<`${What}: the tile has no such axis`>
    : unknown;
export type Reduced<X, A, D = DTypeOf<X>> =
  IsKnown<AxesOf<X>> extends true ? Tile<D, Without<AxesOf<X>, A>> : number;

type BothKnown<A, B> = [IsKnown<A>, IsKnown<B>] extends [true, true] ? true : false;
export type DotOk<A, B> =
  BothKnown<DTypeOf<A>, DTypeOf<B>> extends true
    ? [DTypeOf<A>] extends [DTypeOf<B>]
      ? DotAxesOk<AxesOf<A>, AxesOf<B>>
      : Err<"dot: operand dtypes differ">
    : DotAxesOk<AxesOf<A>, AxesOf<B>>;
type DotAxesOk<A, B> =
  BothKnown<A, B> extends true
    ? [Shared<A, B>] extends [never]
      ? Err<"dot: operands share no axis">
      : unknown
    : unknown;
export type DotResult<A, B> =
  BothKnown<AxesOf<A>, AxesOf<B>> extends true
    ? Tile<
        DotDType<DTypeOf<A>>,
        readonly [
          ...Without<AxesOf<A>, Shared<AxesOf<A>, AxesOf<B>>>,
          ...Without<AxesOf<B>, Shared<AxesOf<A>, AxesOf<B>>>,
        ]
      >
    : Tile<DotDType<DTypeOf<A>>>;
type DotDType<D> =
  IsKnown<D> extends true ? (D extends "i8" | "u8" | "i32" | "u32" ? "i32" : "f32") : unknown;

export type StoreOk<D, S, V> =
  IsKnown<DTypeOf<V>> extends true
    ? [DTypeOf<V>] extends [D]
      ? StoreAxesOk<S, AxesOf<V>>
      : Err<"store: dtype differs, use cast()">
    : StoreAxesOk<S, AxesOf<V>>;
type StoreAxesOk<S, V> =
  BothKnown<S, V> extends true
    ? [V] extends [S] | [readonly []]
      ? unknown
      : Err<"store: tile axes do not match the target">
    : unknown;

export type GatherOk<X> =
  IsKnown<DTypeOf<X>> extends true
    ? DTypeOf<X> extends "i32"
      ? unknown
      : Err<"gather: the index must be an i32 tile">
    : unknown;

export type Renamed<X, A, N> =
  IsKnown<AxesOf<X>> extends true ? Tile<DTypeOf<X>, Replace<AxesOf<X>, A, N>> : number;
type Replace<S, A, N> = S extends readonly [infer H, ...infer R]
  ? readonly [H extends A ? N : H, ...Replace<R, A, N>]
  : readonly [];
/** The two leading axes fused into `N`. */
export type Merged<X, N> =
  AxesOf<X> extends readonly [unknown, unknown, ...infer R]
    ? Tile<DTypeOf<X>, readonly [N, ...R]>
    : Tile<DTypeOf<X>>;
