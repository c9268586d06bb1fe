/** [test/support] Asserts that outputs of a kernel agree with a sample's reference. The tolerances themselves stand in dsl/core/tolerance.ts. */
import { expect } from "vitest";
import { type Comparison, compareTensors, formatComparison } from "../../dsl/core/tolerance.ts";
import type { KernelSample } from "../../dsl/kernels/define-kernel-entry.ts";

export {
  compareTensors,
  formatComparison,
  roundingBound,
  type Tolerance,
  unitRoundoff,
} from "../../dsl/core/tolerance.ts";

/**
 * Compares every tensor that the sample expects, each as a whole, and fails with the first places that differ.
 * @param outputs contents after the call, by tensor name, as plain numbers
 * @returns the comparison of each tensor, for tests that look at the worst error
 */
export function expectOutputs(
  sample: KernelSample,
  outputs: Readonly<Record<string, ArrayLike<number>>>,
): Readonly<Record<string, Comparison>> {
  const failures: string[] = [];
  const comparisons: Record<string, Comparison> = {};
  for (const [name, { data, tolerance }] of Object.entries(sample.expected)) {
    const { dtype = "f32", shape = [] } = sample.tensors[name] ?? {};
    const comparison = compareTensors(outputs[name] ?? [], data, dtype, tolerance);
    comparisons[name] = comparison;
    if (comparison.mismatches > 0) failures.push(formatComparison(name, shape, comparison));
  }
  expect(failures, `${sample.kernel.name}, ${sample.name}`).toEqual([]);
  return comparisons;
}
