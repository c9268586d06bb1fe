/** [codegen/schedule] Loads that take whole pages by a list of entries, as merge(load(x, [gather(entries), span, …]), axis, { limit }) becomes after fold-merge. Builds nothing. */
import {
  type Axis,
  type Definition,
  definitions,
  type Index,
  isScalar,
  type Op,
  operands,
  type TileKernel,
  type Value,
} from "../../dsl/index.ts";

type LoadOp = Extract<Op, { kind: "load" }>;
type MergeOp = Extract<Op, { kind: "merge" }>;
type Span = Extract<Index, { kind: "span" }>;
type Definitions = ReadonlyMap<number, Definition>;

/** Two neighbouring dims of a tensor that a list of entries and a span of slots address; both are one axis of the tile, entries slowest. */
export interface PagedPlace {
  /** The first of the two dims. */
  readonly dim: number;
  readonly axis: Axis;
  /** Loads the entries: a tile of one axis out of an i32 tensor, walked by one span. */
  readonly entries: LoadOp;
  readonly entrySpan: Span;
  /** First slot, 0 where absent, and slots of a page. */
  readonly start?: Value;
  readonly slots: number;
  /** Elements of the axis from here on are not read; all are where absent. */
  readonly limit?: Value;
}

function opOf(defs: Definitions, value: Value): Op | undefined {
  const definition = defs.get(value.id);
  return definition?.kind === "op" ? definition.op : undefined;
}

function mergeOf(defs: Definitions, value: Value): MergeOp | undefined {
  const op = opOf(defs, value);
  return op?.kind === "merge" ? op : undefined;
}

/** What a tile that varies along `axis` alone was before it was spread over others. */
function spreadOf(defs: Definitions, value: Value, axis: string): Value | undefined {
  let now = value;
  for (let op = opOf(defs, now); op?.kind === "broadcast"; op = opOf(defs, now)) now = op.x;
  const [only, ...others] = now.type.axes;
  return only?.name === axis && others.length === 0 ? now : undefined;
}

/** Value of an i32 tile that is made of positions and constants, at a place; undefined where it is made of more. */
function valueAt(
  defs: Definitions,
  value: Value,
  place: Readonly<Record<string, number>>,
): number | undefined {
  const op = opOf(defs, value);
  switch (op?.kind) {
    case "const":
      return op.value;
    case "iota":
      return place[value.type.axes[0]?.name ?? ""];
    case "broadcast":
      return valueAt(defs, op.x, place);
    case "binary": {
      if (op.fn !== "add" && op.fn !== "mul") return undefined;
      const [a, b] = [valueAt(defs, op.a, place), valueAt(defs, op.b, place)];
      if (a === undefined || b === undefined) return undefined;
      return op.fn === "add" ? a + b : a * b;
    }
    default:
      return undefined;
  }
}

/** The scalar that a tile repeats. */
function scalarOf(defs: Definitions, value: Value): Value | undefined {
  let now = value;
  for (let op = opOf(defs, now); op?.kind === "broadcast"; op = opOf(defs, now)) now = op.x;
  return isScalar(now.type) ? now : undefined;
}

/** The first slot of a tile of neighbouring ones. */
function firstSlot(defs: Definitions, slots: Value): { readonly start?: Value } | undefined {
  const op = opOf(defs, slots);
  if (op?.kind === "iota") return {};
  if (op?.kind !== "binary" || op.fn !== "add") return undefined;
  const [a, b] = opOf(defs, op.b)?.kind === "iota" ? [op.a, op.b] : [op.b, op.a];
  const start = scalarOf(defs, a);
  return opOf(defs, b)?.kind === "iota" && start !== undefined ? { start } : undefined;
}

/** The limit of a mask that reads `position < limit`, where positions count through entries and slots. */
function limitOf(
  defs: Definitions,
  mask: Value,
  [outer, inner]: readonly [Axis, Axis],
): Value | undefined {
  const op = opOf(defs, mask);
  if (op?.kind !== "compare" || op.fn !== "lt" || op.a.type.dtype !== "i32") return undefined;
  for (let page = 0; page < outer.size; page++)
    for (let slot = 0; slot < inner.size; slot++) {
      const place = { [outer.name]: page, [inner.name]: slot };
      if (valueAt(defs, op.a, place) !== page * inner.size + slot) return undefined;
    }
  return scalarOf(defs, op.b);
}

