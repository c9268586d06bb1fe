/** [codegen/schedule] Getting a tile in a wanted layout: an existing version, a cheap recomputation, or a conversion. */
import {
  DTYPES,
  type DType,
  elementCount,
  invariant,
  isScalar,
  type Location,
  type Op,
  type Value,
} from "../../dsl/index.ts";
import type { SValue } from "../ir/scheduled.ts";
import { sliceLayout } from "../layout/blocked-layout.ts";
import { planConversion } from "../layout/convert-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { contiguousRegisters } from "../layout/register-layout.ts";
import { rowMajorShared } from "../layout/shared-layout.ts";
import { emitLoadIn } from "./emit-memory.ts";
import { type Emitter, labelOf } from "./emitter.ts";
import { relabelBackward } from "./layout-edges.ts";

const PASS = "convert-layouts";
/** Ops that are cheaper to repeat than to move through shared memory. */
const MAX_REPEATED = 24;
/** Elements of a read-only load that is repeated rather than converted. */
const MAX_RELOADED = 4096;

/** Number of ops that computing `value` in `layout` anew takes, or undefined where it must not be repeated. */
function repeatCost(
  emitter: Emitter,
  value: Value,
  layout: RegisterLayout,
  budget: number,
): number | undefined {
  if (isScalar(value.type) || emitter.versionIn(value, layout) !== undefined) return 0;
  const definition = emitter.definitionOf(value);
  if (definition?.kind !== "op" || budget <= 0) return undefined;
  const { op } = definition;
  switch (op.kind) {
    case "const":
    case "iota":
      return 1;
    case "broadcast":
      return elementCount(op.x.type) < elementCount(value.type)
        ? 1
        : sumCosts(emitter, [op.x], layout, budget);
    case "rename":
    case "merge":
    case "split": {
      const back = relabelBackward(op)(layout);
      return back === undefined ? undefined : sumCosts(emitter, [op.x], back, budget);
    }
    case "load": {
      if (!isReloadable(emitter, op)) return undefined;
      const tiles = op.at.flatMap((index) => (index.kind === "gather" ? [index.index] : []));
      const masks = op.mask === undefined ? [] : [op.mask];
      return sumCosts(emitter, [...tiles, ...masks], layout, budget);
    }
    case "unary":
    case "cast":
    case "bitcast":
      return sumCosts(emitter, [op.x], layout, budget);
    case "binary":
    case "compare":
      return sumCosts(emitter, [op.a, op.b], layout, budget);
    case "select":
      return sumCosts(emitter, [op.cond, op.a, op.b], layout, budget);
    default:
      return undefined;
  }
}

function sumCosts(
  emitter: Emitter,
  values: readonly Value[],
  layout: RegisterLayout,
  budget: number,
): number | undefined {
  let total = 1;
  for (const value of values) {
    const cost = repeatCost(emitter, value, layout, budget - total);
    if (cost === undefined) return undefined;
    total += cost;
    if (total > budget) return undefined;
  }
  return total;
}

/** Small loads of tensors that nothing writes may be repeated anywhere. */
function isReloadable(emitter: Emitter, op: Extract<Op, { kind: "load" }>): boolean {
  return (
    emitter.tensor(op.tensor).access === "in" &&
    emitter.plan.orders[op.tensor] === undefined &&
    op.result.type.axes.length === 1 &&
    elementCount(op.result.type) <= MAX_RELOADED
  );
}

/** Computes `value` anew in `layout`, from operands in the layouts that this asks for. */
function repeatIn(emitter: Emitter, value: Value, op: Op, layout: RegisterLayout): SValue {
  const result = emitter.fresh(value.name, value.type, layout);
  const get = (operand: Value): SValue => valueIn(emitter, operand, layout, op.loc);
  switch (op.kind) {
    case "const":
    case "iota":
      emitter.push({ ...op, result });
      return result;
    case "broadcast": {
      const x = valueIn(emitter, op.x, sliceLayout(layout, op.x.type.axes), op.loc);
      emitter.push({ ...op, result, x });
      return result;
    }
    case "rename":
    case "merge":
    case "split": {
      const x = valueIn(emitter, op.x, relabelBackward(op)(layout), op.loc);
      emitter.push({ kind: "relabel", result, x, loc: op.loc });
      return result;
    }
    case "load":
      return emitLoadIn(emitter, op, result);
    case "unary":
    case "cast":
    case "bitcast":
      emitter.push({ ...op, result, x: get(op.x) });
      return result;
    case "binary":
    case "compare":
      emitter.push({ ...op, result, a: get(op.a), b: get(op.b) });
      return result;
    case "select":
      emitter.push({ ...op, result, cond: get(op.cond), a: get(op.a), b: get(op.b) });
      return result;
    default:
      invariant(false, () => `${op.kind} cannot be repeated`);
  }
}

/** The dtype in which a tile goes through shared memory: whole words for bools, and for narrow types where shared memory has only words. */
function conversionDType(emitter: Emitter, dtype: DType): DType {
  if (dtype === "bool") return "i32";
  const { bits, kind, signed } = DTYPES[dtype];
  if (bits === 32 || (bits >= 8 && emitter.plan.context.target.target !== "wgsl")) return dtype;
  if (kind === "float") return "f32";
  return signed ? "i32" : "u32";
}

