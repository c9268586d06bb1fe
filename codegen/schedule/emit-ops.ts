/** [codegen/schedule] What each tile-IR op becomes. Memory ops live in emit-memory.ts, dots in emit-dot.ts. */
import {
  type Block,
  isExplicitOp,
  isScalar,
  type Op,
  type Value,
  type ValueType,
} from "../../dsl/index.ts";
import type { SBlock, SOp, SValue } from "../ir/scheduled.ts";
import { isRunLayout, runLayout, sliceLayout } from "../layout/blocked-layout.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import { rowMajorShared } from "../layout/shared-layout.ts";
import { canNarrow, chunkOf } from "./emit-chunked-dot.ts";
import { emitDot } from "./emit-dot.ts";
import { ExplicitEmitter } from "./emit-explicit.ts";
import { emitAtomic, emitLoadIn, emitStore, warpParts } from "./emit-memory.ts";
import { Staging } from "./emit-staging.ts";
import { emitByBoxes, emitThroughShared, goesThroughShared } from "./emit-through-shared.ts";
import { valueIn } from "./emit-versions.ts";
import { type Emitter, labelOf, type ScopeKind } from "./emitter.ts";
import { relabelBackward, relabelForward } from "./layout-edges.ts";

type OpOf<K extends Op["kind"]> = Extract<Op, { kind: K }>;

/** Emits the body of a kernel. */
export class BodyEmitter {
  readonly #emitter: Emitter;
  readonly #staging = new Staging();
  readonly #explicit: ExplicitEmitter;
  readonly #used: ReadonlySet<number>;
  /** For loads that only feed dots: the block that holds those dots, where it is the load's own. */
  /** Stages of the loops that are open, the innermost last. */
  readonly #stages: number[] = [];
  readonly #deferred: ReadonlySet<number>;

  constructor(emitter: Emitter, used: ReadonlySet<number>, deferred: ReadonlySet<number>) {
    this.#emitter = emitter;
    this.#explicit = new ExplicitEmitter(emitter);
    this.#used = used;
    this.#deferred = deferred;
  }

  kernel(body: Block): SBlock {
    return this.#block("kernel", body, []);
  }

