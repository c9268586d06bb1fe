/** [dsl/frontend] TypeScript expressions to HIR. Statements and functions are syntax-statement.ts. */
import type { BinaryOperator, HirExpr, HirFunction, UnaryOperator } from "./hir.ts";
import type { ts } from "./parse.ts";
import type { Syntax } from "./syntax.ts";

/** Converts a function literal or declaration; given by syntax-statement.ts, which needs this file in turn. */
export type ConvertFunction = (
  s: Syntax,
  node: ts.FunctionLikeDeclaration,
  name: string,
) => HirFunction | undefined;

const BINARY: Readonly<Record<string, BinaryOperator>> = {
  "+": "+",
  "-": "-",
  "*": "*",
  "/": "/",
  "%": "%",
  "**": "**",
  "&": "&",
  "|": "|",
  "^": "^",
  "<<": "<<",
  ">>": ">>",
  ">>>": ">>>",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  "==": "==",
  "===": "==",
  "!=": "!=",
  "!==": "!=",
};

export function convertExpression(
  s: Syntax,
  node: ts.Expression,
  convertFunction: ConvertFunction,
  name = "",
): HirExpr {
  const { ts } = s;
  const go = (e: ts.Expression): HirExpr => convertExpression(s, e, convertFunction);
  const span = s.span(node);
  if (ts.isIdentifier(node)) return { kind: "name", name: node.text, span };
  if (ts.isNumericLiteral(node)) return { kind: "constant", value: Number(node.text), span };
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return { kind: "constant", value: node.text, span };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: "constant", value: true, span };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: "constant", value: false, span };
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node)
  ) {
    return convertExpression(s, node.expression, convertFunction, name);
  }
  if (ts.isPrefixUnaryExpression(node)) return convertUnary(s, node, go);
  if (ts.isBinaryExpression(node)) return convertBinary(s, node, go);
  if (ts.isConditionalExpression(node)) {
    return {
      kind: "conditional",
      test: go(node.condition),
      whenTrue: go(node.whenTrue),
      whenFalse: go(node.whenFalse),
      span,
    };
  }
  if (ts.isCallExpression(node) && node.questionDotToken === undefined) {
    return {
      kind: "call",
      callee: go(node.expression),
      args: node.arguments.map((e) => convertItem(s, e, go)),
      span,
    };
  }
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken === undefined) {
    return { kind: "member", object: go(node.expression), name: node.name.text, span };
  }
  if (ts.isElementAccessExpression(node) && node.questionDotToken === undefined) {
    return {
      kind: "element",
      object: go(node.expression),
      index: go(node.argumentExpression),
      span,
    };
  }
  if (ts.isArrayLiteralExpression(node)) {
    return { kind: "array", items: node.elements.map((e) => convertItem(s, e, go)), span };
  }
  if (ts.isObjectLiteralExpression(node)) return convertObject(s, node, go, convertFunction);
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node)) {
    const fn = convertFunction(s, node, name || (node.name?.text ?? "(function)"));
    return fn === undefined ? { kind: "invalid", span } : { kind: "function", fn, span };
  }
  return unsupportedExpression(s, node);
}

function convertItem(s: Syntax, node: ts.Expression, go: (e: ts.Expression) => HirExpr): HirExpr {
  return s.ts.isSpreadElement(node)
    ? { kind: "spread", x: go(node.expression), span: s.span(node) }
    : go(node);
}

function convertUnary(
  s: Syntax,
  node: ts.PrefixUnaryExpression,
  go: (e: ts.Expression) => HirExpr,
): HirExpr {
  const op = s.ts.tokenToString(node.operator);
  if (op === "++" || op === "--") return assignmentInside(s, node);
  return { kind: "unary", op: op as UnaryOperator, x: go(node.operand), span: s.span(node) };
}

