/** [test/engine] /metrics: vLLM's names and buckets, all from the start; where the time of a request went; what steps and prompts came to. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { createApp } from "../../engine/server/http.ts";
import type { ServeOptions } from "../../engine/server/options.ts";
import { writeTinyModel } from "../support/tiny-model.ts";

const model = writeTinyModel({ config: { max_position_embeddings: 4096 } });

/** An app on the null device, one request at a time, and what its metrics say. */
async function start(options: ServeOptions = {}) {
  const engine = await Engine.load({ model, device: "null", maxNumSeqs: 1, servedModelName: "m" });
  const app = createApp(engine, options);
  const text = async () => (await app.inject({ url: "/metrics" })).body;
  return {
    text,
    post: (payload: object) => app.inject({ method: "POST", url: "/v1/completions", payload }),
    get: (url: string) => app.inject({ url }),
    /** Sums what the series begins with. */
    value: async (series: string) =>
      (await text())
        .split("\n")
        .filter((line) => line.startsWith(series))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0),
    close: async () => {
      await app.close();
      await engine.close();
    },
  };
}

/** @source vLLM's documentation of its production metrics */
const SECONDS = [
  ["time_to_first_token", [0.001, 2560], 22],
  ["inter_token_latency", [0.01, 80], 19],
  ["request_time_per_output_token", [0.01, 80], 19],
  ["e2e_request_latency", [0.3, 7680], 21],
  ["request_queue_time", [0.3, 7680], 21],
  ["request_prefill_time", [0.3, 7680], 21],
  ["request_decode_time", [0.3, 7680], 21],
  ["request_inference_time", [0.3, 7680], 21],
] as const;
const COUNTS = [
  "request_prompt_tokens",
  "request_generation_tokens",
  "request_max_num_generation_tokens",
  "request_prefill_kv_computed_tokens",
  "request_params_max_tokens",
] as const;
const SCALARS = [
  ["num_requests_running", "gauge"],
  ["num_requests_waiting", "gauge"],
  ["kv_cache_usage_perc", "gauge"],
  ["num_preemptions_total", "counter"],
  ["prefix_cache_queries_total", "counter"],
  ["prefix_cache_hits_total", "counter"],
  ["cascade_positions_saved_total", "counter"],
  ["prompt_tokens_total", "counter"],
  ["prompt_tokens_cached_total", "counter"],
  ["generation_tokens_total", "counter"],
  ["corrupted_requests_total", "counter"],
] as const;

