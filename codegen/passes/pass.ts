/** [codegen/passes] What a pass is and what it may know. Running passes in order lives in run-passes.ts. */
import type { Location, TileKernel } from "../../dsl/index.ts";
import type { TargetSpec } from "../artifact.ts";
import type { Remark, ScheduledKernel } from "../ir/scheduled.ts";
import type { TensorOrder } from "../layout/packed-order.ts";

/** Facts of one compile, and the place for remarks. One context serves one compile. */
export interface PassContext {
  readonly target: TargetSpec;
  /** Dim → largest power of two known to divide it; absent dims count as 1. */
  readonly divisibility: Readonly<Record<string, number>>;
  /** How packed tensors lie, where that is given; the compiler chooses for those that are absent. */
  readonly orders: Readonly<Record<string, TensorOrder>>;
  /** Records a choice, and why no better one: shown by `explain()`. */
  readonly remark: (pass: string, message: string, loc: Location) => void;
  readonly remarks: readonly Remark[];
  /** Forgets the remarks of an attempt that was given up: those from position `from` on. */
  readonly dropRemarks: (from: number) => void;
}

export interface TilePass {
  readonly name: string;
  readonly run: (kernel: TileKernel, context: PassContext) => TileKernel;
}

export interface ScheduledPass {
  readonly name: string;
  readonly run: (kernel: ScheduledKernel, context: PassContext) => ScheduledKernel;
}

export function createContext(
  target: TargetSpec,
  divisibility: Readonly<Record<string, number>>,
  orders: Readonly<Record<string, TensorOrder>> = {},
): PassContext {
  const remarks: Remark[] = [];
  return {
    target,
    divisibility,
    orders,
    remarks,
    remark: (pass, message, loc) => void remarks.push({ pass, message, loc }),
    dropRemarks: (from) => void remarks.splice(from),
  };
}

export function hasFeature(context: PassContext, feature: string): boolean {
  return context.target.features.includes(feature);
}
