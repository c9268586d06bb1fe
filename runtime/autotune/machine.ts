/** [runtime/autotune] What a device can do at most, as far as ranking needs it: nominal figures by architecture, no measurements. */
import type { TargetSpec } from "../../codegen/index.ts";
import { DTYPES, type DType } from "../../dsl/index.ts";
import type { DeviceInfo, DeviceLimits } from "../device.ts";

export interface Machine {
  readonly multiprocessors: number;
  /** Operations a second of matrix instructions on f32 sums, by bytes of an operand's element; 4 where there are none for f32. */
  readonly dotPerSecond: Readonly<Record<1 | 2 | 4, number>>;
  /** Operations a second on single elements. */
  readonly elementPerSecond: number;
  /** Bytes a second from memory, and from the last cache. */
  readonly memoryPerSecond: number;
  readonly cachePerSecond: number;
  /** Microseconds from asking for a tile until it is there. */
  readonly latencyUs: number;
  /** Microseconds of an empty launch. */
  readonly launchUs: number;
  readonly sharedBytes: number;
}

type Nominal = Omit<Machine, "sharedBytes">;

/** @source the vendor's data sheets of A100, L40S, H200 SXM and B200, dense; rates of the last cache are estimates that only order configs */
const BY_ARCH: Readonly<Record<string, Nominal>> = {
  sm_80: nominal(108, 312e12, 19.5e12, 2.0e12, 4.5e12),
  sm_89: nominal(142, 362e12, 91e12, 0.86e12, 4e12),
  sm_90: nominal(132, 989e12, 67e12, 4.8e12, 7e12),
  sm_100: nominal(148, 2250e12, 80e12, 8e12, 12e12),
};
/** A GPU of which nothing is known: what matters is the ratio of arithmetic to memory. */
const UNKNOWN_GPU = nominal(32, 20e12, 10e12, 0.4e12, 1e12);
/** One thread of this host. */
const HOST: Nominal = {
  ...nominal(1, 2e8, 1e8, 1e9, 1e9),
  launchUs: 20,
  latencyUs: 0,
};

function nominal(
  multiprocessors: number,
  half: number,
  element: number,
  memoryPerSecond: number,
  cachePerSecond: number,
): Nominal {
  return {
    multiprocessors,
    dotPerSecond: { 1: 2 * half, 2: half, 4: element },
    elementPerSecond: element,
    memoryPerSecond,
    cachePerSecond,
    latencyUs: 0.8,
    launchUs: 3,
  };
}

export function machineOf(
  info: Pick<DeviceInfo, "hardware">,
  limits: Pick<DeviceLimits, "multiprocessors" | "maxSharedBytes">,
  target: TargetSpec | undefined,
): Machine {
  const arch = target?.arch?.replace(/[a-z]+$/, "") ?? "";
  const nominal = BY_ARCH[arch] ?? (info.hardware ? UNKNOWN_GPU : HOST);
  const base = target === undefined ? HOST : nominal;
  return {
    ...base,
    multiprocessors: limits.multiprocessors ?? base.multiprocessors,
    sharedBytes: limits.maxSharedBytes,
  };
}

/** Operations a second of matrix instructions on operands of which the narrowest counts. */
export function dotPerSecond(machine: Machine, dtypes: readonly DType[]): number {
  return machine.dotPerSecond[dotClass(dtypes)];
}

function dotClass(dtypes: readonly DType[]): 1 | 2 | 4 {
  const bits = Math.min(32, ...dtypes.map((dtype) => DTYPES[dtype].bits));
  return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
}
