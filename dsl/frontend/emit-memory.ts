/** [dsl/frontend] Loads, stores and atomics: index lists, limits and masks become the IR's. */
import type { DType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import type { Index, LoadHints, LoadOp, TensorParam } from "../ir/nodes.ts";
import type { AtomicFn } from "../ir/primitives.ts";
import { type Axis, formatType, sameAxes, type Value } from "../ir/types.ts";
import {
  type AbstractValue,
  constant,
  describe,
  isKnown,
  knownNumber,
  knownValue,
  type Place,
  runtime,
} from "./abstract-value.ts";
import type { Argument } from "./arguments.ts";
import { binary, compare, logical } from "./arith.ts";
import {
  broadcastTo,
  conform,
  constantAs,
  dtypeOf,
  isData,
  materialize,
  materializeBool,
  materializeIndex,
  requireData,
} from "./coerce.ts";
import { requireDistinct } from "./emit-tile.ts";
import type { Lowering } from "./lowering.ts";
import { findOutside, type Outside, refuseOutside } from "./outside.ts";

/** An index list with the axes of the tile it addresses. */
export interface Addressed {
  readonly tensor: TensorParam;
  readonly at: readonly Index[];
  readonly axes: readonly Axis[];
  readonly outside: Outside | undefined;
}

/** One entry of an index list as the source gave it. */
export interface IndexArgument {
  readonly value: AbstractValue;
  readonly loc: Location;
}

export function address(
  lw: Lowering,
  tensor: TensorParam,
  items: readonly IndexArgument[],
  loc: Location,
): Addressed {
  if (items.length !== tensor.shape.length) {
    const count = items.length === 1 ? "1 index is" : `${items.length} indices are`;
    const shape = tensor.shape.map((dim) => dim.name ?? String(dim.size)).join(", ");
    lw.fail("TW1160", loc, {
      message: `${tensor.name} has ${tensor.shape.length} dims, but ${count} given`,
      seen: `[${items.map((item) => describe(item.value)).join(", ")}]`,
      expected: `one index for each dim of ${tensor.name}[${shape}]`,
      remedy: "add or remove indices; all(D) takes a whole dim, a number takes one element",
    });
  }
  const at = items.map((item) => toIndex(lw, item));
  return { tensor, at, axes: axesOfIndices(lw, at, loc), outside: findOutside(tensor, items) };
}

function toIndex(lw: Lowering, { value, loc }: IndexArgument): Index {
  const good = lw.good(value);
  if (good.kind === "gather") return { kind: "gather", index: good.index };
  if (good.kind === "span") {
    const start = materializeIndex(lw, good.start, "the start of a span", loc);
    if (good.end === undefined) return { kind: "span", axis: good.axis, start };
    return {
      kind: "span",
      axis: good.axis,
      start,
      end: materializeIndex(lw, good.end, "the end of a span", loc),
    };
  }
  if (isData(good)) return { kind: "at", value: materializeIndex(lw, good, "an index", loc) };
  return lw.fail("TW1161", loc, {
    message: "this is no index",
    seen: describe(good),
    expected: "a scalar i32, span(…), tile(…), all(…) or gather(…)",
    remedy: "index with a number to take one element, or with all(D) to take a whole dim",
  });
}

/** Spans add their axis; gathers theirs, once, even where several dims gather by them. */
function axesOfIndices(lw: Lowering, at: readonly Index[], loc: Location): readonly Axis[] {
  const axes: Axis[] = [];
  const gathered = new Set<string>();
  for (const index of at) {
    if (index.kind === "at") continue;
    const added = index.kind === "span" ? [index.axis] : index.index.type.axes;
    for (const axis of added) {
      const known = axes.find((candidate) => candidate.name === axis.name);
      if (known === undefined || index.kind === "span" || !gathered.has(axis.name)) axes.push(axis);
      else if (known.size !== axis.size) requireDistinct(lw, [known, axis], loc);
      if (index.kind === "gather") gathered.add(axis.name);
    }
  }
  requireDistinct(lw, axes, loc);
  return axes;
}

/** The mask that `limit` means: elements of the only span or gather at or past it are outside. */
interface Limits {
  readonly at: readonly Index[];
  readonly mask: Value | undefined;
}

function applyLimits(
  lw: Lowering,
  target: Addressed,
  limit: AbstractValue | undefined,
  mask: AbstractValue | undefined,
  loc: Location,
): Limits {
  refuseOutside(lw, target.tensor, target.outside, mask !== undefined);
  const given = mask === undefined ? undefined : checkedMask(lw, mask, target.axes, loc);
  if (limit === undefined) return { at: target.at, mask: given };
  const runs = target.at.filter((index) => index.kind !== "at");
  const [run] = runs;
  if (run === undefined || runs.length > 1) {
    return lw.fail("TW1162", loc, {
      message: "limit needs exactly one span or gather",
      seen: runs.length === 0 ? "an element without axes" : `${runs.length} spans and gathers`,
      expected: "one index that is not a single element, so that it is clear which one is bounded",
      remedy: "give each span its own end: span(start, dim, end); or pass a mask",
    });
  }
  const bound = materializeIndex(lw, limit, "the limit", loc);
  if (run.kind === "gather") {
    const inside = materializeBool(
      lw,
      compare(lw, "lt", runtime(run.index), runtime(bound), { loc }),
      "the limit",
      loc,
    );
    return { at: target.at, mask: given === undefined ? inside : and(lw, given, inside, loc) };
  }
  const end =
    run.end === undefined
      ? bound
      : materializeIndex(
          lw,
          binary(lw, "min", runtime(run.end), runtime(bound), { loc }),
          "the limit",
          loc,
        );
  return { at: target.at.map((index) => (index === run ? { ...run, end } : index)), mask: given };
}

function and(lw: Lowering, a: Value, b: Value, loc: Location): Value {
  return materializeBool(lw, logical(lw, "and", runtime(a), runtime(b), { loc }), "the mask", loc);
}

function checkedMask(
  lw: Lowering,
  mask: AbstractValue,
  axes: readonly Axis[],
  loc: Location,
): Value {
  const value = materializeBool(lw, mask, "the mask", loc);
  const strange = value.type.axes.filter((axis) => !axes.some((a) => sameAxes([a], [axis])));
  if (strange.length === 0) return value;
  return lw.fail("TW1163", loc, {
    message: "the mask has an axis that the tile has not",
    seen: `a mask ${formatType(value.type)} for a tile over ${axes.map((a) => `${a.name}=${a.size}`).join(", ") || "no axes"}`,
    expected: "a mask whose axes are among the tile's",
    remedy: `make the mask over the tile's axes, for example from iota(${axes[0]?.name ?? "BM"})`,
  });
}

export interface LoadArguments {
  readonly fill: AbstractValue | undefined;
  readonly limit: AbstractValue | undefined;
  readonly mask: AbstractValue | undefined;
  readonly hints: LoadHints;
}

export function load(
  lw: Lowering,
  target: Addressed,
  options: LoadArguments,
  place: Place,
): AbstractValue {
  const { tensor } = target;
  const { at, mask } = applyLimits(lw, target, options.limit, options.mask, place.loc);
  const hints = Object.keys(options.hints).length === 0 ? {} : { hints: options.hints };
  const fill = fillNumber(lw, options.fill, tensor.dtype, place.loc);
  const parts = {
    tensor: tensor.name,
    at,
    fill,
    loc: place.loc,
    ...(mask === undefined ? {} : { mask }),
    ...hints,
  };
  const type = { dtype: tensor.dtype, axes: target.axes };
  return runtime(lw.builder.op("load", type, place.hint ?? "", parts));
}

function fillNumber(
  lw: Lowering,
  fill: AbstractValue | undefined,
  dtype: DType,
  loc: Location,
): number {
  if (fill === undefined) return 0;
  const good = lw.good(fill);
  if (good.kind === "const" && typeof good.value === "boolean")
    return constantAs(lw, good.value, dtype, loc);
  const known = knownNumber(good);
  if (known !== undefined) return constantAs(lw, known, dtype, loc);
  return lw.fail("TW1164", loc, {
    message: "fill must be known at compile time",
    seen: describe(good),
    expected: "a number",
    remedy: "load with the default fill and choose afterwards: where(inside, x, other)",
  });
}

export interface StoreArguments {
  readonly limit: AbstractValue | undefined;
  readonly mask: AbstractValue | undefined;
}

export function store(
  lw: Lowering,
  target: Addressed,
  value: Argument,
  options: StoreArguments,
  loc: Location,
): void {
  const stored = storedValue(lw, "store", target, value, loc);
  const { at, mask } = applyLimits(lw, target, options.limit, options.mask, loc);
  lw.builder.effect("store", {
    tensor: target.tensor.name,
    at,
    value: stored,
    loc,
    ...(mask === undefined ? {} : { mask }),
  });
}

export function atomic(
  lw: Lowering,
  fn: AtomicFn,
  target: Addressed,
  value: Argument,
  options: StoreArguments,
  place: Place,
): AbstractValue {
  const { tensor } = target;
  if (!["f32", "i32", "u32"].includes(tensor.dtype) || (tensor.dtype === "f32" && fn !== "add")) {
    lw.fail("TW1165", place.loc, {
      message: `an atomic ${fn} on ${tensor.dtype} does not exist`,
      seen: `the tensor ${tensor.name} of dtype ${tensor.dtype}`,
      expected: fn === "add" ? "f32, i32 or u32" : "i32 or u32",
      remedy: "accumulate in a tensor of such a dtype and convert it in another kernel",
    });
  }
  const stored = storedValue(lw, `an atomic ${fn}`, target, value, place.loc);
  const { at, mask } = applyLimits(lw, target, options.limit, options.mask, place.loc);
  const parts = {
    fn,
    tensor: tensor.name,
    at,
    value: stored,
    loc: place.loc,
    ...(mask === undefined ? {} : { mask }),
  };
  return runtime(
    lw.builder.op("atomic", { dtype: tensor.dtype, axes: target.axes }, place.hint ?? "", parts),
  );
}

/** The value in the tensor's dtype over exactly the target's axes; a scalar fills them. */
function storedValue(
  lw: Lowering,
  what: string,
  target: Addressed,
  value: Argument,
  loc: Location,
): Value {
  const good = lw.good(value.value);
  requireData(lw, good, "the value", value.loc);
  const { dtype, name } = target.tensor;
  const known = dtypeOf(good);
  if (known !== undefined && known !== dtype) {
    lw.fail("TW1166", value.loc, {
      message: `${what} needs the tensor's dtype`,
      seen: `${describe(good)} for ${name} of dtype ${dtype}`,
      expected: `dtype ${dtype}`,
      remedy: `write cast(…, "${dtype}") around argument 3, the value`,
    });
  }
  if (good.kind !== "value" || good.value.type.axes.length === 0) {
    return conform(lw, good, dtype, target.axes, { loc });
  }
  const { axes } = good.value.type;
  if (sameAxes(axes, target.axes)) return materialize(lw, good, dtype, { loc });
  const same =
    axes.length === target.axes.length &&
    axes.every((axis) => target.axes.some((t) => sameAxes([t], [axis])));
  const names = target.axes.map((axis) => axis.name).join(", ");
  return lw.fail("TW1167", loc, {
    message: same
      ? "the tile's axes are in another order than the target's"
      : "the tile's axes do not match the target's",
    seen: `a tile ${formatType(good.value.type)} for ${name} at [${target.axes.map((a) => `${a.name}=${a.size}`).join(", ")}]`,
    expected: `a tile over ${names || "no axes"}`,
    remedy:
      target.axes.length === 0
        ? "index every axis of the tile with span, tile or all"
        : `write broadcast(x, ${names}), which reorders and repeats, or check the indices`,
  });
}

/**
 * Masks the load that made `x` so that elements at or past `limit` of the fused axes are never read.
 * @returns the new load's result, with axes and id of its own
 */
export function limitLoad(
  lw: Lowering,
  x: Value,
  names: readonly string[],
  limit: AbstractValue,
  loc: Location,
): Value {
  const op = lw.builder.producer(x);
  if (op?.kind !== "load" || lw.named.has(x.id) || !lw.builder.remove(op)) {
    return lw.fail("TW1168", loc, {
      message: "merge() with a limit needs a load written in place",
      seen:
        op?.kind === "load"
          ? "a load that has a name, so other code may see it"
          : "a value that is not the result of a load",
      expected: "merge(load(…), dim, { limit })",
      remedy:
        "write the load inside the call of merge(), or give the load a mask and merge() no limit",
    });
  }
  const inside = compare(lw, "lt", position(lw, x, names, loc), limit, { loc });
  const axes = x.type.axes;
  const fresh = checkedMask(lw, inside, axes, loc);
  const mask = op.mask === undefined ? fresh : and(lw, op.mask, fresh, loc);
  const { kind: _kind, result: _result, ...rest } = op satisfies LoadOp;
  return lw.builder.op("load", x.type, x.name, { ...rest, mask });
}

/** Row-major position of an element within the fused axes, an i32 tile over them. */
function position(lw: Lowering, x: Value, names: readonly string[], loc: Location): AbstractValue {
  let total: AbstractValue = constant(0);
  for (const name of names) {
    const axis = x.type.axes.find((candidate) => candidate.name === name);
    if (axis === undefined) continue;
    const place = { loc };
    const index = runtime(lw.builder.op("iota", { dtype: "i32", axes: [axis] }, "", place));
    total = binary(lw, "add", binary(lw, "mul", total, constant(axis.size), place), index, place);
  }
  return total;
}

export function filled(
  lw: Lowering,
  dtype: DType,
  value: AbstractValue,
  axes: readonly Axis[],
  place: Place,
): AbstractValue {
  requireDistinct(lw, axes, place.loc);
  const good = lw.good(value);
  if (!isKnown(good))
    return runtime(
      broadcastTo(lw, materialize(lw, good, dtype, place), axes, place.loc, place.hint),
    );
  const number = constantAs(lw, knownValue(good), dtype, place.loc);
  return runtime(lw.builder.constant(dtype, number, axes, place.loc, place.hint));
}
