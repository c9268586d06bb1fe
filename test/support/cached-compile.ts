/** [test/support] A process of its own that takes one kernel through the compile cache and prints what that took, as JSON. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import type { KernelDefinition } from "../../dsl/definition.ts";
import { openDiskCache } from "../../runtime/disk-cache.ts";
import { KernelCache } from "../../runtime/kernel-cache.ts";

/** What the parent reads. */
export interface CachedCompile {
  readonly ms: number;
  readonly hash: string;
  readonly text: string;
  readonly diskHits: number;
  readonly compiles: number;
  /** Files of the parser that the process has loaded. */
  readonly parserFiles: number;
}

const [file = "", name = ""] = process.argv.slice(2);
const module = (await import(pathToFileURL(file).href)) as Readonly<
  Record<string, KernelDefinition>
>;
const kernel = module[name];
if (kernel === undefined) throw new Error(`${file} exports no ${name}`);
const cache = new KernelCache(openDiskCache());
const dtypes = Object.fromEntries(
  Object.entries(kernel.dtypes).map(([variable, [first = "f32"]]) => [variable, first]),
);
const dims = Object.fromEntries(kernel.specialize.map((dim) => [dim, 64]));
const start = performance.now();
const artifact = cache.artifact(kernel, {
  specialization: { dtypes, dims },
  target: cudaSpec("sm_80"),
});
const ms = performance.now() - start;
const loaded = Object.keys(createRequire(import.meta.url).cache);
const result: CachedCompile = {
  ms,
  hash: artifact.hash,
  text: artifact.text,
  ...cache.statistics,
  parserFiles: loaded.filter((path) => /ts-morph|typescript\.js$/.test(path)).length,
};
process.stdout.write(JSON.stringify(result));
