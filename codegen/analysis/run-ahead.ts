/** [codegen/analysis] Which copies of a loop may run some trips ahead, and what of its body they need. The loop is rewritten by pipeline-loads. */
import type { Location } from "../../dsl/index.ts";
import type { SBlock, ScheduledKernel, SOp, SValue } from "../ir/scheduled.ts";
import { scheduledOperands } from "../ir/visit-scheduled.ts";
import { backwardSlice } from "./backward-slice.ts";

export type ForOp = Extract<SOp, { kind: "for" }>;
export type CopyOp = Extract<SOp, { kind: "copy" }>;
export type LoadOp = Extract<SOp, { kind: "load" }>;

/** Copies that may run ahead, and the ops of the body that their addresses need, each list in order. */
export interface Ahead {
  readonly copies: readonly CopyOp[];
  /** All ops that the addresses need. */
  readonly slice: readonly SOp[];
  /** Tiles that the addresses are made of, such as page tables: worth loading one trip before the copies. */
  readonly tables: readonly LoadOp[];
  /** Ops that the tables need, themselves included. */
  readonly tableSlice: readonly SOp[];
  /** Ops that the copies need once the tables are there. */
  readonly rest: readonly SOp[];
}

/** Ops that may be computed for a later trip: pure, without shared memory, or loads of tensors that nothing writes. */
function mayRunAhead(op: SOp, readOnly: ReadonlySet<string>): boolean {
  switch (op.kind) {
    case "load":
      return readOnly.has(op.tensor);
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "convert":
      return op.scratch === undefined;
    case "store":
    case "atomic":
    case "copy":
    case "commit":
    case "wait":
    case "barrier":
    case "shared_load":
    case "shared_store":
    case "dot":
    case "for":
    case "while":
    case "if":
      return false;
    default:
      return true;
  }
}

interface Slice {
  readonly ops: readonly SOp[];
  /** Ids that the ops, and what they are needed for, read. */
  readonly reads: ReadonlySet<number>;
}

/** The ops of a body that `roots` depend on, as if `given` were there already. */
function sliceOf(body: SBlock, roots: readonly SOp[], given: ReadonlySet<number>): Slice {
  const reads = new Set(roots.flatMap((op) => scheduledOperands(op).map((value) => value.id)));
  return { ops: backwardSlice(body.ops, reads, given), reads };
}

const NOTHING: ReadonlySet<number> = new Set();

/** What keeps a copy from running ahead, or undefined where it may. */
function obstacle(copy: CopyOp, body: SBlock, readOnly: ReadonlySet<string>): string | undefined {
  if (copy.via !== "cp.async") return "it is not asynchronous";
  if (!readOnly.has(copy.tensor)) return `${copy.tensor} is written by the kernel`;
  const slice = sliceOf(body, [copy], NOTHING);
  const stuck = slice.ops.find((op) => !mayRunAhead(op, readOnly));
  if (stuck !== undefined) return `its address needs a ${stuck.kind} of the same trip`;
  const late = body.params.slice(1).find((value: SValue) => slice.reads.has(value.id));
  return late === undefined ? undefined : `its address needs ${late.name} of the trip before`;
}

/** Loads of tiles in a slice that need no other load. */
function findTables(slice: readonly SOp[], body: SBlock): readonly LoadOp[] {
  return slice.flatMap((op) => {
    if (op.kind !== "load" || op.result.layout === undefined) return [];
    const own = sliceOf(body, [op], NOTHING).ops;
    return own.some((inner) => inner.kind === "load") ? [] : [op];
  });
}

/** @param remark told of each copy that stays where it is, and why */
export function findAhead(
  op: ForOp,
  kernel: ScheduledKernel,
  remark: (message: string, loc: Location) => void,
): Ahead {
  const { body } = op;
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const copies = body.ops.flatMap((inner) => {
    if (inner.kind !== "copy") return [];
    const why = obstacle(inner, body, readOnly);
    if (why !== undefined) remark(`copy of ${inner.tensor} does not run ahead: ${why}`, inner.loc);
    return why === undefined ? [inner] : [];
  });
  const slice = sliceOf(body, copies, NOTHING).ops;
  const tables = findTables(slice, body);
  const given = new Set(tables.map((table) => table.result.id));
  const before = new Set([...sliceOf(body, tables, NOTHING).ops, ...tables]);
  return {
    copies,
    slice,
    tables,
    tableSlice: body.ops.filter((inner) => before.has(inner)),
    rest: sliceOf(body, copies, given).ops,
  };
}

/**
 * Loads of tiles to registers that may run ahead: of tensors that nothing writes, at addresses that need neither the trip before nor
 * another load. Those that make up addresses of copies are left to the copies.
 */
export function findEarlyLoads(
  op: ForOp,
  kernel: ScheduledKernel,
  ahead: Ahead,
  wants: (load: LoadOp) => boolean,
): { readonly loads: readonly LoadOp[]; readonly slice: readonly SOp[] } {
  const { body } = op;
  const readOnly = new Set(
    kernel.params.flatMap((p) => (p.kind === "tensor" && p.access === "in" ? [p.name] : [])),
  );
  const carried = new Set(body.params.slice(1).map((value) => value.id));
  const addressed = new Set<SOp>(ahead.slice);
  const loads = body.ops.flatMap((inner) => {
    if (inner.kind !== "load" || inner.result.layout === undefined) return [];
    if (addressed.has(inner) || !readOnly.has(inner.tensor) || !wants(inner)) return [];
    const { ops, reads } = sliceOf(body, [inner], NOTHING);
    const isFree = ops.every((part) => part.kind !== "load" && mayRunAhead(part, readOnly));
    return isFree && ![...reads].some((id) => carried.has(id)) ? [inner] : [];
  });
  const needed = new Set<SOp>([...sliceOf(body, loads, NOTHING).ops, ...loads]);
  return { loads, slice: body.ops.filter((inner) => needed.has(inner)) };
}
