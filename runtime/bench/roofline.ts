/** [runtime/bench] A report as a roofline picture: rate over operations a byte, beneath the measured ceilings. Plain SVG. */
import type { ContenderRole } from "./contender.ts";
import type { BenchReport } from "./report.ts";
import { svgDocument, svgEscaped, svgLine, svgNumber, svgText } from "./svg.ts";

interface Point {
  readonly label: string;
  readonly role: ContenderRole;
  /** Operations a byte. */
  readonly intensity: number;
  /** Operations a second. */
  readonly rate: number;
}

interface Axis {
  readonly from: number;
  readonly to: number;
  readonly place: (value: number) => number;
}

const WIDTH = 960;
const HEIGHT = 600;
const LEFT = 80;
const RIGHT = 24;
const TOP = 48;
const BOTTOM = 56;
const COLORS: Readonly<Record<ContenderRole, string>> = {
  own: "#1f5fbf",
  vendor: "#4d8f2a",
  foreign: "#b3541e",
};
const NAMES: Readonly<Record<ContenderRole, string>> = {
  own: "tilewright",
  vendor: "vendor",
  foreign: "foreign text",
};

/** @returns the text of an SVG file; only problems that count operations have a place in it */
export function rooflineSvg(report: BenchReport): string {
  const points = pointsOf(report);
  const { copy, products } = report.ceilings;
  const roofs = Object.entries(products).map(([dtype, { perSecond }]) => ({ dtype, perSecond }));
  // The corners, where bandwidth meets the roofs, belong in the picture wherever the points lie.
  const corners =
    copy === undefined ? [] : roofs.map(({ perSecond }) => perSecond / copy.perSecond);
  const x = logAxis([...points.map(({ intensity }) => intensity), ...corners], LEFT, WIDTH - RIGHT);
  const y = logAxis(
    [...points.map(({ rate }) => rate), ...roofs.map(({ perSecond }) => perSecond)],
    HEIGHT - BOTTOM,
    TOP,
  );
  const body = [
    ...grid(x, y),
    ...(copy === undefined ? [] : slope(x, y, copy.perSecond, roofs)),
    ...roofs.flatMap(({ dtype, perSecond }) => roof(x, y, copy?.perSecond, dtype, perSecond)),
    ...points.flatMap((point) => mark(x, y, point)),
    ...legend(points),
  ];
  const title = `${report.device.name}, ${report.startedAt.slice(0, 10)}`;
  return svgDocument({ width: WIDTH, height: HEIGHT }, LEFT, title, body);
}

function pointsOf({ results }: BenchReport): readonly Point[] {
  return results.flatMap(({ kernel, problem, bytes, flops, contenders }) =>
    contenders.flatMap(({ name, role, timings }): readonly Point[] => {
      // The last mode is the one that the problem is judged by: sustained or layers where they were run.
      const time = timings.at(-1)?.us.median;
      if (time === undefined || flops === 0 || bytes === 0) return [];
      const who = role === "own" ? kernel : name;
      return [
        { label: `${who} ${problem}`, role, intensity: flops / bytes, rate: (flops / time) * 1e6 },
      ];
    }),
  );
}

/** Powers of ten around the values. */
function logAxis(values: readonly number[], start: number, end: number): Axis {
  const logs = values.filter((value) => value > 0).map(Math.log10);
  const low = Math.floor(Math.min(...(logs.length === 0 ? [0] : logs)) - 0.2);
  const high = Math.max(low + 1, Math.ceil(Math.max(...(logs.length === 0 ? [1] : logs)) + 0.1));
  const place = (value: number) =>
    start + ((Math.log10(value) - low) / (high - low)) * (end - start);
  return { from: low, to: high, place };
}

