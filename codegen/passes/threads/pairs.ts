/** [codegen/passes/threads] Tiles of 16-bit elements as words of two, of 8-bit ones as words of four, and votes of a warp over a tile of bools. */
import { invariant } from "../../../dsl/index.ts";
import type { SPackPairs, SPackQuads, STradeQuads, SVote } from "../../ir/scheduled-roles.ts";
import type { Expr } from "../../ir/thread.ts";
import type { Iter } from "../../layout/layout.ts";
import type { LoweringContext } from "./context.ts";
import { binary, constant, register } from "./expr.ts";
import { linConst, type Place, placeIn, registerAt } from "./place.ts";

/** Word i holds elements 2i and 2i + 1 of the tile's registers. */
export function lowerPackPairs(ctx: LoweringContext, op: SPackPairs): void {
  const { x, result, axis } = op;
  const { layout } = result;
  const from = ctx.value(x).layout;
  invariant(layout !== undefined && from !== undefined, () => "pairs of a scalar");
  const word = result.type.axes.find(({ name }) => !from.axes.some((own) => own.name === name));
  const storage = ctx.declare(result.name || "pairs", "u32", layout);
  ctx.nestIters(layout.reg, [], (place) => {
    const wide = place.iters.map(
      (iter): Iter =>
        iter.axis === word?.name ? { ...iter, axis, stride: 2 * iter.stride } : iter,
    );
    const element = (e: number): Expr => {
      const pair: Iter = { axis, stride: 1, extent: 2 };
      const there: Place = { iters: [pair, ...wide], digits: [linConst(e), ...place.digits] };
      return ctx.value(x).read(placeIn(there, from));
    };
    ctx.w.assign(ctx.slot(storage, registerAt(placeIn(place, layout))), {
      kind: "pack",
      type: "u32",
      lo: element(0),
      hi: element(1),
    });
  });
  ctx.setStorage(result, storage);
}

/** Each call trades eight registers, two rows of 16 columns, for two words, or makes two of operand a of these. */
export function lowerQuads(
  ctx: LoweringContext,
  { kind, x, result }: STradeQuads | SPackQuads,
): void {
  const { layout } = result;
  invariant(layout !== undefined, () => "quads of a scalar");
  const [fn, each] = kind === "trade_quads" ? ["trade_quads_e4m3", 4] : ["take_quads", 1];
  const from = ctx.store(x);
  const storage = ctx.declare(result.name || "quads", "u32", layout);
  for (let word = 0; word < storage.length; word += 2)
    ctx.w.emit({
      kind: "call",
      fn,
      args: [
        { kind: "registers", slice: { name: storage.name, index: constant(word) }, count: 2 },
        {
          kind: "registers",
          slice: { name: from.name, index: constant(each * word) },
          count: 2 * each,
        },
      ],
    });
  ctx.setStorage(result, storage);
}

/** First over the registers of each lane, then over the lanes. */
export function lowerVote(ctx: LoweringContext, op: SVote): void {
  const { x, result } = op;
  const { layout } = ctx.value(x);
  const own = ctx.w.declareWith("vote", constant(0, "bool"));
  ctx.nest(layout, [x], (place) => {
    ctx.w.assign({ name: own }, binary("or", register(own, "bool"), ctx.read(x, place)));
  });
  const storage = ctx.declare(result.name || "any", "bool", undefined);
  ctx.w.emit({
    kind: "call",
    fn: "any",
    args: [{ kind: "value", value: register(own, "bool") }],
    to: { name: storage.name },
  });
  ctx.setStorage(result, storage);
}
