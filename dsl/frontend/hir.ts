/** [dsl/frontend] HIR (L0): the kernel's syntax without types, with spans, independent of config; plain JSON. Printing is hir-print.ts. */

/** [line, column, end line, end column], from 1, end exclusive; the file is the function's. */
export type HirSpan = readonly [number, number, number, number];

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "**"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | ">>>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "=="
  | "!=";
export type UnaryOperator = "-" | "+" | "!" | "~";

interface Spanned {
  readonly span: HirSpan;
}

export interface HirConstant extends Spanned {
  readonly kind: "constant";
  readonly value: number | string | boolean | null;
}
export interface HirName extends Spanned {
  readonly kind: "name";
  readonly name: string;
}
export interface HirUnary extends Spanned {
  readonly kind: "unary";
  readonly op: UnaryOperator;
  readonly x: HirExpr;
}
export interface HirBinary extends Spanned {
  readonly kind: "binary";
  readonly op: BinaryOperator;
  readonly a: HirExpr;
  readonly b: HirExpr;
}
export interface HirLogical extends Spanned {
  readonly kind: "logical";
  readonly op: "&&" | "||";
  readonly a: HirExpr;
  readonly b: HirExpr;
}
export interface HirConditional extends Spanned {
  readonly kind: "conditional";
  readonly test: HirExpr;
  readonly whenTrue: HirExpr;
  readonly whenFalse: HirExpr;
}
export interface HirCall extends Spanned {
  readonly kind: "call";
  readonly callee: HirExpr;
  readonly args: readonly HirExpr[];
}
export interface HirMember extends Spanned {
  readonly kind: "member";
  readonly object: HirExpr;
  readonly name: string;
}
export interface HirElement extends Spanned {
  readonly kind: "element";
  readonly object: HirExpr;
  readonly index: HirExpr;
}
/** In an array or an argument list: the items of another array. In an object: the fields of another object. */
export interface HirSpread extends Spanned {
  readonly kind: "spread";
  readonly x: HirExpr;
}
export interface HirArray extends Spanned {
  readonly kind: "array";
  readonly items: readonly HirExpr[];
}
/** A field without a name is a spread. */
export interface HirObject extends Spanned {
  readonly kind: "object";
  readonly fields: readonly { readonly name?: string; readonly value: HirExpr }[];
}
export interface HirFunctionExpr extends Spanned {
  readonly kind: "function";
  readonly fn: HirFunction;
}
/** Something unsupported; the error was reported when the syntax was read. */
export interface HirInvalid extends Spanned {
  readonly kind: "invalid";
}

export type HirExpr =
  | HirConstant
  | HirName
  | HirUnary
  | HirBinary
  | HirLogical
  | HirConditional
  | HirCall
  | HirMember
  | HirElement
  | HirSpread
  | HirArray
  | HirObject
  | HirFunctionExpr
  | HirInvalid;

/** What a declaration, parameter or assignment binds. `fallback` stands for a missing value. */
export type HirPattern =
  | {
      readonly kind: "name";
      readonly name: string;
      readonly span: HirSpan;
      readonly fallback?: HirExpr;
    }
  | {
      readonly kind: "array";
      readonly items: readonly (HirPattern | null)[];
      readonly span: HirSpan;
      readonly fallback?: HirExpr;
    }
  | {
      readonly kind: "object";
      readonly fields: readonly { readonly name: string; readonly target: HirPattern }[];
      readonly span: HirSpan;
      readonly fallback?: HirExpr;
    };

export interface HirLet extends Spanned {
  readonly kind: "let";
  readonly mutable: boolean;
  readonly target: HirPattern;
  readonly value?: HirExpr;
}
/** `target = value`, or with `op` `target op= value`. */
export interface HirAssign extends Spanned {
  readonly kind: "assign";
  readonly target: HirPattern;
  readonly op?: BinaryOperator;
  readonly value: HirExpr;
}
export interface HirExpressionStatement extends Spanned {
  readonly kind: "expression";
  readonly value: HirExpr;
}
export interface HirIf extends Spanned {
  readonly kind: "if";
  readonly test: HirExpr;
  readonly whenTrue: readonly HirStatement[];
  readonly whenFalse: readonly HirStatement[];
}
export interface HirFor extends Spanned {
  readonly kind: "for";
  readonly target: HirPattern;
  readonly iterable: HirExpr;
  readonly body: readonly HirStatement[];
}
export interface HirWhile extends Spanned {
  readonly kind: "while";
  readonly test: HirExpr;
  readonly body: readonly HirStatement[];
}
export interface HirReturn extends Spanned {
  readonly kind: "return";
  readonly value?: HirExpr;
}
export interface HirBlock extends Spanned {
  readonly kind: "block";
  readonly body: readonly HirStatement[];
}

export type HirStatement =
  | HirLet
  | HirAssign
  | HirExpressionStatement
  | HirIf
  | HirFor
  | HirWhile
  | HirReturn
  | HirBlock
  | HirInvalid;

export interface HirFunction {
  readonly name: string;
  /** Display path of the file that the spans point into. */
  readonly file: string;
  readonly span: HirSpan;
  readonly params: readonly HirPattern[];
  readonly body: readonly HirStatement[];
}

/** What a free name of a declaration stands for. */
export type HirReference =
  | { readonly kind: "op"; readonly name: string }
  /** `Math`, `Infinity`, `NaN` or `undefined`. */
  | { readonly kind: "global"; readonly name: string }
  | { readonly kind: "declaration"; readonly index: number }
  | {
      readonly kind: "namespace";
      readonly name: string;
      readonly members: Readonly<Record<string, HirReference>>;
    }
  /** Could not be resolved; the error was reported. */
  | { readonly kind: "invalid" };

/** A module-level constant or function, or the kernel's body, with what its free names stand for. */
export interface HirDeclaration {
  readonly name: string;
  readonly file: string;
  readonly span: HirSpan;
  readonly value: HirExpr;
  readonly captures: Readonly<Record<string, HirReference>>;
}

/** Lines of a file, for the frames of messages. */
export interface HirExcerpt {
  readonly file: string;
  /** Number of the first, from 1. */
  readonly line: number;
  readonly text: string;
}

/** A kernel with everything it captures. */
export interface HirProgram {
  readonly name: string;
  readonly body: number;
  /** By `fnParam` param: what it is called with. */
  readonly functions: Readonly<Record<string, HirReference>>;
  readonly declarations: readonly HirDeclaration[];
  /** The lines that spans point into, where the program travels without its files. */
  readonly excerpts?: readonly HirExcerpt[];
}
