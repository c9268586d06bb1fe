/** [codegen/ir] Reading and rebuilding scheduled ops generically: operands, results, regions, shared accesses, walks. No text. */
import type {
  DotOperand,
  SBlock,
  ScheduledKernel,
  SharedBuffer,
  SharedRef,
  SIndex,
  SOp,
  SValue,
} from "./scheduled.ts";

function indexOperands(index: SIndex): readonly SValue[] {
  switch (index.kind) {
    case "at":
      return [index.value];
    case "span":
      return index.end === undefined ? [index.start] : [index.start, index.end];
    case "gather":
      return [index.index];
    case "pages":
      return index.limit === undefined ? index.entries : [...index.entries, index.limit];
    default:
      return index satisfies never;
  }
}

function defined(values: readonly (SValue | undefined)[]): readonly SValue[] {
  return values.filter((value) => value !== undefined);
}

function dotOperand(operand: DotOperand): readonly SValue[] {
  return operand.kind === "register" ? [operand.value] : defined([operand.ref.slot]);
}

/** Ops that read no value; an op of a new kind is in this list, or the functions over operands do not compile. */
type Nullary = Extract<
  SOp,
  {
    readonly kind:
      | "const"
      | "dim"
      | "param"
      | "pid"
      | "num_programs"
      | "grid_size"
      | "cluster_rank"
      | "iota"
      | "commit"
      | "wait"
      | "barrier"
      | "cluster_barrier"
      | "wait_previous"
      | "mbarrier_init"
      | "take_tile"
      | "roles";
  }
>;

/** Values that an op reads itself, in the order of its text. */
export function scheduledOperands(op: SOp): readonly SValue[] {
  switch (op.kind) {
    case "unary":
    case "cast":
    case "bitcast":
    case "broadcast":
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "relabel":
    case "convert":
    case "pack_pairs":
    case "trade_quads":
    case "pack_quads":
    case "vote":
      return [op.x];
    case "binary":
    case "compare":
      return [op.a, op.b];
    case "select":
      return [op.cond, op.a, op.b];
    case "load":
      return defined([...op.at.flatMap(indexOperands), op.mask]);
    case "store":
    case "atomic":
      return defined([...op.at.flatMap(indexOperands), op.value, op.mask]);
    case "copy":
      return defined([
        op.into.slot,
        ...op.at.flatMap(indexOperands),
        op.mask,
        op.signal?.slot,
        op.halves?.rank,
        op.halves?.same,
      ]);
    case "shared_load":
      return defined([op.from.slot]);
    case "shared_store":
      return defined([op.into.slot, op.value]);
    case "dot":
      return [...dotOperand(op.a), ...dotOperand(op.b), op.acc];
    case "for":
      return [op.lo, op.hi, op.step, ...op.inits];
    case "while":
      return op.inits;
    case "if":
      return [op.cond];
    case "mbarrier_wait":
      return defined([op.on.slot, op.parity]);
    case "mbarrier_arrive":
    case "mbarrier_expect":
      return defined([op.on.slot]);
    case "send_tile":
      return [op.value];
    case "dot_wait":
      return op.behind === undefined ? op.done : [op.behind, ...op.done];
    case "next_program":
      return [op.first, op.after, op.blocks];
    case "programs_done":
      return [op.blocks];
    case "post":
      return defined([op.into.slot, op.value]);
    case "fetch":
      return defined([op.from.slot, op.same]);
    default:
      op satisfies Nullary;
      return [];
  }
}

/** Ops that define nothing: what they do is their effect. */
export type EffectOp = Exclude<
  SOp,
  { readonly result: SValue } | { readonly results: readonly SValue[] }
>;

export function isEffect(op: SOp): op is EffectOp {
  return !("result" in op || "results" in op);
}

/** Values that an op defines in the block it stands in. */
export function scheduledResults(op: SOp): readonly SValue[] {
  if ("results" in op) return op.results;
  return "result" in op ? [op.result] : [];
}

/** Blocks that an op owns, in the order of its text. */
export function scheduledRegions(op: SOp): readonly SBlock[] {
  switch (op.kind) {
    case "for":
      return [op.body];
    case "while":
      return [op.cond, op.body];
    case "if":
      return [op.then, op.else];
    case "roles":
      return [op.producer, op.consumer];
    default:
      return [];
  }
}

