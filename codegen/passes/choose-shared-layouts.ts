/** [codegen/passes] Swizzles or pads shared buffers so that their accesses meet the fewest bank conflicts. Runs before pipeline-loads. */
import { DTYPES, UNKNOWN_LOCATION } from "../../dsl/index.ts";
import {
  conflictCost,
  fastestAxis,
  findSharedAccesses,
  type WarpAccess,
} from "../analysis/shared-access.ts";
import type { ScheduledKernel, SharedBuffer } from "../ir/scheduled.ts";
import { walkScheduled } from "../ir/visit-scheduled.ts";
import type { SharedLayout, Swizzle } from "../layout/layout.ts";
import { stageSpan } from "../layout/shared-layout.ts";
import { placeBuffers } from "./allocate-shared.ts";
import type { PassContext } from "./pass.ts";

const PASS = "choose-shared-layouts";
const VECTOR_BYTES = 16;

/** The buffer's layout with longer rows, or with a swizzle. */
function variant(buffer: SharedBuffer, pad: number, swizzle: Swizzle | undefined): SharedLayout {
  const { axes, layout } = buffer;
  const fast = fastestAxis(layout);
  const row = axes.find((axis) => axis.name === fast)?.size ?? 1;
  const strides = layout.strides.map((stride, i) =>
    axes[i]?.name === fast ? stride : (stride / row) * (row + pad),
  );
  // Slots and vectors start at multiples of 16 bytes, swizzled slots at whole patterns.
  const unit = Math.max(VECTOR_BYTES / bytesOf(buffer), 1);
  const span = stageSpan(axes, strides, swizzle);
  return {
    kind: "shared",
    axes,
    strides,
    ...(swizzle === undefined ? {} : { swizzle }),
    stageElements: Math.ceil(span / unit) * unit,
  };
}

function bytesOf(buffer: SharedBuffer): number {
  return DTYPES[buffer.dtype].bits / 8;
}

/** Swizzles of whole 16-byte chunks by the low bits of the row. */
function swizzles(buffer: SharedBuffer): readonly Swizzle[] {
  const fast = fastestAxis(buffer.layout);
  const row = buffer.axes.find((axis) => axis.name === fast)?.size ?? 1;
  const base = Math.log2(VECTOR_BYTES / bytesOf(buffer));
  const rowBits = Math.log2(row);
  if (!Number.isInteger(rowBits) || !Number.isInteger(base)) return [];
  const chunkBits = Math.min(3, rowBits - base);
  if (chunkBits < 1) return [];
  return [0, 1, 2].map((skip) => ({
    bits: chunkBits,
    base,
    shift: Math.max(chunkBits, rowBits - base + skip),
  }));
}

function candidates(
  buffer: SharedBuffer,
  accesses: readonly WarpAccess[],
  allowSwizzle: boolean,
  allowPads: boolean,
): readonly SharedLayout[] {
  const bytes = bytesOf(buffer);
  const widest = Math.max(...accesses.map((access) => access.width)) * bytes;
  const pads = [4, 8, VECTOR_BYTES, 2 * VECTOR_BYTES]
    .filter((pad) => pad >= widest && pad % bytes === 0)
    .map((pad) => variant(buffer, pad / bytes, undefined));
  const swizzled = allowSwizzle
    ? swizzles(buffer).map((swizzle) => variant(buffer, 0, swizzle))
    : [];
  return [variant(buffer, 0, undefined), ...swizzled, ...(allowPads ? pads : [])];
}

function describe(layout: SharedLayout): string {
  const { swizzle } = layout;
  if (swizzle !== undefined) return `swizzle(${swizzle.bits}, ${swizzle.base}, ${swizzle.shift})`;
  return `strides ${layout.strides.join(", ")}`;
}

export function chooseSharedLayouts(
  kernel: ScheduledKernel,
  context: PassContext,
): ScheduledKernel {
  const padded = layOut(kernel, context, true);
  const limit = context.target.maxSharedBytes;
  if (placeBuffers(padded).bytes <= limit || placeBuffers(kernel).bytes > limit) return padded;
  context.remark(PASS, "no padding: shared memory would not hold it", UNKNOWN_LOCATION);
  return layOut(kernel, context, false);
}

function layOut(
  kernel: ScheduledKernel,
  context: PassContext,
  allowPads: boolean,
): ScheduledKernel {
  const accesses = findSharedAccesses(kernel);
  const allowSwizzle = context.target.target !== "wgsl";
  const viewed = new Set(
    kernel.shared.flatMap(({ name, aliasOf }) => (aliasOf ? [name, aliasOf] : [])),
  );
  // The copy engine swizzles rows by their length.
  const boxed = new Set<string>();
  walkScheduled(kernel.body, (op) => {
    if (op.kind === "copy" && op.via === "tma") boxed.add(op.into.buffer);
  });
  const shared = kernel.shared.map((buffer) => {
    const found = accesses.get(buffer.name);
    if (boxed.has(buffer.name)) return buffer;
    if (viewed.has(buffer.name)) return buffer; // both names must go on meaning the same bytes
    if (found === undefined || buffer.axes.length < 2 || bytesOf(buffer) < 1) return buffer;
    const costs = candidates(buffer, found, allowSwizzle, allowPads).map((layout) => ({
      layout,
      cost: conflictCost(found, layout, bytesOf(buffer)),
    }));
    const best = costs.reduce((least, next) => (next.cost < least.cost ? next : least));
    const message = `shared ${buffer.name}: ${describe(best.layout)}, weighted bank conflicts ${best.cost}, plain rows ${costs[0]?.cost ?? 0}`;
    context.remark(PASS, message, UNKNOWN_LOCATION);
    return { ...buffer, layout: best.layout };
  });
  return { ...kernel, shared };
}
