/** [engine/weights] Downloads the files of a model that the engine reads. Honours HF_ENDPOINT, HF_HOME, HF_TOKEN and HF_HUB_OFFLINE. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { downloadFileToCacheDir, getHFHubCachePath, listFiles } from "@huggingface/hub";
import { ModelError } from "../../dsl/index.ts";
import type { EngineOptions } from "../config.ts";

const WANTED =
  /^(config|generation_config|tokenizer|tokenizer_config)\.json$|^model(-\d+-of-\d+)?\.safetensors$|^model\.safetensors\.index\.json$/;

/** @returns the snapshot folder in the hub cache. @throws ModelError TW4231 */
export async function downloadModel({
  model,
  revision = "main",
  onProgress,
}: EngineOptions): Promise<string> {
  const cached = cachedSnapshot(model, revision);
  const { HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE } = process.env;
  if (["1", "ON", "YES", "TRUE"].includes((HF_HUB_OFFLINE ?? "").toUpperCase())) {
    if (cached !== undefined) return cached;
    throw unavailable(
      model,
      "HF_HUB_OFFLINE is set and the model is not in the cache",
      "unset HF_HUB_OFFLINE, or download the model first",
    );
  }
  const access = {
    repo: model,
    revision,
    ...(HF_ENDPOINT ? { hubUrl: HF_ENDPOINT } : {}),
    ...(HF_TOKEN ? { accessToken: HF_TOKEN } : {}),
  };
  try {
    const files = [];
    for await (const file of listFiles(access))
      if (file.type === "file" && WANTED.test(file.path)) files.push(file);
    const total = files.reduce((sum, file) => sum + file.size, 0);
    let done = 0;
    let folder: string | undefined;
    for (const file of files) {
      const path = await downloadFileToCacheDir({ ...access, path: file.path });
      folder = path.slice(0, -file.path.length - 1);
      done += file.size;
      onProgress?.({ stage: "download", done, total });
    }
    if (folder !== undefined) return folder;
    throw unavailable(
      model,
      "the repository holds no config.json or safetensors file",
      "use a repository in transformers layout",
    );
  } catch (cause) {
    if (cause instanceof ModelError) throw cause;
    if (cached !== undefined) return cached; // the network is gone, the model is here
    throw unavailable(
      model,
      cause instanceof Error ? cause.message : String(cause),
      "check the id, the network, HF_ENDPOINT and HF_TOKEN",
      cause,
    );
  }
}

/** The snapshot that a ref of the cache names, where its config is complete. @source layout of the hub cache as huggingface_hub documents it */
function cachedSnapshot(model: string, revision: string): string | undefined {
  const folder = join(getHFHubCachePath(), `models--${model.replace("/", "--")}`);
  const ref = join(folder, "refs", revision);
  const commit = existsSync(ref) ? readFileSync(ref, "utf8").trim() : revision;
  const snapshot = join(folder, "snapshots", commit);
  const complete =
    existsSync(join(snapshot, "config.json")) &&
    readdirSync(snapshot).some((name) => name.endsWith(".safetensors"));
  return complete ? snapshot : undefined;
}

function unavailable(model: string, seen: string, remedy: string, cause?: unknown): ModelError {
  return new ModelError(
    {
      code: "TW4231",
      message: `the hub could not give model '${model}'`,
      seen,
      expected: "its config.json and safetensors files",
      remedy,
    },
    { cause },
  );
}