describe("the metrics of a server", () => {
  it("are all there from the start, with vLLM's types, labels and buckets", async () => {
    const { text, close } = await start();
    const body = await text();
    const labels = 'model_name="m",engine="0"';
    for (const [name, [first, last], count] of SECONDS) {
      const buckets = bucketsOf(body, `vllm:${name}_seconds`);
      expect([name, buckets[0], buckets.at(-1), buckets.length]).toEqual([
        name,
        first,
        last,
        count,
      ]);
      expect(body).toContain(`vllm:${name}_seconds_count{${labels}} 0\n`);
    }
    for (const name of COUNTS)
      expect(bucketsOf(body, `vllm:${name}`)).toEqual([
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000,
      ]);
    expect(bucketsOf(body, "vllm:iteration_tokens_total")).toEqual([
      1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
    ]);
    expect(bucketsOf(body, "vllm:request_params_n")).toEqual([1, 2, 5, 10, 20]);
    for (const [name, type] of SCALARS) {
      expect(body).toContain(`# TYPE vllm:${name} ${type}\n`);
      expect(body).toContain(`\nvllm:${name}{${labels}} 0\n`);
    }
    for (const finish of ["stop", "length", "abort", "error"])
      expect(body).toContain(`vllm:request_success_total{finished_reason="${finish}",${labels}} 0`);
    expect(body).toMatch(/\nprocess_resident_memory_bytes\{.*\} \d{7,}\n/);
    await close();
  });

  it("say where the time of a request went, waiting in the queue included", async () => {
    const { post, value, close } = await start();
    const body = { prompt: "abc", max_tokens: 300, ignore_eos: true };
    const answers = await Promise.all([post(body), post(body), post(body)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const sum = (name: string) => value(`vllm:${name}_seconds_sum`);
    const [queue, prefill, decode, inference, e2e, ttft, between] = [
      await sum("request_queue_time"),
      await sum("request_prefill_time"),
      await sum("request_decode_time"),
      await sum("request_inference_time"),
      await sum("e2e_request_latency"),
      await sum("time_to_first_token"),
      await sum("inter_token_latency"),
    ];
    expect(await value("vllm:request_queue_time_seconds_count")).toBe(3);
    expect(await value("vllm:inter_token_latency_seconds_count")).toBe(3 * 299);
    // One runs at a time: the second waits for one, the third for two.
    expect(queue).toBeGreaterThan(0.8 * inference);
    expect(inference).toBeCloseTo(prefill + decode, 6);
    expect(e2e).toBeCloseTo(ttft + decode, 6);
    expect(between).toBeCloseTo(decode, 1);
    expect(Math.abs(e2e - queue - inference)).toBeLessThan(0.25 * e2e);
    expect(ttft).toBeGreaterThanOrEqual(prefill);
    await close();
  });

  it("count positions of steps, cached prompt tokens and the longest choice of a prompt", async () => {
    const { post, value, close } = await start();
    const prompt = Array.from({ length: 40 }, (_, i) => i + 3);
    const body = { prompt, max_tokens: 8, ignore_eos: true, seed: 1 };
    await post(body);
    expect(await value("vllm:iteration_tokens_total_sum")).toBe(40 + 7);
    expect(await value("vllm:iteration_tokens_total_count")).toBe(8);
    await post({ ...body, n: 2 });
    // Pages of 16: two are found again, by either choice, as they run one after the other.
    expect(await value("vllm:prompt_tokens_total")).toBe(3 * 40);
    expect(await value("vllm:prompt_tokens_cached_total")).toBe(32 + 32);
    expect(await value("vllm:request_prefill_kv_computed_tokens_sum")).toBe(40 + 8 + 8);
    expect(await value("vllm:request_generation_tokens_count")).toBe(3);
    expect(await value("vllm:request_max_num_generation_tokens_count")).toBe(2);
    expect(await value("vllm:request_max_num_generation_tokens_sum")).toBe(16);
    await close();
  });

  it("count answers by route and kind of status, without a series for each unknown path", async () => {
    const { get, post, text, close } = await start();
    await get("/health");
    await get("/no/such/path/1");
    await get("/no/such/path/2");
    await post({});
    const body = await text();
    expect(body).toMatch(
      /http_requests_total\{method="GET",handler="\/health",status="2xx",.* 1\n/,
    );
    expect(body).toMatch(/http_requests_total\{method="GET",handler="none",status="4xx",.* 2\n/);
    expect(body).toMatch(
      /http_requests_total\{method="POST",handler="\/v1\/completions",status="4xx",/,
    );
    expect(body).not.toContain("such");
    await close();
  });

  it("are called as the handbook calls them", async () => {
    const handbook = readFileSync(
      join(import.meta.dirname, "../../engine/server/README.md"),
      "utf8",
    );
    const named = handbook.match(/(?<=`)[a-z_:]+_(total|seconds|state)(?=`)/g) ?? [];
    expect(named).toContain("vllm:cascade_positions_saved_total");
    const { text, close } = await start();
    const body = await text();
    for (const name of named) expect(body).toContain(`# TYPE ${name} `);
    await close();
  });

  it("have the namespace that is asked for", async () => {
    const { text, close } = await start({ metricsNamespace: "mine" });
    const names = [...(await text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? "");
    expect(names.filter((name) => !/^(mine:|process_|nodejs_|http_)/.test(name))).toEqual([]);
    expect(names).toContain("mine:num_requests_running");
    await close();
    await expect(start({ metricsNamespace: "a-b" })).rejects.toThrow("TW4311");
  });
});

/** Upper bounds of a histogram, without infinity. */
function bucketsOf(body: string, name: string): readonly number[] {
  const found = body.matchAll(new RegExp(`^${name}_bucket\\{le="([\\d.e+]+)"`, "gm"));
  return [...found].map(([, bound]) => Number(bound));
}
