/** [dsl/interpreter] Loads and stores (atomics are in emit-atomic.ts): loops that are clipped to spans, with gathers and masks at the level they vary on. */
import type { AtomicOp, Index, LoadOp, Op, StoreOp, TensorParam } from "../ir/nodes.ts";
import { type Axis, isScalar } from "../ir/types.ts";
import { findTensor, indexAxes } from "../ir/verify-memory.ts";
import type { CodeWriter } from "./code-writer.ts";
import { decodeText, encodeText, literalText } from "./element-text.ts";
import type { Emission } from "./emission.ts";
import {
  type Expression,
  type Leaf,
  leavesOf,
  renderExpression,
  renderUnrounded,
  scalarsOf,
} from "./expression.ts";
import { Nest, rowMajor } from "./nest.ts";

type MemoryOp = LoadOp | StoreOp | AtomicOp;

/** Variables of the generated module that describe tensor number `n`. */
export interface TensorNames {
  readonly data: string;
  readonly shadow: string;
  readonly size: (dim: number) => string;
  readonly stride: (dim: number) => string;
}

export function tensorNames(tensor: TensorParam, n: number): TensorNames {
  const name = `${tensor.name.replaceAll(/[^\w$]/g, "_")}$${n}`;
  const last = tensor.shape.length - 1;
  return {
    data: name,
    shadow: `${name}_shadow`,
    size: (dim) => {
      const size = tensor.shape[dim]?.size;
      return size === undefined ? `${name}_size${dim}` : String(size);
    },
    stride: (dim) => {
      const inner = tensor.shape.slice(dim + 1);
      if (dim === last) return "1";
      const sizes = inner.flatMap((d) => (d.size === undefined ? [] : [d.size]));
      if (sizes.length < inner.length) return `${name}_stride${dim}`;
      return String(sizes.reduce((product, size) => product * size, 1));
    },
  };
}

/** What a memory op's loops are made from. */
export interface Place {
  readonly op: MemoryOp;
  readonly dtype: TensorParam["dtype"];
  readonly names: TensorNames;
  readonly axes: readonly Axis[];
  /** Expression of each gather and of the mask, with the last axis that it varies along; -1 for none. */
  readonly gathers: readonly {
    readonly dim: number;
    readonly expression: Expression;
    readonly depth: number;
  }[];
  readonly mask: { readonly expression: Expression; readonly depth: number } | undefined;
  readonly scalars: readonly string[];
  /** Text of the index or start of each dim that is no gather. */
  readonly starts: readonly string[];
  readonly ends: readonly (string | undefined)[];
}

export function scalarText(expression: Expression): string {
  return renderExpression(expression, () => "0");
}

/** The last of the loop axes along which an expression varies. */
function depthOf(axes: readonly Axis[], expression: Expression): number {
  const leaves = leavesOf(expression);
  return axes.findLastIndex((axis) =>
    leaves.some((leaf) => axis.size > 1 && (leaf.strides.get(axis.name) ?? 0) !== 0),
  );
}

export function placeOf(e: Emission, op: MemoryOp): Place {
  const tensor = findTensor(e.kernel, op.tensor);
  if (tensor === undefined) throw new Error(`no tensor ${op.tensor}`);
  const axes = indexAxes(op.at);
  const innermost = axes.length - 1;
  // With checks a masked-out element must not be judged by its gather index, so all of it is done innermost.
  const depth = (x: Expression): number => (e.options.checks ? innermost : depthOf(axes, x));
  const gathers = op.at.flatMap((index, dim) => {
    if (index.kind !== "gather") return [];
    const expression = e.expression(index.index);
    return [{ dim, expression, depth: depth(expression) }];
  });
  const maskExpression = op.mask === undefined ? undefined : e.expression(op.mask);
  const mask =
    maskExpression === undefined
      ? undefined
      : { expression: maskExpression, depth: depth(maskExpression) };
  const starts = op.at.map((index) => startText(e, index));
  const ends = op.at.map((index) =>
    index.kind === "span" && index.end !== undefined
      ? scalarText(e.expression(index.end))
      : undefined,
  );
  const scalars = [
    ...op.at.flatMap((index) => scalarsOfIndex(e, index)),
    ...(maskExpression === undefined ? [] : scalarsOf(maskExpression)),
  ];
  const names = tensorNames(tensor, e.kernel.params.indexOf(tensor));
  return { op, dtype: tensor.dtype, names, axes, gathers, mask, scalars, starts, ends };
}

function startText(e: Emission, index: Index): string {
  if (index.kind === "gather") return "0";
  return scalarText(e.expression(index.kind === "at" ? index.value : index.start));
}

