/** [test/fuzz] Random loads: tiles moved, cut, masked, gathered, turned, of more axes, of 4-bit elements; rows, columns, scalars. */
import type { DType } from "../../dsl/index.ts";
import type { Input, Range, Value } from "./program.ts";
import { isFloatType } from "./ranges.ts";
import type { Scope } from "./scope.ts";

const INPUT_TYPES: readonly DType[] = [
  ...(["f32", "f32", "f32", "f16", "f16", "bf16", "bf16", "f8e4m3", "f8e5m2"] as const),
  ...(["i32", "i32", "i8", "u8", "u32"] as const),
];
const MANY_INPUTS = 4;

/** Values of an input: quarters up to 4 for floats (halves for 8 bits), whole numbers else. */
function rangeOf(dtype: DType): Range {
  if (dtype === "u32") return { bits: 32, grain: 0 };
  if (dtype === "i8") return { bits: 7, grain: 0 };
  if (dtype === "u8") return { bits: 8, grain: 0 };
  if (!isFloatType(dtype)) return { bits: 5, grain: 0 };
  return dtype.startsWith("f8") ? { bits: 2, grain: 1 } : { bits: 2, grain: 2 };
}

/** An input of the shape in a type that computes; where there are many already one of those, if any has it. */
function inputOf(scope: Scope, shape: readonly (string | number)[]): Input | undefined {
  const dtype = scope.dice.pick(INPUT_TYPES);
  const known = scope.inputs.filter(
    (input) => input.shape.join() === shape.join() && INPUT_TYPES.includes(input.dtype),
  );
  if (known.length > 0 && scope.inputs.length >= MANY_INPUTS) return scope.dice.pick(known);
  return scope.isFull ? undefined : scope.input(dtype, shape, rangeOf(dtype));
}

function fillOf(scope: Scope, dtype: DType): string {
  if (scope.dice.chance(0.5)) return "";
  return `fill: ${dtype === "u32" || dtype === "u8" || scope.dice.chance(0.5) ? 3 : -1}`;
}

/** A tile of a matrix: where the program is, moved, cut by an end, masked, or gathered. */
export function loadTile(scope: Scope): Value | undefined {
  const { dice } = scope;
  const input = inputOf(scope, ["M", "N"]);
  if (input === undefined) return undefined;
  const { dtype, range, name } = input;
  const type = { dtype, axes: ["BM", "BN"] };
  const mask = scope.some(
    ({ type: own }) => own.dtype === "bool" && own.axes.join() === type.axes.join(),
  );
  const index = scope.some(({ type: own }) => own.dtype === "i32" && own.axes.join() === "BM");
  const fill = fillOf(scope, dtype);
  const options = fill === "" ? "" : `, { ${fill} }`;
  const plain = { text: `load(${name}, [rows, cols])`, args: [] };
  if (mask !== undefined && dice.chance(0.5)) {
    const text = `load(${name}, [rows, cols], { ${fill === "" ? "" : `${fill}, `}mask: $0 })`;
    return scope.push(type, range, { text, args: [mask.id] }, plain);
  }
  if (index !== undefined && dice.chance(0.6)) {
    const text = `load(${name}, [gather(minimum(maximum($0, -1), M - 1)), cols]${options})`;
    return scope.push(type, range, { text, args: [index.id] }, plain);
  }
  const place = dice.pick([
    "rows, cols",
    "rows, cols",
    `span(pid(0) * BM - ${dice.below(3)}, BM), cols`,
    `rows, span(${dice.below(4)}, BN, ${dice.below(30)})`,
    "rows, span(pid(1) * BN, BN, n * 5)",
    "tile(n, BM), cols",
  ]);
  return scope.push(type, range, { text: `load(${name}, [${place}]${options})`, args: [] }, plain);
}

/** A row, a column or one element. */
export function loadPart(scope: Scope): Value | undefined {
  const { dice } = scope;
  const kind = dice.below(4);
  const matrix = kind > 1;
  const input = inputOf(scope, matrix ? ["M", "N"] : [kind === 0 ? "M" : "N"]);
  if (input === undefined) return undefined;
  const { dtype, range, name } = input;
  const fill = fillOf(scope, dtype);
  const options = fill === "" ? "" : `, { ${fill} }`;
  if (kind === 0)
    return scope.push({ dtype, axes: ["BM"] }, range, {
      text: `load(${name}, [rows]${options})`,
      args: [],
    });
  if (kind === 1)
    return scope.push({ dtype, axes: ["BN"] }, range, {
      text: `load(${name}, [cols]${options})`,
      args: [],
    });
  if (kind === 2) {
    const text = `load(${name}, [minimum(pid(0) * BM + n, M - 1), cols]${options})`;
    return scope.push({ dtype, axes: ["BN"] }, range, { text, args: [] });
  }
  const text = `load(${name}, [minimum(pid(0), M - 1), minimum(n, N - 1)])`;
  return scope.push({ dtype, axes: [] }, range, { text, args: [] });
}

