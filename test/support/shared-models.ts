/** [test/support] Finds the model folders beside the repository that the proofs are made with, or says why a suite is skipped. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";

/** Beside the repository, or carried along inside it to a machine that gets the repository alone. */
const PLACES = ["../../../shared", "../../shared"] as const;

/** Path of `../shared/<path>`; undefined, with the reason printed and shown in the report, where it is absent. */
export function sharedFolder(suite: string, path: string): string | undefined {
  const folder = PLACES.map((place) => join(import.meta.dirname, place, path)).find(existsSync);
  if (folder !== undefined) return folder;
  const reason = `there is no ../shared/${path}`;
  console.warn(`skipped: ${suite}: ${reason}`);
  describe.skip(`${suite} (${reason})`, () => {});
  return undefined;
}

export function readJson<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, name), "utf8")) as T;
}
