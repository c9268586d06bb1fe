/** [codegen/passes/threads] Dots by wgmma: descriptors of both operands in shared memory, products into the accumulators of a warpgroup, started together. */
import { type Axis, invariant } from "../../../dsl/index.ts";
import { isWgmmaType, wgmmaName } from "../../ir/instructions.ts";
import type { DotOperand, SDot, SValue } from "../../ir/scheduled.ts";
import type { SDotWait } from "../../ir/scheduled-roles.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import { panelSteps } from "../../layout/shared-layout.ts";
import { accumulatorFor } from "./accumulator.ts";
import type { LoweringContext } from "./context.ts";
import { add, cast, constant, mul, register, shr, special } from "./expr.ts";
import { exprKey } from "./expr-key.ts";
import { stageBytes, swizzleBytes, value, WARPGROUP } from "./roles.ts";

/** Rows of one product, and its step along the contraction. */
const ROWS = 64;
const STEP_BYTES = 32;
/** Descriptors count in units of 16 bytes. */
const UNIT = 16;
/** Ignored for swizzled operands whose contraction is contiguous. */
const UNUSED_BYTES = 16;
/** Bit of a wgmma's number: operand b lies with its columns contiguous. */
const B_BY_COLUMNS = 2;

type SharedOperand = Extract<DotOperand, { readonly kind: "shared" }>;

function shared(operand: DotOperand): SharedOperand {
  invariant(operand.kind === "shared", () => "operand b of wgmma is not in shared memory");
  return operand;
}

/** Axes of an operand's tile. */
function axesOf(operand: DotOperand): readonly Axis[] {
  if (operand.kind === "shared") return operand.axes;
  invariant(operand.pairs !== undefined, () => "an operand of wgmma is not packed in pairs");
  return operand.pairs.axes;
}

/** Bytes from the start of an operand to a byte of its rows; rows longer than a swizzle lie in panels. */
function alongRows(panel: number, rowBytes: number, bytes: number): number {
  return Math.floor(bytes / rowBytes) * panel + (bytes % rowBytes);
}

function stepsOf(ctx: LoweringContext, buffer: string, rows: number) {
  return panelSteps(ctx.buffer(buffer).axes, rows, swizzleBytes(ctx, buffer));
}

function offset(base: Expr, units: number): CallArg {
  return value(add(base, constant(units, "i64")));
}

/**
 * Descriptor of the operand in the slot that this trip reads.
 * @param start byte of the slot where the warpgroup's rows begin
 * @param leading bytes from the columns of one panel to those of the next, where columns are contiguous
 * @source PTX ISA, "Matrix Descriptor Format": rows of one swizzle, eight of them a group
 */
function descriptor(
  ctx: LoweringContext,
  operand: SharedOperand,
  start: Expr,
  leading = UNUSED_BYTES,
): Expr {
  const { ref } = operand;
  const row = swizzleBytes(ctx, ref.buffer);
  // A buffer may be rows of one dot and columns of another, either way round.
  const key = `desc ${ref.buffer} ${leading} ${exprKey(start)}`;
  const name = ctx.once(key, `${ref.buffer}_desc`, "i64", (to) => ({
    kind: "call",
    fn: "wgmma_desc",
    template: row,
    args: [
      { kind: "address", buffer: ref.buffer, bytes: start },
      value(constant(leading)),
      value(constant(stepsOf(ctx, ref.buffer, 0).group)),
    ],
    to: { name: to },
  }));
  const base = register(name, "i64");
  if (ref.slot === undefined) return base;
  const units = mul(ctx.named(ref.slot), constant(stageBytes(ctx, ref.buffer) / UNIT));
  return ctx.w.bind(add(base, cast(units, "i64")), `${ref.buffer}_at`);
}

/** The arguments of operand a for a step of the contraction and the r-th product of the warpgroup. */
type OperandA = (step: number, r: number) => CallArg;

/** Rows of shared memory, those of the warpgroup. */
function sharedA(ctx: LoweringContext, a: SharedOperand, m: number, groups: number): OperandA {
  const rowBytes = swizzleBytes(ctx, a.ref.buffer);
  const groupBytes = (m / groups) * rowBytes;
  const start = groups === 1 ? constant(0) : mul(shr(special("warp"), 2), constant(groupBytes));
  const first = descriptor(ctx, a, start);
  return (step, r) => {
    const along = alongRows(stepsOf(ctx, a.ref.buffer, m).panel, rowBytes, step * STEP_BYTES);
    return offset(first, (along + r * ROWS * rowBytes) / UNIT);
  };
}

