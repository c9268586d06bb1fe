/** [test/types] What tsc prints for mistakes in kernels: our sentence, at the argument that is wrong. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const EXPECT = /^\s*\/\/ @ts-expect-error (.*)$/;

/** Lines of bad-kernels.ts that must fail: the sentence announced above each, without what stands in parentheses. */
const SOURCE = readFileSync(join(import.meta.dirname, "bad-kernels.ts"), "utf8");
const ANNOUNCED = SOURCE.split("\n").flatMap((line, i) => {
  const sentence = EXPECT.exec(line)?.[1];
  return sentence === undefined
    ? []
    : [{ line: i + 2, sentence: sentence.replace(/ \(.*\)$/, "") }];
});
const OURS = ANNOUNCED.filter(
  ({ sentence }) => /^\w+: /.test(sentence) && !sentence.startsWith("pid:"),
);

describe("type errors in kernels", () => {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-types-"));
  let printed = "";

  beforeAll(() => {
    const language = join(ROOT, "dsl/language.ts");
    const text = SOURCE.replace("../../dsl/language.ts", language).replaceAll(
      "@ts-expect-error",
      "",
    );
    writeFileSync(join(folder, "bad.ts"), text);
    const compilerOptions = {
      noEmit: true,
      rootDir: "/",
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(ROOT, "tsconfig.json"),
        compilerOptions,
        include: ["bad.ts"],
      }),
    );
    printed = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder, "--pretty", "false"], {
      encoding: "utf8",
    }).stdout;
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("announces enough of them", () => {
    expect(ANNOUNCED.length).toBeGreaterThanOrEqual(20);
    expect(OURS.length).toBeGreaterThan(12);
  });

  it.each(OURS.map(({ line, sentence }) => [line, sentence] as const))(
    "line %i: %s",
    (line, sentence) => {
      const messages = printed
        .split(/\n(?=\S)/)
        .filter((message) => new RegExp(`bad\\.ts\\(${line},`).test(message));
      const [first = ""] = sentence.split(",");
      expect(messages.join("\n").replaceAll("\\'", "'")).toContain(first);
    },
  );
});
