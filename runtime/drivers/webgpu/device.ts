/** [runtime/drivers] The WebGPU backend: buffers, pipelines and batched dispatches. Every failure surfaces at the next read or synchronize. */

import type { TargetSpec } from "../../../codegen/index.ts";
import { wgslFeatures } from "../../../codegen/index.ts";
import type { TilewrightError } from "../../../dsl/index.ts";
import type { Backend, Enqueue, Loadable, LoadedKernel } from "../../backend.ts";
import type { Device, DeviceBuffer, DeviceInfo, DeviceLimits, Tensor } from "../../device.ts";
import { tensorBytes } from "../../tensor.ts";
import { type AdapterOptions, openAdapter } from "./adapter.ts";
import { boundBytes, copyOut, findStandIns } from "./bindings.ts";
import {
  compilerMessages,
  draftKernel,
  finishKernel,
  type GpuBuffer,
  type GpuKernel,
  loadableText,
  refused,
  UNIFORM_STRIDE,
  webGpuError,
} from "./pipeline.ts";

/** Dispatches are collected in one compute pass and submitted together; so many at most. */
const BATCH = 256;
const MAX_BIND_GROUPS = 512;
/** WebGPU's limit on one dimension of a dispatch. */
const MAX_GRID = 65535;

export class WebGpuBackend implements Backend {
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly target: TargetSpec;
  readonly #device: GPUDevice;
  /** Words of the batch's dispatches, one slot each; written to the GPU just before the batch is submitted. */
  readonly #uniforms: GPUBuffer;
  readonly #uniformWords = new Uint32Array((BATCH * UNIFORM_STRIDE) / 4);
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;
  #batched = 0;
  /** Buffers of launches that are not submitted yet. */
  readonly #standIns: GPUBuffer[] = [];
  #nextId = 0;
  #failure: TilewrightError | undefined;

  static async open(options: AdapterOptions = {}): Promise<WebGpuBackend> {
    const { adapter, implementation } = await openAdapter(options);
    const wanted = ["subgroups", "shader-f16", "timestamp-query"].filter((name) =>
      adapter.features.has(name),
    );
    const { limits } = adapter;
    const device = await adapter.requestDevice({
      requiredFeatures: wanted as GPUFeatureName[],
      requiredLimits: {
        maxBufferSize: limits.maxBufferSize,
        maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
        maxStorageBuffersPerShaderStage: limits.maxStorageBuffersPerShaderStage,
        maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
        maxComputeInvocationsPerWorkgroup: limits.maxComputeInvocationsPerWorkgroup,
        maxComputeWorkgroupSizeX: limits.maxComputeWorkgroupSizeX,
      },
    });
    return new WebGpuBackend(adapter, device, implementation);
  }

