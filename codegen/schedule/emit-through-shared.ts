/** [codegen/schedule] Tiles of bytes on their way to registers by shared memory, where copies of later trips run ahead of what reads them. */
import { DTYPES, type Op } from "../../dsl/index.ts";
import type { SValue } from "../ir/scheduled.ts";
import { rowMajorShared } from "../layout/shared-layout.ts";
import { hasFeature } from "../passes/pass.ts";
import { encodeConstant } from "../text/constant-bits.ts";
import { emitCopy } from "./emit-memory.ts";
import { storeWidth } from "./emit-staging.ts";
import { type Emitter, labelOf } from "./emitter.ts";

type LoadOp = Extract<Op, { kind: "load" }>;

/** Bytes that one asynchronous copy moves at least. */
const LEAST_COPY = 4;

/**
 * True for a load of bytes in a loop with stages whose addresses come from a table: it cannot run ahead in registers, which would have to
 * hold the table of one trip and the tile of another, while a copy can. Wider elements that a dot takes are copied for the dot.
 * @param stages of the innermost loop around the load
 */
export function goesThroughShared(emitter: Emitter, op: LoadOp, stages: number): boolean {
  const { dtype } = op.result.type;
  const isAddressed = op.at.some((index) => {
    if (index.kind !== "gather") return false;
    const definition = emitter.definitionOf(index.index);
    return definition?.kind === "op" && definition.op.kind === "load";
  });
  return (
    stages > 1 &&
    DTYPES[dtype].bits === 8 &&
    isAddressed &&
    emitter.plan.orders[op.tensor] === undefined &&
    emitter.tensor(op.tensor).access === "in" &&
    hasFeature(emitter.plan.context, "cp.async") &&
    op.hints?.via !== "ldg" &&
    encodeConstant(op.fill, dtype) === 0
  );
}

/** Where a box of a tensor map may begin. @source PTX ISA, "cp.async.bulk.tensor" */
const BOX_BYTES = 128;

/** A load that a box of a tensor map brings to a slot, from which threads read it. */
export function emitByBoxes(emitter: Emitter, op: LoadOp, result: SValue): SValue {
  const { dtype, axes } = op.result.type;
  const layout = rowMajorShared(axes, { align: (BOX_BYTES * 8) / DTYPES[dtype].bits });
  const buffer = emitter.buffer(labelOf(op.result), dtype, layout.axes, layout);
  emitCopy(emitter, op, { buffer });
  const width = storeWidth(result, layout);
  emitter.push({ kind: "shared_load", result, from: { buffer }, width, loc: op.loc });
  return result;
}

/** Emits such a load: a copy, and the read of what was copied, in the layout of `result`. Undefined where threads hold runs too short for a copy. */
export function emitThroughShared(
  emitter: Emitter,
  op: LoadOp,
  result: SValue,
): SValue | undefined {
  const { dtype, axes } = op.result.type;
  const layout = rowMajorShared(axes);
  const width = storeWidth(result, layout);
  if ((width * DTYPES[dtype].bits) / 8 < LEAST_COPY) return undefined;
  const buffer = emitter.buffer(labelOf(op.result), dtype, layout.axes, layout);
  emitCopy(emitter, op, { buffer });
  emitter.push({ kind: "shared_load", result, from: { buffer }, width, loc: op.loc });
  return result;
}
