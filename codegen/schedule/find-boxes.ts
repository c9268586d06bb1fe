/** [codegen/schedule] Which loads are boxes of tensor maps, and which addresses a thread that copies can compute for itself. Builds nothing. */
import {
  DTYPES,
  definitions,
  type Index,
  isScalar,
  type Op,
  operands,
  type TensorParam,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";
import { strideDivisors } from "../analysis/access-width.ts";
import type { PassContext } from "../passes/pass.ts";

type ForOp = Extract<Op, { kind: "for" }>;
type LoadOp = Extract<Op, { kind: "load" }>;

/** A box has at most this many elements along a dim. @source CUDA driver API, cuTensorMapEncodeTiled */
const MOST_BOX = 256;
const MOST_RANK = 4;
/** Rows that a swizzle spans. */
const ROW_BYTES: readonly number[] = [32, 64, 128];
/** Longer rows are copied in several boxes of this width. */
const PANEL_BYTES = 128;
const STRIDE_BYTES = 16;
export function tensorOf(kernel: TileKernel, name: string): TensorParam | undefined {
  const param = kernel.params.find((candidate) => candidate.name === name);
  return param?.kind === "tensor" ? param : undefined;
}

/**
 * Why a load is no box of a tensor map, or undefined where it is.
 * @param contracted the axis that must be the tensor's last dim; any may be where there is none
 */
export function boxObstacle(
  kernel: TileKernel,
  op: LoadOp,
  contracted: string | undefined,
  context: PassContext,
): string | undefined {
  const tensor = tensorOf(kernel, op.tensor);
  if (tensor === undefined || tensor.access !== "in") return `${op.tensor} is written too`;
  if (tensor.packed === true && typeof context.orders[op.tensor] === "object")
    return `${op.tensor} lies in an order of its own`;
  if (op.mask !== undefined) return "the load has a mask";
  if (op.fill !== 0) return `it fills with ${op.fill}, not 0`;
  const via = op.hints?.via ?? "auto";
  if (via !== "auto" && via !== "tma") return `the source asks for ${via}`;
  if (op.at.length > MOST_RANK)
    return `${op.tensor} has ${op.at.length} dims, more than ${MOST_RANK}`;
  const last = op.at.at(-1);
  if (last?.kind !== "span" || last.axis.name !== (contracted ?? last.axis.name))
    return `the contracted axis is not the last dim of ${op.tensor}`;
  const gathered = op.at.some((index: Index) => index.kind === "gather");
  if (gathered) return `${op.tensor} is gathered`;
  if (op.at.some((index) => index.kind === "span" && index.end !== undefined))
    return "a span has a limit";
  const others = op.at.slice(0, -1);
  if (others.some((index) => index.kind === "span" && index.axis.size > MOST_BOX))
    return `a box has at most ${MOST_BOX} elements along a dim`;
  const bytes = DTYPES[tensor.dtype].bits / 8;
  const rowBytes = last.axis.size * bytes;
  if (!ROW_BYTES.includes(rowBytes) && rowBytes % PANEL_BYTES !== 0)
    return `a row of ${rowBytes} bytes is none of ${ROW_BYTES.join(", ")} and no multiple of ${PANEL_BYTES}`;
  const strides = strideDivisors(tensor, context.divisibility).slice(0, -1);
  const worst = Math.min(...strides) * bytes;
  if (worst % STRIDE_BYTES !== 0)
    return `rows of ${op.tensor} start at multiples of ${worst} bytes only, not ${STRIDE_BYTES}`;
  return undefined;
}

/** Scalars that a producer can compute for itself: no tiles, and no memory that the kernel writes. */
export function isAddressOp(op: Op): boolean {
  switch (op.kind) {
    case "const":
    case "dim":
    case "param":
    case "pid":
    case "num_programs":
    case "unary":
    case "binary":
    case "compare":
    case "select":
    case "cast":
      return isScalar(op.result.type);
    default:
      return false;
  }
}

/** Why the scalars behind the loop's bounds and the loads' addresses cannot be computed apart from the rest. */
export function addressObstacle(
  kernel: TileKernel,
  roots: readonly Value[],
  loop: ForOp,
): string | undefined {
  const defs = definitions(kernel.body);
  const seen = new Set<number>();
  const queue = [...roots];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    if (seen.has(value.id)) continue;
    seen.add(value.id);
    const definition = defs.get(value.id);
    if (definition?.kind !== "op") {
      if (value.id === loop.body.params[0]?.id) continue;
      return `an address depends on ${value.name}, which a loop carries`;
    }
    if (!isAddressOp(definition.op)) return `an address depends on a ${definition.op.kind}`;
    queue.push(...operands(definition.op));
  }
  return undefined;
}
