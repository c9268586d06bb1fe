/** [codegen/schedule] State of emitting scheduled ops: open blocks, versions of each tile by layout, shared buffers. What each op becomes lives in emit-*.ts. */
import {
  type Axis,
  type Definition,
  type DType,
  definitions,
  invariant,
  isScalar,
  type Location,
  nextValueId,
  type Op,
  results,
  type TensorParam,
  type TileKernel,
  type Value,
  type ValueType,
} from "../../dsl/index.ts";
import type { IntegerAnalysis } from "../analysis/integer-facts.ts";
import type { SBlock, SharedBuffer, SOp, SValue } from "../ir/scheduled.ts";
import type { ThreadShape } from "../layout/blocked-layout.ts";
import type { RegisterLayout, SharedLayout } from "../layout/layout.ts";
import type { PackedOrder } from "../layout/packed-order.ts";
import { sameLayout } from "../layout/register-layout.ts";
import type { PassContext } from "../passes/pass.ts";
import { defaultLayout } from "./assign-layouts.ts";
import type { DotPlan } from "./choose-dots.ts";
import type { ExplicitRoles } from "./find-explicit.ts";

export interface EmitPlan {
  readonly kernel: TileKernel;
  readonly context: PassContext;
  readonly threads: ThreadShape;
  readonly dots: ReadonlyMap<number, DotPlan>;
  readonly staged: ReadonlySet<number>;
  /** Those of them that tensor maps copy, and whether only one program reads what they bring, as far as the tile sizes tell. */
  readonly boxed: ReadonlyMap<number, "once" | "often">;
  /** Casts that dots make themselves, of what they read. */
  readonly made: ReadonlySet<number>;
  readonly layouts: ReadonlyMap<number, RegisterLayout>;
  readonly facts: IntegerAnalysis;
  /** Packed tensors that do not lie row-major. */
  readonly orders: Readonly<Record<string, PackedOrder>>;
  /** Roles that the kernel writes out. */
  readonly explicit?: ExplicitRoles;
  /** Steps of a contraction that are staged at once, where whole operands do not fit shared memory. */
  readonly chunk?: number;
}

/** What kind of op owns an open block: invariant work moves out of loops, never out of an `if`. */
export type ScopeKind = "kernel" | "loop" | "if";

interface Scope {
  readonly kind: ScopeKind;
  readonly ops: SOp[];
  /** Versions registered here, forgotten when the block closes. */
  readonly created: (readonly [valueId: number, version: SValue])[];
  /** Elements of a list, as scalars that this block holds, by the load of the list. */
  readonly listed: Map<Op, readonly SValue[]>;
}

/** A value's name for people and for buffers; values without one are known by their number. */
export function labelOf(value: { readonly id: number; readonly name: string }): string {
  return value.name === "" ? `t${value.id}` : value.name;
}

export class Emitter {
  readonly plan: EmitPlan;
  readonly shared: SharedBuffer[] = [];
  readonly #scopes: Scope[] = [];
  readonly #versions = new Map<number, { readonly value: SValue; readonly depth: number }[]>();
  /** Depth of the block that defines each tile-IR value. */
  readonly #depths = new Map<number, number>();
  readonly #definitions: Map<number, Definition>;
  readonly #assigned = new Map<number, RegisterLayout>();
  readonly #bufferNames = new Set<string>();
  #nextId: number;
  #target = -1;

  constructor(plan: EmitPlan) {
    this.plan = plan;
    this.#nextId = nextValueId(plan.kernel);
    this.#definitions = new Map(definitions(plan.kernel.body));
  }

  /** Appends to the block that is being written. */
  push(op: SOp): void {
    const scope = this.#scopes[this.#target];
    invariant(scope !== undefined, () => "an op was emitted outside of every block");
    scope.ops.push(op);
  }

  /** Depth of the block that is being written. */
  get depth(): number {
    return this.#target;
  }

  /** Runs `body` with a new block open and returns what it wrote. */
  block(kind: ScopeKind, params: readonly SValue[], body: () => readonly SValue[]): SBlock {
    const scope: Scope = { kind, ops: [], created: [], listed: new Map() };
    this.#scopes.push(scope);
    const before = this.#target;
    this.#target = this.#scopes.length - 1;
    const yields = body();
    this.#scopes.pop();
    this.#target = before;
    for (const [id, version] of scope.created) {
      const left = this.#versions.get(id)?.filter((other) => other.value !== version) ?? [];
      this.#versions.set(id, left);
    }
    return { params, ops: scope.ops, yields };
  }

  /** Whether a loop stands around the block that is being written. */
  get isInLoop(): boolean {
    return this.#scopes.slice(0, this.#target + 1).some((scope) => scope.kind === "loop");
  }

