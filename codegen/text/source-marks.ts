/** [codegen/text] Decides where emitted text names the kernel's source line. Gives the words, not the comment signs. */
import type { Location } from "../../dsl/index.ts";

/** Remembers the line that was named last, so that each group of statements is marked once. */
export class SourceMarks {
  #last = "";

  /**
   * `file.ts:line` where `loc` is another line than before, else undefined. The file's folder is left out, so that the text is
   * the same wherever the project lies.
   */
  before(loc: Location | undefined): string | undefined {
    if (loc === undefined || loc.span.line < 1) return undefined;
    const file = loc.span.file.split(/[\\/]/).at(-1) ?? loc.span.file;
    const mark = `${file}:${loc.span.line}`;
    if (mark === this.#last) return undefined;
    this.#last = mark;
    return mark;
  }
}
