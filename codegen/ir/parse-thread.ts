/** [codegen/ir] Reads the text form of the thread IR: kernels and statements. Locations are not part of the text. */
import { DTYPE_NAMES, type DType, type Param, type TensorDim } from "../../dsl/index.ts";
import { instructionOf } from "./instructions.ts";
import { REG_TYPES, readExpr, type ThreadNames } from "./parse-thread-expr.ts";
import type {
  CallArg,
  Expr,
  RegSlice,
  Stmt,
  TensorMapSpec,
  ThreadKernel,
  ThreadShared,
} from "./thread.ts";
import { ThreadTokens } from "./thread-tokens.ts";

interface Reader {
  readonly t: ThreadTokens;
  readonly names: ThreadNames;
}

function readSlice({ t, names }: Reader): RegSlice {
  const name = t.name();
  if (!t.accept("[")) return { name };
  const index = readExpr(t, names);
  t.expect("]");
  return { name, index };
}

function readWidth({ t }: Reader): number {
  const text = t.isWord() ? t.take() : "";
  return /^x\d+$/.test(text) ? Number(text.slice(1)) : t.fail("a width such as x4");
}

function readMask({ t, names }: Reader): { readonly mask?: Expr } {
  return t.accept("mask") ? { mask: readExpr(t, names) } : {};
}

function readPlace({ t, names }: Reader): { readonly name: string; readonly offset: Expr } {
  const name = t.name();
  t.expect("[");
  const offset = readExpr(t, names);
  t.expect("]");
  return { name, offset };
}

function readLet(r: Reader, mutable: boolean): Stmt {
  const { t, names } = r;
  const name = t.name();
  t.expect(":");
  const type = t.oneOf(REG_TYPES, "a register type");
  let length = 1;
  if (t.accept("[")) {
    length = t.number();
    t.expect("]");
  }
  const reg = { name, type, length };
  const init = t.accept("=") ? { init: readExpr(t, names) } : {};
  names.regs.set(name, type);
  return { kind: "let", reg, ...init, mutable };
}

function readLoop(r: Reader, unroll: boolean): Stmt {
  const { t, names } = r;
  const name = t.name();
  t.expect("=");
  const lo = readExpr(t, names);
  t.expect("to");
  const hi = readExpr(t, names);
  t.expect("step");
  const step = readExpr(t, names);
  names.regs.set(name, "i32");
  return { kind: "loop", name, lo, hi, step, unroll, body: readBlock(r) };
}

function readWhile(r: Reader): Stmt {
  const head = readBlock(r);
  r.t.expect("test");
  const cond = readExpr(r.t, r.names);
  return { kind: "while", head, cond, body: readBlock(r) };
}

function readIf(r: Reader): Stmt {
  const uniform = r.t.accept("uniform");
  const cond = readExpr(r.t, r.names);
  const then = readBlock(r);
  return { kind: "if", cond, uniform, then, else: r.t.accept("else") ? readBlock(r) : [] };
}

function readAtomic(r: Reader): Stmt {
  const { t, names } = r;
  const fn = t.oneOf(["add", "max", "min", "arrive"], "an atomic function");
  const first = readSlice(r);
  const to = t.accept("from") ? first : undefined;
  const place = to === undefined ? { name: first.name, offset: first.index } : readPlace(r);
  if (place.offset === undefined) return t.fail("an offset");
  t.expect("by");
  const value = readExpr(t, names);
  const target = { tensor: place.name, offset: place.offset };
  return {
    kind: "atomic_global",
    fn,
    ...(to === undefined ? {} : { to }),
    ...target,
    value,
    ...readMask(r),
  };
}

function readLoadGlobal(r: Reader): Stmt {
  const to = readSlice(r);
  const width = readWidth(r);
  r.t.expect("from");
  const { name: tensor, offset } = readPlace(r);
  const mask = readMask(r);
  r.t.expect("fill");
  return { kind: "load_global", to, tensor, offset, width, ...mask, fill: r.t.number() };
}

function readStoreGlobal(r: Reader): Stmt {
  const from = readSlice(r);
  const width = readWidth(r);
  r.t.expect("to");
  const { name: tensor, offset } = readPlace(r);
  return { kind: "store_global", from, tensor, offset, width, ...readMask(r) };
}

function readLoadShared(r: Reader): Stmt {
  const to = readSlice(r);
  const width = readWidth(r);
  r.t.expect("from");
  const { name: buffer, offset } = readPlace(r);
  return { kind: "load_shared", to, buffer, offset, width };
}

