/** [codegen/text] Collects lines of emitted text with their indentation. Knows no language but braces. */

const INDENT = "  ";

export class Writer {
  readonly #lines: string[] = [];
  #depth: number;

  /** @param depth indentation of the first line, for bodies that a skeleton surrounds */
  constructor(depth = 0) {
    this.#depth = depth;
  }

  /** One line; an empty text gives a blank line without spaces. */
  line(text: string): void {
    this.#lines.push(text === "" ? "" : `${INDENT.repeat(this.#depth)}${text}`);
  }

  /** Short statements of one kind, as many on a line as fit in `width` columns. */
  statements(statements: readonly string[], width = 100): void {
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
  width = 100,
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
