/** [test/unit/runtime] Large problems of the harness: operands made on the device, some elements recomputed, and faults among them found. */
import { describe, expect, it } from "vitest";
import { alignedBlocks, KERNEL_ENTRIES, type SpotCheck } from "../../../dsl/kernels/catalogue.ts";
import { benchmark } from "../../../runtime/bench/benchmark.ts";
import type { BenchSubject } from "../../../runtime/bench/problem.ts";
import { openDevice } from "../../../runtime/index.ts";

const [ROWS, TOP_K, EXPERTS, BLOCK_ROWS] = [16, 2, 16, 16];
const SLOTS = ROWS * TOP_K;
const PROBLEM = {
  dims: {
    R: ROWS,
    K: 512,
    E: EXPERTS,
    G: 1,
    B: 1,
    N: 260,
    PB: alignedBlocks(SLOTS, EXPERTS, BLOCK_ROWS),
    BM: BLOCK_ROWS,
    S: SLOTS,
  },
  dtypes: { T: "bf16", O: "f32" },
} as const;
const QUICK = { measure: { rounds: 1, warmupMs: 0, repeatMs: 1 } };

const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === "moe_gemm");
const spots = entry?.spots as SpotCheck;
const subject: BenchSubject = { ...entry, kernel: entry?.kernel as BenchSubject["kernel"] };

async function measure(what: BenchSubject) {
  const device = await openDevice("interpreter");
  const { results } = await benchmark(device, what, [PROBLEM], QUICK);
  await device.close();
  return results[0];
}

describe("a problem too large for the host", () => {
  it("is checked at elements of the first, the last and other rows and columns", async () => {
    const result = await measure(subject);
    expect(result?.checkedBy).toMatch(/double sums of 192 elements/);
    expect(result?.contenders[0]?.failure).toBeUndefined();
    expect(result?.contenders[0]?.timings).toHaveLength(1);
  });

  it("fails where one of these elements is another number", async () => {
    const elements: SpotCheck["elements"] = async (problem, read) => {
      const right = await spots.elements(problem, read);
      expect(right[0]?.index).toBe(0);
      expect(right.at(-1)?.index).toBe(SLOTS * PROBLEM.dims.N - 1);
      return right.map((one, i) => (i === 100 ? { ...one, expected: one.expected + 0.01 } : one));
    };
    const result = await measure({ ...subject, spots: { ...spots, elements } });
    expect(result?.contenders[0]?.failure).toMatch(/y\[\d+, \d+\]: seen .*, expected/);
    expect(result?.contenders[0]?.timings).toEqual([]);
  });
});
