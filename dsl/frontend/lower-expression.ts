/** [dsl/frontend] Expressions: HIR to abstract values and ops. Branching expressions are lower-branch.ts. */
import type { Location } from "../core/location.ts";
import type { BinaryFn, CompareFn } from "../ir/primitives.ts";
import { OPS } from "../ops/registry.ts";
import {
  type AbstractValue,
  constant,
  describe,
  knownNumber,
  knownValue,
  type Place,
  UNDEFINED,
} from "./abstract-value.ts";
import type { Argument } from "./arguments.ts";
import { binary, compare, unary } from "./arith.ts";
import { Call } from "./call.ts";
import { dtypeOf, isData, requireData } from "./coerce.ts";
import type {
  BinaryOperator,
  HirBinary,
  HirCall,
  HirElement,
  HirExpr,
  HirMember,
  HirUnary,
} from "./hir.ts";
import { lowerConditional, lowerLogical } from "./lower-branch.ts";
import type { Lowering } from "./lowering.ts";
import { callMath, mathMember } from "./math.ts";
import type { Scope } from "./scope.ts";

const ARITHMETIC: Readonly<Partial<Record<BinaryOperator, BinaryFn>>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "mod",
  "&": "and",
  "|": "or",
  "^": "xor",
  "<<": "shl",
  ">>": "shr",
};
const COMPARISON: Readonly<Partial<Record<BinaryOperator, CompareFn>>> = {
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
};

export function lowerExpression(
  lw: Lowering,
  scope: Scope,
  e: HirExpr,
  hint?: string,
): AbstractValue {
  switch (e.kind) {
    case "constant":
      return constant(e.value ?? undefined);
    case "name":
      return lowerName(lw, scope, e.name, lw.location(e.span));
    case "unary":
      return lowerUnary(lw, scope, e, hint);
    case "binary":
      return lowerBinary(lw, scope, e, hint);
    case "logical":
      return lowerLogical(lw, scope, e, hint);
    case "conditional":
      return lowerConditional(lw, scope, e, hint);
    case "call":
      return lowerCall(lw, scope, e, hint);
    case "member":
      return lowerMember(lw, scope, e);
    case "element":
      return lowerElement(lw, scope, e);
    case "array":
      return { kind: "array", items: lowerItems(lw, scope, e.items).map((item) => item.value) };
    case "object":
      return lowerObject(lw, scope, e);
    case "function":
      return { kind: "function", fn: e.fn, scope };
    case "spread":
      return lw.fail("TW1051", lw.location(e.span), {
        message: "a spread stands where one value is needed",
        seen: "...",
        expected: "a spread inside [ … ], { … } or an argument list",
        remedy: "name the value",
      });
    case "invalid":
      return lw.unwind();
    default:
      return e satisfies never;
  }
}

function lowerName(lw: Lowering, scope: Scope, name: string, loc: Location): AbstractValue {
  const found = scope.find(name);
  if (found === undefined) {
    return lw.fail("TW1101", loc, {
      message: `'${name}' is not something a kernel can capture`,
      seen: `the name '${name}'`,
      expected: "a variable, param, dim or config value in scope",
      remedy: "declare it before it is used",
    });
  }
  const value = lw.good(lw.read(found.cell));
  noteNamed(lw, value);
  return value;
}

/** Values that a variable holds may be seen by other code too. */
function noteNamed(lw: Lowering, av: AbstractValue): void {
  if (av.kind === "value") lw.named.add(av.value.id);
  if (av.kind === "array") for (const item of av.items) noteNamed(lw, item);
  if (av.kind === "object") for (const item of Object.values(av.fields)) noteNamed(lw, item);
}

function placeOf(lw: Lowering, e: HirExpr, hint: string | undefined): Place {
  const loc = lw.location(e.span);
  return hint === undefined ? { loc } : { loc, hint };
}

function lowerUnary(lw: Lowering, scope: Scope, e: HirUnary, hint?: string): AbstractValue {
  const place = placeOf(lw, e, hint);
  const x = lw.good(lowerExpression(lw, scope, e.x));
  requireData(lw, x, `the operand of ${e.op}`, place.loc);
  if (e.op === "+") return x;
  if (e.op === "-") return unary(lw, "neg", x, place);
  const isBool = dtypeOf(x) === "bool";
  if (isBool !== (e.op === "!")) {
    lw.fail("TW1130", place.loc, {
      message: `${e.op} does not work on ${isBool ? "bool" : "numbers"}`,
      seen: describe(x),
      expected: isBool ? "an integer" : "a boolean",
      remedy: isBool ? "negate a boolean with !" : "compare with === 0, or invert bits with ~",
    });
  }
  return unary(lw, "not", x, place);
}

