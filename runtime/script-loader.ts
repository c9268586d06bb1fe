/** [runtime] How a file of this package is run as a process of its own. Starts none. */
import { nodeModule } from "../dsl/index.ts";

const { createRequire } = nodeModule("node:module");
const { pathToFileURL } = nodeModule("node:url");

/** Arguments for Node that let it run `entry`: TypeScript needs a loader. */
export function loaderFor(entry: URL): readonly string[] {
  if (!entry.pathname.endsWith(".ts")) return [];
  const loader = createRequire(import.meta.url).resolve("tsx");
  return ["--import", pathToFileURL(loader).href];
}

/** Another module of this package in the form that this one runs in: `.ts` from source, `.js` from a build. */
export function siblingEntry(from: string, name: string): URL {
  return new URL(`${name}${from.endsWith(".ts") ? ".ts" : ".js"}`, from);
}
