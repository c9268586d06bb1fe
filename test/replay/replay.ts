/**
 * [test/replay] Compiles the catalogue at two commits and lists which texts changed: `npm run replay -- BASE [HEAD] [--all]
 * [--kernel NAME] [--keep DIR] [--strict]`. HEAD is the working tree by default; `--keep` writes both sides of what changed;
 * with `--strict` a change is a failure.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { CollectedTexts } from "./collect-texts.ts";
import { compareTexts, formatComparison, withoutPlaces } from "./compare-texts.ts";

const COLLECTOR = "test/replay/collect-texts.ts";
const MOST_BYTES = 1 << 30;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    kernel: { type: "string", multiple: true, default: [] },
    keep: { type: "string" },
    strict: { type: "boolean", default: false },
  },
});
const [base, head] = positionals;
if (base === undefined) {
  process.stderr.write("name the commit to compare with: npm run replay -- BASE [HEAD]\n");
  process.exit(2);
}
const before = textsAt(base);
const after = head === undefined ? textsIn(".") : textsAt(head);
const comparison = compareTexts(before, after);
process.stdout.write(formatComparison(comparison));
if (values.keep !== undefined) keep(values.keep);
const differs = comparison.changed.length + comparison.appeared.length + comparison.gone.length > 0;
if (values.strict && differs) process.exitCode = 1;

/** The texts that the checkout in `folder` makes. */
function textsIn(folder: string): CollectedTexts {
  const flags = [...(values.all ? ["--all"] : []), ...values.kernel];
  const printed = execFileSync(process.execPath, ["--import", "tsx", COLLECTOR, ...flags], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: MOST_BYTES,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(printed) as CollectedTexts;
}

/** The texts of a commit, in a checkout of its own that borrows the packages of this one. */
function textsAt(commit: string): CollectedTexts {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-replay-"));
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", args, { stdio: ["ignore", "ignore", "inherit"] });
  try {
    git("worktree", "add", "--quiet", "--detach", "--force", folder, commit);
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"), "dir");
    mkdirSync(join(folder, "test/replay"), { recursive: true });
    cpSync(COLLECTOR, join(folder, COLLECTOR));
    return textsIn(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    git("worktree", "prune");
  }
}

function keep(folder: string): void {
  for (const [side, texts] of [
    ["before", before],
    ["after", after],
  ] as const) {
    mkdirSync(join(folder, side), { recursive: true });
    for (const { id } of comparison.changed) {
      const name = `${id.replaceAll(/[^\w=.-]+/g, "-")}.txt`;
      writeFileSync(join(folder, side, name), withoutPlaces(texts[id] ?? ""));
    }
  }
}
