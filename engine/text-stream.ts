/** [engine] Tokens of one output and their text, given out together: no token before all of its text, no text before its token. */
import type { SamplingParams } from "./core.ts";
import { StopStrings } from "./stop-strings.ts";
import type { Detokenizer } from "./tokenizer/detokenizer.ts";

/**
 * While a stop string may still come true, the tokens that spell its beginning are held back with their text. So the text of what is
 * given out is the text of its tokens, but for an unfinished character, and no part of a stop string is ever taken back.
 */
export class TextStream {
  readonly #detokenizer: Detokenizer;
  readonly #stops: StopStrings;
  readonly #minTokens: number;
  readonly #keepsStop: boolean;
  #text = "";
  #numTokens = 0;
  /** Tokens that came. */
  #numPushed = 0;
  /** Characters that came, and those that no stop string can claim any more. */
  #length = 0;
  #safe = 0;
  /** Safe characters of tokens that are held back. */
  #rest = "";
  /** Characters up to the end of each token that is held back. */
  readonly #ends: number[] = [];

  constructor(
    detokenizer: Detokenizer,
    params: Pick<SamplingParams, "stop" | "minTokens" | "includeStopStrInOutput">,
  ) {
    this.#detokenizer = detokenizer;
    this.#keepsStop = params.includeStopStrInOutput;
    this.#stops = new StopStrings(params.stop, { keepsStop: this.#keepsStop });
    this.#minTokens = params.minTokens;
  }

  /** Text of the first `numTokens` tokens. */
  get text(): string {
    return this.#text;
  }

  /** Tokens that may be given out. */
  get numTokens(): number {
    return this.#numTokens;
  }

  /** The stop string that ended the text. */
  get found(): string | undefined {
    return this.#stops.found;
  }

  /** @param endsRequest it is the end token, or a stop token, that ends the request: no part of the text unless stops are kept */
  push(id: number, endsRequest = false): void {
    this.#numPushed++;
    const piece = endsRequest && !this.#keepsStop ? "" : this.#detokenizer.push(id);
    this.#length += piece.length;
    this.#ends.push(this.#length);
    this.#take(this.#stops.push(piece, this.#mayStop()));
    if (this.found === undefined) this.#giveWhole();
    else this.#giveAll();
  }

  /** No more tokens come: what is held back is given out. */
  finish(): void {
    const isOpen = this.found === undefined;
    const rest = isOpen ? this.#detokenizer.flush() : "";
    if (isOpen) this.#take(this.#stops.push(rest, this.#mayStop()) + this.#stops.flush());
    this.#giveAll();
  }

  #mayStop(): boolean {
    return this.#numPushed > this.#minTokens;
  }

  #take(text: string): void {
    this.#rest += text;
    this.#safe += text.length;
  }

  /** Tokens whose text is safe to its end. */
  #giveWhole(): void {
    const waiting = this.#ends.findIndex((end) => end > this.#safe);
    const given = this.#ends.splice(0, waiting < 0 ? this.#ends.length : waiting);
    const end = given.at(-1);
    if (end === undefined) return;
    const cut = this.#rest.length - (this.#safe - end);
    this.#text += this.#rest.slice(0, cut);
    this.#rest = this.#rest.slice(cut);
    this.#numTokens += given.length;
  }

  #giveAll(): void {
    this.#text += this.#rest;
    this.#rest = "";
    this.#numTokens = this.#numPushed;
    this.#ends.length = 0;
  }
}
