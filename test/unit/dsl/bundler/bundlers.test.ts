/** [test/unit/dsl/bundler] The plugin in rollup, esbuild and webpack: what each bundles runs without its source, with the places of the source. Vite is in test/browser. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import esbuild from "esbuild";
import { rollup } from "rollup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import webpack from "webpack";
import { tilewright } from "../../../../dsl/bundler/plugin.ts";
import * as language from "../../../../dsl/index.ts";
import { type KernelDefinition, lowerKernel, printKernel } from "../../../../dsl/index.ts";
import { InterpreterBackend } from "../../../../runtime/drivers/interpreter/device.ts";
import { CoreDevice, emptyTensor, readTensor, tensorFrom } from "../../../../runtime/index.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-bundlers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const entry = join(folder, "scaled.js");

const FACTOR = "export const FACTOR = 3;\n";
/** Plain JavaScript, which all of them read; places stand in the lines of this text. */
const SOURCE = `import { all, deviceFunction, fnParam, kernel, load, out, pid, store, tensor } from "tilewright";
import { FACTOR } from "./factor.js";

export const thrice = deviceFunction((v) => v * FACTOR);
export const scaled = kernel(
  {
    name: "scaled",
    params: { x: tensor("f32", "R", "N"), y: out("f32", "R", "N"), f: fnParam((v) => v) },
    specialize: ["N"],
    grid: ({ R }) => R,
  },
  ({ x, y, f, N }) => {
    const row = pid(0);
    store(y, [row, all(N)], f(load(x, [row, all(N)])) + 1);
  },
);
`;

/** Each gives one CommonJS text, the language left outside. */
const BUNDLERS: Readonly<Record<string, () => Promise<string>>> = {
  rollup: async () => {
    const bundle = await rollup({
      input: entry,
      external: ["tilewright"],
      plugins: [tilewright.rollup()],
    });
    const { output } = await bundle.generate({ format: "cjs" });
    await bundle.close();
    return output[0].code;
  },
  esbuild: async () => {
    const { outputFiles } = await esbuild.build({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: "cjs",
      minifyWhitespace: true,
      external: ["tilewright"],
      plugins: [tilewright.esbuild()],
    });
    return outputFiles[0]?.text ?? "";
  },
  webpack: () =>
    new Promise((resolve, reject) => {
      const output = { path: folder, filename: "webpack.cjs", library: { type: "commonjs2" } };
      const compiler = webpack({
        entry,
        output,
        mode: "none",
        target: "node",
        externals: { tilewright: "commonjs2 tilewright" },
        plugins: [tilewright.webpack()],
      });
      compiler?.run((error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString("errors-only")));
        else compiler.close(() => resolve(readFileSync(join(folder, "webpack.cjs"), "utf8")));
      });
    }),
};

interface Bundled {
  readonly scaled: KernelDefinition;
  readonly thrice: (v: number) => number;
}

function evaluated(code: string): Bundled {
  const module: { exports: unknown } = { exports: {} };
  const require = (name: string): unknown => {
    if (name !== "tilewright") throw new Error(`the bundle asks for ${name}`);
    return language;
  };
  new Function("require", "module", "exports", code)(require, module, module.exports);
  return module.exports as Bundled;
}

const bundles = new Map<string, Bundled>();
beforeAll(async () => {
  writeFileSync(join(folder, "factor.js"), FACTOR);
  writeFileSync(entry, SOURCE);
  for (const [name, bundle] of Object.entries(BUNDLERS))
    bundles.set(name, evaluated(await bundle()));
  rmSync(folder, { recursive: true });
});

describe.each(Object.keys(BUNDLERS))("a kernel bundled by %s", (name) => {
  it("runs without its source", async () => {
    const { scaled, thrice } = bundles.get(name) ?? evaluated("");
    const device = new CoreDevice(new InterpreterBackend());
    const x = tensorFrom(device, "f32", [2, 3], [1, 2, 3, 4, 5, 6]);
    const y = emptyTensor(device, "f32", [2, 3]);
    device.launch(scaled, { x, y }, { functions: { f: thrice } });
    expect([...(await readTensor(y))]).toEqual([4, 7, 10, 13, 16, 19]);
    await device.close();
  });

  it("has the places of the source", () => {
    const { scaled, thrice } = bundles.get(name) ?? evaluated("");
    const request = { dims: { N: 8 }, functions: { f: thrice } };
    const text = printKernel(lowerKernel(scaled, request).tile, { locations: true });
    for (const place of ["scaled.js:4", "scaled.js:14"]) expect(text).toContain(place);
  });
});
