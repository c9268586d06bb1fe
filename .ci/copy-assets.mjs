/** [.ci] Copies the files that the compiled code reads (templates, preludes) from the rooms into dist, and writes down what it was built from. */
import { createHash } from "node:crypto";
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ASSET = /\.(hbs|cuh|h|wgsl|json|html|css|js)$/;
for (const room of ["dsl", "codegen", "runtime", "engine"]) {
  cpSync(room, `dist/${room}`, {
    recursive: true,
    filter: (path) => ASSET.test(path) || !/\.[^/]+$/.test(path),
  });
}
chmodSync("dist/engine/cli/main.js", 0o755);

// Part of every key of the compile cache: an entry of another compiler is never used.
const hash = createHash("sha256");
for (const room of ["dsl", "codegen"]) {
  const names = readdirSync(room, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(ts|hbs|cuh|h|wgsl)$/.test(name),
  );
  for (const name of names.sort()) hash.update(name).update(readFileSync(join(room, name)));
}
writeFileSync("dist/build.json", JSON.stringify({ sources: hash.digest("hex") }));
