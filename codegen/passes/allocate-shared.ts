/** [codegen/passes] Gives every shared buffer its place; buffers whose lives do not overlap share bytes. Runs after pipeline-loads, before insert-barriers. */
import { DTYPES, UNKNOWN_LOCATION, UnsupportedError } from "../../dsl/index.ts";
import { type LiveRange, rangesOverlap, sharedLiveness } from "../analysis/shared-liveness.ts";
import type { ScheduledKernel, SharedBuffer } from "../ir/scheduled.ts";
import { SWIZZLE_ATOM_BYTES } from "../layout/shared-layout.ts";
import type { PassContext } from "./pass.ts";

const PASS = "allocate-shared";
/** A whole row of banks, so that swizzles and vectors start where their layout assumes. */
const ALIGNMENT = 128;

/** Buffers that tensor maps fill start at whole patterns of the swizzle. */
function alignmentOf(buffer: SharedBuffer): number {
  const slot = (buffer.layout.stageElements * DTYPES[buffer.dtype].bits) / 8;
  const isBox = buffer.layout.swizzle !== undefined && slot % SWIZZLE_ATOM_BYTES === 0;
  return isBox ? SWIZZLE_ATOM_BYTES : ALIGNMENT;
}

export function bufferBytes(buffer: SharedBuffer): number {
  return Math.ceil((buffer.layout.stageElements * buffer.stages * DTYPES[buffer.dtype].bits) / 8);
}

interface Placed {
  readonly range: LiveRange;
  readonly start: number;
  readonly end: number;
}

/** Bytes up to which a buffer shares with none: sharing would cost a barrier and save nothing. */
const SMALL_BYTES = 1024;

/** Lowest aligned offset at which nothing that lives at the same time lies. */
function findPlace(
  bytes: number,
  range: LiveRange,
  placed: readonly Placed[],
  alignment: number,
): number {
  const rivals = placed
    .filter((other) => bytes <= SMALL_BYTES || rangesOverlap(range, other.range))
    .sort((a, b) => a.start - b.start);
  let offset = 0;
  for (const rival of rivals) {
    if (offset + bytes <= rival.start) break;
    offset = Math.max(offset, Math.ceil(rival.end / alignment) * alignment);
  }
  return offset;
}

/** Offsets by buffer name, largest buffers placed first, and the bytes they need together. Buffers that nothing accesses are left out. */
export function placeBuffers(kernel: ScheduledKernel): {
  readonly offsets: ReadonlyMap<string, number>;
  readonly bytes: number;
} {
  const ranges = sharedLiveness(kernel);
  const order = [...kernel.shared].sort((a, b) => bufferBytes(b) - bufferBytes(a));
  const placed: Placed[] = [];
  const offsets = new Map<string, number>();
  for (const buffer of order) {
    const range = ranges.get(buffer.name);
    if (range === undefined || buffer.aliasOf !== undefined) continue;
    const bytes = bufferBytes(buffer);
    const start = findPlace(bytes, range, placed, alignmentOf(buffer));
    placed.push({ range, start, end: start + bytes });
    offsets.set(buffer.name, start);
  }
  for (const { name, aliasOf } of kernel.shared) {
    const place = aliasOf === undefined ? undefined : offsets.get(aliasOf);
    if (place !== undefined) offsets.set(name, place);
  }
  return { offsets, bytes: placed.reduce((most, { end }) => Math.max(most, end), 0) };
}

function formatConfig(config: ScheduledKernel["config"]): string {
  const entries = Object.entries(config).map(([key, value]) => `${key}=${value}`);
  return entries.length === 0 ? "no config" : entries.join(", ");
}

/** @throws UnsupportedError TW2001 where the target has less shared memory than the kernel needs */
export function allocateShared(kernel: ScheduledKernel, context: PassContext): ScheduledKernel {
  const { offsets, bytes } = placeBuffers(kernel);
  const shared = kernel.shared.flatMap((buffer) => {
    const byteOffset = offsets.get(buffer.name);
    return byteOffset === undefined ? [] : [{ ...buffer, byteOffset }];
  });
  const limit = context.target.maxSharedBytes;
  if (bytes > limit) {
    const list = shared
      .map((buffer) => {
        const stages = buffer.stages > 1 ? ` in ${buffer.stages} stages` : "";
        const axes = buffer.axes.map((axis) => `${axis.name}=${axis.size}`).join(", ");
        return `${buffer.name} ${buffer.dtype}[${axes}]${stages}: ${bufferBytes(buffer)} bytes`;
      })
      .join("; ");
    throw new UnsupportedError({
      code: "TW2001",
      message: `kernel ${kernel.name} needs ${bytes} bytes of shared memory at once`,
      seen: `${list} (config: ${formatConfig(kernel.config)})`,
      expected: `at most ${limit} bytes on ${context.target.arch ?? context.target.target}`,
      remedy: "choose smaller tiles or fewer stages in the kernel's config",
    });
  }
  if (shared.length > 0)
    context.remark(PASS, `${bytes} of ${limit} bytes of shared memory`, UNKNOWN_LOCATION);
  return { ...kernel, shared };
}