function castTo(emitter: Emitter, x: SValue, dtype: DType, loc: Location): SValue {
  if (x.type.dtype === dtype) return x;
  const result = emitter.fresh(x.name, { ...x.type, dtype }, x.layout);
  emitter.push({ kind: "cast", result, x, loc });
  return result;
}

/** Order of a scratch buffer's axes in memory: the axis along which both sides hold runs of registers is the fastest. */
function scratchLayout(x: SValue, from: RegisterLayout, to: RegisterLayout) {
  const { axes } = x.type;
  const run = (name: string): number =>
    Math.min(contiguousRegisters(from, name), contiguousRegisters(to, name)) * 64 +
    Math.max(contiguousRegisters(from, name), contiguousRegisters(to, name));
  const fast = [...axes].sort((a, b) => run(b.name) - run(a.name))[0];
  const last = axes.at(-1);
  if (fast === undefined || last === undefined || run(fast.name) <= run(last.name))
    return rowMajorShared(axes);
  const order = [...axes.filter((axis) => axis.name !== fast.name), fast];
  const plain = rowMajorShared(order);
  const strides = axes.map((axis) => plain.strides[order.indexOf(axis)] ?? 1);
  return { ...plain, axes, strides };
}

function convert(emitter: Emitter, x: SValue, layout: RegisterLayout, loc: Location): SValue {
  const from = x.layout;
  invariant(from !== undefined, () => `${x.name} has no layout to convert from`);
  const plan = planConversion(from, layout);
  if (plan.kind !== "shared") {
    const result = emitter.fresh(x.name, x.type, layout);
    emitter.push({ kind: "convert", result, x, via: "registers", loc });
    return result;
  }
  const dtype = conversionDType(emitter, x.type.dtype);
  const wide = castTo(emitter, x, dtype, loc);
  const { axes } = x.type;
  const scratch = emitter.buffer(
    `${labelOf(x)}_convert`,
    dtype,
    axes,
    scratchLayout(wide, from, layout),
  );
  const moved = emitter.fresh(x.name, wide.type, layout);
  emitter.push({ kind: "convert", result: moved, x: wide, via: "shared", scratch, loc });
  const bytes = (elementCount(x.type) * DTYPES[dtype].bits) / 8;
  emitter.remark(
    PASS,
    `${labelOf(x)}: another layout is needed: ${bytes} bytes through shared memory`,
    loc,
  );
  return castTo(emitter, moved, x.type.dtype, loc);
}

/** Depth to which computing `value` anew may be hoisted: its deepest operand. */
function operandDepth(emitter: Emitter, op: Op): number {
  const depth = (value: Value): number => {
    if (isScalar(value.type)) return emitter.depthOf(value);
    const definition = emitter.definitionOf(value);
    return definition?.kind === "op"
      ? operandDepth(emitter, definition.op)
      : emitter.depthOf(value);
  };
  switch (op.kind) {
    case "broadcast":
    case "rename":
    case "merge":
    case "split":
    case "unary":
    case "cast":
    case "bitcast":
      return depth(op.x);
    case "binary":
    case "compare":
      return Math.max(depth(op.a), depth(op.b));
    case "select":
      return Math.max(depth(op.cond), depth(op.a), depth(op.b));
    case "const":
    case "iota":
      return 0;
    default:
      return "result" in op ? emitter.depthOf(op.result) : 0;
  }
}

/**
 * `value` in `layout`; scalars ignore the layout.
 * @param loc where the layout is needed, for messages
 */
export function valueIn(
  emitter: Emitter,
  value: Value,
  layout: RegisterLayout | undefined,
  loc: Location,
): SValue {
  if (isScalar(value.type)) return emitter.scalar(value);
  invariant(layout !== undefined, () => `no layout wanted for tile ${value.name}`);
  const exact = { ...layout, axes: value.type.axes };
  const known = emitter.versionIn(value, exact);
  if (known !== undefined) return known;
  const definition = emitter.definitionOf(value);
  const versions = emitter.versionsOf(value);
  const near = versions.find(
    (version) =>
      version.layout !== undefined && planConversion(version.layout, exact).kind === "registers",
  );
  const repeatable =
    near === undefined && definition?.kind === "op"
      ? repeatCost(emitter, value, exact, MAX_REPEATED) !== undefined
      : false;
  if (repeatable && definition?.kind === "op") {
    const depth = emitter.hoistDepth(operandDepth(emitter, definition.op));
    return emitter.at(depth, () => {
      const again = repeatIn(emitter, value, definition.op, exact);
      emitter.register(value, again);
      return again;
    });
  }
  const source = near ?? versions[0];
  invariant(source !== undefined, () => `tile ${value.name} was not emitted before its use`);
  return emitter.at(emitter.hoistDepth(emitter.depthOf(value)), () => {
    const converted = convert(emitter, source, exact, loc);
    emitter.register(value, converted);
    return converted;
  });
}