function scalarsOfIndex(e: Emission, index: Index): readonly string[] {
  switch (index.kind) {
    case "at":
      return scalarsOf(e.expression(index.value));
    case "span": {
      const end = index.end === undefined ? [] : scalarsOf(e.expression(index.end));
      return [...scalarsOf(e.expression(index.start)), ...end];
    }
    case "gather":
      return scalarsOf(e.expression(index.index));
    default:
      return index satisfies never;
  }
}

function product(a: string, b: string): string {
  if (a === "0" || b === "0") return "0";
  if (b === "1") return a;
  return a === "1" ? b : `${a} * ${b}`;
}

/** Where the loop along a span starts and ends, as text: names that `writeBounds` has declared, or numbers. */
interface Bounds {
  readonly low: string;
  readonly high: string;
}

interface WrittenBounds {
  /** By dim; undefined for dims that are no span. */
  readonly spans: readonly (Bounds | undefined)[];
  /** True where a span is clipped; "" where none can be. */
  readonly clipped: string;
}

const NUMBER = /^\d+$/;

/** Declares the bounds of the loop along a span, as far as they are not known. */
function writeSpan(w: CodeWriter, place: Place, dim: number, size: number): Bounds {
  const start = place.starts[dim] ?? "0";
  const bound = place.names.size(dim);
  const end = place.ends[dim];
  if (start === "0" && end === undefined && NUMBER.test(bound)) {
    return { low: "0", high: String(Math.min(size, Number(bound))) };
  }
  const stop = end === undefined ? bound : `Math.min(${bound}, ${end})`;
  if (start === "0") {
    w.line(`const hi${dim} = Math.min(${size}, ${stop});`);
    return { low: "0", high: `hi${dim}` };
  }
  w.line(`const lo${dim} = Math.max(0, -${start});`);
  w.line(`const hi${dim} = Math.min(${size}, ${stop} - ${start});`);
  return { low: `lo${dim}`, high: `hi${dim}` };
}

/**
 * Writes the bounds of every span and the element number of the first element as `base`; leaves the function through
 * `outside` where a single index is outside.
 */
export function writeBounds(w: CodeWriter, place: Place, outside: string): WrittenBounds {
  const { op, names, starts } = place;
  const terms: string[] = [];
  const clipped: string[] = [];
  const spans = op.at.map((index, dim): Bounds | undefined => {
    if (index.kind === "gather") return undefined;
    const start = starts[dim] ?? "0";
    terms.push(product(start, names.stride(dim)));
    if (index.kind === "at") {
      w.line(`if (${start} < 0 || ${start} >= ${names.size(dim)}) ${outside}`);
      return undefined;
    }
    const { size } = index.axis;
    const bounds = writeSpan(w, place, dim, size);
    if (bounds.low !== "0") clipped.push(`${bounds.low} > 0`);
    if (bounds.high !== String(size)) clipped.push(`${bounds.high} < ${size}`);
    return bounds;
  });
  const base = terms.filter((term) => term !== "0").join(" + ");
  w.line(`const base = ${base === "" ? "0" : base};`);
  return { spans, clipped: clipped.join(" || ") };
}

/** The dim that spans an axis; undefined where gathers give the axis. */
function spanDim(place: Place, axis: Axis): number | undefined {
  const dim = place.op.at.findIndex(
    (index) => index.kind === "span" && index.axis.name === axis.name,
  );
  return dim < 0 ? undefined : dim;
}

/** Writes what depends on the axes up to `depth`: the mask first, then gathers. Gives the text of the element number. */
function writeFilters(
  w: CodeWriter,
  place: Place,
  nest: Nest,
  depth: number,
  at: string,
  e: Emission,
  skip: string,
): string {
  const { mask, gathers, names } = place;
  if (mask?.depth === depth) {
    w.line(`if (${renderExpression(mask.expression, nest.index)} === 0) ${skip}`);
  }
  let text = at;
  for (const gather of gathers) {
    if (gather.depth !== depth) continue;
    const name = `g${gather.dim}`;
    const size = names.size(gather.dim);
    w.line(`const ${name} = ${renderExpression(gather.expression, nest.index)};`);
    if (e.options.checks) {
      const position = nest.index({ buffer: undefined, strides: rowMajor(place.axes) });
      const args = [e.site(place.op), names.shadow, gather.dim, name, position];
      w.line(`if (${name} < -1 || ${name} >= ${size}) failGather(${args.join(", ")});`);
    }
    w.line(`if (${name} < 0 || ${name} >= ${size}) ${skip}`);
    text = `${text} + ${product(name, names.stride(gather.dim))}`;
  }
  return text;
}

/**
 * Writes the loops of a memory op over the elements that are inside; `body` gets the text of the element number.
 * @param leaves tiles that `body` reads or writes
 */
