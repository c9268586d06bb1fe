/** [test/engine] `tilewright compile`: every level and target, and what is wrong with files, names and flags. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TARGET_NAMES, TARGETS } from "../../codegen/index.ts";
import { DRIVERS } from "../../runtime/index.ts";
import { tilewright } from "../support/run-command.ts";

const softmax = ["compile", "examples/softmax.ts", "--dim", "N=64"];
const folder = mkdtempSync(join(tmpdir(), "tilewright-compile-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("compile", () => {
  it.each([
    ["hir", "cuda", /^\{\n {2}"name": "scaled_softmax",\n/],
    ["tile", "cuda", /^kernel scaled_softmax\(\n {2}x: in f32\[R, N=64\]/],
    ["passes", "wgsl", /==== \S+ \(tile\)[\s\S]*==== \S+ \(thread\)/],
    ["scheduled", "hip", /scaled_softmax/],
    ["thread", "wgsl", /scaled_softmax/],
    ["source", "cuda", /TW_KERNEL\(\d+\) scaled_softmax/],
    ["source", "hip", /scaled_softmax/],
    ["source", "wgsl", /@compute/],
    ["explain", "cuda", /scaled_softmax/],
  ])("prints %s for %s", async (level, target, text) => {
    const { code, stdout, stderr } = await tilewright(
      ...softmax,
      "--emit",
      level,
      "--target",
      target,
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(text);
    expect(stdout).toMatch(/\n$/);
  });

  it("prints HIR as JSON that can be read: many lines, none longer than a screen is wide", async () => {
    const { stdout } = await tilewright(...softmax, "--emit", "hir");
    expect(JSON.parse(stdout)).toMatchObject({ name: "scaled_softmax" });
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThan(200);
  });

  it("writes to a file, and with --all to a folder", async () => {
    const path = join(folder, "softmax.cu");
    const one = await tilewright(...softmax, "-o", path);
    expect([one.code, one.stdout, one.stderr]).toEqual([0, "", `${path}\n`]);
    expect(readFileSync(path, "utf8")).toContain("scaled_softmax");
    const all = await tilewright("compile", "--all", "--target", "wgsl", "-o", join(folder, "all"));
    expect(all.code, all.stderr).toBe(0);
    expect(all.stderr).toContain("paged_decode_merged left out: it needs a target with");
    const tooLarge =
      /^(\w+) left out: .* bytes of shared memory at once, at most 16384 bytes on wgsl$/gm;
    // Their default configs are for CUDA alone.
    expect([...all.stderr.matchAll(tooLarge)].map(([, name]) => name)).toEqual([
      "mla_decode_halves",
    ]);
    expect(existsSync(join(folder, "all/rms_norm.wgsl"))).toBe(true);
    // WebGPU orders no memory between programs.
    expect(existsSync(join(folder, "all/paged_decode_merged.wgsl"))).toBe(false);
  });

  it("takes a kernel of the catalogue by name, with the sizes of its largest sample or others", async () => {
    const flags = ["compile", "--kernel", "rms_norm", "--target", "wgsl", "--emit", "tile"];
    const { code, stdout } = await tilewright(...flags, "--dim", "H=96", "--dtype", "T=f32");
    expect([code, stdout.split("\n")[0]]).toEqual([0, "kernel rms_norm("]);
    expect(stdout).toMatch(/x: in f32\[\w+, H=96\]/);
    expect((await tilewright(...flags)).stdout).toMatch(/H=\d+/);
    const wrong = await tilewright("compile", "--kernel", "rms_nrom");
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      expect.stringMatching(/TW4410[\s\S]*did you mean 'rms_norm'/),
    ]);
  });

  it("says which sizes and dtypes it assumes, and nothing where all are given", async () => {
    const flags = ["compile", "--kernel", "attention", "--target", "wgsl", "--emit", "tile"];
    const some = await tilewright(...flags, "--dtype", "f32", "--dim", "D=64");
    expect(some.code).toBe(0);
    expect(some.stdout).toContain("D=64, DV=80");
    expect(some.stderr).toBe(
      "attention: DV=80 assumed, as in the kernel's largest sample; --dim DV=… says otherwise\n",
    );
    const none = await tilewright(...flags);
    expect(none.stderr).toMatch(/^attention: D=80, DV=80, T=\w+ assumed, .*--dtype T=… says/);
    const all = await tilewright(...flags, "--dtype", "T=f16", "--dim", "D=64,DV=64");
    expect([all.code, all.stderr]).toEqual([0, ""]);
  });

  it("takes a dtype for every variable that allows it", async () => {
    const linear = ["compile", "--kernel", "linear", "--target", "cuda", "--emit", "tile"];
    const both = await tilewright(...linear, "--dtype", "bf16");
    expect([both.code, both.stderr]).toEqual([0, ""]);
    expect(both.stdout).toMatch(/x: in bf16[\s\S]*y: out bf16/);
    const mixed = await tilewright(...linear, "--dtype", "bf16,O=f32");
    expect(mixed.stdout).toMatch(/x: in bf16[\s\S]*y: out f32/);
    const file = ["compile", "dsl/kernels/linear.ts", "--kernel", "linear", "--emit", "tile"];
    expect((await tilewright(...file, "--dtype", "bf16")).stdout).toBe(both.stdout);
    for (const dtype of ["i8", "Q=bf16", "T=i8"]) {
      const { code, stderr } = await tilewright(...linear, "--dtype", dtype);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/TW4416[\s\S]*T: f32 f16 bf16/)]);
    }
  });

  it("reads kernels of TypeScript that is CommonJS, as in a folder without `type: module`", async () => {
    const text = readFileSync("examples/softmax.ts", "utf8");
    const source = text.replace("../index.ts", join(import.meta.dirname, "../../index.ts"));
    const two = `${source}\nexport const again = kernel({ name: "again", params: {}, grid: () => 1 }, () => {});\n`;
    const path = file("common.cts", two);
    const { code, stdout, stderr } = await tilewright(
      "compile",
      path,
      "--kernel",
      "scaled_softmax",
      "--dim",
      "N=64",
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("scaled_softmax");
    expect((await tilewright("compile", path, "--kernel", "again")).code).toBe(0);
  });

  it("uses the divisors of dims that are bound at launch", async () => {
    const { stdout } = await tilewright(...softmax, "--divisible", "R=16");
    expect(stdout).toContain("dims divisible: R%16");
  });

  it("takes wishes of a schedule, and several values of a flag joined by commas", async () => {
    const product = ["compile", "--kernel", "linear", "--arch", "sm_90a", "--emit", "explain"];
    const sizes = ["--dtype", "T=bf16,O=bf16", "--divisible", "M=16,N=16,K=16"];
    const config = ["--config", "BM=128,BN=128,BK=64,stages=3,schedule.swap=true"];
    const { code, stdout, stderr } = await tilewright(...product, ...sizes, ...config);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("schedule: swap: as asked");
    const wrong = await tilewright(...product, "--config", "schedule.swap=2");
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringMatching(/TW1011/)]);
  });

  it("keeps what files print while they are imported out of its own output", async () => {
    const path = (name: string) =>
      file(
        name,
        `import { kernel } from "${join(import.meta.dirname, "../../index.ts")}";
process.stdout.write("noise of ${name}\\n");
await new Promise((done) => setTimeout(done, ${name === "a.mts" ? 30 : 1}));
process.stdout.write("late\\n");
export const ${name[0]} = kernel({ name: "${name[0]}", params: {}, grid: () => 1 }, () => {});
`,
      );
    const [a, b] = [path("a.mts"), path("b.mts")];
    const one = await tilewright("compile", a, "--emit", "tile");
    expect([one.code, one.stderr]).toEqual([0, "noise of a.mts\nlate\n"]);
    expect(one.stdout).toMatch(/^kernel a\(/);
    const two = await tilewright("build", a, b, "--target", "wgsl", "-o", join(folder, "noise"));
    expect([two.code, two.stdout]).toEqual([0, ""]);
    expect(two.stderr).toContain("noise of b.mts\nlate\n");
    const after = await tilewright(...softmax, "--emit", "tile");
    expect([after.stderr, after.stdout.length > 0]).toEqual(["", true]);
  });

  it.each(["build", "inspect"])("%s takes wishes too", async (command) => {
    const output = join(folder, `${command}-wishes`);
    const flags = ["--config", "warps=2,schedule.splitK=2", "--target", "wgsl", "-o", output];
    const { code, stderr } = await tilewright(
      command,
      "examples/softmax.ts",
      ...flags,
      "--dim",
      "N=64",
    );
    expect(code, stderr).toBe(0);
    if (command === "build")
      expect(readFileSync(join(output, "scaled_softmax.json"), "utf8")).toContain(
        '"schedule.splitK": 2',
      );
  });

  it.each([
    ["neither file nor --all", ["compile"], /give a file, --kernel .* or --all/],
    ["--all with what is one kernel's", ["compile", "--all", "--dim", "N=3"], /not --dim/],
    ["--all with a file", ["compile", "x.ts", "--all"], /not a file/],
    ["a pair that is none", ["compile", "x.ts", "--dim", "N"], /name=value/],
    [
      "a dtype that is none",
      ["compile", "x.ts", "--dtype", "T=float"],
      /'float' is no dtype; did you mean 'f32'\? known: f32, f16, bf16/,
    ],
    ["an unknown level", ["compile", "x.ts", "--emit", "ptx"], /hir, tile/],
    ["an unknown target", ["compile", "x.ts", "--target", "spirv"], /cuda, hip, wgsl/],
  ])("exits with 2 on %s", async (_name, args, message) => {
    const { code, stdout, stderr } = await tilewright(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it.each([
    ["a file that is not there", () => ["nope.ts"], /TW4403/],
    ["a folder", () => ["examples"], /TW4403[\s\S]*no file/],
    ["a file of another kind", () => ["README.md"], /TW4405/],
    ["a syntax error", () => [file("bad.ts", "export const x = ;\n")], /TW4405[\s\S]*seen/],
    [
      "a file that throws",
      () => [file("throws.ts", 'throw new Error("boom");\n')],
      /TW4405[\s\S]*boom/,
    ],
    ["a file without kernels", () => [file("none.ts", "export {};\n")], /TW4404[\s\S]*no kernels/],
    [
      "a kernel that is not there",
      () => [...softmax.slice(1), "--kernel", "scaled_sofmax"],
      /TW4404[\s\S]*did you mean 'scaled_softmax'/,
    ],
    ["a dim without a size", () => ["examples/softmax.ts"], /TW4402[\s\S]*--dim N=/],
    ["a size past 32 bits", () => ["examples/softmax.ts", "--dim", "N=99999999999"], /TW1012/],
    ["an unknown dim", () => [...softmax.slice(1), "--dim", "Q=4"], /TW1013/],
    ["a divisor of no dim", () => [...softmax.slice(1), "--divisible", "Q=4"], /TW4406[\s\S]*R/],
    [
      "a divisor that is no power of two",
      () => [...softmax.slice(1), "--divisible", "R=3"],
      /TW2304/,
    ],
    ["an unknown config value", () => [...softmax.slice(1), "--config", "B=4"], /TW1013/],
    [
      "an unknown architecture",
      () => [...softmax.slice(1), "--arch", "sm_10"],
      /TW2303[\s\S]*sm_80/,
    ],
    [
      "no binary of a target",
      () => [...softmax.slice(1), "--emit", "binary", "--target", "wgsl"],
      /TW4401/,
    ],
    [
      "an output that cannot be",
      () => [...softmax.slice(1), "-o", join(folder, "no/x.cu")],
      /TW4407/,
    ],
  ])("exits with 1 on %s, and says what to do", async (_name, args, message) => {
    const { code, stdout, stderr } = await tilewright("compile", ...args());
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/remedy:/);
    expect(stderr).not.toMatch(/^ {4}at .*node_modules/m);
  });
});

describe("the help of commands", () => {
  const help = async (command: string) =>
    (await tilewright(command, "--help")).stdout.replaceAll(/\s+/g, " ");

  it.each(["serve", "generate", "bench", "tune"])("%s names every device", async (command) => {
    const text = await help(command);
    for (const { name } of DRIVERS)
      if (name !== "null" || command !== "tune")
        expect(text).toMatch(new RegExp(`--device [^-]*${name}`));
  });

  it.each(["compile", "inspect", "build"])(
    "%s says which architecture is the default",
    async (command) => {
      for (const name of TARGET_NAMES)
        expect(await help(command)).toContain(TARGETS[name].defaultSpec().arch ?? "");
    },
  );
});
