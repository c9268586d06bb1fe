/** [codegen/passes/threads] Programs that blocks take by a counter, and their numbers on the way from the role that copies to those that multiply. */
import type { SharedRef } from "../../ir/scheduled.ts";
import type { SFetch, SNextProgram, SPost, SProgramsDone } from "../../ir/scheduled-roles.ts";
import type { Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { add, compare, constant, mul, register, special } from "./expr.ts";
import { onlyThread, value } from "./roles.ts";

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

/** The lane that will give the slot back reads it for the whole warp. */
export function lowerFetch(ctx: LoweringContext, op: SFetch): void {
  const { name } = op.result;
  const storage = ctx.declare(name || "program", "i32", undefined);
  const first = ctx.declare(name || "program", "i32", undefined);
  const offset = wordOf(ctx, op.from, op.word);
  const { buffer } = op.from;
  ctx.w.assign({ name: first.name }, constant(0));
  onlyThread(ctx, compare("eq", special("lane"), constant(0)), () =>
    ctx.w.emit({ kind: "load_shared", to: { name: first.name }, buffer, offset, width: 1 }),
  );
  const [to, word] = [{ name: storage.name }, register(first.name, "i32")];
  ctx.w.emit({ kind: "shuffle", to, value: word, lane: constant(0) });
  ctx.setStorage(op.result, storage);
}
