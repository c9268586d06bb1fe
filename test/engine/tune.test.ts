/** [test/engine] `tilewright tune`: its flags, what it shows and writes, its errors; and one real run in which a software GPU's kernels are compiled by processes. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { siluAndMul } from "../../dsl/kernels/catalogue.ts";
import { bestText, micros, tuneProgress } from "../../engine/cli/tune-progress.ts";
import { type TuneResult, tune } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";
import { tilewright } from "../support/run-command.ts";

const folder = () => mkdtempSync(join(tmpdir(), "tilewright-tune-"));
const ON = ["tune", "--device", "interpreter", "--kernel", "silu_and_mul"] as const;

// Before any device is opened, which happens as the suites are collected.
process.env["TILEWRIGHT_CACHE_DIR"] = folder();

describe("tilewright tune", () => {
  it("says what won, what it is worth and who checked it; writes JSON and a table; resumes", async () => {
    const out = folder();
    const [json, table] = [join(out, "a.json"), join(out, "table.ts")];
    const small = [...ON, "--shape", "R=4,I=64", "--dtype", "f16", "--budget", "30"];
    const configs = ["--config", "BI=64", "--config", "BR=2,BI=128"];
    const first = await tilewright(...small, ...configs, "--json", json, "--export", table);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^silu_and_mul R=4 I=64 T=f16 on TypeScript interpreter\n/);
    expect(first.stdout).toMatch(
      /winner {3}BR=\d BI=\d+\n {2}time .*µs.*cold.*GB\/s.*× the default/,
    );
    expect(first.stdout).toMatch(/configs {2}3: 3 measured now, 0 from earlier runs, 0 left/);
    expect(first.stdout).toMatch(/checked {2}by the kernel's own reference/);
    expect(first.stderr).toMatch(/^silu_and_mul 4×64: .*(ranking|compiling) .*\n/);
    const [result] = JSON.parse(readFileSync(json, "utf8")) as TuneResult[];
    expect(result).toMatchObject({ kernel: "silu_and_mul", counts: { space: 3 } });
    const source = readFileSync(table, "utf8");
    expect(source).toContain('dtypes: { T: ["f16"] }, dims: { R: [4, 4], I: [64, 64] }');
    const second = await tilewright(...small, ...configs);
    expect(second.stdout).toMatch(/0 measured now, 3 from earlier runs/);
    expect(second.stdout).toMatch(/checked {2}in earlier runs/);
  });

  it("says why there is nothing to choose from", async () => {
    const softmax = ["tune", "examples/softmax.ts", "--device", "interpreter"] as const;
    const { code, stdout } = await tilewright(...softmax, "--shape", "4x64", "--scalar", "scale=1");
    expect(code).toBe(0);
    expect(stdout).toMatch(/configs {2}1: [\s\S]*no choices: [\s\S]*`tune: \{/);
  });

  it.each([
    [["tune", "--device", "interpreter"], /TW4420[\s\S]*--kernel linear/],
    [["tune", "--kernel", "nothing"], /TW4410[\s\S]*silu_and_mul/],
    [[...ON, "--shape", "R=4"], /TW3301[\s\S]*I missing/],
    [[...ON, "--shape", "4x64", "--dtype", "i32"], /TW4416/],
    [[...ON, "--shape", "4x64", "--mode", "cold,sustained"], /TW4421/],
    [["tune", "--kernel", "paged_decode", "--shape", "1x2"], /TW4411|TW4412/],
    [[...ON, "--shape", "4x64", "--device", "null"], /TW3340[\s\S]*interpreter/],
  ] as const)("explains what is wrong with %j", async (args, message) => {
    const { code, stderr } = await tilewright(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it("refuses a budget that is no time", async () => {
    const { code, stderr } = await tilewright(...ON, "--budget", "0");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/number of seconds above 0/)]);
  });
});

describe("progress", () => {
  const best = { config: { BM: 128, BN: 256 }, us: 125 };

  it("shows the best so far beside the roofline", () => {
    expect(bestText({ best, floorUs: 100 })).toBe(
      "best 125.0 µs (BM=128 BN=256), 80 % of the roofline 100.0 µs",
    );
    expect(bestText({ best })).toBe("best 125.0 µs (BM=128 BN=256)");
    expect(bestText({ floorUs: 3.5 })).toBe("roofline 3.50 µs");
    expect([micros(12_345), micros(1.234)]).toEqual(["12.3 ms", "1.23 µs"]);
  });

  /** What a stream is told. */
  function told(isTTY: boolean, phases: readonly ("compile" | "time")[]): string {
    const chunks: string[] = [];
    const stream = Object.assign(Object.create(process.stderr) as NodeJS.WriteStream, {
      isTTY,
      columns: 200,
      write: (chunk: string) => chunks.push(chunk) > 0,
    });
    const view = tuneProgress(stream, "linear", { M: 1, N: 2 });
    phases.forEach((phase, i) => {
      view.show({
        phase,
        done: i,
        total: 9,
        elapsedMs: i * 1000,
        budgetMs: 9000,
        best,
        floorUs: 100,
      });
    });
    view.stop();
    return chunks.join("");
  }

  it("is a line for each phase and each better config where nobody watches, a bar on a terminal", () => {
    const lines = told(false, ["compile", "compile", "time", "time"]);
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(0, 30)),
    ).toEqual(["linear 1×2: 0.0 s, compiling 0", "linear 1×2: 2.0 s, timing 2/9 "]);
    const bar = told(true, ["compile", "time"]);
    expect(bar).toContain("linear 1×2 compiling");
    expect(bar).toContain("80 % of the roofline 100.0 µs");
  });
});

await describeDevices(
  "tuning through compile processes",
  (device) => {
    it("compiles, checks, times and launches the winner", async () => {
      const on = { dims: { R: 2, I: 64 }, dtypes: { T: "f32" } } as const;
      const result = await tune(device, siluAndMul, on, {
        configs: [{ BI: 64 }, { BI: 128, warps: 2 }],
        budgetMs: 60_000,
        processes: 1,
        measure: { rounds: 1, repeatMs: 1 },
      });
      expect(result.counts).toMatchObject({ failed: 0, wrong: 0, left: 0 });
      expect(result.counts.measured).toBeGreaterThanOrEqual(3); // and what tables name for the device
      expect(result.winner.us.median).toBeGreaterThan(0);
      const again = await tune(device, siluAndMul, on, { configs: [{ BI: 64 }] });
      expect(again.counts).toMatchObject({ measured: 0, reused: again.counts.space });
    });
  },
  ["webgpu"],
);
