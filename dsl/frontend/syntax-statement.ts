/** [dsl/frontend] TypeScript statements, patterns and functions to HIR. Expressions are syntax-expression.ts. */
import type { BinaryOperator, HirExpr, HirFunction, HirPattern, HirStatement } from "./hir.ts";
import type { ts } from "./parse.ts";
import type { Syntax } from "./syntax.ts";
import { convertExpression } from "./syntax-expression.ts";

export function expressionOf(s: Syntax, node: ts.Expression, name = ""): HirExpr {
  return convertExpression(s, node, functionOf, name);
}

/** @returns undefined where the function is of a kind that kernels cannot call; that was reported */
export function functionOf(
  s: Syntax,
  node: ts.FunctionLikeDeclaration,
  name: string,
): HirFunction | undefined {
  const { ts } = s;
  const special =
    node.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) ||
    node.asteriskToken !== undefined;
  if (special || node.body === undefined) {
    s.unsupported(node, "TW1054", {
      message: "an async function, generator or overload cannot be part of a kernel",
      seen: s.text(node),
      expected: "a plain function with a body",
      remedy: "remove async or *; a kernel runs from top to bottom",
    });
    return undefined;
  }
  const params = node.parameters.map((parameter): HirPattern => {
    if (parameter.dotDotDotToken === undefined)
      return patternOf(s, parameter.name, parameter.initializer);
    s.unsupported(parameter, "TW1054", {
      message: "a rest parameter",
      seen: s.text(parameter),
      expected: "a fixed number of parameters",
      remedy: "take an array instead",
    });
    return patternOf(s, parameter.name);
  });
  const body = ts.isBlock(node.body)
    ? statementsOf(s, node.body.statements)
    : [{ kind: "return" as const, value: expressionOf(s, node.body), span: s.span(node.body) }];
  return { name, file: s.file, span: s.span(node), params, body };
}

export function patternOf(
  s: Syntax,
  node: ts.BindingName,
  initializer?: ts.Expression,
): HirPattern {
  const { ts } = s;
  const span = s.span(node);
  const fallback = initializer === undefined ? {} : { fallback: expressionOf(s, initializer) };
  if (ts.isIdentifier(node)) return { kind: "name", name: node.text, span, ...fallback };
  const rest = node.elements.find((e) => ts.isBindingElement(e) && e.dotDotDotToken !== undefined);
  if (rest !== undefined) {
    s.unsupported(rest, "TW1056", {
      message: "a rest element in a pattern",
      seen: s.text(rest),
      expected: "one name for each value",
      remedy: "name the values one by one",
    });
  }
  if (ts.isArrayBindingPattern(node)) {
    const items = node.elements.map((e) =>
      ts.isBindingElement(e) ? patternOf(s, e.name, e.initializer) : null,
    );
    return { kind: "array", items, span, ...fallback };
  }
  const fields = node.elements.map((e) => {
    const key = e.propertyName ?? e.name;
    const name = ts.isIdentifier(key) || ts.isStringLiteral(key) ? key.text : "";
    if (name === "") {
      s.unsupported(key, "TW1056", {
        message: "a computed key in a pattern",
        seen: s.text(key),
        expected: "a plain name",
        remedy: "write the field's name",
      });
    }
    return { name, target: patternOf(s, e.name, e.initializer) };
  });
  return { kind: "object", fields, span, ...fallback };
}

export function statementsOf(s: Syntax, nodes: readonly ts.Statement[]): HirStatement[] {
  return nodes.flatMap((node) => statementOf(s, node));
}

function bodyOf(s: Syntax, node: ts.Statement): HirStatement[] {
  return s.ts.isBlock(node) ? statementsOf(s, node.statements) : statementOf(s, node);
}

function statementOf(s: Syntax, node: ts.Statement): HirStatement[] {
  const { ts } = s;
  const span = s.span(node);
  if (ts.isVariableStatement(node)) return lets(s, node.declarationList);
  if (ts.isExpressionStatement(node)) return [expressionStatement(s, node.expression)];
  if (ts.isIfStatement(node)) {
    const otherwise = node.elseStatement === undefined ? [] : bodyOf(s, node.elseStatement);
    return [
      {
        kind: "if",
        test: expressionOf(s, node.expression),
        whenTrue: bodyOf(s, node.thenStatement),
        whenFalse: otherwise,
        span,
      },
    ];
  }
  if (ts.isForOfStatement(node)) return [forOf(s, node)];
  if (ts.isWhileStatement(node)) {
    return [
      {
        kind: "while",
        test: expressionOf(s, node.expression),
        body: bodyOf(s, node.statement),
        span,
      },
    ];
  }
  if (ts.isReturnStatement(node)) {
    const value = node.expression === undefined ? {} : { value: expressionOf(s, node.expression) };
    return [{ kind: "return", ...value, span }];
  }
  if (ts.isBlock(node)) return [{ kind: "block", body: statementsOf(s, node.statements), span }];
  if (
    ts.isEmptyStatement(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  )
    return [];
  if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
    const fn = functionOf(s, node, node.name.text);
    const target: HirPattern = { kind: "name", name: node.name.text, span: s.span(node.name) };
    const value: HirExpr =
      fn === undefined ? { kind: "invalid", span } : { kind: "function", fn, span };
    return [{ kind: "let", mutable: false, target, value, span }];
  }
  return [unsupportedStatement(s, node)];
}

