/** [dsl/interpreter] Roles as two generator functions: a wait gives control to the other role. Rings are buffers of all their slots. */
import { DTYPES } from "../core/dtype.ts";
import type { ExplicitOp, RolesOp } from "../ir/explicit.ts";
import type { Block, DotOp } from "../ir/nodes.ts";
import { elementCount, type Value } from "../ir/types.ts";
import type { Emission } from "./emission.ts";
import { scalarText } from "./emit-assign.ts";
import type { Leaf } from "./expression.ts";
import { isRowMajor } from "./nest.ts";

/** Blocks that share out the programs of a launch: fewer than programs, so that rings go on from one to the next. */
export const BLOCKS = "Math.ceil(programs0 * programs1 * programs2 / 2)";
const WALK = {
  first: "pid0 + programs0 * (pid1 + programs1 * pid2)",
  total: "programs0 * programs1 * programs2",
  blocks: BLOCKS,
} as const;

type EmitBlock = (e: Emission, block: Block) => void;

function text(e: Emission, value: Value): string {
  return scalarText(e.expression(value));
}

/** The tile row-major in a buffer. */
function packedLeaf(e: Emission, op: ExplicitOp, value: Value): Leaf {
  const leaf = e.leaf(op, value);
  if (isRowMajor(leaf, value.type.axes)) return leaf;
  const copy = e.scratch(value.type.dtype, value.type.axes);
  e.call(op, [], (w) => e.writeTile(w, copy, value.type.axes, { kind: "leaf", leaf }));
  return copy;
}

function emitRoles(e: Emission, op: RolesOp, emitBlock: EmitBlock): void {
  const names = { producer: `producer$${e.site(op)}`, consumer: `consumer$${e.site(op)}` };
  for (const role of ["producer", "consumer"] as const) {
    e.main.open(`const ${names[role]} = function* () {`);
    e.within(role, op.warpgroups, () => emitBlock(e, op[role]));
    e.main.close(";");
  }
  const made = `{ producer: ${names.producer}(), consumer: ${names.consumer}() }`;
  e.main.line(`runRoles(memory$, ${e.site(op)}, ${made});`);
}

function emitCopy(e: Emission, op: Extract<ExplicitOp, { kind: "copy_async" }>): void {
  const from = packedLeaf(e, op, op.value);
  const elements = elementCount(op.value.type);
  const bytes = Math.ceil((elements * DTYPES[op.value.type.dtype].bits) / 8);
  const args = `${JSON.stringify(op.ring)}, ${text(e, op.use)}, ${JSON.stringify(op.barrier)}, ${bytes}, ${e.site(op)}`;
  e.main.line(`${e.ringBuffer(op.ring)}.set(${from.buffer}, memory$.fill(${args}) * ${elements});`);
}

function emitSlot(e: Emission, op: Extract<ExplicitOp, { kind: "slot" }>): void {
  const leaf = e.allocate(op.result);
  const elements = elementCount(op.result.type);
  const at = `slot$${e.site(op)}`;
  const args = `${JSON.stringify(op.ring)}, ${text(e, op.use)}, ${e.site(op)}`;
  e.main.line(`const ${at} = memory$.read(${args}) * ${elements};`);
  e.main.line(`${leaf.buffer}.set(${e.ringBuffer(op.ring)}.subarray(${at}, ${at} + ${elements}));`);
  e.define(op.result, { kind: "leaf", leaf });
  if (op.registers !== true) e.slots.set(op.result.id, op);
}

/** Slots that an asynchronous dot keeps until it is waited for. */
export function emitStartedDot(e: Emission, op: DotOp): void {
  const slots = [op.a, op.b].flatMap(({ id }) => {
    const found = e.slots.get(id);
    return found === undefined ? [] : [`[${JSON.stringify(found.ring)}, ${text(e, found.use)}]`];
  });
  e.main.line(`memory$.startDot([${slots.join(", ")}]);`);
}

/** Emits an op of the third tier. */
export function emitExplicit(e: Emission, op: ExplicitOp, emitBlock: EmitBlock): void {
  switch (op.kind) {
    case "ring": {
      const elements = op.axes.reduce((n, axis) => n * axis.size, op.stages);
      e.openMemory();
      e.addRing(op.ring, e.buffer(`ring$${e.site(op)}`, op.dtype, elements));
      e.main.line(`memory$.ring(${JSON.stringify(op.ring)}, ${op.stages});`);
      return;
    }
    case "barrier": {
      e.openMemory();
      const args = `${JSON.stringify(op.barrier)}, ${op.stages}, ${op.arrivals}`;
      e.main.line(`memory$.barrier(${args});`);
      return;
    }
    case "barrier_wait": {
      const role = JSON.stringify(e.role.name);
      const args = `${role}, ${JSON.stringify(op.barrier)}, ${text(e, op.use)}, ${e.site(op)}`;
      e.main.line(`while (!memory$.passes(${args})) yield ${e.site(op)};`);
      return;
    }
    case "barrier_arrive": {
      const { name, warpgroups } = e.role;
      const [method, count] =
        op.bytes === undefined ? ["arrive", warpgroups] : ["expect", op.bytes];
      const args = `${JSON.stringify(name)}, ${JSON.stringify(op.barrier)}, ${text(e, op.use)}, ${e.site(op)}`;
      e.main.line(`memory$.${method}(${args}, ${count});`);
      return;
    }
    case "copy_async":
      emitCopy(e, op);
      return;
    case "slot":
      emitSlot(e, op);
      return;
    case "dot_wait":
      e.main.line(`memory$.waitDots(${op.pending});`);
      for (const [i, result] of op.results.entries()) {
        const x = op.xs[i];
        if (x !== undefined) e.define(result, e.expression(x));
      }
      return;
    case "walk":
      e.defineScalar(op.result, WALK[op.what]);
      return;
    case "roles":
      e.openMemory();
      emitRoles(e, op, emitBlock);
      return;
    default:
      op satisfies never;
  }
}
