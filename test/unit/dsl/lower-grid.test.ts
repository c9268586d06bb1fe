/** [test/unit/dsl] The grid as data gives what the function gives, for every kernel of the catalogue and odd sizes. */
import { describe, expect, it } from "vitest";
import { evaluateGrid, lowerGrid } from "../../../dsl/index.ts";
import { KERNEL_ENTRIES } from "../../../dsl/kernels/catalogue.ts";

describe("grids as data", () => {
  it.each(KERNEL_ENTRIES.map((entry) => [entry.kernel.name, entry] as const))("%s", (_, entry) => {
    const { kernel, samples } = entry;
    const sample = samples.at(-1);
    if (sample === undefined) throw new Error(`${kernel.name} has no sample`);
    const dims = Object.fromEntries(kernel.specialize.map((dim) => [dim, sample.dims[dim] ?? 1]));
    const grid = lowerGrid(kernel, {
      dtypes: sample.dtypes,
      dims,
      ...(sample.config === undefined ? {} : { config: sample.config }),
    });
    const config = { ...kernel.config, ...sample.config };
    for (const step of [0, 1, 2, 7, 129]) {
      const sizes = Object.fromEntries(
        Object.entries(sample.dims).map(([dim, size], i) => [
          dim,
          dims[dim] ?? (step === 0 ? size : size * step + i),
        ]),
      );
      const wanted = kernel.grid(sizes, config);
      const seen = JSON.parse(JSON.stringify(grid)) as typeof grid;
      expect(seen.map((axis) => evaluateGrid(axis, sizes))).toEqual([wanted].flat());
    }
  });

  it("refuses dims without a size", () => {
    expect(() => evaluateGrid(["add", "M", 1], {})).toThrow(/TW9004/);
  });
});
