/** [test/engine] Every numbered example runs and finds its own results right: all on the interpreter, the cheap ones on other devices. */
import { readdirSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { check, type Example } from "../../examples/example.ts";
import type { Device } from "../../runtime/index.ts";
import { describeDevices } from "../support/devices.ts";

const names = readdirSync("examples").flatMap((file) => /^(\d\d-.*)\.ts$/.exec(file)?.[1] ?? []);
/** Those that launch no more than a few small kernels. */
const CHEAP = /^0[1-46-9]/;

/** What an example printed. */
async function run(name: string, device: Device): Promise<readonly string[]> {
  const { main } = (await import(`../../examples/${name}.ts`)) as { readonly main: Example };
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await main(device);
    return log.mock.calls.map(([line]) => String(line));
  } finally {
    log.mockRestore();
  }
}

describe("examples", () => {
  it("have each a number of its own, from 1 to 20", () => {
    const numbers = names.map((name) => Number(name.slice(0, 2)));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([1, 20]);
  });

  it.each([
    ["a wrong element", [1, 2], [1, 3], /^x\[1\] is 2, expected 3$/],
    ["an element that is no number", [Number.NaN], [0], /^x\[0\] is NaN/],
    ["too few elements", [1], [1, 2], /^x: 1 elements, expected 2$/],
  ])("fail on %s", (_what, got, expected, message) => {
    expect(() => check("x", got, expected)).toThrow(message);
  });
});

await describeDevices("examples", (device) => {
  const isAll = device.info.driver === "interpreter";
  it.each(names.filter((name) => isAll || CHEAP.test(name)))("%s", async (name) => {
    expect((await run(name, device)).length).toBeGreaterThan(0);
  });
});
