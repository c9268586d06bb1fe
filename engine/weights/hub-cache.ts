/** [engine/weights] The cache of hub downloads on disk, laid out as Python's huggingface_hub lays it out, so that both share it. No network. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { copyFile, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ModelError } from "../../dsl/index.ts";
import { showValue } from "../misfit.ts";

/** One file of a repository at one commit. */
export interface HubFile {
  readonly path: string;
  readonly bytes: number;
  /** Name of its content: sha256 of large files, git's object id of others. */
  readonly etag: string;
}

/** @source https://huggingface.co/docs/huggingface_hub/guides/manage-cache: blobs by content, snapshots of links by commit, refs by name */
export class HubCache {
  readonly #folder: string;

  /** @param root the cache's folder; @param model hub id, `owner/name` */
  constructor(root: string, model: string) {
    this.#folder = join(root, `models--${model.replaceAll("/", "--")}`);
  }

  snapshotFolder(commit: string): string {
    return join(this.#folder, "snapshots", commit);
  }

  /** The snapshot of a branch, tag or commit, where its config, or all its weights are there. */
  findSnapshot(revision: string, withWeights = true): string | undefined {
    const ref = join(this.#folder, "refs", revision);
    const commit = existsSync(ref) ? readFileSync(ref, "utf8").trim() : revision;
    const folder = this.snapshotFolder(commit);
    const isThere = withWeights ? isComplete(folder) : existsSync(join(folder, "config.json"));
    return isThere ? folder : undefined;
  }

  /** Remembers which commit a branch or tag was at. */
  async writeRef(revision: string, commit: string): Promise<void> {
    if (revision === commit) return;
    const path = join(this.#folder, "refs", revision);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, commit);
  }

  has(commit: string, { path }: HubFile): boolean {
    return existsSync(join(this.snapshotFolder(commit), path));
  }

  /**
   * Stores a file and links it into the snapshot. Safe beside other processes that store the same one.
   * @param open gives the content; not called where the content is there already, under another commit
   * @throws ModelError TW4232 where the content is not what the hub announced, TW4233 where its name is no hash
   */
  async store(
    commit: string,
    file: HubFile,
    open: () => Promise<Blob>,
    onBytes: (bytes: number) => void,
  ): Promise<void> {
    const blob = join(this.#folder, "blobs", checkHash(file.etag, `content of ${file.path}`));
    if (existsSync(blob)) onBytes(file.bytes);
    else {
      mkdirSync(dirname(blob), { recursive: true });
      const partial = `${blob}.${randomUUID()}.incomplete`;
      try {
        await download(file, await open(), partial, onBytes);
        await rename(partial, blob);
      } finally {
        await rm(partial, { force: true });
      }
    }
    await link(blob, join(this.snapshotFolder(commit), file.path));
  }
}

const HASH = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * What a hub says becomes a path only where it is a hash: anything else could lead out of the cache.
 * @throws ModelError TW4233
 */
export function checkHash(given: string, what: string): string {
  if (HASH.test(given)) return given;
  throw new ModelError({
    code: "TW4233",
    message: `the hub gives the ${what} a name that cannot be used`,
    seen: showValue(given),
    expected: "40 or 64 hexadecimal digits, as git and sha256 name contents",
    remedy: "check HF_ENDPOINT: what answers there is no hub of Hugging Face's kind",
  });
}

async function link(blob: string, pointer: string): Promise<void> {
  await mkdir(dirname(pointer), { recursive: true });
  try {
    await symlink(relative(dirname(pointer), blob), pointer);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "EPERM") throw error;
    await copyFile(blob, pointer); // file systems and accounts without links
  }
}

async function download(
  file: HubFile,
  content: Blob,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  // Git names an object by the sha1 of its kind, size and content.
  const isSha256 = file.etag.length === 64;
  const hash = createHash(isSha256 ? "sha256" : "sha1");
  if (!isSha256) hash.update(`blob ${file.bytes}\0`);
  const count = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk);
      onBytes(chunk.byteLength);
      done(null, chunk);
    },
  });
  const source = Readable.fromWeb(content.stream() as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(source, count, createWriteStream(path));
  const digest = hash.digest("hex");
  if (digest === file.etag) return;
  throw new ModelError({
    code: "TW4232",
    message: `the download of ${file.path} is damaged`,
    seen: `content with hash ${digest}`,
    expected: file.etag,
    remedy: "try again; if it stays so, the hub or a proxy changes the file",
  });
}

/** config.json is there, and every weight file: those that the index names, or the single one. */
function isComplete(folder: string): boolean {
  const has = (name: string) => existsSync(join(folder, name));
  if (!has("config.json")) return false;
  const index = join(folder, "model.safetensors.index.json");
  if (!existsSync(index))
    return readdirSync(folder).some((name) => name.endsWith(".safetensors") && has(name));
  const { weight_map: map } = JSON.parse(readFileSync(index, "utf8")) as {
    readonly weight_map?: Readonly<Record<string, string>>;
  };
  return Object.values(map ?? {}).every(has);
}
