/** [codegen/analysis] The shared-memory accesses of a scheduled kernel as lane addresses, to count bank conflicts before a layout is chosen. */
import { type Axis, DTYPES } from "../../dsl/index.ts";
import type { DotOperand, ScheduledKernel, SharedBuffer, SOp } from "../ir/scheduled.ts";
import { walkScheduled } from "../ir/visit-scheduled.ts";
import { coordinatesOf } from "../layout/apply-layout.ts";
import type { RegisterLayout, SharedLayout } from "../layout/layout.ts";
import { type MatrixForm, matrixForm, repeatsOperands } from "../layout/matrix-form.ts";
import { contiguousRegisters, extentOf, registerCount } from "../layout/register-layout.ts";
import { bankConflicts, sharedOffset } from "../layout/shared-layout.ts";

/** One warp-wide access: the coordinates (in the buffer's order of axes) that each lane's vector starts at. */
export interface WarpAccess {
  readonly lanes: readonly (readonly number[])[];
  /** Elements of each lane's vector, along the buffer's fastest axis. */
  readonly width: number;
  /** How often the block makes such an access: the sample stands for this many. */
  readonly weight: number;
}

const WARP = 32;

/** Name of the axis with stride 1. */
export function fastestAxis(layout: SharedLayout): string | undefined {
  const at = layout.strides.findIndex(
    (stride, i) => stride === 1 && (layout.axes[i]?.size ?? 0) > 1,
  );
  return layout.axes[at < 0 ? layout.axes.length - 1 : at]?.name;
}

function reorder(
  coordinates: readonly number[],
  from: readonly Axis[],
  to: readonly Axis[],
): readonly number[] {
  return to.map((axis) => coordinates[from.findIndex((other) => other.name === axis.name)] ?? 0);
}

/** What the first threads of the block touch at a few registers. */
function layoutAccesses(
  layout: RegisterLayout,
  buffer: SharedBuffer,
  width: number,
): readonly WarpAccess[] {
  const lanesInWarp = extentOf(layout.lane);
  const all = lanesInWarp * extentOf(layout.warp);
  const threads = Math.min(WARP, all);
  const regs = registerCount(layout);
  const samples = new Set([0, Math.floor(regs / 2 / width) * width]);
  const weight = ((regs / width) * (all / threads)) / samples.size;
  return [...samples].map((reg) => ({
    lanes: Array.from({ length: threads }, (_, thread) => {
      const at = { reg, lane: thread % lanesInWarp, warp: Math.floor(thread / lanesInWarp) };
      return reorder(coordinatesOf(layout, at), layout.axes, buffer.axes);
    }),
    width,
    weight,
  }));
}

/** Eight rows of 16 bytes: what one phase of ldmatrix reads. */
function matrixAccesses(
  op: Extract<SOp, { kind: "dot" }>,
  buffer: SharedBuffer,
): readonly WarpAccess[] {
  const fast = fastestAxis(buffer.layout);
  const width = 128 / DTYPES[buffer.dtype].bits;
  const slow = buffer.axes.find((axis) => axis.name !== fast);
  const size = buffer.axes.find((axis) => axis.name === fast)?.size ?? width;
  const chunks = new Set([0, Math.min(1, Math.floor(size / width) - 1) * width]);
  const elements = buffer.axes.reduce((n, axis) => n * axis.size, 1);
  // Warps beside one another read the same rows again.
  const own = buffer.axes.find((axis) => axis.name !== op.axis)?.name;
  const others = (op.result.layout?.warp ?? []).filter((iter) => iter.axis !== own);
  const weight = ((elements / 8 / width) * extentOf(others)) / chunks.size;
  return [...chunks].map((chunk) => ({
    lanes: Array.from({ length: Math.min(8, slow?.size ?? 1) }, (_, row) =>
      buffer.axes.map((axis) => (axis.name === fast ? chunk : row)),
    ),
    width,
    weight,
  }));
}

/** One tile of a wave: each lane reads its run along the contraction, or element by element where that lies across rows. */
function formAccesses(
  op: Extract<SOp, { kind: "dot" }>,
  buffer: SharedBuffer,
  form: MatrixForm,
): readonly WarpAccess[] {
  const isAlongK = fastestAxis(buffer.layout) === op.axis;
  const width = isAlongK ? Math.min(form.run, 128 / DTYPES[buffer.dtype].bits) : 1;
  const elements = buffer.axes.reduce((n, axis) => n * axis.size, 1);
  const own = buffer.axes.find((axis) => axis.name !== op.axis)?.name;
  const others = (op.result.layout?.warp ?? []).filter((iter) => iter.axis !== own);
  const repeats = repeatsOperands(form) ? form.wave / form.side : 1;
  const lanes = Array.from({ length: Math.min(WARP, form.wave) }, (_, lane) => {
    const k = repeatsOperands(form) ? 0 : form.run * Math.floor(lane / form.side);
    return buffer.axes.map((axis) => (axis.name === op.axis ? k : lane % form.side));
  });
  const weight = ((elements / width) * extentOf(others) * repeats) / lanes.length;
  return [{ lanes, width, weight }];
}

