/** [engine/chat] Who answers in a conversation: what is asked and what comes back, wherever the model runs. Types alone. */

export interface ChatTurn {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** Names of sampling parameters in the API, with what they may be. */
export type ChatParams = Readonly<Record<string, number | string>>;

export interface ChatPiece {
  readonly text: string;
  /** Of the whole answer so far, where they are known. */
  readonly usage?: { readonly promptTokens: number; readonly outputTokens: number };
  readonly finishReason?: string;
}

export interface ChatPartner {
  /** Of the model. */
  readonly name: string;
  /** False where the model has no chat template: it goes on with the text of the turns, one behind another. */
  readonly hasTemplate: boolean;
  /**
   * The answer as it comes. Aborting the signal ends it without an error, and frees what it takes.
   * @param turns the last is the user's
   * @throws TilewrightError for what cannot be answered
   */
  answer(
    turns: readonly ChatTurn[],
    params: ChatParams,
    signal: AbortSignal,
  ): AsyncIterable<ChatPiece>;
  close(): Promise<void>;
}

/** What a model without a chat template gets: nothing is put between the turns. */
export function plainText(turns: readonly ChatTurn[]): string {
  return turns.map(({ content }) => content).join("");
}
