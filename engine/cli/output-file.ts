/** [engine/cli] Writes what a flag names a path for. Decides no contents. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { RequestError } from "../../dsl/index.ts";

/**
 * @param flag for the message
 * @param path nothing is written, or made, where it is absent
 * @param makeFolder whether the file's folder is made where there is none
 * @throws RequestError TW4407 where it cannot be written
 */
export function writeOutput(
  flag: string,
  path: string | undefined,
  content: () => string | Uint8Array,
  makeFolder = false,
): void {
  if (path === undefined) return;
  const data = content();
  try {
    if (makeFolder) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, data);
  } catch (cause) {
    throw new RequestError({
      code: "TW4407",
      message: "the output cannot be written",
      seen: cause instanceof Error ? cause.message : String(cause),
      expected: makeFolder
        ? "a folder, or a path where one can be made"
        : "a path in a folder that exists",
      remedy: `correct ${flag}`,
    });
  }
}
