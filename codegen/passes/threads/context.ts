/** [codegen/passes/threads] What the lowering of every op family shares: values in registers, naming them, loops over a tile's registers. */
import { invariant } from "../../../dsl/index.ts";
import type { ScheduledKernel, SharedBuffer, SValue } from "../../ir/scheduled.ts";
import type { Expr, RegSlice, RegType, Stmt, TensorMapSpec } from "../../ir/thread.ts";
import type { Iter, RegisterLayout } from "../../layout/layout.ts";
import { registerCount } from "../../layout/register-layout.ts";
import { StatementWriter } from "./emitter.ts";
import { register, registersOf } from "./expr.ts";
import { type Lin, ORIGIN, type Place, placeIn, refineIters, registerAt } from "./place.ts";
import { Ranges } from "./ranges.ts";
import type { BlockShape } from "./thread-index.ts";
import { findUses, type Uses } from "./uses.ts";

export interface ThreadLoweringOptions {
  /** Offsets in tensors that may reach 2^31 elements are i64; false where the target has no i64. */
  readonly wideOffsets: boolean;
  /** The kernel may start before the one in front of it in its stream is over, and waits for it before it touches a tensor. */
  readonly dependentLaunch?: boolean;
}

/** Registers that hold a tile, register index = element index of the array. */
export interface Storage {
  readonly name: string;
  readonly type: RegType;
  readonly length: number;
}

/** What a scheduled value became. A value without storage is an expression that is made where it is read. */
export interface ThreadValue {
  readonly type: RegType;
  /** Absent for scalars. */
  readonly layout?: RegisterLayout;
  /** The element at a place of the value's own layout. */
  read(place: Place): Expr;
  readonly storage?: Storage;
  /** Nodes that one read computes; 0 for constants, coordinates and registers. */
  readonly size: number;
}

/** Longest expression that is put into its only use; longer ones get a name. */
const MOST_NODES = 10;
const MOST_SCALAR_NODES = 4;

const NO_ITERS: readonly Iter[] = [];

/** Registers that a loop carries, and the values that its body yields for them. */
export interface CarriedFrame {
  readonly params: readonly SValue[];
  readonly storages: readonly Storage[];
  readonly yields: readonly SValue[];
}

export class LoweringContext {
  readonly kernel: ScheduledKernel;
  readonly options: ThreadLoweringOptions;
  readonly block: BlockShape;
  readonly w: StatementWriter;
  readonly uses: Uses;
  readonly ranges: Ranges;
  /** Loops whose bodies are being lowered, innermost last. */
  readonly #frames: CarriedFrame[] = [];
  readonly #values = new Map<number, ThreadValue>();
  readonly maps: TensorMapSpec[] = [];
  /** Whether blocks take programs by a counter. */
  isCounted = false;
  /** Whether the copy engine reads shared memory that this role wrote. */
  storesByMap = false;
  /** Registers that are computed once in a role, by what they hold. */
  #onces = new Map<string, string>();
  /** Depth of the block whose values all of the current role can see. */
  #roleDepth = 0;
  #isConsumer = false;
  /** Values that live in each storage. */
  readonly #tenants = new Map<string, Set<number>>();

  constructor(kernel: ScheduledKernel, options: ThreadLoweringOptions) {
    this.kernel = kernel;
    this.options = options;
    this.block = { numWarps: kernel.numWarps, warpSize: kernel.warpSize };
    const reserved = [
      kernel.name,
      ...kernel.params.map((p) => p.name),
      ...kernel.dims,
      ...kernel.shared.map((b) => b.name),
    ];
    this.w = new StatementWriter(reserved);
    this.uses = findUses(kernel.body);
    this.ranges = new Ranges(this.uses, kernel.divisibility);
  }

  /** Name of the tensor map with these properties. */
  map(spec: Omit<TensorMapSpec, "name">): string {
    const keyOf = (m: Omit<TensorMapSpec, "name">) =>
      JSON.stringify([m.tensor, m.box, m.swizzle, m.ragged, m.folded, m.grouped]);
    const key = keyOf(spec);
    const known = this.maps.find((m) => keyOf(m) === key);
    if (known !== undefined) return known.name;
    const name = this.w.fresh(`map_${spec.tensor}`);
    this.maps.push({ name, ...spec });
    return name;
  }

