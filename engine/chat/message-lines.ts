/** [engine/chat] Lines of input → messages: one a line, but for lines that end with a backslash and what stands between lines of three quotes. */

const FENCE = '"""';

export class MessageLines {
  #lines: string[] = [];
  #isFenced = false;

  /** True where the message that was begun goes on. */
  get isOpen(): boolean {
    return this.#isFenced || this.#lines.length > 0;
  }

  /** @returns the message, where this line completes one */
  push(line: string): string | undefined {
    if (this.#isFenced) return line.trim() === FENCE ? this.end() : this.#keep(line);
    if (this.#lines.length === 0 && line.trim() === FENCE) {
      this.#isFenced = true;
      return undefined;
    }
    if (line.endsWith("\\")) return this.#keep(line.slice(0, -1));
    this.#lines.push(line);
    return this.end();
  }

  /** What was begun, as it is: at the end of the input, or to forget it. */
  end(): string | undefined {
    const lines = this.#lines;
    this.#lines = [];
    this.#isFenced = false;
    return lines.length === 0 ? undefined : lines.join("\n");
  }

  #keep(line: string): undefined {
    this.#lines.push(line);
  }
}
