/** [test/errors] Every error code of the language, and of its third tier when it runs or is compiled: a program that must fail with it, its message, and its remedy followed. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TilewrightError } from "../../dsl/index.ts";

const HERE = import.meta.dirname;
const DSL = join(HERE, "../../dsl");

interface ErrorCase {
  readonly fails: () => unknown;
  readonly works: () => unknown;
}

const CASES = readdirSync(join(HERE, "cases")).filter((file) => /^tw\d/.test(file));

function messageOf(step: () => unknown): TilewrightError {
  try {
    step();
  } catch (error) {
    if (error instanceof TilewrightError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("errors in kernels", () => {
  it.each(CASES)("%s", async (file) => {
    const path = `./cases/${file}`;
    const example = (await import(/* @vite-ignore */ path)) as ErrorCase;
    const error = messageOf(example.fails);
    const code = file.slice(0, 6).toUpperCase();
    expect(error.diagnostics.map((d) => d.code)).toEqual(error.diagnostics.map(() => code));
    for (const diagnostic of error.diagnostics) expect(diagnostic.remedy ?? "").not.toBe("");
    expect(error.message).not.toMatch(/(^|[\s"'(])\/[a-z]+\//m);
    await expect(`${error.message}\n`).toMatchFileSnapshot(
      `messages/${file.replace(/\.ts$/, ".txt")}`,
    );
    expect(example.works).not.toThrow();
  });

  it("has a case for every code that the language uses", () => {
    const files = readdirSync(DSL, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts"),
    );
    const used = files.flatMap(
      (file) => readFileSync(join(DSL, file), "utf8").match(/"TW1[0-2]\d\d"/g) ?? [],
    );
    const covered = CASES.map((file) => file.slice(0, 6).toUpperCase());
    expect(
      [...new Set(used)].map((code) => code.slice(1, -1)).filter((code) => !covered.includes(code)),
    ).toEqual([]);
  });
});
