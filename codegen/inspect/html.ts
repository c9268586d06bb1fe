/** [codegen/inspect] Elements of HTML as text: escaping, lines of code, coloured tiles. Knows no kernel. */
import type { SourcePlace } from "./located-lines.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** What joins a line of source with the lines made of it. */
export function placeKey({ file, line }: SourcePlace): string {
  return `${file}:${line}`;
}

/** One line of code with its number in front. */
export function codeLine(
  label: string | number,
  text: string,
  options: { readonly place?: SourcePlace | undefined; readonly isNew?: boolean } = {},
): string {
  const { place, isNew = false } = options;
  const key = place === undefined ? "" : ` data-p="${escapeHtml(placeKey(place))}"`;
  return `<div${isNew ? ' class="new"' : ""}${key}><i>${label}</i>${escapeHtml(text)}</div>`;
}

/** A cell of a tile. */
export interface Cell {
  readonly label: string;
  /** Degrees on the colour wheel. */
  readonly hue: number;
  /** Percent. */
  readonly lightness: number;
  readonly title: string;
  /** Cells of one key light up together. */
  readonly key: string;
}

/** Coloured cells in rows, numbered at the left and above. */
export function tileHtml(rows: readonly (readonly Cell[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const head = Array.from({ length: columns }, (_, i) => `<em>${i}</em>`);
  const lines = rows.map((row, i) => {
    const cells = row.map(
      ({ label, hue, lightness, title, key }) =>
        `<u style="--h:${hue};--l:${lightness}%" data-k="${escapeHtml(key)}" title="${escapeHtml(title)}">${escapeHtml(label)}</u>`,
    );
    const rest = Array.from({ length: columns - row.length }, () => "<em></em>");
    return [`<em>${i}</em>`, ...cells, ...rest].join("");
  });
  return [
    `<div class="tile" style="grid-template-columns:repeat(${columns + 1},auto)">`,
    ["<em></em>", ...head].join(""),
    ...lines,
    "</div>",
  ].join("\n");
}
