/** [runtime] Definition and specialisation → artifact, through memory and disk. A hit on disk needs neither parser nor compiler. */
import { readFileSync } from "node:fs";
import {
  type Artifact,
  CODEGEN_VERSION,
  type CompileRequest,
  compileKernel,
} from "../codegen/index.ts";
import { type KernelDefinition, opOf, sha256, sourceKey, stableJson } from "../dsl/index.ts";
import type { BinaryCache } from "./backend.ts";
import type { DiskCache } from "./disk-cache.ts";

/** On disk: the artifact, and every source file that it was made from with its content hash. */
interface CacheEntry {
  readonly dependencies: readonly { readonly file: string; readonly sha256: string }[];
  readonly artifact: Artifact;
}

export interface CacheStatistics {
  readonly diskHits: number;
  readonly compiles: number;
}

export class KernelCache implements BinaryCache {
  readonly #disk: DiskCache | undefined;
  /** Content hashes of source files, read once a process: a kernel's definition is frozen when its module is loaded. */
  readonly #fileHashes = new Map<string, string | undefined>();
  #diskHits = 0;
  #compiles = 0;

  constructor(disk: DiskCache | undefined) {
    this.#disk = disk;
  }

  get statistics(): CacheStatistics {
    return { diskHits: this.#diskHits, compiles: this.#compiles };
  }

  /** @throws KernelSourceError, UnsupportedError from the compiler */
  artifact(kernel: KernelDefinition, request: CompileRequest): Artifact {
    const name = this.#disk === undefined ? undefined : this.#entryName(kernel, request);
    const cached = name === undefined ? undefined : this.#lookup(name);
    if (cached !== undefined) {
      this.#diskHits++;
      return cached;
    }
    this.#compiles++;
    const { artifact, dependencies } = compileKernel(kernel, request);
    if (name !== undefined) {
      const entry: CacheEntry = { dependencies, artifact };
      this.#disk?.put(name, Buffer.from(JSON.stringify(entry)));
    }
    return artifact;
  }

  get(key: string): Uint8Array | undefined {
    return this.#disk?.get(`${key}.bin`);
  }

  put(key: string, data: Uint8Array): void {
    this.#disk?.put(`${key}.bin`, data);
  }

  /** Undefined where the definition's source has no file (a REPL), or a function argument has no stable identity. */
  #entryName(kernel: KernelDefinition, request: CompileRequest): string | undefined {
    const definition = this.#identify(kernel);
    if (definition === undefined) return undefined;
    const { dtypes, config, dims, functions: given = {} } = request.specialization;
    const functions: Record<string, unknown> = {};
    for (const [name, fn] of Object.entries(given)) {
      functions[name] = this.#identify(fn);
      if (functions[name] === undefined) return undefined;
    }
    const identity = {
      version: CODEGEN_VERSION,
      definition,
      kernel: kernel.name,
      dtypes,
      config: { ...kernel.config, ...config },
      dims,
      functions,
      target: request.target,
      divisibility: request.divisibility,
    };
    return `${sha256(stableJson(identity))}.json`;
  }

  /** What a definition or device function is, by content and place in its file; an op by its name. */
  #identify(value: object): unknown {
    const op = opOf(value);
    if (op !== undefined) return { op: op.name };
    if (!("site" in value)) return undefined;
    const position = sourceKey(value as Pick<KernelDefinition, "site">);
    if (position === undefined) return undefined;
    const hash = this.#hashOf(position.file);
    return hash === undefined ? undefined : { hash, line: position.line, column: position.column };
  }

  #lookup(name: string): Artifact | undefined {
    const data = this.#disk?.get(name);
    if (data === undefined) return undefined;
    try {
      const entry = JSON.parse(Buffer.from(data).toString("utf8")) as CacheEntry;
      const fresh = entry.dependencies.every(
        ({ file, sha256: hash }) => this.#hashOf(file) === hash,
      );
      return fresh ? entry.artifact : undefined;
    } catch {
      return undefined; // a damaged entry is compiled again and overwritten
    }
  }

  #hashOf(file: string): string | undefined {
    if (this.#fileHashes.has(file)) return this.#fileHashes.get(file);
    let hash: string | undefined;
    try {
      hash = sha256(readFileSync(file));
    } catch {
      hash = undefined;
    }
    this.#fileHashes.set(file, hash);
    return hash;
  }
}
