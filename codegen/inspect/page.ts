/** [codegen/inspect] An inspection as one HTML page that loads nothing. What it says is in inspection.ts. */
import { assetUrl } from "../text/asset.ts";
import { template } from "../text/template.ts";
import { navigationHtml, sourcesHtml, stagesHtml } from "./code-panes.ts";
import { escapeHtml } from "./html.ts";
import type { Inspection } from "./inspection.ts";
import { buffersHtml, layoutsHtml } from "./tile-cards.ts";

function pairs(record: Readonly<Record<string, unknown>>, join = "="): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}${join}${String(value)}`)
    .join(" ");
}

function factsOf({ artifact }: Inspection): readonly string[] {
  const { threads, sharedBytes, dtypes, config, fixedDims, divisibility, cluster } = artifact;
  const launch = [
    `${threads} threads`,
    `${sharedBytes} bytes of shared memory`,
    ...(cluster === undefined ? [] : [`clusters of ${cluster} blocks`]),
    ...(artifact.persistent === undefined ? [] : ["persistent blocks"]),
  ];
  const chosen: readonly (readonly [string, string])[] = [
    ["dtypes", pairs(dtypes)],
    ["config", pairs(config)],
    ["dims fixed", pairs(fixedDims)],
    ["dims divisible", pairs(divisibility, "%")],
  ];
  const named = chosen.flatMap(([name, text]) => (text === "" ? [] : [`${name}: ${text}`]));
  return [launch.join(", "), ...(named.length === 0 ? [] : [named.join("; ")])].map(escapeHtml);
}

/** The stage that is open at first: the schedule, where layouts appear. */
function firstStage({ stages }: Inspection): string {
  const last = stages.findLastIndex(({ level, changed }) => level === "scheduled" && changed);
  return String(Math.max(0, last));
}

/** The whole page; equal inspections give equal bytes. */
export function inspectionPage(inspection: Inspection): string {
  const render = template(assetUrl("inspect/page.hbs"), {
    title: "string",
    facts: "strings",
    navigation: "string",
    sources: "string",
    stages: "string",
    layouts: "string",
    buffers: "string",
    first: "string",
  });
  const { target, arch } = inspection.artifact.target;
  return render({
    title: escapeHtml([inspection.kernel, "for", target, arch ?? ""].join(" ").trim()),
    facts: factsOf(inspection),
    navigation: navigationHtml(inspection),
    sources: sourcesHtml(inspection),
    stages: stagesHtml(inspection),
    layouts: layoutsHtml(inspection.layouts),
    buffers: buffersHtml(inspection.buffers),
    first: firstStage(inspection),
  });
}
