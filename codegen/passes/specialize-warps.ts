/**
 * [codegen/passes] A loop whose copies are boxes of tensor maps: one thread copies, warpgroups multiply, a ring of slots with mbarriers
 * between them; blocks walk over the programs. Runs after choose-shared-layouts, before pipeline-loads and allocate-shared.
 */
import { DTYPES, type Location } from "../../dsl/index.ts";
import { backwardSlice } from "../analysis/backward-slice.ts";
import type { SBlock, SCopy, ScheduledKernel, SDot, SFor, SOp, SValue } from "../ir/scheduled.ts";
import {
  mapScheduledOperands,
  mapScheduledRegions,
  mapScheduledResults,
  scheduledOperands,
  scheduledResults,
} from "../ir/visit-scheduled.ts";
import { bufferBytes, placeBuffers } from "./allocate-shared.ts";
import { hasCluster } from "./cluster-loop.ts";
import type { PassContext } from "./pass.ts";
import { barrierRing, freeName, onlyIf } from "./ring-buffers.ts";
import { ScalarBuilder } from "./scalar-builder.ts";
import { type Program, programOf, type Walk, walkPrograms } from "./walk-programs.ts";

const PASS = "specialize-warps";
const WARPS_IN_GROUP = 4;

/**
 * Registers of a thread in each role where two warpgroups multiply: what 64 K registers give all threads alike is moved to those that
 * hold accumulators. One consumer has enough as it is.
 */
const REGISTERS = { producer: 24, consumer: 240 };

/** The kernel's parts around its one loop with tensor copies. */
interface Parts {
  readonly before: readonly SOp[];
  readonly loop: SFor;
  readonly after: readonly SOp[];
  readonly copies: readonly SCopy[];
  readonly dot: SDot;
}

function isTensorCopy(op: SOp): op is SCopy {
  return op.kind === "copy" && op.via === "tma";
}

function findParts({ body }: ScheduledKernel): Parts | undefined {
  const at = body.ops.findIndex((op) => op.kind === "for" && op.body.ops.some(isTensorCopy));
  const loop = body.ops[at];
  if (loop?.kind !== "for") return undefined;
  const copies = loop.body.ops.filter(isTensorCopy);
  const dot = loop.body.ops.find((op) => op.kind === "dot");
  if (dot?.kind !== "dot") return undefined;
  return { before: body.ops.slice(0, at), loop, after: body.ops.slice(at + 1), copies, dot };
}

/** Whether each trip's product is waited for and added by itself. */
function isFresh({ instruction }: SDot): boolean {
  return instruction.kind === "wgmma" && instruction.fresh === true;
}

/** Names of the ring's barriers: `full` counts bytes that arrive, `empty` the consumers that are done. */
interface Ring {
  readonly stages: number;
  readonly full: string;
  readonly empty: string;
  readonly bytes: number;
}

/** Where in the ring a role stands. */
interface Turn {
  readonly slot: SValue;
  readonly parity: SValue;
}

class Specializer {
  readonly #kernel: ScheduledKernel;
  readonly #parts: Parts;
  readonly #ring: Ring;
  readonly #build: ScalarBuilder;
  readonly #loc: Location;
  readonly #cluster: boolean;

  constructor(kernel: ScheduledKernel, parts: Parts, ring: Ring, cluster: boolean) {
    this.#cluster = cluster;
    this.#kernel = kernel;
    this.#parts = parts;
    this.#ring = ring;
    this.#loc = parts.loop.loc;
    this.#build = new ScalarBuilder(kernel, parts.loop.loc);
  }

