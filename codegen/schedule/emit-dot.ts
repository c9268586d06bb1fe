/** [codegen/schedule] Dots: operands straight from registers where the layouts agree, otherwise staged in shared memory. */
import { type Axis, DTYPES, type DType, invariant, type Op, type Value } from "../../dsl/index.ts";
import type { DotInstruction, DotOperand, SValue } from "../ir/scheduled.ts";
import { planConversion } from "../layout/convert-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { pairedLayout, wgmmaOperandQuads } from "../layout/mma-layout.ts";
import type { DotPlan } from "./choose-dots.ts";
import { canNarrow, chunkOf, emitChunkedDot } from "./emit-chunked-dot.ts";
import type { ExplicitEmitter } from "./emit-explicit.ts";
import type { Staging } from "./emit-staging.ts";
import { valueIn } from "./emit-versions.ts";
import type { Emitter } from "./emitter.ts";

type DotOp = Extract<Op, { kind: "dot" }>;
type LoadOp = Extract<Op, { kind: "load" }>;

function sharedOperand(value: Value, buffer: string): DotOperand {
  return { kind: "shared", ref: { buffer }, dtype: value.type.dtype, axes: value.type.axes };
}

function stagedLoad(emitter: Emitter, value: Value): LoadOp | undefined {
  if (!emitter.plan.staged.has(value.id)) return undefined;
  const definition = emitter.definitionOf(value);
  return definition?.kind === "op" && definition.op.kind === "load" ? definition.op : undefined;
}

function emitOperand(
  emitter: Emitter,
  staging: Staging,
  value: Value,
  registers: RegisterLayout | undefined,
  op: DotOp,
  k: Axis,
  explicit: ExplicitEmitter,
): DotOperand {
  const definition = emitter.definitionOf(value);
  if (
    definition?.kind === "op" &&
    definition.op.kind === "slot" &&
    definition.op.registers !== true
  ) {
    const { dtype, axes } = value.type;
    return { kind: "shared", ref: explicit.slot(definition.op), dtype, axes };
  }
  const load = stagedLoad(emitter, value);
  if (load !== undefined) return sharedOperand(value, staging.copy(emitter, load));
  if (registers !== undefined) {
    const wanted = { ...registers, axes: value.type.axes };
    if (op.async === true)
      return { kind: "register", value: valueIn(emitter, value, wanted, op.loc) };
    const near = emitter
      .versionsOf(value)
      .some((v) => v.layout !== undefined && planConversion(v.layout, wanted).kind !== "shared");
    if (near) return { kind: "register", value: valueIn(emitter, value, wanted, op.loc) };
  }
  return sharedOperand(value, staging.store(emitter, value, k, op.loc));
}

/** Sums of 8-bit floats inside the tensor cores keep 14 bits: those of one trip are added to the rest outside of them, unless the schedule says not to. */
function instructionOf(
  { instruction: kind, form, fastSums }: DotPlan,
  dtype: DType,
): DotInstruction {
  switch (kind) {
    case "fma":
      return { kind };
    case "mma.sync":
      return { kind, m: 16, n: 8, k: 16 };
    case "matrix":
      invariant(form !== undefined, () => "a plan for matrix instructions without a form");
      return { kind, form: form.name };
    case "wgmma": {
      const { bits, kind: family } = DTYPES[dtype];
      if (bits === 16) return { kind, m: 64, k: 16 };
      const isFresh = family === "float" && fastSums !== true;
      return { kind, m: 64, k: 32, ...(isFresh ? ({ fresh: true } as const) : {}) };
    }
    default:
      return kind satisfies never;
  }
}

/** The register operand of a wgmma: two elements a register. */
function inPairs(
  emitter: Emitter,
  operand: DotOperand,
  op: DotOp,
  explicit: ExplicitEmitter,
): DotOperand {
  if (operand.kind === "shared") return operand;
  const { axis, loc } = op;
  const { name, type, layout } = operand.value;
  const along = type.axes.find((one) => one.name === axis);
  invariant(layout !== undefined && along !== undefined, () => `operand ${name} is no tile`);
  const word = { name: `${axis}_pair`, size: along.size / 2 };
  const axes = type.axes.map((one) => (one.name === axis ? word : one));
  const paired = pairedLayout(layout, axis, word);
  const make = (): SValue => {
    const result = emitter.fresh(`${name}_pairs`, { dtype: "u32", axes }, paired);
    emitter.push({ kind: "pack_pairs", result, x: operand.value, axis, loc });
    return result;
  };
  // Rows of the kernel's own roles may stand ahead of the loop.
  const value =
    op.async === true
      ? explicit.words(operand.value, axis, emitter.hoistDepth(emitter.depthOf(op.a)), make)
      : make();
  return { kind: "register", value, pairs: { dtype: type.dtype, axes: type.axes } };
}

