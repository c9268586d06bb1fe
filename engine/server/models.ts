/** [engine/server] GET /v1/models, and the check of a request's `model`. */
import type { FastifyInstance } from "fastify";
import { RequestError } from "../../dsl/index.ts";
import type { ModelInfo } from "../load.ts";
import type { ServerContext } from "./context.ts";

export function addModels(app: FastifyInstance, { engine, chatTemplate }: ServerContext): void {
  const { info } = engine;
  const models = info.names.map((id) => ({
    id,
    object: "model",
    created: Math.floor(Date.now() / 1000),
    owned_by: "tilewright",
    root: info.folder,
    parent: null,
    max_model_len: info.maxModelLen,
    /** Ours: whether /v1/chat/completions has a template to work with. */
    has_chat_template: chatTemplate.exists,
  }));
  app.get("/v1/models", async () => ({ object: "list", data: models }));
  app.get<{ readonly Params: { readonly "*": string } }>("/v1/models/*", async ({ params }) => {
    checkModel(info, params["*"]);
    return models.find(({ id }) => id === params["*"]);
  });
}

/** @throws RequestError TW4302 where a request names another model than the one served */
export function checkModel(
  { names }: Pick<ModelInfo, "names">,
  asked: string | null | undefined,
): void {
  if (asked === null || asked === undefined || names.includes(asked)) return;
  throw new RequestError(
    {
      code: "TW4302",
      message: `the model '${asked}' does not exist`,
      seen: asked,
      expected: names.join(", "),
      remedy: "use the name that GET /v1/models gives",
    },
    404,
    "model",
  );
}