function grid(x: Axis, y: Axis): readonly string[] {
  const lines: string[] = [];
  for (let e = x.from; e <= x.to; e++) {
    const at = x.place(10 ** e);
    lines.push(svgLine(at, TOP, at, HEIGHT - BOTTOM, "#ddd"));
    lines.push(svgText(at, HEIGHT - BOTTOM + 18, plain(10 ** e), 'text-anchor="middle"'));
  }
  for (let e = y.from; e <= y.to; e++) {
    const at = y.place(10 ** e);
    lines.push(svgLine(LEFT, at, WIDTH - RIGHT, at, "#ddd"));
    lines.push(svgText(LEFT - 8, at + 4, plain(10 ** (e - 12)), 'text-anchor="end"'));
  }
  lines.push(svgText((LEFT + WIDTH) / 2, HEIGHT - 14, "operations a byte", 'text-anchor="middle"'));
  lines.push(svgText(8, TOP - 12, "TFLOP/s"));
  return lines;
}

/** The bandwidth ceiling, up to the highest roof. */
function slope(
  x: Axis,
  y: Axis,
  bytesPerSecond: number,
  roofs: readonly { readonly perSecond: number }[],
): readonly string[] {
  const top = Math.min(10 ** y.to, Math.max(0, ...roofs.map((r) => r.perSecond)) || 10 ** y.to);
  const first = Math.max(10 ** x.from, 10 ** y.from / bytesPerSecond);
  const last = Math.min(10 ** x.to, top / bytesPerSecond);
  if (last <= first) return [];
  const label = `copy ${(bytesPerSecond / 1e12).toFixed(2)} TB/s`;
  return [
    svgLine(
      x.place(first),
      y.place(first * bytesPerSecond),
      x.place(last),
      y.place(last * bytesPerSecond),
      "#555",
    ),
    svgText(x.place(first) + 6, y.place(first * bytesPerSecond) - 8, label, 'fill="#555"'),
  ];
}

function roof(
  x: Axis,
  y: Axis,
  bytesPerSecond: number | undefined,
  dtype: string,
  perSecond: number,
): readonly string[] {
  const from = bytesPerSecond === undefined ? 10 ** x.from : perSecond / bytesPerSecond;
  const start = Math.min(10 ** x.to, Math.max(10 ** x.from, from));
  const at = y.place(perSecond);
  const label = `${dtype} ${(perSecond / 1e12).toFixed(0)} TFLOP/s`;
  return [
    svgLine(x.place(start), at, WIDTH - RIGHT, at, "#555"),
    svgText(WIDTH - RIGHT, at - 6, label, 'fill="#555" text-anchor="end"'),
  ];
}

function mark(x: Axis, y: Axis, { label, role, intensity, rate }: Point): readonly string[] {
  const [at, up, color] = [x.place(intensity), y.place(rate), COLORS[role]];
  const shape = shapeOf(role, at, up, color);
  const named = `<g><title>${svgEscaped(`${label}: ${(rate / 1e12).toPrecision(4)} TFLOP/s`)}</title>${shape}</g>`;
  if (role !== "own") return [named];
  return [named, svgText(at + 7, up + 14, label, `fill="${color}" font-size="10"`)];
}

function shapeOf(role: ContenderRole, x: number, y: number, color: string): string {
  switch (role) {
    case "own":
      return `<circle cx="${svgNumber(x)}" cy="${svgNumber(y)}" r="5" fill="${color}"/>`;
    case "vendor":
      return `<circle cx="${svgNumber(x)}" cy="${svgNumber(y)}" r="5" fill="none" stroke="${color}" stroke-width="2"/>`;
    case "foreign":
      return `<path d="M ${svgNumber(x)} ${svgNumber(y - 6)} l 5.5 10 h -11 z" fill="none" stroke="${color}" stroke-width="2"/>`;
    default:
      return role satisfies never;
  }
}

function legend(points: readonly Point[]): readonly string[] {
  const roles = (Object.keys(NAMES) as readonly ContenderRole[]).filter((role) =>
    points.some((point) => point.role === role),
  );
  return roles.flatMap((role, i) => {
    const at = WIDTH - RIGHT - 110 * (roles.length - i);
    return [shapeOf(role, at, 20, COLORS[role]), svgText(at + 12, 24, NAMES[role])];
  });
}

function plain(value: number): string {
  return value >= 1 ? value.toFixed(0) : String(Number(value.toPrecision(1)));
}
