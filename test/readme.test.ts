/** [test] What the README says is true: its flags, its kernel, its links. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FLAGS } from "../dsl/index.ts";
import { tilewright } from "./support/run-command.ts";

const README = readFileSync("README.md", "utf8");

describe("README", () => {
  it("lists every flag with its meaning and default", () => {
    const rows = [...README.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| (.+?) \|$/gm)].map(
      ([, name, meaning, fallback]) => ({ name, meaning, fallback }),
    );
    expect(
      rows.filter(({ name }) => Object.values(FLAGS).some((flag) => flag.name === name)),
    ).toEqual(
      Object.values(FLAGS).map(({ name, meaning, fallback }) => ({ name, meaning, fallback })),
    );
  });

  it("names commands and flags that the command line has", async () => {
    const rows = README.split("\n").filter(
      (line) => /^\| `[a-z-]+ /.test(line) || line.startsWith("| `doctor`"),
    );
    const named = rows.map((row) => [/^\| `([a-z-]+)/.exec(row)?.[1] ?? "", row] as const);
    const { stdout } = await tilewright("--help");
    const commands = [...stdout.matchAll(/^ {2}([a-z-]+) /gm)].map(([, name]) => name);
    expect([...new Set(named.map(([name]) => name))].sort()).toEqual(
      commands.filter((name) => name !== "help" && name !== "-").sort(),
    );
    for (const [command, row] of named) {
      const { stdout: help } = await tilewright(command, "--help");
      const flags = [...row.matchAll(/(?<![\w-])--[a-z][\w-]*/g)].map(([flag]) => flag);
      expect([
        command,
        flags.filter((flag) => !help.includes(`${flag} `) && !help.includes(`${flag}\n`)),
      ]).toEqual([command, []]);
    }
  });

  it("links to files that exist", () => {
    const targets = [...README.matchAll(/\]\(([^)#]+)\)/g)]
      .map(([, target]) => target ?? "")
      .filter((target) => !target.startsWith("http"));
    expect(targets.length).toBeGreaterThan(5);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });

  it("links to files that the published package holds", () => {
    const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
    const holds = (path: string) =>
      files.some((entry) => path === entry || `${path}/`.startsWith(`${entry}/`));
    const documents = ["README.md", ...files.filter((entry) => entry.endsWith("README.md"))];
    const links = documents.flatMap((document) =>
      [...readFileSync(document, "utf8").matchAll(/\]\(([^)#]+)\)/g)].flatMap(([, target = ""]) =>
        target.startsWith("http") ? [] : [relative(".", resolve(dirname(document), target))],
      ),
    );
    expect(links.filter((link) => !holds(link))).toEqual([]);
    expect(files.filter((entry) => entry !== "dist" && !existsSync(entry))).toEqual([]);
  });

  it("shows a kernel that runs as it stands", () => {
    const code = /```ts\n(import \{ all[\s\S]+?)```/.exec(README)?.[1] ?? "";
    const file = join(mkdtempSync(join(tmpdir(), "tilewright-readme-")), "my-kernel.mts");
    writeFileSync(file, code.replace('"tilewright"', JSON.stringify(resolve("index.ts"))));
    const env = { ...process.env, TILEWRIGHT_DEVICE: "interpreter" };
    const shown = execFileSync(process.execPath, ["--import", "tsx", file], {
      encoding: "utf8",
      env,
    });
    const softmax = (row: readonly number[]) =>
      row.map((v) => Math.exp(v / 2) / row.reduce((sum, w) => sum + Math.exp(w / 2), 0));
    const values = [...shown.matchAll(/0\.\d+/g)].map(Number);
    const expected = [...softmax([1, 2, 3]), ...softmax([4, 5, 6])];
    expect(values.length).toBe(6);
    for (const [i, value] of values.entries())
      expect(value).toBeCloseTo(expected[i] ?? Number.NaN, 5);
  });

  it("shows the kernel of examples/softmax.ts", () => {
    const source = readFileSync("examples/softmax.ts", "utf8");
    const definition = source.slice(source.indexOf("export const"));
    expect(README).toContain(definition.trim());
  });
});
