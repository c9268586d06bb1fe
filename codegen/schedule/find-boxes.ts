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
} from "../../dsl/index.ts";
import { strideDivisors } from "../analysis/access-width.ts";
import { boxRowBytes } from "../layout/shared-layout.ts";
import type { PassContext } from "../passes/pass.ts";
import { addressValues, type PagedPlace, pagedPlace } from "./find-pages.ts";

type ForOp = Extract<Op, { kind: "for" }>;
type LoadOp = Extract<Op, { kind: "load" }>;

/** A box has at most this many elements along a dim. @source CUDA driver API, cuTensorMapEncodeTiled */
export const MOST_BOX = 256;
/** A map has at most this many dims; ends along one of them take two more. */
const MOST_RANK = 5;
/** The pattern of a swizzle repeats after this many rows of it. */
const PATTERN_ROWS = 8;
const STRIDE_BYTES = 16;
/** Nothing more is known of a dim. */
const MOST_DIVISOR = 16;

export function tensorOf(kernel: TileKernel, name: string): TensorParam | undefined {
  const param = kernel.params.find((candidate) => candidate.name === name);
  return param?.kind === "tensor" ? param : undefined;
}

/** The dim along which the copies of a place end where they say, if there is one. */
function raggedDim(at: readonly Index[], pages: PagedPlace | undefined): number | undefined {
  if (pages?.limit !== undefined) return pages.dim + 1;
  const dim = at.findIndex((index) => index.kind === "span" && index.end !== undefined);
  return dim < 0 ? undefined : dim;
}

/** Whether the last two dims can be one in a map: an index, and the whole of what it is an index of. */
export function isFoldable(kernel: TileKernel, op: LoadOp): boolean {
  const [index, last] = op.at.slice(-2);
  if (index?.kind !== "at" || last?.kind !== "span" || last.end !== undefined) return false;
  const start = definitions(kernel.body).get(last.start.id);
  const size = tensorOf(kernel, op.tensor)?.shape.at(-1);
  const fixed = size?.size ?? kernel.fixedDims[size?.name ?? ""];
  const isZero = start?.kind === "op" && start.op.kind === "const" && start.op.value === 0;
  return isZero && fixed === last.axis.size;
}

/** Why dims and ends of a place fit no map. */
function dimsObstacle(
  kernel: TileKernel,
  op: LoadOp,
  pages: PagedPlace | undefined,
): string | undefined {
  const ends = op.at.filter((index) => index.kind === "span" && index.end !== undefined).length;
  if (ends + (pages?.limit === undefined ? 0 : 1) > 1) return "two dims have a limit";
  const ragged = raggedDim(op.at, pages);
  if (ragged === op.at.length - 1) return "the last dim has a limit";
  const rank = op.at.length + (ragged === undefined ? 0 : 2);
  if (rank > MOST_RANK + (ragged !== undefined && isFoldable(kernel, op) ? 1 : 0))
    return `${op.tensor} has ${op.at.length} dims${ragged === undefined ? "" : " and a limit"}, more than ${MOST_RANK}`;
  if (pages !== undefined && pages.slots % PATTERN_ROWS !== 0)
    return `pages of ${pages.slots} rows are no multiple of ${PATTERN_ROWS}`;
  return undefined;
}

/**
 * Why a load is no box of a tensor map, nor a box a page, or undefined where it is.
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
  const pages = pagedPlace(kernel, op);
  if (op.mask !== undefined && pages === undefined) return "the load has a mask";
  if (op.fill !== 0) return `it fills with ${op.fill}, not 0`;
  const via = op.hints?.via ?? "auto";
  if (via !== "auto" && via !== "tma") return `the source asks for ${via}`;
  const last = op.at.at(-1);
  if (last?.kind !== "span" || last.axis.name !== (contracted ?? last.axis.name))
    return `the contracted axis is not the last dim of ${op.tensor}`;
  const gathered = op.at.some((index: Index) => index.kind === "gather");
  if (gathered && pages === undefined) return `${op.tensor} is gathered`;
  const dims = dimsObstacle(kernel, op, pages);
  if (dims !== undefined) return dims;
  const others = op.at.slice(0, -1).flatMap((i) => (i.kind === "span" ? [i.axis.size] : []));
  if (Math.max(0, pages?.slots ?? 0, ...others) > MOST_BOX)
    return `a box has at most ${MOST_BOX} elements along a dim`;
  const bytes = DTYPES[tensor.dtype].bits / 8;
  const rowBytes = last.axis.size * bytes;
  if (boxRowBytes(rowBytes) === undefined) return `a row of ${rowBytes} bytes is no multiple of 32`;
  return strideObstacle(tensor, context);
}

/** Why a map cannot hold the tensor's strides, with what to say to the compiler where more may be known of the last dim, or undefined. */
export function strideObstacle(tensor: TensorParam, context: PassContext): string | undefined {
  const { name, dtype, shape } = tensor;
  const bytes = DTYPES[dtype].bits / 8;
  const worst = Math.min(...strideDivisors(tensor, context.divisibility).slice(0, -1)) * bytes;
  if (worst % STRIDE_BYTES === 0) return undefined;
  const why = `rows of ${name} start at multiples of ${worst} bytes only, not ${STRIDE_BYTES}`;
  const last = shape.at(-1);
  if (last?.name === undefined || last.size !== undefined) return why;
  const [dim, by] = [last.name, Math.min(MOST_DIVISOR, STRIDE_BYTES / bytes)];
  return `${why}: nothing says that ${dim} is a multiple of ${by} (a launch finds that out by itself; a compile is told by divisibility: { ${dim}: ${by} } or --divisible ${dim}=${by})`;
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

/** A number out of a tensor that the kernel does not write. */
export function isScalarLoad(kernel: TileKernel, op: Op): boolean {
  return (
    op.kind === "load" && isScalar(op.result.type) && tensorOf(kernel, op.tensor)?.access === "in"
  );
}

/**
 * Why the scalars behind the loop's bounds and the loads' addresses cannot be computed apart from the rest.
 * @param loads whether they may be loaded, too
 */
export function addressObstacle(
  kernel: TileKernel,
  boxes: readonly LoadOp[],
  loop: ForOp,
  { loads }: { readonly loads: boolean },
): string | undefined {
  const defs = definitions(kernel.body);
  const addresses = boxes.flatMap((load) => addressValues(kernel, load));
  const roots = [loop.lo, loop.hi, loop.step, ...addresses];
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
    if (!isAddressOp(definition.op) && !(loads && isScalarLoad(kernel, definition.op)))
      return `an address depends on a ${definition.op.kind}`;
    queue.push(...operands(definition.op));
  }
  return undefined;
}
