/** [codegen/schedule] How the layouts of an op's values depend on each other: the edges along which assign-layouts floods. */
import { type Index, type Op, sameAxes, type Value } from "../../dsl/index.ts";
import { sliceLayout } from "../layout/blocked-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { mergeLayout, renameLayout, splitLayout } from "../layout/relabel-layout.ts";

/** Where `from` has a layout, `to` would like `map` of it. */
export interface LayoutEdge {
  readonly from: Value;
  readonly to: Value;
  readonly map: (layout: RegisterLayout) => RegisterLayout | undefined;
  /** Only a guess: the target may get a better layout from elsewhere. */
  readonly isGuess?: true;
}

const SAME = (layout: RegisterLayout): RegisterLayout => layout;
/** Registers that an axis added to a layout may cost a thread. */
const MAX_ADDED = 64;

function both(
  a: Value,
  b: Value,
  to: LayoutEdge["map"] = SAME,
  back: LayoutEdge["map"] = SAME,
): readonly LayoutEdge[] {
  return [
    { from: a, to: b, map: to },
    { from: b, to: a, map: back },
  ];
}

function slice(from: Value, to: Value): LayoutEdge {
  return { from, to, map: (layout) => sliceLayout(layout, to.type.axes) };
}

/** The layout of a broadcast's result where only the operand's is known: new axes go to registers. */
function extend(to: Value): LayoutEdge["map"] {
  return (layout) => {
    const known = new Set(layout.axes.map((axis) => axis.name));
    const added = to.type.axes.filter((axis) => !known.has(axis.name));
    if (added.reduce((n, axis) => n * axis.size, 1) > MAX_ADDED) return undefined;
    const reg = [...added]
      .reverse()
      .map((axis) => ({ extent: axis.size, axis: axis.name, stride: 1 }));
    return { ...layout, axes: to.type.axes, reg: [...layout.reg, ...reg] };
  };
}

/** Reordering or not, the axes of `layout` in the order of `value`. */
export function withAxes(layout: RegisterLayout, value: Value): RegisterLayout {
  return sameAxes(layout.axes, value.type.axes) ? layout : { ...layout, axes: value.type.axes };
}

function addressEdges(
  at: readonly Index[],
  mask: Value | undefined,
  tile: Value,
): readonly LayoutEdge[] {
  const edges = at.flatMap((index) => (index.kind === "gather" ? [slice(tile, index.index)] : []));
  return mask === undefined ? edges : [...edges, slice(tile, mask)];
}

function pairs(a: readonly Value[], b: readonly Value[]): readonly LayoutEdge[] {
  return a.flatMap((value, i) => {
    const other = b[i];
    return other === undefined ? [] : both(value, other);
  });
}

/** Layout of a relabel's result from its operand's, where the map exists. */
export function relabelForward(
  op: Extract<Op, { kind: "rename" | "merge" | "split" }>,
): LayoutEdge["map"] {
  const { axes } = op.result.type;
  switch (op.kind) {
    case "rename":
      return (layout) => renameLayout(withAxes(layout, op.x), axes);
    case "merge":
      return (layout) => mergeLayout(withAxes(layout, op.x), op.axes, op.into, axes);
    case "split": {
      const parts = op.into.flatMap((name) => axes.filter((axis) => axis.name === name));
      return (layout) => splitLayout(withAxes(layout, op.x), op.axis, parts, axes);
    }
    default:
      return op satisfies never;
  }
}

/** Layout of a relabel's operand from its result's, where the map exists. */
export function relabelBackward(
  op: Extract<Op, { kind: "rename" | "merge" | "split" }>,
): LayoutEdge["map"] {
  const { axes } = op.x.type;
  switch (op.kind) {
    case "rename":
      return (layout) => renameLayout(withAxes(layout, op.result), axes);
    case "merge": {
      const parts = op.axes.flatMap((name) => axes.filter((axis) => axis.name === name));
      return (layout) => splitLayout(withAxes(layout, op.result), op.into, parts, axes);
    }
    case "split":
      return (layout) => mergeLayout(withAxes(layout, op.result), op.into, op.axis, axes);
    default:
      return op satisfies never;
  }
}

/** Edges between the values of one op; those of scalars are harmless. */
export function layoutEdges(op: Op): readonly LayoutEdge[] {
  switch (op.kind) {
    case "unary":
    case "cast":
    case "bitcast":
      return both(op.x, op.result);
    case "binary":
    case "compare":
      return [...both(op.a, op.result), ...both(op.b, op.result)];
    case "select":
      return [op.a, op.b, op.cond].flatMap((value) => both(value, op.result));
    case "scan":
      return [{ from: op.x, to: op.result, map: SAME }];
    case "broadcast":
      return [
        slice(op.result, op.x),
        { from: op.x, to: op.result, map: extend(op.result), isGuess: true },
      ];
    case "reduce":
    case "arg_reduce":
      return [slice(op.x, op.result)];
    case "rename":
    case "merge":
    case "split":
      return both(op.x, op.result, relabelForward(op), relabelBackward(op));
    case "dot":
      return op.acc === undefined ? [] : both(op.acc, op.result);
    case "dot_wait":
      return pairs(op.xs, op.results);
    case "load":
      return addressEdges(op.at, op.mask, op.result);
    case "store":
      return addressEdges(op.at, op.mask, op.value);
    case "atomic":
      return [...both(op.value, op.result), ...addressEdges(op.at, op.mask, op.value)];
    case "for": {
      const carried = op.body.params.slice(1);
      return [
        ...pairs(carried, op.results),
        ...pairs(carried, op.body.yields),
        ...pairs(carried, op.inits),
      ];
    }
    case "while":
      return [
        ...pairs(op.body.params, op.results),
        ...pairs(op.body.params, op.cond.params),
        ...pairs(op.body.params, op.body.yields),
        ...pairs(op.body.params, op.inits),
      ];
    case "if":
      return [...pairs(op.then.yields, op.results), ...pairs(op.else.yields, op.results)];
    default:
      return [];
  }
}
