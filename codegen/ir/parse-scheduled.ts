/** [codegen/ir] Reads the text form of the scheduled IR: `parseScheduled(printScheduled(k))` equals `k` but for remarks. Ops live in parse-scheduled-op.ts. */
import { DTYPE_NAMES, type Param, type TensorDim, TokenReader } from "../../dsl/index.ts";
import type { Iter } from "../layout/layout.ts";
import type { OrderDigit, PackedOrder } from "../layout/packed-order.ts";
import { readScheduledBlock } from "./parse-scheduled-op.ts";
import { type LayoutIters, ScheduledReader } from "./parse-scheduled-values.ts";
import type { ScheduledKernel, SharedBuffer } from "./scheduled.ts";

const ACCESS = ["in", "out", "inout"] as const;

function readDim(t: TokenReader): TensorDim {
  if (t.peek().kind === "number") return { size: t.number("a size") };
  const name = t.name("a dim");
  return t.accept("=") ? { name, size: t.number("a size") } : { name };
}

function readParam(t: TokenReader): Param {
  const name = t.name("a parameter");
  t.expect(":");
  const access = ACCESS.find((word) => t.accept(word));
  const packed = access === "in" && t.accept("packed") ? { packed: true as const } : {};
  const dtype = t.oneOf(DTYPE_NAMES, "dtype");
  if (access === undefined) return { kind: "scalar", name, dtype };
  t.expect("[");
  return { kind: "tensor", name, dtype, shape: t.list("]", () => readDim(t)), access, ...packed };
}

function readSettings<T>(
  t: TokenReader,
  word: string,
  value: (key: string) => T,
): Readonly<Record<string, T>> {
  if (!t.accept(word)) return {};
  t.expect("(");
  const pairs = t.list(")", () => {
    const key = t.name("a name");
    t.expect("=");
    return [key, value(key)] as const;
  });
  return Object.fromEntries(pairs);
}

function readConfigValue(t: TokenReader, key: string): number | boolean {
  if (t.accept("true")) return true;
  return t.accept("false") ? false : t.number(`the value of ${key}`);
}

function readNumbers(t: TokenReader, word: string): number[] {
  t.expect(word);
  t.expect("(");
  return t.list(")", () => t.number("a number"));
}

function readIter(t: TokenReader): Iter {
  const extent = t.number("an extent");
  t.expect(":");
  if (t.accept("?")) return { extent, axis: null, stride: 0 };
  const axis = t.name("an axis");
  t.expect("=");
  return { extent, axis, stride: t.number("a stride") };
}

function readIters(t: TokenReader, word: string): Iter[] {
  t.expect(word);
  t.expect("(");
  return t.list(")", () => readIter(t));
}

function readDigit(t: TokenReader): OrderDigit {
  const extent = t.number("an extent");
  t.expect(":");
  const side = t.oneOf(["row", "column"], "side");
  t.expect("=");
  return { extent, side, stride: t.number("a stride") };
}

function readOrders(t: TokenReader): { readonly orders?: Readonly<Record<string, PackedOrder>> } {
  if (!t.accept("orders")) return {};
  const orders: Record<string, PackedOrder> = {};
  t.expect("{");
  while (!t.accept("}")) {
    const name = t.name("a tensor");
    t.expect("=");
    const [rows = 1, columns = 1] = readNumbers(t, "block");
    t.expect("digits");
    t.expect("(");
    orders[name] = { block: [rows, columns], digits: t.list(")", () => readDigit(t)) };
  }
  return { orders };
}

function readLayouts(t: TokenReader): ReadonlyMap<string, LayoutIters> {
  const layouts = new Map<string, LayoutIters>();
  t.expect("layouts");
  t.expect("{");
  while (!t.accept("}")) {
    const name = t.name("a layout");
    t.expect("=");
    const reg = readIters(t, "reg");
    const lane = readIters(t, "lane");
    layouts.set(name, { reg, lane, warp: readIters(t, "warp") });
  }
  return layouts;
}

function readBuffer(r: ScheduledReader): SharedBuffer {
  const t = r.tokens;
  const name = t.name("a buffer");
  t.expect(":");
  const { dtype, axes } = r.type();
  t.expect("stages");
  const stages = t.number("a number of stages");
  const strides = readNumbers(t, "strides");
  let swizzle = {};
  if (t.accept("swizzle")) {
    t.expect("(");
    const [bits = 0, base = 0, shift = 0] = t.list(")", () => t.number("a number"));
    swizzle = { swizzle: { bits, base, shift } };
  }
  t.expect("stage");
  const stageElements = t.number("elements of a stage");
  const byteOffset = t.accept("at") ? { byteOffset: t.number("a byte offset") } : {};
  const alias = t.accept("alias") ? { aliasOf: t.name("a buffer") } : {};
  const layout = { kind: "shared", axes, strides, ...swizzle, stageElements } as const;
  return { name, dtype, axes, stages, layout, ...byteOffset, ...alias };
}

/**
 * Reads one kernel. It is not verified.
 * @param file display name of the text for error messages
 * @throws KernelSourceError TW1901 where the text is not of the form that the printer gives
 */
export function parseScheduled(text: string, file = "<scheduled-ir>"): ScheduledKernel {
  const t = new TokenReader(text, file, "scheduled IR");
  t.expect("scheduled");
  const name = t.name("the kernel's name");
  t.expect("(");
  const params = t.list(")", () => readParam(t));
  let dims: readonly string[] = [];
  if (t.accept("dims")) {
    t.expect("(");
    dims = t.list(")", () => t.name("a dim"));
  }
  const fixedDims = readSettings(t, "fixed", (key) => t.number(`the size of ${key}`));
  const config = readSettings(t, "config", (key) => readConfigValue(t, key));
  const divisibility = readSettings(t, "divisibility", (key) => t.number(`a divisor of ${key}`));
  const [numWarps = 1, warpSize = 1] = readNumbers(t, "warps");
  const cluster = t.peek().text === "cluster" ? readNumbers(t, "cluster") : [];
  const orders = readOrders(t);
  const r = new ScheduledReader(t, readLayouts(t));
  t.expect("shared");
  t.expect("{");
  const shared: SharedBuffer[] = [];
  while (!t.accept("}")) shared.push(readBuffer(r));
  t.expect("{");
  const body = readScheduledBlock(r, []);
  if (t.peek().kind !== "end") t.fail("text follows the kernel", "the end of the text");
  return {
    name,
    params,
    dims,
    fixedDims,
    config,
    divisibility,
    ...orders,
    numWarps,
    warpSize,
    ...(cluster.length === 0 ? {} : ({ cluster: 2 } as const)),
    shared,
    body,
    remarks: [],
  };
}
