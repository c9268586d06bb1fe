/** [codegen/passes] Which axes of a kernel are padded, and to what size. The rewriting itself lives in pad-axes.ts. */
import {
  type Axis,
  type Op,
  results,
  type TileKernel,
  walkBlocks,
  walkOps,
} from "../../dsl/index.ts";
import { powerOfTwoPart } from "../layout/register-layout.ts";
import { dotShape, dotStep, mmaObstacle } from "../schedule/dot-forms.ts";
import { findRoleLoop } from "../schedule/find-role-loop.ts";
import type { PassContext } from "./pass.ts";

/** Axes of one class have one name and size, or are tied by a rename. */
class AxisClasses {
  readonly #parent = new Map<string, string>();

  find(key: string): string {
    let root = key;
    for (let next = this.#parent.get(root); next !== undefined; next = this.#parent.get(root))
      root = next;
    return root;
  }

  join(a: string, b: string): void {
    const [left, right] = [this.find(a), this.find(b)];
    if (left !== right) this.#parent.set(left, right);
  }
}

function keyOf(axis: Axis): string {
  return `${axis.name}=${axis.size}`;
}

function roundUp(size: number, multiple: number): number {
  return Math.ceil(size / multiple) * multiple;
}

/** Most that padding may add to an axis for the sake of layouts, as a factor. */
const MOST_WASTE = 1.125;
const LARGEST_STEP = 256;
/** Power-of-two part with which a size is left as it is: a warp shares it out. */
const ENOUGH = 32;
/** What a power-of-two part may leave over for each thread; long rows need parts that more threads share out. */
const MOST_REPEATS = 64;

/** A size that threads share out well: its power-of-two part is large for its size. */
export function comfortableSize(size: number): number {
  if (size <= 8) return 2 ** Math.ceil(Math.log2(Math.max(1, size)));
  if (size < 32) return roundUp(size, 8);
  const enough = Math.max(ENOUGH, 2 ** Math.ceil(Math.log2(size / MOST_REPEATS)));
  if (powerOfTwoPart(size) >= enough) return size;
  for (let step = Math.max(LARGEST_STEP, enough); step > powerOfTwoPart(size); step /= 2) {
    const padded = roundUp(size, step);
    if (padded <= size * MOST_WASTE) return padded;
  }
  return size;
}

interface Demands {
  readonly classes: AxisClasses;
  /** Class → the size must be a multiple of this. */
  readonly multiples: Map<string, number>;
  /** Classes whose size must stay. */
  readonly fixed: Set<string>;
}

function demandMultiple({ classes, multiples }: Demands, axis: Axis, multiple: number): void {
  const root = classes.find(keyOf(axis));
  multiples.set(root, Math.max(multiple, multiples.get(root) ?? 1));
}

function collect(op: Op, demands: Demands, context: PassContext): void {
  switch (op.kind) {
    case "merge":
      for (const name of op.axes) fix(demands, op.x.type.axes, name);
      fix(demands, op.result.type.axes, op.into);
      return;
    case "split":
      fix(demands, op.x.type.axes, op.axis);
      for (const name of op.into) fix(demands, op.result.type.axes, name);
      return;
    case "dot": {
      const shape = dotShape(op);
      if (shape === undefined || mmaObstacle(op, context) !== undefined) return;
      const step = dotStep(op, context);
      demandMultiple(demands, shape.m, step.m);
      demandMultiple(demands, shape.n, step.n);
      demandMultiple(demands, shape.k, step.k);
      return;
    }
    default:
  }
}

function fix({ classes, fixed }: Demands, axes: readonly Axis[], name: string): void {
  const axis = axes.find((candidate) => candidate.name === name);
  if (axis !== undefined) fixed.add(classes.find(keyOf(axis)));
}

function joinRenames(kernel: TileKernel, classes: AxisClasses): void {
  walkOps(kernel.body, (op) => {
    if (op.kind !== "rename") return;
    op.x.type.axes.forEach((axis, i) => {
      const other = op.result.type.axes[i];
      if (other !== undefined) classes.join(keyOf(axis), keyOf(other));
    });
  });
}

/**
 * The size of every axis that is padded.
 * @returns `name=size` of the axis as it is → its padded size; axes that keep their size are absent
 */
export function paddedSizes(kernel: TileKernel, context: PassContext): ReadonlyMap<string, number> {
  // wgmma takes any multiple of 8 columns, and a box of a tensor map knows no end but the tensor's.
  const isWritten = kernel.body.ops.some(({ kind }) => kind === "roles");
  const inRoles = isWritten || findRoleLoop(kernel, { ...context, remark: () => {} }) !== undefined;
  if (inRoles) return new Map();
  const classes = new AxisClasses();
  joinRenames(kernel, classes);
  const demands: Demands = { classes, multiples: new Map(), fixed: new Set() };
  walkOps(kernel.body, (op) => collect(op, demands, context));
  const sizes = new Map<string, number>();
  const see = (axis: Axis): void => {
    const root = classes.find(keyOf(axis));
    if (axis.size === 0 || demands.fixed.has(root)) return;
    const multiple = demands.multiples.get(root) ?? 1;
    const padded = roundUp(comfortableSize(axis.size), multiple);
    if (padded !== axis.size) sizes.set(keyOf(axis), padded);
  };
  walkBlocks(kernel.body, (block) => {
    for (const value of block.params) value.type.axes.forEach(see);
    for (const op of block.ops) for (const value of results(op)) value.type.axes.forEach(see);
  });
  return sizes;
}
