/** [test/unit/engine] The file of `serve --config`: what becomes of its values, and what is refused. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { expandConfig } from "../../../engine/cli/config-file.ts";

const folder = mkdtempSync(join(tmpdir(), "tilewright-config-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (text: string): string => {
  const path = join(folder, "serve.yaml");
  writeFileSync(path, text);
  return path;
};

describe("the file of flags", () => {
  it("comes before the flags of the command line", () => {
    const path = file(
      "model: a/b\nport: 9000\napi_key: [x, y]\nenforce-eager: true\nenable-prefix-caching: false\nenable-admin-routes: false\nasync-scheduling: true\n",
    );
    expect(expandConfig(["serve", "--config", path, "--max-stops", "1"])).toEqual([
      "serve",
      "--model=a/b",
      "--port=9000",
      "--api-key",
      "x",
      "y",
      "--enforce-eager",
      "--no-enable-prefix-caching",
      "--config",
      path,
      "--max-stops",
      "1",
    ]);
    expect(expandConfig(["serve", `--config=${file('{"port": 5}')}`])[1]).toBe("--port=5");
  });

  it("gives way to the command line, keys that were taken back included", () => {
    const path = file("port: 9000\napi_key: [old, older]\nasync_scheduling: false\n");
    const given = ["--config", path, "--api-key", "new", "--port=1", "--no-async-scheduling"];
    expect(expandConfig(["serve", ...given])).toEqual(["serve", ...given]);
  });

  it("gives way to a model that is named without a flag, which stays apart from the values of flags", () => {
    const path = file("model: a/b\napi_key: [x, y]\n");
    expect(expandConfig(["serve", "c/d", "--config", path])).toEqual([
      "serve",
      "c/d",
      "--api-key",
      "x",
      "y",
      "--config",
      path,
    ]);
  });

  it("is of serve alone", () => {
    const args = ["compile", "--config", "BM=128"];
    expect(expandConfig(args)).toBe(args);
  });

  it.each([["- a"], ["a: {b: 1}"], ["a: [b"], [""]])("refuses %s", (text) => {
    expect(() => expandConfig(["serve", "--config", file(text)])).toThrow(/TW4317/);
  });

  it("refuses keys that are no flags, all of them, with what was meant", () => {
    const flags = ["--port", "--max-num-seqs", "--no-async-scheduling"];
    const path = file("prot: 1\nmax_num_seq: 2\nasync_scheduling: false\nport: 3\n");
    const expand = () => expandConfig(["serve", "--config", path], flags);
    expect(expand).toThrow(
      /TW4317[\s\S]*prot\n[\s\S]*'port'[\s\S]*max_num_seq\n[\s\S]*'max-num-seqs'/,
    );
    const fine = file("async_scheduling: false\nport: 3\n");
    expect(expandConfig(["serve", "--config", fine], flags)).toEqual([
      "serve",
      "--no-async-scheduling",
      "--port=3",
      "--config",
      fine,
    ]);
  });
});
