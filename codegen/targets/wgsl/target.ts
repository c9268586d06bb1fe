/** [codegen/targets/wgsl] The WGSL target: WebGPU in browsers and in Node. */
import { lazyEmitter, type Target } from "../target.ts";
import { createWgslEmitter } from "./emit.ts";
import { wgslSpec } from "./features.ts";
import { wgslPipeline } from "./pipeline.ts";

export const wgsl: Target = {
  name: "wgsl",
  title: "WGSL",
  extension: "wgsl",
  defaultSpec: wgslSpec,
  pipeline: wgslPipeline,
  emit: lazyEmitter(createWgslEmitter),
};
