/** [codegen/ir] Rules for expressions of the thread IR: names, types, bounded register indices. Statements are checked by verify-thread.ts. */
import { type BinaryFn, DTYPES, type DType, type UnaryFn } from "../../dsl/index.ts";
import { formatExpr } from "./print-thread.ts";
import type { Expr, Reg, RegSlice, RegType, ThreadKernel } from "./thread.ts";
import { eachOperand } from "./visit-thread.ts";

/** What a name means at a point of the text. */
export type Binding =
  | { readonly kind: "register"; readonly reg: Reg; readonly mutable: boolean }
  /** `range`: least and greatest value, where the bounds are constants. */
  | { readonly kind: "counter"; readonly range?: readonly [number, number] };

export interface ExprContext {
  readonly kernel: ThreadKernel;
  lookUp(name: string): Binding | undefined;
  report(message: string): void;
}

const INT_FNS: ReadonlySet<BinaryFn> = new Set(["floordiv", "mod", "shl", "shr", "mulhi"]);
const LOGIC_FNS: ReadonlySet<BinaryFn> = new Set(["and", "or", "xor"]);
const BITS_TYPES: ReadonlySet<RegType> = new Set(["f32", "i32", "u32"]);

/** Bits of a register type as stored in memory. */
export function typeBits(type: RegType): number {
  return type === "i64" ? 64 : DTYPES[type].bits;
}

/** True for types that may be computed with: 32 bits wide, i64 or bool. */
export function isComputable(type: RegType): boolean {
  return type === "i64" || !DTYPES[type].narrow;
}

function isIntType(type: RegType): boolean {
  return type === "i64" || DTYPES[type].kind === "int";
}

function binaryFits(fn: BinaryFn, type: RegType): boolean {
  if (LOGIC_FNS.has(fn)) return type === "bool" || isIntType(type);
  if (fn === "div") return type === "f32";
  if (fn === "mulhi") return type === "u32";
  if (INT_FNS.has(fn)) return isIntType(type);
  return type !== "bool";
}

function unaryFits(fn: UnaryFn, type: RegType): boolean {
  if (fn === "not") return type === "bool" || isIntType(type);
  if (fn === "neg" || fn === "abs") return type !== "bool";
  return type === "f32";
}

type Range = readonly [number, number];

function combineRanges(fn: BinaryFn, a: Range, b: Range): Range | undefined {
  const fixed = b[0] === b[1] ? b[0] : undefined;
  switch (fn) {
    case "add":
      return [a[0] + b[0], a[1] + b[1]];
    case "sub":
      return [a[0] - b[1], a[1] - b[0]];
    case "mul": {
      const all = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]];
      return [Math.min(...all), Math.max(...all)];
    }
    case "floordiv":
      if (fixed === undefined || fixed <= 0) return undefined;
      return [Math.floor(a[0] / fixed), Math.floor(a[1] / fixed)];
    case "mod":
      if (fixed === undefined || fixed <= 0) return undefined;
      return a[0] >= 0 && a[1] < fixed ? a : [0, fixed - 1];
    case "shr":
      return fixed === undefined ? undefined : [a[0] >> fixed, a[1] >> fixed];
    case "and":
      return fixed === undefined || fixed < 0 ? undefined : [0, fixed];
    case "min":
      return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    default:
      return undefined;
  }
}

/** Least and greatest value of an i32 expression over constants and counters with constant bounds. */
export function constantRange(ctx: ExprContext, e: Expr): Range | undefined {
  if (e.kind === "const") return [e.value, e.value];
  if (e.kind === "reg" && e.index === undefined) {
    const found = ctx.lookUp(e.name);
    return found?.kind === "counter" ? found.range : undefined;
  }
  if (e.kind !== "binary") return undefined;
  const a = constantRange(ctx, e.a);
  const b = constantRange(ctx, e.b);
  return a === undefined || b === undefined ? undefined : combineRanges(e.fn, a, b);
}

/** Checks that `count` elements from an index on lie in a register; reports what does not fit. Returns the register. */
export function checkSlice(ctx: ExprContext, slice: RegSlice, count: number): Reg | undefined {
  const found = ctx.lookUp(slice.name);
  if (found?.kind !== "register") {
    ctx.report(`${slice.name} is ${found === undefined ? "not declared" : "a counter"}`);
    return undefined;
  }
  const { reg } = found;
  if (slice.index === undefined) {
    if (reg.length < count || (count === 1 && reg.length !== 1))
      ctx.report(`${reg.name} has ${reg.length} elements, ${count} are used without an index`);
    return reg;
  }
  checkExpr(ctx, slice.index, "i32");
  const range = constantRange(ctx, slice.index);
  const isInside = range !== undefined && range[0] >= 0 && range[1] + count <= reg.length;
  if (isInside) return reg;
  const text = `${reg.name}[${formatExpr(slice.index)}]`;
  if (range === undefined) ctx.report(`the index of ${text} is not bounded by constants`);
  else ctx.report(`${text} reaches past the ${reg.length} elements of ${reg.name}`);
  return reg;
}

