/** [test/engine] The Grafana board asks for nothing that /metrics does not have: names, labels, and every metric of ours is on it. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { createApp } from "../../engine/server/http.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: {
    readonly x: number;
    readonly y: number;
    readonly w: number;
    readonly h: number;
  };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
interface Board {
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly definition?: string }[];
  };
  readonly panels: readonly Panel[];
}

const text = readFileSync("engine/server/grafana.json", "utf8");
const board = JSON.parse(text) as Board;
const targets = board.panels.flatMap(({ title, targets: own = [] }) =>
  own.map((target) => ({ title, ...target })),
);
/** Metrics of an expression with the labels that it names. */
const NAME = /\b((?:vllm:|http_|process_|nodejs_)\w+)(?:\{([^}]*)\})?/g;

/** Series of a server that has answered one request: names, each with its labels. */
async function scrape(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const engine = await Engine.load({ model: writeTinyModel(), device: "null" });
  const app = createApp(engine);
  await app.inject({ method: "POST", url: "/v1/completions", payload: { prompt: "abc" } });
  const { body } = await app.inject({ url: "/metrics" });
  await app.close();
  await engine.close();
  const series = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of body.matchAll(/^(\w[\w:]*)\{([^}]*)\} /gm)) {
    const known = series.get(name) ?? new Set();
    series.set(name, known);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
  }
  return series;
}

describe("the Grafana board", () => {
  it("asks for metrics and labels that a server has", async () => {
    const series = await scrape();
    const exprs = [...targets.map(({ expr }) => expr), board.templating.list[1]?.definition ?? ""];
    const missing = exprs.flatMap((expr) =>
      [...expr.matchAll(NAME)].flatMap(([, name = "", matchers = ""]) => {
        const labels = series.get(name);
        if (labels === undefined) return [`${name} of ${expr}`];
        const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, by = ""]) =>
          by.split(/, */),
        );
        const matched = [...matchers.matchAll(/(\w+)=/g)].map(([, label = ""]) => label);
        return [...grouped, ...matched]
          .filter((label) => !labels.has(label))
          .map((label) => `${label} of ${name}`);
      }),
    );
    expect(missing).toEqual([]);
    expect(exprs.every((expr) => [...expr.matchAll(NAME)].length > 0)).toBe(true);
  });

  it("shows every metric of ours but the sizes of the cache", async () => {
    const shown = new Set([...text.matchAll(NAME)].map(([, name = ""]) => base(name)));
    const names = [...(await scrape()).keys()].map(base).filter((name) => name.startsWith("vllm:"));
    expect([...new Set(names)].filter((name) => !shown.has(name))).toEqual([
      "vllm:cache_config_info",
    ]);
  });

  it("names lines by labels that the sum keeps, and panels apart, side by side", () => {
    for (const { expr, legendFormat } of targets)
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect(expr).toMatch(new RegExp(`by \\([^)]*\\b${label}\\b`));
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    const cells = board.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(board.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

/** A histogram's three series are one metric. */
function base(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, "");
}
