/** [engine/tokenizer] Text ↔ token ids of one model. Encoding is the library's; decoding is by bytes, so that streams are exact. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Tokenizer as LibraryTokenizer } from "@huggingface/tokenizers";
import { ModelError, RequestError } from "../../dsl/index.ts";
import { Detokenizer } from "./detokenizer.ts";
import { type TokenBytes, type TokenizerJson, tokenBytes } from "./token-bytes.ts";

export class Tokenizer {
  readonly #library: LibraryTokenizer | undefined;
  readonly #bytes: TokenBytes | undefined;

  private constructor(library: LibraryTokenizer | undefined, bytes: TokenBytes | undefined) {
    this.#library = library;
    this.#bytes = bytes;
  }

  /**
   * Reads tokenizer.json; a folder without it gives a tokenizer for ids only.
   * @throws ModelError TW4220 for a file that cannot be used
   */
  static load(folder: string): Tokenizer {
    const path = join(folder, "tokenizer.json");
    if (!existsSync(path)) return new Tokenizer(undefined, undefined);
    try {
      const json = JSON.parse(readFileSync(path, "utf8")) as TokenizerJson;
      const configPath = join(folder, "tokenizer_config.json");
      const config: unknown = existsSync(configPath)
        ? JSON.parse(readFileSync(configPath, "utf8"))
        : {};
      return new Tokenizer(
        new LibraryTokenizer(json as object, config as object),
        tokenBytes(json),
      );
    } catch (cause) {
      if (cause instanceof ModelError) throw cause;
      throw new ModelError(
        {
          code: "TW4220",
          message: "tokenizer.json cannot be used",
          seen: cause instanceof Error ? cause.message : String(cause),
          expected: "a tokenizer of the Hugging Face format",
          remedy: "download the file again, or remove it to work with token ids only",
        },
        { cause },
      );
    }
  }

  /** False where the model folder has no tokenizer.json. */
  get hasText(): boolean {
    return this.#library !== undefined;
  }

  /** @throws RequestError TW4222 where the model has no tokenizer */
  encode(text: string, addSpecialTokens = true): number[] {
    if (this.#library === undefined) {
      throw new RequestError(
        {
          code: "TW4222",
          message: "this model has no tokenizer, so it takes no text",
          seen: "a text prompt",
          expected: "a prompt of token ids",
          remedy: "send token ids, or add tokenizer.json to the model folder",
        },
        400,
        "prompt",
      );
    }
    return this.#library.encode(text, { add_special_tokens: addSpecialTokens }).ids;
  }

  /** Decodes the tokens that follow `prefix`. */
  detokenizer(prefix: readonly number[], skipSpecialTokens = true): Detokenizer {
    return new Detokenizer(this.#bytes, prefix, skipSpecialTokens);
  }

  decode(ids: readonly number[], skipSpecialTokens = true): string {
    const detokenizer = this.detokenizer([], skipSpecialTokens);
    return ids.map((id) => detokenizer.push(id)).join("") + detokenizer.flush();
  }

  /** The token as text by itself, for log-probabilities: special tokens by name, `token_id:N` without a tokenizer. */
  tokenText(id: number): string {
    const bytes = this.tokenBytes(id);
    return bytes === undefined ? `token_id:${id}` : new TextDecoder().decode(bytes);
  }

  tokenBytes(id: number): Uint8Array | undefined {
    return this.#bytes?.bytes[id];
  }
}