  run(): SBlock {
    const { full, empty } = this.#ring;
    const loc = this.#loc;
    const consumers = this.#kernel.numWarps / WARPS_IN_GROUP;
    const ops: SOp[] = [
      { kind: "mbarrier_init", barrier: full, arrivals: 1, loc },
      { kind: "mbarrier_init", barrier: empty, arrivals: consumers * (this.#cluster ? 2 : 1), loc },
      { kind: this.#cluster ? "cluster_barrier" : "barrier", loc },
    ];
    const walk = walkPrograms(ops, this.#build, this.#cluster);
    ops.push({
      kind: "roles",
      producer: this.#role(walk, (inner, program, turn) => this.#produce(inner, program, turn)),
      consumer: this.#role(walk, (inner, program, turn) => this.#consume(inner, program, turn)),
      ...(consumers > 1 ? { registers: REGISTERS } : {}),
      loc,
    });
    // No block leaves while the other may still write into it.
    if (this.#cluster) ops.push({ kind: "cluster_barrier", loc });
    return { params: [], ops, yields: [] };
  }

  /** One role: a loop over the block's programs that carries its place in the ring. */
  #role(walk: Walk, body: (ops: SOp[], program: Program, turn: Turn) => Turn): SBlock {
    const b = this.#build;
    const program = b.scalar("program");
    const turn = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const ops: SOp[] = [];
    const { total, first, blocks, zero } = walk;
    const next = body(ops, programOf(ops, b, walk, program), turn);
    const loop: SFor = {
      kind: "for",
      results: [b.scalar("slot"), b.scalar("parity")],
      lo: first,
      hi: total,
      step: blocks,
      inits: [zero, zero],
      body: { params: [program, turn.slot, turn.parity], ops, yields: [next.slot, next.parity] },
      loc: this.#loc,
    };
    return { params: [], ops: [loop], yields: [] };
  }

  /** The next slot; the parity turns where the ring begins anew. */
  #advance(ops: SOp[], { slot, parity }: Turn): Turn {
    const b = this.#build;
    const one = b.constant(ops, 1, "one");
    const next = b.binary(ops, "add", slot, one, "slot");
    const wraps = b.compare(ops, "eq", next, b.constant(ops, this.#ring.stages, "stages"), "wraps");
    const turned = b.binary(ops, "xor", parity, one, "parity");
    return {
      slot: b.select(ops, wraps, b.constant(ops, 0, "zero"), next, "slot"),
      parity: b.select(ops, wraps, turned, parity, "parity"),
    };
  }

  /** Ops of the program with its index for `pid`, and the size of the launch for `num_programs`. */
  #place(
    list: readonly SOp[],
    program: readonly SValue[],
    by: Map<number, SValue>,
  ): readonly SOp[] {
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    const place = (op: SOp): readonly SOp[] => {
      const pid = op.kind === "pid" ? program[op.axis] : undefined;
      if (op.kind === "pid" && pid !== undefined) {
        by.set(op.result.id, pid);
        return [];
      }
      if (op.kind === "num_programs") return [{ ...op, kind: "grid_size" }];
      const inner = mapScheduledRegions(mapScheduledOperands(op, use), (block) => ({
        ...block,
        ops: block.ops.flatMap(place),
        yields: block.yields.map(use),
      }));
      return [inner];
    };
    return list.flatMap(place);
  }

  /** Copies of the program's trips, each into the next slot when the consumers are done with it. */
  #produce(ops: SOp[], { pids, peer }: Program, turn: Turn): Turn {
    const b = this.#build;
    const { before, loop, copies } = this.#parts;
    const { full, empty, bytes } = this.#ring;
    const loc = this.#loc;
    const needed = new Set<number>();
    const need = (value: SValue): void => void needed.add(value.id);
    for (const copy of copies) for (const value of scheduledOperands(copy)) need(value);
    const inside = backwardSlice(
      loop.body.ops.filter((op) => !isTensorCopy(op) && op.kind !== "dot"),
      needed,
    );
    [loop.lo, loop.hi, loop.step].forEach(need);
    const outside = backwardSlice(before, needed);
    // Its own copies of the scalars: ids are unique in a kernel.
    const by = new Map<number, SValue>();
    const clone = (list: readonly SOp[], by: Map<number, SValue>, program = pids): readonly SOp[] =>
      this.#place(list, program, by).map((op) =>
        mapScheduledResults(
          mapScheduledOperands(op, (v) => by.get(v.id) ?? v),
          (v) => {
            const copy = b.like(v);
            by.set(v.id, copy);
            return copy;
          },
        ),
      );
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    ops.push(...clone(outside, by));
    const theirs = new Map<number, SValue>();
    if (peer !== undefined) ops.push(...clone(outside, theirs, peer.pids));
    const halves = copies.map((copy) =>
      peer === undefined
        ? {}
        : { halves: { rank: peer.rank, same: this.#isSame(ops, copy, outside, by, theirs) } },
    );
    const [iv] = loop.body.params;
    const counter = b.like(iv ?? loop.lo);
    if (iv !== undefined) by.set(iv.id, counter);
    const at = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const body: SOp[] = [];
    const free = b.binary(body, "xor", at.parity, b.constant(body, 1, "one"), "free");
    body.push(
      { kind: "mbarrier_wait", on: { buffer: empty, slot: at.slot }, parity: free, loc },
      { kind: "mbarrier_expect", on: { buffer: full, slot: at.slot }, bytes, loc },
      ...clone(inside, by),
    );
    for (const [i, copy] of copies.entries()) {
      const into = { buffer: copy.into.buffer, slot: at.slot };
      const moved = mapScheduledOperands(copy, use);
      if (moved.kind === "copy")
        body.push({ ...moved, into, signal: { buffer: full, slot: at.slot }, ...halves[i] });
    }
    const next = this.#advance(body, at);
    const after = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    ops.push({
      kind: "for",
      results: [after.slot, after.parity],
      lo: use(loop.lo),
      hi: use(loop.hi),
      step: use(loop.step),
      inits: [turn.slot, turn.parity],
      body: { params: [counter, at.slot, at.parity], ops: body, yields: [next.slot, next.parity] },
      loc,
    });
    return after;
  }

  /** Whether both blocks of the cluster copy the same box in each trip. */
  #isSame(
    ops: SOp[],
    copy: SCopy,
    outside: readonly SOp[],
    own: ReadonlyMap<number, SValue>,
    theirs: ReadonlyMap<number, SValue>,
  ): SValue {
    const b = this.#build;
    const defined = new Set(outside.flatMap(scheduledResults).map((value) => value.id));
    let differs = b.constant(ops, 0, "zero");
    for (const value of scheduledOperands(copy)) {
      const [mine, other] = [own.get(value.id), theirs.get(value.id)];
      if (!defined.has(value.id) || mine === undefined || other === undefined) continue;
      const bits = b.binary(ops, "xor", mine, other, "t");
      differs = b.binary(ops, "or", differs, bits, "differs");
    }
    return b.compare(ops, "eq", differs, b.constant(ops, 0, "zero"), "same");
  }

  /** The program itself, with products that read the ring. A slot is given back when the product after its own has been started. */
  #consume(ops: SOp[], { pids: program, isReal }: Program, turn: Turn): Turn {
    const b = this.#build;
    const { before, loop, after, dot } = this.#parts;
    const loc = this.#loc;
    const by = new Map<number, SValue>();
    const use = (value: SValue): SValue => by.get(value.id) ?? value;
    ops.push(...this.#place(before, program, by));
    const zero = b.constant(ops, 0, "zero");
    const at = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const last = b.scalar("last");
    const body: SOp[] = [];
    const [iv, ...carried] = loop.body.params;
    const lo = use(loop.lo);
    for (const op of this.#place(loop.body.ops, program, by)) {
      if (isTensorCopy(op)) continue;
      if (op.kind === "dot") body.push(...this.#multiply(op, at, last, iv ?? lo, lo));
      else body.push(op);
    }
    const next = this.#advance(body, at);
    const end = { slot: b.scalar("slot"), parity: b.scalar("parity") };
    const done = b.scalar("last"); // where slots are given back a trip late
    const { stages: _, ...plain } = loop;
    const late = <T>(value: T): readonly T[] => (isFresh(dot) ? [] : [value]);
    ops.push({
      ...plain,
      lo,
      hi: use(loop.hi),
      step: use(loop.step),
      inits: [...loop.inits.map(use), turn.slot, turn.parity, ...late(zero)],
      results: [...loop.results, end.slot, end.parity, ...late(done)],
      body: {
        params: [...(iv === undefined ? [] : [iv]), ...carried, at.slot, at.parity, ...late(last)],
        ops: body,
        yields: [...loop.body.yields.map(use), next.slot, next.parity, ...late(at.slot)],
      },
    });
    const sum = loop.results[carried.findIndex((param) => param.id === dot.acc.id)];
    if (!isFresh(dot)) {
      ops.push({ kind: "dot_wait", pending: 0, done: sum === undefined ? [] : [sum], loc });
      ops.push(this.#giveBack(b.compare(ops, "lt", lo, use(loop.hi), "any"), done));
    }
    const tail = this.#place(after, program, by);
    ops.push(...(isReal === undefined ? tail : [onlyIf(isReal, tail, loc)]));
    return end;
  }

  #giveBack(cond: SValue, slot: SValue): SOp {
    return onlyIf(cond, [this.#arrive(slot)], this.#loc);
  }

  #arrive(slot: SValue): SOp {
    const on = { buffer: this.#ring.empty, slot };
    const everywhere = this.#cluster ? ({ everywhere: true } as const) : {};
    return { kind: "mbarrier_arrive", on, ...everywhere, loc: this.#loc };
  }

  #multiply(
    dot: SDot,
    { slot, parity }: Turn,
    last: SValue,
    iv: SValue,
    lo: SValue,
  ): readonly SOp[] {
    const b = this.#build;
    const { loc } = dot;
    const operand = (x: SDot["a"]): SDot["a"] =>
      x.kind === "shared" ? { ...x, ref: { buffer: x.ref.buffer, slot } } : x;
    const moved = { ...dot, a: operand(dot.a), b: operand(dot.b) };
    const ops: SOp[] = [
      { kind: "mbarrier_wait", on: { buffer: this.#ring.full, slot }, parity, loc },
    ];
    if (isFresh(dot)) {
      const product = b.like(dot.result);
      ops.push(
        { ...moved, result: product },
        { kind: "dot_wait", pending: 0, done: [product], loc },
        this.#arrive(slot),
        { kind: "binary", fn: "add", result: dot.result, a: dot.acc, b: product, loc },
      );
      return ops;
    }
    ops.push(moved, { kind: "dot_wait", pending: 1, done: [], loc });
    ops.push(this.#giveBack(b.compare(ops, "gt", iv, lo, "later"), last));
    return ops;
  }
}

function specializeWith(
  kernel: ScheduledKernel,
  parts: Parts,
  stages: number,
  cluster: boolean,
): ScheduledKernel {
  const ring: Ring = {
    stages,
    full: freeName(kernel, "full"),
    empty: freeName(kernel, "empty"),
    bytes: parts.copies.reduce((sum, copy) => {
      const buffer = kernel.shared.find(({ name }) => name === copy.into.buffer);
      const elements = buffer?.axes.reduce((n, axis) => n * axis.size, 1) ?? 0;
      return sum + (elements * DTYPES[buffer?.dtype ?? "f32"].bits) / 8;
    }, 0),
  };
  const filled = new Set(parts.copies.map((copy) => copy.into.buffer));
  const shared = kernel.shared.map((buffer) =>
    filled.has(buffer.name) ? { ...buffer, stages } : buffer,
  );
  const body = new Specializer(kernel, parts, ring, cluster).run();
  return {
    ...kernel,
    body,
    ...(cluster ? ({ cluster: 2 } as const) : {}),
    shared: [...shared, barrierRing(ring.full, stages), barrierRing(ring.empty, stages)],
  };
}

/** As many slots as the loop asks for, fewer where shared memory does not hold them. */
export function specializeWarps(kernel: ScheduledKernel, context: PassContext): ScheduledKernel {
  const parts = findParts(kernel);
  if (parts === undefined) return kernel;
  const { loc, stages: wanted = 2 } = parts.loop;
  const limit = context.target.maxSharedBytes;
  // A slot that is given back a trip later would leave a ring of one slot empty for ever.
  const fewest = isFresh(parts.dot) ? 1 : 2;
  let stages = wanted;
  const cluster = hasCluster(kernel, parts, context);
  let result = specializeWith(kernel, parts, stages, cluster);
  while (stages > fewest && placeBuffers(result).bytes > limit) {
    stages--;
    result = specializeWith(kernel, parts, stages, cluster);
  }
  const bytes = result.shared
    .filter((buffer) => parts.copies.some((copy) => copy.into.buffer === buffer.name))
    .reduce((sum, buffer) => sum + bufferBytes(buffer), 0);
  const fewer = stages < wanted ? ` instead of ${wanted}, which ${limit} bytes do not hold` : "";
  const groups = kernel.numWarps / WARPS_IN_GROUP;
  const message = `${groups === 1 ? "one warpgroup multiplies" : `${groups} warpgroups multiply`} while one thread copies, ${stages} slots (${bytes} bytes)${fewer}`;
  context.remark(PASS, message, loc);
  return result;
}