/** Everything that an op reads, its blocks included. */
export function readsOf(op: SOp): readonly SValue[] {
  const inner = scheduledRegions(op).flatMap((block) => [
    ...block.ops.flatMap(readsOf),
    ...block.yields,
  ]);
  return [...scheduledOperands(op), ...inner];
}

/** Buffers that an op itself writes and reads, scratch included; `scratch` accesses are ordered by the op's own barriers. */
export interface SharedAccess {
  readonly buffer: string;
  /** `sync`: an mbarrier or panels of a store, which order their own accesses. */
  readonly mode: "read" | "write" | "scratch" | "sync";
}

export function sharedAccesses(op: SOp): readonly SharedAccess[] {
  switch (op.kind) {
    case "copy":
      return [
        { buffer: op.into.buffer, mode: "write" },
        ...(op.signal === undefined ? [] : [{ buffer: op.signal.buffer, mode: "sync" } as const]),
      ];
    case "store":
      return op.panels === undefined ? [] : [{ buffer: op.panels, mode: "sync" }];
    case "post":
      return [{ buffer: op.into.buffer, mode: "sync" }];
    case "fetch":
      return [{ buffer: op.from.buffer, mode: "sync" }];
    case "send_tile":
      return [{ buffer: op.into, mode: "sync" }];
    case "take_tile":
      return [{ buffer: op.from, mode: "sync" }];
    case "mbarrier_init":
      return [{ buffer: op.barrier, mode: "sync" }];
    case "mbarrier_wait":
    case "mbarrier_arrive":
    case "mbarrier_expect":
      return [{ buffer: op.on.buffer, mode: "sync" }];
    case "shared_store":
      return [{ buffer: op.into.buffer, mode: "write" }];
    case "shared_load":
      return [{ buffer: op.from.buffer, mode: "read" }];
    case "dot":
      return [op.a, op.b].flatMap((operand) =>
        operand.kind === "shared" ? [{ buffer: operand.ref.buffer, mode: "read" } as const] : [],
      );
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "convert":
    case "atomic":
      return op.scratch === undefined ? [] : [{ buffer: op.scratch, mode: "scratch" }];
    default:
      return [];
  }
}

/** The buffer that owns the bytes which a buffer's name stands for. */
export function ownerOf(shared: readonly SharedBuffer[], name: string): string {
  return shared.find((buffer) => buffer.name === name)?.aliasOf ?? name;
}

type MapValue = (value: SValue) => SValue;

function mapIndex(index: SIndex, map: MapValue): SIndex {
  switch (index.kind) {
    case "at":
      return { ...index, value: map(index.value) };
    case "span": {
      const end = index.end === undefined ? {} : { end: map(index.end) };
      return { ...index, start: map(index.start), ...end };
    }
    case "gather":
      return { ...index, index: map(index.index) };
    case "pages": {
      const limit = index.limit === undefined ? {} : { limit: map(index.limit) };
      return { ...index, entries: index.entries.map(map), ...limit };
    }
    default:
      return index satisfies never;
  }
}

function mapRef(ref: SharedRef, map: MapValue): SharedRef {
  return ref.slot === undefined ? ref : { ...ref, slot: map(ref.slot) };
}

function mapDotOperand(operand: DotOperand, map: MapValue): DotOperand {
  return operand.kind === "register"
    ? { ...operand, value: map(operand.value) }
    : { ...operand, ref: mapRef(operand.ref, map) };
}

function mapMask(mask: SValue | undefined, map: MapValue): { readonly mask?: SValue } {
  return mask === undefined ? {} : { mask: map(mask) };
}

