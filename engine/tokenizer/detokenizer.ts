/** [engine/tokenizer] Tokens → text as they come. A character is given out when its last byte is there, never half of one. */
import type { TokenBytes } from "./token-bytes.ts";

const SPACE = 0x20;

export class Detokenizer {
  readonly #tokens: TokenBytes | undefined;
  readonly #skipSpecialTokens: boolean;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #atStart: boolean;

  /** @param prefix tokens before the first that is pushed; they decide whether a leading space is part of the text */
  constructor(
    tokens: TokenBytes | undefined,
    prefix: readonly number[],
    skipSpecialTokens: boolean,
  ) {
    this.#tokens = tokens;
    this.#skipSpecialTokens = skipSpecialTokens;
    this.#atStart =
      tokens?.stripsLeadingSpace === true && prefix.every((id) => this.#bytesOf(id).length === 0);
  }

  /** Text that this token completes; empty while a character is unfinished, and always without a tokenizer. */
  push(id: number): string {
    let bytes = this.#bytesOf(id);
    if (bytes.length === 0) return "";
    if (this.#atStart && bytes[0] === SPACE) bytes = bytes.subarray(1);
    this.#atStart = false;
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** What is left when no more tokens come: U+FFFD for the bytes of an unfinished character. */
  flush(): string {
    return this.#decoder.decode();
  }

  #bytesOf(id: number): Uint8Array {
    if (this.#tokens === undefined || (this.#skipSpecialTokens && this.#tokens.specialIds.has(id)))
      return new Uint8Array(0);
    return this.#tokens.bytes[id] ?? new Uint8Array(0);
  }
}
