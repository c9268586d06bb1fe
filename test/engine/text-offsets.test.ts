/** [test/engine] Offsets of tokens in a choice's text, by the example model's tokenizer: special tokens, leading spaces, stop strings. */
import { expect, it } from "vitest";
import { TextOffsets } from "../../engine/server/openai/text-offsets.ts";
import { Tokenizer } from "../../engine/tokenizer/tokenizer.ts";

const tokenizer = Tokenizer.load("examples/models/story-1m");

it("lets tokens begin where their text does", () => {
  const prompt = "Once upon a";
  for (const special of [true, false]) {
    const ids = tokenizer.encode(prompt, special);
    const hidden = special ? [0] : [];
    expect(new TextOffsets(tokenizer, true).ofPrompt(ids, prompt)).toEqual([...hidden, 0, 4, 9]);
  }
});

it("counts a special token that the prompt spells, but not one that is hidden from the output", () => {
  const [start = -1] = tokenizer.encode("", true);
  const name = tokenizer.tokenText(start);
  const prompt = `a${name}b`;
  const ids = tokenizer.encode(prompt, false);
  expect(ids).toContain(start);
  const at = ids.indexOf(start);
  const offsets = new TextOffsets(tokenizer, true).ofPrompt(ids, prompt);
  expect([offsets[at], offsets[at + 1]]).toEqual([1, 1 + name.length]);
  const output = [...tokenizer.encode("Once", false), start, ...tokenizer.encode(" upon", false)];
  expect(new TextOffsets(tokenizer, true).ofOutput(output, [], "Once upon")).toEqual([0, 4, 4]);
  const shown = new TextOffsets(tokenizer, false).ofOutput(output, [], `Once${name} upon`);
  expect(shown).toEqual([0, 4, 4 + name.length]);
});

it("stays within a text that a stop string cut, and goes on behind an echo", () => {
  const offsets = new TextOffsets(tokenizer, true);
  const ids = tokenizer.encode("Once upon a", false);
  offsets.ofPrompt(ids, "Once upon a");
  expect(offsets.ofOutput(ids, ids, "Once up")).toEqual([11, 15, 18]);
});
