/** [test/engine] bench-serve against the server: every request is counted, whatever becomes of it; its numbers add up. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { runRequest } from "../../engine/bench-serve/client.ts";
import { arrivalGaps, DATASETS, makeRequests } from "../../engine/bench-serve/dataset.ts";
import { formatReport, makeReport, spread } from "../../engine/bench-serve/report.ts";
import { runLoad } from "../../engine/bench-serve/run.ts";
import { serveForTests } from "../support/serve-tiny.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const served = serveForTests(() => ({ model: writeTinyModel(), servedModelName: "tiny" }));
const shape = { numPrompts: 12, inputLen: 8, outputLen: 5, prefixLen: 16, vocabSize: 200, seed: 1 };

describe("bench-serve", () => {
  it.each(DATASETS)("measures requests of %s", async (dataset) => {
    const target = { baseUrl: served.server.url, model: "tiny", apiKey: undefined };
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

  it("counts refusals and servers that are not there as failures", async () => {
    const load = { ...shape, dataset: "random", rate: 1e9, concurrency: 4, goals: {} } as const;
    const wrong = { baseUrl: served.server.url, model: "x", apiKey: undefined };
    const refused = await runLoad({ ...load, target: wrong });
    const [[why, count] = ["", 0], ...others] = Object.entries(refused.errors);
    expect([count, others]).toEqual([12, []]);
    expect(why).toMatch(/^status 404: .*'x'/);
    expect(formatReport(refused)).not.toContain("NaN");
    const nobody = { baseUrl: "http://127.0.0.1:1", model: undefined, apiKey: undefined };
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
    const target = { baseUrl: `http://127.0.0.1:${port}`, model: undefined, apiKey: undefined };
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
    const one = { promptTokens: 1, outputTokens: 3, ttft: 5, gaps: [1, 1], latency: 9 };
    const goals = { ttft: 5, tpot: 1.5 };
    expect(makeReport([{ ...one, error: undefined }], 2, goals).goodput).toBe(0);
    expect(makeReport([{ ...one, error: undefined }], 2, { ttft: 5 }).goodput).toBe(0.5);
  });
});
