/** [dsl/frontend] Shared state of the conversion from TypeScript syntax to HIR: spans, and errors for what is unsupported. */
import type { ErrorCode } from "../core/errors.ts";
import type { SourceSpan } from "../core/location.ts";
import type { HirInvalid, HirSpan } from "./hir.ts";
import type { ParsedFile, Typescript, ts } from "./parse.ts";
import type { Complaint, Problems } from "./problems.ts";

/** Converts parts of one file. */
export class Syntax {
  readonly ts: Typescript;
  readonly #tree: ts.SourceFile;
  /** Display path of the file. */
  readonly file: string;
  readonly #problems: Problems;

  constructor(parsed: ParsedFile, file: string, problems: Problems) {
    this.ts = parsed.ts;
    this.#tree = parsed.tree;
    this.file = file;
    this.#problems = problems;
  }

  span(node: ts.Node): HirSpan {
    return spanOf(this.#tree, node);
  }

  text(node: ts.Node): string {
    const text = node.getText(this.#tree).replace(/\s+/g, " ");
    return text.length > 60 ? `${text.slice(0, 57)}...` : text;
  }

  isAssignment(operator: ts.BinaryOperatorToken): boolean {
    const { FirstAssignment, LastAssignment } = this.ts.SyntaxKind;
    return operator.kind >= FirstAssignment && operator.kind <= LastAssignment;
  }

  /** Name of the node's kind. Some kinds have aliases that only mark a range: `debugger` is also a LastStatement. */
  kindName(node: ts.Node): string {
    const { SyntaxKind } = this.ts;
    const named = Object.entries(SyntaxKind).find(
      ([name, kind]) => kind === node.kind && !/^(First|Last)/.test(name),
    );
    return named?.[0] ?? "";
  }

  /** Reports unsupported syntax and gives the node that stands for it. */
  unsupported(node: ts.Node, code: ErrorCode, complaint: Complaint): HirInvalid {
    const span = this.span(node);
    this.#problems.add(code, complaint, { span: sourceSpan(this.file, span) });
    return { kind: "invalid", span };
  }
}

export function spanOf(tree: ts.SourceFile, node: ts.Node): HirSpan {
  const start = tree.getLineAndCharacterOfPosition(node.getStart(tree));
  const end = tree.getLineAndCharacterOfPosition(node.getEnd());
  return [start.line + 1, start.character + 1, end.line + 1, end.character + 1];
}

export function sourceSpan(file: string, span: HirSpan): SourceSpan {
  return { file, line: span[0], col: span[1], endLine: span[2], endCol: span[3] };
}
