/** [runtime] Definition and specialisation → artifact, through memory and disk. A hit on disk needs neither parser nor compiler. */
import {
  type Artifact,
  type CompiledKernel,
  type CompileRequest,
  compileKernel,
  type Remark,
  targetVersion,
} from "../codegen/index.ts";
import {
  type KernelDefinition,
  nodeModule,
  opOf,
  sha256,
  sourceKey,
  stableJson,
  UNKNOWN_LOCATION,
  UnsupportedError,
} from "../dsl/index.ts";
import { smallerConfigs } from "./autotune/smaller-configs.ts";
import type { BinaryCache } from "./backend.ts";
import { compilerIdentity } from "./compiler-identity.ts";
import type { DiskCache } from "./disk-cache.ts";
import { traceCompile } from "./trace.ts";

const { readFileSync } = nodeModule("node:fs");

type Config = Readonly<Record<string, number | boolean>>;

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

  /**
   * @param mayShrink whether a config that needs more shared memory than the target has may be replaced by a smaller one; the
   * artifact says which it got, and a remark says why
   * @throws KernelSourceError, UnsupportedError from the compiler
   */
  artifact(kernel: KernelDefinition, request: CompileRequest, mayShrink = false): Artifact {
    const name = this.#disk === undefined ? undefined : this.#entryName(kernel, request, mayShrink);
    const cached = name === undefined ? undefined : this.#lookup(name);
    if (cached !== undefined) {
      this.#diskHits++;
      return cached;
    }
    this.#compiles++;
    const { artifact, dependencies } = compileFitting(kernel, request, mayShrink);
    if (name !== undefined) {
      const entry: CacheEntry = { dependencies, artifact };
      this.#disk?.put(name, Buffer.from(JSON.stringify(entry)));
    }
    return artifact;
  }

  /** Keeps an artifact that was compiled elsewhere, so that later processes find it. */
  adopt(kernel: KernelDefinition, request: CompileRequest, compiled: CompiledKernel): void {
    if (this.#disk === undefined) return;
    // As a launch finds it that names the config, and one that is given it.
    for (const mayShrink of [false, true]) {
      const name = this.#entryName(kernel, request, mayShrink);
      const { dependencies, artifact } = compiled;
      const entry: CacheEntry = { dependencies, artifact };
      if (name !== undefined) this.#disk.put(name, Buffer.from(JSON.stringify(entry)));
    }
  }

  get(key: string): Uint8Array | undefined {
    return this.#disk?.get(`${key}.bin`);
  }

  put(key: string, data: Uint8Array): void {
    this.#disk?.put(`${key}.bin`, data);
  }

  /** Undefined where the definition's source has no file (a REPL), the target has no version, or a function argument has no stable identity. */
  #entryName(
    kernel: KernelDefinition,
    request: CompileRequest,
    mayShrink: boolean,
  ): string | undefined {
    const definition = this.identify(kernel);
    if (definition === undefined) return undefined;
    const version = targetVersion(request.target.target);
    if (version === undefined) return undefined;
    const { dtypes, config, dims, functions: given = {} } = request.specialization;
    const functions: Record<string, unknown> = {};
    for (const [name, fn] of Object.entries(given)) {
      functions[name] = this.identify(fn);
      if (functions[name] === undefined) return undefined;
    }
    const identity = {
      compiler: compilerIdentity(),
      definition,
      kernel: kernel.name,
      dtypes,
      config: { ...kernel.config, ...config },
      dims,
      functions,
      target: request.target,
      ...(version === "" ? {} : { version }),
      divisibility: request.divisibility,
      ...(request.orders === undefined ? {} : { orders: request.orders }),
      mayShrink,
    };
    return `${sha256(stableJson(identity))}.json`;
  }

  /** What a definition or device function is, by content and place in its file; an op by its name. Undefined where it has no file. */
  identify(value: object): unknown {
    const op = opOf(value);
    if (op !== undefined) return { op: op.name };
    if (!("site" in value)) return undefined;
    const { embedded } = (value as Pick<KernelDefinition, "site">).site;
    if (embedded !== undefined) return { hash: sha256(embedded) };
    const position = sourceKey(value as Pick<KernelDefinition, "site">);
    if (position === undefined) return undefined;
    const hash = this.hashOfFile(position.file);
    return hash === undefined ? undefined : { hash, line: position.line, column: position.column };
  }

  #lookup(name: string): Artifact | undefined {
    const data = this.#disk?.get(name);
    if (data === undefined) return undefined;
    try {
      const entry = JSON.parse(Buffer.from(data).toString("utf8")) as CacheEntry;
      const fresh = entry.dependencies.every(
        ({ file, sha256: hash }) => this.hashOfFile(file) === hash,
      );
      return fresh ? entry.artifact : undefined;
    } catch {
      return undefined; // a damaged entry is compiled again and overwritten
    }
  }

  /** sha256 of a file, read once; undefined where it cannot be read. */
  hashOfFile(file: string): string | undefined {
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

/** Compiles with the config asked for, else, where that is allowed and shared memory is what is missing, with the nearest smaller one that fits. */
function compileFitting(
  kernel: KernelDefinition,
  request: CompileRequest,
  mayShrink: boolean,
): CompiledKernel {
  try {
    return traced(kernel, request, compileKernel(kernel, request));
  } catch (error) {
    if (!mayShrink || !isTooLarge(error)) throw error;
    const wanted = { ...kernel.config, ...request.specialization.config };
    for (const config of smallerConfigs(kernel, wanted)) {
      const smaller = { ...request, specialization: { ...request.specialization, config } };
      const compiled = tryCompile(kernel, smaller);
      if (compiled === undefined) continue;
      const { artifact, dependencies } = traced(kernel, smaller, compiled);
      const remark: Remark = {
        pass: "choose-config",
        message: `${differences(wanted, config)} instead of the default: ${error.diagnostics[0]?.message ?? error.message}`,
        loc: UNKNOWN_LOCATION,
      };
      return { artifact: { ...artifact, remarks: [remark, ...artifact.remarks] }, dependencies };
    }
    throw error;
  }
}

function tryCompile(kernel: KernelDefinition, request: CompileRequest): CompiledKernel | undefined {
  try {
    return compileKernel(kernel, request);
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw error;
  }
}

function traced(
  kernel: KernelDefinition,
  request: CompileRequest,
  compiled: CompiledKernel,
): CompiledKernel {
  traceCompile(kernel, request, compiled.artifact);
  return compiled;
}

/** TW2001: more shared memory than the target has. */
function isTooLarge(error: unknown): error is UnsupportedError {
  return error instanceof UnsupportedError && error.code === "TW2001";
}

function differences(from: Config, to: Config): string {
  return Object.keys(to)
    .filter((key) => from[key] !== to[key])
    .map((key) => `${key}=${to[key]}`)
    .join(", ");
}
