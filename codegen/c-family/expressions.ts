/** [codegen/c-family] Thread IR expressions as C text. Pure: writes no statements. */
import { InternalError } from "../../dsl/index.ts";
import type { Expr, RegSlice, RegType } from "../ir/thread.ts";
import { atom, call, type Fragment, infix, prefix, ternary } from "../text/fragment.ts";
import { bitcastFragment, castFragment, convert } from "./casts.ts";
import type { CContext } from "./context.ts";
import { literal } from "./literals.ts";
import type { ComputeType, Spelling } from "./primitives.ts";

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { readonly kind: K }>;

function spelled<Emit>(spelling: Spelling<Emit>, fn: string, type: RegType): Emit {
  const emit = spelling[type as ComputeType];
  if (emit === undefined) {
    throw new InternalError({
      code: "TW9001",
      message: `thread IR computes ${fn} on ${type}`,
      expected: `one of ${Object.keys(spelling).join(", ")}`,
      remedy: "narrow values are cast up before they are computed with",
    });
  }
  return emit;
}

/** `name` or `name[index + offset]`. */
export function slot(slice: RegSlice, offset: number, context: CContext): Fragment {
  const { text, reg } = context.register(slice.name);
  // A lone register has no other index than 0.
  if (reg.length === 1) return atom(text);
  if (slice.index === undefined) return atom(`${text}[${offset}]`);
  if (slice.index.kind === "const") return atom(`${text}[${slice.index.value + offset}]`);
  const index = emitExpr(slice.index, context);
  const at = offset === 0 ? index : infix("+", index, atom(String(offset)));
  return atom(`${text}[${at.text}]`);
}

/** A pointer to consecutive registers, for calls that take fragments. */
export function pointer(slice: RegSlice, context: CContext): Fragment {
  const { text, reg } = context.register(slice.name);
  if (slice.index === undefined && reg.length > 1) return atom(text);
  return prefix("&", slot(slice, 0, context));
}

function emitReg(expr: ExprOf<"reg">, context: CContext): Fragment {
  return slot(expr, 0, context);
}

/** Scalars arrive as f32, i32 or u32, whatever their dtype. */
function emitParam(expr: ExprOf<"param">, context: CContext): Fragment {
  const found = context.scalars.get(expr.name);
  if (found === undefined) {
    throw new InternalError({ code: "TW9001", message: `no scalar parameter ${expr.name}` });
  }
  return castFragment(atom(found.text), scalarWordType(found.param.dtype), expr.type);
}

/** The 32-bit type that a scalar of `dtype` is passed in. */
export function scalarWordType(dtype: Exclude<RegType, "i64">): "f32" | "i32" | "u32" {
  switch (dtype) {
    case "f32":
    case "f16":
    case "bf16":
    case "f8e4m3":
    case "f8e5m2":
    case "f8e8m0":
    case "f4e2m1":
    case "nf4":
      return "f32";
    case "i32":
    case "i8":
    case "i4":
      return "i32";
    case "u32":
    case "u8":
    case "u4":
    case "bool":
      return "u32";
    default:
      return dtype satisfies never;
  }
}

function emitDim(expr: ExprOf<"dim">, context: CContext): Fragment {
  const fixed = context.kernel.fixedDims[expr.name];
  if (fixed !== undefined) return literal(fixed, "i32");
  const text = context.dims.get(expr.name);
  if (text === undefined) {
    throw new InternalError({ code: "TW9001", message: `no dim ${expr.name}` });
  }
  return atom(text);
}

/** Two conversions and their packing are one instruction where both halves come from f32. */
function emitPack(expr: ExprOf<"pack">, context: CContext): Fragment {
  const { lo, hi } = expr;
  if (lo.kind === "cast" && hi.kind === "cast" && lo.x.type === "f32" && hi.x.type === "f32") {
    if (lo.type === hi.type && (lo.type === "f16" || lo.type === "bf16")) {
      return call(`tw_pack_${lo.type}x2`, emitExpr(lo.x, context), emitExpr(hi.x, context));
    }
  }
  return call("tw_pack_u16x2", emitExpr(lo, context), emitExpr(hi, context));
}

function emitBinary(expr: ExprOf<"binary">, context: CContext): Fragment {
  const emit = spelled(context.dialect.primitives.binary[expr.fn], expr.fn, expr.type);
  return emit(emitExpr(expr.a, context), emitExpr(expr.b, context));
}

export function emitExpr(expr: Expr, context: CContext): Fragment {
  switch (expr.kind) {
    case "const":
      return literal(expr.value, expr.type);
    case "reg":
      return emitReg(expr, context);
    case "special":
      return atom(context.specials.get(expr.name) ?? expr.name);
    case "dim":
      return emitDim(expr, context);
    case "param":
      return emitParam(expr, context);
    case "unary":
      return spelled(
        context.dialect.primitives.unary[expr.fn],
        expr.fn,
        expr.type,
      )(emitExpr(expr.x, context));
    case "binary":
      return emitBinary(expr, context);
    case "fma":
      return call(
        "tw_fma",
        emitExpr(expr.a, context),
        emitExpr(expr.b, context),
        emitExpr(expr.c, context),
      );
    case "compare":
      return infix(
        context.dialect.primitives.compare[expr.fn],
        emitExpr(expr.a, context),
        emitExpr(expr.b, context),
      );
    case "select":
      return ternary(
        emitExpr(expr.cond, context),
        emitExpr(expr.a, context),
        emitExpr(expr.b, context),
      );
    case "cast":
      return castFragment(emitExpr(expr.x, context), expr.x.type, expr.type);
    case "bitcast":
      return bitcastFragment(emitExpr(expr.x, context), expr.x.type, expr.type);
    case "pack":
      return emitPack(expr, context);
    default:
      return expr satisfies never;
  }
}

/** Address in bytes of element `offset` of a shared buffer whose base is `base`. */
export function sharedAddress(
  base: string,
  offset: Expr,
  bits: number,
  context: CContext,
): Fragment {
  if (offset.kind === "const") {
    const bytes = (offset.value * bits) / 8;
    return bytes === 0 ? atom(base) : infix("+", atom(base), atom(`${bytes}u`));
  }
  const index = convert("u32", emitExpr(offset, context));
  if (bits < 8) {
    const half = infix("/", index, atom(`${8 / bits}u`));
    return infix("+", atom(base), half);
  }
  const bytes = bits === 8 ? index : infix("*", index, atom(`${bits / 8}u`));
  return infix("+", atom(base), bytes);
}