/** Words of two elements: four of them a step, the steps of one product after another. */
function registersA(ctx: LoweringContext, value: SValue, steps: number): OperandA {
  const { name } = ctx.store(value);
  return (step, r) => ({
    kind: "registers",
    slice: { name, index: constant(4 * (step + r * steps)) },
    count: 4,
  });
}

/** Operand b in its slot: where its contraction is contiguous, or else its columns, in panels behind one another. */
function sharedB(
  ctx: LoweringContext,
  b: SharedOperand,
  op: SDot,
  k: number,
): { readonly at: (step: number) => CallArg; readonly number: number } {
  const rowBytes = swizzleBytes(ctx, b.ref.buffer);
  const [first] = b.axes;
  if (first?.name !== op.axis) {
    const { panel } = stepsOf(ctx, b.ref.buffer, first?.size ?? 0);
    const base = descriptor(ctx, b, constant(0));
    return {
      at: (step) => offset(base, alongRows(panel, rowBytes, step * STEP_BYTES) / UNIT),
      number: 0,
    };
  }
  const { panel, group } = stepsOf(ctx, b.ref.buffer, k);
  const base = descriptor(ctx, b, constant(0), panel);
  const { instruction } = op;
  const keys = instruction.kind === "wgmma" ? instruction.k : 0;
  return { at: (step) => offset(base, (step * (keys / 8) * group) / UNIT), number: B_BY_COLUMNS };
}

export function lowerWgmmaDot(ctx: LoweringContext, op: SDot): void {
  const { layout, type } = op.result;
  const { instruction } = op;
  invariant(layout !== undefined && instruction.kind === "wgmma", () => "a dot without wgmma");
  const b = shared(op.b);
  const { dtype } = b;
  invariant(isWgmmaType(dtype), () => `wgmma of ${dtype}`);
  const size = (operand: DotOperand, contracted: boolean): number =>
    axesOf(operand).find((axis) => (axis.name === op.axis) === contracted)?.size ?? 0;
  const [m, n, k] = [size(op.a, false), size(b, false), size(op.a, true)];
  const groups = (ctx.block.numWarps * ctx.block.warpSize) / WARPGROUP;
  const repeats = m / ROWS / groups;
  const isFresh = instruction.fresh === true;
  const steps = k / instruction.k;
  const rows =
    op.a.kind === "shared" ? sharedA(ctx, op.a, m, groups) : registersA(ctx, op.a.value, steps);
  const acc = isFresh
    ? ctx.declare(op.result.name || "product", type.dtype, layout)
    : accumulatorFor(ctx, op);
  const columns = sharedB(ctx, b, op, k);
  const perTile = n / 2;
  ctx.w.emit({ kind: "call", fn: "wgmma_fence", args: [] });
  const hasNumber = instruction.k === 16;
  for (let step = 0; step < steps; step++) {
    const accumulate = isFresh && step === 0 ? 0 : 1;
    for (let r = 0; r < repeats; r++) {
      const slice = { name: acc.name, index: constant(r * perTile) };
      ctx.w.emit({
        kind: "call",
        fn: wgmmaName(n, dtype, op.a.kind),
        ...(hasNumber ? { template: columns.number } : {}),
        args: [
          { kind: "registers", slice, count: perTile },
          rows(step, r),
          columns.at(step),
          value(constant(accumulate)),
        ],
      });
    }
  }
  ctx.w.emit({ kind: "call", fn: "wgmma_commit", args: [] });
  ctx.setStorage(op.result, acc);
}

export function lowerDotWait(ctx: LoweringContext, op: SDotWait): void {
  const { pending, behind } = op;
  if (behind === undefined)
    ctx.w.emit({ kind: "call", fn: "wgmma_wait", template: pending, args: [] });
  else {
    const either: CallArg = value(ctx.scalar(behind));
    ctx.w.emit({ kind: "call", fn: "wgmma_wait_behind", template: pending, args: [either] });
  }
  for (const done of op.done) {
    const { storage } = ctx.value(done);
    invariant(storage !== undefined, () => `${done.name} is no accumulator`);
    const slice = { name: storage.name, index: constant(0) };
    const args: readonly CallArg[] = [{ kind: "registers", slice, count: storage.length }];
    const fn = storage.type === "i32" ? "wgmma_keep_s32" : "wgmma_keep";
    ctx.w.emit({ kind: "call", fn, template: storage.length, args });
  }
}