/** Reads of one step along the contraction by threads that hold an fma accumulator. */
function fmaAccesses(
  op: Extract<SOp, { kind: "dot" }>,
  buffer: SharedBuffer,
): readonly WarpAccess[] {
  const layout = op.result.layout;
  if (layout === undefined) return [];
  const fast = fastestAxis(buffer.layout);
  const k = buffer.axes.find((axis) => axis.name === op.axis)?.size ?? 1;
  let width = 128 / DTYPES[buffer.dtype].bits;
  const run = fast === op.axis ? k : contiguousRegisters(layout, fast ?? "");
  while (width > 1 && run % width !== 0) width /= 2;
  const own = buffer.axes.find((axis) => axis.name !== op.axis)?.name;
  const mine = { ...layout, reg: layout.reg.filter((iter) => iter.axis === own) };
  const steps = fast === op.axis ? k / width : k;
  return layoutAccesses(mine, buffer, 1).map((access) => ({
    ...access,
    width,
    weight: access.weight * steps,
  }));
}

function operandAccesses(
  op: Extract<SOp, { kind: "dot" }>,
  operand: DotOperand,
  buffer: SharedBuffer,
): readonly WarpAccess[] {
  if (operand.kind !== "shared" || operand.ref.buffer !== buffer.name) return [];
  const { instruction } = op;
  switch (instruction.kind) {
    case "wgmma":
      return []; // the layout is the instruction's own
    case "mma.sync":
      return matrixAccesses(op, buffer);
    case "matrix": {
      const form = matrixForm(instruction.form);
      return form === undefined ? [] : formAccesses(op, buffer, form);
    }
    case "fma":
      return fmaAccesses(op, buffer);
    default:
      return instruction satisfies never;
  }
}

/** Vector width that a conversion may use on one side. */
export function runWidth(layout: RegisterLayout, buffer: SharedBuffer): number {
  const fast = fastestAxis(buffer.layout);
  if (fast === undefined) return 1;
  const run = contiguousRegisters(layout, fast);
  let width = Math.max(1, 128 / DTYPES[buffer.dtype].bits);
  while (width > 1 && run % width !== 0) width /= 2;
  return width;
}

/** Every kind of access that one op makes to a buffer. */
export function accessesOf(op: SOp, buffer: SharedBuffer): readonly WarpAccess[] {
  switch (op.kind) {
    case "copy":
      return op.into.buffer === buffer.name && op.via !== "tma"
        ? layoutAccesses(op.layout, buffer, op.width)
        : [];
    case "shared_store":
      return op.into.buffer === buffer.name && op.value.layout !== undefined
        ? layoutAccesses(op.value.layout, buffer, op.width)
        : [];
    case "shared_load":
      return op.from.buffer === buffer.name && op.result.layout !== undefined
        ? layoutAccesses(op.result.layout, buffer, op.width)
        : [];
    case "convert": {
      if (op.scratch !== buffer.name) return [];
      return [op.x.layout, op.result.layout].flatMap((layout) =>
        layout === undefined ? [] : layoutAccesses(layout, buffer, runWidth(layout, buffer)),
      );
    }
    case "dot":
      return [op.a, op.b].flatMap((operand) => operandAccesses(op, operand, buffer));
    default:
      return [];
  }
}

/** Every kind of access to each buffer of a kernel, by name. */
export function findSharedAccesses(
  kernel: ScheduledKernel,
): ReadonlyMap<string, readonly WarpAccess[]> {
  const found = new Map<string, WarpAccess[]>();
  walkScheduled(kernel.body, (op) => {
    for (const buffer of kernel.shared) {
      const accesses = accessesOf(op, buffer);
      if (accesses.length === 0) continue;
      found.set(buffer.name, [...(found.get(buffer.name) ?? []), ...accesses]);
    }
  });
  return found;
}

/** Weighted transactions beyond the least possible, for one layout of a buffer. */
export function conflictCost(
  accesses: readonly WarpAccess[],
  layout: SharedLayout,
  elementBytes: number,
): number {
  return accesses.reduce((sum, access) => {
    const addresses = access.lanes.map((at) => sharedOffset(layout, at) * elementBytes);
    return sum + access.weight * bankConflicts(addresses, access.width * elementBytes);
  }, 0);
}
