/**
 * [test/conformance] All in which the text of sm_90a differs from that of sm_80 (TMA, mbarriers, wgmma, warp roles, longer rings), run on the
 * CPU with races, proxies and barriers checked: the groups with products, and of the kernels those whose loops have stages, in all but
 * one choice of dtypes. What is left out has the text of sm_80 but for the wait for the launch before; emulated-cuda.test.ts runs it.
 */
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { inTurns } from "../support/conformance.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

const turns = [inTurns(1), inTurns(2)];

describeEmulatedSuite(cudaSpec("sm_90a"), {
  groups: ["dot", "pipelined", "roles", "packed", "kernels"],
  filter: (test) =>
    test.group !== "kernels" ||
    ("stages" in test.kernel.config && turns.some((keeps) => keeps(test))),
});
