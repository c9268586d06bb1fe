/** [dsl/frontend] Branches: if, conditional and short-circuit expressions, ifAny. Decides between select and a branch op. */
import type { Location } from "../core/location.ts";
import type { OpenBlock } from "../ir/build.ts";
import type { Block, Op } from "../ir/nodes.ts";
import { findAxis, formatType, isScalar, type Value } from "../ir/types.ts";
import { walkOps } from "../ir/visit.ts";
import {
  type AbstractValue,
  constant,
  type FunctionValue,
  knownValue,
  type Place,
  runtime,
} from "./abstract-value.ts";
import { logical, select } from "./arith.ts";
import { axesOf, commonDType, conform, joinAxes, materializeBool } from "./coerce.ts";
import type { HirConditional, HirExpr, HirIf, HirLogical, HirStatement } from "./hir.ts";
import { join } from "./join.ts";
import type { Lowering } from "./lowering.ts";
import type { Cell, Scope } from "./scope.ts";

/** What to do with the values of one path: how messages call them, and how the merged values are named. */
interface Merged {
  readonly what: string;
  readonly hint: string;
  readonly yes: AbstractValue;
  readonly no: AbstractValue;
}

/** A scalar condition as SSA, or its constant. @throws TW1171 for a tile */
export function scalarTest(
  lw: Lowering,
  cond: AbstractValue,
  loc: Location,
  remedy: string,
): boolean | Value {
  const good = lw.good(cond);
  const known = knownValue(good);
  if (typeof known === "boolean") return known;
  const value = materializeBool(lw, good, "the condition", loc);
  if (isScalar(value.type)) return value;
  return lw.fail("TW1171", loc, {
    message: "a tile cannot decide a branch: it holds many conditions",
    seen: `a tile ${formatType(value.type)}`,
    expected: "a scalar boolean, the same for the whole program",
    remedy,
  });
}

/** The branch op whose results are what both paths give for each of `merged`. */
export function mergeBranches(
  lw: Lowering,
  cond: Value,
  thenBlock: OpenBlock,
  elseBlock: OpenBlock,
  merged: readonly Merged[],
  loc: Location,
): readonly AbstractValue[] {
  const results: Value[] = [];
  const thenYields: Value[] = [];
  const elseYields: Value[] = [];
  const values = merged.map((m) =>
    join(lw, m.what, m.yes, m.no, loc, (a, b) => {
      const dtype = commonDType(lw, `${m.what} on the two paths`, a, b, loc);
      const axes = joinAxes(lw, `${m.what} on the two paths`, axesOf(a), axesOf(b), loc);
      thenYields.push(lw.builder.reopen(thenBlock, () => conform(lw, a, dtype, axes, { loc })));
      elseYields.push(lw.builder.reopen(elseBlock, () => conform(lw, b, dtype, axes, { loc })));
      const result = lw.builder.value({ dtype, axes }, m.hint);
      results.push(result);
      return runtime(result);
    }),
  );
  const thenPart = lw.builder.close(thenBlock, thenYields);
  const elsePart = lw.builder.close(elseBlock, elseYields);
  // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
  lw.builder.region({ kind: "if", results, cond, then: thenPart, else: elsePart, loc });
  return values;
}

/** `if` with a runtime condition, where neither branch returns. */
export function lowerIf(
  lw: Lowering,
  scope: Scope,
  cond: Value,
  branches: Pick<HirIf, "whenTrue" | "whenFalse">,
  loc: Location,
): void {
  const path = (body: readonly HirStatement[]) =>
    lw.isolated(() => lw.builder.block([], () => lw.steps.statements(lw, scope, body)).block);
  const then = path(branches.whenTrue);
  const otherwise = path(branches.whenFalse);
  const changed: Cell[] = [];
  for (const [cell, before] of lw.store) {
    if (then.store.get(cell) !== before || otherwise.store.get(cell) !== before) changed.push(cell);
  }
  const read = (store: Map<Cell, AbstractValue>, cell: Cell): AbstractValue =>
    store.get(cell) ?? { kind: "error" };
  const merged = changed.map((cell) => ({
    what: `'${cell.name}'`,
    hint: cell.name,
    yes: read(then.store, cell),
    no: read(otherwise.store, cell),
  }));
  const values = mergeBranches(lw, cond, then.result, otherwise.result, merged, loc);
  for (const [i, cell] of changed.entries()) lw.store.set(cell, values[i] ?? { kind: "error" });
}

const CHEAP: readonly Op["kind"][] = [
  "const",
  "iota",
  "unary",
  "compare",
  "select",
  "cast",
  "bitcast",
  "broadcast",
  "rename",
];

/** True where running the ops needlessly neither faults nor costs much. */
function isCheap(block: OpenBlock): boolean {
  return block.ops.every((op) => {
    if (op.kind !== "binary") return CHEAP.includes(op.kind);
    if (op.fn !== "floordiv" && op.fn !== "mod") return true;
    const divisor = block.ops.find((other) => other.kind === "const" && other.result === op.b);
    return divisor?.kind === "const" && divisor.value !== 0;
  });
}

