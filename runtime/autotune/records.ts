/** [runtime/autotune] What is kept of tuning: one line a measured config, one file a kernel, dtypes, bucket and device. Measures nothing. */
import type { DType } from "../../dsl/index.ts";
import { nodeModule } from "../../dsl/index.ts";
import type { Config } from "../bench/own-contender.ts";
import type { Spread } from "../bench/statistics.ts";
import { cacheFolder, DiskCache } from "../disk-cache.ts";
import type { Dims } from "./buckets.ts";
import { configKey } from "./space.ts";

const { join } = nodeModule("node:path");

/** Which results belong together. */
export interface TuningKey {
  readonly kernel: string;
  /** Content of the kernel; see identity.ts. */
  readonly hash: string;
  /** Kind of device, as a name for files: `cuda-nvidia-h200`. */
  readonly device: string;
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly bucket: string;
}

/** One config and what came of it. */
export interface ConfigRecord {
  readonly config: Config;
  /** `timed`, `wrong` outputs, or `failed` to compile or to run. */
  readonly status: "timed" | "wrong" | "failed";
  /** Microseconds of a launch in the rounds in which all candidates stood. */
  readonly us?: Spread;
  /** Microseconds in the rounds of the last few, and how they were timed. */
  readonly final?: { readonly mode: string; readonly us: Spread };
  readonly reason?: string;
  /** Versions of what was measured; results of others are not compared with it. */
  readonly made: string;
}

export interface WinnerRecord {
  readonly winner: Config;
  readonly us: number;
  readonly made: string;
}

/** First line of a file. */
export interface TuningHeader extends TuningKey {
  readonly format: typeof FORMAT;
  readonly dims: Dims;
}

export interface TuningFile {
  readonly header: TuningHeader | undefined;
  /** The latest record of each config, by `configKey`. */
  readonly configs: ReadonlyMap<string, ConfigRecord>;
  readonly winner: WinnerRecord | undefined;
}

/** A winner and the sizes it was measured on. */
export interface StoredWinner {
  readonly dims: Dims;
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly bucket: string;
  readonly config: Config;
}

const FORMAT = "tilewright-tuning-1";
const LIMIT_BYTES = 32 * 2 ** 20;
/** Files that grew past this are written anew with the latest record of each config, where that halves them. */
const COMPACT_BYTES = 2 ** 20;
const HASH_DIGITS = 16;
const EMPTY: TuningFile = { header: undefined, configs: new Map(), winner: undefined };

/** Where files lie: on disk, or in the memory of the process. */
export interface TuningFolder {
  names(): readonly string[];
  get(name: string): Uint8Array | undefined;
  put(name: string, data: Uint8Array): void;
  append(name: string, data: Uint8Array): void;
}

class MemoryFolder implements TuningFolder {
  readonly #files = new Map<string, Uint8Array>();

  names(): readonly string[] {
    return [...this.#files.keys()];
  }
  get(name: string): Uint8Array | undefined {
    return this.#files.get(name);
  }
  put(name: string, data: Uint8Array): void {
    this.#files.set(name, data);
  }
  append(name: string, data: Uint8Array): void {
    this.#files.set(name, Buffer.concat([this.#files.get(name) ?? Buffer.alloc(0), data]));
  }
}

export class TuningStore {
  readonly #folder: TuningFolder;
  /** Names of files, listed once and kept up to date with what this process adds. */
  #names: Set<string> | undefined;

  /** @param folder where absent the store lives as long as the process */
  constructor(folder: TuningFolder = new MemoryFolder()) {
    this.#folder = folder;
  }

  /** The store of this user, beside the compile cache; one in memory where caches are switched off. */
  static open(): TuningStore {
    const folder = cacheFolder();
    return new TuningStore(
      folder === undefined ? undefined : new DiskCache(join(folder, "tuning"), LIMIT_BYTES),
    );
  }

  read(key: TuningKey): TuningFile {
    return this.#read(fileName(key));
  }

