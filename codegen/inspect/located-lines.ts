/** [codegen/inspect] The text of a stage as lines with the places in the kernel's source that they came from. Prints no IR. */

/** A line of a file of the kernel. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
}

/** One line of a stage. */
export interface StageLine {
  /** Without the place behind it. */
  readonly text: string;
  readonly place?: SourcePlace;
  /** Not among the lines of the stage before on the same level. */
  readonly isNew: boolean;
}

/** What printers of IR write behind an op. */
const IR_PLACE = / {2}\/\/ (\S+):(\d+):\d+$/;
/** What targets write above the statements of a line; the name of the file alone. */
const TEXT_PLACE = /^\s*\/\/ ([^\s:/]+):(\d+)$/;

function countLines(text: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text?.split("\n") ?? []) {
    const plain = line.replace(IR_PLACE, "");
    counts.set(plain, (counts.get(plain) ?? 0) + 1);
  }
  return counts;
}

/**
 * Lines of a stage of IR.
 * @param before text of the stage before on the same level; without it no line is new
 */
export function irLines(text: string, before?: string): readonly StageLine[] {
  const known = countLines(before);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, file, at] = IR_PLACE.exec(line) ?? [];
      const plain = line.replace(IR_PLACE, "");
      const left = known.get(plain) ?? 0;
      known.set(plain, left - 1);
      const place = file === undefined ? {} : { place: { file, line: Number(at) } };
      return { text: plain, ...place, isNew: before !== undefined && left < 1 };
    });
}

/**
 * Lines of emitted text: a place holds from its comment to the next one, or to the end of the function.
 * @param files of the kernel, as spans name them
 */
export function textLines(text: string, files: readonly string[]): readonly StageLine[] {
  let place: SourcePlace | undefined;
  return text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const [, name, at] = TEXT_PLACE.exec(line) ?? [];
      const file = files.find((path) => path === name || path.endsWith(`/${name}`));
      if (file !== undefined) place = { file, line: Number(at) };
      if (line.startsWith("}")) place = undefined;
      return { text: line, ...(place && { place }), isNew: false };
    });
}
