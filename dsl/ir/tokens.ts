/** [dsl/ir] Tokens of the IR's text form and a reader over them. Knows no op; the grammar lives in parse.ts. */
import { KernelSourceError } from "../core/errors.ts";
import { type Location, UNKNOWN_LOCATION } from "../core/location.ts";

export type Token =
  | { readonly kind: "name" | "punct"; readonly text: string; readonly at: number }
  | { readonly kind: "string"; readonly text: string; readonly value: string; readonly at: number }
  | { readonly kind: "number"; readonly text: string; readonly value: number; readonly at: number }
  /** `%name.id`. */
  | {
      readonly kind: "value";
      readonly text: string;
      readonly name: string;
      readonly id: number;
      readonly at: number;
    }
  | { readonly kind: "end"; readonly text: ""; readonly at: number };

const NAME = String.raw`[A-Za-z_$][\w$]*`;
const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+)`,
    String.raw`(?<comment>\/\/[^\n]*)`,
    `(?<value>%(?:(?<valueName>${NAME}|${STRING})\\.)?(?<id>\\d+))`,
    `(?<string>${STRING})`,
    String.raw`(?<number>-inf\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)`,
    `(?<name>cp\\.async\\b|${NAME})`,
    String.raw`(?<punct>[()[\]{}=:,?])`,
  ].join("|"),
  "y",
);
const LOCATION = /^\/\/ (.+):(\d+):(\d+)$/;

function numberOf(text: string): number {
  return text === "-inf" ? -Infinity : Number(text);
}

function nameOf(text: string | undefined): string {
  if (text === undefined) return "";
  return text.startsWith('"') ? (JSON.parse(text) as string) : text;
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, at: number): Token {
  const { value, string, number, name, punct, id, valueName } = groups;
  if (value !== undefined) {
    return { kind: "value", text: value, name: nameOf(valueName), id: Number(id), at };
  }
  if (string !== undefined) {
    return { kind: "string", text: string, value: JSON.parse(string) as string, at };
  }
  if (number !== undefined) return { kind: "number", text: number, value: numberOf(number), at };
  if (name !== undefined) return { kind: "name", text: name, at };
  return { kind: "punct", text: punct ?? "", at };
}

/** Reads tokens one by one. Errors are `KernelSourceError` TW1901 and point into the text. */
export class TokenReader {
  readonly #text: string;
  readonly #file: string;
  /** What the text is, for messages. */
  readonly #what: string;
  readonly #lineStarts: readonly number[];
  readonly #tokens: readonly Token[];
  /** Locations written at the end of a line, keyed by line number. */
  readonly #locations: ReadonlyMap<number, Location>;
  #next = 0;

  constructor(text: string, file: string, what = "tile IR") {
    this.#text = text;
    this.#file = file;
    this.#what = what;
    this.#lineStarts = [0, ...[...text.matchAll(/\n/g)].map((m) => m.index + 1)];
    const tokens: Token[] = [];
    const locations = new Map<number, Location>();
    this.#tokens = tokens;
    this.#locations = locations;
    this.#scan(tokens, locations);
  }

  #scan(tokens: Token[], locations: Map<number, Location>): void {
    let at = 0;
    while (at < this.#text.length) {
      PATTERN.lastIndex = at;
      const groups = PATTERN.exec(this.#text)?.groups;
      if (groups === undefined)
        this.#fail(at, "no token starts here", this.#text[at] ?? "", "IR text");
      const { space, comment } = groups;
      if (comment !== undefined) {
        const location = parseLocation(comment);
        if (location !== undefined) locations.set(this.#lineOf(at), location);
      } else if (space === undefined) {
        tokens.push(tokenOf(groups, at));
      }
      at = PATTERN.lastIndex;
    }
    tokens.push({ kind: "end", text: "", at });
  }

  #lineOf(at: number): number {
    let low = 0;
    let high = this.#lineStarts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  #fail(at: number, message: string, seen: string, expected: string): never {
    const line = this.#lineOf(at);
    const col = at - (this.#lineStarts[line - 1] ?? 0) + 1;
    const endCol = col + Math.max(1, seen.length);
    throw new KernelSourceError({
      code: "TW1901",
      message: `${this.#what} text: ${message}`,
      seen: seen === "" ? "the end of the text" : seen,
      expected,
      remedy: "write the form that the printer gives",
      location: { span: { file: this.#file, line, col, endLine: line, endCol } },
      source: this.#text,
    });
  }

  peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", at: this.#text.length };
  }

  take(): Token {
    const token = this.peek();
    this.#next++;
    return token;
  }

  /** The value of the next token where it is a number. */
  peekNumber(): number | undefined {
    const token = this.peek();
    return token.kind === "number" ? token.value : undefined;
  }

  /** Fails at the next token. */
  fail(message: string, expected: string): never {
    const token = this.peek();
    this.#fail(token.at, message, token.text, expected);
  }

  /** Takes the next token when it is this word or punctuation mark. */
  accept(text: string): boolean {
    const token = this.peek();
    if ((token.kind !== "name" && token.kind !== "punct") || token.text !== text) return false;
    this.#next++;
    return true;
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail(`\`${text}\` is missing`, `\`${text}\``);
  }

  /** A plain or quoted name. */
  name(what: string): string {
    const token = this.peek();
    if (token.kind !== "name" && token.kind !== "string") this.fail(`${what} is missing`, what);
    this.#next++;
    return token.kind === "string" ? token.value : token.text;
  }

  string(what: string): string {
    const token = this.peek();
    if (token.kind !== "string") this.fail(`${what} is missing`, `${what} in double quotes`);
    this.#next++;
    return token.value;
  }

  /** One of a closed list of words. */
  oneOf<T extends string>(words: readonly T[], what: string): T {
    const token = this.peek();
    const found = words.find((word) => token.kind === "name" && word === token.text);
    if (found === undefined) this.fail(`unknown ${what}`, words.join(", "));
    this.#next++;
    return found;
  }

  /** A number; `nan`, `inf`, `true` and `false` count. */
  number(what: string): number {
    const token = this.peek();
    const special = token.kind === "name" ? SPECIAL_NUMBERS.get(token.text) : undefined;
    if (token.kind !== "number" && special === undefined) {
      this.fail(`${what} is missing`, `${what}, a number`);
    }
    this.#next++;
    return token.kind === "number" ? token.value : (special ?? 0);
  }

  /** `item, item` up to the closing mark, which is taken; a final comma is allowed. */
  list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.accept(close)) {
      items.push(item());
      if (this.accept(",")) continue;
      this.expect(close);
      break;
    }
    return items;
  }

  /** What `// file:line:col` at the end of the line of the next token says. */
  location(): Location {
    return this.#locations.get(this.#lineOf(this.peek().at)) ?? UNKNOWN_LOCATION;
  }
}

const SPECIAL_NUMBERS: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["inf", Infinity],
  ["true", 1],
  ["false", 0],
]);

function parseLocation(comment: string): Location | undefined {
  const match = LOCATION.exec(comment.trimEnd());
  if (match === null) return undefined;
  const [, file = "", line, col] = match;
  const span = { file, line: Number(line), col: Number(col) };
  return { span: { ...span, endLine: span.line, endCol: span.col + 1 } };
}
