/** [codegen/passes/threads] Loops and branches of the scheduled IR, and the registers that they carry values in. */
import { invariant } from "../../../dsl/index.ts";
import type { SBlock, SFor, SIf, SValue, SWhile } from "../../ir/scheduled.ts";
import type { Expr } from "../../ir/thread.ts";
import type { LoweringContext, Storage } from "./context.ts";
import { binary, constant, registersOf } from "./expr.ts";
import { placeIn, registerAt, ZERO } from "./place.ts";

export type LowerBlock = (block: SBlock) => void;

/** Registers that start with the values of `inits`; those of an initial value that nothing else reads are taken over. */
function carry(
  ctx: LoweringContext,
  params: readonly SValue[],
  inits: readonly SValue[],
): Storage[] {
  return params.map((param, i) => {
    const init = inits[i];
    invariant(init !== undefined, () => `${param.name} is carried without an initial value`);
    const own = ctx.ownStorage(init);
    if (own !== undefined) {
      ctx.moveStorage(init, param, own);
      return own;
    }
    const { type, layout } = ctx.value(init);
    if (layout === undefined || layout.reg.length === 0) {
      const origin = { iters: [], digits: [] };
      const name = ctx.w.declareWith(param.name, ctx.read(init, origin));
      return { name, type, length: 1 };
    }
    const storage = ctx.declare(param.name, type, layout);
    ctx.nest(layout, [init], (place) => {
      ctx.w.assign(ctx.slot(storage, registerAt(placeIn(place, layout))), ctx.read(init, place));
    });
    return storage;
  });
}

/** Names of all registers that an element of `v` is read from. */
function sourcesOf(ctx: LoweringContext, v: SValue): ReadonlySet<string> {
  const { storage, layout } = ctx.value(v);
  if (storage !== undefined) return new Set([storage.name]);
  const iters = layout?.reg ?? [];
  return registersOf(ctx.read(v, { iters, digits: iters.map(() => ZERO) }));
}

/**
 * Writes the next values of carried registers as if at once: a register is overwritten when no other value still waits to be
 * read from it; where values only change places, one of them waits in registers of its own.
 */
function assignAll(
  ctx: LoweringContext,
  storages: readonly Storage[],
  values: readonly SValue[],
): void {
  let open = storages.flatMap((storage, i) => {
    const value = values[i];
    invariant(value !== undefined, () => `${storage.name} gets no next value`);
    const isThere = ctx.value(value).storage?.name === storage.name;
    return isThere ? [] : [{ storage, value }];
  });
  while (open.length > 0) {
    const ready = open.find(
      ({ storage }) =>
        !open.some(
          (other) => other.storage !== storage && sourcesOf(ctx, other.value).has(storage.name),
        ),
    );
    const [first] = open;
    if (ready === undefined && first !== undefined) {
      const waiting = ctx.declare(
        first.value.name,
        first.storage.type,
        ctx.value(first.value).layout,
      );
      ctx.store(first.value, waiting);
      continue;
    }
    if (ready === undefined) return;
    open = open.filter((one) => one !== ready);
    const { storage, value } = ready;
    const { layout } = ctx.value(value);
    ctx.nest(layout, [value], (place) => {
      const at = layout === undefined ? ZERO : registerAt(placeIn(place, layout));
      ctx.w.assign(ctx.slot(storage, at), ctx.read(value, place));
    });
  }
}

/** Results of a loop live where its carried values did. */
function setResults(
  ctx: LoweringContext,
  results: readonly SValue[],
  carried: readonly SValue[],
  storages: readonly Storage[],
): void {
  results.forEach((result, i) => {
    const [param, storage] = [carried[i], storages[i]];
    if (param !== undefined && storage !== undefined) ctx.moveStorage(param, result, storage);
  });
}

