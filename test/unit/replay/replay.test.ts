/** [test/unit/replay] What a replay reports: changed, appeared and gone texts, whatever lines of source they name. */
import { describe, expect, it } from "vitest";
import { collectTexts } from "../../replay/collect-texts.ts";
import { compareTexts, formatComparison } from "../../replay/compare-texts.ts";

describe("compareTexts", () => {
  it("counts the lines that are more and less", () => {
    const before = { a: "x\nx\ny\n", b: "same\n", old: "" };
    const after = { a: "x\nz\ny\ny\n", b: "same\n", fresh: "" };
    expect(compareTexts(before, after)).toEqual({
      same: 1,
      changed: [{ id: "a", added: 2, removed: 1 }],
      appeared: ["fresh"],
      gone: ["old"],
    });
  });

  it("passes over comments that name lines of source, and over nothing else", () => {
    const text = (line: number, comment: string) =>
      `{\n  // linear.ts:${line}\n  // ${comment}\n}\n`;
    expect(compareTexts({ a: text(3, "one") }, { a: text(9, "one") }).changed).toEqual([]);
    expect(compareTexts({ a: text(3, "one") }, { a: text(3, "two") }).changed.length).toBe(1);
  });

  it("is reported with its totals last", () => {
    const lines = formatComparison(compareTexts({ a: "1", b: "2" }, { a: "3", b: "2" })).split(
      "\n",
    );
    expect(lines).toEqual([
      "changed   a  (1 lines more, 1 less)",
      "1 changed, 0 appeared, 0 gone, 1 the same",
      "",
    ]);
  });
});

describe("collectTexts", () => {
  it("gives a text for each machine and dtype, the same each time", () => {
    const texts = collectTexts(["silu_and_mul"]);
    const ids = Object.keys(texts);
    for (const machine of ["cuda sm_80", "cuda sm_90a", "hip gfx90a", "hip gfx1100", "wgsl"])
      expect(ids.filter((id) => id.startsWith(`${machine}: silu_and_mul, `)).length).toBe(3);
    expect(ids.length).toBe(15);
    expect(Object.values(texts).filter((text) => !text.includes("silu_and_mul"))).toEqual([]);
    expect(compareTexts(texts, collectTexts(["silu_and_mul"]))).toMatchObject({ same: 15 });
  });
});
