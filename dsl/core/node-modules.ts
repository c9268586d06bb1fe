/** [dsl/core] Node's built-in modules without an import: the same code loads in a browser, where only their use fails. */
import { DeviceError } from "./errors.ts";

interface NodeModules {
  readonly "node:child_process": typeof import("node:child_process");
  readonly "node:crypto": typeof import("node:crypto");
  readonly "node:fs": typeof import("node:fs");
  readonly "node:module": typeof import("node:module");
  readonly "node:os": typeof import("node:os");
  readonly "node:path": typeof import("node:path");
  readonly "node:url": typeof import("node:url");
  readonly "node:vm": typeof import("node:vm");
}

/** Whether this code runs in Node (or in what offers Node's modules), not in a browser. */
export const IS_NODE = typeof process !== "undefined" && process.versions?.node !== undefined;

/**
 * A built-in module of Node. Bundlers follow imports, so a room that a browser loads names these modules by text.
 * In a browser every member is a function that fails: what is never called there costs nothing.
 */
export function nodeModule<K extends keyof NodeModules>(name: K): NodeModules[K] {
  if (IS_NODE) return process.getBuiltinModule(name) as NodeModules[K];
  return new Proxy(
    {},
    { get: (_, member) => () => refuse(name, String(member)) },
  ) as NodeModules[K];
}

function refuse(module: string, member: string): never {
  throw new DeviceError({
    code: "TW3240",
    message: "something that only Node has was used in a browser",
    seen: `${member} of ${module}`,
    expected: "kernels with embedded source, and the drivers webgpu, interpreter or null",
    remedy:
      "build the page with the plugin of tilewright/plugin, which embeds kernels and templates; read files on a server",
  });
}