  /** Adds records in one write. Safe beside other processes: lines of several writers stand one after another. */
  add(key: TuningKey, dims: Dims, records: readonly (ConfigRecord | WinnerRecord)[]): void {
    if (records.length === 0) return;
    const name = fileName(key);
    const isNew = !this.#listed().has(name);
    const header: TuningHeader = { format: FORMAT, ...key, dims };
    const lines = [...(isNew ? [header] : []), ...records].map((line) => JSON.stringify(line));
    // A line break at both ends: what a process left unfinished spoils its own line alone.
    this.#folder.append(name, Buffer.from(`\n${lines.join("\n")}\n`));
    this.#names?.add(name);
  }

  /** Winners of a kernel's text on a kind of device, for every bucket and all dtypes. */
  winners(key: Pick<TuningKey, "kernel" | "hash" | "device">): readonly StoredWinner[] {
    const prefix = filePrefix(key);
    return [...this.#listed()]
      .filter((name) => name.startsWith(prefix))
      .sort()
      .flatMap((name): StoredWinner[] => {
        const file = this.#read(name);
        const config = winnerOf(file);
        if (file.header === undefined || config === undefined) return [];
        const { dims, dtypes, bucket } = file.header;
        return [{ dims, dtypes, bucket, config }];
      });
  }

  /** Whether anything is known of kernels with this name. Costs one listing of the folder a process. */
  knows(kernel: string): boolean {
    const prefix = `${kernel}-`;
    for (const name of this.#listed()) if (name.startsWith(prefix)) return true;
    return false;
  }

  note(name: string): string | undefined {
    const data = this.#folder.get(name);
    return data === undefined ? undefined : Buffer.from(data).toString("utf8");
  }

  putNote(name: string, text: string): void {
    this.#folder.put(name, Buffer.from(text));
    this.#names?.add(name);
  }

  #listed(): Set<string> {
    this.#names ??= new Set(this.#folder.names());
    return this.#names;
  }

  #read(name: string): TuningFile {
    const data = this.#folder.get(name);
    if (data === undefined) return EMPTY;
    const file = parse(Buffer.from(data).toString("utf8"));
    if (data.byteLength > COMPACT_BYTES && file.header !== undefined) {
      const kept = [file.header, ...file.configs.values(), ...(file.winner ? [file.winner] : [])];
      const text = Buffer.from(kept.map((line) => `${JSON.stringify(line)}\n`).join(""));
      if (text.byteLength < data.byteLength / 2) this.#folder.put(name, text);
    }
    return file;
  }
}

/** The config that was chosen; where a run was interrupted before it chose, the fastest so far. */
export function winnerOf({ winner, configs }: TuningFile): Config | undefined {
  if (winner !== undefined) return winner.winner;
  let best: ConfigRecord | undefined;
  for (const record of configs.values())
    if (record.us !== undefined && (best?.us === undefined || record.us.median < best.us.median))
      best = record;
  return best?.config;
}

/** Lines that are damaged, or of another format, count for nothing. */
function parse(text: string): TuningFile {
  let header: TuningHeader | undefined;
  let winner: WinnerRecord | undefined;
  const configs = new Map<string, ConfigRecord>();
  for (const line of text.split("\n")) {
    const value = parseLine(line);
    if (value === undefined) continue;
    if ("format" in value) header ??= value.format === FORMAT ? value : undefined;
    else if ("winner" in value) winner = value;
    else if ("config" in value) configs.set(configKey(value.config), value);
  }
  return { header, configs, winner };
}

function parseLine(line: string): TuningHeader | WinnerRecord | ConfigRecord | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null
      ? (value as TuningHeader | WinnerRecord | ConfigRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

function filePrefix({
  kernel,
  hash,
  device,
}: Pick<TuningKey, "kernel" | "hash" | "device">): string {
  return `${kernel}-${hash.slice(0, HASH_DIGITS)}-${device}-`;
}

function fileName(key: TuningKey): string {
  const dtypes = Object.keys(key.dtypes)
    .sort()
    .map((name) => `${name}.${key.dtypes[name]}`)
    .join(",");
  return `${filePrefix(key)}${dtypes || "plain"}-${key.bucket || "fixed"}.jsonl`;
}
