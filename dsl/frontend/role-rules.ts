/** [dsl/frontend] What the roles of roles() may hold: the producer is one thread, and the consumer reads no sum that is in flight. */
import type { Block, Op } from "../ir/nodes.ts";
import { isScalar, type Value } from "../ir/types.ts";
import { operands, regions, results, walkOps } from "../ir/visit.ts";
import type { Lowering } from "./lowering.ts";

function refused(op: Op): string | undefined {
  if (op.kind === "store" || op.kind === "atomic") return `a write to ${op.tensor}`;
  if (op.kind === "print") return "print()";
  const tile = results(op).find(({ type }) => !isScalar(type));
  return tile === undefined || op.kind === "load" ? undefined : `the tile ${tile.name || op.kind}`;
}

/** @throws TW1221 for tiles and writes */
export function refuseInProducer(lw: Lowering, producer: Block): void {
  const copied = new Set<number>();
  walkOps(producer, (op) => {
    if (op.kind === "copy_async") copied.add(op.value.id);
  });
  walkOps(producer, (op) => {
    const isLoose = op.kind === "load" && !isScalar(op.result.type) && !copied.has(op.result.id);
    const seen = isLoose ? `a tile of ${op.tensor}` : refused(op);
    if (seen === undefined) return;
    lw.fail("TW1221", op.loc, {
      message: "the producer of roles() is one thread: it computes no tiles and writes no tensor",
      seen,
      expected: "scalars, barrierWait(), barrierExpect() and copyAsync()",
      remedy: "copy the tile with copyAsync() and compute with it in the consumer",
    });
  });
}

/** Sums that may be in flight, by id: followed through loops and branches. */
class InFlight {
  readonly #lw: Lowering;
  readonly #ids = new Set<number>();

  constructor(lw: Lowering) {
    this.#lw = lw;
  }

  #is({ id }: Value): boolean {
    return this.#ids.has(id);
  }

  #mark(values: readonly Value[], from: readonly Value[]): void {
    for (const [i, value] of values.entries()) {
      const source = from[i];
      if (source !== undefined && this.#is(source)) this.#ids.add(value.id);
    }
  }

  /** What an op may do with a sum in flight. */
  #mayRead(op: Op, value: Value): boolean {
    if (op.kind === "dot_wait") return true;
    if (op.kind === "for" || op.kind === "while") return op.inits.some(({ id }) => id === value.id);
    return op.kind === "dot" && op.async === true && op.a.id !== value.id && op.b.id !== value.id;
  }

  #op(op: Op): void {
    const early = operands(op).find((value) => this.#is(value) && !this.#mayRead(op, value));
    if (early !== undefined)
      this.#lw.fail("TW1224", op.loc, {
        message: `${early.name === "" ? "a sum" : `'${early.name}'`} is read while the dots that add it up may be in flight`,
        seen: `the result of dotAsync() in ${op.kind === "store" ? "store()" : `a ${op.kind}`}`,
        expected: "a sum that dotWait() gave back, or another dotAsync() that takes it up",
        remedy: "wait for it first: acc = dotWait(0, acc)",
      });
    if (op.kind === "dot" && op.async === true) this.#ids.add(op.result.id);
    if (op.kind === "for" || op.kind === "while") {
      const [first, ...blocks] = regions(op);
      const params = op.kind === "for" ? op.body.params.slice(1) : op.body.params;
      this.#mark(params, op.inits);
      // Once more, with what a trip leaves to the next.
      for (let round = 0; round < 2; round++) {
        for (const block of [first, ...blocks]) if (block !== undefined) this.block(block);
        this.#mark(params, op.body.yields);
        if (op.kind === "while") this.#mark(op.cond.params, op.body.yields);
      }
      this.#mark(op.results, op.inits);
      this.#mark(op.results, op.body.yields);
      return;
    }
    for (const block of regions(op)) this.block(block);
    if (op.kind === "if") {
      this.#mark(op.results, op.then.yields);
      this.#mark(op.results, op.else.yields);
    }
  }

  block(block: Block): void {
    for (const op of block.ops) this.#op(op);
  }
}

/** @throws TW1224 for a sum that is read before dotWait() */
export function refuseEarlyReads(lw: Lowering, consumer: Block): void {
  new InFlight(lw).block(consumer);
}
