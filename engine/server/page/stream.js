/** [engine/server] The chat page's way to the server: requests, events of a stream, tokens with their probabilities. Touches no document. */

/** What the server says went wrong, in its own words. */
class ServerError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A JSON answer, or the response of a stream. Paths are relative, so that the page works behind a proxy's prefix. */
export async function ask(path, key, body, signal) {
  const response = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === "" ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw new ServerError(response.status, await refusalOf(response));
  return body?.stream === true ? response : response.json();
}

async function refusalOf(response) {
  const text = await response.text();
  try {
    return JSON.parse(text).error.message;
  } catch {
    return `status ${response.status}${text === "" ? "" : `: ${text}`}`;
  }
}

/** The JSON events of a stream until [DONE]. Comments keep connections open and say nothing. */
export async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new ServerError(0, "the stream ended early");
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      if (part === "data: [DONE]") return;
      if (!part.startsWith("data: ")) continue;
      const event = JSON.parse(part.slice("data: ".length));
      if (event.error !== undefined) throw new ServerError(event.error.code, event.error.message);
      yield event;
    }
  }
}

/** Text, tokens and reason of a piece, of chats and completions alike. */
export function pieceOf(choice) {
  const text = choice.delta === undefined ? choice.text : (choice.delta.content ?? "");
  return { text, tokens: tokensOf(choice.logprobs), reason: choice.finish_reason };
}

/** `{text, logprob, top: [{text, logprob}]}` of each token, the likeliest alternative first. */
function tokensOf(logprobs) {
  if (logprobs === null || logprobs === undefined) return [];
  const byLikelihood = (top) => top.sort((a, b) => b.logprob - a.logprob);
  if (Array.isArray(logprobs.content))
    return logprobs.content.map(({ token, logprob, top_logprobs: top }) => ({
      text: token,
      logprob,
      top: byLikelihood(top.map((one) => ({ text: one.token, logprob: one.logprob }))),
    }));
  return logprobs.tokens.map((text, i) => ({
    text,
    logprob: logprobs.token_logprobs[i],
    top: byLikelihood(
      Object.entries(logprobs.top_logprobs[i] ?? {}).map(([of, logprob]) => ({
        text: of,
        logprob,
      })),
    ),
  }));
}

/**
 * Which tokens stand for which text. Each its own where their texts are the text of the piece; all together where they are not, as the bytes of
 * one character may be several tokens and a model's spaces are not always shown.
 */
export function spansOf({ text, tokens }) {
  const spelled = tokens.map((token) => token.text).join("");
  if (tokens.length > 1 && spelled === text)
    return tokens.map((token) => ({ text: token.text, tokens: [token] }));
  return [{ text, tokens }];
}
