/**
 * [test/conformance] Every family of AMD's matrix instructions, run on the CPU: dots, and one sample of each kernel, of all on gfx1100 (waves of
 * 32) and of those with products on the other chips. Left out: element types that a chip has no instruction for, every second of the
 * dots on wave-32 chips, and of the longer pipelined cases all but every fourth; emulated-hip.test.ts runs the whole suite on gfx90a.
 */
import { matrixFormsOf } from "../../codegen/layout/matrix-form.ts";
import { hipFeatures, hipSpec } from "../../codegen/targets/hip/features.ts";
import { type ConformanceCase, conformanceCases } from "../../runtime/conformance/catalogue.ts";
import { oneOfEach } from "../support/conformance.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

const namesOf = (group: "dot" | "pipelined"): readonly string[] =>
  conformanceCases({ groups: [group] }).map(({ name }) => name);
const [dots, pipelined] = [namesOf("dot"), namesOf("pipelined")];

for (const [turn, arch] of ["gfx942", "gfx950", "gfx1100", "gfx1201"].entries()) {
  const elements: readonly string[] = matrixFormsOf(hipFeatures(arch)).map(
    ({ element }) => element,
  );
  const isMultiplied = ({ specialization }: ConformanceCase): boolean =>
    Object.values(specialization.dtypes ?? {}).some((dtype) => elements.includes(dtype));
  const isKept = oneOfEach(turn, isMultiplied);
  /** The text of kernels without products depends on the width of waves alone. */
  const hasProducts = ({ kernel }: ConformanceCase): boolean => "stages" in kernel.config;
  const isTurn = ({ group, name }: ConformanceCase): boolean =>
    group === "pipelined"
      ? pipelined.indexOf(name) % 4 === turn
      : !arch.startsWith("gfx1") || dots.indexOf(name) % 2 === turn % 2;
  describeEmulatedSuite(hipSpec(arch), {
    groups: ["dot", "pipelined", "kernels"],
    filter: (test) =>
      test.group === "kernels"
        ? isKept(test) && (arch === "gfx1100" || hasProducts(test))
        : isMultiplied(test) && isTurn(test),
  });
}
