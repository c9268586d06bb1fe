/** [engine/tokenizer] The process that renders chat templates: one text a message, until it is left alone. Knows no messages and no tokens. */
import { Template } from "@huggingface/jinja";
import { type FromRenderer, READY, type ToRenderer } from "./template-messages.ts";

/** Templates of requests are many; a model's is one. */
const MOST_KEPT = 8;
/** Characters of a prompt. What is longer fits into no context. */
const LONGEST = 2 ** 26;

const kept = new Map<string, Template>();

function templateOf(source: string): Template {
  const known = kept.get(source);
  if (known !== undefined) return known;
  const template = new Template(source);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(source, template);
  return template;
}

function answer({ source, variables }: ToRenderer): FromRenderer {
  try {
    const text = templateOf(source).render({ ...variables });
    if (text.length > LONGEST) return { failure: `a prompt of ${text.length} characters` };
    return { text };
  } catch (cause) {
    return { failure: cause instanceof Error ? cause.message : String(cause) };
  }
}

// A terminal and a service manager tell all processes of a server; this one ends with it.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
process.on("message", (asked: ToRenderer) => process.send?.(answer(asked)));
process.on("disconnect", () => process.exit());
process.send?.(READY);
