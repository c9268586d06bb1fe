/** [test/fuzz] Mutated bodies for the HTTP API, all from one seed: good ones with parts replaced, dropped, nested or cut. No server. */
import fc from "fast-check";

export interface FuzzedBody {
  readonly path: string;
  readonly text: string;
}

const user = { role: "user", content: "hi" };
const sampling = { max_tokens: 2, temperature: 0.5, top_p: 0.9, seed: 1, stop: ["x"], n: 1 };
const SEEDS: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  "/v1/completions": [
    { ...sampling, prompt: "abc", logprobs: 1, echo: true },
    { ...sampling, prompt: [[2, 3], [4]], logit_bias: { 5: 1 }, stream: true },
  ],
  "/v1/chat/completions": [
    { ...sampling, messages: [user], logprobs: true, top_logprobs: 2 },
    { ...sampling, messages: [user], stream: true, stream_options: { include_usage: true } },
  ],
  "/v1/embeddings": [{ input: ["a", "b"], pooling: "mean" }],
  "/generate": [{ ...sampling, prompt: "abc", stream: false }],
  "/tokenize": [{ prompt: "abc" }, { messages: [user], add_generation_prompt: false }],
  "/detokenize": [{ tokens: [2, 3] }],
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, true, "", "\ud800", "</s>", [], {}, [[]], [null], -1, 0, 0.5),
  fc.constantFrom<unknown>(1e308, 2 ** 31, 2 ** 53, -(2 ** 53), 1e-320, "1", "__proto__"),
  fc.jsonValue({ maxDepth: 3 }),
  fc
    .integer({ min: 1, max: 3000 })
    .map((depth) => JSON.parse("[".repeat(depth) + "]".repeat(depth))),
);
const extra = fc.constantFrom(
  "min_p",
  "top_k",
  "presence_penalty",
  "repetition_penalty",
  "bad_words",
  "allowed_token_ids",
  "best_of",
  "stop_token_ids",
  "min_tokens",
  "prompt_logprobs",
  "truncate_prompt_tokens",
  "priority",
  "cache_salt",
  "chat_template_kwargs",
  "tools",
  "documents",
  "continue_final_message",
  "response_format",
  "suffix",
  "__proto__",
  "constructor",
  "toString",
);

/** Bounded, so that what is accepted ends soon: a valid body is no bug. */
const bounded = (body: Record<string, unknown>) => {
  const { max_tokens: most } = body;
  return typeof most === "number" && most > 3 ? { ...body, max_tokens: 3 } : body;
};

export const fuzzedBody: fc.Arbitrary<FuzzedBody> = fc
  .constantFrom(...Object.keys(SEEDS))
  .chain((path) =>
    fc
      .record({
        seed: fc.constantFrom(...(SEEDS[path] ?? [])),
        changes: fc.array(fc.tuple(fc.nat(20), fc.option(odd), extra, fc.boolean()), {
          minLength: 1,
          maxLength: 3,
        }),
        cut: fc.oneof(
          { weight: 9, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.nat(40) },
        ),
      })
      .map(({ seed, changes, cut }) => {
        const body: Record<string, unknown> = { ...seed };
        for (const [at, value, name, adds] of changes) {
          const keys = Object.keys(body);
          const key = adds ? name : (keys[at % keys.length] ?? name);
          if (value === null && !adds) delete body[key];
          else
            Object.defineProperty(body, key, {
              value,
              enumerable: true,
              configurable: true,
              writable: true,
            });
        }
        const text = JSON.stringify(bounded(body));
        return { path, text: cut === 0 ? text : text.slice(0, -cut) };
      }),
  );
