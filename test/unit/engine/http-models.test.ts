/** [test/unit/engine] Names of a served model: several for the same one, the first in every answer, others unknown. */
import { expect, it } from "vitest";
import { Engine } from "../../../engine/engine.ts";
import { createApp } from "../../../engine/server/http.ts";
import { writeTinyModel } from "../../support/tiny-model.ts";

const model = writeTinyModel();

it.each([
  [["first", "second"], "first"],
  ["only", "only"],
  [[], model],
  [undefined, model],
] as const)("a model served as %s answers as %s", async (servedModelName, first) => {
  const named = servedModelName === undefined ? {} : { servedModelName };
  const engine = await Engine.load({ model, device: "null", ...named });
  const app = createApp(engine);
  const names = servedModelName?.length ? [servedModelName].flat() : [model];
  const list = JSON.parse((await app.inject({ url: "/v1/models" })).body) as {
    readonly data: readonly { readonly id: string }[];
  };
  expect(list.data.map(({ id }) => id)).toEqual(names);
  for (const asked of [...names, undefined]) {
    const payload = {
      prompt: "a",
      max_tokens: 1,
      ...(asked === undefined ? {} : { model: asked }),
    };
    const { statusCode, body } = await app.inject({
      method: "POST",
      url: "/v1/completions",
      payload,
    });
    expect([statusCode, (JSON.parse(body) as { model: string }).model]).toEqual([200, first]);
  }
  for (const name of names) {
    const { body } = await app.inject({ url: `/v1/models/${name}` });
    expect(JSON.parse(body)).toMatchObject({ id: name, max_model_len: 128 });
  }
  expect((await app.inject({ url: "/v1/models/third" })).statusCode).toBe(404);
  const other = { prompt: "a", model: "third" };
  const refused = await app.inject({ method: "POST", url: "/v1/completions", payload: other });
  expect([refused.statusCode, refused.body]).toEqual([
    404,
    expect.stringContaining(names.join(", ")),
  ]);
  await app.close();
  await engine.close();
});
