/** [runtime/bench] A call seen as the matrix product y = x · wᵀ (+ bias): its sizes and tensors. Computes nothing. */
import type { Tensor } from "../device.ts";
import type { BenchCall } from "./contender.ts";

export interface ProductSet {
  /** `[m, k]` */
  readonly x: Tensor;
  /** `[n, k]` */
  readonly w: Tensor;
  /** `[m, n]` */
  readonly y: Tensor;
  /** `[n]` */
  readonly bias: Tensor | undefined;
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
    return x === undefined || w === undefined || y === undefined ? [] : [{ x, w, y, bias }];
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
