/** [runtime/bench] Runs a contender on poisoned outputs and compares all of them. What must come out is the reference's business. */
import { TilewrightError } from "../../dsl/index.ts";
import type { CallArguments } from "./arguments.ts";
import type { CheckResult, Contender, Reference } from "./contender.ts";

/**
 * Runs a contender once on each of the first sets and compares every element of every output.
 * @param numSets how many sets; all where absent
 * @returns undefined without a reference
 */
export async function checkContender(
  args: CallArguments,
  contender: Contender,
  reference: Reference | undefined,
  numSets = args.sets.length,
): Promise<CheckResult | undefined> {
  if (reference === undefined) return undefined;
  let total: CheckResult = { passed: true, worst: 0, elements: 0 };
  try {
    for (let set = 0; set < numSets; set++) {
      args.poison(set);
      contender.run(set);
      const result = await reference.check(set, contender.accumulation ?? "f32");
      const overrun = await args.overrun(set);
      total = {
        ...result,
        worst: Math.max(total.worst, result.worst),
        elements: total.elements + result.elements,
      };
      if (overrun !== undefined)
        total = {
          ...total,
          passed: false,
          message: `${overrun}: bytes behind its end were written`,
        };
      if (!total.passed) return total;
    }
    return total;
  } catch (error) {
    if (!(error instanceof TilewrightError)) throw error;
    await args.device.synchronize(); // throws where the device itself is lost
    return { ...total, passed: false, message: error.message };
  }
}
