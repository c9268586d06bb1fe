/** [test/unit/dsl] The reference table of ops is what the registry gives; run vitest with -u to write it anew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPS } from "../../../dsl/index.ts";

const DSL = join(import.meta.dirname, "../../../dsl");

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function table(): string {
  const rows = [...OPS.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { signature, doc }]) => `| \`${name}\` | \`${cell(signature)}\` | ${cell(doc)} |`);
  return [
    "# Operations",
    "Every op that a kernel's body may call, made from the records in `ops/` by `test/unit/dsl/operations.test.ts`. `?` marks what may be left",
    "out, `…dims` any number of them. A dim is a config value, a dim of a tensor that `specialize` fixes, or `axis(name, size)`; an axis is given by",
    'name: `"BM"`. Operators and `Math` work too: see [README.md](README.md).',
    "",
    "| op | call | meaning |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

/** The names in a list of arguments: what stands before `?`, without braces, dots and brackets. */
function openings(signature: string): readonly string[] {
  return [...signature.matchAll(/(\w+)\(/g)].map(([, name]) => name ?? "");
}

describe("operations", () => {
  it("lists what the registry gives", async () => {
    expect(OPS.size).toBeGreaterThan(60);
    await expect(table()).toMatchFileSnapshot(join(DSL, "OPERATIONS.md"));
  });

  it("is linked from the language's page and the README", () => {
    expect(readFileSync(join(DSL, "README.md"), "utf8")).toContain("(OPERATIONS.md)");
    expect(readFileSync(join(DSL, "../README.md"), "utf8")).toContain("(dsl/OPERATIONS.md)");
  });

  it.each([...OPS])("%s has a signature of its own name and one sentence", (name, op) => {
    expect(openings(op.signature)[0]).toBe(name);
    expect(op.signature).toMatch(/\)$/);
    expect(op.doc).toMatch(/^\S.*\.$/);
  });
});
