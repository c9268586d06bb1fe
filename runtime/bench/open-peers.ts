/** [runtime/bench] Finds what a device can be compared with: the vendor's libraries on CUDA, nothing elsewhere. */
import { DeviceError } from "../../dsl/index.ts";
import type { Device } from "../device.ts";
import type { Ceiling, Peers } from "./contender.ts";
import type { ForeignText } from "./foreign.ts";
import { median } from "./statistics.ts";

/** Copied on devices without a peer of their own. */
const COPY_BYTES = 2 ** 26;
const COPY_RUNS = 7;

/** Native libraries are loaded here and only here, when a benchmark begins. */
export async function openPeers(device: Device, foreign: readonly ForeignText[]): Promise<Peers> {
  if (device.info.driver !== "cuda") {
    const notes =
      foreign.length === 0 ? [] : [`foreign texts run on cuda only, not on ${device.info.driver}`];
    return lonely(device, notes);
  }
  try {
    const { CudaPeers } = await import("../peers/cuda-peers.ts");
    return new CudaPeers(device, foreign);
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    return lonely(device, [error.message]);
  }
}

function lonely(device: Device, notes: readonly string[]): Peers {
  return {
    notes,
    vendor: () => [],
    foreign: () => [],
    reference: async () => undefined,
    copyCeiling: () => copyByDevice(device),
    chipState: () => undefined,
    close: () => {},
  };
}

/** By the host's clock around a copy that the device makes. */
async function copyByDevice(device: Device): Promise<Ceiling> {
  const bytes = Math.min(COPY_BYTES, device.limits.maxBufferBytes);
  const [from, to] = [device.alloc(bytes), device.alloc(bytes)];
  const seconds: number[] = [];
  for (let i = 0; i < COPY_RUNS; i++) {
    await device.synchronize();
    const start = performance.now();
    device.copy(from, 0, to, 0, bytes);
    await device.synchronize();
    seconds.push((performance.now() - start) / 1000);
  }
  device.free(from);
  device.free(to);
  return { perSecond: (2 * bytes) / median(seconds.slice(1)), how: "copy between buffers" };
}

/** Bytes a second, read and written together, that copies of the device reach. */
export async function copyCeiling(device: Device): Promise<Ceiling> {
  const peers = await openPeers(device, []);
  try {
    return await peers.copyCeiling();
  } finally {
    peers.close();
  }
}
