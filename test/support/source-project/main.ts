/** [test/support/source-project] Lowers both kernels and prints what came out as JSON; run under node, tsx and others. */
import { createRequire } from "node:module";
import { basename } from "node:path";
import { KernelSourceError, lowerKernel, printKernel, sourceKey } from "../../../dsl/index.ts";
import { captured, wrong } from "./kernels.ts";

const { cache } = createRequire(import.meta.url);
const parserLoaded = (): boolean => Object.keys(cache).some((path) => path.includes("ts-morph"));
const before = parserLoaded();
const key = sourceKey(captured);
const started = performance.now();
const lowered = lowerKernel(captured);
const firstMs = performance.now() - started;

function messageOf(): string {
  try {
    lowerKernel(wrong);
    return "nothing was thrown";
  } catch (error) {
    return error instanceof KernelSourceError ? error.message : String(error);
  }
}

console.log(
  JSON.stringify({
    parserLoadedByImport: before,
    key: key === undefined ? "" : `${basename(key.file)}:${key.line}:${key.column}`,
    text: printKernel(lowered.tile, { locations: true }),
    dependencies: lowered.dependencies.map((d) => basename(d.file)),
    message: messageOf(),
    firstMs,
  }),
);
