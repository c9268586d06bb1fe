/** [test/replay] Two collections of texts → which changed, appeared and went, and by how many lines. Compiles nothing. */
import type { CollectedTexts } from "./collect-texts.ts";

export interface ChangedText {
  readonly id: string;
  readonly added: number;
  readonly removed: number;
}

export interface Comparison {
  readonly same: number;
  readonly changed: readonly ChangedText[];
  readonly appeared: readonly string[];
  readonly gone: readonly string[];
}

/** The text without the comments that name lines of source, which move with the source. */
export function withoutPlaces(text: string): string {
  return text.replaceAll(/^ *\/\/ [\w.-]+\.ts:\d+\n/gm, "");
}

/** Lines of `text` that `other` has not, each as often as it is more there. */
function surplus(text: string, other: string): number {
  const left = new Map<string, number>();
  for (const line of other.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
  return text.split("\n").filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count < 1;
  }).length;
}

export function compareTexts(before: CollectedTexts, after: CollectedTexts): Comparison {
  const both = Object.keys(after).filter((id) => Object.hasOwn(before, id));
  const changed = both.flatMap((id): readonly ChangedText[] => {
    const [old, now] = [withoutPlaces(before[id] ?? ""), withoutPlaces(after[id] ?? "")];
    if (old === now) return [];
    return [{ id, added: surplus(now, old), removed: surplus(old, now) }];
  });
  return {
    same: both.length - changed.length,
    changed,
    appeared: Object.keys(after).filter((id) => !Object.hasOwn(before, id)),
    gone: Object.keys(before).filter((id) => !Object.hasOwn(after, id)),
  };
}

/** The report, for people. */
export function formatComparison({ same, changed, appeared, gone }: Comparison): string {
  const list = (word: string, ids: readonly string[]): readonly string[] =>
    ids.map((id) => `${word}  ${id}`);
  return [
    ...changed.map(
      ({ id, added, removed }) => `changed   ${id}  (${added} lines more, ${removed} less)`,
    ),
    ...list("appeared", appeared),
    ...list("gone    ", gone),
    `${changed.length} changed, ${appeared.length} appeared, ${gone.length} gone, ${same} the same`,
    "",
  ].join("\n");
}