function lets(s: Syntax, list: ts.VariableDeclarationList): HirStatement[] {
  const { ts } = s;
  if ((list.flags & ts.NodeFlags.BlockScoped) === 0) {
    s.unsupported(list, "TW1057", {
      message: "var declares for the whole function, so its value in a branch is not clear",
      seen: s.text(list),
      expected: "let or const",
      remedy: "write let if the variable is assigned again, else const",
    });
  }
  const mutable = (list.flags & ts.NodeFlags.Const) === 0;
  return list.declarations.map((d): HirStatement => {
    const name = ts.isIdentifier(d.name) ? d.name.text : "";
    const value =
      d.initializer === undefined ? {} : { value: expressionOf(s, d.initializer, name) };
    return { kind: "let", mutable, target: patternOf(s, d.name), ...value, span: s.span(d) };
  });
}

function expressionStatement(s: Syntax, node: ts.Expression): HirStatement {
  const { ts } = s;
  const span = s.span(node);
  if (ts.isParenthesizedExpression(node)) return expressionStatement(s, node.expression);
  if (ts.isBinaryExpression(node) && s.isAssignment(node.operatorToken)) {
    const token = ts.tokenToString(node.operatorToken.kind) ?? "";
    const target = assignmentTarget(s, node.left);
    if (target === undefined) return { kind: "invalid", span };
    const value = expressionOf(s, node.right);
    if (token === "=") return { kind: "assign", target, value, span };
    if (["&&=", "||=", "??="].includes(token)) {
      return s.unsupported(node, "TW1051", {
        message: `the operator ${token} is not part of the kernel language`,
        seen: s.text(node),
        expected: "=, +=, -=, *=, /=, %=, **=, &=, |=, ^=, <<=, >>= or >>>=",
        remedy: `write x = x ${token.slice(0, 2)} value`,
      });
    }
    return { kind: "assign", target, op: token.slice(0, -1) as BinaryOperator, value, span };
  }
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const token = ts.tokenToString(node.operator) ?? "";
    const target = token === "++" || token === "--" ? assignmentTarget(s, node.operand) : undefined;
    if (target !== undefined) {
      return {
        kind: "assign",
        target,
        op: token === "++" ? "+" : "-",
        value: { kind: "constant", value: 1, span },
        span,
      };
    }
  }
  return { kind: "expression", value: expressionOf(s, node), span };
}

/** The left side of an assignment: a name, or a pattern of names. */
function assignmentTarget(s: Syntax, node: ts.Expression): HirPattern | undefined {
  const { ts } = s;
  const span = s.span(node);
  if (ts.isParenthesizedExpression(node)) return assignmentTarget(s, node.expression);
  if (ts.isIdentifier(node)) return { kind: "name", name: node.text, span };
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((e) =>
      ts.isOmittedExpression(e) ? null : assignmentTarget(s, e),
    );
    return items.some((item) => item === undefined)
      ? undefined
      : { kind: "array", items: items.map((i) => i ?? null), span };
  }
  s.unsupported(node, "TW1058", {
    message: "only variables can be assigned",
    seen: s.text(node),
    expected: "a variable, or [a, b] = … for several",
    remedy: "tiles and objects are immutable: make a new value, or write to a tensor with store()",
  });
  return undefined;
}

function forOf(s: Syntax, node: ts.ForOfStatement): HirStatement {
  const { ts } = s;
  const { initializer } = node;
  const declaration = ts.isVariableDeclarationList(initializer)
    ? initializer.declarations[0]
    : undefined;
  const constant =
    ts.isVariableDeclarationList(initializer) && (initializer.flags & ts.NodeFlags.Const) !== 0;
  if (declaration === undefined || !constant || node.awaitModifier !== undefined) {
    return s.unsupported(initializer, "TW1055", {
      message: "the variable of a loop must be declared with const in the loop",
      seen: s.text(initializer),
      expected: "for (const i of range(n))",
      remedy:
        "declare it with const; to change a variable from trip to trip, use a let outside of the loop",
    });
  }
  return {
    kind: "for",
    target: patternOf(s, declaration.name),
    iterable: expressionOf(s, node.expression),
    body: bodyOf(s, node.statement),
    span: s.span(node),
  };
}

const STATEMENT_REMEDIES: Readonly<Record<string, string>> = {
  ForStatement: "write for (const i of range(start, end, step))",
  ForInStatement: "iterate over an array with for … of",
  DoStatement: "write while (condition) with the condition true at first",
  BreakStatement:
    "write while (bounded(condition, trips)), or mask the rest of the work with where()",
  ContinueStatement: "put the rest of the body into an if",
  SwitchStatement: "write if … else if",
  TryStatement: "remove it: nothing throws in a kernel; assert() reports",
  ThrowStatement: "use assert(condition, message)",
  ClassDeclaration: "use functions and arrays or objects of values",
  EnumDeclaration: "use constants",
  LabeledStatement: "remove the label",
};

function unsupportedStatement(s: Syntax, node: ts.Statement): HirStatement {
  const kind = s.kindName(node);
  const head = s.text(node).split("{")[0] ?? "";
  return s.unsupported(node, "TW1055", {
    message: "this kind of statement is not part of the kernel language",
    seen: `${head.trim()} (${kind})`,
    expected: "const, let, assignments, calls, if, for … of, while and return",
    remedy: STATEMENT_REMEDIES[kind] ?? "express it with those statements",
  });
}
