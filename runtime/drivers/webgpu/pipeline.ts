/** [runtime/drivers] Kernels of the WebGPU backend: bind group layouts, shader modules, pipelines, and what can be wrong with them. */
import type { Artifact } from "../../../codegen/index.ts";
import { DeviceError } from "../../../dsl/index.ts";
import type { Loadable, LoadedKernel } from "../../backend.ts";
import type { DeviceBuffer } from "../../device.ts";

/** Bytes of the uniform block of one launch: grid and words. A slot of this size is what dynamic offsets step by. */
export const UNIFORM_STRIDE = 256;
/** Words of the block before those of dims and scalars. */
const GRID_WORDS = 4;

export interface GpuBuffer extends DeviceBuffer {
  readonly handle: GPUBuffer;
  readonly id: number;
}

export interface GpuKernel extends LoadedKernel {
  readonly pipeline: GPUComputePipeline;
  readonly layout: GPUBindGroupLayout;
  /** Bind groups by the buffers and offsets that they bind. */
  readonly groups: Map<string, GPUBindGroup>;
  /** Which of the tensors the kernel may write. */
  readonly writable: readonly boolean[];
}

/** All of a kernel but its pipeline. */
export interface KernelDraft {
  readonly entry: string;
  readonly module: GPUShaderModule;
  readonly layout: GPUBindGroupLayout;
  readonly descriptor: GPUComputePipelineDescriptor;
  readonly writable: readonly boolean[];
}

/** @throws DeviceError TW3212 for tile IR, TW3222 where the kernel has more arguments than can be bound */
export function loadableText(what: Loadable, maxStorageBuffers: number): Artifact {
  if (what.kind !== "text") {
    throw new DeviceError({
      code: "TW3212",
      message: "the webgpu driver was given tile IR",
      seen: what.kind,
      expected: "text for target wgsl",
      remedy: "compile the kernel for wgsl",
    });
  }
  const { kernel, params } = what.artifact;
  const tensors = params.filter((param) => param.kind === "tensor").length;
  checkCounts(kernel, tensors, params.length - tensors, maxStorageBuffers);
  return what.artifact;
}

/** What is wrong with the text, WebGPU says to the error scope that is open. */
export function draftKernel(device: GPUDevice, { entry, params, text }: Artifact): KernelDraft {
  const writable = params.flatMap((param) =>
    param.kind === "tensor" ? [param.access !== "in"] : [],
  );
  const entries: GPUBindGroupLayoutEntry[] = writable.map((isWritable, binding) => ({
    binding,
    visibility: GPUShaderStage.COMPUTE,
    buffer: { type: isWritable ? "storage" : "read-only-storage" },
  }));
  entries.push({
    binding: writable.length,
    visibility: GPUShaderStage.COMPUTE,
    buffer: { type: "uniform", hasDynamicOffset: true },
  });
  const layout = device.createBindGroupLayout({ entries });
  const module = device.createShaderModule({ code: text, label: entry });
  const descriptor: GPUComputePipelineDescriptor = {
    label: entry,
    layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
    compute: { module, entryPoint: entry },
  };
  return { entry, module, layout, descriptor, writable };
}

export function finishKernel(draft: KernelDraft, pipeline: GPUComputePipeline): GpuKernel {
  const { entry, layout, writable } = draft;
  return { entry, pipeline, layout, groups: new Map(), writable };
}

function checkCounts(
  kernel: string,
  tensors: number,
  words: number,
  maxStorageBuffers: number,
): void {
  const mostWords = UNIFORM_STRIDE / 4 - GRID_WORDS;
  if (tensors <= maxStorageBuffers && words <= mostWords) return;
  const isTensors = tensors > maxStorageBuffers;
  throw new DeviceError({
    code: "TW3222",
    message: `kernel '${kernel}' binds more ${isTensors ? "tensors than the adapter allows" : "dims and scalars than a launch can carry"}`,
    seen: isTensors ? `${tensors} tensors` : `${words} dims and scalars`,
    expected: isTensors
      ? `at most ${maxStorageBuffers} storage buffers`
      : `at most ${mostWords} of them`,
    remedy: "merge tensors, fix dims by `specialize`, or split the kernel",
  });
}

/** What the WGSL compiler says of a module, a line each; empty where it is content. */
export async function compilerMessages(module: GPUShaderModule): Promise<string> {
  const { messages } = await module.getCompilationInfo();
  return messages.map((m) => `${m.lineNum}:${m.linePos} ${m.type}: ${m.message}`).join("\n");
}

export function refused(seen: string): DeviceError {
  return webGpuError("a WGSL module was refused", seen);
}

export function webGpuError(message: string, seen: string): DeviceError {
  return new DeviceError({
    code: "TW3224",
    message,
    seen,
    expected: "no error",
    remedy: "run with DEBUG=4 to see the WGSL",
  });
}
