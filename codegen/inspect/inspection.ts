/** [codegen/inspect] One compile as data for people: the source, what each stage made of it, remarks, layouts, shared memory. No HTML. */
import type { KernelDefinition } from "../../dsl/index.ts";
import type { Artifact, CompileRequest } from "../artifact.ts";
import { type CompileStages, compileStages } from "../compile.ts";
import { distinctRemarks } from "../explain.ts";
import { type DrawnBuffer, drawnBuffers } from "./drawn-buffers.ts";
import { type DrawnLayout, drawnLayouts } from "./drawn-layouts.ts";
import { irLines, type SourcePlace, type StageLine, textLines } from "./located-lines.ts";

/** What one pass left, or the text at the end. */
export interface InspectedStage {
  readonly pass: string;
  readonly level: "tile" | "scheduled" | "thread" | "text";
  /** False where a pass left the text as it was; then `lines` is empty. */
  readonly changed: boolean;
  readonly lines: readonly StageLine[];
}

/** A file of the kernel: all of its own, of others the parts that took part. */
export interface InspectedSource {
  readonly file: string;
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

export interface InspectedRemark {
  readonly pass: string;
  readonly message: string;
  readonly place?: SourcePlace;
}

/** JSON-serialisable. */
export interface Inspection {
  readonly kernel: string;
  readonly artifact: Omit<Artifact, "text" | "remarks">;
  readonly sources: readonly InspectedSource[];
  readonly stages: readonly InspectedStage[];
  readonly remarks: readonly InspectedRemark[];
  readonly layouts: readonly DrawnLayout[];
  readonly buffers: readonly DrawnBuffer[];
}

/** Lines shown around a used line of a file that is not the kernel's own. */
const AROUND = 2;

function stagesOf(stages: CompileStages): readonly InspectedStage[] {
  const before = new Map<string, string>([["tile", stages.tile]]);
  const made = stages.passes.map(({ pass, level, text }): InspectedStage => {
    const last = before.get(level);
    before.set(level, text);
    const changed = text !== last;
    return { pass, level, changed, lines: changed ? irLines(text, last) : [] };
  });
  const files = stages.files.map(({ file }) => file);
  return [
    { pass: "front end", level: "tile", changed: true, lines: irLines(stages.tile) },
    ...made,
    { pass: "emit", level: "text", changed: true, lines: textLines(stages.source, files) },
  ];
}

function usedLines(stages: readonly InspectedStage[], file: string): ReadonlySet<number> {
  const lines = stages.flatMap((stage) => stage.lines);
  return new Set(lines.flatMap(({ place }) => (place?.file === file ? [place.line] : [])));
}

function sourcesOf(
  { files }: CompileStages,
  stages: readonly InspectedStage[],
): readonly InspectedSource[] {
  return files.flatMap(({ file, text }, i) => {
    const lines = text
      .trimEnd()
      .split(/\r?\n/)
      .map((line, at) => ({ line: at + 1, text: line }));
    if (i === 0) return [{ file, lines }];
    const used = [...usedLines(stages, file)];
    const near = lines.filter(({ line }) => used.some((at) => Math.abs(at - line) <= AROUND));
    return near.length === 0 ? [] : [{ file, lines: near }];
  });
}

function remarksOf({ remarks }: Artifact): readonly InspectedRemark[] {
  return distinctRemarks(remarks).map(({ pass, message, loc }) => {
    const { file, line } = loc.span;
    return { pass, message, ...(line < 1 ? {} : { place: { file, line } }) };
  });
}

/**
 * Compiles a kernel and keeps what every stage left, beside the source.
 * @throws what `compile` throws
 */
export function inspect(definition: KernelDefinition, request: CompileRequest): Inspection {
  const compiled = compileStages(definition, request);
  const { text: _text, remarks: _remarks, ...artifact } = compiled.artifact;
  const stages = stagesOf(compiled);
  return {
    kernel: artifact.kernel,
    artifact,
    sources: sourcesOf(compiled, stages),
    stages,
    remarks: remarksOf(compiled.artifact),
    layouts: drawnLayouts(compiled.kernel),
    buffers: drawnBuffers(compiled.kernel),
  };
}
