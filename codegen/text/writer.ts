/** [codegen/text] Collects lines of emitted text with their indentation. Knows no language but braces. */

const INDENT = "  ";
/** Columns that a line may take. */
const WIDTH = 100;

export class Writer {
  readonly #lines: string[] = [];
  #depth: number;

  /** @param depth indentation of the first line, for bodies that a skeleton surrounds */
  constructor(depth = 0) {
    this.#depth = depth;
  }

  /** One statement; an empty text gives a blank line without spaces. A long one is broken between the arguments of its longest list. */
  line(text: string): void {
    const indent = INDENT.repeat(this.#depth);
    if (indent.length + text.length <= WIDTH || text.startsWith("//")) {
      this.#lines.push(text === "" ? "" : `${indent}${text}`);
      return;
    }
    for (const part of breakStatement(text, WIDTH - indent.length)) {
      this.#lines.push(`${indent}${part}`);
    }
  }

  /** Short statements of one kind, as many on a line as fit in `width` columns. */
  statements(statements: readonly string[], width = WIDTH): void {
    let current = "";
    for (const statement of statements) {
      const isFull = this.#depth * INDENT.length + current.length + 1 + statement.length > width;
      if (current !== "" && isFull) {
        this.line(current);
        current = "";
      }
      current = current === "" ? statement : `${current} ${statement}`;
    }
    if (current !== "") this.line(current);
  }

  /** `head {` … `}` around the lines that `body` writes. */
  block(head: string, body: () => void): void {
    this.branches([{ head, body }]);
  }

  /** `if (…) {` … `} else {` … `}`: each head stands after the bracket that closes the one before. */
  branches(parts: readonly { readonly head: string; readonly body: () => void }[]): void {
    for (const [i, { head, body }] of parts.entries()) {
      this.line(i === 0 ? `${head} {` : `} ${head} {`);
      this.#depth++;
      body();
      this.#depth--;
    }
    this.line("}");
  }

  get count(): number {
    return this.#lines.length;
  }

  /** All lines, without a newline at the end. */
  text(): string {
    return this.#lines.join("\n");
  }
}

/**
 * `head(a, b, c)tail`, broken after the opening bracket with one argument group a line where it is too long for one line.
 * @param width columns that a line may take
 */
export function breakList(
  head: string,
  items: readonly string[],
  tail: string,
  width = WIDTH,
): readonly string[] {
  const flat = `${head}${items.join(", ")}${tail}`;
  if (flat.length <= width) return [flat];
  const lines = [head];
  let current = "";
  for (const [i, item] of items.entries()) {
    const piece = i === items.length - 1 ? item : `${item},`;
    if (current !== "" && INDENT.length * 2 + current.length + 1 + piece.length > width) {
      lines.push(`${INDENT}${INDENT}${current}`);
      current = piece;
    } else {
      current = current === "" ? piece : `${current} ${piece}`;
    }
  }
  lines.push(`${INDENT}${INDENT}${current}${tail}`);
  return lines;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "{": "}", "[": "]" };

/** A bracketed list of a text: where it opens and closes, and the commas of its own level. */
interface List {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

/** Every bracket with at least one comma of its own, the longest first. */
function listsOf(text: string): readonly List[] {
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  const lists: List[] = [];
  for (const [i, char] of [...text].entries()) {
    if (char in CLOSING) open.push({ at: i, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(i);
    else if (char === ")" || char === "}" || char === "]") {
      const list = open.pop();
      if (list === undefined || list.commas.length === 0) continue;
      lists.push({ open: list.at, close: i, commas: list.commas });
    }
  }
  return lists.sort((a, b) => b.close - b.open - (a.close - a.open) || a.open - b.open);
}

/** The statement with the arguments of one list on lines of their own: the innermost list whose head still fits on the first line. */
function breakStatement(text: string, width: number): readonly string[] {
  const lists = listsOf(text);
  const list = lists.findLast(
    ({ open, close, commas }) => open < width && close - open > width / 2 && commas.length > 0,
  );
  if (list === undefined) return [text];
  const cuts = [list.open, ...list.commas, list.close];
  const items = list.commas.map((_, i) => i).concat(list.commas.length);
  const pieces = items.map((i) => text.slice((cuts[i] ?? 0) + 1, cuts[i + 1]).trim());
  return breakList(text.slice(0, list.open + 1), pieces, text.slice(list.close), width);
}
