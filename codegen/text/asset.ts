/** [codegen/text] Where the files lie that texts are made of (skeletons, preludes): on disk, or embedded by the bundler plugin. */
import { nodeModule } from "../../dsl/index.ts";

const { readFileSync } = nodeModule("node:fs");

/** Text by path below codegen/. The plugin writes the entries where a bundle is made; `new Map()` is what it looks for. */
const EMBEDDED: ReadonlyMap<string, string> = new Map();
const EMBEDDED_SCHEME = "tilewright:";

/** @param path below codegen/, for example `targets/wgsl/kernel.hbs` */
export function assetUrl(path: string): URL {
  if (EMBEDDED.has(path)) return new URL(`${EMBEDDED_SCHEME}${path}`);
  // Without the comment vite takes every file of this room for an asset of the page.
  return new URL(/* @vite-ignore */ `../${path}`, import.meta.url);
}

/** Text of an asset. @throws DeviceError TW3240 in a browser whose page was built without the plugin */
export function readAsset(file: URL): string {
  const embedded = file.protocol === EMBEDDED_SCHEME ? EMBEDDED.get(file.pathname) : undefined;
  return embedded ?? readFileSync(file, "utf8");
}
