/** [codegen/schedule] Whether a kernel's main loop can be split between warps that copy and warps that multiply: the tests, and why one fails. Builds nothing. */
import {
  DTYPES,
  type DType,
  definitions,
  type Op,
  type Schedule,
  type TileKernel,
  walkOps,
} from "../../dsl/index.ts";
import { findUses } from "../analysis/tile-uses.ts";
import { isWgmmaColumns, isWgmmaType } from "../ir/instructions.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";
import { type DotShape, dotShape } from "./dot-forms.ts";
import { addressObstacle, boxObstacle, isAddressOp, MOST_BOX } from "./find-boxes.ts";
import { examineChain } from "./find-role-chain.ts";
import {
  type Found,
  findLoad,
  isSideOp,
  MOST_CONSUMERS,
  mostAccumulators,
  mostColumns,
  ROWS,
  type RoleLoop,
  ringObstacle,
} from "./role-loop.ts";
import { answer, remarkNoRoles, wishesOf } from "./wishes.ts";

type DotOp = Extract<Op, { kind: "dot" }>;
type ForOp = Extract<Op, { kind: "for" }>;
type LoadOp = Extract<Op, { kind: "load" }>;

/** Registers that a thread's accumulators take for each element: sums of 8-bit floats are kept twice. */
function accumulatorCost(dtype: DType): number {
  return DTYPES[dtype].bits === 8 && DTYPES[dtype].kind === "float" ? 2 : 1;
}

/** Why so many warpgroups cannot share out `rows` × `columns`: each takes whole products, whose accumulators its registers hold. */
function groupsObstacle(
  rows: number,
  columns: number,
  cost: number,
  groups: number,
): string | undefined {
  if (rows % (ROWS * groups) !== 0) return `${rows} rows are no multiple of ${ROWS * groups}`;
  if (columns > mostColumns(groups))
    return `${columns} columns are more than ${mostColumns(groups)}`;
  const [accumulators, most] = [(cost * rows * columns) / (groups * 128), mostAccumulators(groups)];
  return accumulators <= most
    ? undefined
    : `${rows}×${columns} by ${groups} takes ${accumulators} registers of each thread, more than ${most}`;
}

/** Warpgroups for `rows` × `columns`: as many as are wished, else two or three, where that is possible. */
function consumersFor(
  rows: number,
  columns: number,
  cost: number,
  wished?: number,
): number | undefined {
  const tries = [2, MOST_CONSUMERS, 1];
  const all = wished === undefined ? tries : [wished, ...tries];
  return all.find((groups) => groupsObstacle(rows, columns, cost, groups) === undefined);
}

type Uses = ReturnType<typeof findUses>;

/** How often a value is read, by ops and ends of blocks. */
function readers(uses: Uses, id: number): number {
  return uses.get(id)?.length ?? 0;
}

/** Whether the sum of each trip stands alone: it starts from 0 and what is made of it is the loop's business. */
function isAlone(kernel: TileKernel, { a, acc }: DotOp): boolean {
  if (accumulatorCost(a.type.dtype) < 2) return false;
  if (acc === undefined) return true;
  const definition = definitions(kernel.body).get(acc.id);
  return definition?.kind === "op" && definition.op.kind === "const" && definition.op.value === 0;
}

/** Why the accumulator is not the loop's own, or undefined where only the dot touches it inside. */
function accumulatorObstacle(loop: ForOp, dot: DotOp, uses: Uses): string | undefined {
  const [, ...carried] = loop.body.params;
  const place = carried.findIndex((param) => param.id === dot.acc?.id);
  if (place < 0) return "the accumulator is not carried by the loop";
  if (loop.body.yields[place]?.id !== dot.result.id)
    return "the product is changed inside the loop";
  const [before, after] = [carried[place]?.id ?? -1, dot.result.id];
  if (readers(uses, before) > 1 || readers(uses, after) > 1)
    return "the accumulator is read inside the loop";
  return undefined;
}

