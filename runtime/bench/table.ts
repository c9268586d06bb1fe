/** [runtime/bench] A report as a table of plain text. */
import type { CheckResult } from "./contender.ts";
import type { BenchReport, BenchResult, ContenderResult, Timing } from "./report.ts";

const HEAD = [
  "",
  "mode",
  "time µs",
  "p20–p80",
  "TFLOP/s",
  "GB/s",
  "% of ceiling",
  "× vendor",
  "× foreign",
  "MHz / W",
  "check",
] as const;
const NOTHING = "–";

/** Notes, ceilings and one table with a block of lines for each problem. */
export function formatReport(report: BenchReport): string {
  const { device, ceilings, notes, results } = report;
  const versions = Object.entries(device.versions).map(([name, version]) => `${name} ${version}`);
  const lines = [`${device.name} (${[device.driver, ...versions].join(", ")})`];
  if (ceilings.copy !== undefined)
    lines.push(`copy ${bandwidth(ceilings.copy.perSecond)} by ${ceilings.copy.how}`);
  for (const [dtype, ceiling] of Object.entries(ceilings.products))
    lines.push(
      `products of ${dtype} ${(ceiling.perSecond / 1e12).toFixed(0)} TFLOP/s by ${ceiling.how}`,
    );
  lines.push(...notes.map((note) => `note: ${note}`));
  const rows: (readonly string[])[] = [HEAD];
  for (const result of results) {
    rows.push([titleOf(result)]);
    for (const contender of result.contenders) rows.push(...rowsOf(contender));
  }
  if (results.length > 0) lines.push("", ...align(rows));
  const failures = results.flatMap(({ problem, contenders }) =>
    contenders.flatMap(({ name, detail, failure }) =>
      failure === undefined ? [] : [`${problem}, ${name} ${detail}: ${failure}`],
    ),
  );
  if (failures.length > 0) lines.push("", ...failures);
  return `${lines.join("\n")}\n`;
}

function titleOf({ kernel, problem, dtypes, checkedBy, numSets }: BenchResult): string {
  const types = Object.entries(dtypes).map(([name, dtype]) => `${name}=${dtype}`);
  const sets = numSets === 1 ? "" : `, ${numSets} sets of tensors in turn`;
  return `${kernel} ${problem}${types.length === 0 ? "" : ` ${types.join(" ")}`} (checked by ${checkedBy}${sets})`;
}

function rowsOf(contender: ContenderResult): readonly (readonly string[])[] {
  const name = `  ${contender.name}, ${contender.detail}`;
  if (contender.failure !== undefined)
    return [[name, NOTHING, "not timed", ...Array(7).fill(NOTHING), "FAILED"]];
  return contender.timings.map((timing, i) => [
    i === 0 ? name : "",
    ...cells(timing),
    i === 0 ? showCheck(contender.check) : "",
  ]);
}

function cells({ mode, us, chip, ...rest }: Timing): readonly string[] {
  return [
    mode,
    digits(us.median),
    `${digits(us.p20)}–${digits(us.p80)}`,
    rest.teraflops === 0 ? NOTHING : digits(rest.teraflops),
    digits(rest.gigabytesPerSecond),
    rest.percentOfCeiling === undefined ? NOTHING : rest.percentOfCeiling.toFixed(1),
    rest.ratioToVendor === undefined ? NOTHING : rest.ratioToVendor.toFixed(3),
    rest.ratioToForeign === undefined ? NOTHING : rest.ratioToForeign.toFixed(3),
    chip === undefined ? NOTHING : `${chip.smMHz} / ${chip.watts}`,
  ];
}

function showCheck(check: CheckResult | undefined): string {
  if (check === undefined) return "not checked";
  const relative =
    check.relativeError === undefined ? "" : `, error ${check.relativeError.toExponential(1)}`;
  return `${check.elements} right${relative}`;
}

/** Four significant digits, at least one decimal place of small numbers, never an exponent. */
function digits(value: number): string {
  if (!Number.isFinite(value)) return NOTHING;
  const leading = Math.floor(Math.log10(Math.max(Math.abs(value), 1e-6)));
  return value.toFixed(Math.max(0, Math.min(6, 3 - leading)));
}

/** Bytes a second with the unit that suits it. */
function bandwidth(perSecond: number): string {
  return perSecond >= 1e12 ? `${digits(perSecond / 1e12)} TB/s` : `${digits(perSecond / 1e9)} GB/s`;
}

/** Columns padded to equal widths, those without a figure left out; rows of one cell span all. */
function align(rows: readonly (readonly string[])[]): readonly string[] {
  const [head, ...full] = rows.filter((row) => row.length > 1);
  const kept = (head ?? []).flatMap((_, column) =>
    full.some((row) => !["", NOTHING].includes(row[column] ?? "")) ? [column] : [],
  );
  const widths = kept.map((column) =>
    Math.max(...rows.filter((row) => row.length > 1).map((row) => row[column]?.length ?? 0)),
  );
  return rows.map((row) => {
    if (row.length === 1) return row[0] ?? "";
    const padded = kept.map((column, i) => {
      const isLeft = column <= 1 || column === HEAD.length - 1;
      const cell = row[column] ?? "";
      return isLeft ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0);
    });
    return padded.join("  ").trimEnd();
  });
}
