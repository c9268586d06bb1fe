/** [runtime/autotune] What tuning needs of a device beyond what users see: compiling apart from loading, and its store. Types only. */
import type { CompiledKernel, CompileRequest, TargetSpec } from "../../codegen/index.ts";
import type { KernelDefinition } from "../../dsl/index.ts";
import type { Device, KernelArgument, LaunchOptions } from "../device.ts";
import type { SourceIdentity } from "./identity.ts";
import type { TuningStore } from "./records.ts";

export type LaunchArguments = Readonly<Record<string, KernelArgument>>;

/** A kernel that was compiled in another process: its artifact, and what the driver would have kept of it on disk. */
export interface CompiledElsewhere extends CompiledKernel {
  readonly binaries: ReadonlyMap<string, Uint8Array>;
}

export interface TunableDevice extends Device {
  /** What text is compiled for; undefined where the device runs the tile IR. */
  readonly target: TargetSpec | undefined;
  /** True while a graph is being captured. */
  readonly isCapturing: boolean;
  readonly tuning: TuningStore;
  readonly sources: SourceIdentity;
  /**
   * What a launch would ask of the compiler.
   * @throws LaunchError TW31xx where the arguments do not fit
   */
  describeLaunch(
    kernel: KernelDefinition,
    args: LaunchArguments,
    options?: LaunchOptions,
  ): Omit<CompileRequest, "target">;
  /** Makes a launch ready with what was compiled elsewhere, and keeps that for later processes. */
  adopt(
    kernel: KernelDefinition,
    args: LaunchArguments,
    options: LaunchOptions,
    compiled: CompiledElsewhere,
  ): Promise<void>;
  /** Decides anew which config launches of a kernel get. */
  refreshTuning(kernel: KernelDefinition): void;
}
