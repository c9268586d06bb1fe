/** [engine/cli] Reads and writes what a flag names a path for. Decides no contents. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ModelError, RequestError } from "../../dsl/index.ts";

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

/** @throws ModelError TW4316 for a file that cannot be read */
export function readText(flag: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new ModelError({
      code: "TW4316",
      message: `the file of ${flag} cannot be read`,
      seen: String((cause as Error).message),
      expected: "a file of text",
      remedy: "correct the flags",
    });
  }
}
