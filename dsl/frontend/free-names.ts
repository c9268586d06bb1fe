/** [dsl/frontend] The free names of a piece of HIR, and the outer variables that a loop body assigns. Pure walks. */
import type { HirExpr, HirFunction, HirPattern, HirSpan, HirStatement } from "./hir.ts";

/** Names that `e` uses and does not declare, each with its first use. */
export function freeNames(e: HirExpr): ReadonlyMap<string, HirSpan> {
  const found = new Map<string, HirSpan>();
  const walk: Walk = {
    use: (name, span, scope) => {
      if (!isDeclared(scope, name) && !found.has(name)) found.set(name, span);
    },
    assign: () => {},
  };
  inExpression(walk, e, undefined);
  return found;
}

/** What is declared where a free name is first used, the innermost first. */
export function namesBeside(e: HirExpr, name: string): readonly string[] {
  const found: string[] = [];
  let isFirst = true;
  const walk: Walk = {
    use: (used, _span, scope) => {
      if (used !== name || !isFirst || isDeclared(scope, name)) return;
      isFirst = false;
      for (let s = scope; s !== undefined; s = s.outer) found.push(...s.names);
    },
    assign: () => {},
  };
  inExpression(walk, e, undefined);
  return found;
}

/** Names that `body` assigns without declaring them. */
export function assignedNames(body: readonly HirStatement[]): readonly string[] {
  const found = new Set<string>();
  const walk: Walk = {
    use: () => {},
    assign: (name, scope) => {
      if (!isDeclared(scope, name)) found.add(name);
    },
  };
  inStatements(walk, body, undefined);
  return [...found];
}

/** Whether a `return` of the function itself (not of one inside it) stands in `body`. */
export function containsReturn(body: readonly HirStatement[]): boolean {
  return body.some((statement) => {
    switch (statement.kind) {
      case "return":
        return true;
      case "if":
        return containsReturn(statement.whenTrue) || containsReturn(statement.whenFalse);
      case "for":
      case "while":
      case "block":
        return containsReturn(statement.body);
      case "let":
      case "assign":
      case "expression":
      case "invalid":
        return false;
      default:
        return statement satisfies never;
    }
  });
}

/** The names that a pattern binds. */
export function boundNames(pattern: HirPattern): readonly string[] {
  switch (pattern.kind) {
    case "name":
      return [pattern.name];
    case "array":
      return pattern.items.flatMap((item) => (item === null ? [] : boundNames(item)));
    case "object":
      return pattern.fields.flatMap((field) => boundNames(field.target));
    default:
      return pattern satisfies never;
  }
}

interface Walk {
  readonly use: (name: string, span: HirSpan, scope: Declared | undefined) => void;
  readonly assign: (name: string, scope: Declared | undefined) => void;
}
interface Declared {
  readonly names: ReadonlySet<string>;
  readonly outer: Declared | undefined;
}

function isDeclared(scope: Declared | undefined, name: string): boolean {
  for (let s = scope; s !== undefined; s = s.outer) if (s.names.has(name)) return true;
  return false;
}

function inStatements(
  walk: Walk,
  body: readonly HirStatement[],
  outer: Declared | undefined,
): void {
  const names = new Set(body.flatMap((s) => (s.kind === "let" ? boundNames(s.target) : [])));
  const scope: Declared = { names, outer };
  for (const statement of body) inStatement(walk, statement, scope);
}

function inStatement(walk: Walk, statement: HirStatement, scope: Declared): void {
  switch (statement.kind) {
    case "let":
      inPattern(walk, statement.target, scope);
      if (statement.value !== undefined) inExpression(walk, statement.value, scope);
      return;
    case "assign":
      for (const name of boundNames(statement.target)) {
        walk.assign(name, scope);
        walk.use(name, statement.target.span, scope);
      }
      inExpression(walk, statement.value, scope);
      return;
    case "expression":
      inExpression(walk, statement.value, scope);
      return;
    case "if":
      inExpression(walk, statement.test, scope);
      inStatements(walk, statement.whenTrue, scope);
      inStatements(walk, statement.whenFalse, scope);
      return;
    case "for": {
      inExpression(walk, statement.iterable, scope);
      const inner: Declared = { names: new Set(boundNames(statement.target)), outer: scope };
      inStatements(walk, statement.body, inner);
      return;
    }
    case "while":
      inExpression(walk, statement.test, scope);
      inStatements(walk, statement.body, scope);
      return;
    case "return":
      if (statement.value !== undefined) inExpression(walk, statement.value, scope);
      return;
    case "block":
      inStatements(walk, statement.body, scope);
      return;
    case "invalid":
      return;
    default:
      statement satisfies never;
  }
}

function inPattern(walk: Walk, pattern: HirPattern, scope: Declared): void {
  if (pattern.fallback !== undefined) inExpression(walk, pattern.fallback, scope);
  if (pattern.kind === "array")
    for (const item of pattern.items) if (item !== null) inPattern(walk, item, scope);
  if (pattern.kind === "object")
    for (const field of pattern.fields) inPattern(walk, field.target, scope);
}

function inFunction(walk: Walk, fn: HirFunction, outer: Declared | undefined): void {
  const scope: Declared = { names: new Set(fn.params.flatMap(boundNames)), outer };
  for (const param of fn.params) inPattern(walk, param, scope);
  inStatements(walk, fn.body, scope);
}

function inExpression(walk: Walk, e: HirExpr, scope: Declared | undefined): void {
  const go = (x: HirExpr): void => inExpression(walk, x, scope);
  switch (e.kind) {
    case "name":
      walk.use(e.name, e.span, scope);
      return;
    case "unary":
    case "spread":
      go(e.x);
      return;
    case "binary":
    case "logical":
      go(e.a);
      go(e.b);
      return;
    case "conditional":
      go(e.test);
      go(e.whenTrue);
      go(e.whenFalse);
      return;
    case "call":
      go(e.callee);
      e.args.forEach(go);
      return;
    case "member":
      go(e.object);
      return;
    case "element":
      go(e.object);
      go(e.index);
      return;
    case "array":
      e.items.forEach(go);
      return;
    case "object":
      for (const field of e.fields) go(field.value);
      return;
    case "function":
      inFunction(walk, e.fn, scope);
      return;
    case "constant":
    case "invalid":
      return;
    default:
      e satisfies never;
  }
}
