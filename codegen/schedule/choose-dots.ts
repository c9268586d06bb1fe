/** [codegen/schedule] Which instruction each dot gets, how many warps the block has and how they share the accumulators. Layouts of other values are assigned later. */
import {
  type Definition,
  DTYPES,
  definitions,
  elementCount,
  type TileKernel,
  type Value,
  walkOps,
} from "../../dsl/index.ts";
import { findUses } from "../analysis/tile-uses.ts";
import type { DotInstruction } from "../ir/scheduled.ts";
import type { ThreadShape } from "../layout/blocked-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import type { MatrixForm } from "../layout/matrix-form.ts";
import { matrixAccumulator, matrixOperandA, matrixOperandB } from "../layout/matrix-layout.ts";
import {
  chooseFmaGrid,
  chooseWarpGrid,
  columnWarps,
  fmaAccumulator,
  mmaAccumulator,
  mmaOperandA,
  mmaOperandB,
  wgmmaAccumulator,
  wgmmaOperandA,
} from "../layout/mma-layout.ts";
import { powerOfTwoPart } from "../layout/register-layout.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";
import { type ByteOperand, byteLayouts, byteOperand } from "./byte-operands.ts";
import {
  chooseForm,
  type DotOp,
  type DotShape,
  type DotStep,
  dotShape,
  dotStep,
  fitsStep,
  mmaObstacle,
  sizesOf,
} from "./dot-forms.ts";
import { labelOf } from "./emitter.ts";
import { type ExplicitRoles, hasShortSums } from "./find-explicit.ts";
import { packedNames } from "./packed-names.ts";
import type { RoleDot, RoleLoop } from "./role-loop.ts";
import { answer } from "./wishes.ts";

export interface DotPlan extends DotShape {
  /** Operand b has the rows, and operand a the columns. */
  readonly swapped?: true;
  readonly instruction: DotInstruction["kind"];
  /** Sums of 8-bit floats stay in the tensor core. */
  readonly fastSums?: true;
  /** Where the instruction is one of several forms. */
  readonly form?: MatrixForm;
  readonly accumulator: RegisterLayout;
  /** Layout in which operand a may come straight from registers; absent where it must go through shared memory. */
  readonly registerA?: RegisterLayout;
  /** The same for operand b, where it is made of a packed tensor, which may lie as the registers want it. */
  readonly registerB?: RegisterLayout;
  /** Operand b, where it lies in shared memory as bytes. */
  readonly bytes?: ByteOperand;
}

const PASS = "choose-dots";
/** Accumulator elements a thread should hold: enough reuse of operands, few enough registers. */
const MMA_ELEMENTS = 96;
const FMA_ELEMENTS = 32;
const MAX_DOT_WARPS = 8;
const MAX_FMA_THREADS = 256;

/** Whether a dot with two-axis operands runs on matrix instructions as it stands. */
export function canUseMma(op: DotOp, context: PassContext): boolean {
  const shape = dotShape(op);
  if (shape === undefined || mmaObstacle(op, context) !== undefined) return false;
  return fitsStep(shape, dotStep(op, context));
}

/** The dot whose result reaches `value` through elementwise ops alone. */
function sourceDot(
  value: Value,
  defs: ReadonlyMap<number, Definition>,
  depth = 0,
): DotOp | undefined {
  const definition = defs.get(value.id);
  if (definition?.kind !== "op" || depth > 16) return undefined;
  const { op } = definition;
  const follow = (...values: readonly Value[]): DotOp | undefined => {
    for (const next of values) {
      const found = sourceDot(next, defs, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  switch (op.kind) {
    case "dot":
      return op;
    case "unary":
    case "cast":
      return follow(op.x);
    case "binary":
      return follow(op.a, op.b);
    case "select":
      return follow(op.a, op.b);
    default:
      return undefined;
  }
}

function floorPowerOfTwo(n: number): number {
  return 2 ** Math.floor(Math.log2(Math.max(1, n)));
}

function ceilPowerOfTwo(n: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, n)));
}

