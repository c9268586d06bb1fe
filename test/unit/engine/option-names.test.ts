/** [test/unit/engine] Names of options that do not exist: refused at every door with what was meant, so that a slip changes nothing unseen. */
import { describe, expect, it } from "vitest";
import { Engine, engine, LLM, startServing } from "../../../engine/index.ts";
import { checkSamplingNames, generateOptions } from "../../../engine/option-names.ts";
import { resolveSampling } from "../../../engine/sampling.ts";

const model = "no/such/folder";
/** As JavaScript passes them: no type is asked. */
const untyped = (options: object) => options as never;

describe("options that do not exist", () => {
  it.each([
    ["engine.serve", () => engine.serve(untyped({ model, prot: 8000 })), /prot[\s\S]*'port'/],
    ["startServing", () => startServing(untyped({ model, api_keys: [] })), /'apiKeys'/],
    ["engine.load", () => engine.load(untyped({ model, max_num_seqs: 4 })), /'maxNumSeqs'/],
    ["Engine.load", () => Engine.load(untyped({ model, port: 8000 })), /TW4124/],
    [
      "tracing",
      () => engine.serve(untyped({ model, tracing: { endpoint: "http://a", sampelRate: 1 } })),
      /'sampleRate'/,
    ],
    [
      "tls",
      () => engine.serve(untyped({ model, tls: { key: "", certificate: "" } })),
      /'cert'|ca, cert/,
    ],
    ["new LLM", async () => new LLM(untyped({ model, quantisation: "awq" })), /'quantization'/],
  ])("are refused by %s", async (_door, call, said) => {
    const error = await call().then(
      () => "",
      (cause: unknown) => String(cause),
    );
    expect(error).toMatch(/TW4124/);
    expect(error).toMatch(said);
  });

  it("are told all at once", async () => {
    const call = engine.load(untyped({ model, sead: 1, dytpe: "auto" }));
    await expect(call).rejects.toThrow(/'seed'[\s\S]*'dtype'/);
  });

  it("are refused among the parameters of a request, with the parameter's name", () => {
    expect(() => resolveSampling(untyped({ temprature: 1 }))).toThrow(/TW4124[\s\S]*'temperature'/);
    expect(() => resolveSampling(untyped({ max_tokens: 1 }))).toThrow(/TW4124[\s\S]*'maxTokens'/);
    expect(() => generateOptions(untyped({ priorty: 1 }))).toThrow(/TW4124[\s\S]*'priority'/);
    expect(() => resolveSampling(untyped({ beam: { width: 2, length_penalty: 1 } }))).toThrow(
      /TW4124[\s\S]*'lengthPenalty'/,
    );
    expect(() => checkSamplingNames(untyped({ toString: 1 }))).toThrow(/TW4124/);
  });
});

it("options that exist are taken, also where they say nothing", () => {
  expect(resolveSampling({ maxTokens: 3, topK: 2 })).toMatchObject({ maxTokens: 3, topK: 2 });
  expect(generateOptions({ priority: 2 })).toEqual({ priority: 2 });
  expect(generateOptions("mine")).toEqual({ requestId: "mine" });
});
