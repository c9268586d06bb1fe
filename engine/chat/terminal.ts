/** [engine/chat] A conversation on two streams: lines in, answers out; with a prompt, history and Ctrl-C where they are a terminal. */
import { createInterface, type Interface } from "node:readline";
import { MessageLines } from "./message-lines.ts";
import type { ChatParams, ChatPartner } from "./partner.ts";
import { type ChatOutput, ChatSession } from "./session.ts";

export interface ChatStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Answers, and on a terminal everything. */
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly errors: NodeJS.WritableStream;
  /** Where Ctrl-C comes from while the input is no terminal. */
  readonly signals: Pick<NodeJS.EventEmitter, "on" | "off">;
}

const PROMPT = "> ";
const MORE = ". ";
const HISTORY_LINES = 1000;
/** All control characters but tab and line feed: a model must not steer the terminal, nor a server by its name or its errors. */
const CONTROLS = /[\p{Cc}]/gu;

/**
 * Talks until the input ends, `/quit`, or a second Ctrl-C.
 * @returns messages and commands that failed
 */
export async function runTerminal(
  partner: ChatPartner,
  streams: ChatStreams,
  options: { readonly system?: string; readonly params?: ChatParams } = {},
): Promise<number> {
  const terminal = new ChatTerminal(partner, streams, options);
  return terminal.run();
}

class ChatTerminal {
  readonly #partner: ChatPartner;
  readonly #streams: ChatStreams;
  readonly #isTerminal: boolean;
  readonly #session: ChatSession;
  readonly #lines: Interface;
  readonly #message = new MessageLines();
  /** Ctrl-C came, and nothing was written since. */
  #isWarned = false;
  #hasEnded = false;

  constructor(
    partner: ChatPartner,
    streams: ChatStreams,
    options: { readonly system?: string; readonly params?: ChatParams },
  ) {
    const { input, output } = streams;
    this.#partner = partner;
    this.#streams = streams;
    this.#isTerminal = input.isTTY === true && output.isTTY === true;
    this.#session = new ChatSession(partner, this.#output(), options);
    const terminal = this.#isTerminal;
    this.#lines = createInterface({
      input,
      ...(terminal ? { output, historySize: HISTORY_LINES, removeHistoryDuplicates: true } : {}),
      terminal,
      prompt: PROMPT,
      crlfDelay: Number.POSITIVE_INFINITY,
    });
  }

  async run(): Promise<number> {
    const onInterrupt = () => this.#interrupt();
    this.#lines.on("SIGINT", onInterrupt);
    this.#streams.signals.on("SIGINT", onInterrupt);
    if (this.#isTerminal) this.#greet();
    try {
      this.#prompt();
      for await (const line of this.#lines) {
        this.#isWarned = false;
        const message = this.#message.push(line);
        if (message !== undefined && !(await this.#session.take(message))) break;
        if (this.#hasEnded) break;
        this.#prompt();
      }
      const rest = this.#hasEnded ? undefined : this.#message.end();
      if (rest !== undefined) await this.#session.take(rest);
    } finally {
      this.#lines.close();
      this.#streams.signals.off("SIGINT", onInterrupt);
    }
    return this.#session.numFailures;
  }

  #greet(): void {
    const { name, hasTemplate } = this.#partner;
    const kind = hasTemplate
      ? ""
      : "; it has no chat template, so it goes on with the text as it stands";
    this.#note(`${name}${kind}. /help lists the commands, Ctrl-C stops an answer, Ctrl-D ends.`);
  }

  #prompt(): void {
    if (!this.#isTerminal) return;
    this.#lines.setPrompt(this.#message.isOpen ? MORE : PROMPT);
    this.#lines.prompt();
  }

  /** The first ends the answer, or what is being written; the second everything. */
  #interrupt(): void {
    const isFirst = !this.#isWarned;
    this.#isWarned = true;
    if (isFirst && this.#session.stop()) return;
    if (isFirst && this.#isTerminal) {
      this.#message.end();
      this.#lines.write(null, { ctrl: true, name: "e" }); // to the end of the line, then all of it away
      this.#lines.write(null, { ctrl: true, name: "u" });
      this.#note("\nCtrl-C again ends; so does Ctrl-D");
      this.#prompt();
      return;
    }
    this.#hasEnded = true;
    this.#session.stop();
    this.#lines.close();
  }

  #output(): ChatOutput {
    const { output, errors } = this.#streams;
    return {
      answer: (text) => void output.write(this.#shown(text)),
      endAnswer: () => void output.write("\n"),
      note: (text) => this.#note(text),
      error: (text) => void errors.write(`${this.#shown(text)}\n`),
    };
  }

  /** Remarks are for people. */
  #note(text: string): void {
    if (this.#isTerminal && text !== "")
      this.#streams.output.write(`\x1b[2m${this.#shown(text)}\x1b[0m\n`);
  }

  #shown(text: string): string {
    return this.#isTerminal ? text.replace(CONTROLS, harmless) : text;
  }
}

function harmless(control: string): string {
  return control === "\n" || control === "\t" ? control : "\ufffd";
}