function readStoreShared(r: Reader): Stmt {
  const from = readSlice(r);
  const width = readWidth(r);
  r.t.expect("to");
  const { name: buffer, offset } = readPlace(r);
  return { kind: "store_shared", from, buffer, offset, width, ...readMask(r) };
}

function readCopy(r: Reader): Stmt {
  const width = readWidth(r);
  const from = readPlace(r);
  r.t.expect("to");
  const to = readPlace(r);
  return {
    kind: "copy_async",
    buffer: to.name,
    to: to.offset,
    tensor: from.name,
    from: from.offset,
    width,
    ...readMask(r),
  };
}

function readShuffle(r: Reader, kind: "shuffle" | "shuffle_xor"): Stmt {
  const to = readSlice(r);
  r.t.expect("=");
  const value = readExpr(r.t, r.names);
  if (kind === "shuffle_xor") {
    r.t.expect("mask");
    return { kind, to, value, laneMask: r.t.number() };
  }
  r.t.expect("lane");
  return { kind, to, value, lane: readExpr(r.t, r.names) };
}

function readLdmatrix(r: Reader): Stmt {
  const to = readSlice(r);
  const width = readWidth(r);
  const count = ([1, 2, 4] as const).find((n) => n === width) ?? r.t.fail("x1, x2 or x4");
  r.t.expect("from");
  const { name: buffer, offset } = readPlace(r);
  return { kind: "ldmatrix", to, count, transpose: r.t.accept("trans"), buffer, offset };
}

function readMma(r: Reader): Stmt {
  const dtype = r.t.oneOf(["f16", "bf16"], "f16 or bf16");
  const acc = readSlice(r);
  r.t.expect("+=");
  const a = readSlice(r);
  r.t.expect("*");
  return { kind: "mma", dtype, acc, a, b: readSlice(r) };
}

function readArg(r: Reader): CallArg {
  const { t } = r;
  if (t.accept("&")) {
    const { name: buffer, offset: bytes } = readPlace(r);
    return { kind: "address", buffer, bytes };
  }
  if (t.accept("map")) return { kind: "map", map: t.name() };
  if (t.accept("counter")) return { kind: "counter" };
  if (!t.accept("*")) return { kind: "value", value: readExpr(t, r.names) };
  const slice = readSlice(r);
  return { kind: "registers", slice, count: readWidth(r) };
}

function readCall(r: Reader): Stmt {
  const { t } = r;
  const first = readSlice(r);
  const to = t.accept("from") ? { to: first } : {};
  const fn = "to" in to ? t.name() : first.name;
  if (instructionOf(fn) === undefined) return t.fail("an instruction", 1);
  let template = {};
  if (t.accept("<")) {
    template = { template: t.number() };
    t.expect(">");
  }
  t.expect("(");
  return { kind: "call", fn, ...template, args: t.list(")", () => readArg(r)), ...to };
}

function readRoles(r: Reader): Stmt {
  const { t } = r;
  const warps = t.number();
  let registers = {};
  if (t.accept("registers")) {
    t.expect("(");
    const [producer = 0, consumer = 0] = t.list(")", () => t.number());
    registers = { registers: { producer, consumer } };
  }
  t.expect("producer");
  const producer = readBlock(r);
  t.expect("consumer");
  return { kind: "roles", warps, ...registers, producer, consumer: readBlock(r) };
}

function readBarrier({ t }: Reader): Stmt {
  return t.isNumber() ? { kind: "barrier", threads: t.number() } : { kind: "barrier" };
}

function readComment(r: Reader): Stmt {
  return { kind: "comment", text: r.t.name() };
}

/** Words that open a statement. */
const OPENERS: Readonly<Record<string, (r: Reader) => Stmt>> = {
  let: (r) => readLet(r, false),
  var: (r) => readLet(r, true),
  loop: (r) => readLoop(r, false),
  unroll: (r) => readLoop(r, true),
  while: readWhile,
  if: readIf,
  load_global: readLoadGlobal,
  store_global: readStoreGlobal,
  atomic_global: readAtomic,
  load_shared: readLoadShared,
  store_shared: readStoreShared,
  copy_async: readCopy,
  commit_async: () => ({ kind: "commit_async" }),
  wait_async: (r) => ({ kind: "wait_async", pending: r.t.number() }),
  barrier: readBarrier,
  call: readCall,
  roles: readRoles,
  shuffle_xor: (r) => readShuffle(r, "shuffle_xor"),
  shuffle: (r) => readShuffle(r, "shuffle"),
  ldmatrix: readLdmatrix,
  mma: readMma,
  comment: readComment,
};

