/** [dsl/frontend] What one file declares, imports and exports, from its syntax tree. Files are found and read elsewhere. */
import type { HirExpr, HirSpan } from "./hir.ts";
import { type ParsedFile, parseFile, type ts } from "./parse.ts";
import type { Problems } from "./problems.ts";
import { Syntax, spanOf } from "./syntax.ts";
import { expressionOf, functionOf } from "./syntax-statement.ts";

/** A name declared at the top level of a file. */
export interface Declaration {
  readonly name: string;
  /** `other`: let, var, class, enum, or a destructured const. */
  readonly kind: "const" | "function" | "other";
  readonly what: string;
  readonly span: HirSpan;
  /** The declared value as HIR. A call of `deviceFunction` or `fnParam` gives the function in it. */
  readonly convert: (problems: Problems, display: string) => HirExpr;
}

export interface Imported {
  readonly specifier: string;
  /** Exported name, or `*` for a namespace. */
  readonly name: string;
  readonly span: HirSpan;
}

/** A call of `kernel(…)` or `deviceFunction(…)`. */
export interface FoundCall {
  readonly span: HirSpan;
  /** Value of `name:` in the first argument, where that is a string literal. */
  readonly kernelName: string | undefined;
  /** Name of the const that the call initialises. */
  readonly binding: string | undefined;
  readonly line: number;
  readonly column: number;
  /** HIR of a field of the first argument, where the record shows it. */
  readonly field: (name: string, problems: Problems, display: string) => HirExpr | undefined;
  /** Names of the params that are `fnParam(…)`, where the record shows them. */
  readonly functionParams: () => readonly string[];
  readonly numArguments: number;
  /** Where the last argument ends in the text; undefined without arguments. */
  readonly argumentsEnd: number | undefined;
  readonly argument: (index: number, problems: Problems, display: string) => HirExpr | undefined;
  /** HIR of the function given to `fnParam(…)` for a param, where the record shows it. */
  readonly fallbackOf: (param: string, problems: Problems, display: string) => HirExpr | undefined;
}

export interface ModuleIndex {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly imports: ReadonlyMap<string, Imported>;
  /** Exported name → local name, or a name of another file. */
  readonly exports: ReadonlyMap<string, { readonly local: string } | Imported>;
  readonly starExports: readonly string[];
  readonly calls: (callees: readonly string[]) => readonly FoundCall[];
}

export function indexModule(text: string, fileName: string): ModuleIndex {
  const parsed = parseFile(text, fileName);
  const index = {
    declarations: new Map<string, Declaration>(),
    imports: new Map<string, Imported>(),
    exports: new Map<string, { readonly local: string } | Imported>(),
    starExports: [] as string[],
  };
  for (const statement of parsed.tree.statements) addStatement(parsed, statement, index);
  return { ...index, calls: (callees) => findCalls(parsed, callees) };
}

interface MutableIndex {
  readonly declarations: Map<string, Declaration>;
  readonly imports: Map<string, Imported>;
  readonly exports: Map<string, { readonly local: string } | Imported>;
  readonly starExports: string[];
}

function addStatement(parsed: ParsedFile, node: ts.Statement, index: MutableIndex): void {
  const { ts } = parsed;
  if (ts.isImportDeclaration(node)) addImport(parsed, node, index);
  else if (ts.isExportDeclaration(node)) addExport(parsed, node, index);
  else if (ts.isVariableStatement(node)) addVariables(parsed, node, index);
  else if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
    const { name } = node;
    add(index, node, ts, {
      name: name.text,
      kind: "function",
      what: "a function",
      span: spanOf(parsed.tree, node),
      convert: (problems, display) => {
        const s = new Syntax(parsed, display, problems);
        const fn = functionOf(s, node, name.text);
        const span = s.span(node);
        return fn === undefined ? { kind: "invalid", span } : { kind: "function", fn, span };
      },
    });
  } else if (
    (ts.isClassDeclaration(node) || ts.isEnumDeclaration(node)) &&
    node.name !== undefined
  ) {
    const what = ts.isClassDeclaration(node) ? "a class" : "an enum";
    const span = spanOf(parsed.tree, node);
    add(index, node, ts, {
      name: node.name.text,
      kind: "other",
      what,
      span,
      convert: () => ({ kind: "invalid", span }),
    });
  }
}