/** Few rows are better columns: a product has 64 rows, but as few as 8 columns. */
function isSwapped({ m, n }: DotShape, dtype: DType, swap: boolean | undefined): boolean {
  const isInteger = DTYPES[dtype].kind === "int";
  const fits = (rows: number, columns: number): boolean =>
    rows % ROWS === 0 && isWgmmaColumns(columns, isInteger);
  if (swap === true && fits(n.size, m.size)) return true;
  if (swap === false && fits(m.size, n.size)) return false;
  return m.size < ROWS && n.size % ROWS === 0;
}

function shapeObstacle({ m, n, k }: DotShape, dtype: DType, cost: number): string | undefined {
  const sizes = `${m.size}×${n.size}×${k.size}`;
  const isInteger = DTYPES[dtype].kind === "int";
  if (m.size % ROWS !== 0 || !isWgmmaColumns(n.size, isInteger))
    return `${sizes} is no multiple of 64 rows and ${isInteger ? 16 : 8} columns (256 at most), nor the other way round`;
  if (consumersFor(m.size, n.size, cost) === undefined)
    return `${sizes} needs more accumulators than the registers of its warpgroups hold`;
  return undefined;
}

/** Boxes with ends of their own, or page by page, are for chained dots: the products of other loops have not been measured with them. */
function endObstacle({ tensor, at }: LoadOp): string | undefined {
  if (at.some((index) => index.kind === "gather")) return `${tensor} is gathered`;
  return at.some((index) => index.kind === "span" && index.end !== undefined)
    ? "a span has a limit"
    : undefined;
}

/** Words that tile rows are scaled by, say: a row of them is a box of its own, which comes with the tiles of its trip. */
function isRow(kernel: TileKernel, loop: ForOp, op: Op, context: PassContext): op is LoadOp {
  if (op.kind !== "load" || op.result.type.axes.length !== 1) return false;
  const [axis] = op.result.type.axes;
  return (
    DTYPES[op.result.type.dtype].bits === 32 &&
    axis !== undefined &&
    axis.size <= MOST_BOX &&
    endObstacle(op) === undefined &&
    boxObstacle(kernel, op, axis.name, context) === undefined &&
    addressObstacle(kernel, [op], loop, { loads: false }) === undefined
  );
}

function examine(kernel: TileKernel, dot: DotOp, context: PassContext): Found {
  const { dtype } = dot.a.type;
  if (dtype !== dot.b.type.dtype || !isWgmmaType(dtype))
    return { obstacle: `wgmma does not multiply ${dtype} and ${dot.b.type.dtype}` };
  const sum = DTYPES[dtype].kind === "float" ? "f32" : "i32";
  if (dot.result.type.dtype !== sum) return { obstacle: `wgmma adds ${dtype} in ${sum}` };
  const loop = kernel.body.ops.find(
    (op): op is ForOp => op.kind === "for" && op.body.ops.some((inner) => inner === dot),
  );
  if (loop === undefined) return { obstacle: "the dot is not in a loop at the top level" };
  if ((loop.hints.stages ?? 1) < 2) return { obstacle: "the loop asks for fewer than 2 stages" };
  const plain = dotShape(dot);
  const [a, b] = [findLoad(loop, dot.a), findLoad(loop, dot.b)];
  if (plain === undefined || a === undefined || b === undefined || a === b)
    return { obstacle: "an operand is no load of the loop" };
  const wishes = wishesOf(kernel);
  const swapped = isSwapped(plain, dtype, wishes.swap);
  const shape = swapped ? { m: plain.n, n: plain.m, k: plain.k } : plain;
  const loads = [a, b];
  const uses = findUses(kernel.body);
  const shared = loads.find((load) => readers(uses, load.result.id) > 1);
  if (shared !== undefined)
    return { obstacle: `${shared.result.name} is read by more than the dot` };
  const alone = isAlone(kernel, dot);
  const isFast = wishes.fastSums === true && !alone && accumulatorCost(dtype) > 1;
  const cost = isFast ? 1 : accumulatorCost(dtype);
  const isAllowed = (op: Op): boolean => isAddressOp(op) || (alone && isSideOp(kernel, op));
  const other = loop.body.ops.find((op) => op !== dot && op !== a && op !== b && !isAllowed(op));
  if (other !== undefined) return { obstacle: `the loop holds a ${other.kind} besides` };
  const obstacle =
    shapeObstacle(shape, dtype, cost) ??
    (alone ? undefined : accumulatorObstacle(loop, dot, uses)) ??
    loads
      .map((load) => endObstacle(load) ?? boxObstacle(kernel, load, dot.axis, context))
      .find((why) => why !== undefined) ??
    addressObstacle(kernel, loads, loop, { loads: false });
  if (obstacle !== undefined) return { obstacle };
  const consumers = consumersFor(shape.m.size, shape.n.size, cost, wishes.consumers) ?? 1;
  const tooLarge = ringObstacle(loads, consumers, context);
  if (tooLarge !== undefined) return { obstacle: tooLarge };
  const why = groupsObstacle(shape.m.size, shape.n.size, cost, wishes.consumers ?? consumers);
  answerShape({ swapped, consumers, isFast, why }, wishes, dot, context);
  const fast = isFast ? ({ fastSums: true } as const) : {};
  // Slots of a pair of blocks are given back by one thread of a warpgroup, which knows nothing of what others read.
  const isPair = kernel.config["cluster"] === 2;
  const sides = loop.body.ops.filter(
    (op): op is LoadOp => !isPair && op !== a && op !== b && isRow(kernel, loop, op, context),
  );
  return { found: { loop, dots: [{ dot, shape, swapped }], loads, sides, consumers, ...fast } };
}

