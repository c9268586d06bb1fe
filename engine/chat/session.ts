/** [engine/chat] One conversation: its turns, system prompt and sampling, what commands change, an answer that may be stopped. No terminal. */
import { TilewrightError } from "../../dsl/index.ts";
import type { ChatParams, ChatPartner, ChatPiece, ChatTurn } from "./partner.ts";

export interface ChatOutput {
  /** Text of an answer. */
  answer(text: string): void;
  /** The answer is over; it may have been empty. */
  endAnswer(): void;
  /** Something about the conversation. */
  note(text: string): void;
  error(text: string): void;
}

/** What `/set` takes. */
const NUMBERS = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "presence_penalty",
  "frequency_penalty",
  "repetition_penalty",
  "max_tokens",
  "seed",
] as const;
const SETTINGS: readonly string[] = [...NUMBERS, "stop"];

const HELP = `/reset            forget the conversation; the system prompt and the settings stay
/system TEXT      set the system prompt; without a text it is taken away
/set NAME VALUE   ${SETTINGS.join(", ")}; without a value the server's choice
/retry            another answer to the last message
/quit             end (or Ctrl-D)
//…               a message that begins with a slash
A line that ends with \\ goes on in the next; lines between two lines of """ are one message. Ctrl-C stops an answer.`;

export class ChatSession {
  readonly #partner: ChatPartner;
  readonly #out: ChatOutput;
  #turns: ChatTurn[] = [];
  #system: string | undefined;
  #params: ChatParams;
  #running: AbortController | undefined;
  #numFailures = 0;

  constructor(
    partner: ChatPartner,
    out: ChatOutput,
    { system, params = {} }: { readonly system?: string; readonly params?: ChatParams } = {},
  ) {
    this.#partner = partner;
    this.#out = out;
    this.#system = system;
    this.#params = params;
  }

  /** Messages that got no answer, and commands that are none. */
  get numFailures(): number {
    return this.#numFailures;
  }

  /** Ends the answer that is being given. @returns false where there is none */
  stop(): boolean {
    if (this.#running === undefined || this.#running.signal.aborted) return false;
    this.#running.abort();
    return true;
  }

  /** A message or a command. @returns false where the conversation ends */
  async take(message: string): Promise<boolean> {
    const [, name, rest = ""] = /^\/(\w*)\s*(.*)$/s.exec(message) ?? [];
    if (name === undefined || message.startsWith("//")) {
      const content = message.startsWith("//") ? message.slice(1) : message;
      if (content.trim() !== "") await this.#say(content);
      return true;
    }
    if (name === "quit" || name === "exit") return false;
    await this.#command(name, rest.trim());
    return true;
  }

  async #command(name: string, rest: string): Promise<void> {
    switch (name) {
      case "help":
        this.#out.note(HELP);
        return;
      case "reset":
        this.#turns = [];
        this.#out.note("the conversation is forgotten");
        return;
      case "system":
        this.#system = rest === "" ? undefined : rest;
        this.#out.note(rest === "" ? "no system prompt any more" : "system prompt set");
        return;
      case "set":
        this.#set(rest);
        return;
      case "retry":
        if (this.#turns.at(-1)?.role === "assistant") this.#turns.pop();
        if (this.#turns.length > 0) await this.#answer();
        else this.#fail("there is no message to answer");
        return;
      default:
        this.#fail(`there is no command /${name}; /help lists them`);
    }
  }

  #set(text: string): void {
    const [, name = "", value = ""] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
    if (!SETTINGS.includes(name)) {
      this.#fail(`there is no setting '${name}'; there are ${SETTINGS.join(", ")}`);
      return;
    }
    const { [name]: _old, ...others } = this.#params;
    const number = Number(value);
    if (value === "") this.#params = others;
    else if (name === "stop") this.#params = { ...others, stop: value };
    else if (Number.isFinite(number)) this.#params = { ...others, [name]: number };
    else {
      this.#fail(`'${value}' is no number`);
      return;
    }
    this.#out.note(value === "" ? `${name} is the server's choice` : `${name} is ${value}`);
  }

  async #say(content: string): Promise<void> {
    this.#turns.push({ role: "user", content });
    const isAnswered = await this.#answer();
    if (!isAnswered) this.#turns.pop(); // sent again, it would stand there twice
  }

  /** @returns false where nothing came of it */
  async #answer(): Promise<boolean> {
    const running = new AbortController();
    this.#running = running;
    const system: readonly ChatTurn[] =
      this.#system === undefined ? [] : [{ role: "system", content: this.#system }];
    let content = "";
    let last: ChatPiece = { text: "" };
    let failure: unknown;
    const start = performance.now();
    try {
      const turns = [...system, ...this.#turns];
      for await (const piece of this.#partner.answer(turns, this.#params, running.signal)) {
        content += piece.text;
        last = { ...last, ...piece };
        if (piece.text !== "") this.#out.answer(piece.text);
      }
    } catch (error) {
      if (!(error instanceof TilewrightError)) throw error;
      failure = error;
    } finally {
      this.#running = undefined;
    }
    const seconds = (performance.now() - start) / 1000;
    if (content !== "" || failure === undefined) this.#out.endAnswer();
    if (content !== "") this.#turns.push({ role: "assistant", content });
    if (failure instanceof TilewrightError) this.#fail(failure.message);
    else this.#out.note(summary(last, seconds, running.signal.aborted));
    return content !== "" || failure === undefined;
  }

  #fail(text: string): void {
    this.#numFailures++;
    this.#out.error(text);
  }
}

function summary({ usage, finishReason }: ChatPiece, seconds: number, isStopped: boolean): string {
  const counts =
    usage === undefined
      ? []
      : [
          `${usage.promptTokens} prompt tokens, ${usage.outputTokens} written`,
          `${(usage.outputTokens / seconds).toFixed(1)} a second`,
        ];
  const why = isStopped ? ["stopped"] : finishReason === "length" ? ["at the limit of length"] : [];
  return [...counts, ...why].join(", ");
}
