/** [engine] Finds stop strings in text that arrives in pieces; holds back what may still become one. */

export interface StopStringOptions {
  /** The text keeps the string that ended it. */
  readonly keepsStop?: boolean;
}

export class StopStrings {
  readonly #stops: readonly string[];
  readonly #longest: number;
  readonly #keepsStop: boolean;
  #held = "";
  /** Stops that end within so many characters of what is held do not count. */
  #deaf = 0;
  /** The string that was found. */
  found: string | undefined;

  constructor(stops: readonly string[], { keepsStop = false }: StopStringOptions = {}) {
    this.#stops = stops;
    this.#longest = Math.max(0, ...stops.map((stop) => stop.length));
    this.#keepsStop = keepsStop;
  }

  /**
   * Text that is safe to give out. Of stops that become whole with one piece the one that begins first counts. After a stop string was
   * found it ends before it, or behind it where it is kept, and nothing more comes.
   * @param mayStop false: no stop ends within this piece; one that begins in it may end in the next
   */
  push(text: string, mayStop = true): string {
    if (this.found !== undefined) return "";
    if (this.#longest === 0) return text;
    this.#held += text;
    if (!mayStop) this.#deaf = this.#held.length;
    let at = -1;
    for (const stop of this.#stops) {
      const index = this.#held.indexOf(stop, Math.max(0, this.#deaf - stop.length + 1));
      if (index < 0 || (at >= 0 && index >= at)) continue;
      at = index;
      this.found = stop;
    }
    if (at >= 0) return this.#release(at + (this.#keepsStop ? (this.found?.length ?? 0) : 0), true);
    return this.#release(Math.max(0, this.#held.length - (this.#longest - 1)), false);
  }

  /** What was held back, when no more text comes. */
  flush(): string {
    return this.found === undefined ? this.#release(this.#held.length, true) : "";
  }

  #release(length: number, dropRest: boolean): string {
    // A pair of surrogates is one character: never cut between its halves.
    const splitsPair =
      length > 0 && !dropRest && /[\uD800-\uDBFF]/.test(this.#held[length - 1] ?? "");
    const safe = splitsPair ? length - 1 : length;
    const text = this.#held.slice(0, safe);
    this.#held = dropRest ? "" : this.#held.slice(safe);
    this.#deaf = Math.max(0, this.#deaf - safe);
    return text;
  }
}
