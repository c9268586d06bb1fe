/** [codegen/schedule] Which tensors may lie in an order of their own. */
import type { TileKernel } from "../../dsl/index.ts";
import type { TensorOrder } from "../layout/packed-order.ts";

/** Packed tensors whose order is not given as row-major. */
export function packedNames(
  kernel: TileKernel,
  given: Readonly<Record<string, TensorOrder>>,
): ReadonlySet<string> {
  const names = kernel.params.flatMap((param) =>
    param.kind === "tensor" && param.packed === true && given[param.name] !== "rows"
      ? [param.name]
      : [],
  );
  return new Set(names);
}
