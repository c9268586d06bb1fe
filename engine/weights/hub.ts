/** [engine/weights] Finds the folder of a model: a path, or a hub id fetched into the cache that the Python tools share. */
import { existsSync, statSync } from "node:fs";
import { ModelError } from "../../dsl/index.ts";
import type { EngineOptions } from "../config.ts";

const HUB_ID = /^[\w.-]+\/[\w.-]+$/;

/** @throws ModelError TW4230 for a name that is neither, TW4231 where the hub cannot give it */
export async function resolveModelFolder(options: EngineOptions): Promise<string> {
  const { model } = options;
  const exists = existsSync(model);
  if (exists && statSync(model).isDirectory()) return model;
  if (!exists && HUB_ID.test(model))
    return (await import("./hub-download.ts")).downloadModel(options);
  throw new ModelError({
    code: "TW4230",
    message: exists ? "the model is no folder" : "there is no such model folder",
    seen: exists ? `${model}, a file` : model,
    expected: "a folder in Hugging Face layout, or a hub id like owner/name",
    remedy: exists
      ? "pass --model the folder that holds config.json and the weights"
      : "correct --model",
  });
}
