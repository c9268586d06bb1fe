/** [codegen/ir] Reads the ops and blocks of scheduled text. Kernels are read by parse-scheduled.ts. */
import {
  BINARY_FNS,
  COMPARE_FNS,
  type LoadHints,
  type Location,
  REDUCE_FNS,
  type TokenReader,
  UNARY_FNS,
} from "../../dsl/index.ts";
import { MATRIX_FORMS } from "../layout/matrix-form.ts";
import { readRoleEffect } from "./parse-scheduled-roles.ts";
import type { ScheduledReader } from "./parse-scheduled-values.ts";
import type { DotInstruction, DotOperand, SBlock, SOp, SValue } from "./scheduled.ts";

const VIA = ["auto", "tma", "cp.async", "ldg"] as const;
const PACKED = ["vectors", "elements"] as const;
const MMA_SYNC: DotInstruction = { kind: "mma.sync", m: 16, n: 8, k: 16 };

function readSource(r: ScheduledReader, result: SValue, loc: Location): SOp | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("const")) return { kind: "const", result, value: t.number("the constant"), loc };
  if (t.accept("dim")) return { kind: "dim", result, dim: t.name("a dim"), loc };
  if (t.accept("param")) return { kind: "param", result, param: t.name("a parameter"), loc };
  if (t.accept("iota")) return { kind: "iota", result, loc };
  if (t.accept("cluster_rank")) return { kind: "cluster_rank", result, loc };
  for (const kind of ["pid", "num_programs", "grid_size"] as const) {
    if (!t.accept(kind)) continue;
    const axis = ([0, 1, 2] as const).find((n) => n === t.peekNumber());
    if (axis === undefined) t.fail("unknown grid axis", "0, 1 or 2");
    t.take();
    return { kind, result, axis, loc };
  }
  return undefined;
}

function readElementwise(r: ScheduledReader, result: SValue, loc: Location): SOp | undefined {
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
  const plain = (["cast", "bitcast", "broadcast", "relabel", "vote"] as const).find((k) =>
    t.accept(k),
  );
  return plain === undefined ? undefined : { kind: plain, result, x: r.use(), loc };
}

function readOver(r: ScheduledReader): { readonly x: SValue; readonly axis: string } {
  const x = r.use();
  r.tokens.expect("over");
  return { x, axis: r.tokens.name("an axis") };
}

function readAxisOp(r: ScheduledReader, result: SValue, loc: Location): SOp | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("reduce")) {
    const fn = t.oneOf(REDUCE_FNS, "reduction");
    return { kind: "reduce", result, fn, ...readOver(r), ...r.scratch(), loc };
  }
  if (t.accept("scan")) {
    const fn = t.oneOf(["sum", "max"], "scan");
    return { kind: "scan", result, fn, ...readOver(r), ...r.scratch(), loc };
  }
  const arg = (["argmax", "argmin"] as const).find((fn) => t.accept(fn));
  if (arg !== undefined)
    return { kind: "arg_reduce", result, fn: arg, ...readOver(r), ...r.scratch(), loc };
  const pack = (["pack_pairs", "trade_quads", "pack_quads"] as const).find((kind) =>
    t.accept(kind),
  );
  if (pack !== undefined) return { kind: pack, result, ...readOver(r), loc };
  if (!t.accept("convert")) return undefined;
  const x = r.use();
  t.expect("via");
  const via = t.oneOf(["registers", "shared"], "way of converting");
  return { kind: "convert", result, x, via, ...r.scratch(), loc };
}

function readHints(r: ScheduledReader): { readonly hints?: LoadHints } {
  const t: TokenReader = r.tokens;
  if (t.accept("hints")) {
    t.expect("none");
    return { hints: {} };
  }
  const via = t.accept("via") ? { via: t.oneOf(VIA, "way of copying") } : {};
  const evict = t.accept("evict") ? { evict: t.oneOf(["first", "last"], "eviction hint") } : {};
  const when = t.accept("when") ? { when: t.oneOf(["early"], "time of reading") } : {};
  const hints = { ...via, ...evict, ...when };
  return Object.keys(hints).length === 0 ? {} : { hints };
}

function readDotOperand(r: ScheduledReader): DotOperand {
  if (r.tokens.accept("pairs")) return { kind: "register", value: r.use(), pairs: r.type() };
  if (!r.tokens.accept("shared")) return { kind: "register", value: r.use() };
  const ref = r.ref();
  return { kind: "shared", ref, ...r.type() };
}

