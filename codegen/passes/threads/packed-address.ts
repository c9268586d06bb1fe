/** [codegen/passes/threads] Element offsets and masks in tensors that have an order of their own: by whole blocks, or of any single element. */
import { invariant } from "../../../dsl/index.ts";
import type { SIndex, SLoad, SValue } from "../../ir/scheduled.ts";
import type { Expr, RegType } from "../../ir/thread.ts";
import type { SteppedIter, SteppedLayout } from "../../layout/derive-order.ts";
import { blockElements, type PackedOrder, type Side } from "../../layout/packed-order.ts";
import { dimSize, findTensorParam, makeAddress, type TensorAddress } from "./address.ts";
import type { LoweringContext } from "./context.ts";
import { add, binary, both, cast, compare, constant, isInside, mul } from "./expr.ts";
import { coordinateOf, type Lin, linAdd, linScale, type Place, ZERO } from "./place.ts";
import { digitExpr, threadCoordinate } from "./thread-index.ts";

/** x divided by a constant, x not negative or a multiple of it. */
function over(x: Expr, by: number): Expr {
  if (by === 1) return x;
  if (x.kind === "const") return constant(Math.floor(x.value / by), x.type);
  const isPower = (by & (by - 1)) === 0;
  return isPower
    ? binary("shr", x, constant(Math.log2(by), x.type))
    : binary("floordiv", x, constant(by, x.type));
}

function modulo(x: Expr, by: number): Expr {
  if (by === 1) return constant(0);
  if (x.kind === "const") return constant(x.value % by, x.type);
  const isPower = (by & (by - 1)) === 0;
  return isPower
    ? binary("and", x, constant(by - 1, x.type))
    : binary("mod", x, constant(by, x.type));
}

/** Sizes of a packed tensor, each named once. */
export class PackedShape {
  readonly order: PackedOrder;
  readonly sizes: readonly Expr[];
  /** Type of offsets. */
  readonly type: RegType;
  /** Blocks of a row of blocks. */
  readonly across: Expr;
  readonly #ctx: LoweringContext;
  readonly #tensor: string;

  constructor(ctx: LoweringContext, tensor: string, order: PackedOrder) {
    this.#ctx = ctx;
    this.#tensor = tensor;
    this.order = order;
    this.sizes = findTensorParam(ctx, tensor).shape.map((dim) => dimSize(ctx, dim));
    this.across = this.#blocks(this.sizes.at(-1), order.block[1], "across");
    let elements = blockElements(order);
    for (const size of this.sizes) elements *= size.kind === "const" ? size.value : Infinity;
    this.type = ctx.options.wideOffsets && !(elements < 2 ** 31) ? "i64" : "i32";
  }

  #blocks(size: Expr | undefined, by: number, hint: string): Expr {
    if (size === undefined) return constant(1);
    const raised = add(size, constant(by - 1));
    return this.#ctx.w.bind(over(raised, by), `${this.#tensor}_${hint}`);
  }

  /** Elements from one matrix of the leading dims to the next: by dim, for all but the last two. */
  leadingStrides(): readonly Expr[] {
    const { w } = this.#ctx;
    const leading = this.sizes.slice(0, -2);
    if (leading.length === 0) return [];
    const down = this.#blocks(this.sizes.at(-2), this.order.block[0], "down");
    let stride = mul(mul(down, this.across), constant(blockElements(this.order)));
    const strides: Expr[] = [];
    for (const size of [...leading].reverse()) {
      strides.unshift(w.bind(stride, `${this.#tensor}_matrix`));
      stride = mul(stride, size);
    }
    return strides;
  }

  wide(a: Expr, b: Expr): Expr {
    return mul(cast(a, this.type), cast(b, this.type));
  }
}

/** Steps of the threads' digits: what they add to a place in a block, and to blocks along each side. */
interface ThreadSteps {
  readonly places: Expr;
  readonly blocks: Readonly<Record<Side, Expr>>;
}

