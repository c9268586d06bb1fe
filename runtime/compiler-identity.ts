/** [runtime] Which compiler this is, for cache keys. What a kernel is made from is in kernel-cache.ts. */
import { nodeModule, sha256 } from "../dsl/index.ts";

const { existsSync, readdirSync, readFileSync, statSync } = nodeModule("node:fs");
const { join } = nodeModule("node:path");
const { fileURLToPath } = nodeModule("node:url");

/** Files whose change may change a text. Kernels are in every key by their content. */
const COMPILER = /\.(ts|hbs|cuh|h|wgsl)$/;
const ELSEWHERE = ["kernels", "interpreter"];

let known: string | undefined;

/** Of the code that runs, found once a process. */
export function compilerIdentity(): string {
  known ??= identityOf(fileURLToPath(new URL(/* @vite-ignore */ "..", import.meta.url)));
  return known;
}

/**
 * The version of the package stays while a checkout changes, and would give texts of an older compiler. There the sizes and times of the
 * compiler's sources are read; a build has written down what it was made from.
 * @param root folder of the rooms
 */
export function identityOf(root: string): string {
  const built = join(root, "build.json");
  if (existsSync(built)) return readFileSync(built, "utf8");
  return sha256(JSON.stringify(["dsl", "codegen"].map((room) => filesOf(join(root, room)))));
}

function filesOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ELSEWHERE.includes(entry.name) ? [] : filesOf(path);
    if (!COMPILER.test(entry.name)) return [];
    const { size, mtimeMs } = statSync(path);
    return [`${entry.name} ${size} ${mtimeMs}`];
  });
}
