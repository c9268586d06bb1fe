/** [test/unit/runtime] What the DEBUG ladder prints and TILEWRIGHT_DUMP writes; what doctor is told; why a device was chosen. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { chooseDevice, inspectDrivers } from "../../../runtime/open.ts";

const SCRIPT = fileURLToPath(new URL("../../support/traced-launch.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tilewright-dump-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a process that launches a kernel three times says on stderr. */
function said(device: "text" | "interpreter", level: string, dump?: string): string {
  const env = { ...process.env, NODE_OPTIONS: "", TILEWRIGHT_CACHE_DIR: "off", DEBUG: level };
  const { stderr, status } = spawnSync(process.execPath, ["--import", "tsx", SCRIPT, device], {
    env: dump === undefined ? env : { ...env, TILEWRIGHT_DUMP: dump },
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return stderr;
}

const count = (text: string, what: RegExp): number => [...text.matchAll(what)].length;

describe("DEBUG", () => {
  it("says nothing at 0", () => {
    expect(said("interpreter", "0")).toBe("");
  });

  it("names the device at 1", () => {
    const text = said("interpreter", "1");
    expect(text).toMatch(
      /^tilewright: device interpreter \(TypeScript interpreter; .*\): chosen by name\n$/,
    );
  });

  it("gives each launch a line with its time at 2", () => {
    const lines = /silu_and_mul grid [12]×[12]×1: [\d.]+ ms, [\d.]+ GB\/s/g;
    expect(count(said("interpreter", "2"), lines)).toBe(3);
  });

  it("gives the config once for each plan at 3, and the text at 4", () => {
    const third = said("text", "3");
    expect(
      count(third, /silu_and_mul \{[^}]*\} with BR=1 BI=1024, ready on cuda in [\d.]+ ms/g),
    ).toBe(1);
    expect(third).not.toContain("TW_KERNEL(");
    expect(count(said("text", "4"), /TW_KERNEL\(\d+\) silu_and_mul/g)).toBe(1);
  });

  it("gives the thread IR at 5, and the levels above it at 6", () => {
    const fifth = said("text", "5");
    expect(fifth).toMatch(/^thread silu_and_mul/m);
    expect(fifth).not.toMatch(/^scheduled silu_and_mul/m);
    const sixth = said("text", "6");
    for (const level of [
      /^kernel silu_and_mul/m,
      /^scheduled silu_and_mul/m,
      /^thread silu_and_mul/m,
    ])
      expect(sixth).toMatch(level);
  });
});

describe("TILEWRIGHT_DUMP", () => {
  it("receives every stage of a compiled kernel", () => {
    expect(said("text", "0", folder)).toBe("");
    const [place = "", ...rest] = readdirSync(folder);
    expect([place, rest]).toEqual([expect.stringMatching(/^silu_and_mul-[\da-f]{12}$/), []]);
    const files = readdirSync(join(folder, place)).sort();
    expect(files).toEqual([
      "hir.json",
      "remarks.json",
      "scheduled.txt",
      "source.cu",
      "thread.txt",
      "tile.txt",
    ]);
    expect(readFileSync(join(folder, place, "source.cu"), "utf8")).toContain("silu_and_mul(");
    expect(JSON.parse(readFileSync(join(folder, place, "hir.json"), "utf8"))).toBeTypeOf("object");
  });
});

describe("drivers", () => {
  it("each say what they are, or why they cannot open and what to do", async () => {
    const reports = await inspectDrivers();
    const names = reports.map(({ name }) => name);
    expect(names).toEqual(["cuda", "hip", "webgpu", "interpreter", "null"]);
    for (const { name, summary, info, why, remedy } of reports) {
      expect(summary).not.toBe("");
      if (info === undefined) {
        expect([name, why]).toEqual([name, expect.stringMatching(/\S/)]);
        expect(remedy).toMatch(/\S/);
      } else expect([info.driver, why]).toEqual([name, undefined]);
    }
    const interpreter = reports.find(({ name }) => name === "interpreter");
    expect(interpreter?.info?.versions["node"]).toBe(process.versions.node);
  });

  it("are chosen with a reason, and by name", async () => {
    const best = await chooseDevice("auto");
    expect(best.reason).toMatch(/ is there$|, because /);
    const named = await chooseDevice("null");
    expect([named.device.info.driver, named.reason]).toEqual(["null", "chosen by name"]);
    await expect(chooseDevice("metal")).rejects.toThrow(/TW3200[\s\S]*'metal'[\s\S]*auto, cuda/);
    await best.device.close();
    await named.device.close();
  });
});
