/** [engine/server] Prometheus metrics under vLLM's names, so that its dashboards, gateways and autoscalers read them. What is counted when is in desk.ts. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { FinishReason } from "../core.ts";
import type { Engine } from "../engine.ts";

/** @source names, labels and buckets: vLLM's documentation of its production metrics */
const TTFT = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
  160, 640, 2560,
];
const INTER_TOKEN = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
];
const LATENCY = [
  0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
];
const FINISHES: readonly FinishReason[] = ["stop", "length", "abort", "error"];

/** 1, 2, 5, 10, 20 … up to the longest context. */
function tokenBuckets(longest: number): number[] {
  const buckets: number[] = [];
  for (let scale = 1; scale <= longest; scale *= 10)
    buckets.push(...[1, 2, 5].map((step) => step * scale).filter((value) => value <= longest));
  return buckets;
}

/** Seconds from a request's arrival, and what it came to. */
export interface RequestTimes {
  readonly promptTokens: number;
  readonly generationTokens: number;
  readonly arrival: number;
  readonly firstToken: number | undefined;
  readonly end: number;
  readonly finish: FinishReason;
}

type Label = "model_name" | "engine";

export class ServerMetrics {
  readonly #registry = new Registry();
  readonly #labels: Readonly<Record<Label, string>>;
  readonly #histograms: ReturnType<typeof histogramsOf>;
  readonly #tokens: { readonly prompt: Counter; readonly generation: Counter };
  readonly #success: Counter;

  constructor(engine: Engine) {
    this.#labels = { model_name: engine.info.name, engine: "0" };
    this.#registry.setDefaultLabels(this.#labels);
    const registers = [this.#registry];
    addGauges(engine, registers);
    this.#histograms = histogramsOf(engine.info.maxModelLen, registers);
    const counter = (name: string, help: string) =>
      new Counter({ name: `vllm:${name}_total`, help, registers });
    this.#tokens = {
      prompt: counter("prompt_tokens", "Prompt tokens of all requests that have begun."),
      generation: counter("generation_tokens", "Tokens generated."),
    };
    this.#success = new Counter({
      name: "vllm:request_success_total",
      help: "Requests that have ended, by how.",
      labelNames: ["finished_reason"],
      registers,
    });
    for (const finish of FINISHES) this.#success.inc({ finished_reason: finish }, 0);
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Once a request, at its first token. @param seconds since it came */
  firstToken(seconds: number, promptTokens: number): void {
    this.#histograms.ttft.observe(seconds);
    this.#tokens.prompt.inc(promptTokens);
  }

  /** @param seconds since the output before */
  tokens(count: number, seconds: number | undefined): void {
    this.#tokens.generation.inc(count);
    if (seconds !== undefined) this.#histograms.interToken.observe(seconds);
  }

  params(n: number, maxTokens: number): void {
    this.#histograms.n.observe(n);
    this.#histograms.maxTokens.observe(maxTokens);
  }

  ended({ promptTokens, generationTokens, firstToken, end, arrival, finish }: RequestTimes): void {
    this.#success.inc({ finished_reason: finish });
    if (finish === "error" || finish === "abort") return;
    const h = this.#histograms;
    h.e2e.observe(end - arrival);
    h.promptTokens.observe(promptTokens);
    h.generationTokens.observe(generationTokens);
    if (firstToken === undefined) return;
    h.prefill.observe(firstToken - arrival);
    h.decode.observe(end - firstToken);
    if (generationTokens > 1) h.perToken.observe((end - firstToken) / (generationTokens - 1));
  }
}

function histogramsOf(longest: number, registers: Registry[]) {
  const histogram = (name: string, help: string, buckets: readonly number[]) => {
    const made = new Histogram({ name: `vllm:${name}`, help, buckets: [...buckets], registers });
    made.zero({});
    return made;
  };
  const tokens = tokenBuckets(longest);
  return {
    ttft: histogram("time_to_first_token_seconds", "Arrival to first token.", TTFT),
    interToken: histogram("inter_token_latency_seconds", "Output to output.", INTER_TOKEN),
    perToken: histogram(
      "request_time_per_output_token_seconds",
      "Mean time a token after the first, by request.",
      INTER_TOKEN,
    ),
    e2e: histogram("e2e_request_latency_seconds", "Arrival to end.", LATENCY),
    prefill: histogram(
      "request_prefill_time_seconds",
      "Arrival to first token, by request.",
      LATENCY,
    ),
    decode: histogram("request_decode_time_seconds", "First token to last.", LATENCY),
    promptTokens: histogram("request_prompt_tokens", "Prompt tokens of a request.", tokens),
    generationTokens: histogram("request_generation_tokens", "Tokens a request was given.", tokens),
    n: histogram("request_params_n", "Choices asked for.", [1, 2, 5, 10, 20]),
    maxTokens: histogram("request_params_max_tokens", "max_tokens asked for.", tokens),
  };
}

/** Read when they are scraped. */
function addGauges(engine: Engine, registers: Registry[]): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `vllm:${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  const { numPages, pageSize } = engine.info;
  gauge("num_requests_running", "Requests that take part in steps.", () => engine.numRunning);
  gauge("num_requests_waiting", "Requests that have not begun.", () => engine.numWaiting);
  gauge(
    "kv_cache_usage_perc",
    "Share of the KV cache that requests hold, 0 to 1.",
    () => 1 - engine.numFreePages / Math.max(1, numPages - 1),
  );
  const config = new Gauge({
    name: "vllm:cache_config_info",
    help: "Sizes of the KV cache, as labels.",
    labelNames: ["block_size", "num_gpu_blocks"],
    registers,
  });
  config.set({ block_size: String(pageSize), num_gpu_blocks: String(numPages) }, 1);
  addCounters(engine, registers);
}

/** Counted by the core, in one place. */
function addCounters(engine: Engine, registers: Registry[]): void {
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name: `vllm:${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  counter(
    "num_preemptions",
    "Requests that gave their pages back and started over.",
    () => engine.stats.numPreemptions,
  );
  counter(
    "prefix_cache_queries",
    "Prompt tokens looked up in the prefix cache.",
    () => engine.stats.prefixQueried,
  );
  counter(
    "prefix_cache_hits",
    "Prompt tokens found in the prefix cache.",
    () => engine.stats.prefixHits,
  );
}
