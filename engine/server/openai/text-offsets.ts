/** [engine/server] Where tokens begin in the text of a completion choice: counted in what is given, so that hidden tokens take no room. */
import type { Detokenizer } from "../../tokenizer/detokenizer.ts";
import type { Tokenizer } from "../../tokenizer/tokenizer.ts";

/**
 * Offsets of one choice's tokens, in UTF-16 units as the text itself; a character of several tokens is where its first one is. In pieces
 * that continue each other they are those of the whole.
 */
export class TextOffsets {
  readonly #tokenizer: Tokenizer;
  readonly #skipSpecialTokens: boolean;
  /** Of the text that was given before: the echoed prompt. */
  #promptLength = 0;
  /** Characters of the output's tokens, and of its text as far as it is given. */
  #length = 0;
  #given = 0;
  #output: Detokenizer | undefined;

  /** @param skipSpecialTokens of the output; the prompt's are shown where its text names them */
  constructor(tokenizer: Tokenizer, skipSpecialTokens: boolean) {
    this.#tokenizer = tokenizer;
    this.#skipSpecialTokens = skipSpecialTokens;
  }

  /** @param text what the echo says: a prompt of text as it was sent, also where the tokenizer normalizes it */
  ofPrompt(ids: readonly number[], text: string): readonly number[] {
    const { hasText } = this.#tokenizer;
    const shown = this.#tokenizer.detokenizer([]);
    let at = 0;
    const offsets = ids.map((id) => {
      const offset = Math.min(at, text.length);
      const piece = shown.push(id);
      const name = piece === "" && hasText ? this.#tokenizer.tokenText(id) : "";
      at += name !== "" && text.startsWith(name, at) ? name.length : piece.length;
      return offset;
    });
    this.#promptLength = text.length;
    return offsets;
  }

  /**
   * @param promptIds tokens before the first of the output
   * @param text of these tokens; what a stop string cut off is not part of it
   */
  ofOutput(ids: readonly number[], promptIds: readonly number[], text: string): readonly number[] {
    this.#output ??= this.#tokenizer.detokenizer(promptIds, this.#skipSpecialTokens);
    const shown = this.#output;
    this.#given += text.length;
    return ids.map((id) => {
      const offset = this.#promptLength + Math.min(this.#length, this.#given);
      this.#length += shown.push(id).length;
      return offset;
    });
  }
}
