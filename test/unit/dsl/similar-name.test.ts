/** [test/unit/dsl] Which name was meant: near ones, other spellings, and none where nothing is near. */
import { describe, expect, it } from "vitest";
import { didYouMean, didYouMeanDType, similarName } from "../../../dsl/core/similar-name.ts";

describe("similarName", () => {
  it.each([
    ["a letter too few", "sofmax", ["softplus", "softmax", "max"], "softmax"],
    ["letters that changed places", "laod", ["store", "load", "all"], "load"],
    ["another case", "x", ["y", "X"], "X"],
    ["another spelling", "maxNumSeqs", ["max-model-len", "max_num_seqs"], "max_num_seqs"],
    ["the first of two as near", "wide", ["side", "tide"], "side"],
    ["nothing near", "banana", ["load", "store"], undefined],
    ["two letters that begin alike", "BW", ["warps", "BM", "BN"], "BM"],
    ["the name behind a prefix", "splitK", ["stages", "schedule.splitK"], "schedule.splitK"],
    ["two letters that begin otherwise", "aM", ["BM"], undefined],
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

it.each([
  ["int32", "i32"],
  ["Float16", "f16"],
  ["bfloat16", "bf16"],
  ["f61", "f16"],
  ["toString", undefined],
])("dtypes are known as others spell them: %s", (name, expected) => {
  expect(didYouMeanDType(name)).toBe(
    expected === undefined ? "" : `did you mean '${expected}'? Else `,
  );
  expect(didYouMeanDType(name, ["bool"])).toBe("");
});