/** Checks the type of an expression or of an operand of it. */
function same(ctx: ExprContext, e: Expr, part: Expr, type: RegType): void {
  if (part.type !== type)
    ctx.report(`${formatExpr(e)}: ${formatExpr(part)} is ${part.type}, expected ${type}`);
}

function is(ctx: ExprContext, e: Expr, type: RegType): void {
  if (e.type !== type) ctx.report(`${formatExpr(e)} is typed ${e.type}, expected ${type}`);
}

function compute(ctx: ExprContext, e: Expr, type: RegType): void {
  if (!isComputable(type)) ctx.report(`${formatExpr(e)} computes with ${type}`);
}

function checkLeaf(ctx: ExprContext, e: Expr): void {
  switch (e.kind) {
    case "reg": {
      if (e.index === undefined && ctx.lookUp(e.name)?.kind === "counter") {
        is(ctx, e, "i32");
        return;
      }
      const reg = checkSlice(ctx, e, 1);
      if (reg !== undefined) is(ctx, e, reg.type);
      return;
    }
    case "special":
      is(ctx, e, "i32");
      return;
    case "dim":
      if (!ctx.kernel.dims.includes(e.name)) ctx.report(`unknown dim ${e.name}`);
      is(ctx, e, "i32");
      return;
    case "param": {
      const param = ctx.kernel.params.find((p) => p.name === e.name);
      if (param?.kind !== "scalar") ctx.report(`unknown scalar parameter ${e.name}`);
      else is(ctx, e, param.dtype as DType);
      return;
    }
    default:
      return;
  }
}

function checkNode(ctx: ExprContext, e: Expr): void {
  switch (e.kind) {
    case "unary":
      compute(ctx, e, e.x.type);
      same(ctx, e, e.x, e.type);
      if (!unaryFits(e.fn, e.type)) ctx.report(`${formatExpr(e)}: no ${e.fn} on ${e.type}`);
      return;
    case "binary":
      compute(ctx, e, e.type);
      same(ctx, e, e.a, e.type);
      same(ctx, e, e.b, e.type);
      if (!binaryFits(e.fn, e.type)) ctx.report(`${formatExpr(e)}: no ${e.fn} on ${e.type}`);
      return;
    case "fma":
      same(ctx, e, e, "f32");
      same(ctx, e, e.a, "f32");
      same(ctx, e, e.b, "f32");
      same(ctx, e, e.c, "f32");
      return;
    case "compare":
      compute(ctx, e, e.a.type);
      same(ctx, e, e, "bool");
      same(ctx, e, e.b, e.a.type);
      return;
    case "select":
      same(ctx, e, e.cond, "bool");
      same(ctx, e, e.a, e.type);
      same(ctx, e, e.b, e.type);
      return;
    case "bitcast":
      if (!BITS_TYPES.has(e.type) || !BITS_TYPES.has(e.x.type))
        ctx.report(`${formatExpr(e)}: bits of ${e.x.type} as ${e.type}`);
      return;
    case "cast":
      if ((e.type === "i64" || e.x.type === "i64") && !(isIntType(e.type) && isIntType(e.x.type)))
        ctx.report(`${formatExpr(e)}: cast from ${e.x.type} to ${e.type}`);
      return;
    case "pack":
      same(ctx, e, e, "u32");
      same(ctx, e, e.hi, e.lo.type);
      if (typeBits(e.lo.type) !== 16) ctx.report(`${formatExpr(e)} packs ${e.lo.type}`);
      return;
    default:
      checkLeaf(ctx, e);
      return;
  }
}

/** Reports everything wrong in an expression; `type` is what the place needs. */
export function checkExpr(ctx: ExprContext, e: Expr, type?: RegType): void {
  if (type !== undefined && e.type !== type)
    ctx.report(`${formatExpr(e)} is ${e.type}, expected ${type}`);
  checkNode(ctx, e);
  // The index of a register was checked with it.
  if (e.kind !== "reg") eachOperand(e, checkOperand, ctx);
}

function checkOperand(e: Expr, ctx: ExprContext): void {
  checkExpr(ctx, e);
}
