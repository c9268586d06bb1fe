/** [dsl/ir] Reads the ops of the third tier from the text form; their blocks are read by parse.ts. */
import type { Location } from "../core/location.ts";
import type { RolesOp } from "./explicit.ts";
import type { Block, Op } from "./nodes.ts";
import type { ValueReader } from "./parse-values.ts";
import type { TokenReader } from "./tokens.ts";
import type { Value } from "./types.ts";

function readUse(r: ValueReader): Value {
  r.tokens.expect("use");
  return r.use();
}

function readCount(t: TokenReader, word: string): number {
  t.expect(word);
  return t.number(`the number of ${word}`);
}

/** An op with one result, or undefined where another one stands there. */
export function readExplicitValue(r: ValueReader, result: Value, loc: Location): Op | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("slot")) {
    const slot = { kind: "slot", result, ring: t.name("a ring"), use: readUse(r), loc } as const;
    return t.accept("registers") ? { ...slot, registers: true } : slot;
  }
  if (!t.accept("walk")) return undefined;
  const what = t.oneOf(["first", "total", "blocks"], "number");
  return { kind: "walk", result, what, ...(t.accept("counted") ? { counted: true } : {}), loc };
}

/** A wait for dots, whose results are those that it waits for. */
export function readDotWait(r: ValueReader, results: readonly Value[], loc: Location): Op {
  const t: TokenReader = r.tokens;
  const pending = t.number("the dots that may be in flight");
  const xs: Value[] = [];
  if (t.accept("of")) {
    do xs.push(r.use());
    while (t.accept(","));
  }
  return { kind: "dot_wait", results, xs, pending, loc };
}

/** An op without a result and without blocks, or undefined where another one stands there. */
export function readExplicitEffect(r: ValueReader, loc: Location): Op | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("ring")) {
    const ring = t.name("a ring");
    t.expect(":");
    return { kind: "ring", ring, ...r.type(), stages: readCount(t, "stages"), loc };
  }
  if (t.accept("barrier")) {
    const barrier = t.name("a barrier");
    const stages = readCount(t, "stages");
    return { kind: "barrier", barrier, stages, arrivals: readCount(t, "arrivals"), loc };
  }
  if (t.accept("barrier_wait"))
    return { kind: "barrier_wait", barrier: t.name("a barrier"), use: readUse(r), loc };
  if (t.accept("barrier_arrive")) {
    const barrier = t.name("a barrier");
    const use = readUse(r);
    const bytes = t.accept("bytes") ? { bytes: t.number("the bytes") } : {};
    return { kind: "barrier_arrive", barrier, use, ...bytes, loc };
  }
  if (!t.accept("copy_async")) return undefined;
  const ring = t.name("a ring");
  const use = readUse(r);
  t.expect("=");
  const value = r.use();
  t.expect("signal");
  return { kind: "copy_async", ring, use, value, barrier: t.name("a barrier"), loc };
}

/** Both roles; the reader stands behind `roles`. */
export function readRoles(r: ValueReader, loc: Location, block: () => Block): RolesOp {
  const t: TokenReader = r.tokens;
  const warpgroups = readCount(t, "warpgroups");
  let registers: RolesOp["registers"];
  if (t.accept("registers")) {
    t.expect("(");
    const producer = t.number("registers of the producer");
    t.expect(",");
    registers = { producer, consumer: t.number("registers of the consumer") };
    t.expect(")");
  }
  t.expect("producer");
  t.expect("{");
  const producer = block();
  t.expect("consumer");
  t.expect("{");
  const consumer = block();
  const given = registers === undefined ? {} : { registers };
  return { kind: "roles", producer, consumer, warpgroups, ...given, loc };
}
