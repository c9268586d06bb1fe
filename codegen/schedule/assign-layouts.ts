/** [codegen/schedule] Gives every tile a layout: anchors first (dots, scans, wide memory accesses), then along the edges. Total: what nothing reaches gets a blocked layout. */
import {
  type Axis,
  DTYPES,
  elementCount,
  isScalar,
  type Op,
  results,
  type TensorParam,
  type TileKernel,
  type Value,
  walkBlocks,
  walkOps,
} from "../../dsl/index.ts";
import { accessWidth } from "../analysis/access-width.ts";
import type { IntegerAnalysis } from "../analysis/integer-facts.ts";
import {
  balancedWidth,
  blockedLayout,
  runLayout,
  sliceLayout,
  type ThreadShape,
} from "../layout/blocked-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { canonicalLayout, powerOfTwoPart } from "../layout/register-layout.ts";
import type { DotPlan } from "./choose-dots.ts";
import { type LayoutEdge, layoutEdges, withAxes } from "./layout-edges.ts";

export interface LayoutRequest {
  readonly kernel: TileKernel;
  readonly threads: ThreadShape;
  readonly dots: ReadonlyMap<number, DotPlan>;
  /** Ids of loads that only feed dots through shared memory: they are never in registers. */
  readonly staged: ReadonlySet<number>;
  readonly facts: IntegerAnalysis;
  readonly divisibility: Readonly<Record<string, number>>;
  /** Tensors whose order in memory follows the layout in which they are read, not the other way round. */
  readonly free?: ReadonlySet<string>;
  /** Layouts of loads, by id, in which memory of another order than row-major is read best. */
  readonly anchored?: ReadonlyMap<number, RegisterLayout>;
}

interface Anchor {
  readonly value: Value;
  readonly layout: () => RegisterLayout;
  readonly weight: number;
}

/** How much more an access counts for each loop around it. */
const LOOP_FACTOR = 8;

function findTensorParam(kernel: TileKernel, name: string): TensorParam | undefined {
  const param = kernel.params.find((candidate) => candidate.name === name);
  return param?.kind === "tensor" ? param : undefined;
}

/**
 * Coalesced layout of a tile that a load or store moves: vectors along the tensor's last dim where it is walked by a span.
 * @param run elements along the fastest axis that a thread should hold together, where more than a vector is wanted
 */
export function memoryLayout(
  tensor: TensorParam | undefined,
  op: Extract<Op, { kind: "load" | "store" | "atomic" }>,
  tile: Value,
  request: Pick<LayoutRequest, "threads" | "facts" | "divisibility">,
  run = 1,
): RegisterLayout {
  const { threads, facts, divisibility } = request;
  const { axes } = tile.type;
  const walked = [...op.at].reverse().flatMap((index) => {
    if (index.kind === "span") return [index.axis.name];
    return index.kind === "gather" ? index.index.type.axes.map((axis) => axis.name).reverse() : [];
  });
  const order = [...new Set(walked)];
  const verdict =
    tensor === undefined
      ? { width: 1, aligned: 1 }
      : accessWidth(tensor, op.at, op.mask, facts, divisibility);
  const size = axes.find((axis) => axis.name === order[0])?.size ?? 1;
  // Two elements of a byte go to one thread.
  const halves = DTYPES[tile.type.dtype].bits === 4 && verdict.aligned > 1 ? 2 : 1;
  const most = Math.max(verdict.width, halves);
  const balanced = Math.max(halves, balancedWidth(elementCount(tile.type), size, most, threads));
  const width = run > balanced && size % run === 0 ? run : balanced;
  return blockedLayout({ axes, order, width, threads });
}

/** Registers up to which each warp holds a whole row of what is loaded early. */
const MAX_OWN = 8;

/**
 * Axes of rows that are loaded before the launch before has ended, as lengths and counts are: all that the block does waits for what is summed
 * over them, so each warp holds them whole and sums for itself, and none waits for another.
 */
function findOwnAxes(kernel: TileKernel, { warpSize }: ThreadShape): ReadonlySet<string> {
  const own = new Set<string>();
  walkOps(kernel.body, (op) => {
    if (op.kind !== "load" || op.hints?.when !== "early") return;
    const [axis, ...others] = op.result.type.axes;
    if (axis === undefined || others.length > 0) return;
    if (axis.size <= MAX_OWN * warpSize) own.add(axis.name);
  });
  return own;
}

