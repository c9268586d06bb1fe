/**
 * [test/conformance] Dots by every family of AMD's matrix instructions, run on the CPU. Left out: element types that a chip has no
 * instruction for, and of the longer pipelined cases all but every fourth; emulated-hip.test.ts runs the whole suite on gfx90a.
 */
import { matrixFormsOf } from "../../codegen/layout/matrix-form.ts";
import { hipFeatures, hipSpec } from "../../codegen/targets/hip/features.ts";
import { type ConformanceCase, conformanceCases } from "../../runtime/conformance/catalogue.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

const pipelined = conformanceCases({ groups: ["pipelined"] }).map(({ name }) => name);

for (const [turn, arch] of ["gfx942", "gfx950", "gfx1100", "gfx1201"].entries()) {
  const elements: readonly string[] = matrixFormsOf(hipFeatures(arch)).map(
    ({ element }) => element,
  );
  const isMultiplied = ({ specialization }: ConformanceCase): boolean =>
    Object.values(specialization.dtypes ?? {}).some((dtype) => elements.includes(dtype));
  describeEmulatedSuite(hipSpec(arch), {
    groups: ["dot", "pipelined"],
    filter: (test) =>
      isMultiplied(test) && (test.group === "dot" || pipelined.indexOf(test.name) % 4 === turn),
  });
}
