/** [test/unit/codegen/protocol] Scheduled kernels with one fault in their protocol each, made by editing their text. No test here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import type { ScheduledKernel } from "../../../../codegen/ir/scheduled.ts";
import { verifyScheduled } from "../../../../codegen/ir/verify-scheduled.ts";

/** A change of a kernel's text. */
export type Edit = (text: string) => string;

const SCHEDULED = join(import.meta.dirname, "../scheduled");

export function scheduledText(name: string): string {
  return readFileSync(join(SCHEDULED, `${name}.txt`), "utf8");
}

/** Takes the lines that match away: the first, or the one at `which`. */
export function dropLine(pattern: RegExp, which = 0): Edit {
  return (text) => {
    const lines = text.split("\n");
    const found = lines.flatMap((line, i) => (pattern.test(line) ? [i] : []));
    const at = found.at(which);
    if (at === undefined) throw new Error(`no line ${which} matches ${pattern}`);
    return lines.toSpliced(at, 1).join("\n");
  };
}

/** Says a line once more. */
export function doubleLine(pattern: RegExp): Edit {
  return (text) => {
    const line = text.split("\n").find((candidate) => pattern.test(candidate));
    if (line === undefined) throw new Error(`no line matches ${pattern}`);
    return text.replace(line, `${line}\n${line}`);
  };
}

/** Puts the first line that matches `what` before the first that matches `before`. */
export function moveLine(what: RegExp, before: RegExp): Edit {
  return (text) => {
    const line = text.split("\n").find((candidate) => what.test(candidate));
    const target = text.split("\n").find((candidate) => before.test(candidate));
    if (line === undefined || target === undefined)
      throw new Error(`${what} or ${before} is not there`);
    return text.replace(`${line}\n`, "").replace(target, `${line}\n${target}`);
  };
}

export function replace(pattern: RegExp, by: string): Edit {
  return (text) => text.replace(pattern, by);
}

/** Name of the value that a pattern's group finds in the text, for edits that use another value. */
export function withValue(pattern: RegExp, edit: (name: string) => Edit): Edit {
  return (text) => {
    const name = pattern.exec(text)?.[1];
    if (name === undefined) throw new Error(`nothing matches ${pattern}`);
    return edit(name)(text);
  };
}

/** The edited kernel: another one, and still well-formed. */
export function editedKernel(name: string, edit: Edit): ScheduledKernel {
  const text = scheduledText(name);
  const edited = edit(text);
  if (edited === text) throw new Error("the edit changes nothing");
  const kernel = parseScheduled(edited);
  verifyScheduled(kernel);
  return kernel;
}
