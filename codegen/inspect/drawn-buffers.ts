/** [codegen/inspect] The shared memory of a scheduled kernel: where each element lies, in which bank, and what conflicts each access has. Data only. */
import { DTYPES } from "../../dsl/index.ts";
import { accessesOf } from "../analysis/shared-access.ts";
import type { ScheduledKernel, SharedBuffer } from "../ir/scheduled.ts";
import { walkScheduled } from "../ir/visit-scheduled.ts";
import { BANK_BYTES, BANKS, bankConflicts, sharedOffset } from "../layout/shared-layout.ts";
import type { SourcePlace } from "./located-lines.ts";
import { tileWindow } from "./tile-window.ts";

export interface BankCell {
  readonly at: readonly number[];
  /** Bytes from the start of the slot. */
  readonly byte: number;
  readonly bank: number;
}

/** One kind of warp-wide access, by its first lanes. */
export interface BankAccess {
  /** Kind of the op: `copy`, `dot`, `shared_load` … */
  readonly op: string;
  readonly place?: SourcePlace;
  readonly lanes: number;
  readonly bytesPerLane: number;
  /** Transactions beyond the least possible. */
  readonly conflicts: number;
}

export interface DrawnBuffer {
  readonly name: string;
  readonly dtype: string;
  readonly stages: number;
  readonly strides: readonly number[];
  readonly swizzle?: { readonly bits: number; readonly base: number; readonly shift: number };
  readonly stageBytes: number;
  /** From the start of the block's shared memory. */
  readonly byteOffset?: number;
  readonly aliasOf?: string;
  readonly caption: string;
  readonly rows: readonly (readonly BankCell[])[];
  readonly accesses: readonly BankAccess[];
}

function drawAccesses(kernel: ScheduledKernel, buffer: SharedBuffer): readonly BankAccess[] {
  const bytes = DTYPES[buffer.dtype].bits / 8;
  const found = new Map<string, BankAccess>();
  walkScheduled(kernel.body, (op) => {
    const { file, line } = op.loc.span;
    for (const { lanes, width } of accessesOf(op, buffer)) {
      const addresses = lanes.map((at) => Math.floor(sharedOffset(buffer.layout, at) * bytes));
      const access: BankAccess = {
        op: op.kind,
        ...(line < 1 ? {} : { place: { file, line } }),
        lanes: lanes.length,
        bytesPerLane: width * bytes,
        conflicts: bankConflicts(addresses, width * bytes),
      };
      found.set(JSON.stringify(access), access);
    }
  });
  return [...found.values()];
}

function drawBuffer(kernel: ScheduledKernel, buffer: SharedBuffer): DrawnBuffer {
  const { layout, dtype, byteOffset, aliasOf } = buffer;
  const bytes = DTYPES[dtype].bits / 8;
  const window = tileWindow(layout.axes);
  const cell = (at: readonly number[]): BankCell => {
    const byte = Math.floor(sharedOffset(layout, at) * bytes);
    return { at, byte, bank: Math.floor(((byteOffset ?? 0) + byte) / BANK_BYTES) % BANKS };
  };
  return {
    name: buffer.name,
    dtype,
    stages: buffer.stages,
    strides: layout.strides,
    ...(layout.swizzle && { swizzle: layout.swizzle }),
    stageBytes: layout.stageElements * bytes,
    ...(byteOffset === undefined ? {} : { byteOffset }),
    ...(aliasOf === undefined ? {} : { aliasOf }),
    caption: window.caption,
    rows: window.rows.map((row) => row.map(cell)),
    accesses: drawAccesses(kernel, buffer),
  };
}

/** Every buffer, in the order of its place. */
export function drawnBuffers(kernel: ScheduledKernel): readonly DrawnBuffer[] {
  return [...kernel.shared]
    .sort((a, b) => (a.byteOffset ?? 0) - (b.byteOffset ?? 0))
    .map((buffer) => drawBuffer(kernel, buffer));
}
