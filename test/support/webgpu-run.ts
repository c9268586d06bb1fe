/** [test/support] Opens Dawn, on its null backend or a software GPU, and runs WGSL with explicit bindings. Knows no IR. */
import { existsSync } from "node:fs";
import { openAdapter } from "../../runtime/drivers/webgpu/adapter.ts";

/** Where SwiftShader's description for the Vulkan loader usually is. */
const SWIFTSHADER = [
  "/usr/lib/chromium/vk_swiftshader_icd.json",
  "/opt/google/chrome/vk_swiftshader_icd.json",
] as const;

export interface WebGpuTensor {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly writable: boolean;
}

export interface WebGpuLaunch {
  readonly code: string;
  readonly entry: string;
  readonly tensors: readonly WebGpuTensor[];
  /** Dims and scalars. */
  readonly words: Uint32Array;
  /** True sizes, put into the uniform block. */
  readonly grid: readonly [number, number, number];
  /** What is dispatched, where it is folded otherwise than the grid. */
  readonly dispatch?: readonly [number, number, number];
}

export interface WebGpu {
  readonly name: string;
  /** 1 where there are no subgroups of one known size. */
  readonly subgroupSize: number;
  readonly features: readonly string[];
  /** Messages of the WGSL compiler and of pipeline creation; empty where the text is accepted. */
  check(code: string, entry: string, bindings: readonly boolean[]): Promise<readonly string[]>;
  /**
   * @returns contents of the writable tensors
   * @throws Error with the messages where WebGPU refuses anything
   */
  run(launch: WebGpuLaunch): Promise<Readonly<Record<string, Uint8Array>>>;
  close(): void;
}

function layoutOf(device: GPUDevice, writable: readonly boolean[]): GPUBindGroupLayout {
  const entries: GPUBindGroupLayoutEntry[] = writable.map((isWritable, binding) => ({
    binding,
    visibility: GPUShaderStage.COMPUTE,
    buffer: { type: isWritable ? "storage" : "read-only-storage" },
  }));
  const uniform = { type: "uniform" as const };
  entries.push({ binding: writable.length, visibility: GPUShaderStage.COMPUTE, buffer: uniform });
  return device.createBindGroupLayout({ entries });
}

/** Errors of what `work` asks the device for; validation errors show nowhere else. */
async function errorsOf<T>(device: GPUDevice, work: () => T): Promise<readonly [T, string[]]> {
  const scopes = ["validation", "out-of-memory", "internal"] as const;
  for (const scope of scopes) device.pushErrorScope(scope);
  const result = work();
  const found = await Promise.all(scopes.map(() => device.popErrorScope()));
  return [result, found.flatMap((error) => (error === null ? [] : [error.message]))];
}

function padded(bytes: Uint8Array, least: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(Math.max(least, Math.ceil(bytes.length / 4) * 4));
  whole.set(bytes);
  return whole;
}

class Session implements WebGpu {
  readonly name: string;
  readonly subgroupSize: number;
  readonly features: readonly string[];
  readonly #device: GPUDevice;

  constructor(device: GPUDevice, info: GPUAdapterInfo, languageFeatures: readonly string[]) {
    this.#device = device;
    this.name = info.description || info.device || info.vendor;
    const fixed = device.features.has("subgroups") && info.subgroupMinSize === info.subgroupMaxSize;
    this.subgroupSize = fixed ? (info.subgroupMinSize ?? 1) : 1;
    this.features = [...device.features, ...languageFeatures];
  }

