/** [dsl/ir] Reads ops that own no blocks from the text form. Blocks and kernels are read by parse.ts. */
import type { Location } from "../core/location.ts";
import type { Index, LoadHints, LoadOp, Op } from "./nodes.ts";
import { readExplicitEffect, readExplicitValue } from "./parse-explicit.ts";
import type { ValueReader } from "./parse-values.ts";
import { BINARY_FNS, COMPARE_FNS, REDUCE_FNS, UNARY_FNS } from "./primitives.ts";
import type { TokenReader } from "./tokens.ts";
import type { Value } from "./types.ts";

const ARG_REDUCE_FNS = ["argmax", "argmin"] as const;
const SCAN_FNS = ["sum", "max"] as const;
const ATOMIC_FNS = ["add", "max", "min", "arrive"] as const;
const VIA = ["auto", "tma", "cp.async", "ldg"] as const;
const EVICT = ["first", "last"] as const;
/** Kinds whose text is `kind %x`. */
const PLAIN = ["cast", "bitcast", "broadcast", "rename"] as const;

function readIndex(r: ValueReader): Index {
  const t: TokenReader = r.tokens;
  if (t.accept("at")) return { kind: "at", value: r.use() };
  if (t.accept("gather")) return { kind: "gather", index: r.use() };
  t.expect("span");
  const axis = r.axis();
  t.expect("from");
  const start = r.use();
  const end = r.optional("end");
  return end === undefined ? { kind: "span", axis, start } : { kind: "span", axis, start, end };
}

function readPlace(r: ValueReader): { readonly tensor: string; readonly at: readonly Index[] } {
  const tensor = r.tokens.name("a tensor");
  r.tokens.expect("[");
  return { tensor, at: r.tokens.list("]", () => readIndex(r)) };
}

function readMask(r: ValueReader): { readonly mask?: Value } {
  const mask = r.optional("mask");
  return mask === undefined ? {} : { mask };
}

function readLoadHints(r: ValueReader): { readonly hints?: LoadHints } {
  const t: TokenReader = r.tokens;
  if (t.accept("hints")) {
    t.expect("none");
    return { hints: {} };
  }
  const via = t.accept("via") ? { via: t.oneOf(VIA, "way of copying") } : {};
  const evict = t.accept("evict") ? { evict: t.oneOf(EVICT, "eviction hint") } : {};
  const when = t.accept("when") ? { when: t.oneOf(["early"], "time of reading") } : {};
  const hints = { ...via, ...evict, ...when };
  return Object.keys(hints).length === 0 ? {} : { hints };
}

function readLoad(r: ValueReader, result: Value, loc: Location): LoadOp {
  const place = readPlace(r);
  const mask = readMask(r);
  r.tokens.expect("fill");
  const fill = r.tokens.number("the fill");
  return { kind: "load", result, ...place, ...mask, fill, ...readLoadHints(r), loc };
}

/** Ops without operands. */
function readSource(r: ValueReader, result: Value, loc: Location): Op | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("const")) return { kind: "const", result, value: t.number("the constant"), loc };
  if (t.accept("dim")) return { kind: "dim", result, dim: t.name("a dim"), loc };
  if (t.accept("param")) return { kind: "param", result, param: t.name("a parameter"), loc };
  if (t.accept("iota")) return { kind: "iota", result, loc };
  for (const kind of ["pid", "num_programs"] as const) {
    if (!t.accept(kind)) continue;
    const axis = ([0, 1, 2] as const).find((n) => n === t.peekNumber());
    if (axis === undefined) t.fail("unknown grid axis", "0, 1 or 2");
    t.take();
    return { kind, result, axis, loc };
  }
  return undefined;
}

