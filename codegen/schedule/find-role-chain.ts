/** [codegen/schedule] Two dots of one loop, the second of what the first gave, between roles: attention. The tests, and why one fails. Builds nothing. */
import {
  type Definition,
  DTYPES,
  definitions,
  isScalar,
  type Op,
  operands,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";
import { findUses } from "../analysis/tile-uses.ts";
import { isWgmmaColumns, isWgmmaType } from "../ir/instructions.ts";
import type { PassContext } from "../passes/pass.ts";
import { type DotShape, dotShape } from "./dot-forms.ts";
import { addressObstacle, boxObstacle, isAddressOp, isScalarLoad } from "./find-boxes.ts";
import { pageOps } from "./find-pages.ts";
import {
  chainRegisters,
  type Found,
  findLoad,
  isSideOp,
  MOST_CONSUMERS,
  mostAccumulators,
  mostColumns,
  ROWS,
  ringObstacle,
} from "./role-loop.ts";

import { answer, wishesOf } from "./wishes.ts";

type DotOp = Extract<Op, { kind: "dot" }>;
type ForOp = Extract<Op, { kind: "for" }>;
type LoadOp = Extract<Op, { kind: "load" }>;

/** Of operands along the contraction that one product takes. */
const STEP_BITS = 256;

/** The load outside of every loop that makes a value. */
function loadBefore(kernel: TileKernel, value: Value): LoadOp | undefined {
  const op = kernel.body.ops.find((o) => o.kind === "load" && o.result.id === value.id);
  return op?.kind === "load" ? op : undefined;
}

/** Whether `value` is made of `source` by elementwise ops, reductions and branches. */
function isMadeOf(
  value: Value,
  source: number,
  defs: ReadonlyMap<number, Definition>,
  seen = new Set<number>(),
): boolean {
  if (value.id === source) return true;
  const definition = defs.get(value.id);
  if (seen.has(value.id) || definition?.kind !== "op") return false;
  seen.add(value.id);
  const { op } = definition;
  const at = op.kind === "if" ? op.results.findIndex(({ id }) => id === value.id) : -1;
  const inner = op.kind === "if" ? [op.then.yields[at], op.else.yields[at]] : [];
  return [...operands(op), ...inner].some(
    (next) => next !== undefined && isMadeOf(next, source, defs, seen),
  );
}

/** What consumers may run between the two products: each thread alone, or the lanes of a warp that share a row. */
function isRowOp(kernel: TileKernel, op: Op, columns: string): boolean {
  if (isAddressOp(op) || isSideOp(kernel, op)) return true;
  switch (op.kind) {
    case "iota":
    case "bitcast":
      return true;
    case "reduce":
      // Whether any row of the block asks for something: warps decide that for their own rows.
      return op.axis === columns || (op.fn === "max" && isScalar(op.result.type));
    case "if":
      return [op.then, op.else].every((block) =>
        block.ops.every((inner) => inner.kind !== "load" && isRowOp(kernel, inner, columns)),
      );
    default:
      return false;
  }
}

function shapesObstacle(first: DotShape, second: DotShape, bits: number): string | undefined {
  const rows = first.m.size;
  if (second.m.name !== first.m.name) return "the second dot has other rows";
  if (second.k.name !== first.n.name) return "the second dot contracts another axis";
  const consumers = rows / ROWS;
  if (rows % ROWS !== 0 || consumers > MOST_CONSUMERS)
    return `${rows} rows are not 64 for each of 1 to ${MOST_CONSUMERS} warpgroups`;
  for (const { n, k } of [first, second]) {
    if (!isWgmmaColumns(n.size, false)) return `${n.size} columns are no multiple of 8 up to 256`;
    if (n.size > mostColumns(consumers))
      return `${n.size} columns are more than ${consumers} warpgroups take`;
    const step = STEP_BITS / bits;
    if (k.size % step !== 0) return `a contraction of ${k.size} is no multiple of ${step}`;
  }
  const sizes = { bits, keys: first.n.size, contracted: first.k.size, columns: second.n.size };
  const { tiles } = chainRegisters(sizes);
  const most = mostAccumulators(consumers);
  return tiles > most
    ? `tiles of ${rows}×${first.n.size} and ${rows}×${second.n.size} take ${tiles} registers, more than ${most}`
    : undefined;
}

/** @param first of the two dots as the text has them */
export function examineChain(
  kernel: TileKernel,
  first: DotOp,
  second: DotOp,
  context: PassContext,
): Found {
  const { dtype } = first.a.type;
  const all = [first.a, first.b, second.a, second.b].map(({ type }) => type.dtype);
  const isByte = dtype === "f8e4m3";
  if (
    all.some((other) => other !== dtype) ||
    !isWgmmaType(dtype) ||
    !(isByte || DTYPES[dtype].bits === 16)
  )
    return {
      obstacle: `two dots of ${[...new Set(all)].join(" and ")}, not of f16, bf16 or f8e4m3 alone`,
    };
  const wished = wishesOf(kernel).fastSums;
  if (isByte && wished !== true)
    return {
      obstacle: "sums of f8e4m3 over all trips keep 14 bits, which the wish fastSums allows",
    };
  const loop = kernel.body.ops.find(
    (op): op is ForOp => op.kind === "for" && op.body.ops.includes(first),
  );
  if (loop === undefined) return { obstacle: "the dots are not in a loop at the top level" };
  if (!loop.body.ops.includes(second)) return { obstacle: "the dots are not in one loop" };
  if ((loop.hints.stages ?? 1) < 2) return { obstacle: "the loop asks for fewer than 2 stages" };
  const [shape, other] = [dotShape(first), dotShape(second)];
  const [q, k, v] = [
    loadBefore(kernel, first.a),
    findLoad(loop, first.b),
    findLoad(loop, second.b),
  ];
  if (shape === undefined || other === undefined)
    return { obstacle: "an operand has not two axes" };
  if (q === undefined) return { obstacle: "the rows of the first dot are no load before the loop" };
  if (k === undefined || v === undefined || k === v)
    return { obstacle: "the columns of a dot are no load of the loop" };
  const defs = definitions(kernel.body);
  const start = first.acc === undefined ? undefined : defs.get(first.acc.id);
  const isZero = start?.kind === "op" && start.op.kind === "const" && start.op.value === 0;
  if (first.acc !== undefined && !isZero) return { obstacle: "the first dot adds to a tile" };
  if (!isMadeOf(second.a, first.result.id, defs))
    return { obstacle: "the second dot does not multiply what the first gave" };
  const loads = [q, k, v];
  const uses = findUses(kernel.body);
  const [, ...carried] = loop.body.params;
  const sum = carried.find((_, i) => loop.body.yields[i]?.id === second.result.id);
  if (sum === undefined) return { obstacle: "the loop does not carry the sum of the second dot" };
  if ((uses.get(second.result.id)?.length ?? 0) > 1)
    return { obstacle: "the sum of the second dot is read in its own trip" };
  const operandsOfDots = [first.a, first.b, second.a, second.b];
  if (operandsOfDots.some((value) => isMadeOf(value, sum.id, defs)))
    return { obstacle: "the second dot multiplies what its own sum makes" };
  const shared = loads.find((load) => (uses.get(load.result.id)?.length ?? 0) > 1);
  if (shared !== undefined)
    return { obstacle: `${shared.result.name} is read by more than its dot` };
  const copied = pageOps(kernel, loop.body.ops, loads);
  const known = new Set<Op>([first, second, k, v, ...copied]);
  const strange = loop.body.ops.find(
    (op) => !known.has(op) && !isScalarLoad(kernel, op) && !isRowOp(kernel, op, shape.n.name),
  );
  if (strange !== undefined) return { obstacle: `the loop holds a ${strange.kind} besides` };
  const obstacle =
    shapesObstacle(shape, other, DTYPES[dtype].bits) ??
    boxObstacle(kernel, q, first.axis, context) ??
    boxObstacle(kernel, k, first.axis, context) ??
    boxObstacle(kernel, v, isByte ? second.axis : undefined, context) ??
    addressObstacle(kernel, loads, loop, { loads: true }) ??
    ringObstacle([k, v], shape.m.size / ROWS, context, [q]);
  if (obstacle !== undefined) return { obstacle };
  const dots = [
    { dot: first, shape, swapped: false },
    { dot: second, shape: other, swapped: false },
  ];
  if (isByte)
    answer(context, "fastSums", "as asked: the tensor core adds up, in about 14 bits", loop.loc);
  const fast = isByte ? ({ fastSums: true } as const) : {};
  const consumers = shape.m.size / ROWS;
  const wishedConsumers = wishesOf(kernel).consumers;
  if (wishedConsumers !== undefined) {
    const why = `not as asked: ${consumers}, one for 64 of ${shape.m.size} rows`;
    answer(context, "consumers", wishedConsumers === consumers ? "as asked" : why, loop.loc);
  }
  return { found: { loop, dots, loads, consumers, ...fast } };
}
