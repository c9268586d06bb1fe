/** [codegen/ir] Rules of single scheduled ops: types and layouts of operands, results and addresses. Dominance is checked by verify-scheduled.ts. */
import {
  type Axis,
  DTYPES,
  elementCount,
  formatType,
  isScalar,
  sameAxes,
  sameType,
} from "../../dsl/index.ts";
import { sliceLayout } from "../layout/blocked-layout.ts";
import { spanSides, stepThrough } from "../layout/derive-order.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { formatOrder, orderProblem } from "../layout/packed-order.ts";
import { contiguousRegisters, registerCount, sameLayout } from "../layout/register-layout.ts";
import type { SBlock, ScheduledKernel, SIndex, SOp, SPages, SValue } from "./scheduled.ts";

export type ScheduledReport = (message: string, seen: string, expected: string) => void;

function sameLayouts(a: SValue, b: SValue): boolean {
  if (a.layout === undefined || b.layout === undefined) return a.layout === b.layout;
  return sameLayout(a.layout, b.layout);
}

function expectAlike(report: ScheduledReport, what: string, a: SValue, b: SValue): void {
  if (!sameAxes(a.type.axes, b.type.axes))
    report(`${what} differ in axes`, formatType(a.type), formatType(b.type));
  else if (!sameLayouts(a, b)) report(`${what} differ in layout`, a.name, b.name);
}

function expectEqual(report: ScheduledReport, what: string, a: SValue, b: SValue): void {
  if (!sameType(a.type, b.type))
    report(`${what} differ in type`, formatType(a.type), formatType(b.type));
  else expectAlike(report, what, a, b);
}

/** `small` is a slice of the tile that `layout` distributes. */
function expectSlice(
  report: ScheduledReport,
  what: string,
  small: SValue,
  layout: RegisterLayout | undefined,
): void {
  if (isScalar(small.type)) return;
  if (layout === undefined || small.layout === undefined) {
    report(`${what} has no layout to be a slice of`, small.name, "a tile");
    return;
  }
  const expected = sliceLayout(layout, small.type.axes);
  if (!sameLayout(small.layout, expected))
    report(`${what} is no slice of the tile`, small.name, "");
}

function placeAxes(at: readonly SIndex[]): readonly Axis[] {
  const axes = at.flatMap((index) => {
    if (index.kind === "span" || index.kind === "pages") return [index.axis];
    return index.kind === "gather" ? index.index.type.axes : [];
  });
  return axes.filter((axis, i) => axes.findIndex((other) => other.name === axis.name) === i);
}

/** A load from a tensor that has an order of its own; in vectors, whose layout steps through the order. */
function checkPacked(
  report: ScheduledReport,
  op: Extract<SOp, { kind: "load" }>,
  kernel: ScheduledKernel,
): void {
  const order = kernel.orders?.[op.tensor];
  const { layout } = op.result;
  if (order === undefined) {
    report("a tensor has no order", op.tensor, "an entry of orders");
    return;
  }
  const problem = orderProblem(order);
  if (problem !== undefined)
    report(`an order is wrong: ${problem}`, formatOrder(order), "digits that cover its block");
  if (op.packed === "elements") {
    if (op.width !== 1) report("elements go one at a time", `width ${op.width}`, "width 1");
    return;
  }
  const sides = layout === undefined ? undefined : spanSides(op.at);
  const walk = sides && layout && stepThrough(layout, order, sides, op.width);
  if (walk?.width !== op.width)
    report("a layout does not read an order", `width ${op.width}`, `${walk?.width ?? "elements"}`);
}

/** Boxes of all entries, one after the other along the next dim, are the axis. */
function checkPages(
  report: ScheduledReport,
  op: Extract<SOp, { kind: "load" | "store" | "atomic" | "copy" }>,
  { axis, entries, limit }: SPages,
): void {
  const at = op.at.findIndex((index) => index.kind === "pages");
  const slots = op.at[at + 1];
  if (op.kind !== "copy" || op.via !== "tma")
    report("only boxes come page by page", op.kind, "a copy by tma");
  if (slots?.kind !== "span" || slots.axis.name !== axis.name)
    report("pages without slots", "", `a span of ${axis.name} as the next dim`);
  else if (entries.length * slots.axis.size !== axis.size || slots.end !== undefined)
    report("pages do not fill an axis", `${entries.length} of ${slots.axis.size}`, `${axis.size}`);
  const scalars = limit === undefined ? entries : [...entries, limit];
  if (scalars.some(({ type }) => !isScalar(type) || type.dtype !== "i32"))
    report("a page is no number", "", "i32 scalars");
}

/** Words of two columns each, in some of the panels. */
function checkHeld(
  report: ScheduledReport,
  { value, panels, held }: Extract<SOp, { kind: "store" }>,
  [rows, columns]: readonly Axis[],
): void {
  const [own, words] = value.type.axes;
  const isPaired = own?.name === rows?.name && (words?.size ?? 0) * 2 === columns?.size;
  if (value.type.dtype !== "u32" || !isPaired)
    report("what is held back is no tile of pairs", formatType(value.type), "u32, two columns");
  if (panels === undefined || (held?.count ?? 0) < 1)
    report("a store that is held back has no panels", `${held?.count}`, "one at least");
}

