/** [dsl/frontend] Walks over structured values: joins what two paths give, and maps the data in arrays and objects. */
import type { Location } from "../core/location.ts";
import { type AbstractValue, describe, ERROR } from "./abstract-value.ts";
import { isData } from "./coerce.ts";
import type { Lowering } from "./lowering.ts";

/** True where both stand for the same thing, so that nothing needs to be merged. */
export function same(a: AbstractValue, b: AbstractValue): boolean {
  if (a === b) return true;
  if (a.kind === "const" && b.kind === "const") return Object.is(a.value, b.value);
  if (a.kind === "value" && b.kind === "value") return a.value === b.value;
  if (a.kind === "dim" && b.kind === "dim") return a.name === b.name && a.size === b.size;
  if (a.kind === "dtype" && b.kind === "dtype") return a.dtype === b.dtype;
  if (a.kind === "function" && b.kind === "function") return a.fn === b.fn && a.scope === b.scope;
  if (a.kind === "op" && b.kind === "op") return a.op === b.op;
  return a.kind === "tensor" && b.kind === "tensor" && a.param === b.param;
}

/**
 * One value of the shape that `a` and `b` share, with `leaf` called for data that differs.
 * @param what how messages call the value
 */
export function join(
  lw: Lowering,
  what: string,
  a: AbstractValue,
  b: AbstractValue,
  loc: Location,
  leaf: (a: AbstractValue, b: AbstractValue) => AbstractValue,
): AbstractValue {
  if (same(a, b)) return a;
  if (a.kind === "error" || b.kind === "error") return ERROR;
  if (isData(a) && isData(b)) return leaf(a, b);
  const go = (x: AbstractValue, y: AbstractValue): AbstractValue => join(lw, what, x, y, loc, leaf);
  if (a.kind === "array" && b.kind === "array" && a.items.length === b.items.length) {
    return { kind: "array", items: a.items.map((item, i) => go(item, b.items[i] ?? ERROR)) };
  }
  if (a.kind === "object" && b.kind === "object") {
    const names = Object.keys(a.fields);
    if (
      names.length === Object.keys(b.fields).length &&
      names.every((name) => Object.hasOwn(b.fields, name))
    ) {
      const fields = names.map(
        (name) => [name, go(a.fields[name] ?? ERROR, b.fields[name] ?? ERROR)] as const,
      );
      return { kind: "object", fields: Object.fromEntries(fields) };
    }
  }
  if (
    a.kind === "span" &&
    b.kind === "span" &&
    a.axis.name === b.axis.name &&
    (a.end === undefined) === (b.end === undefined)
  ) {
    const end = a.end === undefined || b.end === undefined ? {} : { end: go(a.end, b.end) };
    return { kind: "span", axis: a.axis, start: go(a.start, b.start), ...end };
  }
  return lw.fail("TW1170", loc, {
    message: `${what} is of different kinds on different paths`,
    seen: `${describe(a)} on one, ${describe(b)} on the other`,
    expected: "tiles or numbers, or arrays and objects of them with the same shape",
    remedy:
      "give it a value of one kind on every path; what depends on config alone may be chosen with a constant condition",
  });
}

/** `av` with `leaf` applied to the data in it. */
export function mapData(
  av: AbstractValue,
  leaf: (av: AbstractValue) => AbstractValue,
): AbstractValue {
  if (isData(av)) return leaf(av);
  if (av.kind === "array")
    return { kind: "array", items: av.items.map((item) => mapData(item, leaf)) };
  if (av.kind === "object") {
    const fields = Object.entries(av.fields).map(
      ([name, field]) => [name, mapData(field, leaf)] as const,
    );
    return { kind: "object", fields: Object.fromEntries(fields) };
  }
  return av;
}
