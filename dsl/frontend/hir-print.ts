/** [dsl/frontend] The text form of HIR, for people: one line a statement, with the line it came from. */
import { formatNumber } from "../ir/print.ts";
import type {
  HirDeclaration,
  HirExpr,
  HirFunction,
  HirPattern,
  HirProgram,
  HirReference,
  HirStatement,
} from "./hir.ts";

/** The whole program: the kernel, its functions, and every declaration it captures. */
export function printHir(program: HirProgram): string {
  const lines = [`hir ${program.name}`];
  for (const [param, reference] of Object.entries(program.functions)) {
    lines.push(`  function param ${param} = ${printReference(program, reference)}`);
  }
  program.declarations.forEach((declaration, index) => {
    lines.push("", ...printDeclaration(program, declaration, index));
  });
  return `${lines.join("\n")}\n`;
}

/** HIR as JSON. */
export function writeHir(program: HirProgram): string {
  return JSON.stringify(program);
}

/** HIR from the JSON that `writeHir` made. The content is trusted: it is made by this package. */
export function readHir(json: string): HirProgram {
  return JSON.parse(json) as HirProgram;
}

function printDeclaration(
  program: HirProgram,
  declaration: HirDeclaration,
  index: number,
): string[] {
  const captures = Object.entries(declaration.captures).map(
    ([name, r]) => `${name} = ${printReference(program, r)}`,
  );
  const head = `#${index} ${index === program.body ? "kernel" : "declaration"} ${declaration.name} // ${declaration.file}:${declaration.span[0]}`;
  const captured = captures.length === 0 ? [] : [`  captures ${captures.join(", ")}`];
  const { value } = declaration;
  if (value.kind === "function") return [head, ...captured, ...printFunction(value.fn, "  ")];
  return [head, ...captured, `  ${printExpression(value, "  ")}`];
}

function printReference(program: HirProgram, reference: HirReference): string {
  switch (reference.kind) {
    case "op":
      return `op ${reference.name}`;
    case "global":
      return reference.name;
    case "declaration":
      return `#${reference.index} ${program.declarations[reference.index]?.name ?? ""}`.trimEnd();
    case "namespace":
      return `module ${reference.name}`;
    case "invalid":
      return "invalid";
    default:
      return reference satisfies never;
  }
}

function printFunction(fn: HirFunction, indent: string): string[] {
  const params = fn.params.map((param) => printPattern(param, indent)).join(", ");
  return [`${indent}(${params}) => {`, ...printStatements(fn.body, `${indent}  `), `${indent}}`];
}

function printStatements(body: readonly HirStatement[], indent: string): string[] {
  return body.flatMap((statement) => printStatement(statement, indent));
}

function printStatement(s: HirStatement, indent: string): string[] {
  const at = ` // ${s.span[0]}`;
  const expression = (e: HirExpr): string => printExpression(e, indent);
  const inner = (body: readonly HirStatement[]): string[] => printStatements(body, `${indent}  `);
  switch (s.kind) {
    case "let": {
      const value = s.value === undefined ? "" : ` = ${expression(s.value)}`;
      return [
        `${indent}${s.mutable ? "let" : "const"} ${printPattern(s.target, indent)}${value}${at}`,
      ];
    }
    case "assign":
      return [
        `${indent}${printPattern(s.target, indent)} ${s.op ?? ""}= ${expression(s.value)}${at}`,
      ];
    case "expression":
      return [`${indent}${expression(s.value)}${at}`];
    case "return":
      return [`${indent}return${s.value === undefined ? "" : ` ${expression(s.value)}`}${at}`];
    case "if": {
      const otherwise =
        s.whenFalse.length === 0 ? [] : [`${indent}} else {`, ...inner(s.whenFalse)];
      return [
        `${indent}if ${expression(s.test)} {${at}`,
        ...inner(s.whenTrue),
        ...otherwise,
        `${indent}}`,
      ];
    }
    case "for": {
      const head = `for ${printPattern(s.target, indent)} of ${expression(s.iterable)} {`;
      return [`${indent}${head}${at}`, ...inner(s.body), `${indent}}`];
    }
    case "while":
      return [`${indent}while ${expression(s.test)} {${at}`, ...inner(s.body), `${indent}}`];
    case "block":
      return [`${indent}{${at}`, ...inner(s.body), `${indent}}`];
    case "invalid":
      return [`${indent}invalid${at}`];
    default:
      return s satisfies never;
  }
}

function printPattern(pattern: HirPattern, indent: string): string {
  const fallback =
    pattern.fallback === undefined ? "" : ` = ${printExpression(pattern.fallback, indent)}`;
  switch (pattern.kind) {
    case "name":
      return `${pattern.name}${fallback}`;
    case "array":
      return `[${pattern.items.map((item) => (item === null ? "" : printPattern(item, indent))).join(", ")}]${fallback}`;
    case "object": {
      const fields = pattern.fields.map(({ name, target }) => {
        const plain = target.kind === "name" && target.name === name;
        return plain ? printPattern(target, indent) : `${name}: ${printPattern(target, indent)}`;
      });
      return `{ ${fields.join(", ")} }${fallback}`;
    }
    default:
      return pattern satisfies never;
  }
}

/** Operators are written with parentheses, so that the text shows the tree. */
function printExpression(e: HirExpr, indent: string): string {
  const go = (x: HirExpr): string => printExpression(x, indent);
  switch (e.kind) {
    case "constant":
      return typeof e.value === "number" ? formatNumber(e.value) : JSON.stringify(e.value);
    case "name":
      return e.name;
    case "unary":
      return `${e.op}${go(e.x)}`;
    case "binary":
    case "logical":
      return `(${go(e.a)} ${e.op} ${go(e.b)})`;
    case "conditional":
      return `(${go(e.test)} ? ${go(e.whenTrue)} : ${go(e.whenFalse)})`;
    case "call":
      return `${go(e.callee)}(${e.args.map(go).join(", ")})`;
    case "member":
      return `${go(e.object)}.${e.name}`;
    case "element":
      return `${go(e.object)}[${go(e.index)}]`;
    case "spread":
      return `...${go(e.x)}`;
    case "array":
      return `[${e.items.map(go).join(", ")}]`;
    case "object": {
      const fields = e.fields.map((f) =>
        f.name === undefined ? `...${go(f.value)}` : `${f.name}: ${go(f.value)}`,
      );
      return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
    }
    case "function":
      return printFunction(e.fn, indent).join("\n").trimStart();
    case "invalid":
      return "invalid";
    default:
      return e satisfies never;
  }
}
