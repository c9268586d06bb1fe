/** [codegen] Runs a target's passes in order and verifies after each. Which passes, and in what order, is the pipeline's affair. */
import { printKernel, type TileKernel, verifyKernel } from "../dsl/index.ts";
import { printScheduled } from "./ir/print-scheduled.ts";
import { printThreadKernel } from "./ir/print-thread.ts";
import type { ScheduledKernel } from "./ir/scheduled.ts";
import type { ThreadKernel } from "./ir/thread.ts";
import { verifyScheduled } from "./ir/verify-scheduled.ts";
import { verifyThreadKernel } from "./ir/verify-thread.ts";
import type { PassContext } from "./passes/pass.ts";
import type { Pipeline } from "./targets/pipeline.ts";

export type StageLevel = "tile" | "scheduled" | "thread";

/** Called after each pass with a function that makes the text of what the pass left. */
export type StageObserver = (stage: {
  readonly pass: string;
  readonly level: StageLevel;
  readonly changed: boolean;
  readonly text: () => string;
}) => void;

export interface PassOptions {
  readonly observe?: StageObserver;
  /** Source lines behind the ops of each stage's text. */
  readonly locations?: boolean;
  /** Verify after every pass, or only where a level of the IR is finished (the default: a third of the time of a compile). */
  readonly verify?: "passes" | "levels";
}

export interface Lowered {
  readonly tile: TileKernel;
  readonly scheduled: ScheduledKernel;
  readonly thread: ThreadKernel;
}

/**
 * From tile IR to thread IR.
 * @throws UnsupportedError where the target cannot run the kernel, InternalError where a pass broke a rule
 */
export function runPasses(
  kernel: TileKernel,
  pipeline: Pipeline,
  context: PassContext,
  options: PassOptions = {},
): Lowered {
  const { observe, locations = false, verify = "levels" } = options;
  const each = verify === "passes";
  let tile = kernel;
  for (const pass of pipeline.tile) {
    const before = tile;
    tile = pass.run(tile, context);
    const after = tile;
    if (each || pass === pipeline.tile.at(-1)) verifyKernel(after, pass.name);
    const text = (): string => printKernel(after, { locations });
    observe?.({ pass: pass.name, level: "tile", changed: after !== before, text });
  }
  let scheduled = pipeline.schedule(tile, context);
  const seeScheduled = (pass: string, now: ScheduledKernel, isLast: boolean): void => {
    const allocated = now.shared.every((buffer) => buffer.byteOffset !== undefined);
    if (each || isLast) verifyScheduled(now, pass, { allocated });
    const text = (): string => printScheduled(now, { locations });
    observe?.({ pass, level: "scheduled", changed: true, text });
  };
  seeScheduled("schedule-tiles", scheduled, pipeline.scheduled.length === 0);
  for (const pass of pipeline.scheduled) {
    scheduled = pass.run(scheduled, context);
    seeScheduled(pass.name, scheduled, pass === pipeline.scheduled.at(-1));
  }
  let thread = pipeline.lower(scheduled, context);
  const seeThread = (pass: string, now: ThreadKernel, isLast: boolean): void => {
    if (each || isLast) verifyThreadKernel(now);
    const text = (): string => printThreadKernel(now, { locations });
    observe?.({ pass, level: "thread", changed: true, text });
  };
  seeThread("lower-to-threads", thread, pipeline.thread.length === 0);
  for (const pass of pipeline.thread) {
    thread = pass.run(thread, context);
    seeThread(pass.name, thread, pass === pipeline.thread.at(-1));
  }
  return { tile, scheduled, thread };
}
