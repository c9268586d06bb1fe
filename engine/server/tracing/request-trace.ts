/** [engine/server/tracing] The spans of one HTTP request: itself, and of each choice the time in the queue, of its prompt and of its tokens. */
import type { SamplingParams } from "../../core.ts";
import type { HttpAnswer, RequestEnd } from "../metrics.ts";
import type { Attributes, Span } from "./span.ts";
import { newId, type TraceContext } from "./trace-context.ts";

/** @source OpenTelemetry's semantic conventions for generative AI: `gen_ai.operation.name` */
const OPERATIONS: Readonly<Record<string, string>> = {
  "/v1/chat/completions": "chat",
  "/v1/completions": "text_completion",
  "/v1/embeddings": "embeddings",
  "/generate": "generate_content",
};
/** Choices whose phases become spans; a request may have hundreds of thousands. */
const MOST_CHOICES = 16;

export function operationOf(path: string): string | undefined {
  return OPERATIONS[path];
}

export class RequestTrace {
  readonly #context: TraceContext;
  readonly #operation: string;
  readonly #model: string;
  readonly #spanId = newId(8);
  readonly #start = performance.now();
  readonly #phases: Span[] = [];
  readonly #ends: RequestEnd[] = [];
  #params: Partial<SamplingParams> = {};
  #id: string | undefined;
  #numChoices = 0;

  constructor(context: TraceContext, operation: string, model: string) {
    this.#context = context;
    this.#operation = operation;
    this.#model = model;
  }

  /**
   * A choice has begun.
   * @param isFork its prompt is another choice's, and counted there
   * @returns what hears of its end
   */
  choice(id: string, params: Partial<SamplingParams>, isFork: boolean): (end: RequestEnd) => void {
    const index = this.#numChoices++;
    this.#id ??= id.replace(/-\d+$/, ""); // of the whole request
    this.#params = params;
    return (end) => {
      this.#ends.push(isFork ? { ...end, promptTokens: 0, cachedTokens: 0 } : end);
      if (index < MOST_CHOICES) this.#addPhases(index, end);
    };
  }

  /** @returns all spans, the request's last */
  end({ method, handler, status }: HttpAnswer): readonly Span[] {
    const error = status >= 500 ? String(status) : undefined;
    const attributes: Attributes = {
      "http.request.method": method,
      "http.route": handler,
      "http.response.status_code": status,
      "error.type": error,
      "gen_ai.operation.name": this.#operation,
      "gen_ai.provider.name": "tilewright",
      "gen_ai.request.model": this.#model,
      "gen_ai.response.model": this.#model,
      "gen_ai.response.id": this.#id,
      ...this.#requestAttributes(),
      ...this.#usage(),
    };
    const { traceId, parentId, state } = this.#context;
    const own: Span = {
      traceId,
      spanId: this.#spanId,
      parentId,
      state,
      name: `${this.#operation} ${this.#model}`,
      kind: "server",
      start: this.#start,
      end: performance.now(),
      attributes,
      error,
    };
    return [...this.#phases, own];
  }

  #requestAttributes(): Attributes {
    const p = this.#params;
    return {
      "gen_ai.request.choice.count": this.#numChoices === 0 ? undefined : this.#numChoices,
      "gen_ai.request.max_tokens": p.maxTokens,
      "gen_ai.request.temperature": p.temperature,
      "gen_ai.request.top_p": p.topP,
      "gen_ai.request.top_k": p.topK,
      "gen_ai.request.seed": p.seed,
      "gen_ai.request.frequency_penalty": p.frequencyPenalty,
      "gen_ai.request.presence_penalty": p.presencePenalty,
      "gen_ai.request.stop_sequences": p.stop?.length === 0 ? undefined : p.stop,
    };
  }

  /** Latencies in seconds, under the names that vLLM's spans have, of the choice that came first. */
  #usage(): Attributes {
    const [first] = this.#ends;
    if (first === undefined) return {};
    const { arrival, firstToken, core, end = performance.now() } = first.clock;
    const sum = (pick: (end: RequestEnd) => number) =>
      this.#ends.reduce((total, one) => total + pick(one), 0);
    return {
      "gen_ai.response.finish_reasons": this.#ends.map(({ finish }) => finish),
      "gen_ai.usage.input_tokens": sum(({ promptTokens }) => promptTokens),
      "gen_ai.usage.output_tokens": sum(({ generationTokens }) => generationTokens),
      "gen_ai.usage.cache_read.input_tokens": sum(({ cachedTokens }) => cachedTokens),
      "gen_ai.latency.e2e": (end - arrival) / 1000,
      ...(firstToken === undefined || core === undefined
        ? {}
        : {
            "gen_ai.latency.time_to_first_token": (firstToken - arrival) / 1000,
            "gen_ai.latency.time_in_queue": core.queueMs / 1000,
            "gen_ai.latency.time_in_model_prefill": core.prefillMs / 1000,
            "gen_ai.latency.time_in_model_decode": (end - firstToken) / 1000,
            "gen_ai.latency.time_in_model_inference": (core.prefillMs + end - firstToken) / 1000,
          }),
    };
  }

  #addPhases(index: number, { clock, promptTokens, cachedTokens, generationTokens }: RequestEnd) {
    const { arrival, firstToken, core, end = performance.now() } = clock;
    if (firstToken === undefined || core === undefined) {
      this.#phase("queue", index, arrival, end); // as far as is known: it ended before its first token
      return;
    }
    this.#phase("queue", index, arrival, Math.min(arrival + core.queueMs, firstToken));
    this.#phase("prefill", index, Math.max(firstToken - core.prefillMs, arrival), firstToken, {
      "gen_ai.usage.input_tokens": promptTokens,
      "gen_ai.usage.cache_read.input_tokens": cachedTokens,
    });
    this.#phase("decode", index, firstToken, end, {
      "gen_ai.usage.output_tokens": generationTokens,
    });
  }

  #phase(name: string, index: number, start: number, end: number, more: Attributes = {}): void {
    const { traceId, state } = this.#context;
    this.#phases.push({
      traceId,
      spanId: newId(8),
      parentId: this.#spanId,
      state,
      name,
      kind: "internal",
      start,
      end,
      attributes: { "gen_ai.choice.index": index, ...more },
      error: undefined,
    });
  }
}
