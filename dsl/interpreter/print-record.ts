/** [dsl/interpreter] What the `print` op shows, as data and as text with coordinates. */
import { formatNumber } from "../ir/print.ts";
import { formatType, type ValueType } from "../ir/types.ts";
import { coordinatesOf } from "./checks.ts";

export interface PrintRecord {
  readonly label: string;
  readonly type: ValueType;
  readonly program: readonly [number, number, number];
  /** Row-major over the type's axes. */
  readonly values: Float64Array;
}

/** Elements of a tile that a printed text shows at most. */
const SHOWN = 64;

/** `label: f32[BM=2, BN=2] of program [0, 0, 0]`, then a line for each row of the last axis with its coordinates. */
export function formatPrint(record: PrintRecord): string {
  const { label, type, program, values } = record;
  const head = `${label}: ${formatType(type)} of program [${program.join(", ")}]`;
  const last = type.axes.at(-1);
  if (last === undefined) return `${head} = ${formatNumber(values[0] ?? 0)}`;
  const sizes = type.axes.map((axis) => axis.size);
  const lines = [head];
  const shown = Math.min(values.length, SHOWN);
  for (let at = 0; at < shown; at += last.size) {
    const row = [...values.subarray(at, Math.min(shown, at + last.size))].map(formatNumber);
    const place = [...coordinatesOf(at, sizes).slice(0, -1), "…"].join(", ");
    lines.push(`  [${place}] ${row.join(" ")}`);
  }
  if (shown < values.length) lines.push(`  … ${values.length - shown} more`);
  return lines.join("\n");
}