/** The layout that `make` gives for one warp, in each warp alike, where a tile is a row along one of `own`. */
function inWarps(
  axes: readonly Axis[],
  own: ReadonlySet<string>,
  threads: ThreadShape,
  make: (threads: ThreadShape) => RegisterLayout,
): RegisterLayout {
  const [axis, ...others] = axes;
  if (axis === undefined || others.length > 0 || !own.has(axis.name)) return make(threads);
  const { numWarps } = threads;
  const warp = [{ extent: numWarps, axis: null, stride: 0 }];
  return canonicalLayout({ ...make({ ...threads, numWarps: 1 }), warp });
}

/** Longest part of a split axis that threads should hold whole. */
const MAX_RUN = 32;

/** For each load whose fastest axis is split: the size of the innermost part, so that sums over it stay inside a thread. */
function findRuns(kernel: TileKernel): ReadonlyMap<number, number> {
  const runs = new Map<number, number>();
  const sources = new Map<number, Value>();
  walkOps(kernel.body, (op) => {
    if (op.kind === "cast") sources.set(op.result.id, sources.get(op.x.id) ?? op.x);
    if (op.kind !== "split" || op.x.type.axes.at(-1)?.name !== op.axis) return;
    const inner = op.result.type.axes.at(-1)?.size ?? 1;
    if (inner <= MAX_RUN) runs.set((sources.get(op.x.id) ?? op.x).id, inner);
  });
  return runs;
}

/** Layout of a tile that no access says anything about: last axis fastest, all threads used. */
export function defaultLayout(value: Value, threads: ThreadShape): RegisterLayout {
  const { axes, dtype } = value.type;
  const size = axes.at(-1)?.size ?? 1;
  const most = Math.min(powerOfTwoPart(size), Math.max(1, 128 / DTYPES[dtype].bits));
  const width = balancedWidth(elementCount(value.type), size, most, threads);
  return blockedLayout({ axes, order: [], width, threads });
}

class Assignment {
  readonly layouts = new Map<number, RegisterLayout>();
  readonly #edges = new Map<number, LayoutEdge[]>();
  readonly #guesses: (readonly [LayoutEdge, RegisterLayout])[] = [];

  constructor(kernel: TileKernel) {
    walkOps(kernel.body, (op) => {
      for (const edge of layoutEdges(op)) {
        if (isScalar(edge.from.type) || isScalar(edge.to.type)) continue;
        const list = this.#edges.get(edge.from.id);
        if (list === undefined) this.#edges.set(edge.from.id, [edge]);
        else list.push(edge);
      }
    });
  }

  /** Gives `value` a layout unless it has one, and everything that follows from it; guesses follow at once or wait. */
  assign(value: Value, layout: RegisterLayout, guess: "now" | "later"): void {
    const queue: (readonly [Value, RegisterLayout])[] = [[value, layout]];
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      const [target, wanted] = item;
      if (isScalar(target.type) || this.layouts.has(target.id)) continue;
      const canonical = canonicalLayout(withAxes(wanted, target));
      this.layouts.set(target.id, canonical);
      for (const edge of this.#edges.get(target.id) ?? []) {
        if (this.layouts.has(edge.to.id)) continue;
        if (edge.isGuess && guess === "later") {
          this.#guesses.push([edge, canonical]);
          continue;
        }
        const mapped = edge.map(canonical);
        if (mapped !== undefined) queue.push([edge.to, mapped]);
      }
    }
  }

  /** Follows the guesses that waited. */
  settle(): void {
    for (const [edge, layout] of this.#guesses.splice(0)) {
      const mapped = edge.map(layout);
      if (mapped !== undefined) this.assign(edge.to, mapped, "now");
    }
  }
}

function dotAnchors(kernel: TileKernel, request: LayoutRequest): readonly Anchor[] {
  const anchors: Anchor[] = [];
  const own = findOwnAxes(kernel, request.threads);
  walkOps(kernel.body, (op) => {
    if (op.kind === "dot") {
      const plan = request.dots.get(op.result.id);
      if (plan === undefined) return;
      const weight = 2 * elementCount(op.result.type);
      anchors.push({ value: op.result, layout: () => plan.accumulator, weight });
    } else if (op.kind === "scan") {
      const { axes } = op.x.type;
      const layout = (): RegisterLayout =>
        inWarps(axes, own, request.threads, (threads) => runLayout(axes, op.axis, threads));
      anchors.push({ value: op.x, layout, weight: elementCount(op.x.type) });
    }
  });
  return anchors;
}

