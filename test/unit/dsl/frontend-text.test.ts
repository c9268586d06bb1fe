/** [test/unit/dsl] Kernels from text, HIR as text and JSON, functions given at specialisation, and what the source cache notices. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { lowerProgram } from "../../../dsl/frontend/lower-kernel.ts";
import { Problems } from "../../../dsl/frontend/problems.ts";
import { bindSpecialization } from "../../../dsl/frontend/specialize.ts";
import {
  deviceFunction,
  fnParam,
  gelu,
  inout,
  type KernelDefinition,
  KernelSourceError,
  kernel,
  kernelFromSource,
  load,
  lowerKernel,
  printHir,
  printKernel,
  readHir,
  sourceKey,
  store,
  writeHir,
} from "../../../dsl/index.ts";
import { opsOf } from "../../support/run-kernel.ts";

const TEXT = `import { cdiv, fnParam, kernel, load, out, pid, silu, store, tensor, tile } from "tilewright";
const SIZES = { block: 4 * 32 };
export const other = kernel({ name: "other", params: { x: tensor("f32", "N") }, grid: () => 1 }, () => {});
export const mapped = kernel({
  name: "mapped_values",
  dtypes: { T: ["f32", "f16"] },
  params: { x: tensor("T", "N"), y: out("T", "N"), f: fnParam(silu) },
  config: { BN: SIZES.block },
  tune: { BN: [64, 128] },
  when: ({ BN }) => BN % 2 === 0,
  grid: ({ N }, { BN }) => [cdiv(N, BN), 1],
}, ({ x, y, f }, { BN }) => {
  const at = [tile(pid(0), BN)];
  store(y, at, f(load(x, at)) * 2);
});
`;

describe("kernelFromSource", () => {
  const mapped = kernelFromSource(TEXT, "mapped");

  it("reads the record without running the text", () => {
    expect(mapped).toMatchObject({
      name: "mapped_values",
      config: { BN: 128 },
      tune: { BN: [64, 128] },
      dtypes: { T: ["f32", "f16"] },
    });
    expect(mapped.grid({ N: 1000 }, mapped.config)).toEqual([8, 1]);
    expect([mapped.when?.({ BN: 3 }), mapped.when?.({ BN: 4 })]).toEqual([false, true]);
    expect(sourceKey(mapped)).toBeUndefined();
  });

  it("lowers the body with the fallback and with another function", () => {
    const ops = opsOf(mapped, { dtypes: { T: "f16" } });
    expect(ops.some((op) => op.includes("= exp "))).toBe(true);
    const withGelu = opsOf(mapped, { dtypes: { T: "f16" }, functions: { f: gelu } });
    expect(withGelu.some((op) => op.includes("= erf "))).toBe(true);
    expect(withGelu.some((op) => op.includes("= exp "))).toBe(false);
  });

  it("says which exports it looked for when there is none of that name", () => {
    expect(() => kernelFromSource(TEXT, "missing")).toThrow("TW1021");
  });
});

const FACTOR = 3;
const scaled = deviceFunction((v: number) => v * FACTOR);
const plain = {
  name: "applied",
  params: { x: inout("f32", "N"), f: fnParam((v: number) => v + 1) },
  grid: () => 1,
} as const;
const applied = kernel(plain, ({ x, f }) => store(x, [0], f(load(x, [0]))));

describe("functions given at specialisation", () => {
  it("are found where deviceFunction was called, with what they capture", () => {
    expect(opsOf(applied)).toContain("%2: f32 = const 1");
    expect(opsOf(applied, { functions: { f: scaled } })).toContain("%2: f32 = const 3");
    expect(scaled(2)).toBe(6);
  });
});

describe("HIR", () => {
  const { hir, tile } = lowerKernel(applied);

  it("prints with captures and lines", () => {
    const lines = printHir(hir).split("\n");
    expect(lines[0]).toBe("hir applied");
    expect(lines).toContain("  function param f = #1 f");
    expect(lines.find((line) => line.startsWith("#0"))).toMatch(
      /^#0 kernel applied \/\/ test\/unit\/dsl\/frontend-text\.test\.ts:\d+$/,
    );
    expect(lines).toContain("  captures store = op store, load = op load");
    expect(printHir(hir)).toMatch(/return store\(x, \[0\], f\(load\(x, \[0\]\)\)\) \/\/ \d+/);
  });

  it("survives JSON and lowers to the same IR without its source", () => {
    const again = readHir(writeHir(hir));
    expect(again).toEqual(hir);
    const problems = new Problems(() => undefined);
    const bound = bindSpecialization(applied, {}, problems);
    expect(printKernel(lowerProgram(again, bound, problems))).toBe(printKernel(tile));
  });
});

describe("errors of a phase", () => {
  it("are reported together, each statement once, and without followers", () => {
    const wrong = kernel({ ...plain, name: "wrong" }, ({ x }) => {
      const a = load(x, [0, 1] as never);
      const b = a * 2 + DECLARED_ONLY;
      for (const i of [0, 1]) store(x, [i], b);
      store(x, ["zero" as never], 1);
      store(x, [0], true as never);
    });
    // The capture phase comes first; its errors stand alone.
    expect(codesOf(wrong)).toEqual(["TW1102"]);
    const typed = kernel({ ...plain, name: "typed" }, ({ x }) => {
      const a = load(x, [0, 1] as never);
      const b = a * 2;
      for (const i of [0, 1]) store(x, [i], b);
      store(x, ["zero" as never], 1);
      store(x, [0], true as never);
    });
    expect(codesOf(typed)).toEqual(["TW1160", "TW1161", "TW1166"]);
  });
});

declare const DECLARED_ONLY: number;

function codesOf(definition: KernelDefinition): readonly string[] {
  try {
    lowerKernel(definition);
  } catch (error) {
    if (error instanceof KernelSourceError) return error.diagnostics.map((d) => d.code);
    throw error;
  }
  return [];
}

describe("the source cache", () => {
  const folder = mkdtempSync(join(tmpdir(), "tilewright-cache-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("notices that a captured file has changed", async () => {
    const door = pathToFileURL(join(import.meta.dirname, "../../../dsl/index.ts")).href;
    const constants = join(folder, "constants.ts");
    writeFileSync(constants, "export const FACTOR = 2;\n");
    writeFileSync(
      join(folder, "kernels.ts"),
      `import { inout, kernel, load, store } from "${door}";
import { FACTOR } from "./constants.ts";
export const changing = kernel({ name: "changing", params: { x: inout("f32", "N") }, grid: () => 1 }, ({ x }) => {
  store(x, [0], load(x, [0]) * FACTOR);
});
`.replaceAll(door, join(import.meta.dirname, "../../../dsl/index.ts")),
    );
    const path = pathToFileURL(join(folder, "kernels.ts")).href;
    const { changing } = (await import(/* @vite-ignore */ path)) as {
      readonly changing: KernelDefinition;
    };
    const first = lowerKernel(changing);
    expect(printKernel(first.tile)).toContain("const 2");
    expect(lowerKernel(changing).hir).toBe(first.hir);
    writeFileSync(constants, "export const FACTOR = 5;\n");
    const second = lowerKernel(changing);
    expect(printKernel(second.tile)).toContain("const 5");
    const hashes = [first, second].map(
      (l) => l.dependencies.find((d) => d.file === constants)?.sha256,
    );
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});