/** `test ? a : b`. */
export function lowerConditional(
  lw: Lowering,
  scope: Scope,
  e: HirConditional,
  hint?: string,
): AbstractValue {
  const loc = lw.location(e.test.span);
  const test = scalarTest(
    lw,
    lw.steps.expression(lw, scope, e.test),
    loc,
    "choose elementwise with where(cond, a, b)",
  );
  if (typeof test === "boolean")
    return lw.steps.expression(lw, scope, test ? e.whenTrue : e.whenFalse, hint);
  const path = (x: HirExpr) => lw.builder.block([], () => lw.steps.expression(lw, scope, x));
  const [then, otherwise] = [path(e.whenTrue), path(e.whenFalse)];
  const place: Place = { loc: lw.location(e.span), ...(hint === undefined ? {} : { hint }) };
  if (isCheap(then.block) && isCheap(otherwise.block)) {
    lw.builder.splice(then.block);
    lw.builder.splice(otherwise.block);
    const leaf = (a: AbstractValue, b: AbstractValue): AbstractValue =>
      select(lw, runtime(test), a, b, place);
    return join(lw, "the choice", then.result, otherwise.result, place.loc, leaf);
  }
  const merged = {
    what: "the choice",
    hint: hint ?? "",
    yes: then.result,
    no: otherwise.result,
  };
  return (
    mergeBranches(lw, test, then.block, otherwise.block, [merged], place.loc)[0] ?? {
      kind: "error",
    }
  );
}

/** `a && b` and `a || b`: b is not run needlessly where it could fault. */
export function lowerLogical(
  lw: Lowering,
  scope: Scope,
  e: HirLogical,
  hint?: string,
): AbstractValue {
  const place: Place = { loc: lw.location(e.span), ...(hint === undefined ? {} : { hint }) };
  const fn = e.op === "&&" ? "and" : "or";
  const a = lw.good(lw.steps.expression(lw, scope, e.a));
  const known = knownValue(a);
  if (typeof known === "boolean") {
    return known === (fn === "or")
      ? constant(known)
      : requireBool(lw, lw.steps.expression(lw, scope, e.b, hint), e);
  }
  const left = materializeBool(lw, a, `the left operand of ${e.op}`, lw.location(e.a.span));
  const right = lw.builder.block([], () => requireBool(lw, lw.steps.expression(lw, scope, e.b), e));
  if (!isScalar(left.type) || isCheap(right.block)) {
    lw.builder.splice(right.block);
    return logical(lw, fn, runtime(left), right.result, place);
  }
  const decided = lw.builder.block([], () => constant(fn === "or"));
  const [then, otherwise] = fn === "and" ? [right, decided] : [decided, right];
  const merged = {
    what: `the result of ${e.op}`,
    hint: hint ?? "",
    yes: then.result,
    no: otherwise.result,
  };
  return (
    mergeBranches(lw, left, then.block, otherwise.block, [merged], place.loc)[0] ?? {
      kind: "error",
    }
  );
}

function requireBool(lw: Lowering, b: AbstractValue, e: HirLogical): AbstractValue {
  const good = lw.good(b);
  if (typeof knownValue(good) === "boolean") return good;
  return runtime(materializeBool(lw, good, `the right operand of ${e.op}`, lw.location(e.b.span)));
}

export interface IfAnyArguments {
  readonly cond: Value;
  readonly axis: string;
  readonly body: FunctionValue;
  readonly otherwise: AbstractValue;
}

/** For which rows the body runs is open, so what it wrote would be so as well. @throws TW1177 */
function refuseWrites(lw: Lowering, body: Block): void {
  walkOps(body, (op) => {
    if (op.kind !== "store" && op.kind !== "atomic") return;
    lw.fail("TW1177", op.loc, {
      message: `the body of ifAny() cannot write to ${op.tensor}`,
      seen: op.kind === "store" ? "a store" : `an atomic ${op.fn}`,
      expected: "a body that only computes: it may run for more rows than asked for",
      remedy:
        "return the value and store it behind ifAny(), with a mask where only some rows count",
    });
  });
}

export function ifAny(lw: Lowering, args: IfAnyArguments, place: Place): AbstractValue {
  const { cond, axis, body, otherwise } = args;
  const { loc } = place;
  const { block, result } = lw.builder.block([], () => lw.steps.call(lw, body, [], place));
  refuseWrites(lw, lw.builder.close(block, []));
  const results: Value[] = [];
  const yields: Value[] = [];
  const elseValues: Value[] = [];
  const value = join(lw, "the result of ifAny()", result, otherwise, loc, (a, b) => {
    const dtype = commonDType(lw, "the results of ifAny()", a, b, loc);
    const axes = joinAxes(lw, "the results of ifAny()", axesOf(b), axesOf(a), loc);
    const made = lw.builder.value({ dtype, axes }, place.hint ?? "");
    if (findAxis(made.type, axis) === undefined) {
      lw.fail("TW1176", loc, {
        message: `a result of ifAny() has no axis '${axis}', so its rows cannot be told apart`,
        seen: formatType(made.type),
        expected: `tiles over ${axis}`,
        remedy: `give each result the axis, for example with broadcast(x, ${axis})`,
      });
    }
    yields.push(lw.builder.reopen(block, () => conform(lw, a, dtype, axes, { loc })));
    elseValues.push(conform(lw, b, dtype, axes, { loc }));
    results.push(made);
    return runtime(made);
  });
  lw.builder.region({
    kind: "if_any",
    results,
    cond,
    axis,
    body: lw.builder.close(block, yields),
    elseValues,
    loc,
  });
  return value;
}
