/** [test/regressions] The 40 kinds of bug that serving engines were reported to have: each has a test that names it, or a reason why it cannot arise here. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

/** What was reported, and why it cannot arise where no test names it. */
const CLASSES: readonly (readonly [reported: string, reason?: string])[] = [
  ["clients leave and their requests run on"],
  ["an abort meets an id that is used again, and pages leak"],
  ["two live requests of one id"],
  ["names of pages can be foretold or collide"],
  ["a salt is taken for an adapter"],
  ["an adapter that was loaded again finds what the one before computed"],
  ["what is cached tells of others' prompts by its time"],
  ["tokens are lost, doubled or wrong after preemption"],
  ["requests preempt each other without end"],
  ["a request that is larger than the cache waits for ever"],
  ["text of the prompt leaks into output that begins in the middle of a character"],
  ["characters arrive as U+FFFD"],
  ["part of a stop string is streamed"],
  ["text and ids of a report disagree"],
  ["streams end without a reason, or with usage in the wrong chunk"],
  ["a grammar or rule that fails stops the engine"],
  ["ids outside of the vocabulary"],
  ["logits that are no numbers"],
  ["prompt log-probabilities are short under a prefix cache"],
  ["top log-probabilities of several tokens in a chunk go astray"],
  ["choices of n > 1 are dropped or overwritten"],
  ["usage is counted otherwise in another mode"],
  [
    "streamed arguments of tool calls are broken",
    "answers have no tool calls: 'tools' and 'functions' that are not empty are refused with 400 (TW4303), and nothing parses outputs",
  ],
  ["two BOS"],
  ["control tokens that a user typed"],
  [
    "drafts corrupt the cache, or pass over grammars and penalties",
    "there are no drafts: a step samples one token a sequence, at its end (StepEntry.samples), and positions of a cache are never taken back",
  ],
  ["min_tokens is off by one, echo with max_tokens of 0 fails"],
  ["loading fails where others use the device, or says not why"],
  ["padding rows or stale rows write into live pages"],
  ["pages leak on aborts and preemption"],
  ["a page is freed while a step still reads it"],
  ["a window is taken for all layers"],
  ["addresses of images are fetched from inside"],
  ["a huge prompt keeps /health waiting"],
  ["times and hits are counted again after preemption"],
  ["no drain, orphaned processes"],
  ["tensors are silently missing"],
  ["one request that outgrows the context fails all, or goes on for ever"],
  ["seeds repeat, or change with the batch"],
  ["an answer that was cut says no reason"],
];
const NUMBER_OF_CLASSES = 40;

const tests = join(import.meta.dirname, "..");

/** Numbers of the classes that titles of tests name, `bug class 7, …`. */
function namedClasses(): ReadonlySet<number> {
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((file) => file.endsWith(".test.ts") && !file.endsWith("bug-classes.test.ts"))
    .map((file) => readFileSync(join(tests, file), "utf8"));
  const titles = texts.flatMap((text) => [...text.matchAll(/["`]bug class (\d+)[,:]/g)]);
  return new Set(titles.map(([, number]) => Number(number)));
}

describe("the reported kinds of bug", () => {
  const named = namedClasses();

  it("are all here, and no test names one that is not", () => {
    expect(CLASSES).toHaveLength(NUMBER_OF_CLASSES);
    expect([...named].filter((number) => CLASSES[number - 1] === undefined)).toEqual([]);
  });

  it.each(CLASSES.map(([reported, reason], i) => [i + 1, reported, reason] as const))(
    "%i, %s: has a test or a reason",
    (number, _reported, reason) => {
      const how = [
        named.has(number) ? "a test" : [],
        reason === undefined ? [] : "a reason",
      ].flat();
      expect(how).toHaveLength(1);
      if (reason !== undefined) expect(reason.length).toBeGreaterThan(40);
    },
  );
});
