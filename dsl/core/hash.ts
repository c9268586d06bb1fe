/** [dsl/core] Stable content hashes: the same value gives the same hash in every process. */
import { IS_NODE, nodeModule } from "./node-modules.ts";
import { sha256Of } from "./sha256.ts";

const { createHash } = nodeModule("node:crypto");

/** sha256 of a text or bytes, 64 hex digits. */
export function sha256(data: string | Uint8Array): string {
  return IS_NODE ? createHash("sha256").update(data).digest("hex") : sha256Of(data);
}

/** JSON with sorted keys; undefined fields are left out. Numbers that JSON cannot hold are spelled as strings. */
export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(",")}]`;
  if (typeof value === "number" && !Number.isFinite(value)) return `"${value}"`;
  if (typeof value === "bigint") return `"${value}n"`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${stableJson(v)}`).join(",")}}`;
}
