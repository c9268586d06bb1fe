/** [codegen/targets] Targets by name: those of the catalogue, and those that a program brings along. */
import { UnsupportedError } from "../../dsl/index.ts";
import { TARGETS } from "./catalogue.ts";
import type { Target } from "./target.ts";

const NAME = /^[a-z][a-z0-9-]*$/;

/** Targets that were added, for as long as the process runs. */
const added = new Map<string, Target>();

function own(name: string): Target | undefined {
  return Object.values(TARGETS).find((target) => target.name === name);
}

/**
 * Adds a target of one's own: from here on `compile` and launches take specs with its name, like those of the targets in the catalogue.
 * The same target may be added again; nothing changes then.
 * @throws UnsupportedError TW2307 where the name is none, or another target has it
 */
export function registerTarget(target: Target): void {
  const { name } = target;
  const holder = own(name) ?? added.get(name);
  if (holder === target) return;
  if (holder !== undefined || !NAME.test(name)) {
    throw new UnsupportedError({
      code: "TW2307",
      message:
        holder === undefined ? "a target has no usable name" : "two targets have the same name",
      seen: JSON.stringify(name),
      expected:
        holder === undefined
          ? "lower-case letters, digits and dashes, starting with a letter"
          : `a name other than ${targetNames().join(", ")}`,
      remedy: "rename the target",
    });
  }
  added.set(name, target);
}

/** Names of all targets, those of the catalogue first. */
export function targetNames(): readonly string[] {
  return [...Object.keys(TARGETS), ...added.keys()];
}

/** @throws UnsupportedError TW2308 for a name that no target has */
export function targetNamed(name: string): Target {
  const found = own(name) ?? added.get(name);
  if (found !== undefined) return found;
  throw new UnsupportedError({
    code: "TW2308",
    message: "there is no such target",
    seen: name,
    expected: targetNames().join(", "),
    remedy: "correct the name, or call registerTarget() before the first compile",
  });
}

/**
 * What the texts of a target depend on besides the compiler's own sources: "" for the catalogue's, the version of one that was added,
 * undefined where that has none, so that nothing made for it may be kept.
 */
export function targetVersion(name: string): string | undefined {
  return own(name) === undefined ? targetNamed(name).version : "";
}
