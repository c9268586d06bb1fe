/** [dsl/ir] Rules of loads, stores and atomics: names, access rights, indices, masks. Also the axes that an address spans. */
import type { AtomicOp, Index, LoadOp, Op, StoreOp, TensorParam, TileKernel } from "./nodes.ts";
import { type Axis, findAxis, formatType, type Value } from "./types.ts";
import { expectDType, expectLiteral, expectType, type Report } from "./verify-op.ts";

/**
 * Axes of the tile that `at` addresses, in order: a span gives its axis, a gather the axes of its index that are not
 * there yet from another gather.
 */
export function indexAxes(at: readonly Index[]): readonly Axis[] {
  const axes: Axis[] = [];
  const gathered = new Set<string>();
  for (const index of at) {
    if (index.kind === "span") axes.push(index.axis);
    if (index.kind !== "gather") continue;
    for (const axis of index.index.type.axes) {
      if (gathered.has(axis.name)) continue;
      gathered.add(axis.name);
      axes.push(axis);
    }
  }
  return axes;
}

export function findTensor(kernel: TileKernel, name: string): TensorParam | undefined {
  const param = kernel.params.find((candidate) => candidate.name === name);
  return param?.kind === "tensor" ? param : undefined;
}

function checkIndices(report: Report, at: readonly Index[]): void {
  const gathered = new Map<string, number>();
  for (const index of at) {
    switch (index.kind) {
      case "at":
        expectType(report, "an index", index.value, "i32", []);
        break;
      case "span":
        expectType(report, "the start of a span", index.start, "i32", []);
        if (index.end !== undefined) expectType(report, "the end of a span", index.end, "i32", []);
        break;
      case "gather":
        expectDType(report, "a gather index", index.index, (dtype) => dtype === "i32", "i32");
        for (const { name, size } of index.index.type.axes) {
          const other = gathered.get(name) ?? size;
          if (other !== size) {
            report("axes", `gathers differ in axis ${name}`, `${other} and ${size}`, "one size");
          }
          gathered.set(name, size);
        }
        break;
      default:
        index satisfies never;
    }
  }
}

function checkMask(report: Report, mask: Value | undefined, axes: readonly Axis[]): void {
  if (mask === undefined) return;
  expectDType(report, "the mask", mask, (dtype) => dtype === "bool", "bool");
  for (const axis of mask.type.axes) {
    const found = axes.find((candidate) => candidate.name === axis.name);
    if (found?.size === axis.size) continue;
    const expected = `axes of the tile: ${axes.map((a) => `${a.name}=${a.size}`).join(", ")}`;
    report("axes", "the mask has an axis that the tile lacks", formatType(mask.type), expected);
  }
}

/** The access that an op needs, by the kinds of parameters that grant it. */
const RIGHTS = {
  load: ["in", "inout"],
  store: ["out", "inout"],
  atomic: ["inout"],
} as const satisfies Record<string, readonly TensorParam["access"][]>;

function checkPlace(
  report: Report,
  op: LoadOp | StoreOp | AtomicOp,
  kernel: TileKernel,
): TensorParam | undefined {
  const tensor = findTensor(kernel, op.tensor);
  checkIndices(report, op.at);
  if (tensor === undefined) {
    report("name", "no such tensor parameter", op.tensor, "a tensor parameter");
    return undefined;
  }
  const rights: readonly TensorParam["access"][] = RIGHTS[op.kind];
  if (!rights.includes(tensor.access)) {
    const message = `tensor ${op.tensor} does not allow a ${op.kind}`;
    report("access", message, tensor.access, rights.join(" or "));
  }
  if (op.at.length !== tensor.shape.length) {
    const message = `tensor ${op.tensor} needs one index a dim`;
    report("axes", message, String(op.at.length), String(tensor.shape.length));
  }
  return tensor;
}

function checkAtomic(report: Report, op: AtomicOp, axes: readonly Axis[]): void {
  if (op.fn === "arrive") {
    expectType(report, "the programs that arrive", op.value, "i32", []);
    expectType(report, "the result", op.result, "i32", []);
    if (op.at.some((index) => index.kind !== "at") || op.mask !== undefined)
      report("access", "programs arrive at one counter", "spans, gathers or a mask", "scalars");
    return;
  }
  const wide = ["f32", "i32", "u32"];
  expectDType(report, "the value", op.value, (dtype) => wide.includes(dtype), wide.join(", "));
  expectType(report, "the result", op.result, op.value.type.dtype, axes);
}

/** Checks a load, store or atomic; other ops pass. */
export function verifyMemoryOp(op: Op, kernel: TileKernel, report: Report): void {
  if (op.kind !== "load" && op.kind !== "store" && op.kind !== "atomic") return;
  const tensor = checkPlace(report, op, kernel);
  const axes = indexAxes(op.at);
  checkMask(report, op.mask, axes);
  if (tensor === undefined) return;
  if (op.kind === "load") {
    expectType(report, "the result", op.result, tensor.dtype, axes);
    expectLiteral(report, "the fill", op.fill, tensor.dtype);
    return;
  }
  expectType(report, "the value", op.value, tensor.dtype, axes);
  if (op.kind === "atomic") checkAtomic(report, op, axes);
}

/**
 * Checks that the body of an `if_any` is local to rows: no value with the axis is reduced, scanned, contracted, fused or
 * renamed along it, no row is fetched by another's index, and nothing is written.
 */
export function verifyRowLocal(op: Op, axis: string, report: Report): void {
  const mixes = (x: Value, used: readonly string[]): void => {
    if (findAxis(x.type, axis) === undefined || !used.includes(axis)) return;
    report("axes", `the body of if_any mixes rows of ${axis}`, op.kind, "ops local to rows");
  };
  switch (op.kind) {
    case "reduce":
    case "arg_reduce":
    case "scan":
      mixes(op.x, [op.axis]);
      return;
    case "dot":
      mixes(op.a, [op.axis]);
      return;
    case "merge":
      mixes(op.x, op.axes);
      return;
    case "split":
      mixes(op.x, [op.axis]);
      return;
    case "rename":
      op.x.type.axes.forEach((from, i) => {
        if (op.result.type.axes[i]?.name !== from.name) mixes(op.x, [from.name]);
      });
      return;
    case "store":
    case "atomic":
      report("access", "the body of if_any writes memory", op.kind, "no store, no atomic");
      return;
    case "while":
      report("block", "the body of if_any holds a while", op.kind, "counted loops");
      return;
    default:
  }
}
