/** [engine/bench-serve] A sweep over rates as a picture: first tokens, gaps between tokens, throughput. Plain SVG. */
import { svgDocument, svgEscaped, svgLine, svgNumber, svgText } from "../../runtime/index.ts";
import { rateName, type Spread } from "./report.ts";
import type { LoadRun } from "./run.ts";

interface Curve {
  readonly name: string;
  readonly color: string;
  /** One value a run; NaN where nothing came through. */
  readonly values: readonly number[];
}

interface Panel {
  readonly title: string;
  readonly curves: readonly Curve[];
}

const PANEL = { width: 340, height: 300 } as const;
const LEFT = 64;
const RIGHT = 16;
const TOP = 84;
const BOTTOM = 56;
const HEIGHT = PANEL.height + TOP + BOTTOM;
/** As in the picture of `bench`. */
const COLORS = ["#1f5fbf", "#4d8f2a", "#b3541e"] as const;
const MOST_TICKS = 6;

/** @param title what was measured, on what */
export function sweepSvg(title: string, runs: readonly LoadRun[]): string {
  const panels = panelsOf(runs);
  const rates = runs.map(({ rate }) => rateName(rate));
  const width = panels.length * (PANEL.width + LEFT + RIGHT);
  const body = panels.flatMap((panel, i) =>
    drawPanel(panel, rates, i * (PANEL.width + LEFT + RIGHT) + LEFT),
  );
  return svgDocument({ width, height: HEIGHT }, LEFT, title, body);
}

function panelsOf(runs: readonly LoadRun[]): readonly Panel[] {
  const percentiles = (read: (run: LoadRun) => Spread): readonly Curve[] =>
    (["p50", "p90", "p99"] as const).map((name, i) => ({
      name,
      color: COLORS[i] ?? COLORS[0],
      values: runs.map((run) => read(run)[name]),
    }));
  const tokens = {
    name: "output tokens/s",
    color: COLORS[0],
    values: runs.map(({ report }) => report.outputTokensPerSecond),
  };
  const served: readonly Curve[] = [
    {
      name: "requests/s",
      color: COLORS[0],
      values: runs.map(({ report }) => report.requestsPerSecond),
    },
    ...(runs.some(({ report }) => report.goodput !== undefined)
      ? [
          {
            name: "within the goals",
            color: COLORS[2],
            values: runs.map(({ report }) => report.goodput ?? Number.NaN),
          },
        ]
      : []),
  ];
  return [
    { title: "time to first token, ms", curves: percentiles(({ report }) => report.ttft) },
    { title: "between tokens, ms", curves: percentiles(({ report }) => report.itl) },
    { title: "throughput, output tokens/s", curves: [tokens] },
    { title: "throughput, requests/s", curves: served },
  ];
}

/** Rates stand side by side, whatever lies between them: `inf` has no place on a scale. */
function drawPanel(
  { title, curves }: Panel,
  rates: readonly string[],
  left: number,
): readonly string[] {
  const bottom = TOP + PANEL.height;
  const right = left + PANEL.width;
  const values = curves.flatMap((curve) => curve.values).filter(Number.isFinite);
  const step = niceStep(Math.max(0, ...values));
  const most = step * Math.max(1, Math.ceil(Math.max(0, ...values) / step));
  const x = (i: number) => left + (PANEL.width * (i + 0.5)) / rates.length;
  const y = (value: number) => bottom - (PANEL.height * value) / most;
  const ticks = Array.from({ length: Math.round(most / step) + 1 }, (_, i) => i * step);
  return [
    svgText(left, TOP - 32, title, 'font-weight="bold"'),
    ...ticks.flatMap((tick) => [
      svgLine(left, y(tick), right, y(tick), "#ddd"),
      svgText(left - 8, y(tick) + 4, String(Number(tick.toPrecision(6))), 'text-anchor="end"'),
    ]),
    ...rates.map((rate, i) => svgText(x(i), bottom + 18, rate, 'text-anchor="middle"')),
    svgText((left + right) / 2, bottom + 40, "requests a second asked for", 'text-anchor="middle"'),
    ...curves.flatMap((curve, i) => [
      `<circle cx="${svgNumber(left + 5 + 110 * i)}" cy="${svgNumber(TOP - 16)}" r="4" fill="${curve.color}"/>`,
      svgText(left + 14 + 110 * i, TOP - 12, curve.name),
      ...drawCurve(curve, rates, x, y),
    ]),
  ];
}

function drawCurve(
  { name, color, values }: Curve,
  rates: readonly string[],
  x: (i: number) => number,
  y: (value: number) => number,
): readonly string[] {
  const known = values.flatMap((value, i) => (Number.isFinite(value) ? [{ value, i }] : []));
  const at = ({ value, i }: { readonly value: number; readonly i: number }) =>
    `${svgNumber(x(i))},${svgNumber(y(value))}`;
  return [
    `<polyline points="${known.map(at).join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>`,
    ...known.map(({ value, i }) => {
      const label = svgEscaped(`${name} at ${rates[i]}: ${value.toFixed(2)}`);
      return `<circle cx="${svgNumber(x(i))}" cy="${svgNumber(y(value))}" r="4" fill="${color}"><title>${label}</title></circle>`;
    }),
  ];
}

/** 1, 2 or 5 times a power of ten, so that no more than a few lines are drawn. */
function niceStep(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most / MOST_TICKS));
  const factor = [1, 2, 5].find((one) => most / (one * power) <= MOST_TICKS) ?? 10;
  return factor * power;
}
