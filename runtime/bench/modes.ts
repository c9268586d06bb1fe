/** [runtime/bench] Which ways of timing suit a problem on a device, and how many sets of tensors they walk through. */
import type { Device } from "../device.ts";
import type { Meter, TimingMode } from "./measure.ts";
import { type BenchSubject, type CompleteProblem, tensorShape } from "./problem.ts";

/** Weights that layers walk through; several times any GPU's last cache. */
const LAYERS_BYTES = 500e6;
const LAYERS_MAX_ROWS = 128;
/** Problems that would take more sets than this are too small to be a layer. */
const LAYERS_MAX_SETS = 128;
/** Sets between which cold and sustained launches rotate: enough to leave a cache of this size behind, within bounds. */
const ROTATED_BYTES = 256e6;
const MAX_ROTATED_SETS = 8;

/** Cold always; layers for products of at most 128 rows, else sustained, both where the device measures its own time. */
export function modesFor(
  { info, capture }: Device,
  meter: Pick<Meter, "usesEvents">,
  { kernel, matmul }: BenchSubject,
  problem: CompleteProblem,
  bytes: number,
): readonly TimingMode[] {
  if (!info.hardware || !meter.usesEvents) return ["cold"];
  const isDecode =
    matmul !== undefined &&
    (tensorShape(kernel, problem, matmul.x).shape[0] ?? 0) <= LAYERS_MAX_ROWS &&
    bytes * LAYERS_MAX_SETS >= LAYERS_BYTES;
  return ["cold", isDecode && capture !== undefined ? "layers" : "sustained"];
}

/** @param bytes of one set */
export function setsFor({ info, limits }: Device, bytes: number, hasLayers: boolean): number {
  if (!info.hardware) return 1;
  const size = Math.max(1, bytes);
  const wanted = hasLayers
    ? Math.min(LAYERS_MAX_SETS, Math.max(3, Math.ceil(LAYERS_BYTES / size)))
    : Math.min(MAX_ROTATED_SETS, Math.max(2, Math.ceil(ROTATED_BYTES / size)));
  return Math.max(1, Math.min(wanted, Math.floor((limits.memoryBytes * 0.5) / size)));
}