function add(
  index: MutableIndex,
  node: ts.Statement,
  ts: ParsedFile["ts"],
  declaration: Declaration,
): void {
  index.declarations.set(declaration.name, declaration);
  const exported =
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword);
  if (exported === true) index.exports.set(declaration.name, { local: declaration.name });
}

function addVariables(parsed: ParsedFile, node: ts.VariableStatement, index: MutableIndex): void {
  const { ts, tree } = parsed;
  const isConst = (node.declarationList.flags & ts.NodeFlags.Const) !== 0;
  for (const declaration of node.declarationList.declarations) {
    const span = spanOf(tree, declaration);
    const { initializer, name } = declaration;
    if (!ts.isIdentifier(name)) continue;
    const good = isConst && initializer !== undefined;
    add(index, node, ts, {
      name: name.text,
      kind: good ? "const" : "other",
      what: isConst ? "a const without a value here" : "a variable declared with let or var",
      span,
      convert: (problems, display) => {
        if (initializer === undefined) return { kind: "invalid", span };
        const s = new Syntax(parsed, display, problems);
        return expressionOf(
          s,
          wrapped(parsed, initializer, "deviceFunction") ?? initializer,
          name.text,
        );
      },
    });
  }
}

/** The argument of `callee(argument)`, if `node` is such a call. */
function wrapped(
  parsed: ParsedFile,
  node: ts.Expression,
  callee: string,
): ts.Expression | undefined {
  const { ts } = parsed;
  if (!ts.isCallExpression(node) || calleeName(parsed, node) !== callee) return undefined;
  return node.arguments[0];
}

function calleeName({ ts }: ParsedFile, node: ts.CallExpression): string | undefined {
  const callee = node.expression;
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
}

function addImport(parsed: ParsedFile, node: ts.ImportDeclaration, index: MutableIndex): void {
  const { ts, tree } = parsed;
  const specifier = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : "";
  const clause = node.importClause;
  if (clause === undefined) return;
  const span = spanOf(tree, node);
  if (clause.name !== undefined)
    index.imports.set(clause.name.text, { specifier, name: "default", span });
  const bindings = clause.namedBindings;
  if (bindings === undefined) return;
  if (ts.isNamespaceImport(bindings))
    index.imports.set(bindings.name.text, { specifier, name: "*", span });
  else {
    for (const element of bindings.elements) {
      index.imports.set(element.name.text, {
        specifier,
        name: (element.propertyName ?? element.name).text,
        span,
      });
    }
  }
}

function addExport(parsed: ParsedFile, node: ts.ExportDeclaration, index: MutableIndex): void {
  const { ts, tree } = parsed;
  const from =
    node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)
      ? node.moduleSpecifier.text
      : undefined;
  const span = spanOf(tree, node);
  if (node.exportClause === undefined) {
    if (from !== undefined) index.starExports.push(from);
  } else if (ts.isNamespaceExport(node.exportClause)) {
    if (from !== undefined)
      index.exports.set(node.exportClause.name.text, { specifier: from, name: "*", span });
  } else {
    for (const element of node.exportClause.elements) {
      const local = (element.propertyName ?? element.name).text;
      index.exports.set(
        element.name.text,
        from === undefined ? { local } : { specifier: from, name: local, span },
      );
    }
  }
}

