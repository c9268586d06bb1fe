/** [test/unit/engine] Sampling parameters: defaults, ranges, names of what does not fit, bad words as tokens. */
import { describe, expect, it } from "vitest";
import { RequestError } from "../../../dsl/index.ts";
import { Request, type SamplingParams } from "../../../engine/core.ts";
import { resolveSampling } from "../../../engine/sampling.ts";
import { withSuggested } from "../../../engine/server/schema.ts";
import { tokenRules } from "../../../engine/token-rules.ts";
import { Tokenizer } from "../../../engine/tokenizer/tokenizer.ts";
import { FIRST_BYTE, writeTinyModel } from "../../support/tiny-model.ts";

const VOCAB = 264;
const context = { vocabSize: VOCAB, maxLogprobs: 20, tokenizer: Tokenizer.load(writeTinyModel()) };
const idsOnly = {
  vocabSize: VOCAB,
  maxLogprobs: 20,
  tokenizer: Tokenizer.load(writeTinyModel({ tokenizer: false })),
};

function refusal(params: Partial<SamplingParams>, within = context): unknown {
  try {
    resolveSampling(params, within);
  } catch (error) {
    if (error instanceof RequestError) return [error.code, error.param, error.status];
  }
  return undefined;
}

const MISFITS: readonly (readonly [string, Partial<SamplingParams>, string])[] = [
  ["presence above 2", { presencePenalty: 2.1 }, "presence_penalty"],
  ["frequency that is no number", { frequencyPenalty: Number.NaN }, "frequency_penalty"],
  ["repetition of 0", { repetitionPenalty: 0 }, "repetition_penalty"],
  ["more minimum than maximum", { minTokens: 6, maxTokens: 5 }, "min_tokens"],
  ["less than one choice", { n: 0 }, "n"],
  ["fewer computed than given", { n: 3, bestOf: 2 }, "best_of"],
  ["several greedy choices", { n: 2, temperature: 0 }, "n"],
  ["several greedy sequences", { bestOf: 2, temperature: 0 }, "n"],
  ["a bias that is infinite", { logitBias: { 3: Number.POSITIVE_INFINITY } }, "logit_bias"],
  ["no allowed token", { allowedTokenIds: [] }, "allowed_token_ids"],
  ["a blank bad word", { badWords: [" "] }, "bad_words"],
  ["an empty list for a bad word", { badWordsTokenIds: [[]] }, "bad_words"],
];

describe("sampling parameters", () => {
  it.each(MISFITS)("refuse %s", (_, params, name) => {
    expect(refusal(params)).toEqual(["TW4110", name, 400]);
  });

  it.each([
    ["a negative stop id", { stopTokenIds: [-1] }, "stop_token_ids"],
    ["a stop id past the vocabulary", { stopTokenIds: [VOCAB] }, "stop_token_ids"],
    ["a bias past the vocabulary", { logitBias: { [VOCAB]: 1 } }, "logit_bias"],
    ["a bias for no id", { logitBias: { abc: 1 } as Record<number, number> }, "logit_bias"],
    ["an allowed id past the vocabulary", { allowedTokenIds: [1, VOCAB] }, "allowed_token_ids"],
    ["a bad word past the vocabulary", { badWordsTokenIds: [[1, VOCAB]] }, "bad_words"],
  ] as const)("bug class 17, ids outside of the vocabulary: refuse %s", (_, params, name) => {
    expect(refusal(params)).toEqual(["TW4110", name, 400]);
  });

  it("refuse texts where the model has no tokenizer", () => {
    expect(refusal({ stop: ["a"] }, idsOnly)).toEqual(["TW4114", "stop", 400]);
    expect(refusal({ badWords: ["a"] }, idsOnly)).toEqual(["TW4114", "bad_words", 400]);
  });

  it("clamp biases to what OpenAI allows", () => {
    expect(resolveSampling({ logitBias: { 5: 1000, 6: -1000, 7: 2 } }, context).logitBias).toEqual({
      5: 100,
      6: -100,
      7: 2,
    });
  });

  it("spell bad words in tokens, without the space before them", () => {
    const { badWordsTokenIds } = resolveSampling(
      { badWords: [" ab"], badWordsTokenIds: [[9]] },
      context,
    );
    const [a, b] = ["a", "b"].map((letter) => FIRST_BYTE + letter.charCodeAt(0));
    expect(badWordsTokenIds).toEqual([[9], [a, b]]);
  });

  it("keep the defaults of what is undefined", () => {
    const given = { temperature: undefined, minTokens: 2 } as unknown as Partial<SamplingParams>;
    expect(resolveSampling(given)).toMatchObject({ temperature: 1, minTokens: 2, n: 1 });
  });
});

describe("generation_config.json", () => {
  it("gives what the body leaves out, and nothing else", () => {
    const suggested = {
      temperature: 0.6,
      top_p: 0.95,
      top_k: 20,
      min_p: 0.1,
      repetition_penalty: 1.05,
    };
    const body = { temperature: 1, top_k: -1, repetition_penalty: null };
    expect(withSuggested(body, suggested)).toMatchObject({
      temperature: 1,
      top_p: 0.95,
      top_k: -1,
      min_p: 0.1,
      repetition_penalty: 1.05,
    });
  });
});

describe("allowed_token_ids", () => {
  it("make one mask for all steps of a request, and none of a rule's bits stays in it", () => {
    const vocabSize = 70;
    let rule = new Uint32Array([0xffffffff, 0, 0]);
    const params = {
      ...resolveSampling({ allowedTokenIds: [3, 40, 69] }),
      allowedTokens: () => rule,
    };
    const request = new Request("a", [1], params, 0);
    const maskAt = (numOutputs: number) => tokenRules(request, numOutputs, [], vocabSize).mask;
    expect(maskAt(0)).toEqual(new Uint32Array([8, 0, 0]));
    rule = new Uint32Array([0, 0xffffffff]);
    expect(maskAt(1)).toEqual(new Uint32Array([0, 256, 0]));
    const plain = new Request("b", [1], resolveSampling({ allowedTokenIds: [3, 40, 69] }), 0);
    const masks = [0, 1].map((numOutputs) => tokenRules(plain, numOutputs, [], vocabSize).mask);
    expect(masks[0]).toEqual(new Uint32Array([8, 256, 32]));
    expect(masks[1]).toBe(masks[0]);
  });
});
