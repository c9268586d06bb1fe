/** [test/unit/dsl/bundler] What the plugin writes into a module lowers to the same tile IR as the source, without the source. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { embedAssets, embedPrograms } from "../../../../dsl/bundler/embed.ts";
import { sha256Of } from "../../../../dsl/core/sha256.ts";
import type { HirProgram } from "../../../../dsl/frontend/hir.ts";
import {
  type KernelDefinition,
  KernelSourceError,
  lowerKernel,
  printKernel,
  sha256,
} from "../../../../dsl/index.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tilewright-embed-"));
afterAll(() => rmSync(folder, { recursive: true }));

const HEAD = `import { all, deviceFunction, fnParam, kernel, load, out, pid, relu, store, tensor } from "${ROOT}index.ts";\n`;
const MODULE = `${HEAD}
const SCALE = 3;
const twice = (v: number): number => v * 2;
const params = { x: tensor("f32", "R", "N"), y: out("f32", "R", "N") };
export const scaled = deviceFunction((v: number) => twice(v) + SCALE);
export const mapped = kernel(
  { name: "mapped", params: { ...params, f: fnParam(relu) }, specialize: ["N"], grid: ({ R }) => R },
  ({ x, y, f, N }) => {
    const r = pid(0);
    store(y, [r, all(N)], f(load(x, [r, all(N)])));
  },
); export const after = 1;
`;

interface Loaded {
  readonly mapped: KernelDefinition;
  readonly scaled: (x: number) => number;
  readonly after: number;
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const sourcePath = write("source.ts", MODULE);
const embedded = embedPrograms(sourcePath, MODULE);
const load = (path: string): Promise<Loaded> => import(pathToFileURL(path).href);
const source = await load(sourcePath);
const bundled = await load(write("bundled.ts", embedded?.code ?? ""));
const tileOf = (kernel: KernelDefinition, f?: (x: number) => number): string => {
  const functions = f === undefined ? {} : { functions: { f } };
  return printKernel(lowerKernel(kernel, { dims: { N: 8 }, ...functions }).tile, {
    locations: true,
  });
};

describe("embedded programs", () => {
  it("lower as the source does, places included, and read no file", () => {
    expect(bundled.mapped.site.embedded).toBeTypeOf("string");
    expect(tileOf(bundled.mapped)).toBe(tileOf(source.mapped));
    expect(lowerKernel(bundled.mapped, { dims: { N: 8 } }).dependencies).toEqual([]);
    expect(bundled.after).toBe(1);
  });

  it("take functions that are embedded, or have a place in a file, and so do kernels with a source", () => {
    const wanted = tileOf(source.mapped, source.scaled);
    expect(wanted).not.toBe(tileOf(source.mapped));
    expect(tileOf(bundled.mapped, bundled.scaled)).toBe(wanted);
    expect(tileOf(bundled.mapped, source.scaled)).toBe(wanted);
    expect(tileOf(source.mapped, bundled.scaled)).toBe(wanted);
  });

  it("keep every line where it is", () => {
    expect(embedded?.code.split("\n").length).toBe(MODULE.split("\n").length);
    expect(embedded?.dependencies).toContain(sourcePath);
  });

  it("refuse functions that do not know their place", () => {
    expect(() => tileOf(bundled.mapped, (x) => x)).toThrow(/TW1023/);
  });

  it("leave modules alone that define nothing, have it already, or mean another `kernel`", () => {
    const plain = "export const kernel = 1;\n";
    expect(embedPrograms(write("plain.ts", plain), plain)).toBeUndefined();
    const other = `import { kernel } from "./plain.ts";\nkernel({}, () => {});\n`;
    expect(embedPrograms(write("other.ts", other), other)).toBeUndefined();
    const again = embedded?.code ?? "";
    expect(embedPrograms(write("again.ts", again), again)).toBeUndefined();
  });

  it("show the lines of mistakes that come with a specialisation, as the source does", async () => {
    const text = MODULE.replace(
      "f(load(x, [r, all(N)]))",
      "f(load(x, [r, all(N)])) + (N > 8 ? r : load(x, [r]))",
    );
    const path = write("late.ts", text);
    const messageOf = async (from: string): Promise<string> => {
      const { mapped } = await load(from);
      try {
        lowerKernel(mapped, { dims: { N: 8 } });
      } catch (error) {
        return String(error);
      }
      return "nothing was thrown";
    };
    const code = embedPrograms(path, text)?.code ?? "";
    const message = await messageOf(write("late-bundled.ts", code));
    expect(message).toBe(await messageOf(path));
    expect(message).toMatch(/\n> 11 \| {5}store\(y, .*\n {5}\| +\^\^\^\n/);
  });

  it("take lines of files along, not the files", () => {
    const program = JSON.parse(bundled.mapped.site.embedded ?? "") as HirProgram;
    const text = (program.excerpts ?? []).map((excerpt) => excerpt.text).join("\n");
    expect(text).toContain("store(y, [r, all(N)]");
    expect(text).not.toContain("const SCALE");
  });

  it("report every mistake of a module when it is bundled", () => {
    const wrong = MODULE.replace("const SCALE = 3;", "let SCALE = 3;").replace(
      "const r = pid(0);",
      "const r = missing;",
    );
    const path = write("wrong.ts", wrong);
    try {
      embedPrograms(path, wrong);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(KernelSourceError);
      expect((error as KernelSourceError).diagnostics.length).toBe(2);
    }
  });
});

describe("embedded assets", () => {
  it("fill the table of the module that reads them, and of no other", () => {
    const path = join(ROOT, "codegen/text/asset.ts");
    const code = embedAssets(path, readFileSync(path, "utf8"))?.code ?? "";
    expect(code).toContain('["targets/wgsl/kernel.hbs",');
    expect(code).toContain('["c-family/prelude/bits.h",');
    expect(embedAssets(sourcePath, MODULE)).toBeUndefined();
  });
});

describe("sha256 without Node", () => {
  it("gives the digests of Node's own, at every length around a block", () => {
    for (let length = 0; length < 140; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) & 255);
      expect(sha256Of(bytes)).toBe(sha256(bytes));
    }
    expect(sha256Of("Größe ✓")).toBe(sha256("Größe ✓"));
  });
});
