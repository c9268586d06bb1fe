/** [test/unit/dsl] Every kernel of the catalogue, lowered: correct by the verifier, and its text form reads back exactly. */
import { describe, expect, it } from "vitest";
import { lowerKernel } from "../../../dsl/frontend/lower-kernel.ts";
import type { TileKernel } from "../../../dsl/ir/nodes.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { printKernel } from "../../../dsl/ir/print.ts";
import { findViolations } from "../../../dsl/ir/verify.ts";
import { KERNEL_ENTRIES, makeSample } from "../../../dsl/kernels/catalogue.ts";

function withoutLocations(kernel: TileKernel): unknown {
  return JSON.parse(
    JSON.stringify(kernel, (key, value: unknown) => {
      if (key === "loc") return undefined;
      return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
    }),
  );
}

describe("kernels of the catalogue", () => {
  it.each(KERNEL_ENTRIES.map((entry) => [entry.kernel.name, entry] as const))(
    "%s survives printing and parsing",
    (_, entry) => {
      const problem = entry.samples.at(-1);
      if (problem === undefined) throw new Error("a kernel without samples");
      const sample = makeSample(entry, problem);
      const { tile } = lowerKernel(sample.kernel, sample.specialization);
      const text = printKernel(tile, { locations: true });
      const again = parseKernel(text);
      expect(findViolations(tile)).toEqual([]);
      expect(printKernel(again, { locations: true })).toBe(text);
      expect(withoutLocations(again)).toStrictEqual(withoutLocations(tile));
      expect(text).toMatch(/ {2}\/\/ .+:\d+:\d+$/m);
    },
  );
});
