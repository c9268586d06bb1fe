/** [codegen/passes/threads] Programs that blocks take by a counter, and their numbers on the way from the role that copies to those that multiply. */
import type { SharedRef } from "../../ir/scheduled.ts";
import type { SFetch, SNextProgram, SPost, SProgramsDone } from "../../ir/scheduled-roles.ts";
import type { Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { add, constant, mul } from "./expr.ts";
import { value } from "./roles.ts";

export function lowerNextProgram(ctx: LoweringContext, op: SNextProgram): void {
  ctx.isCounted = true;
  const storage = ctx.declare(op.result.name || "program", "i32", undefined);
  ctx.w.emit({
    kind: "call",
    fn: "next_program",
    args: [{ kind: "counter" }, value(ctx.named(op.first))],
    to: { name: storage.name },
  });
  ctx.setStorage(op.result, storage);
}

export function lowerProgramsDone(ctx: LoweringContext, op: SProgramsDone): void {
  const args = [{ kind: "counter" } as const, value(ctx.named(op.blocks))];
  ctx.w.emit({ kind: "call", fn: "programs_done", args });
}

/** Element where a word of a slot stands. */
function wordOf(ctx: LoweringContext, { buffer, slot }: SharedRef, word: number): Expr {
  const { stageElements } = ctx.buffer(buffer).layout;
  const start = slot === undefined ? constant(0) : mul(ctx.named(slot), constant(stageElements));
  return add(start, constant(word));
}

/** Only one thread runs the role that posts. */
export function lowerPost(ctx: LoweringContext, op: SPost): void {
  const storage = ctx.declare("posted", "i32", undefined);
  ctx.w.assign({ name: storage.name }, ctx.scalar(op.value));
  const offset = wordOf(ctx, op.into, op.word);
  const from = { name: storage.name };
  ctx.w.emit({ kind: "store_shared", from, buffer: op.into.buffer, offset, width: 1 });
}

export function lowerFetch(ctx: LoweringContext, op: SFetch): void {
  const storage = ctx.declare(op.result.name || "program", "i32", undefined);
  const offset = wordOf(ctx, op.from, op.word);
  const { buffer } = op.from;
  ctx.w.emit({ kind: "load_shared", to: { name: storage.name }, buffer, offset, width: 1 });
  ctx.setStorage(op.result, storage);
}