function checkPlace(
  report: ScheduledReport,
  op: Extract<SOp, { kind: "load" | "store" | "atomic" | "copy" }>,
  layout: RegisterLayout | undefined,
  kernel: ScheduledKernel,
): void {
  const tensor = kernel.params.find((param) => param.name === op.tensor);
  if (tensor?.kind !== "tensor") report("no such tensor", op.tensor, "a tensor parameter");
  else if (tensor.shape.length !== op.at.length)
    report("a tensor needs one index a dim", `${op.at.length}`, `${tensor.shape.length}`);
  for (const index of op.at) {
    if (index.kind === "gather") expectSlice(report, "a gather index", index.index, layout);
    if (index.kind === "pages") checkPages(report, op, index);
  }
  if (op.mask !== undefined) expectSlice(report, "the mask", op.mask, layout);
  const axes = placeAxes(op.at);
  if (op.kind === "store" && op.held !== undefined) {
    checkHeld(report, op, axes);
    return;
  }
  if (layout !== undefined && !sameAxes(layout.axes, axes))
    report("the tile has other axes than its address", layout.axes.map((a) => a.name).join(), "");
  if (!("width" in op)) return;
  if (op.kind === "load" && op.packed !== undefined) {
    checkPacked(report, op, kernel);
    return;
  }
  const needed = op.kind === "store" && op.pairs === true ? 2 : op.width;
  if (needed === 1) return;
  const last = op.at.at(-1);
  const fast = last?.kind === "span" ? last.axis.name : undefined;
  const run = layout === undefined || fast === undefined ? 1 : contiguousRegisters(layout, fast);
  if (run % needed !== 0)
    report("a vector is no run of registers", `width ${needed}`, `a divisor of ${run}`);
  if (op.kind !== "store" || op.pairs !== true) return;
  if (DTYPES[op.value.type.dtype].bits !== 4 || op.width !== 1)
    report("pairs are of 4-bit elements", `${op.value.type.dtype} × ${op.width}`, "4 bits × 1");
}

function checkBlockTypes(
  report: ScheduledReport,
  what: string,
  values: readonly SValue[],
  expected: readonly SValue[],
): void {
  if (values.length !== expected.length) {
    report(`the number of ${what} is wrong`, `${values.length}`, `${expected.length}`);
    return;
  }
  values.forEach((value, i) => {
    const other = expected[i];
    if (other !== undefined) expectEqual(report, what, value, other);
  });
}

function checkStructured(report: ScheduledReport, op: SOp): void {
  const yields = (block: SBlock, results: readonly SValue[]): void =>
    checkBlockTypes(report, "yields", block.yields, results);
  switch (op.kind) {
    case "for":
      checkBlockTypes(report, "carried values", op.body.params.slice(1), op.inits);
      checkBlockTypes(report, "results", op.results, op.inits);
      yields(op.body, op.inits);
      return;
    case "while":
      checkBlockTypes(report, "carried values", op.cond.params, op.inits);
      checkBlockTypes(report, "carried values", op.body.params, op.inits);
      checkBlockTypes(report, "results", op.results, op.inits);
      yields(op.body, op.inits);
      return;
    case "if":
      yields(op.then, op.results);
      yields(op.else, op.results);
      return;
    default:
  }
}

function checkRelabel(report: ScheduledReport, x: SValue, result: SValue): void {
  if (x.type.dtype !== result.type.dtype || elementCount(x.type) !== elementCount(result.type))
    report("a relabel changes the tile", formatType(x.type), formatType(result.type));
  if (x.layout === undefined || result.layout === undefined) return;
  const [before, after] = [registerCount(x.layout), registerCount(result.layout)];
  if (before !== after) report("a relabel changes registers", `${before}`, `${after}`);
}

/** Two elements of 16 bits to a word, each two of them neighbouring registers. */
function checkPairs(report: ScheduledReport, x: SValue, result: SValue, axis: string): void {
  const isHalf = elementCount(x.type) === 2 * elementCount(result.type);
  if (DTYPES[x.type.dtype].bits !== 16 || result.type.dtype !== "u32" || !isHalf)
    report("pairs are two 16-bit elements a u32", formatType(x.type), formatType(result.type));
  const first = x.layout?.reg[0];
  if (first?.axis !== axis || first.stride !== 1 || first.extent % 2 !== 0)
    report("pairs are no neighbouring registers", x.name, `pairs along ${axis}`);
}

