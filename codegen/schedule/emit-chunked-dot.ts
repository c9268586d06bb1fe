/** [codegen/schedule] Dots whose operands do not fit shared memory: the contraction runs in chunks, each staged anew. Plain multiply-add only. */
import { type Axis, DTYPES, invariant, type Op, scalarType, type Value } from "../../dsl/index.ts";
import type { DotOperand, SValue } from "../ir/scheduled.ts";
import { rowMajorShared } from "../layout/shared-layout.ts";
import { memoryLayout } from "./assign-layouts.ts";
import type { DotPlan } from "./choose-dots.ts";
import { type Staging, storeWidth } from "./emit-staging.ts";
import { valueIn } from "./emit-versions.ts";
import { type Emitter, labelOf } from "./emitter.ts";
import { Narrower } from "./narrow-values.ts";

type DotOp = Extract<Op, { kind: "dot" }>;

/** How one operand reaches the chunks. */
type Source =
  /** Loaded anew for each chunk by these ops. */
  | { readonly kind: "narrowed"; readonly value: Value; readonly ops: readonly Op[] }
  /** Stored whole, read through slots that step along the contraction. */
  | { readonly kind: "whole"; readonly view: string };

/** Chunk of the contraction, where a dot is walked in chunks. */
export function chunkOf(emitter: Emitter, plan: DotPlan): number | undefined {
  const { chunk } = emitter.plan;
  if (chunk === undefined || plan.instruction !== "fma") return undefined;
  return plan.k.size > chunk && plan.k.size % chunk === 0 ? chunk : undefined;
}

/** True where some operand of the dot can be loaded chunk by chunk. */
export function canNarrow(emitter: Emitter, value: Value, axis: string): boolean {
  const base: Value = { id: -1, name: "base", type: scalarType("i32") };
  return new Narrower(emitter, { axis, size: 1, base }).narrow(value) !== undefined;
}

/** Layouts for values that the assignment has not seen: loads coalesced, what is computed of them alike. */
function assignNarrowed(emitter: Emitter, ops: readonly Op[]): void {
  const { threads, facts, context } = emitter.plan;
  const { divisibility } = context;
  for (const op of ops) {
    emitter.addDefinition(op);
    if (op.kind === "load" && op.result.type.axes.length > 1) {
      const tensor = emitter.tensor(op.tensor);
      const layout = memoryLayout(tensor, op, op.result, { threads, facts, divisibility });
      emitter.assign(op.result, layout);
    } else if (op.kind === "cast" || op.kind === "unary") {
      const layout = emitter.layoutOf(op.x);
      if (layout !== undefined) emitter.assign(op.result, layout);
    }
  }
}

/** Stores a tile whole and names a view of it whose slots are its chunks. */
function storeWhole(
  emitter: Emitter,
  value: Value,
  k: Axis,
  chunk: number,
  loc: DotOp["loc"],
): Source {
  const { axes, dtype } = value.type;
  const order = [...axes.filter((axis) => axis.name !== k.name), k];
  const plain = rowMajorShared(order);
  const strides = axes.map(
    (axis) => plain.strides[order.findIndex((other) => other.name === axis.name)] ?? 1,
  );
  const layout = { ...plain, axes, strides };
  const stored = valueIn(emitter, value, emitter.layoutOf(value), loc);
  const buffer = emitter.buffer(`${labelOf(value)}_shared`, dtype, axes, layout);
  const width = storeWidth(stored, layout);
  emitter.push({ kind: "shared_store", into: { buffer }, value: stored, width, loc });
  const part = axes.map((axis) => (axis.name === k.name ? { ...axis, size: chunk } : axis));
  const slots = { kind: "shared", axes: part, strides, stageElements: chunk } as const;
  const view = emitter.view(buffer, dtype, part, k.size / chunk, slots);
  return { kind: "whole", view };
}

function sourceOf(
  emitter: Emitter,
  value: Value,
  part: { readonly k: Axis; readonly chunk: number; readonly base: Value },
  loc: DotOp["loc"],
): Source {
  const narrower = new Narrower(emitter, {
    axis: part.k.name,
    size: part.chunk,
    base: part.base,
  });
  const narrowed = narrower.narrow(value);
  if (narrowed === undefined) return storeWhole(emitter, value, part.k, part.chunk, loc);
  return { kind: "narrowed", value: narrowed, ops: narrower.ops };
}

