/** [codegen/schedule] Which matrix instruction of the target a dot may use, in which multiples of sizes, or why it may not. Plans of whole kernels are in choose-dots.ts. */
import { type Axis, invariant, type Op, type Value } from "../../dsl/index.ts";
import { feedsItself, type MatrixForm, matrixFormsOf } from "../layout/matrix-form.ts";
import { MMA_TILE } from "../layout/mma-layout.ts";
import { powerOfTwoPart } from "../layout/register-layout.ts";
import { hasFeature, type PassContext } from "../passes/pass.ts";

export type DotOp = Extract<Op, { kind: "dot" }>;

export interface DotShape {
  readonly m: Axis;
  readonly n: Axis;
  readonly k: Axis;
}

/** Rows, columns and contraction that sizes are multiples of. */
export interface DotStep {
  readonly m: number;
  readonly n: number;
  readonly k: number;
}

/** Rows, columns and contraction of a dot whose operands have two axes each. */
export function dotShape(op: DotOp): DotShape | undefined {
  const other = (value: Value): Axis | undefined =>
    value.type.axes.length === 2
      ? value.type.axes.find((axis) => axis.name !== op.axis)
      : undefined;
  const m = other(op.a);
  const n = other(op.b);
  const k = op.a.type.axes.find((axis) => axis.name === op.axis);
  return m === undefined || n === undefined || k === undefined ? undefined : { m, n, k };
}

/** `64×128×32`: rows, columns, contraction. */
export function sizesOf({ m, n, k }: DotShape): string {
  return `${m.size}×${n.size}×${k.size}`;
}

function formsFor(op: DotOp, context: PassContext): readonly MatrixForm[] {
  return matrixFormsOf(context.target.features).filter(
    ({ element, sum }) => element === op.a.type.dtype && sum === op.result.type.dtype,
  );
}

/** Why a dot cannot use matrix instructions, or undefined where it can. */
export function mmaObstacle(op: DotOp, context: PassContext): string | undefined {
  const { dtype } = op.a.type;
  const { target, arch, features } = context.target;
  const forms = matrixFormsOf(features);
  const isNvidia = hasFeature(context, "mma.sync");
  if (!isNvidia && forms.length === 0)
    return target === "hip"
      ? `${arch} has no matrix instructions`
      : `${target} has no mma.sync here`;
  if (dtype !== op.b.type.dtype) return `operands are ${dtype} and ${op.b.type.dtype}`;
  if (isNvidia)
    return dtype === "f16" || dtype === "bf16"
      ? undefined
      : `operands are ${dtype}, not f16 or bf16`;
  if (formsFor(op, context).length > 0) return undefined;
  const known = [...new Set(forms.map(({ element }) => element))];
  return `operands are ${dtype}, not ${known.join(" or ")}`;
}

/** The least that sizes of a dot must be multiples of; `pad-axes` sees to it. */
export function dotStep(op: DotOp, context: PassContext): DotStep {
  if (hasFeature(context, "mma.sync")) return { ...MMA_TILE, k: 16 };
  const forms = formsFor(op, context);
  const side = Math.min(16, ...forms.map((form) => form.side));
  const lengths = forms.filter((form) => form.side === side).map(({ k }) => k);
  return { m: side, n: side, k: Math.min(...(lengths.length > 0 ? lengths : [16])) };
}

export function fitsStep({ m, n, k }: DotShape, step: DotStep): boolean {
  return m.size % step.m === 0 && n.size % step.n === 0 && k.size % step.k === 0;
}

/**
 * The form for a dot that fits its step: the longest contraction, and 32×32 where every warp has such a tile of its own, for it reads half as
 * much of the operands for each product.
 * @param chained a product that becomes an operand, or is made of one: warps then share out rows alone
 */
export function chooseForm(
  op: DotOp,
  { m, n, k }: DotShape,
  { warps, chained }: { readonly warps: number; readonly chained: boolean },
  context: PassContext,
): MatrixForm {
  const fits = formsFor(op, context).filter(({ side, k: step }) => {
    if (m.size % side !== 0 || n.size % side !== 0 || k.size % step !== 0) return false;
    if (side === 16) return true;
    const [rows, columns] = [powerOfTwoPart(m.size / side), powerOfTwoPart(n.size / side)];
    return chained ? rows >= warps : rows * columns >= warps;
  });
  const best = (chained ? fits.find(feedsItself) : undefined) ?? fits[0];
  invariant(best !== undefined, () => `no matrix form for a dot over ${k.name}`);
  return best;
}
