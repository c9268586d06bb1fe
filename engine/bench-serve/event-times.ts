/** [engine/bench-serve] The events of one stream and when they came. Parses no more than it must: at high load the client would be what is measured. */

/** Times in ms from the sending of the request. */
export interface Outcome {
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** False where the server did not say how many tokens there were: then events count as tokens, and ids or words of the prompt. */
  readonly hasUsage: boolean;
  readonly ttft: number;
  /** Between events that carry text. */
  readonly gaps: readonly number[];
  readonly latency: number;
  readonly error: string | undefined;
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

interface ChatEvent {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string };
  }[];
}

/** Servers space their JSON as they like. Within texts of choices quotes are escaped, so these stand for fields. */
const NO_CHOICES = /"choices"\s*:\s*\[\s*\]/;
const USAGE = /"usage"\s*:\s*\{/;
const FINISHED = /"finish_reason"\s*:\s*"/;
const ERROR = /^\{\s*"error"/;
/** Two ends of lines, of either kind. */
const BETWEEN_EVENTS = /\r?\n\r?\n/;
const DATA = /^data: ?/;

export class EventTimes {
  readonly #isChat: boolean;
  readonly #start = performance.now();
  readonly #gaps: number[] = [];
  #rest = "";
  #first: number | undefined;
  #last = 0;
  #usage: Usage | undefined;
  #error: string | undefined;
  #isDone = false;

  /** @param isChat chats begin and end with events that have no text */
  constructor(isChat: boolean) {
    this.#isChat = isChat;
  }

  take(text: string): void {
    const parts = (this.#rest + text).split(BETWEEN_EVENTS);
    this.#rest = parts.pop() ?? "";
    for (const part of parts) this.#event(part);
  }

  /** @param promptLength ids or words of the prompt */
  outcome(error: string | undefined, promptLength: number): Outcome {
    const why = error ?? this.#error ?? (this.#isDone ? undefined : "the stream ended early");
    const usage = this.#usage;
    const numEvents = this.#gaps.length + (this.#first === undefined ? 0 : 1);
    return {
      promptTokens: usage?.prompt_tokens ?? promptLength,
      outputTokens: usage?.completion_tokens ?? numEvents,
      hasUsage: usage !== undefined,
      ttft: this.#first ?? Number.NaN,
      gaps: this.#gaps,
      latency: performance.now() - this.#start,
      error: why,
    };
  }

  #event(text: string): void {
    if (!DATA.test(text)) return; // a comment
    const data = text.replace(DATA, "");
    if (data === "[DONE]") {
      this.#isDone = true;
      return;
    }
    if (ERROR.test(data)) {
      this.#error = data;
      return;
    }
    if (USAGE.test(data)) this.#usage = (JSON.parse(data) as { readonly usage: Usage }).usage;
    if (FINISHED.test(data)) this.#isDone = true; // not every server says [DONE]
    if (NO_CHOICES.test(data) || (this.#isChat && !hasText(data))) return;
    const now = performance.now() - this.#start;
    if (this.#first === undefined) this.#first = now;
    else this.#gaps.push(now - this.#last);
    this.#last = now;
  }
}

function hasText(data: string): boolean {
  const { choices = [] } = JSON.parse(data) as ChatEvent;
  return choices.some(({ delta }) => (delta?.content ?? delta?.reasoning_content ?? "") !== "");
}