function lowerBinary(lw: Lowering, scope: Scope, e: HirBinary, hint?: string): AbstractValue {
  const a = lowerExpression(lw, scope, e.a);
  const b = lowerExpression(lw, scope, e.b);
  return binaryOperator(lw, e.op, a, b, placeOf(lw, e, hint));
}

/** What `a op b` means; also for compound assignments. */
export function binaryOperator(
  lw: Lowering,
  op: BinaryOperator,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const comparison = COMPARISON[op];
  if (comparison !== undefined) return compare(lw, comparison, a, b, place);
  const arithmetic = ARITHMETIC[op];
  if (arithmetic !== undefined) return binary(lw, arithmetic, a, b, place);
  return op === "**" ? power(lw, a, b, place) : unsignedShift(lw, a, b, place);
}

function unsignedShift(
  lw: Lowering,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const [ka, kb] = [knownNumber(a), knownNumber(b)];
  if (ka !== undefined && kb !== undefined) return constant(ka >>> kb);
  if (dtypeOf(a) === "u32") return binary(lw, "shr", a, b, place);
  return lw.fail("TW1130", place.loc, {
    message: ">>> does not work here",
    seen: `${describe(lw.good(a))} on the left`,
    expected: "a u32 on the left",
    remedy: 'shift the bits as unsigned: bitcast(x, "u32") >>> n',
  });
}

/** Whole powers by multiplication, and square roots; what else `**` could mean differs between devices. */
export function power(
  lw: Lowering,
  a: AbstractValue,
  b: AbstractValue,
  place: Place,
): AbstractValue {
  const base = lw.good(a);
  const exponent = knownNumber(lw.good(b));
  const known = knownNumber(base);
  if (known !== undefined && exponent !== undefined) return constant(known ** exponent);
  const { loc } = place;
  if (exponent === 1) return base;
  if (exponent === 0.5) return unary(lw, "sqrt", base, place);
  if (exponent === -0.5) return unary(lw, "rsqrt", base, place);
  if (exponent === -1) return binary(lw, "div", constant(1), base, place);
  const square = (): AbstractValue =>
    binary(lw, "mul", base, base, exponent === 2 ? place : { loc });
  if (exponent === 2) return square();
  if (exponent === 3) return binary(lw, "mul", square(), base, place);
  if (exponent === 4) {
    const twice = square();
    return binary(lw, "mul", twice, twice, place);
  }
  return lw.fail("TW1133", loc, {
    message: "this power is not defined",
    seen: `${describe(base)} ** ${describe(lw.good(b))}`,
    expected: "an exponent of 1, 2, 3, 4, -1, 0.5 or -0.5, known at compile time",
    remedy: "for a positive base write exp2(y * log2(x))",
  });
}

function lowerItems(lw: Lowering, scope: Scope, items: readonly HirExpr[]): readonly Argument[] {
  return items.flatMap((item): readonly Argument[] => {
    const loc = lw.location(item.span);
    if (item.kind !== "spread") return [{ value: lowerExpression(lw, scope, item), loc }];
    const list = lw.good(lowerExpression(lw, scope, item.x));
    if (list.kind === "array") return list.items.map((value) => ({ value, loc }));
    return lw.fail("TW1180", loc, {
      message: "only an array can be spread here",
      seen: describe(list),
      expected: "an array of a length known at compile time",
      remedy: "name the values one by one",
    });
  });
}

function lowerObject(
  lw: Lowering,
  scope: Scope,
  e: Extract<HirExpr, { kind: "object" }>,
): AbstractValue {
  const fields: Record<string, AbstractValue> = {};
  for (const field of e.fields) {
    const value = lw.good(lowerExpression(lw, scope, field.value, field.name));
    if (field.name !== undefined) fields[field.name] = value;
    else if (value.kind === "object") Object.assign(fields, value.fields);
    else {
      lw.fail("TW1180", lw.location(field.value.span), {
        message: "only an object can be spread here",
        seen: describe(value),
        expected: "an object",
        remedy: "name the fields one by one",
      });
    }
  }
  return { kind: "object", fields };
}

