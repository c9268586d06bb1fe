/** [codegen/passes/threads] Dots by wgmma: descriptors of both operands in shared memory, products into the accumulators of a warpgroup, started together. */
import { invariant } from "../../../dsl/index.ts";
import { isWgmmaType, wgmmaName } from "../../ir/instructions.ts";
import type { DotOperand, SDot } from "../../ir/scheduled.ts";
import type { SDotWait } from "../../ir/scheduled-roles.ts";
import type { CallArg, Expr } from "../../ir/thread.ts";
import { accumulatorFor } from "./accumulator.ts";
import type { LoweringContext } from "./context.ts";
import { add, cast, constant, mul, register, shr, special } from "./expr.ts";
import { stageBytes, swizzleBytes, value, WARPGROUP } from "./roles.ts";

/** Rows of one product, and its step along the contraction. */
const ROWS = 64;
const STEP_BYTES = 32;
/** Descriptors count in units of 16 bytes. */
const UNIT = 16;
/** Ignored for swizzled operands whose contraction is contiguous. */
const LEADING_BYTES = 16;

type SharedOperand = Extract<DotOperand, { readonly kind: "shared" }>;

function shared(operand: DotOperand): SharedOperand {
  invariant(operand.kind === "shared", () => "an operand of wgmma is not in shared memory");
  return operand;
}

/** Bytes from the start of an operand to a byte of its rows; rows longer than a swizzle lie in panels of all rows. */
function alongRows(rows: number, rowBytes: number, bytes: number): number {
  return Math.floor(bytes / rowBytes) * rows * rowBytes + (bytes % rowBytes);
}

function offset(base: Expr, units: number): CallArg {
  return value(add(base, constant(units, "i64")));
}

/**
 * Descriptor of the operand in the slot that this trip reads.
 * @param start byte of the slot where the warpgroup's rows begin
 * @source PTX ISA, "Matrix Descriptor Format": rows of one swizzle, eight of them a group
 */
function descriptor(ctx: LoweringContext, operand: SharedOperand, start: Expr): Expr {
  const { ref } = operand;
  const row = swizzleBytes(ctx, ref.buffer);
  const name = ctx.once(`desc ${ref.buffer}`, `${ref.buffer}_desc`, "i64", (to) => ({
    kind: "call",
    fn: "wgmma_desc",
    template: row,
    args: [
      { kind: "address", buffer: ref.buffer, bytes: start },
      value(constant(LEADING_BYTES)),
      value(constant(8 * row)),
    ],
    to: { name: to },
  }));
  const base = register(name, "i64");
  if (ref.slot === undefined) return base;
  const units = mul(ctx.named(ref.slot), constant(stageBytes(ctx, ref.buffer) / UNIT));
  return ctx.w.bind(add(base, cast(units, "i64")), `${ref.buffer}_at`);
}

export function lowerWgmmaDot(ctx: LoweringContext, op: SDot): void {
  const { layout, type } = op.result;
  const { instruction } = op;
  invariant(layout !== undefined && instruction.kind === "wgmma", () => "a dot without wgmma");
  const [a, b] = [shared(op.a), shared(op.b)];
  const { dtype } = b;
  invariant(isWgmmaType(dtype), () => `wgmma of ${dtype}`);
  const size = (operand: SharedOperand, contracted: boolean): number =>
    operand.axes.find((axis) => (axis.name === op.axis) === contracted)?.size ?? 0;
  const [m, n, k] = [size(a, false), size(b, false), size(a, true)];
  const groups = (ctx.block.numWarps * ctx.block.warpSize) / WARPGROUP;
  const repeats = m / ROWS / groups;
  const acc =
    instruction.fresh === true
      ? ctx.declare(op.result.name || "product", type.dtype, layout)
      : accumulatorFor(ctx, op);
  const rowBytes = swizzleBytes(ctx, a.ref.buffer);
  const groupBytes = repeats * ROWS * rowBytes;
  const start = groups === 1 ? constant(0) : mul(shr(special("warp"), 2), constant(groupBytes));
  const [first, second] = [descriptor(ctx, a, start), descriptor(ctx, b, constant(0))];
  const perTile = n / 2;
  ctx.w.emit({ kind: "call", fn: "wgmma_fence", args: [] });
  const hasNumber = instruction.k === 16;
  for (let step = 0; step < k / instruction.k; step++) {
    const isFirst = instruction.fresh === true && step === 0;
    const bytes = step * STEP_BYTES;
    const [alongA, alongB] = [alongRows(m, rowBytes, bytes), alongRows(n, rowBytes, bytes)];
    for (let r = 0; r < repeats; r++) {
      const slice = { name: acc.name, index: constant(r * perTile) };
      ctx.w.emit({
        kind: "call",
        fn: wgmmaName(n, dtype),
        ...(hasNumber ? { template: 0 } : {}),
        args: [
          { kind: "registers", slice, count: perTile },
          offset(first, (alongA + r * ROWS * rowBytes) / UNIT),
          offset(second, alongB / UNIT),
          value(constant(isFirst ? 0 : 1)),
        ],
      });
    }
  }
  ctx.w.emit({ kind: "call", fn: "wgmma_commit", args: [] });
  ctx.setStorage(op.result, acc);
}

export function lowerDotWait(ctx: LoweringContext, op: SDotWait): void {
  ctx.w.emit({ kind: "call", fn: "wgmma_wait", template: op.pending, args: [] });
  for (const done of op.done) {
    const { storage } = ctx.value(done);
    invariant(storage !== undefined, () => `${done.name} is no accumulator`);
    const slice = { name: storage.name, index: constant(0) };
    const args: readonly CallArg[] = [{ kind: "registers", slice, count: storage.length }];
    const fn = storage.type === "i32" ? "wgmma_keep_s32" : "wgmma_keep";
    ctx.w.emit({ kind: "call", fn, template: storage.length, args });
  }
}
