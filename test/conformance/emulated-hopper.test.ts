/**
 * [test/conformance] The groups with products on the emitted text of sm_90a (TMA, mbarriers, wgmma, warp roles), run on the CPU with races,
 * proxies and barriers checked. Every other group compiles to the text of sm_80, which emulated-cuda.test.ts runs.
 */
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

describeEmulatedSuite(cudaSpec("sm_90a"), { groups: ["dot", "pipelined"] });
