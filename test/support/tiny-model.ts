/** [test/support] Model folders for tests: made under the temporary one, removed after the test file. What is in them is in tiny-files.ts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type TinyModelOptions, writeTinyFiles } from "./tiny-files.ts";

export {
  BOS,
  EOS,
  FIRST_BYTE,
  type NamedTensor,
  safetensorsOf,
  TINY_CONTEXT,
  type TinyModelOptions,
  writeJson,
  writeShards,
} from "./tiny-files.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Path of a new folder under the temporary one; it is removed after the test file. */
export function writeTinyModel(options: TinyModelOptions = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-tiny-"));
  folders.push(folder);
  writeTinyFiles(folder, options);
  return folder;
}