  /** A register that `make` writes, at the start of the role or of the kernel; the same one for the same key. */
  once(key: string, hint: string, type: "i64" | "u32", make: (to: string) => Stmt): string {
    const known = this.#onces.get(key);
    if (known !== undefined) return known;
    const name = this.w.declare(hint, type, 1, this.#roleDepth);
    this.w.emit(make(name), this.#roleDepth);
    this.w.settle(name, this.#roleDepth);
    this.#onces.set(key, name);
    return name;
  }

  /** Lowers a role whose barriers are those of the kernel's own warps. */
  asConsumer<T>(body: () => T): T {
    const before = [this.#isConsumer, this.#roleDepth, this.#onces] as const;
    [this.#isConsumer, this.#roleDepth, this.#onces] = [true, this.w.depth + 1, new Map()];
    const result = body();
    [this.#isConsumer, this.#roleDepth, this.#onces] = before;
    return result;
  }

  barrier(): void {
    const { numWarps, warpSize } = this.block;
    const threads = this.#isConsumer ? { threads: numWarps * warpSize } : {};
    this.w.emit({ kind: "barrier", ...threads });
  }

  value(v: SValue): ThreadValue {
    const found = this.#values.get(v.id);
    invariant(found !== undefined, () => `value ${v.name}.${v.id} is used before it is lowered`);
    return found;
  }

  /** The expression of a scalar. */
  scalar(v: SValue): Expr {
    return this.value(v).read(ORIGIN);
  }

  /** A scalar under a name, unless it is one already. */
  named(v: SValue): Expr {
    return this.w.bind(this.scalar(v), v.name);
  }

  /** The element of a value at a place of any layout of (some of) its axes. */
  read(v: SValue, place: Place): Expr {
    const value = this.value(v);
    return value.layout === undefined
      ? value.read(ORIGIN)
      : value.read(placeIn(place, value.layout));
  }

  buffer(name: string): SharedBuffer {
    const found = this.kernel.shared.find((b) => b.name === name);
    invariant(found !== undefined, () => `unknown shared buffer ${name}`);
    return found;
  }

  slot(storage: Storage, lin: Lin): RegSlice {
    return storage.length === 1
      ? { name: storage.name }
      : { name: storage.name, index: this.w.index(lin) };
  }

  readSlot(storage: Storage, lin: Lin): Expr {
    const slot = this.slot(storage, lin);
    return register(storage.name, storage.type, slot.index);
  }

  /** Registers for a tile (one for a scalar), not assigned yet. */
  declare(hint: string, type: RegType, layout: RegisterLayout | undefined): Storage {
    const length = layout === undefined ? 1 : registerCount(layout);
    return { name: this.w.declare(hint, type, length), type, length };
  }

  /** `v` lives in these registers from now on. */
  setStorage(v: SValue, storage: Storage): void {
    const tenants = this.#tenants.get(storage.name) ?? new Set();
    this.#tenants.set(storage.name, tenants.add(v.id));
    this.#values.set(v.id, {
      type: v.type.dtype,
      ...(v.layout === undefined ? {} : { layout: v.layout }),
      read: (place) => this.readSlot(storage, registerAt(place)),
      storage,
      size: 0,
    });
    if (storage.length === 1) this.w.settle(storage.name);
  }

  /** Registers of `v` that may be overwritten by its only use. */
  ownStorage(v: SValue): Storage | undefined {
    const { storage } = this.value(v);
    if (storage === undefined || storage.length === 1) return undefined;
    const alone = this.#tenants.get(storage.name)?.size === 1;
    return alone && this.uses.isUsedOnceNearby(v) ? storage : undefined;
  }

  /** `storage` passes from one value to another that replaces it. */
  moveStorage(from: SValue, to: SValue, storage: Storage): void {
    this.#tenants.get(storage.name)?.delete(from.id);
    this.setStorage(to, storage);
  }

  withFrame(frame: CarriedFrame, body: () => void): void {
    this.#frames.push(frame);
    body();
    this.#frames.pop();
  }

  /** Inside a branch nothing may be written early into registers that the loop around it carries. */
  withoutFrame(body: () => void): void {
    this.withFrame({ params: [], storages: [], yields: [] }, body);
  }

  /**
   * Registers of the loop that will carry `result` on, where nothing needs their old values but the expression `source`:
   * it can be computed right into them.
   */
  carriedTarget(result: SValue, source: SValue): Storage | undefined {
    const frame = this.#frames.at(-1);
    const i = frame?.yields.findIndex((v) => v.id === result.id) ?? -1;
    const [param, storage] = [frame?.params[i], frame?.storages[i]];
    if (param === undefined || storage === undefined || storage.length === 1) return undefined;
    if (this.#tenants.get(storage.name)?.size !== 1) return undefined;
    const uses = this.uses.countOf(param);
    if (uses === 0) return storage;
    const { storage: own, layout } = this.value(source);
    if (uses > 1 || own !== undefined || layout === undefined) return undefined;
    return registersOf(this.value(source).read(this.#origin(layout))).has(storage.name)
      ? storage
      : undefined;
  }

  /** Defines a value by how an element is computed; it is named unless it is short and used once, nearby. */
  define(v: SValue, size: number, read: (place: Place) => Expr): void {
    const { layout } = v;
    this.#values.set(v.id, {
      type: v.type.dtype,
      ...(layout === undefined ? {} : { layout }),
      read,
      size,
    });
    const most = layout === undefined ? MOST_SCALAR_NODES : MOST_NODES;
    if (size > most || (size > 0 && !this.uses.isUsedOnceNearby(v))) this.settle(v);
  }

  /** Makes reads of `v` cheap: its elements get names where they are expressions. */
  settle(v: SValue): void {
    const value = this.value(v);
    if (value.size === 0) return;
    if (value.layout !== undefined && registerCount(value.layout) > 1) {
      this.store(v);
      return;
    }
    const expr = this.w.bind(value.read(this.#origin(value.layout)), v.name);
    this.#values.set(v.id, { ...value, read: () => expr, size: 0 });
  }

  #origin(layout: RegisterLayout | undefined): Place {
    if (layout === undefined) return ORIGIN;
    return { iters: layout.reg, digits: layout.reg.map(() => ({ base: 0, terms: new Map() })) };
  }

  /** Writes the elements of `v` into registers; `v` itself stays where it is. */
  copy(v: SValue, target: Storage): Storage {
    const { layout } = this.value(v);
    this.nest(layout, [v], (place) => {
      const at = layout === undefined ? ORIGIN : placeIn(place, layout);
      this.w.assign(this.slot(target, registerAt(at)), this.read(v, place));
    });
    return target;
  }

  /** Registers that hold `v`; computed into new ones (or into `target`) where it has none. */
  store(v: SValue, target?: Storage): Storage {
    const value = this.value(v);
    if (value.storage !== undefined && target === undefined) return value.storage;
    const storage = this.copy(v, target ?? this.declare(v.name, value.type, value.layout));
    this.setStorage(v, storage);
    return storage;
  }

  /** A loop over the registers of a layout, in iters fine enough for all of `operands`. */
  nest(
    layout: RegisterLayout | undefined,
    operands: readonly SValue[],
    body: (place: Place) => void,
  ): void {
    const others = operands.flatMap((v) => {
      const reg = this.value(v).layout?.reg;
      return reg === undefined ? [] : [reg];
    });
    this.nestIters(layout?.reg ?? NO_ITERS, others, body);
  }

  nestIters(
    iters: readonly Iter[],
    others: readonly (readonly Iter[])[],
    body: (place: Place) => void,
  ): void {
    const fine = refineIters(iters, others);
    this.w.nest(
      fine.map((iter) => iter.extent),
      (digits) => body({ iters: fine, digits }),
    );
  }
}
