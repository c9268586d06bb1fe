/** [dsl/frontend] Statements: declarations, assignments, control flow, and calls of functions, which are inlined. */
import {
  type AbstractValue,
  describe,
  ERROR,
  type FunctionValue,
  type Place,
  UNDEFINED,
} from "./abstract-value.ts";
import { isData } from "./coerce.ts";
import { assignedNames, boundNames, containsReturn } from "./free-names.ts";
import type { HirAssign, HirFor, HirIf, HirLet, HirPattern, HirSpan, HirStatement } from "./hir.ts";
import { lowerIf, mergeBranches, scalarTest } from "./lower-branch.ts";
import { binaryOperator } from "./lower-expression.ts";
import { lowerFor, lowerWhile } from "./lower-loop.ts";
import { END, type Flow, type Lowering } from "./lowering.ts";
import { Scope } from "./scope.ts";

const MAX_CALL_DEPTH = 64;
/** Copies of a body that a loop over an array may make. */
const MAX_UNROLL = 4096;

/** The statements that are left: from `index` of `body`, then `next`. */
interface Cursor {
  readonly body: readonly HirStatement[];
  readonly index: number;
  readonly scope: Scope;
  readonly next: Cursor | undefined;
}

export function lowerStatements(lw: Lowering, scope: Scope, body: readonly HirStatement[]): Flow {
  return run(lw, { body, index: 0, scope: new Scope(scope), next: undefined });
}

/** Lowers until the end or a return. After an `if` that returns, the rest goes into its branches. */
function run(lw: Lowering, start: Cursor): Flow {
  let at: Cursor | undefined = start;
  while (at !== undefined) {
    const statement: HirStatement | undefined = at.body[at.index];
    if (statement === undefined) {
      at = at.next;
      continue;
    }
    const here: Cursor = at;
    const rest: Cursor = { ...here, index: here.index + 1 };
    const outcome: Outcome = lw.problems.attempt(
      () => step(lw, statement, here.scope, rest),
      () => recover(lw, statement, here.scope, rest),
    );
    if (outcome.kind === "flow") return outcome.flow;
    at = outcome.next;
  }
  return END;
}

type Outcome =
  | { readonly kind: "next"; readonly next: Cursor | undefined }
  | { readonly kind: "flow"; readonly flow: Flow };

function step(lw: Lowering, statement: HirStatement, scope: Scope, rest: Cursor): Outcome {
  const next: Outcome = { kind: "next", next: rest };
  switch (statement.kind) {
    case "let":
      lowerLet(lw, scope, statement);
      return next;
    case "assign":
      lowerAssign(lw, scope, statement);
      return next;
    case "expression":
      lw.good(lw.steps.expression(lw, scope, statement.value));
      return next;
    case "return": {
      const value =
        statement.value === undefined
          ? UNDEFINED
          : lw.steps.expression(lw, scope, statement.value, lw.frame.hint);
      return { kind: "flow", flow: { kind: "return", value, span: statement.span } };
    }
    case "block":
      return {
        kind: "next",
        next: { body: statement.body, index: 0, scope: new Scope(scope), next: rest },
      };
    case "if":
      return lowerIfStatement(lw, scope, statement, rest);
    case "for":
      return lowerForStatement(lw, scope, statement, rest);
    case "while":
      refuseReturn(lw, statement.body);
      lowerWhile(lw, scope, statement);
      return next;
    case "invalid":
      return lw.unwind();
    default:
      return statement satisfies never;
  }
}

/** After an error: what the statement declares or assigns is unknown, and no further errors come from it. */
function recover(lw: Lowering, statement: HirStatement, scope: Scope, rest: Cursor): Outcome {
  if (statement.kind === "let")
    for (const name of boundNames(statement.target))
      declare(lw, scope, name, ERROR, statement.mutable);
  for (const name of assignedNames([statement])) {
    const found = scope.find(name);
    if (found?.cell.mutable === true) lw.store.set(found.cell, ERROR);
  }
  if (statement.kind === "return")
    return { kind: "flow", flow: { kind: "return", value: ERROR, span: statement.span } };
  return { kind: "next", next: rest };
}

function declare(
  lw: Lowering,
  scope: Scope,
  name: string,
  value: AbstractValue,
  mutable: boolean,
): void {
  const cell = { name, mutable, value: mutable ? undefined : value };
  scope.declare(cell);
  if (mutable) lw.store.set(cell, value);
}

function lowerLet(lw: Lowering, scope: Scope, statement: HirLet): void {
  const hint = statement.target.kind === "name" ? statement.target.name : undefined;
  const value =
    statement.value === undefined
      ? UNDEFINED
      : lw.good(lw.steps.expression(lw, scope, statement.value, hint));
  bindPattern(lw, scope, statement.target, value, statement.mutable);
}

