/** [codegen/passes/threads] Warp roles, mbarriers, buffers of boxes: what one thread does of them. Tensor copies are in tensor-copy.ts, products in dot-wgmma.ts. */
import { DTYPES, invariant } from "../../../dsl/index.ts";
import type { SBlock, SharedRef } from "../../ir/scheduled.ts";
import type {
  SMbarrierArrive,
  SMbarrierExpect,
  SMbarrierInit,
  SMbarrierWait,
  SRoles,
} from "../../ir/scheduled-roles.ts";
import type { CallArg, Expr, Stmt } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { binary, cast, compare, constant, maskBits, mul, register, special } from "./expr.ts";
import { drainTensorStores } from "./tensor-store.ts";

export const WARPGROUP = 128;
export const BARRIER_BYTES = 8;

export function value(e: Expr): CallArg {
  return { kind: "value", value: e };
}

export function call(ctx: LoweringContext, fn: string, ...args: readonly CallArg[]): void {
  ctx.w.emit({ kind: "call", fn, args });
}

/** Address of a slot of a buffer whose slots are `bytes` apart. */
export function slotAddress(ctx: LoweringContext, ref: SharedRef, bytes: number): CallArg {
  const at = ref.slot === undefined ? constant(0) : mul(ctx.named(ref.slot), constant(bytes));
  return { kind: "address", buffer: ref.buffer, bytes: at };
}

/** Runs the body where the condition holds, which differs between threads. */
export function onlyThread(ctx: LoweringContext, cond: Expr, body: () => void): void {
  // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
  ctx.w.emit({ kind: "if", cond, uniform: false, then: ctx.w.nested(body), else: [] });
}

export function lowerMbarrierInit(ctx: LoweringContext, op: SMbarrierInit): void {
  const { stages } = ctx.buffer(op.barrier);
  onlyThread(ctx, compare("eq", special("thread"), constant(0)), () => {
    for (let slot = 0; slot < stages; slot++) {
      const bytes = constant(slot * BARRIER_BYTES);
      const address: CallArg = { kind: "address", buffer: op.barrier, bytes };
      call(ctx, "mbarrier_init", address, value(constant(op.arrivals)));
    }
    call(ctx, "fence_mbarrier_init");
  });
}

export function lowerMbarrierWait(ctx: LoweringContext, op: SMbarrierWait): void {
  const fn = op.cluster === true ? "mbarrier_wait_cluster" : "mbarrier_wait";
  call(ctx, fn, slotAddress(ctx, op.on, BARRIER_BYTES), value(ctx.named(op.parity)));
}

export function lowerMbarrierExpect(ctx: LoweringContext, op: SMbarrierExpect): void {
  const address = slotAddress(ctx, op.on, BARRIER_BYTES);
  call(ctx, "mbarrier_expect_tx", address, value(constant(op.bytes)));
}

export function lowerClusterBarrier(ctx: LoweringContext): void {
  call(ctx, "cluster_arrive");
  call(ctx, "cluster_wait");
}

/** Thread i of the warpgroup arrives in block i of the cluster. */
function arriveEverywhere(ctx: LoweringContext, op: SMbarrierArrive): void {
  const blocks = ctx.kernel.cluster ?? 1;
  const thread = maskBits(special("thread"), WARPGROUP - 1);
  const { buffer, slot } = op.on;
  const base = ctx.once(`everywhere ${buffer}`, `${buffer}_of`, "u32", (to) => ({
    kind: "call",
    fn: "map_to_cta",
    args: [
      { kind: "address", buffer, bytes: constant(0) },
      value(maskBits(special("thread"), blocks - 1)),
    ],
    to: { name: to },
  }));
  const bytes = slot === undefined ? constant(0) : mul(ctx.named(slot), constant(BARRIER_BYTES));
  const at = ctx.w.bind(binary("add", register(base, "u32"), cast(bytes, "u32")), `${buffer}_at`);
  onlyThread(ctx, compare("lt", thread, constant(blocks)), () =>
    call(ctx, "mbarrier_arrive_remote", value(at)),
  );
}

/** Each thread hands over what it wrote itself. */
function arriveAt(ctx: LoweringContext, op: SMbarrierArrive, rank: number): void {
  const at = ctx.w.declare(`${op.on.buffer}_of`, "u32");
  const args = [slotAddress(ctx, op.on, BARRIER_BYTES), value(cast(constant(rank), "u32"))];
  ctx.w.emit({ kind: "call", fn: "map_to_cta", args, to: { name: at } });
  call(ctx, "mbarrier_publish_remote", value(register(at, "u32")));
}

export function lowerMbarrierArrive(ctx: LoweringContext, op: SMbarrierArrive): void {
  if (op.everywhere === true) {
    arriveEverywhere(ctx, op);
    return;
  }
  if (op.rank !== undefined) {
    arriveAt(ctx, op, op.rank);
    return;
  }
  const address = slotAddress(ctx, op.on, BARRIER_BYTES);
  if (op.warps === true) {
    ctx.w.emit({ kind: "call", fn: "syncwarp", args: [] });
    const leader = compare("eq", special("lane"), constant(0));
    onlyThread(ctx, leader, () => call(ctx, "mbarrier_arrive", address));
    return;
  }
  const first = compare("eq", maskBits(special("thread"), WARPGROUP - 1), constant(0));
  onlyThread(ctx, first, () => call(ctx, "mbarrier_arrive", address));
}

/** Bytes that the rows of a swizzled buffer span; 0 where it is not swizzled. */
export function swizzleBytes(ctx: LoweringContext, name: string): 0 | 32 | 64 | 128 {
  const { layout } = ctx.buffer(name);
  if (layout.swizzle === undefined) return 0;
  const bytes = 16 * 2 ** layout.swizzle.bits;
  const found = ([32, 64, 128] as const).find((n) => n === bytes);
  invariant(found !== undefined, () => `${name}: no swizzle of ${bytes} bytes`);
  return found;
}

export function stageBytes(ctx: LoweringContext, name: string): number {
  const { layout, dtype } = ctx.buffer(name);
  return (layout.stageElements * DTYPES[dtype].bits) / 8;
}

/** What the launch before wrote is there from here on. Every thread that touches a tensor waits by itself. */
export function waitForPrevious(ctx: LoweringContext): void {
  if (ctx.options.dependentLaunch === true)
    ctx.w.emit({ kind: "call", fn: "wait_previous", args: [] });
}

export function lowerRoles(
  ctx: LoweringContext,
  op: SRoles,
  lowerBlock: (block: SBlock) => void,
): void {
  const role = (block: SBlock, end: () => void): readonly Stmt[] =>
    ctx.w.nested(() => {
      ctx.withoutFrame(() => lowerBlock(block));
      end();
    });
  const producer = role(op.producer, () => {});
  const consumer = ctx.asConsumer(() => role(op.consumer, () => drainTensorStores(ctx)));
  const registers = op.registers === undefined ? {} : { registers: op.registers };
  ctx.w.emit({ kind: "roles", warps: ctx.block.numWarps, ...registers, producer, consumer });
}