/** The load of a list of entries that a tile of one axis is. */
function entriesOf(
  kernel: TileKernel,
  defs: Definitions,
  value: Value,
): Pick<PagedPlace, "entries" | "entrySpan"> | undefined {
  const op = opOf(defs, value);
  if (op?.kind !== "load" || op.mask !== undefined || op.fill >= 0) return undefined;
  const param = kernel.params.find(({ name }) => name === op.tensor);
  if (param?.kind !== "tensor" || param.access !== "in" || param.dtype !== "i32") return undefined;
  const spans = op.at.filter((index) => index.kind === "span");
  const [entrySpan] = spans;
  const isPlain = op.at.every((index) => index.kind !== "gather") && spans.length === 1;
  return isPlain && entrySpan !== undefined ? { entries: op, entrySpan } : undefined;
}

/** The pages of a load, or undefined where it has none. */
export function pagedPlace(kernel: TileKernel, op: LoadOp): PagedPlace | undefined {
  const dim = op.at.findIndex((index) => index.kind === "gather");
  const [pages, slots] = [op.at[dim], op.at[dim + 1]];
  if (pages?.kind !== "gather" || slots?.kind !== "gather") return undefined;
  const defs = definitions(kernel.body);
  const [first, second] = [mergeOf(defs, pages.index), mergeOf(defs, slots.index)];
  const [axis, ...others] = pages.index.type.axes;
  const merged = first?.axes ?? [];
  if (first === undefined || second === undefined || axis === undefined || others.length > 0)
    return undefined;
  const [outer, inner] = merged.map((name) => first.x.type.axes.find((a) => a.name === name));
  if (merged.length !== 2 || outer === undefined || inner === undefined) return undefined;
  if (second.into !== first.into || second.axes.join() !== merged.join()) return undefined;
  const list = spreadOf(defs, first.x, outer.name);
  const slot = spreadOf(defs, second.x, inner.name);
  const entries = list && entriesOf(kernel, defs, list);
  const begin = slot && firstSlot(defs, slot);
  if (entries === undefined || begin === undefined) return undefined;
  const place = { dim, axis, ...entries, ...begin, slots: inner.size };
  if (op.mask === undefined) return place;
  const mask = mergeOf(defs, op.mask);
  if (mask === undefined || mask.axes.join() !== merged.join()) return undefined;
  const limit = limitOf(defs, mask.x, [outer, inner]);
  return limit === undefined ? undefined : { ...place, limit };
}

/** Values that the address of a load is made of: those of its entries in place of the tiles that gather. */
export function addressValues(kernel: TileKernel, op: LoadOp): readonly Value[] {
  const place = pagedPlace(kernel, op);
  if (place === undefined) return operands(op);
  const others = op.at.flatMap((index) => {
    if (index.kind === "gather") return [];
    if (index.kind === "at") return [index.value];
    return index.end === undefined ? [index.start] : [index.start, index.end];
  });
  const { entries, start, limit } = place;
  const own = [start, limit].filter((value) => value !== undefined);
  return [...operands(entries), ...own, ...others];
}

/** Ops of a block that do nothing but make the gathers and masks of loads by pages. */
export function pageOps(
  kernel: TileKernel,
  ops: readonly Op[],
  loads: readonly LoadOp[],
): ReadonlySet<Op> {
  const found = new Set<Op>();
  const paged = loads.filter((load) => pagedPlace(kernel, load) !== undefined);
  const wanted = new Set(paged.flatMap((load) => operands(load)).map(({ id }) => id));
  for (const op of [...ops].reverse()) {
    if (!("result" in op) || op.result === undefined || isScalar(op.result.type)) continue;
    if (!wanted.has(op.result.id) || loads.some((load) => load === op)) continue;
    found.add(op);
    for (const { id } of operands(op)) wanted.add(id);
  }
  return found;
}