/** Sixteen neighbours along the axis, two rows of them, are eight registers that follow one another. */
function checkQuads(report: ScheduledReport, x: SValue, result: SValue, axis: string): void {
  const isQuarter = elementCount(x.type) === 4 * elementCount(result.type);
  if (x.type.dtype !== "f32" || result.type.dtype !== "u32" || !isQuarter)
    report("quads are four elements of f32 a u32", formatType(x.type), formatType(result.type));
  const [pair, rows, tiles] = x.layout?.reg ?? [];
  const isFragment =
    pair?.axis === axis &&
    pair.extent === 2 &&
    rows?.axis !== axis &&
    rows?.extent === 2 &&
    tiles?.axis === axis &&
    tiles.stride === 8 &&
    tiles.extent % 2 === 0;
  if (!isFragment) report("quads are of no accumulator", x.name, `one with columns ${axis}`);
}

/** An mbarrier is eight bytes, one slot each. */
function checkBarrier(report: ScheduledReport, kernel: ScheduledKernel, name: string): void {
  const buffer = kernel.shared.find((candidate) => candidate.name === name);
  if (buffer === undefined || (buffer.dtype === "u32" && buffer.layout.stageElements === 2)) return;
  const seen = `${name}: ${buffer.dtype}, ${buffer.layout.stageElements} elements a slot`;
  report("an mbarrier has another form", seen, "u32, 2 elements a slot");
}

/** A place in the buffer for each register of each thread. */
function checkSent(
  report: ScheduledReport,
  kernel: ScheduledKernel,
  name: string,
  { type, layout }: SValue,
): void {
  const buffer = kernel.shared.find((candidate) => candidate.name === name);
  if (buffer === undefined || layout === undefined) return;
  const elements = registerCount(layout) * kernel.numWarps * kernel.warpSize;
  if (buffer.dtype === type.dtype && buffer.layout.stageElements === elements) return;
  const seen = `${name}: ${buffer.dtype}, ${buffer.layout.stageElements} elements a slot`;
  report("a sent tile has no place for each register", seen, `${type.dtype}, ${elements} elements`);
}

/** Checks one op; its regions are the caller's affair. */
export function verifyScheduledOp(op: SOp, kernel: ScheduledKernel, report: ScheduledReport): void {
  switch (op.kind) {
    case "unary":
      expectEqual(report, "operand and result", op.x, op.result);
      return;
    case "cast":
    case "bitcast":
      expectAlike(report, "operand and result", op.x, op.result);
      return;
    case "binary":
      expectEqual(report, "the operands", op.a, op.b);
      expectEqual(report, "operand and result", op.a, op.result);
      return;
    case "compare":
      expectEqual(report, "the operands", op.a, op.b);
      expectAlike(report, "operand and result", op.a, op.result);
      return;
    case "select":
      expectAlike(report, "condition and result", op.cond, op.result);
      expectEqual(report, "the choices", op.a, op.b);
      expectEqual(report, "choice and result", op.a, op.result);
      return;
    case "broadcast":
      expectSlice(report, "the operand", op.x, op.result.layout);
      return;
    case "reduce":
    case "arg_reduce":
      expectSlice(report, "the result", op.result, op.x.layout);
      return;
    case "scan":
      expectEqual(report, "operand and result", op.x, op.result);
      return;
    case "relabel":
      checkRelabel(report, op.x, op.result);
      return;
    case "pack_pairs":
      checkPairs(report, op.x, op.result, op.axis);
      return;
    case "trade_quads":
      checkQuads(report, op.x, op.result, op.axis);
      return;
    case "pack_quads":
      expectEqual(report, "operand and result", op.x, op.result);
      return;
    case "vote":
      if (op.x.type.dtype !== "bool" || !isScalar(op.result.type))
        report("a vote is of a tile of bools, into a scalar", formatType(op.x.type), "bool");
      return;
    case "convert":
      if (!sameType(op.x.type, op.result.type))
        report("a conversion changes the type", op.x.name, "");
      return;
    case "load":
      checkPlace(report, op, op.result.layout, kernel);
      return;
    case "store":
      checkPlace(report, op, op.value.layout, kernel);
      return;
    case "atomic":
      checkPlace(report, op, op.value.layout, kernel);
      if (op.fn === "arrive" && (op.mask !== undefined || !isScalar(op.value.type)))
        report("a program arrives at one counter", formatType(op.value.type), "a scalar, no mask");
      return;
    case "copy":
      checkPlace(report, op, op.layout, kernel);
      if (op.signal !== undefined) checkBarrier(report, kernel, op.signal.buffer);
      if (op.via === "tma" && (op.mask !== undefined || op.fill !== 0))
        report(
          "tma copies know no masks and fill with zeros",
          `fill ${op.fill}`,
          "no mask, fill 0",
        );
      return;
    case "dot":
      expectEqual(report, "accumulator and result", op.acc, op.result);
      return;
    case "mbarrier_init":
      checkBarrier(report, kernel, op.barrier);
      return;
    case "mbarrier_wait":
    case "mbarrier_arrive":
    case "mbarrier_expect":
      checkBarrier(report, kernel, op.on.buffer);
      return;
    case "send_tile":
      checkSent(report, kernel, op.into, op.value);
      return;
    case "take_tile":
      checkSent(report, kernel, op.from, op.result);
      return;
    default:
      checkStructured(report, op);
  }
}
