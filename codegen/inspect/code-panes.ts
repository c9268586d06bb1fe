/** [codegen/inspect] The code of a kernel's page: its source with remarks at their lines, and every stage. HTML parts only. */
import { codeLine, escapeHtml } from "./html.ts";
import type { InspectedRemark, InspectedSource, InspectedStage, Inspection } from "./inspection.ts";

function remarkHtml({ pass, message }: InspectedRemark): string {
  return `<div class="remark"><b>${escapeHtml(pass)}</b>: ${escapeHtml(message)}</div>`;
}

function sourceHtml(
  { file, lines }: InspectedSource,
  remarks: readonly InspectedRemark[],
): readonly string[] {
  const body = lines.flatMap(({ line, text }, i) => {
    const last = lines[i - 1]?.line ?? 0;
    const gap = line > last + 1 ? ['<div class="gap">…</div>'] : [];
    const here = remarks.filter(({ place }) => place?.file === file && place.line === line);
    return [...gap, codeLine(line, text, { place: { file, line } }), ...here.map(remarkHtml)];
  });
  return [`<b class="head">${escapeHtml(file)}</b>`, '<div class="code">', ...body, "</div>"];
}

/** Every file, and under them the remarks that belong to no shown line. */
export function sourcesHtml({ sources, remarks }: Inspection): string {
  const isShown = ({ place }: InspectedRemark): boolean =>
    sources.some(
      ({ file, lines }) => file === place?.file && lines.some(({ line }) => line === place.line),
    );
  const rest = remarks.filter((remark) => !isShown(remark));
  return [
    ...sources.flatMap((source) => sourceHtml(source, remarks)),
    ...(rest.length === 0 ? [] : ['<b class="head">the whole kernel</b>', ...rest.map(remarkHtml)]),
  ].join("\n");
}

const LEVELS: Readonly<Record<InspectedStage["level"], string>> = {
  tile: "tile IR",
  scheduled: "scheduled IR",
  thread: "thread IR",
  text: "text",
};

/** Passes by level; those that changed nothing are dotted and lead to what they left as it was. */
export function navigationHtml({ stages }: Inspection): string {
  let shown = 0;
  return stages
    .flatMap(({ pass, level, changed }, i) => {
      if (changed) shown = i;
      const head = stages[i - 1]?.level === level ? [] : [`<span>${LEVELS[level]}</span>`];
      const note = changed ? "" : ' class="same" title="unchanged"';
      return [...head, `<a href="#stage-${shown}"${note}>${escapeHtml(pass)}</a>`];
    })
    .join("\n");
}

function stageHtml({ pass, level, lines }: InspectedStage, index: number): string {
  const added = lines.filter(({ isNew }) => isNew).length;
  const note = added === 0 ? "" : `, ${added} of ${lines.length} lines new`;
  return [
    `<section class="stage" id="stage-${index}">`,
    `<b class="head">${escapeHtml(`${pass} (${LEVELS[level]})${note}`)}</b>`,
    '<div class="code">',
    ...lines.map(({ text, place, isNew }, i) => codeLine(i + 1, text, { place, isNew })),
    "</div>",
    "</section>",
  ].join("\n");
}

/** The stages that changed something, each with its id. */
export function stagesHtml({ stages }: Inspection): string {
  return stages.flatMap((stage, i) => (stage.changed ? [stageHtml(stage, i)] : [])).join("\n");
}
