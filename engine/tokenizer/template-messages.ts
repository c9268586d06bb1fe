/** [engine/tokenizer] What passes between a server and the process that renders its templates. Imports nothing, so that the process starts at once. */

export interface ToRenderer {
  /** Jinja text. */
  readonly source: string;
  /** Plain data. */
  readonly variables: Readonly<Record<string, unknown>>;
}

export type FromRenderer = { readonly text: string } | { readonly failure: string };

/** What the process says first. */
export const READY = "ready";
