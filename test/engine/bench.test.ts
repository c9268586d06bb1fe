/** [test/engine] `tilewright bench`: its flags, tables, files and exit codes, on the interpreter. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linear } from "../../dsl/kernels/linear.ts";
import { dtypesOf, modeList, shapeOf } from "../../engine/cli/bench-flags.ts";
import { configList, configPairs, integerPairs, scalarPairs } from "../../engine/cli/pair-flags.ts";
import type { BenchReport } from "../../runtime/index.ts";
import { tilewright } from "../support/run-command.ts";

const bench = (...args: readonly string[]) =>
  tilewright("bench", "--device", "interpreter", ...args);

const SMALL = ["--kernel", "linear", "--shape", "9x10x11", "--rounds", "1"] as const;
const folder = () => mkdtempSync(join(tmpdir(), "tilewright-bench-"));

describe("the flags of bench", () => {
  it("read shapes by name and by place", () => {
    expect(shapeOf("M=1,N=2,K=3")(linear)).toEqual({ M: 1, N: 2, K: 3 });
    expect(shapeOf("1x2x3")(linear)).toEqual({ M: 1, N: 2, K: 3 });
    expect(() => shapeOf("1x2")(linear)).toThrow(/TW4412[\s\S]*3: MxNxK/);
    expect(() => shapeOf("M=,N=2")).toThrow(/it must be M=4096/);
  });

  it("read configs, dtypes, modes and scalars", () => {
    expect(configList("BM=128, fast=true")).toEqual({ BM: 128, fast: true });
    const wishes = { "schedule.splitK": 2, "schedule.swap": true };
    expect(configPairs("schedule.splitK=2,schedule.swap=true", {})).toEqual(wishes);
    expect(integerPairs("M=16,N=8", { K: 4 })).toEqual({ K: 4, M: 16, N: 8 });
    expect(dtypesOf(linear, ["T=bf16,O=f32"])).toEqual({ T: "bf16", O: "f32" });
    for (const wrong of ["BM=1,", "schedule.=1", "BM==1", ".BM=1", "BM=x"])
      expect(() => configList(wrong), wrong).toThrow(/it must be/);
    expect(() => configList("BM")).toThrow(/name=value/);
    expect(dtypesOf(linear, ["bf16", "O=f32"])).toEqual({ T: "bf16", O: "f32" });
    expect(() => dtypesOf(linear, ["Q=f16"])).toThrow(/TW4416[\s\S]*T: f32 f16 bf16/);
    expect(() => dtypesOf(linear, ["i8"])).toThrow(/TW4416/);
    expect(modeList("cold,layers")).toEqual(["cold", "layers"]);
    expect(() => modeList("hot")).toThrow(/cold, sustained, layers/);
    expect(scalarPairs("eps=1e-5", { a: 1 })).toEqual({ a: 1, eps: 1e-5 });
    expect(scalarPairs("eps=1e-5,b=-2", {})).toEqual({ eps: 1e-5, b: -2 });
    expect(() => scalarPairs("eps=x", {})).toThrow(/name=number/);
  });
});

describe("bench", () => {
  it("prints a table, and writes the report and its picture", async () => {
    const to = folder();
    const files = ["--json", join(to, "a.json"), "--plot", join(to, "a.svg")];
    const configs = ["--config", "BM=16,BN=16,BK=16", "--config", "BM=32"];
    const { code, stdout } = await bench(...SMALL, "--dtype", "bf16", ...configs, ...files);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^TypeScript interpreter/);
    expect(stdout).toMatch(/linear M=9 N=10 K=11 T=bf16 O=bf16 \(checked by double sums/);
    expect(stdout).toMatch(/linear, BM=16 BN=16 BK=16 +cold .* 90 right/);
    const report = JSON.parse(readFileSync(join(to, "a.json"), "utf8")) as BenchReport;
    expect(report.results[0]?.contenders.length).toBe(2);
    expect(readFileSync(join(to, "a.svg"), "utf8")).toMatch(/^<svg /);
  });

  it("compares reports, and its exit code says what became slower", async () => {
    const to = folder();
    const [a, b] = [join(to, "a.json"), join(to, "b.json")];
    await bench(...SMALL, "--json", a);
    const same = await bench("--compare", a, a);
    expect(same).toMatchObject({ code: 0, stdout: "1 of 1 within the noise\n" });
    const slow = readFileSync(a, "utf8").replace(
      /"median": ([\d.]+),\s*"p20": ([\d.]+),\s*"p80": ([\d.]+)/g,
      (_, median) => {
        const us = Number(median) * 1e3;
        return `"median": ${us}, "p20": ${us}, "p80": ${us}`;
      },
    );
    writeFileSync(b, slow);
    const slower = await bench("--compare", a, b);
    expect(slower.code).toBe(1);
    expect(slower.stdout).toMatch(/^slower 0\.001× {2}linear M=9 N=10 K=11/);
    expect(slower.stderr).toMatch(/TW4414/);
    writeFileSync(b, "{}");
    expect((await bench("--compare", a, b)).stderr).toMatch(/TW3320/);
    expect((await bench("--compare", a, join(to, "none.json"))).stderr).toMatch(/TW4413/);
  });

  it("measures kernels of a file, with sizes and scalars", async () => {
    const file = "examples/softmax.ts";
    const sizes = ["--shape", "R=5,N=33", "--scalar", "scale=0.5", "--rounds", "1"];
    const { code, stdout } = await bench(file, ...sizes);
    expect(code).toBe(0);
    expect(stdout).toMatch(/scaled_softmax R=5 N=33 \(checked by the interpreter\)/);
    expect((await bench(file)).stderr).toMatch(/TW4412[\s\S]*--shape R=…,N=…/);
  });

  it("measures the largest sample of a kernel where no shape is given", async () => {
    const { code, stdout } = await bench("--kernel", "paged_decode", "--rounds", "1");
    expect(code).toBe(0);
    expect(stdout).toMatch(/paged_decode .* \(checked by the kernel's own reference\)/);
    const shaped = await bench("--kernel", "paged_decode", "--shape", "S=1");
    expect(shaped.stderr).toMatch(/TW4411/);
  });

  it("says what is wrong with a command line", async () => {
    expect((await bench("--kernel", "gemm")).stderr).toMatch(/TW4410[\s\S]*linear, linear_bias/);
    expect((await bench("--kernel", "linear", "--shape", "3x3")).stderr).toMatch(/TW4412/);
    expect((await bench("--kernel", "linear", "--shape", "M=3")).stderr).toMatch(/TW3301/);
    const swapped = await bench("--kernel", "linear", "--shape", "M=3,N=4,Q=5");
    expect(swapped.stderr).toMatch(/TW3301[\s\S]*; K missing; Q unknown/);
    const config = await bench(...SMALL, "--config", "BQ=1");
    expect(config.code).toBe(1);
    expect(config.stdout).toMatch(/FAILED[\s\S]*TW1013/);
    expect(config.stderr).toMatch(/TW4415/);
    expect((await bench(...SMALL, "--mode", "hot")).code).toBe(2);
    expect((await bench("--compare", "a", "b", "c")).stderr).toMatch(/TW4417/);
    const nowhere = await bench(...SMALL, "--json", join(folder(), "no/a.json"));
    expect(nowhere.stderr).toMatch(/TW4407[\s\S]*correct --json/);
  });

  it("names the drivers where there is no such device", async () => {
    const { code, stderr } = await bench(...SMALL, "--device", "nothing");
    expect(code).toBe(1);
    expect(stderr).toMatch(/TW3200[\s\S]*cuda, hip, webgpu, interpreter/);
  });
});
