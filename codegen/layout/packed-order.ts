/** [codegen/layout] The order in which a packed tensor lies in memory: what it is, its sizes, and where an element has its place. Deriving one from a register layout lives in derive-order.ts. */
import { UnsupportedError } from "../../dsl/index.ts";

/** Rows are the last dim but one (a single row where there is none), columns the last dim. */
export type Side = "row" | "column";

/** `extent` places in a row, each `stride` rows or columns further. */
export interface OrderDigit {
  readonly extent: number;
  readonly side: Side;
  readonly stride: number;
}

/**
 * The last two dims are cut into blocks, which lie row-major; ragged edges are filled up to whole blocks with zeros. In a block the
 * place of an element is a mixed-radix number whose first digit is the fastest; its row and column are the sums of digit × stride. So
 * an iter of a register layout is a digit of the order: what the threads of a block read together lies together.
 */
export interface PackedOrder {
  /** Rows and columns of a block. */
  readonly block: readonly [rows: number, columns: number];
  readonly digits: readonly OrderDigit[];
}

/** How a packed tensor lies: in an order, or row-major like every other tensor. */
export type TensorOrder = PackedOrder | "rows";

export function blockElements({ block }: PackedOrder): number {
  return block[0] * block[1];
}

function digitText({ extent, side, stride }: OrderDigit): string {
  return `${extent}:${side}=${stride}`;
}

/** `block(16, 64) digits(2:column=1, 8:row=1)`: the text form, equal for equal orders. */
export function formatOrder(order: PackedOrder): string {
  const [rows, columns] = order.block;
  return `block(${rows}, ${columns}) digits(${order.digits.map(digitText).join(", ")})`;
}

export function sameOrder(a: TensorOrder, b: TensorOrder): boolean {
  if (a === "rows" || b === "rows") return a === b;
  return formatOrder(a) === formatOrder(b);
}

/** A tensor as matrices: the last two dims, and how often all others repeat them. */
export interface MatrixShape {
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
}

export function matrixShape(shape: readonly number[]): MatrixShape {
  return {
    count: shape.slice(0, -2).reduce((n, size) => n * size, 1),
    rows: shape.at(-2) ?? 1,
    columns: shape.at(-1) ?? 1,
  };
}

/** Elements of storage that a tensor of this shape takes, edges filled up. */
export function packedElements(order: PackedOrder, shape: readonly number[]): number {
  const { count, rows, columns } = matrixShape(shape);
  const [height, width] = order.block;
  return count * Math.ceil(rows / height) * Math.ceil(columns / width) * height * width;
}

/** Why an order breaks its rules (each place of a block holds one element of it, each element one place), or undefined. */
export function orderProblem(order: PackedOrder): string | undefined {
  const strange = order.digits.find(({ extent }) => !(Number.isInteger(extent) && extent > 0));
  if (strange !== undefined) return `a digit takes ${strange.extent} values`;
  for (const [side, size] of [
    ["row", order.block[0]],
    ["column", order.block[1]],
  ] as const) {
    let covered = 1;
    const digits = order.digits.filter((digit) => digit.side === side && digit.extent > 1);
    for (const { extent, stride } of [...digits].sort((a, b) => a.stride - b.stride)) {
      if (stride !== covered) return `${side}s: stride ${stride} follows ${covered}`;
      covered *= extent;
    }
    if (covered !== size) return `${size} ${side}s, the digits cover ${covered}`;
  }
  return undefined;
}

/** @throws UnsupportedError TW2305 where an order breaks its rules */
export function requireOrder(what: string, order: PackedOrder): void {
  const problem = orderProblem(order);
  if (problem === undefined) return;
  throw new UnsupportedError({
    code: "TW2305",
    message: `the order of ${what} does not give every element of a block one place`,
    seen: `${formatOrder(order)}: ${problem}`,
    expected: "along each side, strides that begin at 1 and are the product of the extents before",
    remedy: "take the order from repacker() or explain(), or test yours with orderProblem()",
  });
}

/** What one step of `stride` along a side moves an element in its block, or undefined where no digit takes such steps. */
export function weightOf(order: PackedOrder, side: Side, stride: number): number | undefined {
  let weight = 1;
  for (const digit of order.digits) {
    const isHere = digit.side === side && digit.stride <= stride;
    if (isHere && stride < digit.stride * digit.extent && stride % digit.stride === 0)
      return weight * (stride / digit.stride);
    weight *= digit.extent;
  }
  return undefined;
}

/** Row and column in its block of the element at each place. */
export interface BlockPlaces {
  readonly rows: Int32Array;
  readonly columns: Int32Array;
}

export function blockPlaces(order: PackedOrder): BlockPlaces {
  const count = blockElements(order);
  const rows = new Int32Array(count);
  const columns = new Int32Array(count);
  for (let place = 0; place < count; place++) {
    let rest = place;
    for (const { extent, side, stride } of order.digits) {
      const digit = rest % extent;
      rest = Math.floor(rest / extent);
      const into = side === "row" ? rows : columns;
      into[place] = (into[place] ?? 0) + digit * stride;
    }
  }
  return { rows, columns };
}