function readDot(r: ScheduledReader, result: SValue, loc: Location): SOp {
  const t: TokenReader = r.tokens;
  const a = readDotOperand(r);
  t.expect(",");
  const b = readDotOperand(r);
  t.expect("over");
  const axis = t.name("an axis");
  t.expect("acc");
  const acc = r.use();
  t.expect("by");
  if (t.accept("fma")) {
    return { kind: "dot", result, a, b, acc, axis, instruction: { kind: "fma" }, loc };
  }
  if (t.accept("wgmma")) {
    const k = t.number("16 or 32") === 32 ? 32 : 16;
    const fresh = t.accept("fresh") ? ({ fresh: true } as const) : {};
    const instruction: DotInstruction = { kind: "wgmma", m: 64, k, ...fresh };
    return { kind: "dot", result, a, b, acc, axis, instruction, loc };
  }
  for (const { name } of MATRIX_FORMS) {
    if (!t.accept(name)) continue;
    return {
      kind: "dot",
      result,
      a,
      b,
      acc,
      axis,
      instruction: { kind: "matrix", form: name },
      loc,
    };
  }
  t.expect("mma_sync");
  return { kind: "dot", result, a, b, acc, axis, instruction: MMA_SYNC, loc };
}

function readMemory(r: ScheduledReader, result: SValue, loc: Location): SOp | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("load")) {
    const at = { ...r.place(), ...r.mask() };
    const fill = r.number("fill");
    const width = r.number("width");
    const packed = t.accept("packed") ? { packed: t.oneOf(PACKED, "way of reading") } : {};
    return { kind: "load", result, ...at, fill, width, ...packed, ...readHints(r), loc };
  }
  if (t.accept("atomic")) {
    const fn = t.oneOf(["add", "max", "min", "arrive"], "atomic");
    const at = r.place();
    t.expect("by");
    const value = r.use();
    return { kind: "atomic", result, fn, ...at, value, ...r.mask(), ...r.scratch(), loc };
  }
  if (t.accept("shared_load")) {
    const from = r.ref();
    return { kind: "shared_load", result, from, width: r.number("width"), loc };
  }
  if (t.accept("next_program")) {
    t.expect("from");
    const first = r.use();
    return { kind: "next_program", result, first, ...readAfter(r), loc };
  }
  if (t.accept("fetch")) {
    const from = r.ref();
    const word = r.number("word");
    t.expect("same");
    return { kind: "fetch", result, from, word, same: r.use(), loc };
  }
  if (t.accept("take_tile")) return { kind: "take_tile", result, from: t.name("a buffer"), loc };
  return t.accept("dot") ? readDot(r, result, loc) : undefined;
}

function readAfter(r: ScheduledReader): { readonly after: SValue; readonly blocks: SValue } {
  r.tokens.expect("after");
  const after = r.use();
  r.tokens.expect("of");
  return { after, blocks: r.use() };
}

function readEffect(r: ScheduledReader, loc: Location): SOp {
  const t: TokenReader = r.tokens;
  if (t.accept("commit")) return { kind: "commit", loc };
  if (t.accept("barrier")) return { kind: "barrier", loc };
  if (t.accept("wait")) return { kind: "wait", pending: t.number("pending groups"), loc };
  if (t.accept("store")) {
    const at = r.place();
    t.expect("=");
    const value = r.use();
    const rest = { ...r.mask(), width: r.number("width") };
    const panels = t.accept("panels") ? { panels: t.name("a buffer") } : {};
    const held = t.accept("held")
      ? { held: { first: t.number("the first panel"), count: t.number("a number of panels") } }
      : {};
    const pairs = t.accept("pairs") ? { pairs: true as const } : {};
    return { kind: "store", ...at, value, ...rest, ...panels, ...held, ...pairs, loc };
  }
  if (t.accept("shared_store")) {
    const into = r.ref();
    t.expect("=");
    const value = r.use();
    return { kind: "shared_store", into, value, width: r.number("width"), loc };
  }
  const role = readRoleEffect(r, loc);
  if (role !== undefined) return role;
  t.expect("copy");
  const into = r.ref();
  t.expect("=");
  const at = { ...r.place(), ...r.mask() };
  const fill = r.number("fill");
  t.expect("layout");
  const axes = copyAxes(at.at);
  const layout = r.layout(axes);
  const width = r.number("width");
  t.expect("via");
  const via = t.oneOf(["cp.async", "ldg", "tma"], "way of copying");
  const signal = t.accept("signal") ? { signal: r.ref() } : {};
  const once = t.accept("once") ? ({ once: true } as const) : {};
  const tail = { ...signal, ...once, ...readHalves(r) };
  return { kind: "copy", into, ...at, fill, layout, width, via, ...tail, loc };
}

function readHalves(r: ScheduledReader): Pick<Extract<SOp, { kind: "copy" }>, "halves"> {
  if (!r.tokens.accept("halves")) return {};
  const [rank, same] = r.pair();
  return { halves: { rank, same } };
}

