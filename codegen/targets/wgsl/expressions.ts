/** [codegen/targets/wgsl] Thread IR expressions as WGSL text. Pure: writes no statements. */
import { DTYPES, InternalError, invariant } from "../../../dsl/index.ts";
import type { Expr, RegSlice } from "../../ir/thread.ts";
import { atom, call, type Fragment, infix, prefix } from "../../text/fragment.ts";
import { bitcastFragment, castFragment } from "./casts.ts";
import type { WgslContext } from "./context.ts";
import { BINARY, COMPARE, UNARY } from "./primitives.ts";
import { hiddenFloat, literal, registerType, type WgslType } from "./types.ts";

type ExprOf<K extends Expr["kind"]> = Extract<Expr, { readonly kind: K }>;

function spelled<Emit>(
  spelling: Readonly<Partial<Record<WgslType, Emit>>>,
  expr: ExprOf<"unary" | "binary">,
): Emit {
  const emit = spelling[registerType(expr.type)];
  if (emit === undefined) {
    throw new InternalError({
      code: "TW9001",
      message: `thread IR computes ${expr.fn} on ${expr.type}`,
      expected: `one of ${Object.keys(spelling).join(", ")}`,
      remedy: "narrow values are cast up before they are computed with",
    });
  }
  return emit;
}

const ZERO: Expr = { kind: "const", type: "i32", value: 0 };

/** `name`, `name_3` or `name[index + offset]`. */
export function slot(slice: RegSlice, offset: number, context: WgslContext): Fragment {
  const { text, reg } = context.register(slice.name);
  // A lone register has no other index than 0.
  if (reg.length === 1) return atom(text);
  const { index: at = ZERO } = slice;
  if (at.kind === "const") {
    const i = at.value + offset;
    return atom(context.isScattered(reg.name) ? context.element(reg.name, i) : `${text}[${i}]`);
  }
  const index = emitExpr(at, context);
  const sum = offset === 0 ? index : infix("+", index, atom(String(offset)));
  return atom(`${text}[${sum.text}]`);
}

/** Scalars arrive as f32, i32 or u32, whatever their dtype. */
function emitParam(expr: ExprOf<"param">, context: WgslContext): Fragment {
  const found = context.scalars.get(expr.name);
  invariant(found !== undefined, () => `no scalar parameter ${expr.name}`);
  return castFragment(atom(found.text), scalarWord(found.param.dtype), expr.type);
}

/** The type of the word that a scalar is passed in. */
export function scalarWord(dtype: Parameters<typeof registerType>[0]): "f32" | "i32" | "u32" {
  if (dtype !== "i64" && DTYPES[dtype].kind === "float") return "f32";
  const held = registerType(dtype);
  return held === "bool" ? "u32" : held;
}

function emitDim(expr: ExprOf<"dim">, context: WgslContext): Fragment {
  const fixed = context.kernel.fixedDims[expr.name];
  if (fixed !== undefined) return literal(fixed, "i32");
  const text = context.dims.get(expr.name);
  invariant(text !== undefined, () => `no dim ${expr.name}`);
  return atom(text);
}

function emitCompare(expr: ExprOf<"compare">, context: WgslContext): Fragment {
  const a = emitExpr(expr.a, context);
  const b = emitExpr(expr.b, context);
  // SwiftShader takes `x != x` for false even where x is a NaN.
  if (expr.fn === "ne" && expr.a.type === "f32") return prefix("!", infix("==", a, b));
  return COMPARE[expr.fn](a, b);
}

/** Functions of constants are evaluated when the text is read, which is then refused where their result is NaN: sqrt(-1.0f). */
function emitOperand(x: Expr, context: WgslContext): Fragment {
  const isNumber = x.kind === "const" && x.type === "f32";
  return isNumber ? hiddenFloat(x.value) : emitExpr(x, context);
}

export function emitExpr(expr: Expr, context: WgslContext): Fragment {
  switch (expr.kind) {
    case "const":
      return literal(expr.value, expr.type);
    case "reg":
      return slot(expr, 0, context);
    case "special":
      return atom(context.specials.get(expr.name) ?? expr.name);
    case "dim":
      return emitDim(expr, context);
    case "param":
      return emitParam(expr, context);
    case "unary":
      return spelled(UNARY[expr.fn], expr)(emitOperand(expr.x, context));
    case "binary":
      return spelled(BINARY[expr.fn], expr)(emitExpr(expr.a, context), emitExpr(expr.b, context));
    case "fma":
      return call(
        "fma",
        emitExpr(expr.a, context),
        emitExpr(expr.b, context),
        emitExpr(expr.c, context),
      );
    case "compare":
      return emitCompare(expr, context);
    case "select":
      return call(
        "select",
        emitExpr(expr.b, context),
        emitExpr(expr.a, context),
        emitExpr(expr.cond, context),
      );
    case "cast":
      return castFragment(emitExpr(expr.x, context), expr.x.type, expr.type);
    case "bitcast":
      return bitcastFragment(emitExpr(expr.x, context), expr.x.type, expr.type);
    case "pack": {
      const high = infix("<<", emitExpr(expr.hi, context), atom("16u"));
      return infix("|", emitExpr(expr.lo, context), high);
    }
    default:
      return expr satisfies never;
  }
}
