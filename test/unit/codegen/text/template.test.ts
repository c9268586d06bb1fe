/** [test/unit/codegen] Skeletons: filled unescaped, without their first line, and only from a context that fits. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { template } from "../../../../codegen/text/template.ts";
import { breakList, Writer } from "../../../../codegen/text/writer.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-template-"));
afterAll(() => rmSync(folder, { recursive: true }));

function skeleton(text: string): URL {
  const path = join(folder, "test.hbs");
  writeFileSync(path, `/** [test] A skeleton. */\n${text}`);
  return pathToFileURL(path);
}

describe("template", () => {
  const render = template(skeleton("{{#each rows}}{{name}} < {{size}};\n{{/each}}{{tail}}"), {
    rows: { each: { name: "string", size: "number" } },
    tail: "string",
  });

  it("fills in text as it is", () => {
    const rows = [{ name: "a & b", size: 3 }];
    expect(render({ rows, tail: "x<T>()" })).toBe("a & b < 3;\nx<T>()");
  });

  it.each<readonly [string, unknown, string]>([
    ["a field that is missing", { rows: [] }, "tail must be a string"],
    ["a field of another type", { rows: [], tail: 1 }, "tail must be a string"],
    [
      "a wrong element",
      { rows: [{ name: "a", size: "3" }], tail: "" },
      "rows[0].size must be a number",
    ],
    ["no array", { rows: {}, tail: "" }, "rows must be an array"],
    ["an unknown field", { rows: [], tail: "", more: 1 }, "has no field more"],
  ])("refuses %s", (_what, context, message) => {
    const loose = render as (context: unknown) => string;
    expect(() => loose(context)).toThrow(message);
  });

  it("refuses a text that names an unknown field", () => {
    const wrong = template(skeleton("{{head}}"), { tail: "string" });
    expect(() => wrong({ tail: "" })).toThrow("head");
  });
});

describe("Writer", () => {
  it("indents blocks and joins branches", () => {
    const writer = new Writer(1);
    writer.line("a;");
    writer.branches([
      { head: "if (b)", body: () => writer.line("c;") },
      { head: "else", body: () => writer.block("for (;;)", () => writer.line("d;")) },
    ]);
    expect(writer.text()).toBe(
      "  a;\n  if (b) {\n    c;\n  } else {\n    for (;;) {\n      d;\n    }\n  }",
    );
  });

  it("breaks a long list", () => {
    expect(breakList("f(", ["a", "b"], ")", 20)).toEqual(["f(a, b)"]);
    expect(breakList("f(", ["alpha", "beta", "gamma"], ")", 18)).toEqual([
      "f(",
      "    alpha, beta,",
      "    gamma)",
    ]);
  });
});
