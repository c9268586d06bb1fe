/** [runtime/bench] A call seen as the matrix product y = x · wᵀ (+ bias): its sizes and tensors. Computes nothing. */
import type { Tensor } from "../device.ts";
import type { ArgumentSet, BenchCall } from "./contender.ts";
import type { MatmulRoles } from "./problem.ts";

export interface ProductSet {
  /** `[m, k]` */
  readonly x: Tensor;
  /** `[n, k]` */
  readonly w: Tensor;
  /** `[m, n]` */
  readonly y: Tensor;
  /** `[n]` */
  readonly bias: Tensor | undefined;
  readonly scales: { readonly x: Tensor; readonly w: Tensor } | undefined;
}

/** How the elements of an operand share scales: all of them, by rows, or by groups of 128 columns (of w: and 128 rows). */
export type ScaleKind = "tensor" | "row" | "block";

export function scaleKind({ shape }: Pick<Tensor, "shape">): ScaleKind {
  if (shape.length > 1) return "block";
  return shape[0] === 1 ? "tensor" : "row";
}

export interface Product {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly sets: readonly ProductSet[];
}

/** @returns undefined where the call is no such product, or an empty one */
export function productOf({ matmul, sets }: BenchCall): Product | undefined {
  if (matmul === undefined) return undefined;
  const tensors = sets.flatMap((set): ProductSet[] => {
    const [x, w, y] = [set[matmul.x], set[matmul.w], set[matmul.y]];
    const bias = matmul.bias === undefined ? undefined : set[matmul.bias];
    if (x === undefined || w === undefined || y === undefined) return [];
    return [{ x, w, y, bias, scales: scalesOf(matmul, set) }];
  });
  const first = tensors[0];
  if (first === undefined || tensors.length !== sets.length) return undefined;
  const [m = 0, k = 0] = first.x.shape;
  const [n = 0, wk = 0] = first.w.shape;
  const isProduct =
    first.x.shape.length === 2 &&
    wk === k &&
    first.x.dtype === first.w.dtype &&
    first.y.shape[0] === m &&
    first.y.shape[1] === n;
  return isProduct && m * n * k > 0 ? { m, n, k, sets: tensors } : undefined;
}

function scalesOf({ scales }: MatmulRoles, set: ArgumentSet): ProductSet["scales"] {
  if (scales === undefined) return undefined;
  const [x, w] = [set[scales.x], set[scales.w]];
  return x === undefined || w === undefined ? undefined : { x, w };
}
