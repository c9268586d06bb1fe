/** [.ci] Copies the files that the compiled code reads (templates, preludes) from the rooms into dist. */
import { chmodSync, cpSync } from "node:fs";

const ASSET = /\.(hbs|cuh|h|wgsl|json)$/;
for (const room of ["dsl", "codegen", "runtime", "engine"]) {
  cpSync(room, `dist/${room}`, {
    recursive: true,
    filter: (path) => ASSET.test(path) || !/\.[^/]+$/.test(path),
  });
}
chmodSync("dist/engine/cli/main.js", 0o755);
