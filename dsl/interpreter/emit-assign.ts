/** [dsl/interpreter] Variables that several places assign: carried values and results of structured ops. One buffer or `let` each. */
import type { Op } from "../ir/nodes.ts";
import { isScalar, type Value } from "../ir/types.ts";
import { literalText } from "./element-text.ts";
import type { Emission } from "./emission.ts";
import { type Expression, type Leaf, leavesOf, renderExpression, scalarsOf } from "./expression.ts";
import { isRowMajor } from "./nest.ts";

/** Where a value that several places assign lives: a `let` or a buffer. */
export interface Variable {
  readonly value: Value;
  readonly expression: Expression;
}

/** Declares a variable for a carried value or a result, with a first value where there is one. */
export function declare(e: Emission, op: Op, value: Value, initial?: Value): Variable {
  const from = initial === undefined ? undefined : e.expression(initial);
  if (isScalar(value.type)) {
    const name = e.variable(value);
    const text = from === undefined ? literalText(value.type.dtype, 0) : scalarText(from);
    e.main.line(`let ${name} = ${text};`);
    const expression: Expression = { kind: "scalar", name };
    e.define(value, expression);
    return { value, expression };
  }
  const leaf = e.allocate(value);
  const expression: Expression = { kind: "leaf", leaf };
  if (from !== undefined) copyTile(e, op, leaf, value, from);
  e.define(value, expression);
  return { value, expression };
}

export function scalarText(expression: Expression): string {
  return renderExpression(expression, () => "0");
}

function copyTile(e: Emission, op: Op, to: Leaf, value: Value, from: Expression): void {
  if (from.kind === "leaf" && from.leaf.buffer !== undefined) {
    if (from.leaf.buffer === to.buffer && isRowMajor(from.leaf, value.type.axes)) return;
    const whole = e.buffers.find((buffer) => buffer.name === from.leaf.buffer);
    const target = e.buffers.find((buffer) => buffer.name === to.buffer);
    if (isRowMajor(from.leaf, value.type.axes) && whole?.elements === target?.elements) {
      e.main.line(`${to.buffer}.set(${from.leaf.buffer});`);
      return;
    }
  }
  if (from.kind === "literal" || from.kind === "scalar") {
    e.main.line(`${to.buffer}.fill(${scalarText(from)});`);
    return;
  }
  e.call(op, scalarsOf(from), (w) => e.writeTile(w, to, value.type.axes, from));
}

/**
 * Assigns values to variables as if all at once: what would be overwritten before it is read goes through a copy.
 */
export function assignAll(
  e: Emission,
  op: Op,
  variables: readonly Variable[],
  values: readonly Value[],
): void {
  const targets = new Set(
    variables.flatMap(({ expression }) =>
      expression.kind === "leaf" ? [expression.leaf.buffer] : [],
    ),
  );
  const scalarNames = new Set(variables.flatMap(({ expression }) => scalarsOf(expression)));
  const moves = variables.flatMap((variable, i) => {
    const value = values[i];
    return value === undefined ? [] : [{ variable, value, from: e.expression(value) }];
  });
  const pending = moves.map(({ variable, value, from }, i) => {
    const own = variable.expression.kind === "leaf" ? variable.expression.leaf.buffer : undefined;
    const hazard =
      leavesOf(from).some((leaf) => leaf.buffer !== own && targets.has(leaf.buffer)) ||
      (own !== undefined && needsCopy(from, own, value)) ||
      scalarsOf(from).some((name) => scalarNames.has(name) && moves.length > 1);
    if (!hazard) return { variable, value, from };
    if (isScalar(value.type)) {
      const name = `next$${e.site(op)}x${i}`;
      e.main.line(`const ${name} = ${scalarText(from)};`);
      return { variable, value, from: { kind: "scalar", name } as const };
    }
    const copy = e.scratch(value.type.dtype, value.type.axes);
    copyTile(e, op, copy, value, from);
    return { variable, value, from: { kind: "leaf", leaf: copy } as const };
  });
  for (const { variable, value, from } of pending) {
    const { expression } = variable;
    if (expression.kind === "scalar") {
      if (scalarText(from) !== expression.name) {
        e.main.line(`${expression.name} = ${scalarText(from)};`);
      }
    } else if (expression.kind === "leaf") copyTile(e, op, expression.leaf, value, from);
  }
}

/** A reordered view of the very buffer that is written cannot be copied element by element in place. */
function needsCopy(from: Expression, own: string, value: Value): boolean {
  return leavesOf(from).some((leaf) => leaf.buffer === own && !isRowMajor(leaf, value.type.axes));
}
