/** [dsl/interpreter] Atomics: updates of elements, and programs that arrive at a counter. */
import { isFloat } from "../core/dtype.ts";
import type { AtomicOp, Op } from "../ir/nodes.ts";
import { isScalar } from "../ir/types.ts";
import type { CodeWriter } from "./code-writer.ts";
import { decodeText, encodeText, roundText, wrapText } from "./element-text.ts";
import type { Emission } from "./emission.ts";
import { placeOf, scalarText, shadowCheck, writeBounds, writeLoops } from "./emit-memory.ts";
import { leavesOf, renderExpression, scalarsOf } from "./expression.ts";

/** New element of an atomic from `old` and `x`. */
function updateText(op: AtomicOp): string {
  const { dtype } = op.value.type;
  if (op.fn === "add")
    return isFloat(dtype) ? roundText(dtype, "old + x") : wrapText(dtype, "(old + x)");
  if (isFloat(dtype)) return op.fn === "max" ? "floatMax(old, x)" : "floatMin(old, x)";
  return op.fn === "max" ? "Math.max(old, x)" : "Math.min(old, x)";
}

/** Counts the program; programs run one after the other, so that the last one finds all that the others stored. */
function emitArrival(e: Emission, op: AtomicOp): void {
  const place = placeOf(e, op);
  const value = e.expression(op.value);
  const body = (w: CodeWriter): void => {
    const failed = `failArrival(${e.site(op)}, ${place.names.shadow}, [${place.starts.join(", ")}]);`;
    const { spans } = writeBounds(w, place, `{ ${failed} return 0; }`);
    writeLoops(e, w, place, spans, [], "return 0;", (at) => {
      w.line(`const at = ${at};`);
      w.line(`const expected = ${scalarText(value)};`);
      w.line(`const old = ${decodeText(place.dtype, place.names.data, "at")};`);
      if (e.options.checks) {
        w.line(shadowCheck(e, place, "update", "at"));
        w.line(`arrive(${place.names.shadow}, at, ${e.site(op)}, old, expected);`);
      }
      w.line(`const isLast = old + 1 >= expected;`);
      w.line(encodeText(place.dtype, place.names.data, "at", "isLast ? 0 : old + 1"));
      w.line("return isLast ? 1 : 0;");
    });
  };
  e.call(op, [...place.scalars, ...scalarsOf(value)], body, op.result);
}

function emitUpdate(e: Emission, op: AtomicOp): void {
  const place = placeOf(e, op);
  const value = e.expression(op.value);
  const scalar = isScalar(op.result.type);
  const used = e.useCount(op.result) > 0 || e.options.observed;
  const out = scalar || !used ? undefined : e.allocate(op.result);
  const body = (w: CodeWriter): void => {
    const leave = scalar ? "return 0;" : "return;";
    if (out !== undefined) w.line(`${out.buffer}.fill(0);`);
    const { spans } = writeBounds(w, place, leave);
    const leaves = out === undefined ? leavesOf(value) : [...leavesOf(value), out];
    writeLoops(e, w, place, spans, leaves, leave, (at, nest) => {
      w.line(`const at = ${at};`);
      w.line(`const x = ${renderExpression(value, nest.index)};`);
      w.line(`const old = ${decodeText(place.dtype, place.names.data, "at")};`);
      if (e.options.checks) w.line(shadowCheck(e, place, "update", "at"));
      w.line(encodeText(place.dtype, place.names.data, "at", updateText(op)));
      if (out !== undefined) w.line(`${out.buffer}[${nest.index(out)}] = old;`);
      if (scalar) w.line("return old;");
    });
  };
  const scalars = [...place.scalars, ...scalarsOf(value)];
  e.call(op, scalars, body, scalar ? op.result : undefined);
  if (out !== undefined) e.define(op.result, { kind: "leaf", leaf: out });
}

/** Emits an atomic; false for other ops. */
export function emitAtomic(e: Emission, op: Op): boolean {
  if (op.kind !== "atomic") return false;
  if (op.fn === "arrive") emitArrival(e, op);
  else emitUpdate(e, op);
  return true;
}