export function bindPattern(
  lw: Lowering,
  scope: Scope,
  target: HirPattern,
  given: AbstractValue,
  mutable: boolean,
): void {
  const missing = given.kind === "const" && given.value === undefined;
  const value =
    missing && target.fallback !== undefined
      ? lw.steps.expression(lw, scope, target.fallback)
      : given;
  if (target.kind === "name") {
    declare(lw, scope, target.name, value, mutable);
    return;
  }
  take(lw, target, value, (part, name) => bindPattern(lw, scope, part, name, mutable));
}

/** Calls `each` with the parts of an array or object pattern and what they are given. */
function take(
  lw: Lowering,
  target: Exclude<HirPattern, { kind: "name" }>,
  given: AbstractValue,
  each: (part: HirPattern, value: AbstractValue) => void,
): void {
  const value = lw.good(given);
  const loc = lw.location(target.span);
  if (
    target.kind === "array" &&
    value.kind === "array" &&
    target.items.length <= value.items.length
  ) {
    target.items.forEach((part, i) => {
      if (part !== null) each(part, value.items[i] ?? UNDEFINED);
    });
    return;
  }
  if (target.kind === "object" && value.kind === "object") {
    for (const { name, target: part } of target.fields) {
      const field = value.fields[name];
      if (field === undefined && part.fallback === undefined) {
        lw.fail("TW1193", lw.location(part.span), {
          message: `there is no '${name}' to take`,
          seen: describe(value),
          expected: `one of ${Object.keys(value.fields).join(", ") || "no fields"}`,
          remedy:
            "check the spelling; the body's first argument holds params, dims and dtype variables, the second the config",
        });
      }
      each(part, field ?? UNDEFINED);
    }
    return;
  }
  lw.fail("TW1192", loc, {
    message:
      target.kind === "array"
        ? "there are not that many values to take"
        : "there are no fields to take",
    seen: `${describe(value)} for ${target.kind === "array" ? `${target.items.length} names` : `{ ${target.fields.map((f) => f.name).join(", ")} }`}`,
    expected:
      target.kind === "array"
        ? "an array with at least as many values"
        : "an object with those fields",
    remedy: "check what the right side gives",
  });
}

function lowerAssign(lw: Lowering, scope: Scope, statement: HirAssign): void {
  const { target, op } = statement;
  if (target.kind !== "name") {
    const value = lw.steps.expression(lw, scope, statement.value);
    assignPattern(lw, scope, target, value);
    return;
  }
  const cell = assignable(lw, scope, target);
  const value = lw.steps.expression(lw, scope, statement.value, target.name);
  const place: Place = { loc: lw.location(statement.span), hint: target.name };
  lw.store.set(
    cell,
    lw.good(op === undefined ? value : binaryOperator(lw, op, lw.read(cell), value, place)),
  );
}

function assignPattern(lw: Lowering, scope: Scope, target: HirPattern, value: AbstractValue): void {
  if (target.kind === "name") lw.store.set(assignable(lw, scope, target), lw.good(value));
  else take(lw, target, value, (part, given) => assignPattern(lw, scope, part, given));
}

function assignable(lw: Lowering, scope: Scope, target: Extract<HirPattern, { kind: "name" }>) {
  const found = scope.find(target.name);
  if (found?.cell.mutable === true && !found.crossed) return found.cell;
  const crossed = found?.crossed === true && found.cell.mutable;
  return lw.fail("TW1190", lw.location(target.span), {
    message: crossed
      ? `'${target.name}' belongs to the function around this one`
      : `'${target.name}' cannot be assigned`,
    seen: crossed
      ? "an assignment inside an inner function"
      : `an assignment to ${found === undefined ? "an unknown name" : "a constant, param, dim, config value or import"}`,
    expected: "a variable that this function declares with let",
    remedy: crossed
      ? `return the new value and assign it outside: ${target.name} = f(…)`
      : `copy it first: let copy = ${target.name}`,
  });
}

