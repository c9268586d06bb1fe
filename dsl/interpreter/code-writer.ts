/** [dsl/interpreter] Collects lines of generated JavaScript with their indentation. Knows nothing of what they mean. */

export class CodeWriter {
  readonly #lines: string[] = [];
  #depth = 0;

  line(text: string): void {
    this.#lines.push(`${"  ".repeat(this.#depth)}${text}`);
  }

  /** A line that ends with an opening brace. */
  open(text: string): void {
    this.line(text);
    this.#depth++;
  }

  /** Closes the innermost brace; `text` follows it on the same line. */
  close(text = ""): void {
    this.#depth--;
    this.line(`}${text}`);
  }

  /** Closes one brace and opens another on one line, as in `} else {`. */
  between(text: string): void {
    this.#depth--;
    this.line(`} ${text}`);
    this.#depth++;
  }

  get length(): number {
    return this.#lines.length;
  }

  text(): string {
    return this.#lines.join("\n");
  }
}
