/** [examples] 17: a server with a namespace for its metrics, and curl on /generate, line by line from vLLM's. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { engine } from "../index.ts";
import { type Example, runByHand } from "./example.ts";

const MODEL = fileURLToPath(new URL("./models/story-1m", import.meta.url));
const run = promisify(execFile);

/** `curl`, as in a shell; where there is none the same request by fetch. */
async function curl(url: string, data?: object): Promise<string> {
  const body = data === undefined ? undefined : JSON.stringify(data);
  const args = body === undefined ? [] : ["-H", "content-type: application/json", "-d", body];
  try {
    return (await run("curl", ["--silent", "--show-error", "--fail", url, ...args])).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    console.log("there is no curl here: fetch asks instead");
    const response = await fetch(
      url,
      body === undefined
        ? {}
        : { method: "POST", headers: { "content-type": "application/json" }, body },
    );
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    return response.text();
  }
}

export const main: Example = async (device) => {
  // python -m vllm.entrypoints.api_server --model … --port 8000, with the metrics of this deployment apart from others'
  const server = await engine.serve({
    model: MODEL,
    device,
    dtype: "float32",
    maxModelLen: 64,
    metricsNamespace: "stories",
    port: 0, // a free one
  });
  try {
    // curl http://localhost:8000/generate -d '{"prompt": "Once upon a time", "max_tokens": 8, "temperature": 0}'
    const prompt = "Once upon a time";
    const answer = await curl(`${server.url}/generate`, { prompt, max_tokens: 8, temperature: 0 });
    const { text } = JSON.parse(answer) as { readonly text: readonly string[] };
    console.log(text[0]);
    if (text.length !== 1 || text[0]?.startsWith(prompt) !== true || text[0] === prompt)
      throw new Error(`/generate answers with prompt and continuation, this was ${answer}`);

    // curl http://localhost:8000/metrics
    const metrics = (await curl(`${server.url}/metrics`)).split("\n");
    const written = metrics.find((line) => line.startsWith("stories:generation_tokens_total{"));
    console.log(written);
    if (written?.endsWith(" 8") !== true || metrics.some((line) => line.startsWith("vllm:")))
      throw new Error(`the metrics do not count 8 tokens under 'stories:': ${written}`);
  } finally {
    await server.close();
  }
};

await runByHand(import.meta.url, main);