interface FoundDot {
  readonly op: DotOp;
  readonly shape: DotShape;
  readonly mma: boolean;
  /** Rows and columns of one instruction, the least that this dot may take. */
  readonly step: DotStep;
}

function findDots(kernel: TileKernel, context: PassContext): readonly FoundDot[] {
  const found: FoundDot[] = [];
  walkOps(kernel.body, (op) => {
    if (op.kind !== "dot") return;
    const shape = dotShape(op);
    if (shape === undefined) return;
    const obstacle = mmaObstacle(op, context);
    const step = dotStep(op, context);
    const mma = obstacle === undefined && fitsStep(shape, step);
    found.push({ op, shape, mma, step });
    const sizes = sizesOf(shape);
    const why = obstacle ?? `${sizes} is no multiple of ${step.m}×${step.n}×${step.k}`;
    // Which form of a chip's matrix instructions it is depends on the warps: planDot says it.
    if (mma && !hasFeature(context, "mma.sync")) return;
    const choice = mma ? `mma.sync m16n8k16 for ${sizes}` : `fma for ${sizes}: ${why}`;
    context.remark(PASS, `dot ${labelOf(op.result)}: ${choice}`, op.loc);
  });
  return found;
}

/** Warps that the dots of a kernel want; 0 where there are none. */
function warpsForDots(
  dots: readonly FoundDot[],
  chained: ReadonlySet<DotOp>,
  context: PassContext,
): number {
  const { warpSize } = context.target;
  const mma = dots.filter((dot) => dot.mma);
  const elements = (list: readonly FoundDot[]): number =>
    list.reduce((n, { shape }) => n + shape.m.size * shape.n.size, 0);
  if (mma.length > 0) {
    const wanted = Math.max(4, ceilPowerOfTwo(elements(mma) / (warpSize * MMA_ELEMENTS)));
    const most = Math.max(
      ...mma.map(
        ({ shape, step }) =>
          powerOfTwoPart(shape.m.size / step.m) * powerOfTwoPart(shape.n.size / step.n),
      ),
    );
    const rows = mma
      .filter(({ op }) => chained.has(op))
      .map(({ shape, step }) => powerOfTwoPart(shape.m.size / step.m))
      .filter((tiles) => tiles > 1);
    return Math.min(wanted, most, MAX_DOT_WARPS, ...rows);
  }
  if (dots.length === 0) return 0;
  const largest = Math.max(...dots.map(({ shape }) => shape.m.size * shape.n.size));
  const threads = floorPowerOfTwo(largest / FMA_ELEMENTS);
  const limit = Math.min(MAX_FMA_THREADS, context.target.maxThreads);
  return Math.max(1, Math.min(limit, Math.max(64, threads)) / warpSize);
}

/** Elements that one thread should handle of a tile outside of dots: one 16-byte vector of f16. */
const TILE_ELEMENTS = 8;
/** Registers of one tile beyond which a block takes more threads than its usual most. */
const CROWDED = 64;

function warpsForTiles(kernel: TileKernel, context: PassContext): number {
  let largest = 1;
  let dotted = false;
  walkOps(kernel.body, (op) => {
    if (op.kind === "dot") dotted = true;
    if (op.kind === "store" || op.kind === "atomic") {
      largest = Math.max(largest, elementCount(op.value.type));
    } else if ("result" in op) largest = Math.max(largest, elementCount(op.result.type));
  });
  if (dotted) return 1;
  const { warpSize, maxThreads } = context.target;
  let most = Math.min(256, maxThreads);
  while (most < maxThreads && largest / most > CROWDED) most *= 2;
  const threads = Math.min(most, floorPowerOfTwo(largest / TILE_ELEMENTS));
  return Math.max(1, threads / warpSize);
}