function readElementwise(r: ValueReader, result: Value, loc: Location): Op | undefined {
  const t: TokenReader = r.tokens;
  const unary = UNARY_FNS.find((fn) => t.accept(fn));
  if (unary !== undefined) return { kind: "unary", result, fn: unary, x: r.use(), loc };
  const binary = BINARY_FNS.find((fn) => t.accept(fn));
  if (binary !== undefined) {
    const [a, b] = r.pair();
    return { kind: "binary", result, fn: binary, a, b, loc };
  }
  const compare = COMPARE_FNS.find((fn) => t.accept(fn));
  if (compare !== undefined) {
    const [a, b] = r.pair();
    return { kind: "compare", result, fn: compare, a, b, loc };
  }
  if (t.accept("select")) {
    const cond = r.use();
    t.expect(",");
    const [a, b] = r.pair();
    return { kind: "select", result, cond, a, b, loc };
  }
  const plain = PLAIN.find((kind) => t.accept(kind));
  return plain === undefined ? undefined : { kind: plain, result, x: r.use(), loc };
}

function readOver(r: ValueReader): { readonly x: Value; readonly axis: string } {
  const x = r.use();
  r.tokens.expect("over");
  return { x, axis: r.tokens.name("an axis") };
}

function readAxes(r: ValueReader): string[] {
  r.tokens.expect("(");
  return r.tokens.list(")", () => r.tokens.name("an axis"));
}

/** Ops that work along axes. */
function readAxisOp(r: ValueReader, result: Value, loc: Location): Op | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("reduce")) {
    const fn = t.oneOf(REDUCE_FNS, "reduction");
    return { kind: "reduce", result, fn, ...readOver(r), loc };
  }
  if (t.accept("scan")) {
    const fn = t.oneOf(SCAN_FNS, "scan");
    return { kind: "scan", result, fn, ...readOver(r), loc };
  }
  const arg = ARG_REDUCE_FNS.find((fn) => t.accept(fn));
  if (arg !== undefined) return { kind: "arg_reduce", result, fn: arg, ...readOver(r), loc };
  if (t.accept("dot")) {
    const [a, b] = r.pair();
    t.expect("over");
    const axis = t.name("an axis");
    const acc = r.optional("acc");
    const sum = acc === undefined ? {} : { acc };
    const late = t.accept("async") ? ({ async: true } as const) : {};
    return { kind: "dot", result, a, b, ...sum, axis, ...late, loc };
  }
  if (t.accept("merge")) {
    const x = r.use();
    const axes = readAxes(r);
    t.expect("into");
    return { kind: "merge", result, x, axes, into: t.name("an axis"), loc };
  }
  if (!t.accept("split")) return undefined;
  const x = r.use();
  const axis = t.name("an axis");
  t.expect("into");
  return { kind: "split", result, x, axis, into: readAxes(r), loc };
}

function readAtomic(r: ValueReader, result: Value, loc: Location): Op {
  const fn = r.tokens.oneOf(ATOMIC_FNS, "atomic");
  const place = readPlace(r);
  r.tokens.expect("by");
  return { kind: "atomic", result, fn, ...place, value: r.use(), ...readMask(r), loc };
}

/** An op with one result; the reader stands behind `=`. */
export function readValuedOp(r: ValueReader, result: Value, loc: Location): Op {
  const op =
    readSource(r, result, loc) ??
    readElementwise(r, result, loc) ??
    readAxisOp(r, result, loc) ??
    readExplicitValue(r, result, loc);
  if (op !== undefined) return op;
  const t: TokenReader = r.tokens;
  if (t.accept("load")) return readLoad(r, result, loc);
  if (t.accept("atomic")) return readAtomic(r, result, loc);
  t.fail("unknown op", "the name of an op that has a result");
}

/** `store`, `assert`, `print`, or what belongs to the third tier. */
export function readEffectOp(r: ValueReader, loc: Location): Op {
  const t: TokenReader = r.tokens;
  if (t.accept("store")) {
    const place = readPlace(r);
    t.expect("=");
    return { kind: "store", ...place, value: r.use(), ...readMask(r), loc };
  }
  if (t.accept("assert")) {
    return { kind: "assert", cond: r.use(), message: t.string("the message"), loc };
  }
  if (t.accept("print")) {
    return { kind: "print", label: t.string("the label"), x: r.use(), loc };
  }
  const explicit = readExplicitEffect(r, loc);
  if (explicit !== undefined) return explicit;
  t.fail("unknown op", "an op, `yield` or `}`");
}
