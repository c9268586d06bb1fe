/** [engine/weights] Finds the folder of a model: a path, or a hub id fetched into the cache that the Python tools share. */
import { existsSync, statSync } from "node:fs";
import { ModelError } from "../../dsl/index.ts";
import type { EngineOptions } from "../config.ts";

const HUB_ID = /^[\w.-]+\/[\w.-]+$/;

/** @throws ModelError TW4230 for a name that is neither, TW4231 where the hub cannot give it */
export async function resolveModelFolder(options: EngineOptions): Promise<string> {
  const { model } = options;
  if (existsSync(model) && statSync(model).isDirectory()) return model;
  if (HUB_ID.test(model)) return (await import("./hub-download.ts")).downloadModel(options);
  throw new ModelError({
    code: "TW4230",
    message: "there is no such model folder",
    seen: model,
    expected: "a folder in Hugging Face layout, or a hub id like owner/name",
    remedy: "correct --model",
  });
}
