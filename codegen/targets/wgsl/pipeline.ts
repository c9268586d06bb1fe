/** [codegen/targets/wgsl] Every pass from tile IR to WGSL text, in order. No pass is defined here. */
import { allocateShared } from "../../passes/allocate-shared.ts";
import { chooseSharedLayouts } from "../../passes/choose-shared-layouts.ts";
import { eliminateCommon } from "../../passes/eliminate-common.ts";
import { eliminateDead } from "../../passes/eliminate-dead.ts";
import { eliminateDeadRegisters } from "../../passes/eliminate-dead-registers.ts";
import { eliminateDeadScheduled } from "../../passes/eliminate-dead-scheduled.ts";
import { foldConstants } from "../../passes/fold-constants.ts";
import { foldConstantsThread } from "../../passes/fold-constants-thread.ts";
import { foldMerge } from "../../passes/fold-merge.ts";
import { fuseRegisterLoops } from "../../passes/fuse-register-loops.ts";
import { hoistInvariant } from "../../passes/hoist-invariant.ts";
import { hoistInvariantThread } from "../../passes/hoist-invariant-thread.ts";
import { insertBarriers } from "../../passes/insert-barriers.ts";
import { legalizeDots } from "../../passes/legalize-dots.ts";
import { legalizeNarrow } from "../../passes/legalize-narrow.ts";
import { lowerIfAny } from "../../passes/lower-if-any.ts";
import { lowerToThreads } from "../../passes/lower-to-threads.ts";
import { mergeRoles } from "../../passes/merge-roles.ts";
import { padAxes } from "../../passes/pad-axes.ts";
import { pipelineLoads } from "../../passes/pipeline-loads.ts";
import { prefetchRegisters } from "../../passes/prefetch-registers.ts";
import { renameRegisters } from "../../passes/rename-registers.ts";
import { scalarizeRegisters } from "../../passes/scalarize-registers.ts";
import { scheduleTiles } from "../../passes/schedule-tiles.ts";
import { shareRegisters } from "../../passes/share-registers.ts";
import { unrollLoops } from "../../passes/unroll-loops.ts";
import { widenOperands } from "../../passes/widen-operands.ts";
import type { Pipeline } from "../pipeline.ts";

/**
 * Instructions that a loop may take written out. On SwiftShader a matrix product runs 7 to 10 times as fast so, and attention compiles in
 * two thirds of the time; beyond this size only the text grows.
 */
const MOST_UNROLLED = 768;

export const wgslPipeline: Pipeline = {
  tile: [
    { name: "merge-roles", run: mergeRoles },
    { name: "lower-if-any", run: lowerIfAny },
    { name: "fold-constants", run: foldConstants },
    { name: "fold-merge", run: foldMerge },
    { name: "legalize-narrow", run: legalizeNarrow },
    { name: "legalize-dots", run: legalizeDots },
    { name: "pad-axes", run: padAxes },
    { name: "widen-operands", run: widenOperands },
    { name: "fold-constants", run: foldConstants },
    { name: "eliminate-common", run: eliminateCommon },
    { name: "hoist-invariant", run: hoistInvariant },
    { name: "eliminate-common", run: eliminateCommon },
    { name: "eliminate-dead", run: eliminateDead },
  ],
  schedule: scheduleTiles,
  scheduled: [
    { name: "eliminate-dead-scheduled", run: eliminateDeadScheduled },
    { name: "choose-shared-layouts", run: chooseSharedLayouts },
    { name: "prefetch-registers", run: prefetchRegisters },
    { name: "pipeline-loads", run: pipelineLoads },
    { name: "eliminate-dead-scheduled", run: eliminateDeadScheduled },
    { name: "allocate-shared", run: allocateShared },
    { name: "insert-barriers", run: insertBarriers },
  ],
  lower: (kernel) => lowerToThreads(kernel, { wideOffsets: false }),
  thread: [
    { name: "fold-constants-thread", run: foldConstantsThread },
    { name: "fuse-register-loops", run: fuseRegisterLoops },
    { name: "scalarize-registers", run: scalarizeRegisters },
    { name: "hoist-invariant-thread", run: hoistInvariantThread },
    { name: "share-registers", run: shareRegisters },
    { name: "unroll-loops", run: (kernel) => unrollLoops(kernel, MOST_UNROLLED) },
    { name: "eliminate-dead-registers", run: eliminateDeadRegisters },
    { name: "rename-registers", run: renameRegisters },
  ],
};
