/** [codegen/passes/threads] A text that is equal for equal expressions, types included. */
import type { Expr } from "../../ir/thread.ts";

export function exprKey(e: Expr): string {
  switch (e.kind) {
    case "const":
      return `${Object.is(e.value, -0) ? "-0" : e.value}:${e.type}`;
    case "reg":
      return e.index === undefined ? e.name : `${e.name}[${exprKey(e.index)}]`;
    case "special":
      return `@${e.name}`;
    case "dim":
      return `#${e.name}`;
    case "param":
      return `$${e.name}`;
    case "unary":
      return `${e.fn}(${exprKey(e.x)})`;
    case "binary":
    case "compare":
      return `${e.fn}(${exprKey(e.a)},${exprKey(e.b)})`;
    case "fma":
      return `fma(${exprKey(e.a)},${exprKey(e.b)},${exprKey(e.c)})`;
    case "select":
      return `select(${exprKey(e.cond)},${exprKey(e.a)},${exprKey(e.b)})`;
    case "cast":
      return `${e.type}(${exprKey(e.x)})`;
    case "bitcast":
      return `bits_${e.type}(${exprKey(e.x)})`;
    case "pack":
      return `pack(${exprKey(e.lo)},${exprKey(e.hi)})`;
    default:
      return e satisfies never;
  }
}