function lowerIfStatement(lw: Lowering, scope: Scope, statement: HirIf, rest: Cursor): Outcome {
  const loc = lw.location(statement.test.span);
  const given = lw.steps.expression(lw, scope, statement.test);
  const test = scalarTest(
    lw,
    given,
    loc,
    "choose elementwise with where(), or reduce the mask first: some(mask, axis)",
  );
  const branch = (body: readonly HirStatement[]): Cursor => ({
    body,
    index: 0,
    scope: new Scope(scope),
    next: rest,
  });
  if (typeof test === "boolean")
    return { kind: "next", next: branch(test ? statement.whenTrue : statement.whenFalse) };
  const whole = lw.location(statement.span);
  if (!containsReturn(statement.whenTrue) && !containsReturn(statement.whenFalse)) {
    lowerIf(lw, scope, test, statement, whole);
    return { kind: "next", next: rest };
  }
  let span: HirSpan | undefined;
  const path = (body: readonly HirStatement[]) =>
    lw.isolated(() =>
      lw.builder.block([], () => {
        const flow = run(lw, branch(body));
        if (flow.kind === "return") span ??= flow.span;
        return returned(flow);
      }),
    ).result;
  const then = path(statement.whenTrue);
  const otherwise = path(statement.whenFalse);
  const merged = {
    what: "the returned value",
    hint: lw.frame.hint ?? "",
    yes: then.result,
    no: otherwise.result,
  };
  const [value] = mergeBranches(lw, test, then.block, otherwise.block, [merged], whole);
  return {
    kind: "flow",
    flow: { kind: "return", value: value ?? ERROR, span: span ?? statement.span },
  };
}

function returned(flow: Flow): AbstractValue {
  return flow.kind === "return" ? flow.value : UNDEFINED;
}

function lowerForStatement(lw: Lowering, scope: Scope, statement: HirFor, rest: Cursor): Outcome {
  const iterable = lw.good(lw.steps.expression(lw, scope, statement.iterable));
  if (iterable.kind === "range") {
    refuseReturn(lw, statement.body);
    lowerFor(lw, scope, statement, iterable);
    return { kind: "next", next: rest };
  }
  if (iterable.kind !== "array" || iterable.items.length > MAX_UNROLL) {
    return lw.fail("TW1172", lw.location(statement.iterable.span), {
      message: "a loop cannot run over this",
      seen: describe(iterable),
      expected: `range(…), or an array of at most ${MAX_UNROLL} items, for which the body is repeated`,
      remedy: isData(iterable)
        ? "write for (const i of range(n))"
        : "loop over range(n) or an array",
    });
  }
  let next = rest;
  for (const item of [...iterable.items].reverse()) {
    const inner = new Scope(scope);
    bindPattern(lw, inner, statement.target, item, false);
    next = { body: statement.body, index: 0, scope: new Scope(inner), next };
  }
  return { kind: "next", next };
}

function refuseReturn(lw: Lowering, body: readonly HirStatement[]): void {
  const found = findReturn(body);
  if (found === undefined) return;
  lw.fail("TW1191", lw.location(found.span), {
    message: "a loop cannot be left with return",
    seen: "return inside a loop",
    expected: "a loop that runs to its end",
    remedy: "write while (bounded(condition, trips)), or compute what to skip before the loop",
  });
}

function findReturn(body: readonly HirStatement[]): HirStatement | undefined {
  for (const statement of body) {
    if (statement.kind === "return") return statement;
    const inner =
      statement.kind === "if"
        ? [...statement.whenTrue, ...statement.whenFalse]
        : "body" in statement
          ? statement.body
          : [];
    const found = findReturn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Calls a function of the source: its body is lowered in place. */
export function callFunction(
  lw: Lowering,
  callee: FunctionValue,
  args: readonly AbstractValue[],
  place: Place,
): AbstractValue {
  const { fn } = callee;
  if (lw.frame.active.includes(fn) || lw.frame.active.length > MAX_CALL_DEPTH) {
    lw.fail("TW1107", place.loc, {
      message: `${fn.name}() calls itself`,
      seen: [...lw.frame.active, fn].map((f) => f.name).join(" → "),
      expected: "functions that can be inlined to their end",
      remedy: "write a loop",
    });
  }
  const required = fn.params.filter((param) => param.fallback === undefined).length;
  if (args.length > fn.params.length || args.length < required) {
    lw.fail("TW1108", place.loc, {
      message: `${fn.name}() takes ${required === fn.params.length ? required : `${required} to ${fn.params.length}`} arguments`,
      seen: `${args.length}`,
      expected: `(${fn.params.map((param) => boundNames(param).join(", ")).join(", ")})`,
      remedy: "pass what the function takes",
    });
  }
  const chain = [{ callee: fn.name, span: place.loc.span }, ...lw.frame.chain];
  const frame = {
    file: fn.file,
    chain,
    active: [...lw.frame.active, fn],
    ...(place.hint === undefined ? {} : { hint: place.hint }),
  };
  return lw.within(frame, () => {
    const scope = new Scope(callee.scope, { isFunction: true });
    for (const [i, param] of fn.params.entries()) {
      bindPattern(lw, scope, param, args[i] ?? UNDEFINED, true);
    }
    return returned(lowerStatements(lw, scope, fn.body));
  });
}
