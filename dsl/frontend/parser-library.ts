/** [dsl/frontend] Loads the TypeScript that ts-morph bundles, with its compiled code kept on disk. What is done with it is parse.ts. */
import type { ts } from "ts-morph";
import { readFlag } from "../core/flags.ts";
import { sha256 } from "../core/hash.ts";
import { nodeModule } from "../core/node-modules.ts";

const { createHash } = nodeModule("node:crypto");
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = nodeModule("node:fs");
const { createRequire, Module } = nodeModule("node:module");
const { homedir } = nodeModule("node:os");
const { dirname, join } = nodeModule("node:path");
const { Script } = nodeModule("node:vm");

export type { ts } from "ts-morph";
export type Typescript = typeof ts;

const CHECK_BYTES = 32;
/** ts-morph's own dependency, found from ts-morph. */
const TYPESCRIPT_HOLDER = "@ts-morph/common";

/**
 * The parser; the user's own `typescript` is never touched. Nine megabytes of JavaScript take a good fraction of a second
 * to compile, which V8's code cache cuts to a third. Node keeps the module, so later calls are free.
 */
export function loadParser(): Typescript {
  const require = createRequire(import.meta.url);
  const file = bundledFile(require);
  const loaded = file === undefined ? undefined : require.cache[file];
  if (loaded !== undefined) return loaded.exports as Typescript;
  if (file === undefined) return (require("ts-morph") as { readonly ts: Typescript }).ts;
  return loadThroughCache(require, file);
}

/** The one file of ts-morph's packages that holds TypeScript, if it is where it has always been. */
function bundledFile(require: NodeJS.Require): string | undefined {
  const common = createRequire(require.resolve("ts-morph")).resolve(TYPESCRIPT_HOLDER);
  const file = join(dirname(common), "typescript.js");
  return existsSync(file) ? file : undefined;
}

function loadThroughCache(require: NodeJS.Require, file: string): Typescript {
  const source = Module.wrap(readFileSync(file, "utf8"));
  const cachePath = codeCachePath(file, source.length);
  const cachedData = cachePath === undefined ? undefined : readCode(cachePath);
  const script = new Script(source, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  const module = new Module(file);
  module.filename = file;
  const run: unknown = script.runInThisContext();
  (run as (...args: readonly unknown[]) => void)(
    module.exports,
    createRequire(file),
    module,
    file,
    dirname(file),
  );
  module.loaded = true;
  require.cache[file] = module;
  if (cachePath !== undefined && (cachedData === undefined || script.cachedDataRejected === true)) {
    // Later, when functions that parsing needs have been compiled too, and not on the time of the first kernel.
    setImmediate(() => writeCode(cachePath, script.createCachedData()));
  }
  return module.exports as Typescript;
}

/** V8 itself checks little more than the length of the source, so all that matters is in the name. */
function codeCachePath(file: string, length: number): string | undefined {
  const folder = readFlag("cacheDir") ?? join(homedir(), ".cache", "tilewright");
  if (folder === "off") return undefined;
  const description = readFileSync(join(dirname(file), "../package.json"), "utf8");
  const { version, arch } = process;
  const key = sha256(JSON.stringify([version, arch, process.execArgv, description, length]));
  return join(folder, "parser", `${key.slice(0, 32)}.bin`);
}

/** The code with its checksum in front, or undefined when it is absent or damaged, which would crash V8. */
function readCode(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const stored = readFileSync(path);
  const code = stored.subarray(CHECK_BYTES);
  return checksum(code).equals(stored.subarray(0, CHECK_BYTES)) ? code : undefined;
}

function writeCode(path: string, code: Buffer): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, Buffer.concat([checksum(code), code]));
    renameSync(draft, path);
  } catch {
    // A folder that cannot be written costs the next process its head start, nothing else.
  }
}

function checksum(code: Buffer): Buffer {
  return createHash("sha256").update(code).digest();
}
