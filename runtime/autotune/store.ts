/** [runtime/autotune] Tables of tuned configs by kind of device: their form, and which entries a kernel has. The configs themselves stand in tuned/. */
import type { TargetSpec } from "../../codegen/index.ts";
import { type DType, type KernelDefinition, wishOfKey } from "../../dsl/index.ts";
import type { Config } from "../bench/own-contender.ts";
import type { DeviceInfo } from "../device.ts";
import { TUNED } from "./tuned/catalogue.ts";

/** One config and the launches it is for; conditions that are absent hold for all. */
export interface TunedConfig {
  /** By dtype variable. */
  readonly dtypes?: Readonly<Record<string, readonly DType[]>>;
  /** Least and greatest size, by dim. */
  readonly dims?: Readonly<Record<string, readonly [least: number, most: number]>>;
  readonly config: Config;
}

/** By kernel name; the first entry whose conditions hold is taken. */
export type TunedTable = Readonly<Record<string, readonly TunedConfig[]>>;

/** Kinds that a device belongs to, the narrowest first: `cuda-sm_90a`, `cuda`; `webgpu-software`, `webgpu`. */
export function deviceClasses(
  info: Pick<DeviceInfo, "driver" | "hardware">,
  target: TargetSpec | undefined,
): readonly string[] {
  const { driver, hardware } = info;
  const arch = target?.arch === undefined ? [] : [`${driver}-${target.arch}`];
  const software = driver === "webgpu" && !hardware ? [`${driver}-software`] : [];
  return [...arch, ...software, driver];
}

/**
 * Entries for a kernel on a device, in the order in which they are tried.
 * A kernel that has the name but not the config of the one that was tuned gets none.
 */
export function tunedConfigs(
  kernel: KernelDefinition,
  classes: readonly string[],
  tables: Readonly<Record<string, TunedTable>> = TUNED,
): readonly TunedConfig[] {
  return classes
    .flatMap((name) => tables[name]?.[kernel.name] ?? [])
    .filter(({ config }) => fitsKernel(kernel, config));
}

/** Whether a kernel has the values that a config names, and does not rule them out. */
export function fitsKernel(kernel: KernelDefinition, config: Config): boolean {
  const isKnown = Object.entries(config).every(
    ([key, value]) => wishOfKey(key) !== undefined || typeof kernel.config[key] === typeof value,
  );
  return isKnown && (kernel.when?.({ ...kernel.config, ...config }) ?? true);
}

/** Whether a launch with these sizes and dtypes meets an entry's conditions. */
export function appliesTo(
  entry: TunedConfig,
  dims: Readonly<Record<string, number>>,
  dtypes: Readonly<Record<string, DType>>,
): boolean {
  return (
    Object.entries(entry.dims ?? {}).every(([name, [least, most]]) => {
      const size = dims[name];
      return size !== undefined && size >= least && size <= most;
    }) && takesDtypes(entry, dtypes)
  );
}

export function takesDtypes(
  entry: Pick<TunedConfig, "dtypes">,
  dtypes: Readonly<Record<string, DType>>,
): boolean {
  return Object.entries(entry.dtypes ?? {}).every(([variable, allowed]) => {
    const dtype = dtypes[variable];
    return dtype !== undefined && allowed.includes(dtype);
  });
}