export function countAlong(scope: Scope): Value | undefined {
  const axis = scope.dice.pick(["BM", "BN"]);
  return scope.define({ dtype: "i32", axes: [axis] }, { bits: 5, grain: 0 }, `iota(${axis})`);
}

/** A tile of a matrix that lies the other way round. */
export function loadTurned(scope: Scope): Value | undefined {
  const input = inputOf(scope, ["N", "M"]);
  if (input === undefined) return undefined;
  const { dtype, range, name } = input;
  const fill = fillOf(scope, dtype);
  const options = fill === "" ? "" : `, { ${fill} }`;
  const text = `load(${name}, [cols, rows]${options})`;
  return scope.push({ dtype, axes: ["BN", "BM"] }, range, { text, args: [] });
}

/** A tile over three dims, the middle one whole or cut short. */
export function loadDeep(scope: Scope): Value | undefined {
  const { dice } = scope;
  const known = scope.inputs.find(({ shape }) => shape.length === 3);
  const depth = known === undefined ? 2 + dice.below(4) : Number(known.shape[1]);
  const input = inputOf(scope, ["M", depth, "N"]);
  if (input === undefined) return undefined;
  const { dtype, range, name } = input;
  const axis = scope.axis("D", Math.max(1, depth - dice.below(2)));
  const type = { dtype, axes: ["BM", axis, "BN"] };
  if (!scope.holds(type.axes)) return undefined;
  const text = `load(${name}, [rows, span(${dice.below(2)}, ${axis}), cols])`;
  return scope.push(type, range, { text, args: [] });
}

const STORED: readonly (readonly [DType, Range, DType])[] = [
  ["i4", { bits: 3, grain: 0 }, "i32"],
  ["u4", { bits: 4, grain: 0 }, "f32"],
  ["i4", { bits: 3, grain: 0 }, "f16"],
  ["f4e2m1", { bits: 3, grain: 1 }, "f32"],
  ["f4e2m1", { bits: 3, grain: 1 }, "bf16"],
];

/** A tile of 4-bit elements, in a type that computes. */
export function loadStored(scope: Scope): Value | undefined {
  if (scope.isFull) return undefined;
  const [dtype, range, to] = scope.dice.pick(STORED);
  const special = scope.dice.chance(0.25) ? { packed: true } : {};
  const { name } = scope.input(dtype, ["M", "N"], range, special);
  const place = scope.dice.pick([
    "rows, cols",
    "rows, cols",
    "span(1, BM), cols",
    "rows, span(n, BN)",
  ]);
  const text = `cast(load(${name}, [${place}]), "${to}")`;
  return scope.push({ dtype: to, axes: ["BM", "BN"] }, range, { text, args: [] });
}

const HOLED: Range = { bits: 2, grain: 2 };

/** A tile of which some elements are NaN, through an op that says what comes of those: every result is exact. */
export function loadWithHoles(scope: Scope): Value | undefined {
  if (scope.isFull) return undefined;
  const { dice } = scope;
  const dtype = dice.pick(["f32", "f32", "f16", "bf16"] as const);
  const { name } = scope.input(dtype, ["M", "N"], HOLED, { holes: true });
  const x = `load(${name}, [rows, cols])`;
  const type = { dtype, axes: ["BM", "BN"] };
  const [text, result, range] = dice.pick<
    readonly [string, typeof type | { dtype: DType; axes: string[] }, Range]
  >([
    [`maximum(${x}, 1)`, type, HOLED],
    [`minimum(-2, ${x})`, type, HOLED],
    [`maximum(max(${x}, "BN"), -4)`, { dtype, axes: ["BM"] }, HOLED],
    [`cast(${x}, "i32")`, { dtype: "i32", axes: type.axes }, { bits: 3, grain: 0 }],
    [`${x} < 1`, { dtype: "bool", axes: type.axes }, { bits: 0, grain: 0 }],
    [`${x} !== 0.5`, { dtype: "bool", axes: type.axes }, { bits: 0, grain: 0 }],
    [`where(${x} >= -4, ${x}, 0.25)`, type, HOLED],
    [`argmax(${x}, "BM")`, { dtype: "i32", axes: ["BN"] }, { bits: 6, grain: 0 }],
  ]);
  return scope.push(result, range, { text, args: [] });
}
