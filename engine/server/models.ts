/** [engine/server] GET /v1/models, and the check of a request's `model`. */
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../dsl/index.ts";
import type { ServerContext } from "./context.ts";

export function addModels(app: FastifyInstance, { engine, chatTemplate }: ServerContext): void {
  const { info } = engine;
  const model = {
    id: info.name,
    object: "model",
    created: Math.floor(Date.now() / 1000),
    owned_by: "tilewright",
    root: info.folder,
    parent: null,
    max_model_len: info.maxModelLen,
    /** Ours: whether /v1/chat/completions has a template to work with. */
    has_chat_template: chatTemplate.exists,
  };
  app.get("/v1/models", async () => ({ object: "list", data: [model] }));
  app.get<{ readonly Params: { readonly "*": string } }>("/v1/models/*", async ({ params }) => {
    checkModel(info.name, params["*"]);
    return model;
  });
}

/** @throws RequestError TW4302 where a request names another model than the one served */
export function checkModel(served: string, asked: string | null | undefined): void {
  if (asked === null || asked === undefined || asked === served) return;
  throw new RequestError(
    {
      code: "TW4302",
      message: `the model '${asked}' does not exist`,
      seen: asked,
      expected: served,
      remedy: "use the name that GET /v1/models gives",
    },
    404,
    "model",
  );
}