/** Trips of a loop with constant bounds. */
function tripsOf(ctx: LoweringContext, op: SFor): number | undefined {
  const [lo, hi, step] = [op.lo, op.hi, op.step].map((v) => ctx.scalar(v));
  if (lo?.kind !== "const" || hi?.kind !== "const" || step?.kind !== "const") return undefined;
  return Math.max(0, Math.ceil((hi.value - lo.value) / step.value));
}

/** A step that is not positive is an error, which the interpreter reports; a device takes it for 1, since it would hang. */
function stepOf(ctx: LoweringContext, { step }: SFor): Expr {
  if (ctx.ranges.of(step)[0] >= 1) return ctx.named(step);
  return ctx.w.bind(binary("max", ctx.named(step), constant(1)), "step");
}

export function lowerFor(ctx: LoweringContext, op: SFor, lowerBlock: LowerBlock): void {
  const [counter, ...params] = op.body.params;
  invariant(counter !== undefined, () => "a loop without a counter");
  const range = { lo: ctx.named(op.lo), hi: ctx.named(op.hi), step: stepOf(ctx, op) };
  const trips = tripsOf(ctx, op);
  const unroll = trips !== undefined && op.unroll !== undefined && op.unroll >= trips;
  const storages = carry(ctx, params, op.inits);
  ctx.w.loop({ ...range, unroll, name: ctx.w.fresh(counter.name) }, (name) => {
    ctx.define(counter, 0, () => ({ kind: "reg", type: "i32", name }));
    params.forEach((param, i) => {
      const storage = storages[i];
      if (storage !== undefined) ctx.setStorage(param, storage);
    });
    const frame = { params, storages, yields: op.body.yields };
    ctx.withFrame(frame, () => lowerBlock(op.body));
    assignAll(ctx, storages, op.body.yields);
  });
  setResults(ctx, op.results, params, storages);
}

export function lowerWhile(ctx: LoweringContext, op: SWhile, lowerBlock: LowerBlock): void {
  const storages = carry(ctx, op.cond.params, op.inits);
  const enter = (params: readonly SValue[]): void => {
    params.forEach((param, i) => {
      const storage = storages[i];
      if (storage !== undefined) ctx.setStorage(param, storage);
    });
  };
  let cond = constant(1, "bool");
  let body: ReturnType<typeof ctx.w.nested> = [];
  const head = ctx.w.nested(() => {
    enter(op.cond.params);
    ctx.withoutFrame(() => lowerBlock(op.cond));
    const [more] = op.cond.yields;
    invariant(more !== undefined, () => "a while loop without a condition");
    cond = ctx.named(more);
    // The body stands inside the head: it may read what the head named.
    body = ctx.w.nested(() => {
      op.body.params.forEach((param, i) => {
        const [before, storage] = [op.cond.params[i], storages[i]];
        if (before !== undefined && storage !== undefined) ctx.moveStorage(before, param, storage);
      });
      ctx.withoutFrame(() => lowerBlock(op.body));
      assignAll(ctx, storages, op.body.yields);
    });
  });
  ctx.w.emit({ kind: "while", head, cond, body });
  setResults(ctx, op.results, op.body.params, storages);
}

export function lowerIf(ctx: LoweringContext, op: SIf, lowerBlock: LowerBlock): void {
  const cond = ctx.named(op.cond);
  const storages = op.results.map((result) =>
    ctx.declare(result.name, result.type.dtype, result.layout),
  );
  const branch = (block: SBlock): ReturnType<typeof ctx.w.nested> =>
    ctx.w.nested(() => {
      ctx.withoutFrame(() => lowerBlock(block));
      assignAll(ctx, storages, block.yields);
    });
  const then = branch(op.then);
  const other = branch(op.else);
  ctx.w.emit({ kind: "if", cond, uniform: op.warp !== true, then, else: other });
  op.results.forEach((result, i) => {
    const storage = storages[i];
    if (storage !== undefined) ctx.setStorage(result, storage);
  });
}
