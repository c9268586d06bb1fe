/**
 * [dsl/interpreter] `if_any`: the body runs for all rows when one row asks for it. With checks it runs once more with the other
 * rows poisoned, which shows whether rows are independent, and the rows left out are compared with their else values.
 */
import { isFloat } from "../core/dtype.ts";
import type { Block, IfAnyOp } from "../ir/nodes.ts";
import { findAxis, type Value } from "../ir/types.ts";
import { freeValues } from "../ir/visit.ts";
import type { Emission } from "./emission.ts";
import { assignAll, declare } from "./emit-assign.ts";
import { type Expression, type Leaf, leavesOf, renderExpression, scalarsOf } from "./expression.ts";
import { Nest } from "./nest.ts";

/** Rows of `axis` where any element of the condition is true, as a buffer of bools. */
function emitRows(e: Emission, op: IfAnyOp): Leaf {
  const cond = e.expression(op.cond);
  const axis = findAxis(op.cond.type, op.axis);
  const rows = e.scratch("bool", axis === undefined ? [] : [axis]);
  e.call(op, scalarsOf(cond), (w) => {
    w.line(`${rows.buffer}.fill(0);`);
    const leaves = [...leavesOf(cond), rows];
    const nest = new Nest(w, leaves);
    nest.enterAll(op.cond.type.axes.map(({ name, size }) => ({ axis: name, size })));
    const leaf = renderExpression(cond, nest.index);
    w.line(`${rows.buffer}[${nest.index(rows)}] |= ${leaf};`);
    nest.closeAll();
  });
  return rows;
}

/** Tiles with the axis that the body reads and that live in memory, each buffer once. */
function capturedTiles(
  e: Emission,
  op: IfAnyOp,
): readonly { readonly value: Value; readonly leaf: Leaf }[] {
  const found = new Map<string, { readonly value: Value; readonly leaf: Leaf }>();
  for (const value of freeValues(op.body)) {
    const expression = e.expression(value);
    if (expression.kind !== "leaf" || expression.leaf.buffer === undefined) continue;
    const steps = expression.leaf.strides.get(op.axis) ?? 0;
    if (findAxis(value.type, op.axis) === undefined || steps === 0) continue;
    found.set(expression.leaf.buffer, { value, leaf: expression.leaf });
  }
  return [...found.values()];
}

/** Overwrites the rows that did not ask with NaN, or a great number. */
function poisonRows(e: Emission, op: IfAnyOp, rows: Leaf, value: Value, leaf: Leaf): void {
  const poison = isFloat(value.type.dtype)
    ? "NaN"
    : value.type.dtype === "bool"
      ? "1"
      : "0x55555555";
  e.call(op, [], (w) => {
    const nest = new Nest(w, [leaf, rows]);
    nest.enterAll(value.type.axes.map(({ name, size }) => ({ axis: name, size })));
    w.line(
      `if (${rows.buffer}[${nest.index(rows)}] === 0) ${leaf.buffer}[${nest.index(leaf)}] = ${poison};`,
    );
    nest.closeAll();
  });
}

/** Reports elements of `a` and `b` that differ, in rows that asked (`asked` 1) or did not (0). */
function compareRows(
  e: Emission,
  op: IfAnyOp,
  rows: Leaf,
  value: Value,
  a: Expression,
  b: Expression,
  asked: 0 | 1,
): void {
  e.call(op, [...scalarsOf(a), ...scalarsOf(b)], (w) => {
    const nest = new Nest(w, [...leavesOf(a), ...leavesOf(b), rows]);
    nest.enterAll(value.type.axes.map(({ name, size }) => ({ axis: name, size })));
    w.line(`if (${rows.buffer}[${nest.index(rows)}] !== ${asked}) continue;`);
    w.line(`const a = ${renderExpression(a, nest.index)}, b = ${renderExpression(b, nest.index)};`);
    const row = nest.index(rows);
    const kind = asked === 1 ? `"mixed"` : `"active"`;
    w.line(`if (a !== b && (a === a || b === b)) failIfAny(${e.site(op)}, ${row}, ${kind}, a, b);`);
    nest.closeAll();
  });
}

type EmitBlock = (e: Emission, block: Block) => void;

function emitChecked(e: Emission, op: IfAnyOp, rows: Leaf, emitBlock: EmitBlock): void {
  const coarse = op.results.map((result) => e.expression(result));
  const tiles = capturedTiles(e, op);
  op.results.forEach((result, i) => {
    const other = op.elseValues[i];
    const mine = coarse[i];
    if (other !== undefined && mine !== undefined) {
      compareRows(e, op, rows, result, mine, e.expression(other), 0);
    }
  });
  const saved = tiles.map(({ value, leaf }) => {
    const whole = e.buffers.find((buffer) => buffer.name === leaf.buffer);
    const axes = [{ name: "element", size: whole?.elements ?? 0 }];
    const copy = e.scratch(value.type.dtype, axes);
    e.main.line(`${copy.buffer}.set(${leaf.buffer});`);
    poisonRows(e, op, rows, value, leaf);
    return { copy, leaf };
  });
  e.main.line("mute(true);");
  e.main.open("{");
  emitBlock(e, op.body);
  e.main.line("mute(false);");
  op.body.yields.forEach((value, i) => {
    const mine = coarse[i];
    if (mine !== undefined) compareRows(e, op, rows, value, mine, e.expression(value), 1);
  });
  e.main.close();
  for (const { copy, leaf } of saved) e.main.line(`${leaf.buffer}.set(${copy.buffer});`);
}

/** Emits an `if_any`; `emitBlock` emits its body. */
export function emitIfAny(e: Emission, op: IfAnyOp, emitBlock: EmitBlock): void {
  const rows = emitRows(e, op);
  const variables = op.results.map((result) => declare(e, op, result));
  e.main.open(`if (${rows.buffer}.includes(1)) {`);
  e.main.open("{");
  emitBlock(e, op.body);
  assignAll(e, op, variables, op.body.yields);
  e.main.close();
  if (e.options.checks) emitChecked(e, op, rows, emitBlock);
  e.main.between("else {");
  assignAll(e, op, variables, op.elseValues);
  e.main.close();
}