/** Axes of the tile that indices address, in order. */
function copyAxes(at: Extract<SOp, { kind: "copy" }>["at"]) {
  const axes = at.flatMap((index) => {
    if (index.kind === "span" || index.kind === "pages") return [index.axis];
    return index.kind === "gather" ? index.index.type.axes : [];
  });
  return axes.filter((axis, i) => axes.findIndex((other) => other.name === axis.name) === i);
}

function readCarry(r: ScheduledReader): { readonly params: SValue[]; readonly inits: SValue[] } {
  r.tokens.expect("(");
  const pairs = r.tokens.list(")", () => {
    const param = r.declare();
    r.tokens.expect("=");
    return [param, r.use()] as const;
  });
  return { params: pairs.map(([param]) => param), inits: pairs.map(([, init]) => init) };
}

function readFor(r: ScheduledReader, results: readonly SValue[], loc: Location): SOp {
  const t: TokenReader = r.tokens;
  const iv = r.declare();
  t.expect("=");
  const lo = r.use();
  t.expect("to");
  const hi = r.use();
  t.expect("step");
  const step = r.use();
  const { params, inits } = t.accept("carry") ? readCarry(r) : { params: [], inits: [] };
  const unroll = t.accept("unroll") ? { unroll: t.number("an unroll factor") } : {};
  const stages = t.accept("stages") ? { stages: t.number("a number of stages") } : {};
  t.expect("{");
  const body = readScheduledBlock(r, [iv, ...params]);
  return { kind: "for", results, lo, hi, step, inits, body, ...unroll, ...stages, loc };
}

function readRoles(r: ScheduledReader, loc: Location): SOp {
  const t: TokenReader = r.tokens;
  const explicit = t.accept("explicit") ? { explicit: true as const } : {};
  const counted = t.accept("counted") ? { counted: true as const } : {};
  let registers = {};
  if (t.accept("registers")) {
    t.expect("(");
    const [producer = 0, consumer = 0] = t.list(")", () => t.number("registers"));
    registers = { registers: { producer, consumer } };
  }
  t.expect("producer");
  t.expect("{");
  const producer = readScheduledBlock(r, []);
  t.expect("consumer");
  t.expect("{");
  const consumer = readScheduledBlock(r, []);
  return { kind: "roles", producer, consumer, ...registers, ...explicit, ...counted, loc };
}

function readStructured(
  r: ScheduledReader,
  results: readonly SValue[],
  loc: Location,
): SOp | undefined {
  const t: TokenReader = r.tokens;
  if (t.accept("for")) return readFor(r, results, loc);
  if (t.accept("roles")) return readRoles(r, loc);
  if (t.accept("while")) {
    const { params, inits } = readCarry(r);
    t.expect("{");
    const cond = readScheduledBlock(r, params);
    t.expect("do");
    t.expect("(");
    const bodyParams = t.list(")", () => r.declare());
    t.expect("{");
    return { kind: "while", results, inits, cond, body: readScheduledBlock(r, bodyParams), loc };
  }
  if (!t.accept("if")) return undefined;
  const byRows = t.accept("by_rows") ? ({ byRows: true } as const) : {};
  const warp = t.accept("warp") ? ({ warp: true } as const) : {};
  const cond = r.use();
  t.expect("{");
  const yes = readScheduledBlock(r, []);
  let no: SBlock = { params: [], ops: [], yields: [] };
  if (t.accept("else")) {
    t.expect("{");
    no = readScheduledBlock(r, []);
  }
  // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
  return { kind: "if", results, ...byRows, ...warp, cond, then: yes, else: no, loc };
}

function readOp(r: ScheduledReader): SOp {
  const t: TokenReader = r.tokens;
  const loc = t.location();
  const declared: SValue[] = [];
  if (t.peek().kind === "value") {
    do declared.push(r.declare());
    while (t.accept(","));
    t.expect("=");
  }
  const structured = readStructured(r, declared, loc);
  const [result] = declared;
  if (structured !== undefined) {
    r.commit(declared);
    return structured;
  }
  if (result === undefined) return readEffect(r, loc);
  const op =
    readSource(r, result, loc) ??
    readElementwise(r, result, loc) ??
    readAxisOp(r, result, loc) ??
    readMemory(r, result, loc);
  if (op === undefined) t.fail("unknown op", "the name of an op that has a result");
  r.commit(declared);
  return op;
}

/** Ops and an optional `yield` up to the closing brace, which is taken. The opening brace is behind. */
export function readScheduledBlock(r: ScheduledReader, params: readonly SValue[]): SBlock {
  const ops: SOp[] = [];
  r.commit(params);
  while (!r.tokens.accept("}")) {
    if (r.tokens.accept("yield")) {
      const yields = [r.use()];
      while (r.tokens.accept(",")) yields.push(r.use());
      r.tokens.expect("}");
      return { params, ops, yields };
    }
    ops.push(readOp(r));
  }
  return { params, ops, yields: [] };
}
