/** [codegen/targets/cuda] Every pass from tile IR to CUDA text, in order. No pass is defined here. */
import { allocateShared } from "../../passes/allocate-shared.ts";
import { checkProtocol } from "../../passes/check-protocol.ts";
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
import { hasFeature } from "../../passes/pass.ts";
import { pipelineLoads } from "../../passes/pipeline-loads.ts";
import { prefetchRegisters } from "../../passes/prefetch-registers.ts";
import { refineRoles } from "../../passes/refine-roles.ts";
import { renameRegisters } from "../../passes/rename-registers.ts";
import { scalarizeRegisters } from "../../passes/scalarize-registers.ts";
import { scheduleTiles } from "../../passes/schedule-tiles.ts";
import { shareRegisters } from "../../passes/share-registers.ts";
import { specializeWarps } from "../../passes/specialize-warps.ts";
import { widenOperands } from "../../passes/widen-operands.ts";
import type { Pipeline } from "../pipeline.ts";

export const cudaPipeline: Pipeline = {
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
    { name: "refine-roles", run: refineRoles },
    { name: "choose-shared-layouts", run: chooseSharedLayouts },
    { name: "specialize-warps", run: specializeWarps },
    { name: "prefetch-registers", run: prefetchRegisters },
    { name: "pipeline-loads", run: pipelineLoads },
    { name: "eliminate-dead-scheduled", run: eliminateDeadScheduled },
    { name: "allocate-shared", run: allocateShared },
    { name: "insert-barriers", run: insertBarriers },
    { name: "check-protocol", run: checkProtocol },
  ],
  lower: (kernel, context) =>
    lowerToThreads(kernel, {
      wideOffsets: true,
      dependentLaunch: hasFeature(context, "dependent-launch"),
    }),
  thread: [
    { name: "fold-constants-thread", run: foldConstantsThread },
    { name: "fuse-register-loops", run: fuseRegisterLoops },
    { name: "scalarize-registers", run: scalarizeRegisters },
    { name: "hoist-invariant-thread", run: hoistInvariantThread },
    { name: "share-registers", run: shareRegisters },
    { name: "eliminate-dead-registers", run: eliminateDeadRegisters },
    { name: "rename-registers", run: renameRegisters },
  ],
};
