/** [codegen/analysis] Whether programs of a kernel arrive at counters, and targets that have no order between programs. Changes nothing. */
import { type Op, type TileKernel, UnsupportedError, walkOps } from "../../dsl/index.ts";
import type { PassContext } from "../passes/pass.ts";
import { hasFeature } from "../passes/pass.ts";

type AtomicOp = Extract<Op, { kind: "atomic" }>;

/** The first place where a program arrives at a counter. */
export function findArrival(kernel: TileKernel): AtomicOp | undefined {
  let found: AtomicOp | undefined;
  walkOps(kernel.body, (op) => {
    if (op.kind === "atomic" && op.fn === "arrive") found ??= op;
  });
  return found;
}

/** @throws UnsupportedError TW2310 where programs arrive at counters and the target cannot order them */
export function requireArrivals(kernel: TileKernel, context: PassContext): void {
  const op = findArrival(kernel);
  const { target } = context.target;
  if (op === undefined || hasFeature(context, "last-arrival")) return;
  throw new UnsupportedError({
    code: "TW2310",
    message: `${kernel.name}: no memory order between programs on ${target}, so the last to arrive could not see what the others stored`,
    seen: `lastArrival() at ${op.tensor}`,
    expected: 'a target with the feature "last-arrival": cuda, hip',
    remedy:
      "split the work into two kernels there: the first stores its parts, the second, launched behind it, puts them together",
    location: op.loc,
  });
}