function operandAnchors(kernel: TileKernel, request: LayoutRequest): readonly Anchor[] {
  const anchors: Anchor[] = [];
  walkOps(kernel.body, (op) => {
    if (op.kind !== "dot") return;
    const plan = request.dots.get(op.result.id);
    const sides = [
      [op.a, plan?.registerA],
      [op.b, plan?.registerB],
    ] as const;
    for (const [value, layout] of sides) {
      if (layout === undefined || request.staged.has(value.id)) continue;
      anchors.push({ value, layout: () => layout, weight: elementCount(value.type) });
    }
  });
  return anchors;
}

/** Gather indices and mask of an access. */
function addressTiles(op: Extract<Op, { kind: "load" | "store" | "atomic" }>): readonly Value[] {
  const indices = op.at.flatMap((index) => (index.kind === "gather" ? [index.index] : []));
  return op.mask === undefined ? indices : [...indices, op.mask];
}

function sliced(layout: () => RegisterLayout, value: Value): () => RegisterLayout {
  return () => sliceLayout(layout(), value.type.axes);
}

function memoryAnchors(kernel: TileKernel, request: LayoutRequest): readonly Anchor[] {
  const anchors: Anchor[] = [];
  const runs = findRuns(kernel);
  const own = findOwnAxes(kernel, request.threads);
  walkOps(kernel.body, (op, depth) => {
    if (op.kind !== "load" && op.kind !== "store" && op.kind !== "atomic") return;
    const tile = op.kind === "load" ? op.result : op.value;
    if (isScalar(tile.type)) return;
    const tensor = findTensorParam(kernel, op.tensor);
    const copied = request.staged.has(tile.id);
    // Streamed once: worth the best layout where sizes are equal.
    const streamed = op.kind === "load" && op.hints?.evict === "first" ? 1.5 : 1;
    const bytes = (elementCount(tile.type) * DTYPES[tile.type.dtype].bits) / 8;
    const weight = bytes * streamed * LOOP_FACTOR ** depth;
    const run = runs.get(tile.id) ?? 1;
    const layout = (): RegisterLayout =>
      inWarps(tile.type.axes, own, request.threads, (threads) =>
        memoryLayout(tensor, op, tile, { ...request, threads }, run),
      );
    const given = request.anchored?.get(tile.id);
    if (given !== undefined) anchors.push({ value: tile, layout: () => given, weight });
    else if (request.free?.has(op.tensor)) return;
    else if (!copied) anchors.push({ value: tile, layout, weight });
    else
      for (const value of addressTiles(op))
        anchors.push({ value, weight, layout: sliced(layout, value) });
  });
  return anchors;
}

function allTiles(kernel: TileKernel): readonly Value[] {
  const tiles: Value[] = [];
  walkBlocks(kernel.body, (block) => {
    tiles.push(...block.params);
    for (const op of block.ops) tiles.push(...results(op));
  });
  return tiles.filter((value) => !isScalar(value.type));
}

/** Sorted by weight, heaviest first; the order of the text breaks ties. */
function byWeight(anchors: readonly Anchor[]): readonly Anchor[] {
  return [...anchors].sort((a, b) => b.weight - a.weight);
}

/**
 * A layout for every tile, by value id. They are wishes of equal standing: the emitter converts where an op's values
 * ended up with layouts that do not go together.
 */
export function assignLayouts(request: LayoutRequest): ReadonlyMap<number, RegisterLayout> {
  const { kernel } = request;
  const assignment = new Assignment(kernel);
  const dots = [
    ...byWeight(dotAnchors(kernel, request)),
    ...byWeight(operandAnchors(kernel, request)),
  ];
  for (const anchor of dots) assignment.assign(anchor.value, anchor.layout(), "later");
  for (const anchor of byWeight(memoryAnchors(kernel, request)))
    assignment.assign(anchor.value, anchor.layout(), "now");
  assignment.settle();
  const rest = allTiles(kernel).filter((value) => !request.staged.has(value.id));
  const bySize = [...rest].sort((a, b) => elementCount(b.type) - elementCount(a.type));
  for (const value of bySize)
    assignment.assign(value, defaultLayout(value, request.threads), "now");
  return assignment.layouts;
}
