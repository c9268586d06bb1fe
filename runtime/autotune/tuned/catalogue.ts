/** [runtime/autotune/tuned] Every table of tuned configs by kind of device; see deviceClasses() for the names. */
import type { TunedTable } from "../store.ts";
import { ANY_GPU } from "./any-gpu.ts";
import { HOPPER } from "./hopper.ts";
import { WEBGPU_SOFTWARE } from "./webgpu-software.ts";

export const TUNED: Readonly<Record<string, TunedTable>> = {
  cuda: ANY_GPU,
  "cuda-sm_90a": HOPPER,
  webgpu: ANY_GPU,
  "webgpu-software": WEBGPU_SOFTWARE,
};
