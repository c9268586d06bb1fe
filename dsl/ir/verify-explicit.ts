/** [dsl/ir] Rules of the ops of the third tier: names, types, and where they may stand. */
import type { BarrierOp, RingOp } from "./explicit.ts";
import type { Block, Op, TileKernel } from "./nodes.ts";
import { formatType } from "./types.ts";
import { expectSame, expectType, type Report } from "./verify-op.ts";
import { walkOps } from "./visit.ts";

/** Rings and barriers of a kernel by name. */
export interface SharedNames {
  readonly rings: ReadonlyMap<string, RingOp>;
  readonly barriers: ReadonlyMap<string, BarrierOp>;
}

export function sharedNames({ body }: Pick<TileKernel, "body">): SharedNames {
  const rings = new Map<string, RingOp>();
  const barriers = new Map<string, BarrierOp>();
  for (const op of body.ops) {
    if (op.kind === "ring") rings.set(op.ring, op);
    if (op.kind === "barrier") barriers.set(op.barrier, op);
  }
  return { rings, barriers };
}

function expectCount(report: Report, what: string, n: number, least = 1): void {
  if (Number.isInteger(n) && n >= least) return;
  report("attribute", `${what} is no count`, String(n), `an integer >= ${least}`);
}

function expectNamed(
  report: Report,
  what: string,
  name: string,
  known: ReadonlyMap<string, unknown>,
): void {
  if (known.has(name)) return;
  report("name", `no such ${what}`, name, [...known.keys()].join(", ") || `a ${what}`);
}

/** Checks an op of the third tier by itself; others pass. */
export function verifyExplicitOp(op: Op, names: SharedNames, report: Report): void {
  switch (op.kind) {
    case "ring":
      expectCount(report, "the number of slots", op.stages);
      return;
    case "barrier":
      expectCount(report, "the number of barriers", op.stages);
      expectCount(report, "the number of arrivals", op.arrivals);
      return;
    case "barrier_wait":
    case "barrier_arrive":
      expectNamed(report, "barrier", op.barrier, names.barriers);
      expectType(report, "the use", op.use, "i32", []);
      return;
    case "slot":
    case "copy_async": {
      expectNamed(report, "ring", op.ring, names.rings);
      expectType(report, "the use", op.use, "i32", []);
      if (op.kind === "copy_async") expectNamed(report, "barrier", op.barrier, names.barriers);
      const ring = names.rings.get(op.ring);
      const tile = op.kind === "slot" ? op.result : op.value;
      if (ring !== undefined) expectType(report, "the tile", tile, ring.dtype, ring.axes);
      return;
    }
    case "dot_wait":
      expectCount(report, "the number of dots in flight", op.pending, 0);
      for (const [i, x] of op.xs.entries()) {
        const result = op.results[i];
        if (result !== undefined) expectSame(report, "operand and result", x, result);
      }
      if (op.xs.length === op.results.length) return;
      report("block", "results of dot_wait", String(op.results.length), String(op.xs.length));
      return;
    case "walk":
      expectType(report, "the result", op.result, "i32", []);
      return;
    case "roles":
      expectCount(report, "the number of warpgroups", op.warpgroups);
      for (const block of [op.producer, op.consumer]) {
        if (block.params.length === 0 && block.yields.length === 0) continue;
        report("block", "a role takes and gives nothing", "params or yields", "none");
      }
      return;
    default:
  }
}

const TOP: readonly Op["kind"][] = ["ring", "barrier", "roles"];
const INSIDE: readonly Op["kind"][] = [
  "barrier_wait",
  "barrier_arrive",
  "copy_async",
  "slot",
  "dot_wait",
];

/** Checks that roles and memory stand at the top level, and what belongs to roles inside of them. */
export function verifyPlaces(body: Block, report: Report): void {
  let roles = 0;
  for (const op of body.ops) {
    if (op.kind === "roles") {
      roles++;
      for (const block of [op.producer, op.consumer])
        walkOps(block, (inner) => {
          if (TOP.includes(inner.kind))
            report("block", "an op of the top level stands inside", inner.kind, "the top level");
        });
      continue;
    }
    walkOps({ params: [], ops: [op], yields: [] }, (inner, depth) => {
      const isStray = INSIDE.includes(inner.kind) || (depth > 0 && TOP.includes(inner.kind));
      if (isStray) report("block", "an op stands outside of its place", inner.kind, "roles");
      if (inner.kind === "dot" && inner.async === true)
        report(
          "block",
          "an asynchronous dot outside of roles",
          formatType(inner.result.type),
          "a role",
        );
    });
  }
  if (roles > 1) report("block", "roles stand more than once", String(roles), "once");
}
