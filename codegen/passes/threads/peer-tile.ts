/** [codegen/passes/threads] Tiles on their way from one block of a cluster to another: each thread has a place for its registers. No barriers. */
import { invariant } from "../../../dsl/index.ts";
import type { SSendTile, STakeTile } from "../../ir/scheduled-roles.ts";
import type { Expr } from "../../ir/thread.ts";
import type { LoweringContext } from "./context.ts";
import { add, binary, bitcast, cast, constant, mul, register, special } from "./expr.ts";
import { call, value } from "./roles.ts";

/** Words that a thread moves at once; those of neighbouring threads are neighbours. */
const WORDS = 4;
const WORD_BYTES = 4;

function threadsOf({ block }: LoweringContext): number {
  return block.numWarps * block.warpSize;
}

/** A loop over the registers, WORDS at a time. */
function overWords(ctx: LoweringContext, registers: number, body: (chunk: Expr) => void): void {
  invariant(registers % WORDS === 0, () => `a tile of ${registers} registers a thread`);
  ctx.w.nest([registers / WORDS], ([digit]) =>
    body(digit === undefined ? constant(0) : ctx.w.index(digit)),
  );
}

export function lowerSendTile(ctx: LoweringContext, op: SSendTile): void {
  const storage = ctx.store(op.value);
  const { name, type, length } = storage;
  const bytes = WORDS * WORD_BYTES;
  const own = mul(special("thread"), constant(bytes));
  const base = ctx.w.declare(`${op.into}_of`, "u32");
  ctx.w.emit({
    kind: "call",
    fn: "map_to_cta",
    args: [
      { kind: "address", buffer: op.into, bytes: constant(0) },
      value(cast(constant(op.rank), "u32")),
    ],
    to: { name: base },
  });
  overWords(ctx, length, (chunk) => {
    const offset = add(mul(chunk, constant(threadsOf(ctx) * bytes)), own);
    const at = binary("add", register(base, "u32"), cast(offset, "u32"));
    const words = Array.from({ length: WORDS }, (_, i) => {
      const index = add(mul(chunk, constant(WORDS)), constant(i));
      return value(bitcast(register(name, type, index), "u32"));
    });
    call(ctx, "store_remote_x4", value(at), ...words);
  });
}

export function lowerTakeTile(ctx: LoweringContext, op: STakeTile): void {
  const { layout, type } = op.result;
  const storage = ctx.declare(op.result.name || "taken", type.dtype, layout);
  const own = mul(special("thread"), constant(WORDS));
  overWords(ctx, storage.length, (chunk) => {
    ctx.w.emit({
      kind: "load_shared",
      to: { name: storage.name, index: mul(chunk, constant(WORDS)) },
      buffer: op.from,
      offset: add(mul(chunk, constant(threadsOf(ctx) * WORDS)), own),
      width: WORDS,
    });
  });
  ctx.setStorage(op.result, storage);
}
