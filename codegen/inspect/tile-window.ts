/** [codegen/inspect] Which elements of a tile a drawing shows: the corner of its last two axes, or one axis in rows. Draws nothing. */
import type { Axis } from "../../dsl/index.ts";

/** The elements that are drawn, as rows of coordinates in the order of the tile's axes. */
export interface TileWindow {
  /** What the rows and columns are, and what is left out: `BM × BN, 32 of 128 rows`. */
  readonly caption: string;
  readonly rows: readonly (readonly (readonly number[])[])[];
}

export const MOST_ROWS = 32;
export const MOST_COLUMNS = 64;

function partOf(shown: number, all: number, word: string): string {
  return shown === all ? `${all} ${word}` : `${shown} of ${all} ${word}`;
}

function range(n: number): readonly number[] {
  return Array.from({ length: n }, (_, i) => i);
}

/** One axis, wrapped; a tile with one element is one cell. */
function lineWindow(axes: readonly Axis[], along: number): TileWindow {
  const { name, size } = axes[along] ?? { name: "element", size: 1 };
  const columns = Math.min(MOST_COLUMNS, size);
  const rows = Math.min(MOST_ROWS, Math.ceil(size / columns));
  const at = (place: number) => axes.map((_, i) => (i === along ? place : 0));
  return {
    caption: `${name}, in rows of ${columns}, ${partOf(Math.min(size, rows * columns), size, "elements")}`,
    rows: range(rows).map((row) =>
      range(Math.min(columns, size - row * columns)).map((column) => at(row * columns + column)),
    ),
  };
}

/** The window of a tile; axes before the last two that are longer than 1 stay at 0. */
export function tileWindow(axes: readonly Axis[]): TileWindow {
  const long = axes.flatMap((axis, i) => (axis.size > 1 ? [i] : []));
  const [y, x] = long.slice(-2);
  if (y === undefined || x === undefined) return lineWindow(axes, y ?? axes.length - 1);
  const [down, across] = [axes[y], axes[x]];
  const [height, width] = [down?.size ?? 1, across?.size ?? 1];
  const [rows, columns] = [Math.min(MOST_ROWS, height), Math.min(MOST_COLUMNS, width)];
  const others = long.slice(0, -2).map((i) => `${axes[i]?.name} = 0`);
  const caption = [
    `${down?.name} down, ${across?.name} across`,
    partOf(rows, height, "rows"),
    partOf(columns, width, "columns"),
    ...others,
  ].join(", ");
  const at = (row: number, column: number) =>
    axes.map((_, i) => (i === y ? row : i === x ? column : 0));
  return { caption, rows: range(rows).map((r) => range(columns).map((c) => at(r, c))) };
}