function chunkOperand(
  emitter: Emitter,
  staging: Staging,
  source: Source,
  like: Value,
  part: { readonly k: Axis; readonly chunk: number; readonly slot: SValue },
  op: DotOp,
  emitOp: (op: Op) => void,
): DotOperand {
  const { dtype } = like.type;
  const { k, chunk } = part;
  const axes = like.type.axes.map((axis) =>
    axis.name === k.name ? { ...axis, size: chunk } : axis,
  );
  if (source.kind === "whole")
    return { kind: "shared", ref: { buffer: source.view, slot: part.slot }, dtype, axes };
  assignNarrowed(emitter, source.ops);
  const last = source.ops.at(-1);
  // Copies read rows: tensors with an order of their own go through registers.
  const isLoad =
    last?.kind === "load" &&
    last.result.id === source.value.id &&
    emitter.plan.orders[last.tensor] === undefined;
  for (const inner of isLoad ? source.ops.slice(0, -1) : source.ops) emitOp(inner);
  const buffer = isLoad
    ? staging.copy(emitter, last)
    : staging.store(emitter, source.value, k, op.loc);
  return { kind: "shared", ref: { buffer }, dtype, axes };
}

function scalarConst(emitter: Emitter, value: number, loc: DotOp["loc"]): SValue {
  const result = emitter.fresh("chunk", scalarType("i32"), undefined);
  emitter.push({ kind: "const", result, value, loc });
  return result;
}

/** Emits `for chunk of the contraction: stage it, multiply it`. */
export function emitChunkedDot(
  emitter: Emitter,
  staging: Staging,
  op: DotOp,
  plan: DotPlan,
  chunk: number,
  emitOp: (op: Op) => void,
): void {
  invariant(op.acc !== undefined, () => `dot ${op.result.name} has no accumulator`);
  const { loc } = op;
  const { k } = plan;
  const layout = { ...plan.accumulator, axes: op.result.type.axes };
  const init = valueIn(emitter, op.acc, layout, loc);
  const baseValue = emitter.fresh("base", scalarType("i32"), undefined);
  const base: Value = { id: baseValue.id, name: baseValue.name, type: baseValue.type };
  const sources = [op.a, op.b].map((value) => sourceOf(emitter, value, { k, chunk, base }, loc));
  const [zero, one, count, step] = [0, 1, k.size / chunk, chunk].map((value) =>
    scalarConst(emitter, value, loc),
  );
  const counter = emitter.fresh("chunk", scalarType("i32"), undefined);
  const acc = emitter.fresh(op.result.name, op.result.type, layout);
  invariant(zero && one && count && step, () => "four constants");
  const body = emitter.block("loop", [counter, acc], () => {
    emitter.push({ kind: "binary", fn: "mul", result: baseValue, a: counter, b: step, loc });
    emitter.register(base, baseValue);
    const part = { k, chunk, slot: counter };
    const [a, b] = [op.a, op.b].map((value, i) => {
      const source = sources[i];
      invariant(source !== undefined, () => "a source for each operand");
      return chunkOperand(emitter, staging, source, value, part, op, emitOp);
    });
    invariant(a !== undefined && b !== undefined, () => "two operands");
    const result = emitter.fresh(op.result.name, op.result.type, layout);
    const instruction = { kind: "fma" } as const;
    emitter.push({ kind: "dot", result, a, b, acc, axis: op.axis, instruction, loc });
    staging.close(emitter.depth);
    return [result];
  });
  const result = emitter.primary(op.result, layout);
  const range = { lo: zero, hi: count, step: one };
  emitter.push({ kind: "for", results: [result], ...range, inits: [init], body, loc });
  emitter.register(op.result, result);
  const bytes = (k.size * DTYPES[op.a.type.dtype].bits) / 8;
  const message = `dot ${labelOf(op.result)}: ${chunk} of ${k.size} steps at a time: rows of ${bytes} bytes do not fit shared memory`;
  emitter.remark("stage-operands", message, loc);
}
