/** [codegen/schedule] Dot operands in shared memory: which tile lies in which buffer, copied from global memory or written from registers. */
import {
  type Axis,
  DTYPES,
  elementCount,
  type Location,
  type Op,
  type Value,
} from "../../dsl/index.ts";
import type { SharedRef, SValue } from "../ir/scheduled.ts";
import type { SharedLayout } from "../layout/layout.ts";
import { contiguousRegisters } from "../layout/register-layout.ts";
import {
  boxShared,
  GROUP_ROWS,
  GROUPED_AXES,
  groupedBoxShared,
  rowMajorShared,
} from "../layout/shared-layout.ts";
import { emitCopy } from "./emit-memory.ts";
import { valueIn } from "./emit-versions.ts";
import { type Emitter, labelOf } from "./emitter.ts";
import { isFoldable } from "./find-boxes.ts";
import { pagedPlace } from "./find-pages.ts";

/** Pages, slots, heads and the row: a grouped map has one dim more. */
const GROUPED_DIMS = 4;

type LoadOp = Extract<Op, { kind: "load" }>;

/** Pages no larger than a block come as one box each, where their rows are cut into panels. */
function boxesOf(emitter: Emitter, op: LoadOp): SharedLayout {
  const { type } = op.result;
  const bytes = DTYPES[type.dtype].bits / 8;
  const pages = pagedPlace(emitter.plan.kernel, op);
  const isGrouped =
    pages !== undefined &&
    pages.start === undefined &&
    pages.slots % GROUP_ROWS === 0 &&
    op.at.length === GROUPED_DIMS &&
    isFoldable(emitter.plan.kernel, op);
  if (!isGrouped) return boxShared(type.axes, bytes);
  const layout = groupedBoxShared(type.axes, bytes);
  if (layout.axes.length === GROUPED_AXES)
    emitter.remark("stage-operands", `load ${op.tensor}: whole pages are one box each`, op.loc);
  return layout;
}

/** Shared copies of dot operands: which tile lies in which buffer, valid in the block where it was written. */
export class Staging {
  readonly #buffers = new Map<number, { readonly buffer: string; readonly depth: number }>();

  /** Emits the copy of a load that only feeds dots, once. */
  copy(emitter: Emitter, op: LoadOp): string {
    const known = this.#buffers.get(op.result.id);
    if (known !== undefined) return known.buffer;
    const { type } = op.result;
    const layout = emitter.plan.boxed.has(op.result.id)
      ? boxesOf(emitter, op)
      : rowMajorShared(type.axes);
    const buffer = emitter.buffer(labelOf(op.result), type.dtype, layout.axes, layout);
    this.#buffers.set(op.result.id, { buffer, depth: emitter.depth });
    emitCopy(emitter, op, { buffer });
    return buffer;
  }

  /** Writes a tile from registers, in the outermost block where it is known and may be. */
  store(emitter: Emitter, value: Value, fast: Axis, loc: Location): string {
    const known = this.#buffers.get(value.id);
    if (known !== undefined) return known.buffer;
    const stored = valueIn(emitter, value, emitter.layoutOf(value), loc);
    const layout = registerOrder(stored, fast);
    const { dtype, axes } = value.type;
    const buffer = emitter.buffer(`${labelOf(value)}_shared`, dtype, axes, layout);
    const into: SharedRef = { buffer };
    const width = storeWidth(stored, layout);
    emitter.at(emitter.hoistDepth(emitter.depthOf(value)), () => {
      emitter.push({ kind: "shared_store", into, value: stored, width, loc });
      this.#buffers.set(value.id, { buffer, depth: emitter.depth });
    });
    const bytes = (elementCount(value.type) * DTYPES[dtype].bits) / 8;
    const message = `dot operand ${labelOf(value)}: ${bytes} bytes from registers to shared memory`;
    emitter.remark("stage-operands", message, loc);
    return buffer;
  }

  /** Forgets the tiles that were staged in the block at `depth`, which ends. */
  close(depth: number): void {
    for (const [id, staged] of this.#buffers) if (staged.depth === depth) this.#buffers.delete(id);
  }
}

/** Fastest axis of a buffer that is written from registers: the one along which threads hold runs, else `fast`. */
function registerOrder(value: SValue, fast: Axis): SharedLayout {
  const { axes } = value.type;
  const run = (axis: Axis): number =>
    value.layout === undefined ? 1 : contiguousRegisters(value.layout, axis.name);
  const longest = [...axes].sort((a, b) => run(b) - run(a))[0];
  // `fast` may be a longer axis of which the tile is a part: go by its name.
  const wanted = axes.find((axis) => axis.name === fast.name) ?? fast;
  const chosen = longest !== undefined && run(longest) > 1 ? longest : wanted;
  const order = [...axes.filter((axis) => axis.name !== chosen.name), chosen];
  const plain = rowMajorShared(order);
  const strides = axes.map(
    (axis) => plain.strides[order.findIndex((other) => other.name === axis.name)] ?? 1,
  );
  return { ...plain, axes, strides };
}

/** Elements of one shared-memory store: a run of registers along the buffer's fastest axis, 16 bytes at most. */
export function storeWidth(value: SValue, layout: SharedLayout): number {
  const fast = layout.axes.find((_, i) => layout.strides[i] === 1);
  if (value.layout === undefined || fast === undefined) return 1;
  const run = contiguousRegisters(value.layout, fast.name);
  let width = 128 / DTYPES[value.type.dtype].bits;
  while (width > 1 && (run % width !== 0 || fast.size % width !== 0)) width /= 2;
  return width;
}