function convertBinary(
  s: Syntax,
  node: ts.BinaryExpression,
  go: (e: ts.Expression) => HirExpr,
): HirExpr {
  const token = s.ts.tokenToString(node.operatorToken.kind) ?? "";
  const span = s.span(node);
  if (token === "&&" || token === "||")
    return { kind: "logical", op: token, a: go(node.left), b: go(node.right), span };
  const op = BINARY[token];
  if (op !== undefined) return { kind: "binary", op, a: go(node.left), b: go(node.right), span };
  if (s.isAssignment(node.operatorToken)) return assignmentInside(s, node);
  return s.unsupported(node, "TW1051", {
    message: `the operator ${token} is not part of the kernel language`,
    seen: s.text(node),
    expected: "arithmetic, comparison, bit and logical operators, and ?:",
    remedy:
      token === "??"
        ? "write a condition: a value is never null in a kernel"
        : "split the expression into statements",
  });
}

function assignmentInside(s: Syntax, node: ts.Node): HirExpr {
  return s.unsupported(node, "TW1052", {
    message: "an assignment inside an expression",
    seen: s.text(node),
    expected: "an assignment as a statement of its own",
    remedy: "put the assignment on a line before and use the variable here",
  });
}

function convertObject(
  s: Syntax,
  node: ts.ObjectLiteralExpression,
  go: (e: ts.Expression) => HirExpr,
  convertFunction: ConvertFunction,
): HirExpr {
  const { ts } = s;
  const fields = node.properties.map((property): { name?: string; value: HirExpr } => {
    if (ts.isSpreadAssignment(property)) return { value: go(property.expression) };
    if (ts.isShorthandPropertyAssignment(property)) {
      return {
        name: property.name.text,
        value: { kind: "name", name: property.name.text, span: s.span(property.name) },
      };
    }
    const name = property.name;
    const plain =
      name !== undefined &&
      (ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name));
    if (plain && ts.isPropertyAssignment(property)) {
      return {
        name: name.text,
        value: convertExpression(s, property.initializer, convertFunction, name.text),
      };
    }
    if (plain && ts.isMethodDeclaration(property)) {
      const fn = convertFunction(s, property, name.text);
      const span = s.span(property);
      return {
        name: name.text,
        value: fn === undefined ? { kind: "invalid", span } : { kind: "function", fn, span },
      };
    }
    return {
      name: "",
      value: s.unsupported(property, "TW1053", {
        message: "a computed key or an accessor in an object literal",
        seen: s.text(property),
        expected: "fields written as name: value",
        remedy: "write the key as a plain name",
      }),
    };
  });
  return { kind: "object", fields, span: s.span(node) };
}

const EXPRESSION_REMEDIES: Readonly<Record<string, string>> = {
  TemplateExpression: "use a plain string; print() shows the value beside its label",
  NewExpression: "make values with zeros(), full(), iota() and load()",
  AwaitExpression: "remove await: a kernel is synchronous",
  YieldExpression: "remove yield: a kernel is one function that runs to its end",
  PostfixUnaryExpression: "write it as a statement of its own: i += 1",
  NullKeyword: "leave the value out, or use a boolean",
  BigIntLiteral: "use a number; a kernel's integers are 32 bits wide",
  ThisKeyword: "use the parameters of the kernel's body",
  RegularExpressionLiteral: "prepare text on the host",
  TypeOfExpression: "use dtypes and config values, which are known at compile time",
};

function unsupportedExpression(s: Syntax, node: ts.Expression): HirExpr {
  const kind = s.kindName(node);
  if (kind === "PostfixUnaryExpression") return assignmentInside(s, node);
  return s.unsupported(node, "TW1050", {
    message: "this kind of expression is not part of the kernel language",
    seen: `${s.text(node)} (${kind})`,
    expected: "numbers, booleans, operators, calls, arrays, objects and function literals",
    remedy:
      EXPRESSION_REMEDIES[kind] ?? "compute it on the host and pass it as a param or config value",
  });
}
