/** [test/conformance] The suite on the emitted HIP text in waves of 64, run on the CPU, each sample of a kernel in one choice of dtypes. */
import { hipSpec } from "../../codegen/targets/hip/features.ts";
import { inTurns } from "../support/conformance.ts";
import { describeEmulatedSuite } from "../support/emulated-suite.ts";

describeEmulatedSuite(hipSpec("gfx90a"), { filter: inTurns(2) });
