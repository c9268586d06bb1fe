/** [runtime/drivers] Opens a WebGPU adapter: the browser's own, or Dawn in Node. Chooses nothing else. */
import { DeviceError, debugLevel, IS_NODE } from "../../../dsl/index.ts";

/** Named by a variable, so that a bundle for browsers leaves it out. */
const DAWN: string = "webgpu";

/** Dawn's instance must stay referenced for as long as any object of it lives: once collected, later calls abort the process. */
const keptInstances: GPU[] = [];

export interface OpenedAdapter {
  readonly gpu: GPU;
  readonly adapter: GPUAdapter;
  readonly implementation: string;
}

export interface AdapterOptions {
  /** Dawn toggles, for example `backend=null` for a device that validates and computes nothing. */
  readonly dawn?: readonly string[];
}

/** @throws DeviceError TW3220 without an implementation, TW3221 without an adapter */
export async function openAdapter(options: AdapterOptions = {}): Promise<OpenedAdapter> {
  const { gpu, implementation } = await findGpu(options);
  const adapter = await quietly(() => gpu.requestAdapter({ powerPreference: "high-performance" }));
  if (adapter !== null) return { gpu, adapter, implementation };
  throw new DeviceError({
    code: "TW3221",
    message: "WebGPU found no adapter",
    seen: `${implementation}, no adapter`,
    expected: "a GPU with a Vulkan, Metal or D3D12 driver (or a software one)",
    remedy:
      "install the GPU's Vulkan driver and loader (Debian: libvulkan1 and mesa-vulkan-drivers); for a software GPU point VK_DRIVER_FILES at a driver such as SwiftShader's vk_swiftshader_icd.json (Debian: chromium-common)",
  });
}

/** Native libraries say on stderr what they tried; that is for those who ask for it by DEBUG. */
async function quietly<T>(step: () => T): Promise<T> {
  if (!IS_NODE || debugLevel() >= 1) return step();
  return (await import("./library.ts")).withoutNativeNoise(step);
}

async function findGpu(
  options: AdapterOptions,
): Promise<{ readonly gpu: GPU; readonly implementation: string }> {
  if (!IS_NODE) {
    const { navigator } = globalThis as { readonly navigator?: { readonly gpu?: GPU } };
    if (navigator?.gpu !== undefined) return { gpu: navigator.gpu, implementation: "browser" };
    throw missing("this browser has no navigator.gpu", "use a browser with WebGPU");
  }
  let dawn: typeof import("webgpu");
  try {
    dawn = await import(/* @vite-ignore */ /* webpackIgnore: true */ DAWN);
  } catch (cause) {
    throw missing(
      cause instanceof Error ? cause.message : String(cause),
      "npm install webgpu",
      cause,
    );
  }
  Object.assign(globalThis, dawn.globals);
  // Kernels write workgroup memory before they read it, so it need not be zeroed: SwiftShader writes those zeros out one by one,
  // which takes it seconds for each pipeline.
  const flags = [
    "enable-dawn-features=allow_unsafe_apis,disable_workgroup_init",
    ...(options.dawn ?? []),
  ];
  const gpu = (await quietly(() => dawn.create(flags))) as unknown as GPU;
  keptInstances.push(gpu);
  return { gpu, implementation: "Dawn" };
}

function missing(seen: string, remedy: string, cause?: unknown): DeviceError {
  return new DeviceError(
    {
      code: "TW3220",
      message: "no WebGPU implementation was found",
      seen,
      expected: "navigator.gpu, or the npm package webgpu",
      remedy,
    },
    { cause },
  );
}
