/** [codegen/passes] Moves pure ops whose operands do not change out of loops. Memory is not touched: a loop that never runs reads nothing. */
import {
  type Block,
  mapRegions,
  type Op,
  operands,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";

/** Tiles of several axes are kept in registers through the loop only where computing them again costs more than an add. */
function isWorthRegisters(op: Op & { readonly result: Value }): boolean {
  return op.result.type.axes.length <= 1;
}

/** Ops that compute from values alone and are cheap enough to run once for nothing. */
function isMovable(op: Op): boolean {
  switch (op.kind) {
    case "dim":
    case "param":
    case "pid":
    case "num_programs":
    case "iota":
    case "unary":
    case "reduce":
    case "arg_reduce":
    case "scan":
      return true;
    case "const":
    case "compare":
    case "select":
    case "cast":
    case "bitcast":
    case "broadcast":
    case "rename":
    case "merge":
    case "split":
      return isWorthRegisters(op);
    case "binary":
      // A guarded division by zero stays guarded.
      return op.fn !== "floordiv" && op.fn !== "mod" && isWorthRegisters(op);
    default:
      return false;
  }
}

interface Hoisted {
  readonly block: Block;
  readonly out: readonly Op[];
}

/** Splits a loop's body into what may run before the loop and what stays. */
function split(block: Block): Hoisted {
  const inside = new Set(block.params.map((value) => value.id));
  const out: Op[] = [];
  const stay: Op[] = [];
  for (const op of block.ops) {
    const moves = isMovable(op) && operands(op).every((value) => !inside.has(value.id));
    if (moves) {
      out.push(op);
      continue;
    }
    stay.push(op);
    for (const value of "results" in op ? op.results : "result" in op ? [op.result] : [])
      inside.add(value.id);
  }
  return { block: { ...block, ops: stay }, out };
}

export function hoistInvariant(kernel: TileKernel): TileKernel {
  const enter = (block: Block): Block => ({
    ...block,
    ops: block.ops.flatMap((original): readonly Op[] => {
      const op = mapRegions(original, enter);
      if (op.kind === "for") {
        const body = split(op.body);
        return [...body.out, { ...op, body: body.block }];
      }
      if (op.kind !== "while") return [op];
      const cond = split(op.cond);
      const body = split(op.body);
      return [...cond.out, ...body.out, { ...op, cond: cond.block, body: body.block }];
    }),
  });
  return { ...kernel, body: enter(kernel.body) };
}