/** The op with every operand replaced; regions are kept. */
export function mapScheduledOperands(op: SOp, map: MapValue): SOp {
  switch (op.kind) {
    case "unary":
    case "cast":
    case "bitcast":
    case "broadcast":
    case "reduce":
    case "arg_reduce":
    case "scan":
    case "relabel":
    case "convert":
    case "pack_pairs":
    case "trade_quads":
    case "pack_quads":
    case "vote":
      return { ...op, x: map(op.x) };
    case "binary":
    case "compare":
      return { ...op, a: map(op.a), b: map(op.b) };
    case "select":
      return { ...op, cond: map(op.cond), a: map(op.a), b: map(op.b) };
    case "load":
      return { ...op, at: op.at.map((index) => mapIndex(index, map)), ...mapMask(op.mask, map) };
    case "store":
    case "atomic": {
      const at = op.at.map((index) => mapIndex(index, map));
      return { ...op, at, value: map(op.value), ...mapMask(op.mask, map) };
    }
    case "copy": {
      const at = op.at.map((index) => mapIndex(index, map));
      const signal = op.signal === undefined ? {} : { signal: mapRef(op.signal, map) };
      const { halves: h } = op;
      const halves = h === undefined ? {} : { halves: { rank: map(h.rank), same: map(h.same) } };
      const into = mapRef(op.into, map);
      return { ...op, into, at, ...mapMask(op.mask, map), ...signal, ...halves };
    }
    case "mbarrier_wait":
      return { ...op, on: mapRef(op.on, map), parity: map(op.parity) };
    case "mbarrier_arrive":
    case "mbarrier_expect":
      return { ...op, on: mapRef(op.on, map) };
    case "send_tile":
      return { ...op, value: map(op.value) };
    case "dot_wait": {
      const behind = op.behind === undefined ? {} : { behind: map(op.behind) };
      return { ...op, done: op.done.map(map), ...behind };
    }
    case "next_program":
      return { ...op, first: map(op.first), after: map(op.after), blocks: map(op.blocks) };
    case "programs_done":
      return { ...op, blocks: map(op.blocks) };
    case "post":
      return { ...op, into: mapRef(op.into, map), value: map(op.value) };
    case "fetch":
      return { ...op, from: mapRef(op.from, map), same: map(op.same) };
    case "shared_load":
      return { ...op, from: mapRef(op.from, map) };
    case "shared_store":
      return { ...op, into: mapRef(op.into, map), value: map(op.value) };
    case "dot":
      return { ...op, a: mapDotOperand(op.a, map), b: mapDotOperand(op.b, map), acc: map(op.acc) };
    case "for":
      return {
        ...op,
        lo: map(op.lo),
        hi: map(op.hi),
        step: map(op.step),
        inits: op.inits.map(map),
      };
    case "while":
      return { ...op, inits: op.inits.map(map) };
    case "if":
      return { ...op, cond: map(op.cond) };
    default:
      return op satisfies Nullary;
  }
}

/** The op with its own results replaced; uses elsewhere are the caller's affair. */
export function mapScheduledResults(op: SOp, map: MapValue): SOp {
  if ("results" in op) return { ...op, results: op.results.map(map) };
  return "result" in op ? { ...op, result: map(op.result) } : op;
}

/** The op with every block that it owns replaced by `map(block)`. */
export function mapScheduledRegions(op: SOp, map: (block: SBlock) => SBlock): SOp {
  switch (op.kind) {
    case "for":
      return { ...op, body: map(op.body) };
    case "while":
      return { ...op, cond: map(op.cond), body: map(op.body) };
    case "if":
      // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
      return { ...op, then: map(op.then), else: map(op.else) };
    case "roles":
      return { ...op, producer: map(op.producer), consumer: map(op.consumer) };
    default:
      return op;
  }
}

/** Calls `visit` for every op of a block and of the blocks inside, owners first. */
export function walkScheduled(
  block: SBlock,
  visit: (op: SOp, depth: number) => void,
  depth = 0,
): void {
  for (const op of block.ops) {
    visit(op, depth);
    for (const region of scheduledRegions(op)) walkScheduled(region, visit, depth + 1);
  }
}

/** The least id that no value of the kernel has. */
export function nextScheduledId(kernel: ScheduledKernel): number {
  let next = 0;
  const see = (value: SValue): void => {
    next = Math.max(next, value.id + 1);
  };
  const enter = (block: SBlock): void => {
    block.params.forEach(see);
    for (const op of block.ops) {
      scheduledResults(op).forEach(see);
      scheduledRegions(op).forEach(enter);
    }
  };
  enter(kernel.body);
  return next;
}
