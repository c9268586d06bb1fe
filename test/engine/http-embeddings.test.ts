/** [test/engine] POST /v1/embeddings: each pooling against another way to the same states, order, chunks, cache, formats, refusals. */
import { describe, expect, it } from "vitest";
import { Engine } from "../../engine/engine.ts";
import { lastOutput } from "../../engine/request-group.ts";
import { serveForTests } from "../support/serve-tiny.ts";
import { BOS, FIRST_BYTE, TINY_CONTEXT, writeTinyModel } from "../support/tiny-model.ts";

const model = "tiny";
const served = serveForTests(() => ({ model: writeTinyModel(), servedModelName: model }));
const ids = (text: string) => [BOS, ...[...Buffer.from(text)].map((byte) => byte + FIRST_BYTE)];

interface Answer {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[];
  readonly usage: { readonly prompt_tokens: number };
}
async function embed(body: object): Promise<Answer> {
  const response = await served.post("/v1/embeddings", { model, ...body });
  const answer = (await response.json()) as Answer;
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer;
}
async function vector(body: object): Promise<readonly number[]> {
  return (await embed(body)).data[0]?.embedding ?? [];
}
const close = (a: readonly number[], b: readonly number[]) => {
  expect(a).toHaveLength(b.length);
  a.forEach((value, i) => {
    expect(value).toBeCloseTo(b[i] ?? Number.NaN, 5);
  });
};

describe("embeddings", () => {
  it("keep the order of inputs, whatever runs with them", async () => {
    const input = ["a", "something longer", "b"];
    const all = await embed({ input });
    expect(all.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const [i, text] of input.entries())
      close(all.data[i]?.embedding ?? [], await vector({ input: text }));
    expect(all.usage.prompt_tokens).toBe(input.join("").length + 3);
    close(await vector({ input: ids("a") }), all.data[0]?.embedding ?? []);
  });

  it("of the first position do not see the rest; of the last do", async () => {
    const cls = (input: string) => vector({ input, pooling: "cls" });
    close(await cls("abc"), await cls("xyz"));
    close(await cls("abc"), await vector({ input: [BOS], pooling: "last" }));
    const [abc, xbc] = [await vector({ input: "abc" }), await vector({ input: "xbc" })];
    expect(abc.some((value, i) => Math.abs(value - (xbc[i] ?? 0)) > 1e-3)).toBe(true);
  });

  it("of one token are the same by every pooling", async () => {
    const [mean, last] = [
      await vector({ input: [7], pooling: "mean" }),
      await vector({ input: [7], pooling: "last" }),
    ];
    close(mean, last);
    expect(Math.hypot(...mean)).toBeCloseTo(1, 5);
  });

  it("are the same when prompts are computed in chunks, and after cached ones", async () => {
    const prompt = ids("a text of forty and some characters, more or less");
    const folder = writeTinyModel();
    const load = (options: object) =>
      Engine.load({ model: folder, device: "interpreter", ...options });
    const [whole, chunked] = [await load({}), await load({ maxNumBatchedTokens: 7, blockSize: 4 })];
    for (const pooling of ["mean", "last", "cls"] as const) {
      const params = { maxTokens: 1, pooling };
      const one = await lastOutput(whole.generate(prompt, params));
      await lastOutput(chunked.generate(prompt, { maxTokens: 1 })); // fills the cache
      const other = await lastOutput(chunked.generate(prompt, params));
      close([...(one.embedding ?? [])], [...(other.embedding ?? [])]);
    }
    await whole.close();
    await chunked.close();
  });

  it("come as base64 of little-endian floats", async () => {
    const packed = (await embed({ input: "abc", encoding_format: "base64" })) as unknown as {
      data: { embedding: string }[];
    };
    const bytes = Buffer.from(packed.data[0]?.embedding ?? "", "base64");
    const values = Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
    close(values, await vector({ input: "abc" }));
  });

  it.each([
    ["no input", {}, "input", 400],
    ["an empty list", { input: [] }, "input", 400],
    ["dimensions", { input: "a", dimensions: 8 }, "dimensions", 400],
    ["an unknown format", { input: "a", encoding_format: "int8" }, "encoding_format", 400],
    ["too long a text", { input: "x".repeat(TINY_CONTEXT) }, "prompt", 400],
    ["another model", { input: "a", model: "x" }, "model", 404],
  ])("refuse %s", async (_name, body, param, status) => {
    const response = await served.post("/v1/embeddings", { model, ...body });
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { param: string } }).error.param).toBe(param);
  });
});
