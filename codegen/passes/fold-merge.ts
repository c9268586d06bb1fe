/** [codegen/passes] rename(load), merge(load) → a load that addresses the new axes itself, so that dots can copy it straight to shared memory. */
import {
  type Axis,
  type Block,
  countUses,
  type Index,
  indexAxes,
  mapRegions,
  type Op,
  type TileKernel,
  type Value,
  ValueSource,
} from "../../dsl/index.ts";
import { TileBuilder } from "./tile-builder.ts";

type LoadOp = Extract<Op, { kind: "load" }>;
type MergeOp = Extract<Op, { kind: "merge" }>;
type RenameOp = Extract<Op, { kind: "rename" }>;

/** A tile over some of the merged axes as a tile over the fused axis: spread over all of them, then fused. */
function fuse(builder: TileBuilder, value: Value, merged: readonly Axis[], into: Axis): Value {
  const names = merged.map((axis) => axis.name);
  const others = value.type.axes.filter((axis) => !names.includes(axis.name));
  if (others.length === value.type.axes.length) return value;
  const spread = builder.broadcast(value, [...others, ...merged]);
  return builder.merge(spread, names, into.name);
}

/** The index of a merged span's element, -1 where it lies past the span's end. */
function spanIndex(builder: TileBuilder, index: Extract<Index, { kind: "span" }>): Value {
  const axes = [index.axis];
  const start = builder.broadcast(index.start, axes);
  const at = builder.binary("add", start, builder.iota(index.axis), index.start.name);
  if (index.end === undefined) return at;
  const inside = builder.compare("lt", at, builder.broadcast(index.end, axes));
  return builder.select(inside, at, builder.constant(-1, "i32", axes));
}

/** Pointwise gathers over the fused axis, where the merged axes do not include the last dim (its vectors would be lost). */
function foldMergeOp(op: MergeOp, load: LoadOp, source: ValueSource): readonly Op[] | undefined {
  const last = load.at.at(-1);
  if (last?.kind === "span" && op.axes.includes(last.axis.name)) return undefined;
  const into = op.result.type.axes.find((axis) => axis.name === op.into);
  if (into === undefined) return undefined;
  const merged = load.result.type.axes.filter((axis) => op.axes.includes(axis.name));
  const builder = new TileBuilder(source, load.loc);
  const at = load.at.map((index): Index => {
    if (index.kind === "at") return index;
    if (index.kind === "gather")
      return { kind: "gather", index: fuse(builder, index.index, merged, into) };
    if (!op.axes.includes(index.axis.name)) return index;
    return { kind: "gather", index: fuse(builder, spanIndex(builder, index), merged, into) };
  });
  const mask = load.mask === undefined ? {} : { mask: fuse(builder, load.mask, merged, into) };
  const axes = indexAxes(at);
  const same = axes.every((axis, i) => axis.name === op.result.type.axes[i]?.name);
  if (!same || axes.length !== op.result.type.axes.length) return undefined;
  return [...builder.ops, { ...load, result: op.result, at, ...mask, loc: load.loc }];
}

function foldRename(op: RenameOp, load: LoadOp, source: ValueSource): readonly Op[] | undefined {
  const builder = new TileBuilder(source, load.loc);
  const names = new Map(
    op.x.type.axes.map((axis, i) => [axis.name, op.result.type.axes[i]?.name ?? axis.name]),
  );
  const renamed = (axis: Axis): Axis => ({ ...axis, name: names.get(axis.name) ?? axis.name });
  const rename = (value: Value): Value =>
    value.type.axes.length === 0 ? value : builder.rename(value, value.type.axes.map(renamed));
  const at = load.at.map((index): Index => {
    if (index.kind === "at") return index;
    if (index.kind === "gather") return { kind: "gather", index: rename(index.index) };
    return { ...index, axis: renamed(index.axis) };
  });
  const mask = load.mask === undefined ? {} : { mask: rename(load.mask) };
  const axes = at.flatMap((index) => {
    if (index.kind === "span") return [index.axis.name];
    return index.kind === "gather" ? index.index.type.axes.map((axis) => axis.name) : [];
  });
  // A gather and a span may not meet in one name.
  const spans = at.flatMap((index) => (index.kind === "span" ? [index.axis.name] : []));
  if (spans.some((name) => axes.filter((other) => other === name).length > 1)) return undefined;
  return [...builder.ops, { ...load, result: op.result, at, ...mask, loc: load.loc }];
}

/** Folds into loads that nothing else reads; the load moves down to the merge, past nothing that writes its tensor. */
export function foldMerge(kernel: TileKernel): TileKernel {
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const source = new ValueSource(kernel);
  const uses = countUses(kernel.body);
  const enter = (block: Block): Block => {
    const loads = new Map<number, LoadOp>();
    const ops = block.ops.flatMap((original): readonly Op[] => {
      const op = mapRegions(original, enter);
      if (op.kind === "load" && readOnly.has(op.tensor)) loads.set(op.result.id, op);
      if (op.kind !== "merge" && op.kind !== "rename") return [op];
      const load = loads.get(op.x.id);
      if (load === undefined || uses.get(load.result.id) !== 1) return [op];
      const folded =
        op.kind === "merge" ? foldMergeOp(op, load, source) : foldRename(op, load, source);
      const made = folded?.at(-1);
      if (folded === undefined || made?.kind !== "load") return [op];
      loads.set(made.result.id, made);
      return folded;
    });
    return { ...block, ops };
  };
  return { ...kernel, body: enter(kernel.body) };
}
