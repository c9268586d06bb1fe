/** [test/unit/runtime] Manifests that are none are refused with the file and what is wrong with it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { readExported } from "../../../runtime/exported.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-exported-"));
afterAll(() => rmSync(folder, { recursive: true }));

it.each(["{", "null", "7"])("refuses %s", async (text) => {
  const file = join(folder, "kernel.json");
  writeFileSync(file, text);
  await expect(readExported(pathToFileURL(file))).rejects.toThrow(/TW3121[\s\S]*kernel\.json/);
});
