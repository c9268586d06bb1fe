/**
 * [test/conformance] The suite on the emitted CUDA text itself (sm_80: mma.sync, cp.async), run on the CPU with races and bounds checked, each
 * sample of a kernel in one choice of dtypes.
 */
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { inTurns } from "../support/conformance.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

describeEmulatedSuite(cudaSpec("sm_80"), { filter: inTurns(0) });
