/** [engine] The package's version, from the package.json beside the code. */
import { existsSync, readFileSync } from "node:fs";

export function packageVersion(): string {
  // Sources stand one folder below package.json, built files two.
  for (const path of ["../package.json", "../../package.json"]) {
    const url = new URL(path, import.meta.url);
    if (existsSync(url))
      return (JSON.parse(readFileSync(url, "utf8")) as { readonly version: string }).version;
  }
  return "unknown";
}
