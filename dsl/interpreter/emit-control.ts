/** [dsl/interpreter] Blocks and structured ops as JavaScript control flow; carried tiles live in one buffer that yields are copied to. */
import type { Block, ForOp, IfAnyOp, IfOp, WhileOp } from "../ir/nodes.ts";
import { isExplicitOp } from "../ir/print-explicit.ts";
import type { Value } from "../ir/types.ts";
import type { Emission } from "./emission.ts";
import { assignAll, declare, scalarText, type Variable } from "./emit-assign.ts";
import { emitAtomic } from "./emit-atomic.ts";
import { emitAxisOp } from "./emit-axis.ts";
import { emitDot } from "./emit-dot.ts";
import { emitExplicit, emitStartedDot } from "./emit-explicit.ts";
import { emitIfAny } from "./emit-if-any.ts";
import { emitMemory } from "./emit-memory.ts";
import { emitPure } from "./emit-pure.ts";

function emitFor(e: Emission, op: ForOp): void {
  const [iv, ...carried] = op.body.params;
  if (iv === undefined) return;
  const variables = carried.map((param, i) => declare(e, op, param, op.inits[i]));
  const name = e.variable(iv);
  e.define(iv, { kind: "scalar", name });
  const [lo, hi, step] = [op.lo, op.hi, op.step].map((bound) => scalarText(e.expression(bound)));
  if (!/^[1-9]\d*$/.test(step ?? "")) e.main.line(`checkStep(${step}, ${e.site(op)});`);
  e.main.open(`for (let ${name} = ${lo}; ${name} < ${hi}; ${name} += ${step}) {`);
  emitBlock(e, op.body);
  assignAll(e, op, variables, op.body.yields);
  e.main.close();
  bindResults(e, op.results, variables);
}

/** Results are the carried variables after the loop. */
function bindResults(e: Emission, results: readonly Value[], variables: readonly Variable[]): void {
  results.forEach((result, i) => {
    const variable = variables[i];
    if (variable !== undefined) e.define(result, variable.expression);
  });
}

function emitWhile(e: Emission, op: WhileOp): void {
  const variables = op.cond.params.map((param, i) => declare(e, op, param, op.inits[i]));
  op.body.params.forEach((param, i) => {
    const variable = variables[i];
    if (variable !== undefined) e.define(param, variable.expression);
  });
  const trips = `trips$${e.site(op)}`;
  e.main.open(`for (let ${trips} = 0; ; ${trips}++) {`);
  emitBlock(e, op.cond);
  const cond = op.cond.yields[0];
  if (cond !== undefined) e.main.line(`if (${scalarText(e.expression(cond))} === 0) break;`);
  e.main.line(`if (${trips} === ${op.maxTrips}) { failTrips(${e.site(op)}); break; }`);
  emitBlock(e, op.body);
  assignAll(e, op, variables, op.body.yields);
  e.main.close();
  bindResults(e, op.results, variables);
}

function emitIf(e: Emission, op: IfOp): void {
  const variables = op.results.map((result) => declare(e, op, result));
  e.main.open(`if (${scalarText(e.expression(op.cond))} !== 0) {`);
  emitBlock(e, op.then);
  assignAll(e, op, variables, op.then.yields);
  if (op.else.ops.length > 0 || op.else.yields.length > 0) {
    e.main.between("else {");
    emitBlock(e, op.else);
    assignAll(e, op, variables, op.else.yields);
  }
  e.main.close();
}

function emitStructured(e: Emission, op: ForOp | WhileOp | IfOp | IfAnyOp): void {
  switch (op.kind) {
    case "for":
      emitFor(e, op);
      return;
    case "while":
      emitWhile(e, op);
      return;
    case "if":
      emitIf(e, op);
      return;
    case "if_any":
      emitIfAny(e, op, emitBlock);
      return;
    default:
      op satisfies never;
  }
}

/** Emits the ops of a block into the main function; yields are the owner's affair. */
export function emitBlock(e: Emission, block: Block): void {
  e.enterBlock(block);
  for (const op of block.ops) {
    if (op.kind === "for" || op.kind === "while" || op.kind === "if" || op.kind === "if_any") {
      emitStructured(e, op);
    } else if (isExplicitOp(op)) emitExplicit(e, op, emitBlock);
    else if (op.kind === "dot") {
      emitDot(e, op);
      if (op.async === true) emitStartedDot(e, op);
    } else if (!emitPure(e, op) && !emitAxisOp(e, op) && !emitMemory(e, op) && !emitAtomic(e, op)) {
      throw new Error(`the interpreter knows no op ${op.kind}`);
    }
    e.observe(op);
  }
}
