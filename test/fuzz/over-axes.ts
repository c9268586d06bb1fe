/** [test/fuzz] Random steps that work along axes: reductions, scans, dots, and changes of axes. */
import type { Value } from "./program.ts";
import { isExact, isFloatType, multiplied, rangeIn, summed } from "./ranges.ts";
import type { Scope } from "./scope.ts";

/** Sums along longer axes than this would leave the exact range too often. */
const MOST_PARTS = 3;

function withAxis(scope: Scope): readonly [Value, string] | undefined {
  const x = scope.some(({ type }) => type.axes.length > 0 && type.dtype !== "bool");
  return x && [x, scope.dice.pick(x.type.axes)];
}

const without = (axes: readonly string[], axis: string): readonly string[] =>
  axes.filter((other) => other !== axis);

export function reduce(scope: Scope): Value | undefined {
  const [x, axis] = withAxis(scope) ?? [];
  if (x === undefined || axis === undefined) return undefined;
  const type = { dtype: x.type.dtype, axes: without(x.type.axes, axis) };
  const op = scope.dice.pick(["sum", "sum", "max", "min"]);
  const range = op === "sum" ? summed(x.range, scope.size(axis)) : x.range;
  return scope.define(type, range, `${op}($0, "${axis}")`, x);
}

export function argReduce(scope: Scope): Value | undefined {
  const x = scope.some(
    ({ type, range }) => type.axes.length > 0 && type.dtype !== "bool" && isExact(range),
  );
  if (x === undefined) return undefined;
  const axis = scope.dice.pick(x.type.axes);
  const type = { dtype: "i32" as const, axes: without(x.type.axes, axis) };
  const op = scope.dice.pick(["argmax", "argmin"]);
  return scope.define(type, { bits: 6, grain: 0 }, `${op}($0, "${axis}")`, x);
}

/** The greatest few, or where they lie: ties by place, so that all devices agree. */
export function topOf(scope: Scope): Value | undefined {
  const x = scope.some(
    ({ type, range }) => type.axes.length > 0 && type.dtype === "f32" && isExact(range),
  );
  if (x === undefined) return undefined;
  const axis = scope.dice.pick(x.type.axes);
  const top = scope.axis("T", 1 + scope.dice.below(Math.min(4, scope.size(axis))));
  const axes = [...without(x.type.axes, axis), top];
  const [dtype, range, part] = scope.dice.chance(0.5)
    ? (["f32", x.range, "values"] as const)
    : (["i32", { bits: 6, grain: 0 }, "indices"] as const);
  return scope.define({ dtype, axes }, range, `topK($0, "${axis}", ${top}).${part}`, x);
}

export function scan(scope: Scope): Value | undefined {
  const [x, axis] = withAxis(scope) ?? [];
  if (x === undefined || axis === undefined) return undefined;
  const op = scope.dice.pick(["cumsum", "cummax"]);
  const range = op === "cumsum" ? summed(x.range, scope.size(axis)) : x.range;
  return scope.define(x.type, range, `${op}($0, "${axis}")`, x);
}

export function quantify(scope: Scope): Value | undefined {
  const x = scope.some(({ type }) => type.axes.length > 0 && type.dtype === "bool");
  if (x === undefined) return undefined;
  const axis = scope.dice.pick(x.type.axes);
  const type = { dtype: "bool" as const, axes: without(x.type.axes, axis) };
  return scope.define(type, x.range, `${scope.dice.pick(["some", "every"])}($0, "${axis}")`, x);
}

/** More axes, or the same in another order. */
export function spread(scope: Scope): Value | undefined {
  const x = scope.some(({ type }) => type.dtype !== "bool");
  if (x === undefined) return undefined;
  const known = [...new Set(["BM", "BN", ...Object.keys(scope.config)])];
  const extra = scope.dice.chance(0.5) ? [scope.dice.pick(known)] : [];
  const axes = [...new Set([...x.type.axes, ...extra])].sort(() =>
    scope.dice.chance(0.5) ? 1 : -1,
  );
  if (axes.length === 0) return undefined;
  return scope.define({ ...x.type, axes }, x.range, `broadcast($0, ${axes.join(", ")})`, x);
}

