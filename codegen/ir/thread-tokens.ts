/** [codegen/ir] Tokens of the thread IR's text, with a cursor. The grammar stands in parse-thread.ts. */
import { InternalError } from "../../dsl/index.ts";

const TOKEN =
  /\s+|\/\/[^\n]*|(?<string>"(?:[^"\\]|\\.)*")|(?<word>[A-Za-z_]\w*)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<op><<|>>|<=|>=|==|!=|\+=|[-+*/&|^<>=()[\]{},:#$@.])/gy;

interface Token {
  readonly kind: "string" | "word" | "number" | "op" | "end";
  readonly text: string;
  readonly line: number;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    for (const kind of ["string", "word", "number", "op"] as const) {
      const found = groups[kind];
      if (found !== undefined) tokens.push({ kind, text: found, line });
    }
    line += match[0].split("\n").length - 1;
    end = match.index + match[0].length;
  }
  if (end < text.length) {
    throw new InternalError({
      code: "TW9002",
      message: `thread IR text, line ${line}: unknown character ${JSON.stringify(text[end])}`,
    });
  }
  tokens.push({ kind: "end", text: "end of text", line });
  return tokens;
}

/** A cursor over the tokens of a text. */
export class ThreadTokens {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { kind: "end", text: "end of text", line: 0 };
  }

  /**
   * @param taken how many tokens before the next one the fault lies
   * @throws InternalError TW9002, always
   */
  fail(expected: string, taken = 0): never {
    const { line, text } = this.#tokens[this.#at - taken] ?? this.#next;
    throw new InternalError({
      code: "TW9002",
      message: `thread IR text, line ${line}: expected ${expected}, found ${JSON.stringify(text)}`,
    });
  }

  isNext(text: string): boolean {
    return this.#next.kind !== "string" && this.#next.text === text;
  }

  /** True where the token after the next one is `text`. */
  isAfterNext(text: string): boolean {
    return this.#tokens[this.#at + 1]?.text === text;
  }

  isWord(): boolean {
    return this.#next.kind === "word";
  }

  isNumber(): boolean {
    return this.#next.kind === "number";
  }

  atEnd(): boolean {
    return this.#next.kind === "end";
  }

  take(): string {
    const { text } = this.#next;
    this.#at += 1;
    return text;
  }

  accept(text: string): boolean {
    if (!this.isNext(text)) return false;
    this.#at += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail(JSON.stringify(text));
  }

  /** A name, plain or quoted. */
  name(): string {
    if (this.#next.kind === "string") return JSON.parse(this.take()) as string;
    return this.isWord() ? this.take() : this.fail("a name");
  }

  /** The next token as operator text, without taking it. */
  peekOp(): string {
    return this.#next.kind === "op" ? this.#next.text : "";
  }

  oneOf<const T extends string>(words: readonly T[], what: string): T {
    const found = words.find((word) => this.accept(word));
    return found ?? this.fail(what);
  }

  /** A number with its sign, `inf` and `nan` included. */
  number(): number {
    const sign = this.accept("-") ? -1 : 1;
    if (this.accept("inf")) return sign * Number.POSITIVE_INFINITY;
    if (this.accept("nan")) return Number.NaN;
    return this.isNumber() ? sign * Number(this.take()) : this.fail("a number");
  }

  /** Items between commas up to `close`; a comma before it is allowed. */
  list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.accept(close)) {
      items.push(item());
      if (!this.isNext(close)) this.expect(",");
    }
    return items;
  }
}
