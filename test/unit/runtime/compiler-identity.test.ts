/** [test/unit/runtime] The compiler's part of a cache key: another compiler, another key. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { compilerIdentity, identityOf } from "../../../runtime/compiler-identity.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "tilewright-identity-"));
  for (const folder of ["dsl/kernels", "codegen/passes"])
    mkdirSync(join(root, folder), { recursive: true });
  write("dsl/index.ts", "export {};");
  write("codegen/passes/fold.ts", "export const a = 1;");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  writeFileSync(join(root, name), text);
  utimesSync(join(root, name), 1000, 1000);
}

it("is the same while nothing changes", () => {
  expect(identityOf(root)).toBe(identityOf(root));
  expect(compilerIdentity()).toBe(compilerIdentity());
});

it.each([
  ["a pass grows", () => write("codegen/passes/fold.ts", "export const a = 12;")],
  ["a pass is added", () => write("codegen/passes/sort.ts", "")],
  ["a prelude is added", () => write("codegen/prelude.cuh", "")],
  ["a file of the same size is newer", () => utimesSync(join(root, "dsl/index.ts"), 2000, 2000)],
])("is another when %s", (_name, change) => {
  const before = identityOf(root);
  change();
  expect(identityOf(root)).not.toBe(before);
});

it("stays when kernels and documents change: kernels are in each key by their content", () => {
  const before = identityOf(root);
  write("dsl/kernels/norm.ts", "export const k = 1;");
  write("dsl/README.md", "# dsl");
  expect(identityOf(root)).toBe(before);
});

it("is what the build wrote down, whatever the times of its files", () => {
  write("build.json", '{"sources":"abc"}');
  const before = identityOf(root);
  utimesSync(join(root, "dsl/index.ts"), 2000, 2000);
  expect(identityOf(root)).toBe(before);
  write("build.json", '{"sources":"abd"}');
  expect(identityOf(root)).not.toBe(before);
});
