/** [test/engine] `tilewright build`: what it writes is launched from the files alone, on WebGPU and as the CUDA driver is asked. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KernelManifest, TARGETS, unpackBytes } from "../../codegen/index.ts";
import { lowerGrid, readFlag } from "../../dsl/index.ts";
import { KERNEL_ENTRIES, makeSample } from "../../dsl/kernels/catalogue.ts";
import {
  CoreDevice,
  type Device,
  exportedKernel,
  readExported,
  readTensor,
  type Tensor,
  tensorFrom,
  tensorFromBytes,
} from "../../runtime/index.ts";
import { tensorBytes } from "../../runtime/tensor.ts";
import { describeDevices } from "../support/devices.ts";
import { RecordingBackend } from "../support/recording-backend.ts";
import { tilewright } from "../support/run-command.ts";
import { expectOutputs } from "../support/tolerance.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-build-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const manifestUrl = (kernel: string): URL => pathToFileURL(join(folder, `${kernel}.json`));
const manifestOf = (kernel: string): KernelManifest =>
  JSON.parse(readFileSync(manifestUrl(kernel), "utf8")) as KernelManifest;

const FILES = ["dsl/kernels/linear.ts", "dsl/kernels/rms-norm.ts"];
const FLAGS = ["--dtype", "T=f32", "--dtype", "O=f32", "--dim", "H=1024"];
const TARGETS_OF = ["wgsl", "cuda:sm_80", "cuda:sm_90a", "hip:gfx942"];
const build = (...rest: readonly string[]) =>
  tilewright("build", ...FILES, ...FLAGS, "-o", folder, ...rest);

let written = "";
beforeAll(async () => {
  const { code, stderr } = await build(...TARGETS_OF.flatMap((target) => ["--target", target]));
  expect(code, stderr).toBe(0);
  written = stderr;
});

describe("build", () => {
  it("writes texts, manifests, modules and types of every kernel of the files", () => {
    const names = readdirSync(folder).filter((name) => !/\.(cubin|hsaco)$/.test(name));
    const parts = ["d.ts", "gfx942.hip", "js", "json", "sm_80.cu", "sm_90a.cu", "wgsl"];
    const wanted = ["linear", "rms_norm"].flatMap((kernel) =>
      parts.map((part) => `${kernel}.${part}`),
    );
    expect(names.sort()).toEqual(wanted.sort());
    const variant = manifestOf("rms_norm").variants[0];
    expect(manifestOf("rms_norm")).toMatchObject({ format: 1, kernel: "rms_norm" });
    expect(variant).toMatchObject({
      target: { target: "wgsl" },
      fixedDims: { H: 1024 },
      grid: ["R"],
    });
  });

  it("writes cubins where NVRTC is there, and says so where it is not", () => {
    const cubins = readdirSync(folder).filter((name) => name.endsWith(".cubin"));
    if (cubins.length === 0 && readFlag("requireDrivers") !== "1") {
      expect(written).toContain("no binary of linear for sm_80: NVRTC");
      return;
    }
    expect(cubins.length).toBe(4);
    for (const name of cubins)
      expect(readFileSync(join(folder, name)).subarray(1, 4).toString()).toBe("ELF");
  });

  it("writes types that tsc takes for the arguments and no others", () => {
    const typings = `export interface Tensor { readonly shape: readonly number[] }
export interface ExportedKernel<A> { launch(args: A): void }
`;
    const use = `import { rmsNorm } from "./rms_norm.js";
import type { Tensor } from "tilewright";
export const run = (x: Tensor): void => rmsNorm.launch({ x, w: x, y: x, eps: 1e-6 });
// @ts-expect-error a scalar is missing
export const bad = (x: Tensor): void => rmsNorm.launch({ x, w: x, y: x });
`;
    writeFileSync(join(folder, "typings.d.ts"), typings);
    writeFileSync(join(folder, "use.ts"), use);
    const compilerOptions = {
      ...{ noEmit: true, strict: true, module: "nodenext", lib: ["es2023"], types: [] },
      paths: { tilewright: ["./typings.d.ts"] },
    };
    const config = { compilerOptions, files: ["use.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
    const ran = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect([ran.status, ran.stdout]).toEqual([0, ""]);
  });

  it.each([
    [["--target", "metal"], 2, /must be one of cuda, hip, wgsl/],
    [["--target", "wgsl", "--dim", "K=3"], 1, /TW4423[\s\S]*seen: +K/],
    [["--target", "wgsl", "--kernel", "gemm"], 1, /TW4422[\s\S]*'gemm'/],
    [["--target", "cuda:sm_1"], 1, /TW2303/],
    [["--target", "wgsl", "--as", "both"], 2, /--as names one kernel/],
    [["--target", "wgsl", "--as", "a-b"], 2, /letters, digits/],
  ])("refuses %j", async (flags, code, message) => {
    const ran = await build(...flags);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringMatching(message)]);
  });
});

await describeDevices(
  "exported kernels",
  (device) => {
    it.each([
      ["rms_norm", "model row, T=f32"],
      ["linear", "block + 1, T=f32 O=f32"],
    ])("%s gives what its reference says, and nothing is compiled", async (name, sampleName) => {
      const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === name);
      const problem = entry?.samples.find((candidate) => candidate.name === sampleName);
      if (entry === undefined || problem === undefined)
        throw new Error(`no ${name}: ${sampleName}`);
      const sample = makeSample(entry, problem);
      if (name === "rms_norm") await rebuiltFor(problem.dims["H"] ?? 0);
      const exported = await readExported(manifestUrl(name));
      const tensors: Record<string, Tensor> = {};
      for (const [key, { dtype, shape, data }] of Object.entries(sample.tensors))
        tensors[key] = tensorFrom(device, dtype, shape, data);
      await exported.prepare(device, { ...tensors, ...sample.scalars });
      exported.launch(device, { ...tensors, ...sample.scalars });
      const outputs: Record<string, ArrayLike<number>> = {};
      for (const output of Object.keys(sample.expected)) {
        const result = tensors[output];
        if (result !== undefined) outputs[output] = await readTensor(result);
      }
      expectOutputs(sample, outputs);
      expect((device as CoreDevice).cacheStatistics).toEqual({ compiles: 0, diskHits: 0 });
    });
  },
  ["webgpu"],
);

async function rebuiltFor(size: number): Promise<void> {
  const targets = TARGETS_OF.flatMap((target) => ["--target", target]);
  const { code, stderr } = await tilewright(
    ...["build", "dsl/kernels/rms-norm.ts", "--dtype", "T=f32", "--dim", `H=${size}`],
    ...[...targets, "-o", folder],
  );
  expect(code, stderr).toBe(0);
}

describe("a device for exported kernels", () => {
  const matrix = (device: Device, rows: number, columns: number): Tensor =>
    tensorFrom(device, "f32", [rows, columns], new Float64Array(rows * columns));
  const matrixRow = (device: Device, columns: number): Tensor =>
    tensorFrom(device, "f32", [columns], new Float64Array(columns));
  const product = (device: Device, [m, n, k]: readonly [number, number, number]) => ({
    x: matrix(device, m, k),
    w: matrix(device, n, k),
    y: matrix(device, m, n),
  });

  it.each([
    ["sm_90a", "sm_90a", true],
    ["sm_80", "sm_80", true],
    ["sm_86", "sm_80", true],
  ])("of %s loads what was built for %s", async (arch, built) => {
    const backend = new RecordingBackend(TARGETS.cuda.defaultSpec(arch));
    const device = new CoreDevice(backend);
    const linear = await readExported(manifestUrl("linear"));
    linear.launch(device, product(device, [300, 200, 64]));
    expect(backend.artifacts.map(({ target }) => target.arch)).toEqual([built]);
    const variant = linear.manifest.variants.find(({ target }) => target.arch === built);
    expect(backend.artifacts[0]?.text).toBe(
      readFileSync(join(folder, `linear.${built}.cu`), "utf8"),
    );
    expect(backend.binaries[0] !== undefined).toBe(variant?.binary !== undefined);
    const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === "linear");
    const grid = entry?.kernel.grid({ M: 300, N: 200, K: 64 }, variant?.config ?? {});
    expect(backend.launches[0]?.grid).toEqual([grid, 1, 1]);
    expect(backend.launches[0]?.words).toEqual([300, 64, 200]);
    expect(device.cacheStatistics.compiles).toBe(0);
  });

  it("is refused where no variant is for it", async () => {
    const linear = await readExported(manifestUrl("linear"));
    for (const spec of [TARGETS.cuda.defaultSpec("sm_75"), TARGETS.hip.defaultSpec("gfx1100")]) {
      const device = new CoreDevice(new RecordingBackend(spec));
      expect(() => linear.launch(device, product(device, [3, 4, 5]))).toThrow(/TW3119/);
    }
  });

  it("checks arguments as for every kernel", async () => {
    const device = new CoreDevice(new RecordingBackend(TARGETS.wgsl.defaultSpec()));
    const linear = await readExported(manifestUrl("linear"));
    const { x, w } = product(device, [3, 4, 5]);
    const launch = () => linear.launch(device, { x, w, y: matrix(device, 3, 7) });
    expect(launch).toThrow(/linear[\s\S]*\bN\b/);
  });

  it("needs sizes that are divisible as the build was promised", async () => {
    const { code, stderr } = await build("--target", "wgsl", "--divisible", "K=16");
    expect(code, stderr).toBe(0);
    const device = new CoreDevice(new RecordingBackend(TARGETS.wgsl.defaultSpec()));
    const linear = await readExported(manifestUrl("linear"));
    expect(() => linear.launch(device, product(device, [3, 4, 32]))).not.toThrow();
    expect(() => linear.launch(device, product(device, [3, 4, 24]))).toThrow(
      /TW3118[\s\S]*K divisible by 8[\s\S]*K divisible by 16/,
    );
  });

  it("takes packed weights in the order that was built, packed on the host", async () => {
    const name = "linear_w4_groups";
    const { code, stderr } = await tilewright(
      ...["build", "dsl/kernels/linear-w4.ts", "--target", "wgsl", "--target", "cuda:sm_80"],
      ...["--dim", "K=192", "--dim", "KG=3", "--divisible", "N=8", "--as", name, "-o", folder],
    );
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(folder, `${name}.d.ts`), "utf8")).toContain("const linearW4Groups:");
    const exported = await readExported(manifestUrl(name));
    const backend = new RecordingBackend(TARGETS.cuda.defaultSpec("sm_80"));
    const device = new CoreDevice(backend);
    const shape = [136, 192];
    const codes = Uint8Array.from({ length: (136 * 192) / 2 }, (_, i) => (i * 37) & 255);
    const bf16 = (...sizes: readonly number[]): Tensor =>
      tensorFrom(device, "bf16", sizes, new Float64Array(sizes.reduce((n, size) => n * size, 1)));
    const args = {
      x: bf16(18, 192),
      scale: bf16(3, 136),
      bias: matrixRow(device, 136),
      y: bf16(18, 136),
    };
    const plain = tensorFromBytes(device, "u4", shape, codes);
    expect(() => exported.launch(device, { ...args, w: plain })).toThrow(/TW3122[\s\S]*w in rows/);
    const w = exported.pack(device, "w", shape, codes);
    expect(w.order).toEqual(device.packedOrders(exported.definition, { ...args, w: plain })["w"]);
    expect(
      unpackBytes(w.order ?? "rows", "u4", shape, await device.read(w.buffer, 0, tensorBytes(w))),
    ).toEqual(codes);
    exported.launch(device, { ...args, w });
    expect(backend.launches.length).toBe(1);
    expect(device.cacheStatistics.compiles).toBe(0);
    expect(() => exported.pack(device, "v", shape, codes)).toThrow(/TW3109/);
  });

  it("takes no manifest of another format and no file that was changed", async () => {
    const manifest = manifestOf("rms_norm");
    const files = new Map(
      readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]),
    );
    const other = { ...manifest, format: 99 } as unknown as KernelManifest;
    expect(() => exportedKernel(other, files)).toThrow(/TW3120/);
    expect(() => exportedKernel(manifest, new Map())).toThrow(/TW3121/);
    const [name] = manifest.variants.map(({ text }) => text.file);
    files.set(name ?? "", new TextEncoder().encode("@compute"));
    expect(() => exportedKernel(manifest, files)).toThrow(/TW3121/);
    await expect(readExported(manifestUrl("absent"))).rejects.toThrow(/TW3121/);
  });
});

it("the grid of a variant follows its own config", () => {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === "linear");
  const grids = manifestOf("linear").variants.map(({ config, dtypes, grid }) => {
    expect(grid).toEqual(entry && lowerGrid(entry.kernel, { config, dtypes }));
    return JSON.stringify(grid);
  });
  expect(grids.length).toBeGreaterThan(0);
});
