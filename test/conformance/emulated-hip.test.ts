/**
 * [test/conformance] The suite on the emitted HIP text in waves of 64, run on the CPU. Left out: of the kernels' samples in 16-bit types
 * every second one, so that each sample runs in f32 and in f16 or bf16; the CUDA text, made by the same passes, runs them all.
 */
import { hipSpec } from "../../codegen/targets/hip/features.ts";
import { type ConformanceCase, conformanceCases } from "../../runtime/conformance/catalogue.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

const sampleOf = (name: string): string => name.replace(/, T=.*/, "");
/** Samples of all kernels, without their dtypes. */
const samples = [
  ...new Set(conformanceCases({ groups: ["kernels"] }).map(({ name }) => sampleOf(name))),
];

function isTurn({ name, specialization }: ConformanceCase): boolean {
  const turn = ["f16", "bf16"].indexOf(specialization.dtypes?.["T"] ?? "f32");
  return turn < 0 || samples.indexOf(sampleOf(name)) % 2 === turn;
}

describeEmulatedSuite(hipSpec("gfx90a"), {
  filter: (test) => test.group !== "kernels" || isTurn(test),
});