function threadSteps(ctx: LoweringContext, walk: SteppedLayout): ThreadSteps {
  const { block } = ctx;
  let places = constant(0);
  const blocks = { row: constant(0), column: constant(0) };
  const lanes = Math.log2(block.warpSize);
  for (const [iters, from] of [
    [walk.lane, 0],
    [walk.warp, lanes],
  ] as const) {
    let shift = from;
    for (const { extent, axis, stride, step } of iters) {
      const digit = extent === 1 ? constant(0) : digitExpr({ shift, extent, axis, stride }, block);
      shift += Math.log2(extent);
      if (axis === null || extent === 1) continue;
      const moved = mul(digit, constant(step.count));
      if (step.kind === "places") places = add(places, moved);
      else blocks[step.side] = add(blocks[step.side], moved);
    }
  }
  return { places, blocks };
}

/** What the digits of a register loop add, likewise. */
function registerSteps(iters: readonly SteppedIter[], digits: readonly Lin[]) {
  let places = ZERO;
  const blocks = { row: ZERO, column: ZERO };
  iters.forEach(({ step }, i) => {
    const moved = linScale(digits[i] ?? ZERO, step.count);
    if (step.kind === "places") places = linAdd(places, moved);
    else blocks[step.side] = linAdd(blocks[step.side], moved);
  });
  return { places, blocks };
}

/** Offset and mask of the vector at a place of `walk.reg`. */
export interface BlockAddress {
  offset(digits: readonly Lin[]): Expr;
  mask(digits: readonly Lin[]): Expr | undefined;
}

/** The first index of a tile along a side: the start of a span, or a single index. */
function firstOf(index: SIndex): SValue {
  invariant(index.kind === "span" || index.kind === "at", () => "a gather walks no blocks");
  return index.kind === "span" ? index.start : index.value;
}

function startOf(ctx: LoweringContext, index: SIndex | undefined): Expr {
  return index === undefined ? constant(0) : ctx.named(firstOf(index));
}

/** True where all of a tile is proven to lie inside a dim. */
function isInDim(ctx: LoweringContext, op: SLoad, i: number, index: SIndex, size: Expr): boolean {
  const { ranges } = ctx;
  const value = firstOf(index);
  const length = index.kind === "span" ? index.axis.size : 1;
  const [least, most] = ranges.of(value);
  if (size.kind === "const") return least >= 0 && most + length <= size.value;
  const dim = findTensorParam(ctx, op.tensor).shape.at(i)?.name;
  return least >= 0 && dim !== undefined && ranges.staysBelowDim(value, length, dim);
}

/** A tile that begins at whole blocks: everything steps evenly. */
export function blockAddress(
  ctx: LoweringContext,
  op: SLoad,
  order: PackedOrder,
  walk: SteppedLayout,
): BlockAddress {
  const { w } = ctx;
  const { at, tensor } = op;
  const shape = new PackedShape(ctx, tensor, order);
  const size = blockElements(order);
  const rowStride = w.bind(mul(shape.across, constant(size)), `${tensor}_row`);
  const [rows, columns] = order.block;
  const starts = { row: startOf(ctx, at.at(-2)), column: startOf(ctx, at.at(-1)) };
  const first = add(mul(over(starts.row, rows), shape.across), over(starts.column, columns));
  const leading = shape
    .leadingStrides()
    .map((stride, d) => shape.wide(startOf(ctx, at[d]), stride));
  const threads = threadSteps(ctx, walk);
  const near = w.bindSum(
    [
      threads.places,
      mul(threads.blocks.column, constant(size)),
      mul(threads.blocks.row, rowStride),
    ],
    "i32",
    `${tensor}_at`,
  );
  const base = w.bindSum(
    [...leading, shape.wide(first, constant(size)), cast(near, shape.type)],
    shape.type,
    `${tensor}_at`,
  );
  const steps = (digits: readonly Lin[]) => registerSteps(walk.reg, digits);
  return {
    offset: (digits) => {
      const { places, blocks } = steps(digits);
      const inRow = w.index(linAdd(places, linScale(blocks.column, size)));
      const moved = add(inRow, mul(w.index(blocks.row), rowStride));
      return add(base, cast(moved, shape.type));
    },
    mask: (digits) => {
      const { blocks } = steps(digits);
      const along = (side: Side, block: number): Expr =>
        add(mul(threads.blocks[side], constant(block)), w.index(linScale(blocks[side], block)));
      const inner = { row: along("row", rows), column: along("column", columns) };
      return at.reduce<Expr | undefined>((all, index, d) => {
        const bound = shape.sizes[d] ?? constant(1);
        if (isInDim(ctx, op, d, index, bound)) return all;
        const side = d === at.length - 1 ? "column" : d === at.length - 2 ? "row" : undefined;
        const position = add(startOf(ctx, index), side === undefined ? constant(0) : inner[side]);
        const isNatural = ctx.ranges.of(firstOf(index))[0] >= 0;
        return both(all, isNatural ? compare("lt", position, bound) : isInside(position, bound));
      }, undefined);
    },
  };
}

