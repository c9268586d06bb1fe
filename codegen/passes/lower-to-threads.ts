/** [codegen/passes] Lowers a scheduled kernel to what one thread does. Reads scheduled IR, writes thread IR; runs after the last scheduling pass, before the clean-up of thread IR. */
import { storageBytes } from "../../dsl/index.ts";
import { findEarly } from "../analysis/early-loads.ts";
import type { SBlock, ScheduledKernel, SDot, SharedBuffer, SOp } from "../ir/scheduled.ts";
import type { Stmt, ThreadKernel, ThreadShared } from "../ir/thread.ts";
import { lowerArgReduce } from "./threads/arg-reduce.ts";
import { LoweringContext, type ThreadLoweringOptions } from "./threads/context.ts";
import { lowerFor, lowerIf, lowerWhile } from "./threads/control-flow.ts";
import { lowerConvert, lowerRelabel } from "./threads/convert.ts";
import { lowerFmaDot } from "./threads/dot-fma.ts";
import { lowerMatrixDot } from "./threads/dot-matrix.ts";
import { lowerMmaDot } from "./threads/dot-mma.ts";
import { lowerDotWait, lowerWgmmaDot } from "./threads/dot-wgmma.ts";
import { lowerElementwise } from "./threads/elementwise.ts";
import { compare, constant, special } from "./threads/expr.ts";
import { lowerAtomic, lowerLoad, lowerStore } from "./threads/global-access.ts";
import { lowerPackedLoad } from "./threads/packed-load.ts";
import { lowerPackPairs, lowerQuads, lowerVote } from "./threads/pairs.ts";
import { lowerSendTile, lowerTakeTile } from "./threads/peer-tile.ts";
import { lowerFetch, lowerNextProgram, lowerPost, lowerProgramsDone } from "./threads/programs.ts";
import { lowerReduce } from "./threads/reduce.ts";
import {
  lowerClusterBarrier,
  lowerMbarrierArrive,
  lowerMbarrierExpect,
  lowerMbarrierInit,
  lowerMbarrierWait,
  lowerRoles,
  WARPGROUP,
  waitForPrevious,
} from "./threads/roles.ts";
import { lowerScan } from "./threads/scan.ts";
import { lowerCopy, lowerSharedLoad, lowerSharedStore } from "./threads/shared-access.ts";
import { lowerStorePairs } from "./threads/store-pairs.ts";
import { lowerTensorCopy } from "./threads/tensor-copy.ts";
import { lowerTensorStore } from "./threads/tensor-store.ts";

export type { ThreadLoweringOptions } from "./threads/context.ts";

function lowerOps(ctx: LoweringContext, ops: readonly SOp[]): void {
  for (const op of ops) {
    ctx.w.loc = op.loc;
    lowerOp(ctx, op);
  }
}

function lowerBlock(ctx: LoweringContext, block: SBlock): void {
  lowerOps(ctx, block.ops);
}

function lowerDot(ctx: LoweringContext, op: SDot): void {
  const { kind } = op.instruction;
  switch (kind) {
    case "fma":
      lowerFmaDot(ctx, op);
      return;
    case "mma.sync":
      lowerMmaDot(ctx, op);
      return;
    case "matrix":
      lowerMatrixDot(ctx, op);
      return;
    case "wgmma":
      lowerWgmmaDot(ctx, op);
      return;
    default:
      kind satisfies never;
  }
}

