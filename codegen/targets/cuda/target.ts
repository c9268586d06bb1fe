/** [codegen/targets/cuda] The CUDA target: NVIDIA GPUs through NVRTC. */
import { lazyEmitter, type Target } from "../target.ts";
import { createCudaEmitter } from "./emit.ts";
import { cudaSpec } from "./features.ts";
import { cudaPipeline } from "./pipeline.ts";

export const cuda: Target = {
  name: "cuda",
  title: "CUDA C++",
  extension: "cu",
  defaultSpec: cudaSpec,
  pipeline: cudaPipeline,
  emit: lazyEmitter(createCudaEmitter),
};
