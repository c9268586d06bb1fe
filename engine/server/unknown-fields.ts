/** [engine/server] Fields of a body that nobody reads: named in a header and once in the log. The request is answered all the same, as clients expect. */
import type { z } from "zod";
import { similarName } from "../../dsl/index.ts";

/** Header of answers to requests with such fields. */
export const WARNING_HEADER = "x-tilewright-warning";

/** Fields of OpenAI's and vLLM's API that change nothing here: clients send them on their own. */
const HARMLESS: ReadonlySet<string> = new Set([
  "user",
  "store",
  "metadata",
  "service_tier",
  "safety_identifier",
  "prompt_cache_key",
  "tool_choice",
  "parallel_tool_calls",
  "reasoning_effort",
  "verbosity",
  "modalities",
  "request_id",
]);
/** A name that can stand in a header; others are counted alone. */
const PLAIN = /^[\w.-]{1,64}$/;
const MOST_NAMED = 5;
/** Names that are remembered as logged. */
const MOST_REMEMBERED = 100;

export class UnknownFields {
  readonly #known: ReadonlySet<string>;
  readonly #own: readonly string[];
  readonly #told = new Set<string>();

  /** @param refused fields that are refused by name where they would matter */
  constructor(schema: z.ZodObject, refused: readonly string[]) {
    this.#own = Object.keys(schema.shape);
    this.#known = new Set([...this.#own, ...refused, ...HARMLESS]);
  }

  /** @returns text of the header, and the fields that were not logged before; undefined where all fields are known */
  of(body: unknown): { readonly warning: string; readonly fresh: readonly string[] } | undefined {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
    const unknown = Object.keys(body).filter((name) => !this.#known.has(name));
    if (unknown.length === 0) return undefined;
    const named = unknown.filter((name) => PLAIN.test(name)).slice(0, MOST_NAMED);
    const rest = unknown.length - named.length;
    const texts = named.map((name) => {
      const similar = similarName(name, this.#own);
      return similar === undefined ? name : `${name} (did you mean ${similar}?)`;
    });
    if (rest > 0) texts.push(`${rest} more`);
    return { warning: `ignored fields: ${texts.join(", ")}`, fresh: this.#remember(named) };
  }

  #remember(names: readonly string[]): readonly string[] {
    const fresh = names.filter((name) => !this.#told.has(name));
    const room = MOST_REMEMBERED - this.#told.size;
    const kept = fresh.slice(0, room);
    for (const name of kept) this.#told.add(name);
    return kept;
  }
}
