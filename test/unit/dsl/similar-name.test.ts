/** [test/unit/dsl] Which name was meant: near ones, other spellings, and none where nothing is near. */
import { describe, expect, it } from "vitest";
import { didYouMean, similarName } from "../../../dsl/core/similar-name.ts";

describe("similarName", () => {
  it.each([
    ["a letter too few", "sofmax", ["softplus", "softmax", "max"], "softmax"],
    ["letters that changed places", "laod", ["store", "load", "all"], "load"],
    ["another case", "x", ["y", "X"], "X"],
    ["another spelling", "maxNumSeqs", ["max-model-len", "max_num_seqs"], "max_num_seqs"],
    ["the first of two as near", "wide", ["side", "tide"], "side"],
    ["nothing near", "banana", ["load", "store"], undefined],
    ["a short name that differs", "x", ["y", "z"], undefined],
    ["itself alone", "load", ["load"], undefined],
    ["two letters of four", "lost", ["load"], undefined],
  ])("finds %s", (_what, name, known, expected) => {
    expect(similarName(name, known)).toBe(expected);
    expect(didYouMean(name, known)).toBe(
      expected === undefined ? "" : `did you mean '${expected}'? Else `,
    );
  });
});
