/** [codegen/passes] Results that stay in registers when a program ends and are stored between the first trips of the next one. Used by specialize-warps. */
import { invariant } from "../../dsl/index.ts";
import type { ScheduledKernel, SIndex, SOp, SStore, SValue } from "../ir/scheduled.ts";
import { pairedLayout } from "../layout/mma-layout.ts";
import { registerCount } from "../layout/register-layout.ts";
import { mostAccumulators } from "../schedule/role-loop.ts";
import { answer, wishesOf } from "../schedule/wishes.ts";
import type { PassContext } from "./pass.ts";
import { onlyIf } from "./ring-buffers.ts";
import { type Parts, WARPS_IN_GROUP } from "./role-parts.ts";
import type { ScalarBuilder } from "./scalar-builder.ts";

/** Rows of a product, and of a warp's part of it. */
const PRODUCT_ROWS = 64;

/** The store that is held back: the kernel's last op. */
export interface Held {
  readonly store: SStore;
  /** Axis of its columns, of which a word holds two. */
  readonly columns: string;
  /** Panels that a warp stores for one program. */
  readonly panels: number;
}

/** What a program leaves to the next one: words of two elements, where they go, and 1 where there are any. */
export interface HeldState {
  readonly words: SValue;
  readonly starts: readonly SValue[];
  readonly some: SValue;
}

/** Where the tile begins along a dim. */
function startOf(index: SIndex): SValue | undefined {
  if (index.kind === "span") return index.end === undefined ? index.start : undefined;
  return index.kind === "at" ? index.value : undefined;
}

function obstacle(kernel: ScheduledKernel, { after, dot }: Parts): string | Held {
  const store = after.at(-1);
  if (store?.kind !== "store") return "the kernel does not end in a store";
  if (after.some((op) => op !== store && (op.kind === "store" || op.kind === "atomic")))
    return "there is more than one store";
  const { layout, type } = store.value;
  const panel = kernel.shared.find(({ name }) => name === store.panels);
  const [rows, columns] = type.axes;
  if (layout === undefined || panel === undefined || rows === undefined || columns === undefined)
    return "the store is not made of boxes";
  if (layout.lane[0]?.axis === rows.name) return "the operands are swapped";
  if (store.at.some((index) => startOf(index) === undefined)) return "the store has a limit";
  const groups = kernel.numWarps / WARPS_IN_GROUP;
  const elements = registerCount(layout);
  const isFresh = dot.instruction.kind === "wgmma" && dot.instruction.fresh === true;
  if (elements * (isFresh ? 2.5 : 1.5) > mostAccumulators(groups))
    return `${elements} sums and as many results do not fit into a thread's registers`;
  const width = panel.axes.at(-1)?.size ?? columns.size;
  const panels = (rows.size / PRODUCT_ROWS / groups) * (columns.size / width);
  return { store, columns: columns.name, panels };
}

/** The store that may be held back, where the schedule asks for it. */
export function findHeld(
  kernel: ScheduledKernel,
  parts: Parts,
  context: PassContext,
): Held | undefined {
  const { holdStores } = wishesOf(kernel);
  if (holdStores === undefined) return undefined;
  const found = obstacle(kernel, parts);
  const { loc } = parts.loop;
  if (!holdStores) answer(context, "holdStores", "as asked: a program stores what it made", loc);
  else if (typeof found === "string") answer(context, "holdStores", `not as asked: ${found}`, loc);
  else answer(context, "holdStores", "as asked: under the next program's first trips", loc);
  return holdStores && typeof found !== "string" ? found : undefined;
}

export class HoldStores {
  readonly #held: Held;
  readonly #build: ScalarBuilder;
  readonly #loc: SStore["loc"];

  constructor(held: Held, build: ScalarBuilder) {
    this.#held = held;
    this.#build = build;
    this.#loc = held.store.loc;
  }

