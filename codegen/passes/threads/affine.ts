/** [codegen/passes/threads] Index expressions as constant multiples of loop counters plus a constant. */
import type { Expr } from "../../ir/thread.ts";
import { type Lin, linAdd, linConst, linCounter, linScale } from "./place.ts";

/** The linear form of an i32 expression over plain registers, or undefined where it is not linear. */
export function affineOf(e: Expr): Lin | undefined {
  if (e.kind === "const") return linConst(e.value);
  if (e.kind === "reg") return e.index === undefined ? linCounter(e.name) : undefined;
  if (e.kind !== "binary") return undefined;
  const a = affineOf(e.a);
  const b = affineOf(e.b);
  if (a === undefined || b === undefined) return undefined;
  switch (e.fn) {
    case "add":
      return linAdd(a, b);
    case "sub":
      return linAdd(a, linScale(b, -1));
    case "mul":
      if (b.terms.size === 0) return linScale(a, b.base);
      return a.terms.size === 0 ? linScale(b, a.base) : undefined;
    default:
      return undefined;
  }
}