/** Warps of the block: config key `warps`, or what dots and tiles ask for, within what dots can share out. */
export function chooseWarps(kernel: TileKernel, context: PassContext): number {
  const { warpSize, maxThreads } = context.target;
  const configured = kernel.config["warps"];
  const most = Math.max(1, maxThreads / warpSize);
  if (typeof configured === "number" && configured >= 1) {
    const warps = Math.min(most, floorPowerOfTwo(configured * (warpSize === 1 ? 32 : 1)));
    if (warpSize > 1 && warps !== configured) {
      const why =
        configured > most ? `${most} are the most` : "a power of two where all do the same";
      const loc = kernel.body.ops[0]?.loc;
      if (loc !== undefined) answer(context, "warps", `not as asked: ${warps}, ${why}`, loc);
    }
    return warps;
  }
  const dots = findDots(kernel, { ...context, remark: () => {} });
  const wanted = warpsForDots(dots, chainedDots(dots, kernel), context);
  return Math.min(most, Math.max(1, wanted === 0 ? warpsForTiles(kernel, context) : wanted));
}

/** Dots whose result becomes operand a of another dot, and those other dots. */
function chainedDots(dots: readonly FoundDot[], kernel: TileKernel): ReadonlySet<DotOp> {
  const defs = definitions(kernel.body);
  const chained = new Set<DotOp>();
  for (const { op } of dots) {
    const source = sourceDot(op.a, defs);
    if (source === undefined) continue;
    chained.add(op);
    const owner = dots.find((dot) => dot.op.result.id === source.result.id);
    if (owner !== undefined) chained.add(owner.op);
  }
  return chained;
}

/** Whether a value is made, elementwise and by changes of axes, of a load of one of these tensors. */
function isMadeOf(
  value: Value,
  tensors: ReadonlySet<string>,
  defs: ReadonlyMap<number, Definition>,
  depth = 0,
): boolean {
  const definition = defs.get(value.id);
  if (definition?.kind !== "op" || depth > 16 || tensors.size === 0) return false;
  const { op } = definition;
  const follow = (...values: readonly Value[]): boolean =>
    values.some((next) => isMadeOf(next, tensors, defs, depth + 1));
  switch (op.kind) {
    case "load":
      return tensors.has(op.tensor);
    case "unary":
    case "cast":
    case "rename":
    case "split":
    case "merge":
    case "broadcast":
      return follow(op.x);
    case "binary":
    case "select":
      return follow(op.a, op.b);
    default:
      return false;
  }
}

function planMatrixDot(
  { op, shape }: FoundDot,
  chained: boolean,
  packedB: boolean,
  threads: ThreadShape,
  context: PassContext,
): DotPlan {
  const { m, n, k } = shape;
  const form = chooseForm(op, shape, { warps: threads.numWarps, chained }, context);
  context.remark(PASS, `dot ${labelOf(op.result)}: ${form.name} for ${sizesOf(shape)}`, op.loc);
  const tile = { m: form.side, n: form.side };
  const warps = packedB
    ? columnWarps(m, n, threads.numWarps, tile)
    : chooseWarpGrid(m, n, threads.numWarps, chained, tile);
  const accumulator = matrixAccumulator(form, m, n, warps);
  const plan = { ...shape, instruction: "matrix", form, accumulator } as const;
  if (DTYPES[op.a.type.dtype].bits !== 16) return plan;
  const registerA = matrixOperandA(form, m, k, warps);
  return packedB
    ? { ...plan, registerA, registerB: matrixOperandB(form, n, k, warps) }
    : { ...plan, registerA };
}

function planDot(
  found: FoundDot,
  chained: boolean,
  packedB: boolean,
  bytes: ByteOperand | undefined,
  threads: ThreadShape,
  context: PassContext,
): DotPlan {
  const { op, shape, mma } = found;
  const { m, n, k } = shape;
  if (!mma) {
    const accumulator = fmaAccumulator(m, n, chooseFmaGrid(m, n, threads), threads);
    return { ...shape, instruction: "fma", accumulator };
  }
  if (!hasFeature(context, "mma.sync"))
    return planMatrixDot(found, chained, packedB, threads, context);
  const warps = packedB
    ? columnWarps(m, n, threads.numWarps)
    : chooseWarpGrid(m, n, threads.numWarps, chained);
  const layouts = bytes === undefined ? undefined : byteLayouts(bytes, shape, warps);
  if (bytes !== undefined && layouts !== undefined) {
    const message = `dot ${labelOf(op.result)}: ${bytes.load.tensor} stays in bytes until its registers`;
    context.remark(PASS, message, op.loc);
    return { ...shape, instruction: "mma.sync", ...layouts, bytes };
  }
  const accumulator = mmaAccumulator(m, n, warps);
  const plan = { ...shape, instruction: "mma.sync", accumulator } as const;
  if (DTYPES[op.a.type.dtype].bits !== 16) return plan;
  const registerA = mmaOperandA(m, k, warps);
  return packedB
    ? { ...plan, registerA, registerB: mmaOperandB(n, k, warps) }
    : { ...plan, registerA };
}

