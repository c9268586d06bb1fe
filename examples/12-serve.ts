/** [examples] 12: a model behind the OpenAI protocol. Loads the small model of this folder, serves it, and is its own client. */
import { fileURLToPath } from "node:url";
import { engine } from "../index.ts";
import { type Example, runByHand } from "./example.ts";

const MODEL = fileURLToPath(new URL("./models/story-1m", import.meta.url));

interface Completion {
  readonly choices: readonly { readonly text: string; readonly finish_reason: string }[];
  readonly usage: { readonly completion_tokens: number };
}

async function complete(url: string, body: object): Promise<Completion> {
  const response = await fetch(`${url}/v1/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as Completion;
}

export const main: Example = async (device) => {
  const options = { model: MODEL, device, dtype: "float32", maxModelLen: 64, port: 0 } as const;
  const server = await engine.serve(options);
  try {
    // Temperature 0 takes the likeliest token each time, so the same request gets the same text, alone or beside others.
    const request = { prompt: "Once upon a time", max_tokens: 8, temperature: 0 };
    const [first, second] = await Promise.all([
      complete(server.url, request),
      complete(server.url, request),
    ]);
    const [text, other] = [first.choices[0]?.text, second.choices[0]?.text];
    console.log(`${request.prompt}${text}`);
    if (text === undefined || text === "" || text !== other)
      throw new Error(`two equal requests got '${text}' and '${other}'`);
    if (first.usage.completion_tokens !== request.max_tokens)
      throw new Error(`${first.usage.completion_tokens} tokens were made, 8 were asked for`);
  } finally {
    await server.close(); // and the engine with it
  }
};

await runByHand(import.meta.url, main);