  private constructor(adapter: GPUAdapter, device: GPUDevice, implementation: string) {
    this.#device = device;
    const info = adapter.info;
    const software =
      info.isFallbackAdapter ||
      /swiftshader|llvmpipe|basic render/i.test(`${info.architecture} ${info.description}`);
    // Subgroups of one known size can stand for warps; where the size may vary, shared memory does the work.
    const { subgroupMinSize: size = 1 } = info;
    const fixedSize = device.features.has("subgroups") && size === info.subgroupMaxSize;
    const { limits } = device;
    this.target = {
      target: "wgsl",
      warpSize: fixedSize ? size : 1,
      maxThreads: Math.min(
        limits.maxComputeInvocationsPerWorkgroup,
        limits.maxComputeWorkgroupSizeX,
      ),
      maxSharedBytes: limits.maxComputeWorkgroupStorageSize,
      features: wgslFeatures([...device.features], fixedSize),
    };
    this.info = {
      driver: "webgpu",
      name:
        info.description ||
        [info.vendor, info.architecture, info.device].filter(Boolean).join(" ") ||
        "WebGPU adapter",
      hardware: !software,
      features: [...this.target.features, ...(fixedSize ? [`subgroup size ${size}`] : [])],
      versions: { implementation },
      maxTensors: limits.maxStorageBuffersPerShaderStage,
    };
    this.limits = {
      maxBufferBytes: Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize),
      maxThreads: this.target.maxThreads,
      maxSharedBytes: limits.maxComputeWorkgroupStorageSize,
      maxStorageBuffers: limits.maxStorageBuffersPerShaderStage,
      maxGrid: [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1], // folded
      memoryBytes: limits.maxBufferSize, // WebGPU does not tell the memory of the device
    };
    this.#uniforms = device.createBuffer({
      size: BATCH * UNIFORM_STRIDE,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    device.addEventListener("uncapturederror", (event) => {
      event.preventDefault();
      this.#fail("WebGPU reported an error", event.error.message);
    });
    void device.lost.then((lost) => {
      if (lost.reason !== "destroyed") this.#fail("the WebGPU device was lost", lost.message);
    });
  }

  alloc(bytes: number, owner: Device): GpuBuffer {
    const size = Math.ceil(bytes / 4) * 4;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    return {
      device: owner,
      bytes: size,
      handle: this.#device.createBuffer({ size, usage }),
      id: this.#nextId++,
    };
  }

  release(buffer: DeviceBuffer): void {
    this.#flush();
    (buffer as GpuBuffer).handle.destroy();
  }

  write(buffer: DeviceBuffer, byteOffset: number, data: Uint8Array): void {
    this.#flush(); // earlier dispatches must see the old content
    const { handle } = buffer as GpuBuffer;
    const whole = data.byteLength - (data.byteLength % 4);
    if (whole > 0)
      this.#device.queue.writeBuffer(handle, byteOffset, data as Uint8Array<ArrayBuffer>, 0, whole);
    if (whole === data.byteLength) return;
    const tail = new Uint8Array(4); // WebGPU writes whole words; bytes past a tensor's end belong to no one
    tail.set(data.subarray(whole));
    this.#device.queue.writeBuffer(handle, byteOffset + whole, tail);
  }

  async read(buffer: DeviceBuffer, byteOffset: number, bytes: number): Promise<Uint8Array> {
    const size = Math.ceil(bytes / 4) * 4;
    const staging = this.#device.createBuffer({
      size: Math.max(4, size),
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    this.#endPass();
    this.#openEncoder().copyBufferToBuffer(
      (buffer as GpuBuffer).handle,
      byteOffset,
      staging,
      0,
      size,
    );
    this.#flush();
    try {
      await staging.mapAsync(GPUMapMode.READ);
      this.#report();
      return new Uint8Array(staging.getMappedRange().slice(0, bytes));
    } catch (error) {
      this.#report();
      throw error;
    } finally {
      staging.destroy();
    }
  }

  copy(
    from: DeviceBuffer,
    fromOffset: number,
    to: DeviceBuffer,
    toOffset: number,
    bytes: number,
  ): void {
    this.#endPass();
    this.#openEncoder().copyBufferToBuffer(
      (from as GpuBuffer).handle,
      fromOffset,
      (to as GpuBuffer).handle,
      toOffset,
      Math.ceil(bytes / 4) * 4,
    );
  }

  fill(buffer: DeviceBuffer, byteOffset: number, bytes: number, value: number): void {
    const size = Math.ceil(bytes / 4) * 4;
    if (value === 0) {
      this.#endPass();
      this.#openEncoder().clearBuffer((buffer as GpuBuffer).handle, byteOffset, size);
    } else this.write(buffer, byteOffset, new Uint8Array(size).fill(value));
  }

  load(what: Loadable): LoadedKernel {
    const draft = draftKernel(this.#device, loadableText(what, this.limits.maxStorageBuffers));
    return finishKernel(draft, this.#device.createComputePipeline(draft.descriptor));
  }

  async loadAsync(what: Loadable): Promise<LoadedKernel> {
    const artifact = loadableText(what, this.limits.maxStorageBuffers);
    this.#device.pushErrorScope("validation"); // what is wrong with this text is this call's to report
    const draft = draftKernel(this.#device, artifact);
    const pipeline = this.#device.createComputePipelineAsync(draft.descriptor);
    const [error, built] = await Promise.all([
      this.#device.popErrorScope(),
      pipeline.catch((reason: unknown) => String(reason)),
    ]);
    if (typeof built !== "string" && error === null) return finishKernel(draft, built);
    const messages = await compilerMessages(draft.module);
    throw refused(messages || error?.message || String(built));
  }

  enqueue({ kernel, tensors, words, grid }: Enqueue): void {
    const fn = kernel as GpuKernel;
    const folded = foldGrid(grid);
    if (this.#batched === BATCH) this.#flush();
    const offset = this.#batched * UNIFORM_STRIDE;
    this.#uniformWords.set(grid, offset / 4);
    this.#uniformWords.set(words, offset / 4 + 4);
    const group = this.#bindGroup(fn, tensors);
    this.#pass ??= this.#openEncoder().beginComputePass();
    this.#pass.setPipeline(fn.pipeline);
    this.#pass.setBindGroup(0, group, [offset]);
    this.#pass.dispatchWorkgroups(...folded);
    this.#batched++;
  }

  /** By the ranges that it binds, unless some tensors need buffers of their own: those are for one launch. */
  #bindGroup(fn: GpuKernel, tensors: readonly Tensor[]): GPUBindGroup {
    let key = "";
    for (const tensor of tensors)
      key += `${(tensor.buffer as GpuBuffer).id}+${tensor.byteOffset}:${tensorBytes(tensor)},`;
    const known = fn.groups.get(key);
    if (known !== undefined) return known;
    const standIns = new Map<number, GPUBuffer>();
    for (const i of findStandIns(tensors, fn.writable)) {
      const tensor = tensors[i];
      if (tensor === undefined) continue;
      this.#endPass(); // copies stand between passes
      standIns.set(i, copyOut(this.#device, this.#openEncoder(), tensor));
    }
    const group = this.#device.createBindGroup({
      layout: fn.layout,
      entries: [
        ...tensors.map((tensor, binding) => {
          const own = standIns.get(binding);
          const { handle } = tensor.buffer as GpuBuffer;
          const resource =
            own === undefined
              ? { buffer: handle, offset: tensor.byteOffset, size: boundBytes(tensor) }
              : { buffer: own };
          return { binding, resource };
        }),
        { binding: tensors.length, resource: { buffer: this.#uniforms, size: UNIFORM_STRIDE } },
      ],
    });
    if (standIns.size > 0) {
      this.#standIns.push(...standIns.values());
      return group;
    }
    if (fn.groups.size >= MAX_BIND_GROUPS) fn.groups.clear();
    fn.groups.set(key, group);
    return group;
  }

  async synchronize(): Promise<void> {
    this.#flush();
    await this.#device.queue.onSubmittedWorkDone();
    this.#report();
  }

  async close(): Promise<void> {
    this.#device.destroy();
  }

  #openEncoder(): GPUCommandEncoder {
    this.#encoder ??= this.#device.createCommandEncoder();
    return this.#encoder;
  }

  #endPass(): void {
    this.#pass?.end();
    this.#pass = undefined;
  }

  #flush(): void {
    if (this.#encoder === undefined) return;
    this.#endPass();
    if (this.#batched > 0) {
      this.#device.queue.writeBuffer(
        this.#uniforms,
        0,
        this.#uniformWords,
        0,
        (this.#batched * UNIFORM_STRIDE) / 4,
      );
    }
    this.#device.queue.submit([this.#encoder.finish()]);
    this.#encoder = undefined;
    this.#batched = 0;
    for (const buffer of this.#standIns.splice(0)) buffer.destroy(); // the queue keeps what it still needs
  }

  #fail(message: string, seen: string): void {
    this.#failure ??= webGpuError(message, seen);
  }

  #report(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }
}

/** Grids beyond the limit of one dimension are folded; the kernel takes its program ids from the true sizes and drops the rest. */
function foldGrid(grid: readonly [number, number, number]): [number, number, number] {
  if (grid.every((size) => size <= MAX_GRID)) return [...grid];
  const programs = grid[0] * grid[1] * grid[2];
  const x = Math.min(programs, MAX_GRID);
  const y = Math.min(Math.ceil(programs / x), MAX_GRID);
  return [x, y, Math.ceil(programs / (x * y))];
}
