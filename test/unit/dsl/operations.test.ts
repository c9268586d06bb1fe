/** [test/unit/dsl] The reference table of ops is what the registry gives; run vitest with -u to write it anew. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KernelSourceError, kernelFromSource, lowerKernel, OPS } from "../../../dsl/index.ts";

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

/** How many arguments a signature lists, as TW1201 says it: "2" or "2 to 3". */
function countOf(signature: string): string {
  const inner = signature
    .slice(signature.indexOf("(") + 1, -1)
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, "list")
    .replace("() => ", "");
  if (inner === "") return "0";
  const parts = inner.split(", ");
  const required = parts.filter((part) => !part.endsWith("?")).length;
  return required === parts.length ? `${required}` : `${required} to ${parts.length}`;
}

/** What the front end says of a call with nine arguments. */
function complaintOn(name: string): string {
  const source = `import { kernel, out, ${name} } from "tilewright";
export const wrong = kernel({ name: "wrong", params: { y: out("f32", "M") }, grid: () => 1 }, () => {
  ${name}(${Array(9).fill(0).join(", ")});
});`;
  try {
    lowerKernel(kernelFromSource(source, "wrong"));
  } catch (error) {
    if (error instanceof KernelSourceError) return error.message;
    throw error;
  }
  return "";
}

/** All but ops that take any number of arguments, or in more than one form. */
const COUNTED = [...OPS].filter(([, op]) => !/…\w| or /.test(op.signature));

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
    expect(op.signature.startsWith(`${name}(`)).toBe(true);
    expect(op.signature).toMatch(/\)$/);
    expect(op.doc).toMatch(/^\S.*\.$/);
  });

  it.each(COUNTED)("%s takes as many arguments as its signature lists", (name, op) => {
    const message = complaintOn(name);
    expect(message).toMatch(
      new RegExp(`TW1201: ${name}\\(\\) takes ${countOf(op.signature)} arguments?\n`),
    );
    expect(message).toContain(`call it as ${op.signature}`);
  });
});