/** The index of one element along a dim, at a place of the tile's registers. */
function coordinateAt(ctx: LoweringContext, op: SLoad, index: SIndex): (place: Place) => Expr {
  const { layout } = op.result;
  switch (index.kind) {
    case "at": {
      const value = ctx.named(index.value);
      return () => value;
    }
    case "span": {
      const axis = index.axis.name;
      const thread =
        layout === undefined ? constant(0) : threadCoordinate(ctx.w, layout, axis, ctx.block);
      const start = ctx.w.bind(add(ctx.named(index.start), thread), "position");
      return (place) => add(start, ctx.w.index(coordinateOf(place, axis)));
    }
    case "gather":
      ctx.settle(index.index);
      return (place) => ctx.read(index.index, place);
    case "pages":
      invariant(false, () => `${op.tensor} is read by pages, which no copy does`);
      break;
    default:
      return index satisfies never;
  }
}

/** Place of an element in its block, from its row and column. */
function placeInBlock(order: PackedOrder, at: Readonly<Record<Side, Expr>>): Expr {
  let weight = 1;
  let place = constant(0);
  for (const { extent, side, stride } of order.digits) {
    const digit = modulo(over(at[side], stride), extent);
    place = add(place, mul(digit, constant(weight)));
    weight *= extent;
  }
  return place;
}

/** Any element of a packed tensor by itself: its row and column are taken apart into digits. */
export function elementAddress(
  ctx: LoweringContext,
  op: SLoad,
  order: PackedOrder,
  mask: SValue | undefined,
): TensorAddress {
  const { at, tensor, result } = op;
  const { layout } = result;
  const shape = new PackedShape(ctx, tensor, order);
  const strides = shape.leadingStrides();
  const coordinates = at.map((index) => coordinateAt(ctx, op, index));
  const plain = makeAddress(ctx, {
    tensor,
    at,
    iters: layout?.reg ?? [],
    ...(mask === undefined ? {} : { mask }),
    ...(layout === undefined ? { isTrusted: true } : { layout }),
  });
  const [rows, columns] = order.block;
  return {
    mask: (place) => plain.mask(place),
    offset: (place) => {
      const row = coordinates.at(-2)?.(place) ?? constant(0);
      const column = coordinates.at(-1)?.(place) ?? constant(0);
      const block = add(mul(over(row, rows), shape.across), over(column, columns));
      const inBlock = placeInBlock(order, { row, column });
      const start = shape.wide(block, constant(blockElements(order)));
      return strides.reduce(
        (sum, stride, d) => add(sum, shape.wide(coordinates[d]?.(place) ?? constant(0), stride)),
        add(start, cast(inBlock, shape.type)),
      );
    },
  };
}