export function writeLoops(
  e: Emission,
  w: CodeWriter,
  place: Place,
  spans: WrittenBounds["spans"],
  leaves: readonly Leaf[],
  skipScalar: string,
  body: (at: string, nest: Nest) => void,
): void {
  const { axes, gathers, mask, names } = place;
  const filters = gathers.flatMap((gather) => leavesOf(gather.expression));
  const masks = mask === undefined ? [] : leavesOf(mask.expression);
  const position: Leaf = { buffer: undefined, strides: rowMajor(axes) };
  const checked = e.options.checks && gathers.length > 0 ? [position] : [];
  const nest = new Nest(w, [...leaves, ...filters, ...masks, ...checked]);
  let at = writeFilters(w, place, nest, -1, "base", e, skipScalar);
  axes.forEach((axis, depth) => {
    const dim = spanDim(place, axis);
    const bounds = dim === undefined ? undefined : spans[dim];
    const more = depth + 1 < axes.length;
    const level = { axis: axis.name, size: axis.size };
    const i = nest.enter(level, more, bounds?.low, bounds?.high);
    if (dim !== undefined) at = `${at} + ${product(i, names.stride(dim))}`;
    at = writeFilters(w, place, nest, depth, at, e, "continue;");
    if (more && at !== "base") {
      w.line(`const at${depth} = ${at};`);
      at = `at${depth}`;
    }
  });
  body(at, nest);
  nest.closeAll();
}

export function shadowCheck(
  e: Emission,
  place: Place,
  kind: "read" | "write" | "update",
  at: string,
): string {
  return `${kind}Shadow(${place.names.shadow}, ${at}, ${e.site(place.op)});`;
}

function emitScalarLoad(e: Emission, op: LoadOp, place: Place): void {
  const fill = literalText(op.result.type.dtype, op.fill);
  const body = (w: CodeWriter): void => {
    const coordinates = op.at.map((index, dim) =>
      index.kind === "gather" ? -1 : place.starts[dim],
    );
    const failed = `failScalarLoad(${e.site(op)}, ${place.names.shadow}, [${coordinates.join(", ")}])`;
    if (place.mask !== undefined) {
      w.line(`if (${scalarText(place.mask.expression)} === 0) return ${fill};`);
    }
    const { spans } = writeBounds(w, place, `{ ${failed}; return ${fill}; }`);
    const unmasked = { ...place, mask: undefined };
    writeLoops(e, w, unmasked, spans, [], `return ${fill};`, (at) => {
      w.line(`const at = ${at};`);
      if (e.options.checks) w.line(shadowCheck(e, place, "read", "at"));
      w.line(`return ${decodeText(place.dtype, place.names.data, "at")};`);
    });
  };
  e.call(op, place.scalars, body, op.result);
}

function emitLoad(e: Emission, op: LoadOp): void {
  const place = placeOf(e, op);
  if (isScalar(op.result.type)) {
    emitScalarLoad(e, op, place);
    return;
  }
  const out = e.allocate(op.result);
  const fill = literalText(op.result.type.dtype, op.fill);
  const fillAll = `${out.buffer}.fill(${fill});`;
  e.call(op, place.scalars, (w) => {
    const always = place.gathers.length > 0 || place.mask !== undefined;
    if (always) w.line(fillAll);
    const { spans, clipped } = writeBounds(w, place, always ? "return;" : `{ ${fillAll} return; }`);
    if (!always && clipped !== "") w.line(`if (${clipped}) ${fillAll}`);
    writeLoops(e, w, place, spans, [out], "return;", (at, nest) => {
      if (e.options.checks) w.line(shadowCheck(e, place, "read", at));
      const target = nest.index(out);
      if (place.dtype === "bf16") {
        // The upper half of an f32: moved as bits, no number is made.
        w.line(`${e.bitsOf(out)}[${target}] = ${place.names.data}[${at}] << 16;`);
      } else {
        const value = decodeText(place.dtype, place.names.data, at);
        w.line(`${out.buffer}[${target}] = ${value};`);
      }
    });
  });
  e.define(op.result, { kind: "leaf", leaf: out });
}

function emitStore(e: Emission, op: StoreOp): void {
  const place = placeOf(e, op);
  const value = e.expression(op.value);
  e.call(op, [...place.scalars, ...scalarsOf(value)], (w) => {
    const { spans } = writeBounds(w, place, "return;");
    writeLoops(e, w, place, spans, leavesOf(value), "return;", (at, nest) => {
      if (e.options.checks) w.line(shadowCheck(e, place, "write", at));
      const text = renderUnrounded(value, place.dtype, nest.index);
      w.line(encodeText(place.dtype, place.names.data, at, text));
    });
  });
}

/** Emits a load or store; false for other ops. */
export function emitMemory(e: Emission, op: Op): boolean {
  switch (op.kind) {
    case "load":
      emitLoad(e, op);
      return true;
    case "store":
      emitStore(e, op);
      return true;
    default:
      return false;
  }
}