function findCalls(parsed: ParsedFile, callees: readonly string[]): readonly FoundCall[] {
  const { ts, tree } = parsed;
  const found: FoundCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && callees.includes(calleeName(parsed, node) ?? ""))
      found.push(describeCall(parsed, node));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function describeCall(parsed: ParsedFile, node: ts.CallExpression): FoundCall {
  const { ts, tree } = parsed;
  const callee = ts.isPropertyAccessExpression(node.expression)
    ? node.expression.name
    : node.expression;
  const at = tree.getLineAndCharacterOfPosition(callee.getStart(tree));
  const spec = node.arguments[0];
  const name = spec === undefined ? undefined : property(parsed, spec, "name");
  const parent = node.parent;
  const convert = (problems: Problems, display: string, e: ts.Expression): HirExpr =>
    expressionOf(new Syntax(parsed, display, problems), e, "(function)");
  return {
    span: spanOf(tree, node),
    kernelName: name !== undefined && ts.isStringLiteralLike(name) ? name.text : undefined,
    binding:
      ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)
        ? parent.name.text
        : undefined,
    line: at.line + 1,
    column: at.character + 1,
    field: (wanted, problems, display) => {
      const value = spec === undefined ? undefined : property(parsed, spec, wanted);
      return value === undefined ? undefined : convert(problems, display, value);
    },
    functionParams: () => {
      const params = spec === undefined ? undefined : property(parsed, spec, "params");
      return params === undefined ? [] : functionFields(parsed, params);
    },
    numArguments: node.arguments.length,
    argumentsEnd: node.arguments.at(-1)?.end,
    argument: (index, problems, display) => {
      const argument = node.arguments[index];
      return argument === undefined ? undefined : convert(problems, display, argument);
    },
    fallbackOf: (param, problems, display) => {
      const params = spec === undefined ? undefined : property(parsed, spec, "params");
      const value = params === undefined ? undefined : property(parsed, params, param);
      const fallback = value === undefined ? undefined : wrapped(parsed, value, "fnParam");
      return fallback === undefined ? undefined : convert(problems, display, fallback);
    },
  };
}

/** A field's value in an object literal, or in the literal that a top-level const of this file stands for. */
function property(
  parsed: ParsedFile,
  node: ts.Expression,
  name: string,
): ts.Expression | undefined {
  const { ts } = parsed;
  if (ts.isIdentifier(node)) {
    const value = topLevelValue(parsed, node.text);
    return value === undefined ? undefined : property(parsed, value, name);
  }
  if (
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node)
  ) {
    return property(parsed, node.expression, name);
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  for (const field of [...node.properties].reverse()) {
    if (ts.isSpreadAssignment(field)) {
      const value = property(parsed, field.expression, name);
      if (value !== undefined) return value;
    } else if (
      field.name !== undefined &&
      !ts.isComputedPropertyName(field.name) &&
      field.name.text === name
    ) {
      if (ts.isPropertyAssignment(field)) return named(parsed, field.initializer);
      if (ts.isShorthandPropertyAssignment(field)) return named(parsed, field.name);
    }
  }
  return undefined;
}

/** Names of the fields of an object literal that are `fnParam(…)`. */
function functionFields(parsed: ParsedFile, node: ts.Expression): readonly string[] {
  const { ts } = parsed;
  const literal = named(parsed, node);
  if (ts.isAsExpression(literal) || ts.isSatisfiesExpression(literal))
    return functionFields(parsed, literal.expression);
  if (!ts.isObjectLiteralExpression(literal)) return [];
  return literal.properties.flatMap((field) => {
    if (ts.isSpreadAssignment(field)) return functionFields(parsed, field.expression);
    if (!ts.isPropertyAssignment(field) || ts.isComputedPropertyName(field.name)) return [];
    const value = named(parsed, field.initializer);
    return wrapped(parsed, value, "fnParam") === undefined ? [] : [field.name.text];
  });
}

/** `node`, or what the top-level const that it names stands for. */
function named(parsed: ParsedFile, node: ts.Expression): ts.Expression {
  return parsed.ts.isIdentifier(node) ? (topLevelValue(parsed, node.text) ?? node) : node;
}

function topLevelValue({ ts, tree }: ParsedFile, name: string): ts.Expression | undefined {
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const declaration of statement.declarationList.declarations) {
      if (ts.isIdentifier(declaration.name) && declaration.name.text === name)
        return declaration.initializer;
    }
  }
  return undefined;
}