function lowerMember(lw: Lowering, scope: Scope, e: HirMember): AbstractValue {
  const loc = lw.location(e.span);
  const object = lw.good(lowerExpression(lw, scope, e.object));
  if (object.kind === "namespace") {
    const member = object.name === "Math" ? mathMember(e.name) : object.member(e.name);
    if (member !== undefined) return lw.good(member);
  }
  if (object.kind === "array" && e.name === "length") return constant(object.items.length);
  if (object.kind === "object" && Object.hasOwn(object.fields, e.name))
    return lw.good(object.fields[e.name] ?? UNDEFINED);
  return lw.fail("TW1181", loc, {
    message: `there is no '${e.name}' here`,
    seen: `.${e.name} of ${describe(object)}`,
    expected: expectedMembers(object),
    remedy: memberRemedy(object, e.name),
  });
}

function expectedMembers(object: AbstractValue): string {
  if (isText(object)) return "a string, which has no members in a kernel";
  if (isData(object)) return "a number or tile, which has no members";
  if (object.kind === "object")
    return Object.keys(object.fields).join(", ") || "an object with fields";
  if (object.kind === "array") return "length, or an index in [ ]";
  if (object.kind === "namespace")
    return object.name === "Math"
      ? "a constant or function of Math that kernels can use"
      : `an export of ${object.name} that kernels can use`;
  return "an object with that field";
}

function isText(object: AbstractValue): boolean {
  return typeof knownValue(object) === "string";
}

function memberRemedy(object: AbstractValue, name: string): string {
  if (isText(object))
    return "methods of strings are not part of the language; write the text in place";
  if (object.kind === "array")
    return "methods of arrays are not part of the language: write for (const x of [...]), or name the items: [f(a), f(b)]";
  if (isData(object)) {
    const op = OPS.get(name);
    return op === undefined
      ? "methods of numbers and tiles are not part of the language: write operators (x + 1) or ops (exp(x), cast(x, dtype))"
      : `methods of numbers and tiles are not part of the language: write ${op.signature}`;
  }
  if (object.kind === "tensor")
    return "the dims of a tensor are names of the body's first argument; read elements with load()";
  if (object.kind === "namespace" && object.name === "Math")
    return "use the op of that name, such as round() or erf()";
  return "check the spelling";
}

function lowerElement(lw: Lowering, scope: Scope, e: HirElement): AbstractValue {
  const loc = lw.location(e.span);
  const object = lw.good(lowerExpression(lw, scope, e.object));
  const index = knownValue(lw.good(lowerExpression(lw, scope, e.index)));
  if (object.kind === "array" && typeof index === "number") {
    const item = object.items[index];
    if (item !== undefined) return lw.good(item);
  }
  if (object.kind === "object" && (typeof index === "string" || typeof index === "number")) {
    const field = object.fields[String(index)];
    if (field !== undefined) return lw.good(field);
  }
  const isList = object.kind === "array" || object.kind === "object";
  return lw.fail("TW1182", loc, {
    message: isList ? "this index picks nothing" : "only arrays and objects are indexed with [ ]",
    seen: `${describe(object)}, index ${index === undefined ? "not known at compile time" : String(index)}`,
    expected:
      object.kind === "array"
        ? `an integer from 0 to ${object.items.length - 1}, known at compile time`
        : "an array or object",
    remedy:
      object.kind === "tensor"
        ? "read an element with load(tensor, [i])"
        : isList
          ? "use an index known at compile time; to pick at run time load from a tensor"
          : "choose elements of a tile with where(iota(D) === i, x, 0) and a sum, or split() the axis",
  });
}

function lowerCall(lw: Lowering, scope: Scope, e: HirCall, hint?: string): AbstractValue {
  const place = placeOf(lw, e, hint);
  const callee = lw.good(lowerExpression(lw, scope, e.callee));
  const args = lowerItems(lw, scope, e.args);
  if (callee.kind === "op") {
    lw.wish = hint;
    const result = callee.op.lower(new Call(lw, callee.op, args, { loc: place.loc }));
    return hint === undefined || result.kind !== "value"
      ? result
      : { ...result, value: lw.builder.name(result.value, hint) };
  }
  if (callee.kind === "function")
    return lw.steps.call(
      lw,
      callee,
      args.map((arg) => arg.value),
      place,
    );
  if (callee.kind === "math")
    return callMath(
      lw,
      callee.name,
      args.map((arg) => lw.good(arg.value)),
      place,
    );
  return lw.fail("TW1183", place.loc, {
    message: "this is no function",
    seen: describe(callee),
    expected: "an op, a function of this project, or one of Math",
    remedy:
      "call a function that is declared with const or function at module level, or in the kernel",
  });
}