export function renameAxis(scope: Scope): Value | undefined {
  const [x, axis] = withAxis(scope) ?? [];
  if (x === undefined || axis === undefined) return undefined;
  const to = scope.axis("R", scope.size(axis));
  const axes = x.type.axes.map((own) => (own === axis ? to : own));
  return scope.define({ ...x.type, axes }, x.range, `rename($0, "${axis}", ${to})`, x);
}

export function splitAxis(scope: Scope): Value | undefined {
  const [x, axis] = withAxis(scope) ?? [];
  if (x === undefined || axis === undefined || x.type.axes.length > MOST_PARTS - 1)
    return undefined;
  const size = scope.size(axis);
  const outer = scope.dice.pick([2, 3, 4, 8].filter((part) => size % part === 0).concat(1));
  const parts = [scope.axis("S", outer), scope.axis("S", size / outer)];
  const axes = x.type.axes.flatMap((own) => (own === axis ? parts : [own]));
  return scope.define({ ...x.type, axes }, x.range, `split($0, "${axis}", ${parts.join(", ")})`, x);
}

export function mergeAxes(scope: Scope): Value | undefined {
  const x = scope.some(({ type }) => type.axes.length > 1 && type.dtype !== "bool");
  if (x === undefined) return undefined;
  const at = scope.dice.below(x.type.axes.length - 1);
  const pair = x.type.axes.slice(at, at + 2);
  const into = scope.axis("F", scope.elements(pair));
  const axes = [...x.type.axes.slice(0, at), into, ...x.type.axes.slice(at + 2)];
  const names = pair.map((axis) => `"${axis}"`).join(", ");
  return scope.define({ ...x.type, axes }, x.range, `merge($0, ${into}, { axes: [${names}] })`, x);
}

const DOT_TYPES = ["f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i8", "u8", "i32"];

/** A product over one axis with a second tile, whose other common axes are renamed out of the way. */
export function dotOver(scope: Scope): Value | undefined {
  const fits = ({ type }: Value): boolean =>
    DOT_TYPES.includes(type.dtype) && type.axes.length > 0 && type.axes.length < MOST_PARTS;
  const a = scope.some(fits);
  if (a === undefined) return undefined;
  const axis = scope.dice.pick(a.type.axes);
  const found = scope.some(
    (value) => fits(value) && value.type.dtype === a.type.dtype && value.type.axes.includes(axis),
    a,
  );
  if (found === undefined) return undefined;
  let b = found;
  for (const shared of found.type.axes) {
    if (shared === axis || !a.type.axes.includes(shared)) continue;
    const to = scope.axis("R", scope.size(shared));
    const axes = b.type.axes.map((own) => (own === shared ? to : own));
    const renamed = scope.define({ ...b.type, axes }, b.range, `rename($0, "${shared}", ${to})`, b);
    if (renamed === undefined) return undefined;
    b = renamed;
  }
  const range = summed(multiplied(a.range, b.range), scope.size(axis));
  const dtype = isFloatType(a.type.dtype) ? ("f32" as const) : ("i32" as const);
  const axes = [...without(a.type.axes, axis), ...without(b.type.axes, axis)];
  const product = scope.define({ dtype, axes }, range, "dot($0, $1)", a, b);
  if (product === undefined || scope.dice.chance(0.6)) return product;
  const start = scope.some(
    ({ type, range: own }) =>
      type.dtype === dtype && type.axes.join() === axes.join() && isExact(own),
  );
  const total =
    start &&
    rangeIn(
      dtype,
      summed(
        {
          ...range,
          bits: Math.max(range.bits, start.range.bits),
          grain: Math.max(range.grain, start.range.grain),
        },
        2,
      ),
    );
  if (start === undefined || total === undefined) return product;
  return scope.define({ dtype, axes }, total, "dot($0, $1, $2)", a, b, start);
}
