/** [codegen/targets] The shape of a target's pass list. The lists themselves stand in each target's pipeline.ts. */
import type { ScheduledKernel } from "../ir/scheduled.ts";
import type { ThreadKernel } from "../ir/thread.ts";
import type { PassContext, ScheduledPass, TilePass } from "../passes/pass.ts";

export interface ThreadPass {
  readonly name: string;
  readonly run: (kernel: ThreadKernel, context: PassContext) => ThreadKernel;
}

/** Every pass between tile IR and text, in order. */
export interface Pipeline {
  /** Tile IR → tile IR. */
  readonly tile: readonly TilePass[];
  /** The first makes scheduled IR of tile IR, the rest refine it. */
  readonly schedule: (
    kernel: Parameters<TilePass["run"]>[0],
    context: PassContext,
  ) => ScheduledKernel;
  readonly scheduled: readonly ScheduledPass[];
  readonly lower: (kernel: ScheduledKernel, context: PassContext) => ThreadKernel;
  readonly thread: readonly ThreadPass[];
}