/** Operand a; that of wgmma in words where it comes from registers. */
function emitRows(
  emitter: Emitter,
  staging: Staging,
  rows: Value,
  plan: DotPlan,
  op: DotOp,
  explicit: ExplicitEmitter,
): DotOperand {
  const { instruction, registerA } = plan;
  const isByte = DTYPES[rows.type.dtype].bits === 8;
  if (instruction === "wgmma" && registerA !== undefined && isByte)
    return inQuads(emitter, op, plan);
  if (plan.bytes?.along === "contraction" && registerA !== undefined) {
    const layout = { ...registerA, axes: rows.type.axes };
    return { kind: "register", value: valueIn(emitter, rows, layout, op.loc) };
  }
  const operand = emitOperand(emitter, staging, rows, registerA, op, plan.k, explicit);
  return instruction === "wgmma" ? inPairs(emitter, operand, op, explicit) : operand;
}

/** The tile of f32 that was rounded to the operand, or the operand as f32. */
function unrounded(emitter: Emitter, value: Value, layout: RegisterLayout, { loc }: DotOp): SValue {
  const definition = emitter.definitionOf(value);
  const op = definition?.kind === "op" ? definition.op : undefined;
  if (op?.kind === "cast" && op.x.type.dtype === "f32") return valueIn(emitter, op.x, layout, loc);
  const x = valueIn(emitter, value, layout, loc);
  const type = { ...x.type, dtype: "f32" } as const;
  const result = emitter.fresh(`${x.name}_wide`, type, layout);
  emitter.push({ kind: "cast", result, x, loc });
  return result;
}

/** The register operand of a wgmma of 8-bit elements: four a register, brought together from the lanes of a quad. */
function inQuads(emitter: Emitter, op: DotOp, plan: DotPlan): DotOperand {
  const { name, type } = op.a;
  const { m, k, registerA } = plan;
  invariant(registerA !== undefined, () => `operand ${name} is no tile of registers`);
  const x = unrounded(emitter, op.a, { ...registerA, axes: type.axes }, op);
  const word = { name: `${k.name}_quad`, size: k.size / 4 };
  const groups = emitter.plan.threads.numWarps / 4;
  const layout = wgmmaOperandQuads(m, word, groups);
  const result = emitter.fresh(`${name}_quads`, { dtype: "u32", axes: layout.axes }, layout);
  const traded = emitter.fresh(`${name}_traded`, result.type, layout);
  emitter.push({ kind: "trade_quads", result: traded, x, axis: op.axis, loc: op.loc });
  emitter.push({ kind: "pack_quads", result, x: traded, axis: op.axis, loc: op.loc });
  return { kind: "register", value: result, pairs: { dtype: type.dtype, axes: type.axes } };
}

function isZero(emitter: Emitter, value: Value): boolean {
  const definition = emitter.definitionOf(value);
  return definition?.kind === "op" && definition.op.kind === "const" && definition.op.value === 0;
}

export function emitDot(
  emitter: Emitter,
  staging: Staging,
  op: DotOp,
  emitOp: (op: Op) => void,
  explicit: ExplicitEmitter,
): void {
  const plan = emitter.plan.dots.get(op.result.id);
  invariant(plan !== undefined, () => `dot ${op.result.name} has operands of other than two axes`);
  const chunk = chunkOf(emitter, plan);
  if (chunk !== undefined && [op.a, op.b].some((value) => canNarrow(emitter, value, op.axis))) {
    emitChunkedDot(emitter, staging, op, plan, chunk, emitOp);
    return;
  }
  invariant(op.acc !== undefined, () => `dot ${op.result.name} has no accumulator`);
  const layout = { ...plan.accumulator, axes: op.result.type.axes };
  const [rows, columns] = plan.swapped === true ? [op.b, op.a] : [op.a, op.b];
  const a = emitRows(emitter, staging, rows, plan, op, explicit);
  const b =
    plan.bytes === undefined
      ? emitOperand(emitter, staging, columns, plan.registerB, op, plan.k, explicit)
      : sharedOperand(plan.bytes.load.result, staging.copy(emitter, plan.bytes.load));
  const acc = valueIn(emitter, op.acc, layout, op.loc);
  const result = emitter.primary(op.result, layout);
  const made = instructionOf(plan, op.a.type.dtype);
  const isFresh = made.kind === "wgmma" && op.async === true && isZero(emitter, op.acc);
  const instruction = isFresh ? ({ ...made, fresh: true } as const) : made;
  emitter.push({ kind: "dot", result, a, b, acc, axis: op.axis, instruction, loc: op.loc });
  emitter.register(op.result, result);
}
