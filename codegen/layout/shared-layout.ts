/** [codegen/layout] Shared-memory layouts: offsets, swizzles, sizes, and how many bank conflicts an access has. */
import type { Axis } from "../../dsl/index.ts";
import type { SharedLayout, Swizzle } from "./layout.ts";

/** Bytes of one bank and number of banks; equal on every NVIDIA and AMD GPU that the targets know. */
export const BANK_BYTES = 4;
export const BANKS = 32;

export function swizzleOffset(swizzle: Swizzle | undefined, offset: number): number {
  if (swizzle === undefined) return offset;
  const mask = (1 << swizzle.bits) - 1;
  return offset ^ (((offset >> (swizzle.base + swizzle.shift)) & mask) << swizzle.base);
}

/** Element offset of coordinates (in the order of `layout.axes`) inside one stage. */
export function sharedOffset(layout: SharedLayout, coordinates: readonly number[]): number {
  const linear = layout.strides.reduce((sum, stride, i) => sum + stride * (coordinates[i] ?? 0), 0);
  return swizzleOffset(layout.swizzle, linear);
}

/** Elements that one stage spans, rounded up so that a swizzle stays inside it. */
export function stageSpan(
  axes: readonly Axis[],
  strides: readonly number[],
  swizzle: Swizzle | undefined,
): number {
  const last = axes.reduce((sum, axis, i) => sum + (axis.size - 1) * (strides[i] ?? 0), 0);
  const unit = swizzle === undefined ? 1 : 2 ** (swizzle.base + swizzle.bits);
  return Math.ceil((last + 1) / unit) * unit;
}

/**
 * Row-major layout with the last axis fastest.
 * @param pad elements added to each row of the last axis
 */
export function rowMajorShared(
  axes: readonly Axis[],
  options: { readonly pad?: number; readonly swizzle?: Swizzle; readonly align?: number } = {},
): SharedLayout {
  const strides: number[] = [];
  let stride = 1;
  [...axes].reverse().forEach((axis, i) => {
    strides.unshift(stride);
    stride *= axis.size + (i === 0 ? (options.pad ?? 0) : 0);
  });
  const align = options.align ?? 1;
  const span = stageSpan(axes, strides, options.swizzle);
  return {
    kind: "shared",
    axes,
    strides,
    ...(options.swizzle === undefined ? {} : { swizzle: options.swizzle }),
    stageElements: Math.ceil(span / align) * align,
  };
}

/** Bytes of a whole pattern of the widest swizzle: slots of swizzled boxes start at multiples of it. */
export const SWIZZLE_ATOM_BYTES = 1024;

/** Rows of a swizzled box, longest first. */
const MOST_ROW_BYTES = 128;
const ROW_BYTES: readonly number[] = [MOST_ROW_BYTES, 64, 32];

/** Bytes of the rows of boxes that share out a longer row; undefined where none does. */
export function boxRowBytes(bytes: number): number | undefined {
  return ROW_BYTES.find((row) => bytes % row === 0);
}

/**
 * Layout of boxes that a tensor map copies: rows of 32, 64 or 128 bytes one after the other, their 16-byte chunks permuted by the row.
 * Other rows are cut into panels of one of these widths, one box each, which lie behind one another.
 * @param axes slowest first; the last is the row
 * @param bytes of an element
 * @returns a layout whose axes are the given ones, with the panels before them where there are several
 * @source PTX ISA, "Swizzling modes": address bits from 4 on XORed with those from 7 on
 */
export function boxShared(axes: readonly Axis[], bytes: number): SharedLayout {
  const row = axes.at(-1) ?? { name: "row", size: 1 };
  const panels = Math.ceil((row.size * bytes) / (boxRowBytes(row.size * bytes) ?? MOST_ROW_BYTES));
  const part = { ...row, size: row.size / panels };
  const panel = { name: `${row.name}_panel`, size: panels };
  const boxed = panels === 1 ? axes : [panel, ...axes.slice(0, -1), part];
  const swizzle = {
    bits: Math.log2((part.size * bytes) / 16),
    base: Math.log2(16 / bytes),
    shift: 3,
  };
  return rowMajorShared(boxed, { swizzle, align: SWIZZLE_ATOM_BYTES / bytes });
}

/** Rows of a group: those over which the pattern of a swizzle repeats. */
export const GROUP_ROWS = 8;
/** Axes of a buffer of groups: groups, panels, rows of a group, columns of a panel. */
export const GROUPED_AXES = 4;

/**
 * The same boxes with all panels of eight rows before the next eight, as one box of a grouped map brings them.
 * @param axes rows, a multiple of 8, and the row
 */
export function groupedBoxShared(axes: readonly Axis[], bytes: number): SharedLayout {
  const { axes: boxed, swizzle } = boxShared(axes, bytes);
  const [panel, rows, part] = boxed;
  if (panel === undefined || rows === undefined || part === undefined || swizzle === undefined)
    return boxShared(axes, bytes);
  const group = { name: `${rows.name}_group`, size: rows.size / GROUP_ROWS };
  const inner = { ...rows, size: GROUP_ROWS };
  return rowMajorShared([group, panel, inner, part], {
    swizzle,
    align: SWIZZLE_ATOM_BYTES / bytes,
  });
}

/** Where the panels of an operand in boxes lie: bytes from one panel to the next and from eight rows to the next eight. */
export function panelSteps(
  axes: readonly Axis[],
  rows: number,
  rowBytes: number,
): { readonly panel: number; readonly group: number } {
  const grouped = axes.length === GROUPED_AXES;
  const panels = grouped ? (axes[1]?.size ?? 1) : 1;
  const group = GROUP_ROWS * rowBytes;
  return { panel: grouped ? group : rows * rowBytes, group: group * panels };
}

/**
 * Transactions that one warp-wide access takes beyond the least possible. Accesses wider than 4 bytes are served in groups of
 * lanes that move 128 bytes together; equal words are broadcast.
 * @param addresses byte address of each lane's access
 * @param bytes size of each access, 1 … 16
 * @returns 0 for a conflict-free access
 */
export function bankConflicts(addresses: readonly number[], bytes: number): number {
  const group = bytes <= BANK_BYTES ? 32 : (32 * BANK_BYTES) / bytes;
  let extra = 0;
  for (let start = 0; start < addresses.length; start += group) {
    const words = new Set<number>();
    for (const address of addresses.slice(start, start + group)) {
      for (let byte = 0; byte < bytes; byte += BANK_BYTES)
        words.add(Math.floor((address + byte) / BANK_BYTES));
    }
    const load = new Map<number, number>();
    for (const word of words) load.set(word % BANKS, (load.get(word % BANKS) ?? 0) + 1);
    extra += Math.max(1, ...load.values()) - 1;
  }
  return extra;
}
