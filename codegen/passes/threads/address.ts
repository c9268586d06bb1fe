/** [codegen/passes/threads] Element offsets and masks of accesses to tensors: uniform and per-thread parts named outside the register loop. */
import { invariant, type TensorParam } from "../../../dsl/index.ts";
import type { SIndex, SValue } from "../../ir/scheduled.ts";
import type { Expr, RegType } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import type { LoweringContext } from "./context.ts";
import { add, binary, both, cast, compare, constant, isInside, mul, sub } from "./expr.ts";
import { coordinateOf, type Place } from "./place.ts";
import { threadCoordinate } from "./thread-index.ts";

/** Where the elements of a tile lie in a tensor. */
export interface TensorAddress {
  offset(place: Place): Expr;
  /** Undefined where every element is proven to be inside. */
  mask(place: Place): Expr | undefined;
}

export interface TensorAccess {
  readonly tensor: string;
  readonly at: readonly SIndex[];
  readonly mask?: SValue;
  /** Absent for scalars. */
  readonly layout?: RegisterLayout;
  /** Iters of the register loop, one step an access. */
  readonly iters: readonly Iter[];
  /** Scalar loads are inside by the language's rule, or the program is wrong. */
  readonly isTrusted?: boolean;
}

export function findTensorParam(ctx: LoweringContext, name: string): TensorParam {
  const param = ctx.kernel.params.find((p) => p.name === name);
  invariant(param?.kind === "tensor", () => `${name} is no tensor`);
  return param;
}

/** Size of a dim: a number where it is fixed. */
export function dimSize(ctx: LoweringContext, dim: TensorParam["shape"][number]): Expr {
  if (dim.name === undefined) return constant(dim.size);
  const fixed = dim.size ?? ctx.kernel.fixedDims[dim.name];
  return fixed === undefined ? { kind: "dim", type: "i32", name: dim.name } : constant(fixed);
}

/** Elements between neighbours along each dim; below 2^31 by the launch rules. */
function stridesOf(ctx: LoweringContext, sizes: readonly Expr[]): readonly Expr[] {
  const strides: Expr[] = [];
  let stride = constant(1);
  for (const size of [...sizes].reverse()) {
    strides.unshift(stride);
    stride = mul(stride, size);
  }
  return strides.map((s) => ctx.w.bind(s, "stride"));
}

/** A condition, apart by whether it changes between registers. */
type Condition = (place: Place) => Expr;

class AddressBuilder implements TensorAddress {
  readonly #ctx: LoweringContext;
  readonly #access: TensorAccess;
  readonly #param: TensorParam;
  readonly #sizes: readonly Expr[];
  readonly #strides: readonly Expr[];
  readonly #type: RegType;
  /** Parts of the offset that all registers share: of the offset's type, and small i32 ones. */
  readonly #wide: Expr[] = [];
  readonly #narrow: Expr[] = [];
  readonly #perRegister: ((place: Place) => Expr)[] = [];
  readonly #sharedConditions: Expr[] = [];
  readonly #conditions: Condition[] = [];
  readonly #base: Expr;
  readonly #inside: Expr | undefined;

  constructor(ctx: LoweringContext, access: TensorAccess) {
    this.#ctx = ctx;
    this.#access = access;
    this.#param = findTensorParam(ctx, access.tensor);
    this.#sizes = this.#param.shape.map((dim) => dimSize(ctx, dim));
    this.#strides = stridesOf(ctx, this.#sizes);
    this.#type = ctx.options.wideOffsets && !this.#isSmall() ? "i64" : "i32";
    access.at.forEach((index, d) => {
      this.#addIndex(index, d);
    });
    this.#base = this.#makeBase();
    this.#inside = this.#makeInside();
  }

  #isSmall(): boolean {
    let elements = 1;
    for (const size of this.#sizes) elements *= size.kind === "const" ? size.value : Infinity;
    return elements < 2 ** 31;
  }