function lowerOp(ctx: LoweringContext, op: SOp) {
  const inner = (block: SBlock): void => lowerBlock(ctx, block);
  switch (op.kind) {
    case "reduce":
      return lowerReduce(ctx, op);
    case "arg_reduce":
      return lowerArgReduce(ctx, op);
    case "scan":
      return lowerScan(ctx, op);
    case "relabel":
      return lowerRelabel(ctx, op);
    case "convert":
      return lowerConvert(ctx, op);
    case "load":
      return op.packed === undefined ? lowerLoad(ctx, op) : lowerPackedLoad(ctx, op);
    case "store":
      if (op.pairs === true) return lowerStorePairs(ctx, op);
      return op.panels === undefined ? lowerStore(ctx, op) : lowerTensorStore(ctx, op, op.panels);
    case "atomic":
      return lowerAtomic(ctx, op);
    case "copy":
      return op.via === "tma" ? lowerTensorCopy(ctx, op) : lowerCopy(ctx, op);
    case "commit":
      return ctx.w.emit({ kind: "commit_async" });
    case "wait":
      return ctx.w.emit({ kind: "wait_async", pending: op.pending });
    case "barrier":
      return ctx.barrier();
    case "mbarrier_init":
      return lowerMbarrierInit(ctx, op);
    case "mbarrier_wait":
      return lowerMbarrierWait(ctx, op);
    case "mbarrier_arrive":
      return lowerMbarrierArrive(ctx, op);
    case "mbarrier_expect":
      return lowerMbarrierExpect(ctx, op);
    case "send_tile":
      return lowerSendTile(ctx, op);
    case "take_tile":
      return lowerTakeTile(ctx, op);
    case "wait_previous":
      return waitForPrevious(ctx);
    case "cluster_barrier":
      return lowerClusterBarrier(ctx);
    case "dot_wait":
      return lowerDotWait(ctx, op);
    case "next_program":
      return lowerNextProgram(ctx, op);
    case "programs_done":
      return lowerProgramsDone(ctx, op);
    case "post":
      return lowerPost(ctx, op);
    case "fetch":
      return lowerFetch(ctx, op);
    case "pack_pairs":
      return lowerPackPairs(ctx, op);
    case "trade_quads":
    case "pack_quads":
      return lowerQuads(ctx, op);
    case "vote":
      return lowerVote(ctx, op);
    case "roles":
      return lowerRoles(ctx, op, inner);
    case "shared_load":
      return lowerSharedLoad(ctx, op);
    case "shared_store":
      return lowerSharedStore(ctx, op);
    case "dot":
      return lowerDot(ctx, op);
    case "for":
      return lowerFor(ctx, op, inner);
    case "while":
      return lowerWhile(ctx, op, inner);
    case "if":
      return lowerIf(ctx, op, inner);
    default:
      return lowerElementwise(ctx, op);
  }
}

function bufferEnd(buffer: ThreadShared): number {
  return buffer.byteOffset + storageBytes(buffer.dtype, buffer.elements);
}

/** Buffers with their places; those that no pass has placed follow one another. A view has the place and all bytes of what it views. */
function placeBuffers(buffers: readonly SharedBuffer[]): readonly ThreadShared[] {
  let next = 0;
  const owners = new Map<string, ThreadShared>();
  const owned = (buffer: SharedBuffer): ThreadShared => {
    const { name, dtype, stages, layout, byteOffset } = buffer;
    const elements = stages * layout.stageElements;
    const placed = { name, dtype, elements, byteOffset: byteOffset ?? next };
    next = Math.max(next, Math.ceil(bufferEnd(placed) / 16) * 16);
    owners.set(name, placed);
    return placed;
  };
  return buffers.map((buffer) => {
    // Slots of a view may lie within one another: chunks of rows that go on behind the last one.
    const owner = buffer.aliasOf === undefined ? undefined : owners.get(buffer.aliasOf);
    return owner === undefined ? owned(buffer) : { ...owner, name: buffer.name };
  });
}

/** Tensor maps lie in global memory: their first use would wait for them. */
function prefetchMaps({ maps }: LoweringContext): readonly Stmt[] {
  if (maps.length === 0) return [];
  const fetches = maps.map(({ name }): Stmt => {
    return { kind: "call", fn: "tma_prefetch", args: [{ kind: "map", map: name }] };
  });
  const cond = compare("eq", special("thread"), constant(0));
  // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
  return [{ kind: "if", cond, uniform: false, then: fetches, else: [] }];
}

/** @throws InternalError TW9001 where the schedule breaks what scheduled.ts promises */
export function lowerToThreads(
  kernel: ScheduledKernel,
  options: ThreadLoweringOptions,
): ThreadKernel {
  const ctx = new LoweringContext(kernel, options);
  const hasRoles = kernel.body.ops.some((op) => op.kind === "roles");
  const { ops } = kernel.body;
  const early = hasRoles || options.dependentLaunch !== true ? 0 : findEarly(ops).count;
  if (options.dependentLaunch === true)
    ctx.w.emit({ kind: "call", fn: "launch_dependents", args: [] });
  lowerOps(ctx, ops.slice(0, early));
  if (!hasRoles) waitForPrevious(ctx);
  lowerOps(ctx, ops.slice(early));
  const shared = placeBuffers(kernel.shared);
  return {
    name: kernel.name,
    params: kernel.params,
    dims: kernel.dims,
    fixedDims: kernel.fixedDims,
    threads: kernel.numWarps * kernel.warpSize + (hasRoles ? WARPGROUP : 0),
    warpSize: kernel.warpSize,
    shared,
    sharedBytes: Math.max(0, ...shared.map((b) => Math.ceil(bufferEnd(b) / 16) * 16)),
    maps: ctx.maps,
    cluster: kernel.cluster ?? 1,
    persistent: hasRoles,
    counted: ctx.isCounted,
    body: [...prefetchMaps(ctx), ...ctx.w.finish()],
  };
}
