/** [engine/weights] Downloads the files of a model that the engine reads. Honours HF_ENDPOINT, HF_HOME, HF_TOKEN and HF_HUB_OFFLINE. */
import {
  downloadFile,
  getHFHubCachePath,
  HubApiError,
  listFiles,
  modelInfo,
} from "@huggingface/hub";
import { ModelError } from "../../dsl/index.ts";
import type { EngineOptions } from "../config.ts";
import { checkHash, HubCache, type HubFile } from "./hub-cache.ts";

const DESCRIPTION =
  /^(config|generation_config|tokenizer|tokenizer_config|chat_template)\.json$|^chat_template\.jinja$/;
const WEIGHTS = /^model(-\d+-of-\d+)?\.safetensors$|^model\.safetensors\.index\.json$/;

interface Access {
  readonly repo: string;
  readonly hubUrl?: string;
  readonly accessToken?: string;
}

/** `described`: the model without its weights. */
export type Extent = "whole" | "described";

/**
 * The snapshot folder in the hub cache, with all files at one commit. Without a network what the cache has is used.
 * @throws ModelError TW4231 where the hub cannot give the model, TW4232 for a damaged download, TW4233 for names that lead out of the cache
 */
export async function downloadModel(
  options: EngineOptions,
  extent: Extent = "whole",
): Promise<string> {
  const { model, revision = "main" } = options;
  const cache = new HubCache(getHFHubCachePath(), model);
  const cached = cache.findSnapshot(revision, extent === "whole");
  const { HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE } = process.env;
  if (["1", "ON", "YES", "TRUE"].includes((HF_HUB_OFFLINE ?? "").toUpperCase())) {
    if (cached !== undefined) return cached;
    throw unavailable(
      model,
      "HF_HUB_OFFLINE is set and the model is not in the cache",
      "unset HF_HUB_OFFLINE, or download the model first",
    );
  }
  const access: Access = {
    repo: model,
    ...(HF_ENDPOINT ? { hubUrl: HF_ENDPOINT.replace(/\/+$/, "") } : {}),
    ...(HF_TOKEN ? { accessToken: HF_TOKEN } : {}),
  };
  try {
    return await fetchSnapshot(access, revision, cache, extent, options.onProgress);
  } catch (cause) {
    if (cause instanceof ModelError) throw cause;
    const isRefusal = cause instanceof HubApiError && cause.statusCode < 500;
    if (cached !== undefined && !isRefusal) return cached; // the network is gone, the model is here
    const remedy = isRefusal
      ? "check the id and the revision; a private or gated model needs HF_TOKEN; a folder must exist under this path"
      : "check the network and HF_ENDPOINT; if a folder was meant, there is none of this path";
    throw unavailable(model, reasonOf(cause), remedy, cause);
  }
}

async function fetchSnapshot(
  access: Access,
  revision: string,
  cache: HubCache,
  extent: Extent,
  onProgress: EngineOptions["onProgress"],
): Promise<string> {
  // A branch may move while files are fetched: all are taken from the commit that it is at now.
  const { sha } = await modelInfo({
    ...access,
    name: access.repo,
    revision,
    additionalFields: ["sha"],
  });
  const commit = checkHash(sha, `commit of ${access.repo}`);
  const files: HubFile[] = [];
  const isWanted = (path: string) =>
    DESCRIPTION.test(path) || (extent === "whole" && WEIGHTS.test(path));
  for await (const { type, path, size, oid, lfs } of listFiles({ ...access, revision: commit })) {
    const etag = lfs?.oid ?? oid;
    if (type === "file" && isWanted(path) && etag !== undefined)
      files.push({ path, bytes: size, etag });
  }
  if (!files.some(({ path }) => path === "config.json")) {
    throw unavailable(
      access.repo,
      "the repository holds no config.json",
      "use a repository in transformers layout",
    );
  }
  const missing = files.filter((file) => !cache.has(commit, file));
  const total = missing.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const onBytes = (bytes: number) => {
    done += bytes;
    onProgress?.({ stage: "download", done, total });
  };
  for (const file of missing) {
    const open = async () => {
      const blob = await downloadFile({ ...access, path: file.path, revision: commit });
      if (blob !== null) return blob;
      throw unavailable(access.repo, `${file.path} is gone`, "try again");
    };
    await cache.store(commit, file, open, onBytes);
  }
  await cache.writeRef(revision, commit);
  return cache.snapshotFolder(commit);
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { cause: inner } = cause; // fetch says "fetch failed" and hides why
  return inner instanceof Error ? `${cause.message}: ${inner.message}` : cause.message;
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
