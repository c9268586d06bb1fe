/**
 * [test/conformance] All in which the text of sm_90a differs from that of sm_80 (TMA, mbarriers, wgmma, warp roles, longer rings), run on the
 * CPU with races, proxies and barriers checked: the groups with products, and of the kernels those whose loops have stages. What is left
 * out has the text of sm_80 but for the wait for the launch before; emulated-cuda.test.ts runs it.
 */
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

describeEmulatedSuite(cudaSpec("sm_90a"), {
  groups: ["dot", "pipelined", "packed", "kernels"],
  filter: ({ group, kernel }) => group !== "kernels" || "stages" in kernel.config,
});
