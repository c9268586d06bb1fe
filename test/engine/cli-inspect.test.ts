/** [test/engine] `tilewright inspect`: pages and data, of files and of the catalogue, and what is wrong with the flags. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { tilewright } from "../support/run-command.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-inspect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("inspect", () => {
  it.each(["cuda", "hip", "wgsl"])("writes a page of a file's kernel for %s", async (target) => {
    const path = join(folder, `${target}.html`);
    const flags = ["--dim", "N=64", "--target", target, "-o", path];
    const { code, stdout, stderr } = await tilewright("inspect", "examples/softmax.ts", ...flags);
    expect([code, stdout, stderr]).toEqual([0, "", `${path}\n`]);
    const page = readFileSync(path, "utf8");
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain(`<h1>scaled_softmax for ${target}`);
    expect(page).toContain("const e = exp2(v - max(v, &quot;N&quot;));");
  });

  it("takes a kernel of the catalogue as its largest sample, but for what is given", async () => {
    const path = join(folder, "linear.json");
    const flags = ["--dtype", "T=f16", "--config", "BM=32", "--json", "-o", path];
    const { code } = await tilewright("inspect", "--kernel", "linear", ...flags);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      kernel: "linear",
      artifact: { dtypes: { T: "f16" }, config: { BM: 32, BN: 64 }, target: { target: "cuda" } },
    });
  });

  it("takes functions from the sample where a kernel needs some", async () => {
    const path = join(folder, "bias.html");
    const { code, stderr } = await tilewright("inspect", "--kernel", "linear_bias", "-o", path);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^linear_bias: T=bf16, O=f32 assumed, .*\n/),
    ]);
    expect(stderr.split("\n").slice(1)).toEqual([path, ""]);
  });

  it.each([
    ["neither file nor kernel", [], 2, /--kernel for one of the catalogue/],
    ["an unknown kernel", ["--kernel", "nope"], 1, /TW4410/],
    ["a dim without a size", ["examples/softmax.ts"], 1, /TW4402/],
    ["a divisor of no dim", ["--kernel", "linear", "--divisible", "Q=4"], 1, /TW4406/],
    [
      "an output that cannot be",
      ["--kernel", "rms_norm", "-o", join(folder, "no/x.html")],
      1,
      /TW4407/,
    ],
  ])("refuses %s", async (_name, args, expected, message) => {
    const { code, stdout, stderr } = await tilewright("inspect", ...args);
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toMatch(message);
  });
});
