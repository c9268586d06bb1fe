/** [engine/server] Prometheus metrics under vLLM's names, so that its dashboards, gateways and autoscalers read them. What is counted when is in measured-stream.ts. */
import { Counter, Histogram, Registry } from "prom-client";
import type { FinishReason } from "../core.ts";
import type { Engine } from "../engine.ts";
import type { RequestClock } from "../request-clock.ts";
import { addCounters, addGauges, addProcess } from "./scraped-metrics.ts";

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
const STEP_TOKENS = [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384];
const HTTP = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const FINISHES: readonly FinishReason[] = ["stop", "length", "abort", "error"];

/** 1, 2, 5, 10, 20 … up to the longest context. */
function tokenBuckets(longest: number): number[] {
  const buckets: number[] = [];
  for (let scale = 1; scale <= longest; scale *= 10)
    buckets.push(...[1, 2, 5].map((step) => step * scale).filter((value) => value <= longest));
  return buckets;
}

/** What a request came to. */
export interface RequestEnd {
  readonly promptTokens: number;
  /** Prompt tokens that were in the KV cache already. */
  readonly cachedTokens: number;
  readonly generationTokens: number;
  readonly clock: RequestClock;
  readonly finish: FinishReason;
  /** Its logits held no number to choose from. */
  readonly isCorrupt: boolean;
}

/** An HTTP answer. `handler` is the route's pattern, so that paths that nobody has do not become series. */
export interface HttpAnswer {
  readonly method: string;
  readonly handler: string;
  readonly status: number;
  readonly seconds: number;
}

export class ServerMetrics {
  readonly #registry = new Registry();
  readonly #histograms: ReturnType<typeof histogramsOf>;
  readonly #counters: ReturnType<typeof countersOf>;

  /** @param namespace what all names but those of the process and of HTTP begin with, before a colon */
  constructor(engine: Engine, namespace = "vllm") {
    this.#registry.setDefaultLabels({ model_name: engine.info.name, engine: "0" });
    const registers = [this.#registry];
    addGauges(engine, namespace, registers);
    addCounters(engine, namespace, registers);
    addProcess(registers);
    this.#histograms = histogramsOf(engine.info.maxModelLen, namespace, registers);
    this.#counters = countersOf(namespace, registers);
    for (const finish of FINISHES) this.#counters.success.inc({ finished_reason: finish }, 0);
    engine.observeSteps((numTokens) => this.#histograms.step.observe(numTokens));
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Once a request, at its first token. @param seconds since it came */
  firstToken(seconds: number, promptTokens: number, cachedTokens: number): void {
    this.#histograms.ttft.observe(seconds);
    this.#counters.prompt.inc(promptTokens);
    this.#counters.cached.inc(cachedTokens);
  }

  /** @param seconds that `steps` steps took; none where the tokens are the first ones */
  tokens(count: number, seconds: number, steps: number): void {
    this.#counters.generation.inc(count);
    for (let i = 0; i < steps; i++) this.#histograms.interToken.observe(seconds / steps);
  }

  params(n: number, maxTokens: number): void {
    this.#histograms.n.observe(n);
    this.#histograms.maxTokens.observe(maxTokens);
  }

  /** Once for the choices of a prompt, when the last of them has ended. @param tokens of the longest */
  longestChoice(tokens: number): void {
    this.#histograms.longest.observe(tokens);
  }

  ended({
    promptTokens,
    cachedTokens,
    generationTokens,
    clock,
    finish,
    isCorrupt,
  }: RequestEnd): void {
    this.#counters.success.inc({ finished_reason: finish });
    if (isCorrupt) this.#counters.corrupted.inc();
    if (finish === "error" || finish === "abort") return;
    const h = this.#histograms;
    const { arrival, firstToken, core, end = performance.now() } = clock;
    h.e2e.observe((end - arrival) / 1000);
    h.promptTokens.observe(promptTokens);
    h.generationTokens.observe(generationTokens);
    if (firstToken === undefined || core === undefined) return;
    const decode = (end - firstToken) / 1000;
    h.computed.observe(promptTokens - cachedTokens);
    h.queue.observe(core.queueMs / 1000);
    h.prefill.observe(core.prefillMs / 1000);
    h.decode.observe(decode);
    h.inference.observe(core.prefillMs / 1000 + decode);
    if (generationTokens > 1) h.perToken.observe(decode / (generationTokens - 1));
  }

  answered({ method, handler, status, seconds }: HttpAnswer): void {
    this.#counters.http.inc({ method, handler, status: `${Math.floor(status / 100)}xx` });
    this.#histograms.http.observe({ method, handler }, seconds);
  }
}

function countersOf(namespace: string, registers: Registry[]) {
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter<L>({ name, help, labelNames, registers });
  const ours = (name: string) => `${namespace}:${name}_total`;
  return {
    prompt: counter(ours("prompt_tokens"), "Prompt tokens of all requests that have begun."),
    cached: counter(ours("prompt_tokens_cached"), "Those of them that were in the KV cache."),
    generation: counter(ours("generation_tokens"), "Tokens generated."),
    success: counter(ours("request_success"), "Requests that have ended, by how.", [
      "finished_reason",
    ]),
    corrupted: counter(ours("corrupted_requests"), "Requests whose logits held no number."),
    http: counter("http_requests_total", "HTTP answers, by route and kind of status.", [
      "method",
      "handler",
      "status",
    ]),
  };
}

function histogramsOf(longest: number, namespace: string, registers: Registry[]) {
  const histogram = (name: string, help: string, buckets: readonly number[]) => {
    const made = new Histogram({
      name: `${namespace}:${name}`,
      help,
      buckets: [...buckets],
      registers,
    });
    made.zero({});
    return made;
  };
  const seconds = (name: string, help: string, buckets: readonly number[] = LATENCY) =>
    histogram(`${name}_seconds`, help, buckets);
  const tokens = tokenBuckets(longest);
  return {
    step: histogram("iteration_tokens_total", "Positions that a step computes.", STEP_TOKENS),
    ttft: seconds("time_to_first_token", "Arrival to first token.", TTFT),
    interToken: seconds("inter_token_latency", "Step to step of a request.", INTER_TOKEN),
    perToken: seconds(
      "request_time_per_output_token",
      "Mean time a token after the first, by request.",
      INTER_TOKEN,
    ),
    e2e: seconds("e2e_request_latency", "Arrival to end."),
    queue: seconds("request_queue_time", "Arrival to first step."),
    prefill: seconds("request_prefill_time", "First step to first token."),
    decode: seconds("request_decode_time", "First token to last."),
    inference: seconds("request_inference_time", "First step to last token."),
    promptTokens: histogram("request_prompt_tokens", "Prompt tokens of a request.", tokens),
    computed: histogram(
      "request_prefill_kv_computed_tokens",
      "Prompt tokens of a request that were not in the KV cache.",
      tokens,
    ),
    generationTokens: histogram("request_generation_tokens", "Tokens a request was given.", tokens),
    longest: histogram(
      "request_max_num_generation_tokens",
      "Tokens of the longest choice of a prompt.",
      tokens,
    ),
    n: histogram("request_params_n", "Choices asked for.", [1, 2, 5, 10, 20]),
    maxTokens: histogram("request_params_max_tokens", "max_tokens asked for.", tokens),
    http: new Histogram({
      name: "http_request_duration_seconds",
      help: "Arrival of an HTTP request to the end of its answer.",
      buckets: HTTP,
      labelNames: ["method", "handler"],
      registers,
    }),
  };
}
