/** [codegen/targets/hip] The HIP target: AMD GPUs through hiprtc or clang. */
import { lazyEmitter, type Target } from "../target.ts";
import { createHipEmitter } from "./emit.ts";
import { hipSpec } from "./features.ts";
import { hipPipeline } from "./pipeline.ts";

export const hip: Target = {
  name: "hip",
  title: "HIP C++",
  extension: "hip",
  defaultSpec: hipSpec,
  pipeline: hipPipeline,
  emit: lazyEmitter(createHipEmitter),
};
