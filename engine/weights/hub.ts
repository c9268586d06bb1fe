/** [engine/weights] Finds the folder of a model: a path, or a hub id fetched into the cache that the Python tools share. */
import { existsSync, statSync } from "node:fs";
import { ModelError } from "../../dsl/index.ts";
import type { EngineOptions } from "../config.ts";
import type { Extent } from "./hub-download.ts";

/** The option that a folder comes from. */
type Named = "model" | "tokenizer";

/** Not `./name` and `../name`, which are paths. */
const HUB_ID = /^(?!\.)[\w.-]+\/[\w.-]+$/;

/** @throws ModelError TW4230 for a name that is neither, TW4231 where the hub cannot give it */
export async function resolveModelFolder(options: EngineOptions): Promise<string> {
  return resolveFolder(options, options.loadFormat === "dummy" ? "described" : "whole");
}

/** The model's folder, or where `tokenizer` names another its. @throws ModelError TW4230, TW4231 */
export async function resolveTokenizerFolder(
  options: EngineOptions,
  modelFolder: string,
): Promise<string> {
  const { tokenizer, revision: _ofModel, ...rest } = options;
  if (tokenizer === undefined) return modelFolder;
  return resolveFolder({ ...rest, model: tokenizer }, "described", "tokenizer");
}

/** As the folders are found, without a network: the model's where it is one of this machine. @throws ModelError TW4230 for a name that is neither folder nor hub id */
export function findLocalFolder({
  model,
  tokenizer,
}: Pick<EngineOptions, "model" | "tokenizer">): string | undefined {
  if (tokenizer !== undefined) localFolder(tokenizer, "tokenizer");
  return localFolder(model, "model");
}

async function resolveFolder(
  options: EngineOptions,
  extent: Extent,
  option: Named = "model",
): Promise<string> {
  const folder = localFolder(options.model, option);
  return folder ?? (await import("./hub-download.ts")).downloadModel(options, extent);
}

/** Undefined for a hub id. */
function localFolder(name: string, option: Named): string | undefined {
  const exists = existsSync(name);
  if (exists && statSync(name).isDirectory()) return name;
  if (!exists && HUB_ID.test(name)) return undefined;
  throw new ModelError({
    code: "TW4230",
    message: exists ? `the ${option} is no folder` : `there is no such ${option} folder`,
    seen: exists ? `${name}, a file` : name,
    expected: "a folder in Hugging Face layout, or a hub id like owner/name",
    remedy: exists
      ? `give the folder that holds config.json and the other files as ${option} (--${option})`
      : `correct ${option} (--${option})`,
  });
}