  /** Values of a state that no op defines yet. */
  state(): HeldState {
    const { store, columns } = this.#held;
    const { layout, type } = store.value;
    const along = type.axes.find(({ name }) => name === columns);
    invariant(layout !== undefined && along !== undefined, () => "a scalar is held back");
    const word = { name: `${columns}_pair`, size: along.size / 2 };
    const axes = type.axes.map((axis) => (axis === along ? word : axis));
    return {
      words: {
        ...this.#build.scalar("held"),
        type: { dtype: "u32", axes },
        layout: pairedLayout(layout, columns, word),
      },
      starts: store.at.map((_, dim) => this.#build.scalar(`held_${dim}`)),
      some: this.#build.scalar("some"),
    };
  }

  /** Before the first program there is nothing. */
  empty(ops: SOp[]): HeldState {
    const { words, starts } = this.state();
    const zero = this.#build.constant(ops, 0, "zero");
    ops.push({ kind: "const", result: words, value: 0, loc: this.#loc });
    return { words, starts: starts.map(() => zero), some: zero };
  }

  /** The results of a program, packed, and the places of its store. */
  take(ops: SOp[], store: SStore, some: SValue): HeldState {
    const { words } = this.state();
    const { columns: axis } = this.#held;
    ops.push({ kind: "pack_pairs", result: words, x: store.value, axis, loc: this.#loc });
    const starts = store.at.flatMap((index) => startOf(index) ?? []);
    return { words, starts, some };
  }

  /** Values of the counter in the trips that store a panel each, and where these end: at once where there is nothing to store. */
  trips(
    ops: SOp[],
    lo: SValue,
    step: SValue,
    { some }: HeldState,
  ): { readonly places: readonly SValue[]; readonly ahead: SValue } {
    const b = this.#build;
    const place = (trip: number): SValue =>
      b.binary(ops, "add", lo, b.binary(ops, "mul", step, b.constant(ops, trip, "t"), "t"), "at");
    const places = Array.from({ length: this.#held.panels }, (_, trip) => place(trip));
    const isSome = b.compare(ops, "gt", some, b.constant(ops, 0, "zero"), "any");
    return { places, ahead: b.select(ops, isSome, place(this.#held.panels), lo, "ahead") };
  }

  /** Store of panel i in the i-th trip. */
  inTrip(
    ops: SOp[],
    iv: SValue,
    { places, ahead }: { readonly places: readonly SValue[]; readonly ahead: SValue },
    state: HeldState,
  ): void {
    const panels: SOp[] = [];
    places.forEach((place, panel) => {
      const isNow = this.#build.compare(panels, "eq", iv, place, "now");
      panels.push(onlyIf(isNow, [this.#store(state, panel, 1)], this.#loc));
    });
    const isEarly = this.#build.compare(ops, "lt", iv, ahead, "early");
    ops.push(onlyIf(isEarly, panels, this.#loc));
  }

  /** Panels for which the program had no trips. */
  rest(ops: SOp[], hi: SValue, places: readonly SValue[], state: HeldState): void {
    const left: SOp[] = [];
    places.forEach((place, panel) => {
      const isLeft = this.#build.compare(left, "ge", place, hi, "left");
      left.push(onlyIf(isLeft, [this.#store(state, panel, 1)], this.#loc));
    });
    ops.push(onlyIf(this.#isSome(ops, state), left, this.#loc));
  }

  /** What the last program left. */
  drain(ops: SOp[], state: HeldState): void {
    const all = this.#store(state, 0, this.#held.panels);
    ops.push(onlyIf(this.#isSome(ops, state), [all], this.#loc));
  }

  #isSome(ops: SOp[], { some }: HeldState): SValue {
    return this.#build.compare(ops, "gt", some, this.#build.constant(ops, 0, "zero"), "any");
  }

  #store({ words, starts }: HeldState, first: number, count: number): SStore {
    const { store } = this.#held;
    const at = store.at.map((index, dim): SIndex => {
      const start = starts[dim];
      invariant(start !== undefined, () => "a held store lost its place");
      if (index.kind === "span") return { ...index, start };
      return index.kind === "at" ? { ...index, value: start } : index;
    });
    return { ...store, at, value: words, held: { first, count } };
  }
}