  /** The outermost depth ≥ `least` from which no `if` stands between it and the current block. */
  hoistDepth(least: number): number {
    let depth = this.#target;
    while (depth > least && this.#scopes[depth]?.kind === "loop") depth--;
    return depth;
  }

  /** Runs `emit` with the block at `depth` as the one that is written to. */
  at<T>(depth: number, emit: () => T): T {
    const before = this.#target;
    this.#target = depth;
    try {
      return emit();
    } finally {
      this.#target = before;
    }
  }

  /** The elements of a list that the block being written holds as scalars; `make` emits them the first time. */
  listed(list: Op, make: () => readonly SValue[]): readonly SValue[] {
    const known = this.#scopes[this.#target]?.listed;
    const elements = known?.get(list) ?? make();
    known?.set(list, elements);
    return elements;
  }

  fresh(name: string, type: ValueType, layout: RegisterLayout | undefined): SValue {
    const id = this.#nextId++;
    return layout === undefined ? { id, name, type } : { id, name, type, layout };
  }

  /** The scheduled value with the id of `value`; call once for each. */
  primary(value: Value, layout: RegisterLayout | undefined): SValue {
    const plain = { id: value.id, name: value.name, type: value.type };
    return layout === undefined ? plain : { ...plain, layout };
  }

  /** Makes `version` available as `value` from here to the end of the block that is being written. */
  register(value: Value, version: SValue): void {
    const entry = { value: version, depth: this.#target };
    const list = this.#versions.get(value.id);
    if (list === undefined) this.#versions.set(value.id, [entry]);
    else list.push(entry);
    this.#scopes[this.#target]?.created.push([value.id, version]);
    if (!this.#depths.has(value.id)) this.#depths.set(value.id, this.#target);
  }

  depthOf(value: Value): number {
    return this.#depths.get(value.id) ?? 0;
  }

  /** Versions that the block being written can see, the assigned one first. */
  versionsOf(value: Value): readonly SValue[] {
    const list = this.#versions.get(value.id) ?? [];
    return list.filter(({ depth }) => depth <= this.#target).map((entry) => entry.value);
  }

  versionIn(value: Value, layout: RegisterLayout): SValue | undefined {
    return this.versionsOf(value).find(
      (version) => version.layout !== undefined && sameLayout(version.layout, layout),
    );
  }

  scalar(value: Value): SValue {
    const [version] = this.versionsOf(value);
    invariant(version !== undefined, () => `scalar ${value.name} was not emitted before its use`);
    return version;
  }

  definitionOf(value: Value): Definition | undefined {
    return this.#definitions.get(value.id);
  }

  /** Makes an op known that is not part of the kernel. */
  addDefinition(op: Op): void {
    for (const value of results(op)) this.#definitions.set(value.id, { kind: "op", op, value });
  }

  /** Gives a value that is not part of the kernel its layout. */
  assign(value: Value, layout: RegisterLayout): void {
    this.#assigned.set(value.id, { ...layout, axes: value.type.axes });
  }

  /** The layout that was assigned to a tile; undefined for scalars. */
  layoutOf(value: Value): RegisterLayout | undefined {
    if (isScalar(value.type)) return undefined;
    return (
      this.#assigned.get(value.id) ??
      this.plan.layouts.get(value.id) ??
      defaultLayout(value, this.plan.threads)
    );
  }

  tensor(name: string): TensorParam {
    const param = this.plan.kernel.params.find((candidate) => candidate.name === name);
    invariant(param?.kind === "tensor", () => `no tensor ${name}`);
    return param;
  }

  remark(pass: string, message: string, loc: Location): void {
    this.plan.context.remark(pass, message, loc);
  }

  /** Adds a buffer and returns its name, made unique from `wish`. */
  buffer(wish: string, dtype: DType, axes: readonly Axis[], layout: SharedLayout): string {
    return this.ring(wish, dtype, axes, layout, 1);
  }

  /** Adds a buffer of several slots. */
  ring(
    wish: string,
    dtype: DType,
    axes: readonly Axis[],
    layout: SharedLayout,
    stages: number,
  ): string {
    const name = this.#bufferName(wish);
    this.shared.push({ name, dtype, axes, stages, layout });
    return name;
  }

  /** Adds another view of a buffer's bytes. */
  view(
    of: string,
    dtype: DType,
    axes: readonly Axis[],
    stages: number,
    layout: SharedLayout,
  ): string {
    const name = this.#bufferName(`${of}_part`);
    this.shared.push({ name, dtype, axes, stages, layout, aliasOf: of });
    return name;
  }

  #bufferName(wish: string): string {
    let name = wish;
    for (let n = 2; this.#bufferNames.has(name); n++) name = `${wish}_${n}`;
    this.#bufferNames.add(name);
    return name;
  }
}
