/** [codegen/schedule] The place of a copy that takes whole pages: its entries as scalars, each loaded by whoever copies. */
import type { Location } from "../../dsl/index.ts";
import type { SIndex, SValue } from "../ir/scheduled.ts";
import type { Emitter } from "./emitter.ts";
import type { PagedPlace } from "./find-pages.ts";

const SCALAR = { dtype: "i32", axes: [] } as const;
const TEST = { dtype: "bool", axes: [] } as const;

class Entries {
  readonly #emitter: Emitter;
  readonly #place: PagedPlace;
  readonly #loc: Location;

  constructor(emitter: Emitter, place: PagedPlace, loc: Location) {
    this.#emitter = emitter;
    this.#place = place;
    this.#loc = loc;
  }

  #constant(value: number, name: string): SValue {
    const result = this.#emitter.fresh(name, SCALAR, undefined);
    this.#emitter.push({ kind: "const", result, value, loc: this.#loc });
    return result;
  }

  #binary(fn: "add" | "min", a: SValue, b: SValue, name: string): SValue {
    const result = this.#emitter.fresh(name, SCALAR, undefined);
    this.#emitter.push({ kind: "binary", fn, result, a, b, loc: this.#loc });
    return result;
  }

  #compare(fn: "lt" | "le" | "ge", a: SValue, b: SValue): SValue {
    const result = this.#emitter.fresh("listed", TEST, undefined);
    this.#emitter.push({ kind: "compare", fn, result, a, b, loc: this.#loc });
    return result;
  }

  /** Where the list ends: at the span's end, and at the tensor's. */
  #end(): SValue {
    const { entries, entrySpan } = this.#place;
    const { name, size } =
      this.#emitter.tensor(entries.tensor).shape[entries.at.indexOf(entrySpan)] ?? {};
    let bound: SValue;
    if (size === undefined && name !== undefined) {
      bound = this.#emitter.fresh(name, SCALAR, undefined);
      this.#emitter.push({ kind: "dim", result: bound, dim: name, loc: this.#loc });
    } else bound = this.#constant(size ?? 0, "size");
    const { end } = entrySpan;
    return end === undefined
      ? bound
      : this.#binary("min", this.#emitter.scalar(end), bound, "listed_end");
  }

  #load(at: SValue, mask: SValue | undefined): SValue {
    const { entries } = this.#place;
    const { tensor, fill, loc } = entries;
    const result = this.#emitter.fresh("page", SCALAR, undefined);
    const indices = entries.at.map((index): SIndex => {
      if (index.kind === "at") return { kind: "at", value: this.#emitter.scalar(index.value) };
      return { kind: "at", value: at };
    });
    const masked = mask === undefined ? {} : { mask };
    this.#emitter.push({
      kind: "load",
      result,
      tensor,
      at: indices,
      ...masked,
      fill,
      width: 1,
      loc,
    });
    return result;
  }

  #position(start: SValue, position: number): SValue {
    return position === 0
      ? start
      : this.#binary("add", start, this.#constant(position, "entry"), "entry");
  }

  /** One entry; its load's fill, which is out of every bound, past the end of the list. */
  #entry(at: SValue, end: SValue): SValue {
    const [a, b] = [
      this.#compare("lt", at, end),
      this.#compare("ge", at, this.#constant(0, "zero")),
    ];
    const mask = this.#emitter.fresh("listed", TEST, undefined);
    this.#emitter.push({ kind: "binary", fn: "and", result: mask, a, b, loc: this.#loc });
    return this.#load(at, mask);
  }

  /** All entries of a trip. Where the list holds all of them, as it does but at its end, one address serves them and nothing is asked. */
  #entries(): readonly SValue[] {
    const { entrySpan } = this.#place;
    const count = entrySpan.axis.size;
    const start = this.#emitter.scalar(entrySpan.start);
    const end = this.#end();
    const each = (make: (at: SValue) => SValue): readonly SValue[] =>
      Array.from({ length: count }, (_, i) => make(this.#position(start, i)));
    if (count === 1) return each((at) => this.#entry(at, end));
    const a = this.#compare("le", this.#position(start, count), end);
    const b = this.#compare("ge", start, this.#constant(0, "zero"));
    const cond = this.#emitter.fresh("whole", TEST, undefined);
    this.#emitter.push({ kind: "binary", fn: "and", result: cond, a, b, loc: this.#loc });
    const whole = this.#emitter.block("if", [], () => each((at) => this.#load(at, undefined)));
    const cut = this.#emitter.block("if", [], () => each((at) => this.#entry(at, end)));
    const results = whole.yields.map(() => this.#emitter.fresh("page", SCALAR, undefined));
    // biome-ignore lint/suspicious/noThenProperty: the contract's name of the block, no promise
    this.#emitter.push({ kind: "if", results, cond, then: whole, else: cut, loc: this.#loc });
    return results;
  }

  indices(): readonly SIndex[] {
    const { axis, entries: list, slots, start, limit } = this.#place;
    // Keys and values have the same pages.
    const entries = this.#emitter.listed(list, () => this.#entries());
    const first = start === undefined ? this.#constant(0, "slot") : this.#emitter.scalar(start);
    const cut = limit === undefined ? {} : { limit: this.#emitter.scalar(limit) };
    return [
      { kind: "pages", axis, entries, ...cut },
      { kind: "span", axis: { ...axis, size: slots }, start: first },
    ];
  }
}

/** The two indices that stand for the two gathers of a load by pages; what they need is emitted here. */
export function emitPages(emitter: Emitter, place: PagedPlace, loc: Location): readonly SIndex[] {
  return new Entries(emitter, place, loc).indices();
}