function readStmt(r: Reader): Stmt {
  const word = Object.keys(OPENERS).find((opener) => r.t.accept(opener));
  const opener = word === undefined ? undefined : OPENERS[word];
  if (opener !== undefined) return opener(r);
  const to = readSlice(r);
  r.t.expect("=");
  return { kind: "assign", to, value: readExpr(r.t, r.names) };
}

function readBlock(r: Reader): Stmt[] {
  r.t.expect("{");
  const body: Stmt[] = [];
  while (!r.t.accept("}")) body.push(readStmt(r));
  return body;
}

function readDim(t: ThreadTokens): TensorDim {
  if (t.isNumber()) return { size: t.number() };
  const name = t.name();
  return t.accept("=") ? { name, size: t.number() } : { name };
}

function readParam(t: ThreadTokens): Param {
  const name = t.name();
  t.expect(":");
  const access = (["in", "out", "inout"] as const).find((word) => t.accept(word));
  const packed = access === "in" && t.accept("packed") ? { packed: true as const } : {};
  const dtype: DType = t.oneOf(DTYPE_NAMES, "a dtype");
  if (access === undefined) return { kind: "scalar", name, dtype };
  t.expect("[");
  return { kind: "tensor", name, dtype, shape: t.list("]", () => readDim(t)), access, ...packed };
}

function readNumberClause(t: ThreadTokens, word: string): number {
  t.expect(word);
  t.expect("(");
  const value = t.number();
  t.expect(")");
  return value;
}

function readCluster(t: ThreadTokens): 1 | 2 {
  if (!t.accept("cluster")) return 1;
  t.expect("(");
  const blocks = t.number() === 2 ? 2 : t.fail("2 blocks of a cluster", 1);
  t.expect(")");
  return blocks;
}

function readFixed(t: ThreadTokens): Record<string, number> {
  t.expect("fixed");
  t.expect("(");
  const pairs = t.list(")", (): [string, number] => {
    const name = t.name();
    t.expect("=");
    return [name, t.number()];
  });
  return Object.fromEntries(pairs);
}

function readShared(t: ThreadTokens): ThreadShared {
  const name = t.name();
  t.expect(":");
  const dtype: DType = t.oneOf(DTYPE_NAMES, "a dtype");
  t.expect("[");
  const elements = t.number();
  t.expect("]");
  t.expect("at");
  return { name, dtype, elements, byteOffset: t.number() };
}

function readMap(t: ThreadTokens): TensorMapSpec {
  const name = t.name();
  t.expect(":");
  const tensor = t.name();
  t.expect("box");
  t.expect("(");
  const box = t.list(")", () => t.number());
  t.expect("swizzle");
  const bytes = t.number();
  const swizzle = ([0, 32, 64, 128] as const).find((n) => n === bytes);
  const ragged = t.accept("ragged") ? { ragged: t.number() } : {};
  const folded = t.accept("folded") ? { folded: t.number() } : {};
  const grouped = t.accept("grouped") ? ({ grouped: true } as const) : {};
  const width = swizzle ?? t.fail("0, 32, 64 or 128", 1);
  return { name, tensor, box, swizzle: width, ...ragged, ...folded, ...grouped };
}

/** @throws InternalError TW9002 where the text is not a thread kernel */
export function parseThreadKernel(text: string): ThreadKernel {
  const t = new ThreadTokens(text);
  t.expect("thread");
  const name = t.name();
  t.expect("(");
  const params = t.list(")", () => readParam(t));
  t.expect("dims");
  t.expect("(");
  const dims = t.list(")", () => t.name());
  const fixedDims = readFixed(t);
  const threads = readNumberClause(t, "threads");
  const warpSize = readNumberClause(t, "warp");
  const sharedBytes = readNumberClause(t, "bytes");
  const persistent = t.accept("persistent");
  const counted = t.accept("counted");
  const cluster = readCluster(t);
  t.expect("{");
  const shared: ThreadShared[] = [];
  while (t.accept("shared")) shared.push(readShared(t));
  const maps: TensorMapSpec[] = [];
  while (t.accept("map")) maps.push(readMap(t));
  const scalars = params.flatMap((p): [string, DType][] =>
    p.kind === "scalar" ? [[p.name, p.dtype]] : [],
  );
  const r: Reader = { t, names: { regs: new Map(), params: new Map(scalars) } };
  const body: Stmt[] = [];
  while (!t.accept("}")) body.push(readStmt(r));
  if (!t.atEnd()) t.fail("the end of the text");
  const sizes = { threads, warpSize, shared, sharedBytes };
  return { name, params, dims, fixedDims, ...sizes, maps, cluster, persistent, counted, body };
}
