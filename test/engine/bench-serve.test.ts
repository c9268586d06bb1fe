/** [test/engine] bench-serve against the server: every request is counted, whatever becomes of it; its numbers add up. */
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRequest } from "../../engine/bench-serve/client.ts";
import { arrivalGaps, DATASETS, makeRequests } from "../../engine/bench-serve/dataset.ts";
import { fullDialect } from "../../engine/bench-serve/dialect.ts";
import { formatReport, makeReport, spread } from "../../engine/bench-serve/report.ts";
import { runLoad } from "../../engine/bench-serve/run.ts";
import { tilewright } from "../support/run-command.ts";
import { serveForTests } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const served = serveForTests(() => ({ model: writeTinyModel(), servedModelName: "tiny" }));
const FULL = fullDialect("completions");
const shape = { numPrompts: 12, inputLen: 8, outputLen: 5, prefixLen: 16, vocabSize: 200, seed: 1 };

describe("bench-serve", () => {
  it.each(DATASETS)("measures requests of %s", async (dataset) => {
    const target = { baseUrl: served.server.url, model: "tiny", apiKey: undefined, dialect: FULL };
    const load = { ...shape, dataset, target, rate: 200, concurrency: 3, goals: { e2el: 60_000 } };
    const report = await runLoad(load);
    expect(report.errors).toEqual({});
    expect([report.completed, report.failed]).toEqual([12, 0]);
    const asked = makeRequests({ ...shape, dataset });
    const sum = (lengths: readonly number[]) => lengths.reduce((a, b) => a + b, 0);
    expect(report.promptTokens).toBe(sum(asked.map(({ prompt }) => prompt.length)));
    expect(report.outputTokens).toBe(sum(asked.map(({ maxTokens }) => maxTokens)));
    expect(report.goodput).toBeCloseTo(report.requestsPerSecond, 10);
    const tokensAnEvent = report.outputTokensPerSecond / report.eventsPerSecond;
    expect(tokensAnEvent).toBeGreaterThanOrEqual(1);
    expect(report.ttft.p50).toBeGreaterThan(0);
    expect(report.e2el.p99).toBeGreaterThanOrEqual(report.e2el.p50);
  });

  it("names its defaults in the help", async () => {
    const { code, stdout } = await tilewright("bench-serve", "--help");
    expect([code, stdout.match(/null/)]).toEqual([0, null]);
    expect(stdout).toMatch(/--rate [\s\S]*default:\s+inf\)[\s\S]*--concurrency [\s\S]*no limit\)/);
  });

  it("sweeps over rates, with prompts of their own, a table, a picture and the figures", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tilewright-load-"));
    const [json, plot] = [join(folder, "load.json"), join(folder, "load.svg")];
    const flags = {
      ...shape,
      seed: 77,
      inputLen: 40, // several pages of the cache

      baseUrl: served.server.url,
      rate: "100,inf",
      goodputTtft: 60_000,
      json,
      plot,
    };
    const args = Object.entries(flags).flatMap(([name, value]) => [
      `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      String(value),
    ]);
    const before = served.engine.stats.prefixHits;
    const { code, stdout, stderr } = await tilewright("bench-serve", ...args);
    expect([code, stderr]).toEqual([0, ""]);
    expect(served.engine.stats.prefixHits).toBe(before);
    const table = stdout.trim().split("\n").slice(-3);
    expect(table[0]).toMatch(/^rate +done +failed +requests\/s +good\/s +tokens\/s +TTFT p50/);
    expect(table.slice(1).map((line) => line.trim().split(/ +/).slice(0, 3))).toEqual([
      ["100", "12", "0"],
      ["inf", "12", "0"],
    ]);
    const written = JSON.parse(readFileSync(json, "utf8")) as Written;
    expect(written).toMatchObject({
      format: "tilewright-load-1",
      options: { model: "tiny", concurrency: "inf" },
    });
    expect(written.runs.map(({ rate, report }) => [rate, report.outputTokens])).toEqual([
      ["100", 60],
      ["inf", 60],
    ]);
    const svg = readFileSync(plot, "utf8");
    expect(svg.match(/<polyline points="[\d.]+,[\d.]+ [\d.]+,[\d.]+"/g)).toHaveLength(
      3 + 3 + 1 + 2,
    );
    expect(svg).toContain(
      `output tokens/s at inf: ${written.runs[1]?.report.outputTokensPerSecond.toFixed(2)}<`,
    );
    expect(svg).not.toContain("NaN");
    expect((await tilewright("bench-serve", "--rate", "1,0")).stderr).toContain("above 0");
  });

  it("counts refusals and servers that are not there as failures", async () => {
    const load = { ...shape, dataset: "random", rate: 1e9, concurrency: 4, goals: {} } as const;
    const wrong = { baseUrl: served.server.url, model: "x", apiKey: undefined, dialect: FULL };
    const refused = await runLoad({ ...load, target: wrong });
    const [[why, count] = ["", 0], ...others] = Object.entries(refused.errors);
    expect([count, others]).toEqual([12, []]);
    expect(why).toMatch(/^status 404: .*'x'/);
    expect(formatReport(refused)).not.toContain("NaN");
    const nobody = {
      baseUrl: "http://127.0.0.1:1",
      model: undefined,
      apiKey: undefined,
      dialect: FULL,
    };
    expect((await runLoad({ ...load, target: nobody })).failed).toBe(12);
  });

  it("reads the events of servers that space their JSON, and their errors", async () => {
    const streams = [
      [{ choices: [{ text: 'a "choices":[]' }] }, { choices: [{ text: "b" }] }],
      [{ error: { message: "lost" } }],
    ];
    const usage = { choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } };
    const server = createServer((_, response) => {
      const events = [...(streams.shift() ?? []), usage].map((one) =>
        JSON.stringify(one, undefined, 1).replaceAll("\n", ""),
      );
      response.end([...events, "[DONE]"].map((event) => `data: ${event}\n\n`).join(""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const target = {
      baseUrl: `http://127.0.0.1:${port}`,
      model: undefined,
      apiKey: undefined,
      dialect: FULL,
    };
    const request = { prompt: [1], maxTokens: 2 };
    const [first, second] = [await runRequest(target, request), await runRequest(target, request)];
    expect(first).toMatchObject({ promptTokens: 7, outputTokens: 2, error: undefined });
    expect(first.gaps).toHaveLength(1);
    expect(second.error).toContain("lost");
    server.close();
    server.closeAllConnections();
  });

  it("has percentiles between the values, and a rate that is the asked one", () => {
    expect(spread([4, 1, 3, 2, 5])).toEqual({ mean: 3, p50: 3, p90: 4.6, p99: 4.96 });
    const gaps = arrivalGaps(4000, 10, 3);
    expect(gaps.reduce((a, b) => a + b, 0) / 4000).toBeCloseTo(0.1, 2);
    const one = {
      promptTokens: 1,
      outputTokens: 3,
      hasUsage: true,
      ttft: 5,
      gaps: [1, 1],
      latency: 9,
    };
    const goals = { ttft: 5, tpot: 1.5 };
    expect(makeReport([{ ...one, error: undefined }], 2, goals).goodput).toBe(0);
    expect(makeReport([{ ...one, error: undefined }], 2, { ttft: 5 }).goodput).toBe(0.5);
  });
});

interface Written {
  readonly runs: readonly {
    readonly rate: string;
    readonly report: { readonly outputTokens: number; readonly outputTokensPerSecond: number };
  }[];
}
