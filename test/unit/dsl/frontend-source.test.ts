/** [test/unit/dsl] A kernel's source is found under vitest, tsx and plain node, with and without the TypeScript on disk. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lowerKernel, printKernel, sourceKey } from "../../../dsl/index.ts";
import { captured, wrong } from "../../support/source-project/kernels.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const PROJECT = "test/support/source-project";

interface Report {
  readonly parserLoadedByImport: boolean;
  readonly key: string;
  readonly text: string;
  readonly dependencies: readonly string[];
  readonly message: string;
}

function runProject(
  command: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Report {
  const printed = execFileSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "", ...environment },
  });
  return JSON.parse(printed) as Report;
}

/** Paths of messages are relative to the working directory, so all ways of running give the same text. */
const EXPECTED = printKernel(lowerKernel(captured).tile, { locations: true });
const WRONG_AT = `${PROJECT}/kernels.ts:40:17 - TW1125: the operands of + have different dtypes`;

function expectSame(report: Report): void {
  expect(report.text).toBe(EXPECTED);
  expect(report.message).toContain(WRONG_AT);
  expect(report.message).toContain("> 40 |     const sum = load(x, [tile(pid(0), BN)]) + n;");
  expect(report.parserLoadedByImport).toBe(false);
}

describe("source of a kernel", () => {
  it("is found under vitest", () => {
    expect(EXPECTED).toContain(`${PROJECT}/constants.ts:13:`);
    expect(EXPECTED).toContain("load x[span BN=128 from");
    expect(() => lowerKernel(wrong)).toThrow(WRONG_AT);
    expect(sourceKey(captured)).toMatchObject({
      file: join(ROOT, PROJECT, "kernels.ts"),
      line: 18,
    });
  });

  it("is found under tsx, and importing the language loads no parser", () => {
    const report = runProject(join(ROOT, "node_modules/.bin/tsx"), [`${PROJECT}/main.ts`], ROOT);
    expectSame(report);
    expect(report.key).toMatch(/^kernels\.ts:18:/);
    expect(report.dependencies).toEqual(["constants.ts", "door.ts", "kernels.ts", "more.ts"]);
  });
});

describe("source of a compiled kernel", () => {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-source-"));
  const source = join(folder, "src");

  beforeAll(() => {
    cpSync(join(ROOT, "dsl"), join(source, "dsl"), { recursive: true });
    cpSync(join(ROOT, PROJECT), join(source, PROJECT), { recursive: true });
    cpSync(join(ROOT, "tsconfig.json"), join(source, "base.json"));
    writeFileSync(join(source, "package.json"), JSON.stringify({ type: "module" }));
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const options = {
      extends: "./base.json",
      compilerOptions: { outDir: "../dist", types: ["node"] },
      include: ["dsl", "test"],
    };
    writeFileSync(join(source, "tsconfig.json"), JSON.stringify(options));
    execFileSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", source], { stdio: "pipe" });
    writeFileSync(join(folder, "dist/package.json"), JSON.stringify({ type: "module" }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const main = `dist/${PROJECT}/main.js`;
  const COMPILED = [
    "constants.js",
    "constants.js.map",
    "door.js",
    "door.js.map",
    "kernels.js",
    "kernels.js.map",
    "more.js",
    "more.js.map",
  ];

  it.each([
    ["plain node", []],
    ["node --enable-source-maps", ["--enable-source-maps"]],
  ])("is found by %s beside its TypeScript", (_, flags) => {
    const report = runProject(process.execPath, [...flags, join(folder, main)], source);
    expectSame(report);
    expect(report.key).toMatch(/^kernels\.js:/);
    expect(report.dependencies).toEqual(COMPILED);
  });

  it.each([
    ["plain node", []],
    ["node --enable-source-maps", ["--enable-source-maps"]],
  ])("is found by %s when only the compiled files exist, as in a published package", (_, flags) => {
    rmSync(join(source, "dsl"), { recursive: true, force: true });
    rmSync(join(source, "test"), { recursive: true, force: true });
    expectSame(runProject(process.execPath, [...flags, join(folder, main)], source));
  });
});

describe("the parser's compiled code", () => {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-parser-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const tsx = join(ROOT, "node_modules/.bin/tsx");
  const run = (cacheDir: string): Report =>
    runProject(tsx, [`${PROJECT}/main.ts`], ROOT, { TILEWRIGHT_CACHE_DIR: cacheDir });

  it("is kept, used again, and made again where the file is damaged", () => {
    expectSame(run(folder));
    const [name = ""] = readdirSync(join(folder, "parser"));
    const path = join(folder, "parser", name);
    const kept = readFileSync(path);
    expect(kept.length).toBeGreaterThan(1_000_000);
    expectSame(run(folder));
    expect(readFileSync(path).equals(kept)).toBe(true);
    const damaged = Buffer.from(kept);
    damaged.fill(7, 1000, 2000);
    writeFileSync(path, damaged);
    expectSame(run(folder));
    expect(readFileSync(path).subarray(1000, 2000).equals(damaged.subarray(1000, 2000))).toBe(
      false,
    );
  });

  it("is not kept where the cache is off or cannot be written", () => {
    expectSame(run("off"));
    const file = join(folder, "file");
    writeFileSync(file, "");
    expectSame(run(file));
  });
});