  #sizeOf(d: number): Expr {
    return this.#sizes[d] ?? constant(1);
  }

  #strideOf(d: number): Expr {
    return this.#strides[d] ?? constant(1);
  }

  #wideProduct(a: Expr, b: Expr): Expr {
    return mul(cast(a, this.#type), cast(b, this.#type));
  }

  #addIndex(index: SIndex, d: number): void {
    switch (index.kind) {
      case "at":
        this.#addAt(index.value, d);
        return;
      case "span":
        this.#addSpan(index, d);
        return;
      case "gather":
        this.#addGather(index.index, d);
        return;
      case "pages":
        invariant(false, () => `an access to ${this.#access.tensor} by pages that is no copy`);
        break;
      default:
        index satisfies never;
    }
  }

  #addAt(value: SValue, d: number): void {
    const index = this.#ctx.named(value);
    this.#wide.push(this.#wideProduct(index, this.#strideOf(d)));
    if (this.#access.isTrusted === true) return;
    const size = this.#sizeOf(d);
    const [least, most] = this.#ctx.ranges.of(value);
    if (size.kind === "const" && least >= 0 && most < size.value) return;
    this.#sharedConditions.push(least >= 0 ? compare("lt", index, size) : isInside(index, size));
  }

  #addSpan(index: Extract<SIndex, { readonly kind: "span" }>, d: number): void {
    const { w, block } = this.#ctx;
    const axis = index.axis.name;
    const { layout } = this.#access;
    const stride = this.#strideOf(d);
    const start = this.#ctx.named(index.start);
    const thread = layout === undefined ? constant(0) : threadCoordinate(w, layout, axis, block);
    this.#wide.push(this.#wideProduct(start, stride));
    this.#narrow.push(mul(thread, stride));
    const perRegister = this.#access.iters.some((iter) => iter.axis === axis && iter.extent > 1);
    if (perRegister)
      this.#perRegister.push((place) => mul(w.index(coordinateOf(place, axis)), stride));
    this.#addSpanCondition(index, d, { start, thread, perRegister });
  }

  #addSpanCondition(
    index: Extract<SIndex, { readonly kind: "span" }>,
    d: number,
    parts: { readonly start: Expr; readonly thread: Expr; readonly perRegister: boolean },
  ): void {
    const { w, ranges } = this.#ctx;
    const bound = this.#boundOf(index, d);
    if (bound === undefined) return;
    const register = (place: Place): Expr => w.index(coordinateOf(place, index.axis.name));
    const isNatural = ranges.of(index.start)[0] >= 0;
    const make: Condition = isNatural
      ? (place) => {
          // Compared with what is left of the dim, so that only the thread's own coordinate changes.
          const left = w.bind(sub(bound, parts.start), "left");
          return compare("lt", add(parts.thread, register(place)), left);
        }
      : (place) => {
          const position = w.bind(add(parts.start, parts.thread), "position");
          const isSize = bound.kind === "dim" || (bound.kind === "const" && bound.value >= 0);
          const natural = isSize ? bound : w.bind(binary("max", bound, constant(0)), "bound");
          return isInside(add(position, register(place)), natural);
        };
    if (parts.perRegister) this.#conditions.push(make);
    else this.#sharedConditions.push(make({ iters: [], digits: [] }));
  }

  /** First index that is outside, or undefined where the span is proven to be inside. */
  #boundOf(index: Extract<SIndex, { readonly kind: "span" }>, d: number): Expr | undefined {
    const { ranges, w } = this.#ctx;
    const { start, end, axis } = index;
    const size = this.#sizeOf(d);
    const [least, most] = ranges.of(start);
    const dim = this.#param.shape[d]?.name;
    const isInDim =
      size.kind === "const"
        ? least >= 0 && most + axis.size <= size.value
        : least >= 0 && dim !== undefined && ranges.staysBelowDim(start, axis.size, dim);
    if (end === undefined) return isInDim ? undefined : size;
    const [, last] = ranges.of(end);
    const isEndInDim =
      isInDim ||
      (size.kind === "const" && last <= size.value) ||
      (dim !== undefined && ranges.isAtMostDim(end, dim));
    const limit = this.#ctx.named(end);
    return isEndInDim ? limit : w.bind(binary("min", limit, size), "bound");
  }

  #addGather(index: SValue, d: number): void {
    const { ctx, stride, size } = {
      ctx: this.#ctx,
      stride: this.#strideOf(d),
      size: this.#sizeOf(d),
    };
    const layout = ctx.value(index).layout;
    ctx.settle(index);
    const [least, most] = ctx.ranges.of(index);
    const isInside_ = size.kind === "const" && least >= 0 && most < size.value;
    const offset: Condition = (place) => this.#wideProduct(ctx.read(index, place), stride);
    const condition: Condition = (place) => isInside(ctx.read(index, place), size);
    if (layout === undefined || layout.reg.length === 0) {
      const here: Place = { iters: [], digits: [] };
      this.#wide.push(offset(here));
      if (!isInside_) this.#sharedConditions.push(condition(here));
      return;
    }
    this.#perRegister.push(offset);
    if (!isInside_) this.#conditions.push(condition);
  }

  #makeBase(): Expr {
    const { w } = this.#ctx;
    const name = `${this.#access.tensor}_at`;
    const narrow = w.bindSum(this.#narrow.filter(isNotZero), "i32", name);
    const terms = [...this.#wide, cast(narrow, this.#type)];
    const changing = terms.filter((e) => e.kind !== "const");
    // Constants stay apart, so that accesses a fixed distance from one another share the rest.
    const fixed = terms.reduce((sum, e) => (e.kind === "const" ? sum + e.value : sum), 0);
    return add(w.bindSum(changing, this.#type, name), constant(fixed, this.#type));
  }

  #makeInside(): Expr | undefined {
    const { w } = this.#ctx;
    const sorted = [...this.#sharedConditions].sort((a, b) => w.homeOf(a) - w.homeOf(b));
    const { mask } = this.#access;
    if (mask !== undefined) {
      this.#ctx.settle(mask);
      const { layout } = this.#ctx.value(mask);
      if (layout === undefined || layout.reg.length === 0)
        sorted.push(this.#ctx.read(mask, { iters: [], digits: [] }));
      else this.#conditions.push((place) => this.#ctx.read(mask, place));
    }
    const name = `${this.#access.tensor}_in`;
    let all: Expr | undefined;
    for (const condition of sorted) {
      const known = all === undefined || w.homeOf(all) === w.homeOf(condition);
      all = both(known || all === undefined ? all : w.bind(all, name), condition);
    }
    return all === undefined ? undefined : w.bind(all, name);
  }

  offset(place: Place): Expr {
    const parts = this.#perRegister.map((part) => part(place));
    // What a tile spans stays below 2^31 elements; only its start may lie further.
    const near = parts.filter((p) => p.type === "i32").reduce(add, constant(0));
    const far = parts.filter((p) => p.type !== "i32");
    const start = far.reduce(add, this.#base);
    return add(start, cast(near, this.#type));
  }

  mask(place: Place): Expr | undefined {
    return this.#conditions.reduce<Expr | undefined>(
      (all, condition) => both(all, condition(place)),
      this.#inside,
    );
  }
}

function isNotZero(e: Expr): boolean {
  return !(e.kind === "const" && e.value === 0);
}

export function makeAddress(ctx: LoweringContext, access: TensorAccess): TensorAddress {
  return new AddressBuilder(ctx, access);
}