/** What became of the wishes about the product itself. */
function answerShape(
  is: {
    readonly swapped: boolean;
    readonly consumers: number;
    readonly isFast: boolean;
    /** What keeps as many warpgroups as are wished from multiplying. */
    readonly why: string | undefined;
  },
  { swap, consumers, fastSums }: Schedule,
  { loc }: DotOp,
  context: PassContext,
): void {
  const became = (wished: unknown, given: unknown, otherwise: string): string =>
    wished === given ? "as asked" : `not as asked: ${otherwise}`;
  if (swap !== undefined) {
    const why = "the other way round, rows or columns are no whole products";
    answer(context, "swap", became(swap, is.swapped, why), loc);
  }
  if (consumers !== undefined) {
    const why = is.why === undefined ? "" : `: ${is.why}`;
    answer(context, "consumers", became(consumers, is.consumers, `${is.consumers}${why}`), loc);
  }
  if (fastSums === true && is.isFast)
    answer(context, "fastSums", "as asked: the tensor core adds up, in about 14 bits", loc);
  if (fastSums === false) answer(context, "fastSums", "as asked: added in f32 each trip", loc);
}

/** The loop of a kernel that roles can share out, where the target has what that takes. Remarks say why there is none. */
export function findRoleLoop(kernel: TileKernel, context: PassContext): RoleLoop | undefined {
  if (!hasFeature(context, "wgmma") || !hasFeature(context, "tma")) return undefined;
  const dots: DotOp[] = [];
  walkOps(kernel.body, (op) => {
    if (op.kind === "dot") dots.push(op);
  });
  const [dot, second, third] = dots;
  const isWritten = kernel.body.ops.some(({ kind }) => kind === "roles");
  if (dot === undefined || isWritten) return undefined;
  if (wishesOf(kernel).roles === false) {
    answer(context, "roles", "as asked: all warps copy and multiply", dot.loc);
    return undefined;
  }
  const result: Found =
    second === undefined
      ? examine(kernel, dot, context)
      : third === undefined
        ? examineChain(kernel, dot, second, context)
        : { obstacle: "the kernel has more than two dots" };
  if ("found" in result) return result.found;
  remarkNoRoles(context, result.obstacle, dot.loc);
  return undefined;
}
