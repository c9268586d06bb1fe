/** [runtime] A bounded folder of small files, safe for many processes at once. Knows nothing of kernels. */
import { IS_NODE, nodeModule, readFlag } from "../dsl/index.ts";

const {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = nodeModule("node:fs");
const { homedir } = nodeModule("node:os");
const { join } = nodeModule("node:path");

export class DiskCache {
  readonly folder: string;
  readonly #limitBytes: number;
  #writtenBytes = 0;
  #writable = true;

  /** @param limitBytes the folder is swept back to 3/4 of it when it grows past it */
  constructor(folder: string, limitBytes: number) {
    this.folder = folder;
    this.#limitBytes = limitBytes;
  }

  /** Content of an entry, or undefined. A hit makes the entry the youngest. */
  get(name: string): Uint8Array | undefined {
    const path = join(this.folder, name);
    try {
      const data = readFileSync(path);
      const now = new Date();
      utimesSync(path, now, now);
      return data;
    } catch {
      return undefined; // absent, or swept by another process: both mean "compile"
    }
  }

  /** Writes to a private name, then renames: a reader sees all of an entry or none of it. A folder that cannot be written is no error. */
  put(name: string, data: Uint8Array): void {
    if (!this.#writable) return;
    const path = join(this.folder, name);
    const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`;
    try {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(temporary, data); // a crash here leaves a .tmp file, which a later sweep removes
      renameSync(temporary, path);
    } catch {
      this.#writable = false;
      return;
    }
    this.#wrote(data.byteLength);
  }

  /** Adds to the end of an entry in one write, so that what several processes add does not mix. A folder that cannot be written is no error. */
  append(name: string, data: Uint8Array): void {
    if (!this.#writable) return;
    try {
      mkdirSync(this.folder, { recursive: true });
      appendFileSync(join(this.folder, name), data);
    } catch {
      this.#writable = false;
      return;
    }
    this.#wrote(data.byteLength);
  }

  /** Names of all entries; none where there is no folder yet. */
  names(): readonly string[] {
    try {
      return readdirSync(this.folder).filter((name) => !name.endsWith(".tmp"));
    } catch {
      return [];
    }
  }

  /** Drops the oldest entries while the folder is over its limit, and temporaries that a dead process left. */
  sweep(): void {
    this.#writtenBytes = 0;
    const entries = this.#entries();
    let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    if (total <= this.#limitBytes) return;
    entries.sort((a, b) => a.usedMs - b.usedMs);
    for (const entry of entries) {
      if (total <= this.#limitBytes * 0.75) break;
      rmSync(entry.path, { force: true });
      total -= entry.bytes;
    }
  }

  #wrote(bytes: number): void {
    this.#writtenBytes += bytes;
    if (this.#writtenBytes > this.#limitBytes / 16) this.sweep();
  }

  #entries(): { readonly path: string; readonly bytes: number; readonly usedMs: number }[] {
    const found = [];
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      try {
        const { size, mtimeMs } = statSync(path);
        if (name.endsWith(".tmp") && Date.now() - mtimeMs > 3_600_000)
          rmSync(path, { force: true });
        else found.push({ path, bytes: size, usedMs: mtimeMs });
      } catch {
        // another process removed it between the two calls
      }
    }
    return found;
  }
}

/** The user's folder for what is kept between processes (TILEWRIGHT_CACHE_DIR), or undefined where that is switched off, and in a browser. */
export function cacheFolder(): string | undefined {
  if (!IS_NODE) return undefined;
  const folder = readFlag("cacheDir") ?? join(homedir(), ".cache", "tilewright");
  return folder === "off" ? undefined : folder;
}

/** The compile cache of this user (TILEWRIGHT_CACHE_DIR, TILEWRIGHT_CACHE_MIB), or undefined where it is switched off. */
export function openDiskCache(): DiskCache | undefined {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  const mebibytes = Number(readFlag("cacheMebibytes") ?? "512");
  return new DiskCache(
    join(folder, "kernels"),
    (Number.isFinite(mebibytes) && mebibytes > 0 ? mebibytes : 512) * 2 ** 20,
  );
}