/** What of a loop in roles a dot depends on. */
type SharedOut = Pick<RoleLoop, "consumers" | "fastSums"> & {
  readonly loads: readonly { readonly result: Value }[];
};

function planRoleDot(
  { dot, shape, swapped }: RoleDot,
  { consumers, loads, fastSums }: SharedOut,
  context: PassContext,
): DotPlan {
  const { m, n, k } = shape;
  const sizes = `${m.size}×${n.size}×${k.size}`;
  const groups = consumers === 1 ? "one warpgroup" : `${consumers} warpgroups`;
  const step = 256 / DTYPES[dot.a.type.dtype].bits;
  const how = swapped ? `, the operands swapped: ${n.size} rows are better columns` : "";
  const message = `dot ${labelOf(dot.result)}: wgmma m64n${n.size}k${step} for ${sizes} by ${groups}${how}`;
  context.remark(PASS, message, dot.loc);
  const accumulator = wgmmaAccumulator(m, n, consumers);
  const sums = fastSums === true ? { fastSums } : {};
  const plan = { ...shape, ...sums, instruction: "wgmma", accumulator } as const;
  if (swapped) return { ...plan, swapped };
  const isCopied = loads.some((load) => load.result.id === dot.a.id);
  if (isCopied) return plan;
  // Words of four are made of the accumulator as it lies.
  const isByte = DTYPES[dot.a.type.dtype].bits === 8;
  const registerA = isByte ? wgmmaAccumulator(m, k, consumers) : wgmmaOperandA(m, k, consumers);
  return { ...plan, registerA };
}

/** Dots of roles that the kernel writes out. */
export function planExplicitDots(
  { dots, roles, slots }: ExplicitRoles,
  context: PassContext,
): ReadonlyMap<number, DotPlan> {
  const consumers = roles.warpgroups;
  const loads = slots.map((result) => ({ result }));
  const fast = { fastSums: true } as const;
  return new Map(
    dots.map(({ dot, shape }) => {
      // Where they may not stay in the tensor core, each product starts a sum of its own.
      const out = { consumers, loads, ...(hasShortSums(dot) ? fast : {}) };
      const plan = planRoleDot({ dot, shape, swapped: false }, out, context);
      return [dot.result.id, plan] as const;
    }),
  );
}

/**
 * Plans every dot of a kernel.
 * @returns plans by id of the dot's result; dots of other than two-axis operands have none (`legalize-dots` leaves no such)
 */
export function planDots(
  kernel: TileKernel,
  threads: ThreadShape,
  context: PassContext,
  roles?: RoleLoop,
): ReadonlyMap<number, DotPlan> {
  if (roles !== undefined)
    return new Map(
      roles.dots.map((dot) => [dot.dot.result.id, planRoleDot(dot, roles, context)] as const),
    );
  const dots = findDots(kernel, context);
  const chained = chainedDots(dots, kernel);
  const packed = packedNames(kernel, context.orders);
  const defs = definitions(kernel.body);
  const search = { kernel, definitions: defs, uses: findUses(kernel.body), packed };
  const plan = (dot: FoundDot): DotPlan => {
    const isPackedB = dot.mma && isMadeOf(dot.op.b, packed, defs);
    const bytes = byteOperand(dot.op, search, context);
    return planDot(dot, chained.has(dot.op), isPackedB, bytes, threads, context);
  };
  return new Map(dots.map((dot) => [dot.op.result.id, plan(dot)] as const));
}