  #block(
    kind: ScopeKind,
    block: Block,
    like: readonly (RegisterLayout | undefined)[],
    firstLike: readonly (RegisterLayout | undefined)[] = like,
    first: readonly SOp[] = [],
  ): SBlock {
    const emitter = this.#emitter;
    const params = block.params.map((value, i) => emitter.primary(value, firstLike[i]));
    return emitter.block(kind, params, () => {
      block.params.forEach((value, i) => {
        const param = params[i];
        if (param !== undefined) emitter.register(value, param);
      });
      for (const op of first) emitter.push(op);
      for (const op of block.ops) this.#op(op);
      const loc = block.ops.at(-1)?.loc;
      const yields = block.yields.map((value, i) =>
        loc === undefined && isScalar(value.type)
          ? emitter.scalar(value)
          : valueIn(emitter, value, like[i] ?? emitter.layoutOf(value), loc ?? NOWHERE),
      );
      this.#staging.close(emitter.depth);
      this.#explicit.close(emitter.depth);
      return yields;
    });
  }

  /** Emits an op whose only result has its assigned layout. */
  #simple(op: Op & { readonly result: Value }, emit: (result: SValue) => SOp): void {
    const result = this.#emitter.primary(op.result, this.#emitter.layoutOf(op.result));
    const made = emit(result);
    this.#emitter.push(made);
    this.#emitter.register(op.result, result);
  }

  #op(op: Op): void {
    const emitter = this.#emitter;
    if (isExplicitOp(op)) {
      this.#explicit.op(op, (block, first) => this.#block("kernel", block, [], [], first));
      return;
    }
    if (emitter.plan.explicit !== undefined && this.#place(op)) return;
    if (op.kind === "cast" && emitter.plan.made.has(op.result.id)) return;
    if (op.kind === "load") this.#explicit.beforeLoad(op);
    switch (op.kind) {
      case "const":
      case "dim":
      case "param":
      case "pid":
      case "num_programs":
      case "iota":
        this.#simple(op, (result) => ({ ...op, result }));
        return;
      case "unary":
      case "cast":
      case "bitcast":
        this.#simple(op, (result) => ({ ...op, result, x: this.#like(op.x, result, op) }));
        return;
      case "binary":
      case "compare":
        this.#simple(op, (result) => ({
          ...op,
          result,
          a: this.#like(op.a, result, op),
          b: this.#like(op.b, result, op),
        }));
        return;
      case "select":
        this.#simple(op, (result) => ({
          ...op,
          result,
          cond: this.#like(op.cond, result, op),
          a: this.#like(op.a, result, op),
          b: this.#like(op.b, result, op),
        }));
        return;
      case "broadcast":
        this.#simple(op, (result) => {
          const { layout } = result;
          const slice = layout === undefined ? undefined : sliceLayout(layout, op.x.type.axes);
          return { ...op, result, x: valueIn(emitter, op.x, slice, op.loc) };
        });
        return;
      case "reduce":
      case "arg_reduce":
        this.#reduce(op);
        return;
      case "scan":
        this.#scan(op);
        return;
      case "rename":
      case "merge":
      case "split":
        this.#relabel(op);
        return;
      case "load":
        this.#load(op);
        return;
      case "store":
        emitStore(emitter, op);
        return;
      case "atomic": {
        const result = emitAtomic(emitter, op, this.#used.has(op.result.id));
        emitter.register(op.result, result);
        return;
      }
      case "dot":
        emitDot(emitter, this.#staging, op, (inner) => this.#op(inner), this.#explicit);
        return;
      case "for":
        this.#for(op);
        return;
      case "while":
        this.#while(op);
        return;
      case "if":
        this.#if(op);
        return;
      case "assert":
      case "print":
      case "if_any":
        return; // dropped or lowered by passes before
      default:
        op satisfies never;
    }
  }

  /** Which program it is, where roles say how blocks take them; loads that copies bring. */
  #place(op: Op): boolean {
    if (op.kind === "pid") this.#explicit.pid(op);
    else if (op.kind === "num_programs") this.#explicit.numPrograms(op);
    else return op.kind === "load" && this.#emitter.plan.boxed.has(op.result.id);
    return true;
  }

  #like(value: Value, result: SValue, op: Op): SValue {
    return valueIn(this.#emitter, value, result.layout, op.loc);
  }

  /** Loads that every reader walks in chunks are not copied as a whole. */
  #isChunked(op: OpOf<"load">): boolean {
    const emitter = this.#emitter;
    return [...emitter.plan.dots].every(([id, plan]) => {
      const definition = emitter.definitionOf({ ...op.result, id });
      const dot =
        definition?.kind === "op" && definition.op.kind === "dot" ? definition.op : undefined;
      if (dot?.a.id !== op.result.id && dot?.b.id !== op.result.id) return true;
      return chunkOf(emitter, plan) !== undefined && canNarrow(emitter, op.result, plan.k.name);
    });
  }

  #load(op: OpOf<"load">): void {
    const emitter = this.#emitter;
    if (emitter.plan.staged.has(op.result.id)) {
      if (!this.#deferred.has(op.result.id) && !this.#isChunked(op))
        this.#staging.copy(emitter, op);
      return;
    }
    const result = emitter.primary(op.result, emitter.layoutOf(op.result));
    const copied = emitter.plan.boxed.has(op.result.id)
      ? emitByBoxes(emitter, op, result)
      : goesThroughShared(emitter, op, this.#stages.at(-1) ?? 1)
        ? emitThroughShared(emitter, op, result)
        : undefined;
    emitter.register(op.result, copied ?? emitLoadIn(emitter, op, result));
  }

  /** Buffer for exchanging `parts` values of each result element between threads. */
  #exchange(name: string, type: ValueType, parts: number, words: number): string {
    const elements = type.axes.reduce((n, axis) => n * axis.size, 1);
    const axes = [{ name: "slot", size: parts * elements * words }];
    const { dtype } = type;
    return this.#emitter.buffer(`${name}_parts`, dtype, axes, rowMajorShared(axes));
  }

  #reduce(op: OpOf<"reduce" | "arg_reduce">): void {
    const emitter = this.#emitter;
    const x = valueIn(emitter, op.x, emitter.layoutOf(op.x), op.loc);
    const { axes } = op.result.type;
    const slice =
      x.layout === undefined || axes.length === 0 ? undefined : sliceLayout(x.layout, axes);
    const result = emitter.primary(op.result, slice);
    const parts = warpParts(x.layout, op.axis);
    const isArg = op.kind === "arg_reduce";
    const type: ValueType = isArg ? { dtype: "u32", axes } : op.result.type;
    const scratch =
      parts > 1 ? { scratch: this.#exchange(labelOf(op.result), type, parts, isArg ? 2 : 1) } : {};
    emitter.push({ ...op, result, x, ...scratch });
    emitter.register(op.result, result);
  }

  #scan(op: OpOf<"scan">): void {
    const emitter = this.#emitter;
    const assigned = emitter.layoutOf(op.x);
    // A tile that is scanned along two axes has the layout of one of them.
    const isRun = assigned !== undefined && isRunLayout(assigned, op.axis);
    const { threads } = emitter.plan;
    const layout = isRun ? assigned : runLayout(op.x.type.axes, op.axis, threads);
    const x = valueIn(emitter, op.x, layout, op.loc);
    const result = emitter.primary(op.result, x.layout);
    const parts = warpParts(x.layout, op.axis);
    const rest = op.result.type.axes.filter((axis) => axis.name !== op.axis);
    const type = { ...op.result.type, axes: rest };
    const scratch =
      parts > 1 ? { scratch: this.#exchange(labelOf(op.result), type, parts, 1) } : {};
    emitter.push({ ...op, result, x, ...scratch });
    emitter.register(op.result, result);
  }

  #relabel(op: OpOf<"rename" | "merge" | "split">): void {
    const emitter = this.#emitter;
    const forward = relabelForward(op);
    const wanted = emitter.layoutOf(op.result);
    const version = emitter
      .versionsOf(op.x)
      .find((v) => v.layout !== undefined && forward(v.layout) !== undefined);
    const back = wanted === undefined ? undefined : relabelBackward(op)(wanted);
    const exact =
      back === undefined ? undefined : emitter.versionIn(op.x, { ...back, axes: op.x.type.axes });
    const x = exact ?? version ?? valueIn(emitter, op.x, back, op.loc);
    const layout = x.layout === undefined ? undefined : forward(x.layout);
    const result = emitter.primary(op.result, layout);
    emitter.push({ kind: "relabel", result, x, loc: op.loc });
    emitter.register(op.result, result);
  }

  #inits(values: readonly Value[], like: readonly Value[], op: Op): readonly SValue[] {
    return values.map((value, i) => {
      const target = like[i];
      const layout = target === undefined ? undefined : this.#emitter.layoutOf(target);
      return valueIn(this.#emitter, value, layout, op.loc);
    });
  }

  #results(values: readonly Value[], layouts: readonly (RegisterLayout | undefined)[]): SValue[] {
    return values.map((value, i) => this.#emitter.primary(value, layouts[i]));
  }

  #registerAll(values: readonly Value[], made: readonly SValue[]): void {
    values.forEach((value, i) => {
      const version = made[i];
      if (version !== undefined) this.#emitter.register(value, version);
    });
  }

  #for(op: OpOf<"for">): void {
    const emitter = this.#emitter;
    const carried = op.body.params.slice(1);
    const layouts = carried.map((value) => emitter.layoutOf(value));
    const inits = this.#inits(op.inits, carried, op);
    const bounds = {
      lo: emitter.scalar(op.lo),
      hi: emitter.scalar(op.hi),
      step: emitter.scalar(op.step),
    };
    this.#stages.push(op.hints.stages ?? 1);
    const body = this.#block("loop", op.body, layouts, [undefined, ...layouts]);
    this.#stages.pop();
    const results = this.#results(op.results, layouts);
    const unroll = op.hints.unroll === undefined ? {} : { unroll: op.hints.unroll };
    const stages = op.hints.stages === undefined ? {} : { stages: op.hints.stages };
    emitter.push({
      kind: "for",
      results,
      ...bounds,
      inits,
      body,
      ...unroll,
      ...stages,
      loc: op.loc,
    });
    this.#registerAll(op.results, results);
  }

  #while(op: OpOf<"while">): void {
    const layouts = op.body.params.map((value) => this.#emitter.layoutOf(value));
    const inits = this.#inits(op.inits, op.body.params, op);
    const cond = this.#block("loop", op.cond, [], layouts);
    const body = this.#block("loop", op.body, layouts);
    const results = this.#results(op.results, layouts);
    this.#emitter.push({ kind: "while", results, inits, cond, body, loc: op.loc });
    this.#registerAll(op.results, results);
  }

  #if(op: OpOf<"if">): void {
    const layouts = op.results.map((value) => this.#emitter.layoutOf(value));
    const cond = this.#emitter.scalar(op.cond);
    const yes = this.#block("if", op.then, layouts, []);
    const no = this.#block("if", op.else, layouts, []);
    const results = this.#results(op.results, layouts);
    const { loc } = op;
    const byRows = op.byRows === true ? ({ byRows: true } as const) : {};
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    this.#emitter.push({ kind: "if", results, ...byRows, cond, then: yes, else: no, loc });
    this.#registerAll(op.results, results);
  }
}

const NOWHERE = { span: { file: "<unknown>", line: 0, col: 0, endLine: 0, endCol: 0 } };