  #pipeline(code: string, entry: string, layout: GPUBindGroupLayout): GPUComputePipeline {
    const device = this.#device;
    return device.createComputePipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts: [layout] }),
      compute: { module: device.createShaderModule({ code }), entryPoint: entry },
    });
  }

  async check(
    code: string,
    entry: string,
    bindings: readonly boolean[],
  ): Promise<readonly string[]> {
    const [, errors] = await errorsOf(this.#device, () =>
      this.#pipeline(code, entry, layoutOf(this.#device, bindings)),
    );
    return errors;
  }

  async run(launch: WebGpuLaunch): Promise<Readonly<Record<string, Uint8Array>>> {
    const device = this.#device;
    const owned: GPUBuffer[] = [];
    const bufferOf = (bytes: Uint8Array, usage: number, least: number): GPUBuffer => {
      const data = padded(bytes, least);
      const buffer = device.createBuffer({ size: data.length, usage });
      owned.push(buffer);
      device.queue.writeBuffer(buffer, 0, data);
      return buffer;
    };
    const [readable, errors] = await errorsOf(device, () => {
      const { STORAGE, COPY_DST, COPY_SRC, UNIFORM, MAP_READ } = GPUBufferUsage;
      const buffers = launch.tensors.map(({ bytes }) =>
        bufferOf(bytes, STORAGE | COPY_DST | COPY_SRC, 16),
      );
      const words = Uint32Array.from([...launch.grid, 0, ...launch.words]);
      const block = bufferOf(new Uint8Array(words.buffer), UNIFORM | COPY_DST, 256);
      const layout = layoutOf(
        device,
        launch.tensors.map((tensor) => tensor.writable),
      );
      const pipeline = this.#pipeline(launch.code, launch.entry, layout);
      const group = device.createBindGroup({
        layout,
        entries: [...buffers, block].map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...(launch.dispatch ?? launch.grid));
      pass.end();
      const copies = buffers.map((buffer) => {
        const copy = device.createBuffer({ size: buffer.size, usage: MAP_READ | COPY_DST });
        owned.push(copy);
        encoder.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
        return copy;
      });
      device.queue.submit([encoder.finish()]);
      return copies;
    });
    try {
      if (errors.length > 0) throw new Error(`${errors.join("\n")}\n${launch.code}`);
      return await readBack(launch.tensors, readable);
    } finally {
      for (const buffer of owned) buffer.destroy();
    }
  }

  close(): void {
    this.#device.destroy();
  }
}

async function readBack(
  tensors: readonly WebGpuTensor[],
  copies: readonly GPUBuffer[],
): Promise<Readonly<Record<string, Uint8Array>>> {
  const outputs: Record<string, Uint8Array> = {};
  for (const [i, { name, bytes, writable }] of tensors.entries()) {
    const copy = copies[i];
    if (!writable || copy === undefined) continue;
    await copy.mapAsync(GPUMapMode.READ);
    outputs[name] = new Uint8Array(copy.getMappedRange().slice(0, bytes.length));
  }
  return outputs;
}

async function open(dawn: readonly string[]): Promise<WebGpu> {
  const { gpu, adapter } = await openAdapter({ dawn });
  const wanted = ["shader-f16", "subgroups", "subgroup-size-control"] as const;
  const requiredFeatures = wanted.filter((name) => adapter.features.has(name)) as GPUFeatureName[];
  const { maxStorageBuffersPerShaderStage, maxComputeWorkgroupStorageSize } = adapter.limits;
  const device = await adapter.requestDevice({
    requiredFeatures,
    requiredLimits: { maxStorageBuffersPerShaderStage, maxComputeWorkgroupStorageSize },
  });
  return new Session(device, adapter.info, [...(gpu.wgslLanguageFeatures ?? [])]);
}

/** A device that checks text and computes nothing; needs no driver. */
export function openNullGpu(): Promise<WebGpu> {
  return open(["backend=null"]);
}

/**
 * The GPU that the Vulkan loader finds, else SwiftShader where its file lies in a usual place.
 * @returns the GPU, or the reason why there is none
 * @throws Error where TILEWRIGHT_REQUIRE_DRIVERS=1 and there is none
 */
export async function openSoftwareGpu(): Promise<WebGpu | { readonly reason: string }> {
  if (!process.env["VK_ICD_FILENAMES"] && !process.env["VK_DRIVER_FILES"]) {
    const found = SWIFTSHADER.find((path) => existsSync(path));
    if (found !== undefined) process.env["VK_ICD_FILENAMES"] = found;
  }
  try {
    return await open(["backend=vulkan"]);
  } catch (cause) {
    if (process.env["TILEWRIGHT_REQUIRE_DRIVERS"] === "1") throw cause;
    const text = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    return { reason: `${text}; set VK_ICD_FILENAMES to a Vulkan driver's file` };
  }
}
