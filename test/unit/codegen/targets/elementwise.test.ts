/** [test/unit/codegen] Elementwise functions of both text families, run: accuracy, and the rules for NaN, infinities, zeros and integers. */
import { expect, it } from "vitest";
import type { BinaryFn, CompareFn, UnaryFn } from "../../../../dsl/index.ts";
import type { ThreadCase } from "../../../support/thread-kernels.ts";
import { describeMachines, floats, integers, ulps, words } from "./open.ts";

type Scalar = "f32" | "i32" | "u32";

/** One thread an element: `y[i] = expression`, with a and b loaded. */
function pointwise(from: Scalar, to: Scalar | "bool", expression: string): string {
  const out = to === "bool" ? "i32" : to;
  const result = to === "bool" ? `i32(${expression})` : expression;
  return `thread pointwise(x: in ${from}[N], z: in ${from}[N], y: out ${out}[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let i: i32 = @pid0 * 64 + @thread
    var a: ${from}
    var b: ${from}
    load_global a x1 from x[i] mask i < #N fill 0
    load_global b x1 from z[i] mask i < #N fill 1
    var r: ${out} = ${result}
    store_global r x1 to y[i] mask i < #N
  }`;
}

function unaryCase(id: string, fn: UnaryFn, x: Float32Array): ThreadCase {
  const tensors = { x, z: x, y: new Float32Array(x.length) };
  const grid = [Math.ceil(x.length / 64), 1, 1] as const;
  return {
    id,
    text: pointwise("f32", "f32", `${fn}(a)`),
    args: { tensors, dims: { N: x.length }, grid },
  };
}

/** Error function by series and continued fraction, in doubles. */
function erf(x: number): number {
  const a = Math.abs(x);
  if (a < 3) {
    let [sum, term] = [a, a];
    for (let k = 1; k < 120; k++) {
      term *= (-a * a) / k;
      sum += term / (2 * k + 1);
    }
    return (Math.sign(x) * sum * 2) / Math.sqrt(Math.PI);
  }
  let tail = 0;
  for (let k = 80; k > 0; k--) tail = k / 2 / (a + tail);
  return Math.sign(x) * (1 - Math.exp(-a * a) / (a + tail) / Math.sqrt(Math.PI));
}

function roundEven(x: number): number {
  const nearest = Math.round(x);
  return Math.abs(x % 1) === 0.5 ? 2 * Math.round(x / 2) : nearest;
}

/** Seeded normal numbers up to ±`range`, half of them small. */
function samples(count: number, range: number, least: number): Float32Array {
  let state = 20251;
  return Float32Array.from({ length: count }, (_, i) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const unit = state / 2 ** 32;
    const reach = i % 2 === 0 ? range : Math.min(range, 3);
    return least < 0 ? (2 * unit - 1) * reach : least + unit * reach;
  });
}

const ACCURACY: readonly (readonly [UnaryFn, (x: number) => number, Float32Array, number])[] = [
  ["exp", Math.exp, samples(512, 87, -1), 2],
  ["exp2", (x) => 2 ** x, samples(512, 125, -1), 2],
  ["log", Math.log, samples(512, 1e30, 1e-30), 2],
  ["log2", Math.log2, samples(512, 1e30, 1e-30), 2],
  ["sqrt", Math.sqrt, samples(512, 1e30, 1e-30), 1],
  ["rsqrt", (x) => 1 / Math.sqrt(x), samples(512, 1e30, 1e-30), 2],
  ["sin", Math.sin, samples(512, 1e6, -1), 3],
  ["cos", Math.cos, samples(512, 1e6, -1), 3],
  ["tanh", Math.tanh, samples(512, 12, -1), 2],
  ["erf", erf, samples(512, 6, -1), 2],
  ["floor", Math.floor, samples(512, 1e6, -1), 0],
  ["ceil", Math.ceil, samples(512, 1e6, -1), 0],
  ["round", roundEven, samples(512, 1e3, -1), 0],
  ["abs", Math.abs, samples(512, 1e6, -1), 0],
  ["neg", (x) => -x, samples(512, 1e6, -1), 0],
];

const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
const EDGES: readonly (readonly [UnaryFn, readonly number[], readonly number[]])[] = [
  ["exp", [nan, inf, -inf, 0, -0, 100, -200], [nan, inf, 0, 1, 1, inf, 0]],
  ["exp2", [nan, inf, -inf, 0, -0, 128, -200, -126], [nan, inf, 0, 1, 1, inf, 0, 2 ** -126]],
  ["log", [nan, inf, -inf, 0, -0, 1, -1], [nan, inf, nan, -inf, -inf, 0, nan]],
  ["log2", [nan, inf, -inf, 0, -0, 1, -1, 0.125], [nan, inf, nan, -inf, -inf, 0, nan, -3]],
  ["sqrt", [nan, inf, -inf, 0, -0, 4, -4], [nan, inf, nan, 0, -0, 2, nan]],
  ["rsqrt", [nan, inf, 0, 4], [nan, 0, inf, 0.5]],
  ["sin", [nan, inf, -inf, 0, -0], [nan, nan, nan, 0, -0]],
  ["cos", [nan, inf, -inf, 0, -0], [nan, nan, nan, 1, 1]],
  ["tanh", [nan, inf, -inf, 0, -0, 40, -40], [nan, 1, -1, 0, -0, 1, -1]],
  ["erf", [nan, inf, -inf, 0, -0, 40, -40], [nan, 1, -1, 0, -0, 1, -1]],
  ["floor", [nan, inf, -inf, 0, -0, -0.5, 1e30], [nan, inf, -inf, 0, -0, -1, Math.fround(1e30)]],
  ["ceil", [nan, inf, -inf, 0, -0, -1.5], [nan, inf, -inf, 0, -0, -1]],
  ["round", [nan, inf, -inf, 0.5, 1.5, -2.5, 8388609], [nan, inf, -inf, 0, 2, -2, 8388609]],
  ["abs", [nan, inf, -inf, -0], [nan, inf, inf, 0]],
  ["neg", [nan, inf, -inf, 0], [nan, -inf, inf, -0]],
];

type Case<Fn> = readonly [Fn, Scalar, readonly number[], readonly number[], readonly number[]];

const least = -2147483648;
const BINARY: readonly Case<BinaryFn>[] = [
  ["add", "f32", [1, inf, inf], [2, -inf, 1], [3, nan, inf]],
  ["sub", "f32", [1, -inf, -inf], [2, -inf, 1], [-1, nan, -inf]],
  ["mul", "f32", [3, inf, -inf], [-2, 0, 2], [-6, nan, -inf]],
  ["div", "f32", [3, 1, -1, 0], [2, inf, 0, 0], [1.5, 0, -inf, nan]],
  ["min", "f32", [1, nan, 3, nan, -inf, 2], [2, 5, nan, nan, 0, inf], [1, 5, 3, nan, -inf, 2]],
  ["max", "f32", [1, nan, 3, nan, -inf, 2], [2, 5, nan, nan, 0, inf], [2, 5, 3, nan, 0, inf]],
  ["add", "i32", [1, -5], [2, 7], [3, 2]],
  ["mul", "i32", [-3, 1000], [7, 1000], [-21, 1000000]],
  ["floordiv", "i32", [7, -7, 7, -7, 6, -6], [2, 2, -2, -2, 3, 3], [3, -4, -4, 3, 2, -2]],
  ["mod", "i32", [7, -7, 7, -7, 6, -6], [2, 2, -2, -2, 3, -3], [1, 1, -1, -1, 0, 0]],
  ["min", "i32", [least, 4, -1], [1, 3, 1], [least, 3, -1]],
  ["max", "i32", [least, 4, -1], [1, 3, 1], [1, 4, 1]],
  ["and", "i32", [12, -1], [10, 255], [8, 255]],
  ["or", "i32", [12, 1], [10, least], [14, least + 1]],
  ["xor", "i32", [12, -1], [10, 5], [6, -6]],
  ["shl", "i32", [1, 1, 3], [31, 32, 34], [least, 1, 12]],
  ["shr", "i32", [least, -8, -8], [31, 1, 33], [-1, -4, -4]],
  ["floordiv", "u32", [7, 4294967295], [2, 16], [3, 268435455]],
  ["mod", "u32", [7, 4294967295], [4, 16], [3, 15]],
  ["add", "u32", [4294967295, 1], [2, 1], [1, 2]],
  ["sub", "u32", [1, 5], [2, 1], [4294967295, 4]],
  ["mul", "u32", [4294967295, 65536], [2, 65536], [4294967294, 0]],
  ["min", "u32", [4294967295, 1], [1, 2], [1, 1]],
  ["max", "u32", [4294967295, 1], [1, 2], [4294967295, 2]],
  ["shl", "u32", [1, 3], [31, 33], [2147483648, 6]],
  ["shr", "u32", [2147483648, 5], [31, 33], [1, 2]],
  [
    "mulhi",
    "u32",
    [4294967295, 65536, 3528531795, 12345],
    [4294967295, 65536, 3449720151, 54321],
    [4294967294, 1, Number((3528531795n * 3449720151n) >> 32n), 0],
  ],
];

const COMPARE: readonly Case<CompareFn>[] = [
  ["lt", "f32", [1, 2, nan, 1, -inf, 0], [2, 1, 1, nan, inf, -0], [1, 0, 0, 0, 1, 0]],
  ["le", "f32", [1, 2, nan, 1, inf, 0], [2, 1, 1, nan, inf, -0], [1, 0, 0, 0, 1, 1]],
  ["gt", "f32", [1, 2, nan, 1, inf, 0], [2, 1, 1, nan, inf, -0], [0, 1, 0, 0, 0, 0]],
  ["ge", "f32", [1, 2, nan, 1, inf, 0], [2, 1, 1, nan, inf, -0], [0, 1, 0, 0, 1, 1]],
  ["eq", "f32", [1, nan, nan, inf, 0], [1, nan, 1, inf, -0], [1, 0, 0, 1, 1]],
  ["ne", "f32", [1, nan, nan, inf, 0], [1, nan, 1, inf, -0], [0, 1, 1, 0, 0]],
  ["lt", "i32", [-1, 1], [1, -1], [1, 0]],
  ["lt", "u32", [4294967295, 1], [1, 4294967295], [0, 1]],
  ["ge", "u32", [4294967295, 1], [1, 4294967295], [1, 0]],
];

const ARRAYS = { f32: Float32Array, i32: Int32Array, u32: Uint32Array } as const;
const VIEWS = { f32: floats, i32: integers, u32: words } as const;

const HAS_NAMES: ReadonlySet<string> = new Set(["floordiv", "mod", "min", "max", "mulhi"]);
const INFIX: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  shr: ">>",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
  eq: "==",
  ne: "!=",
};

function operation(fn: string): string {
  return HAS_NAMES.has(fn) ? `${fn}(a, b)` : `a ${INFIX[fn]} b`;
}

function binaryCase([fn, type, a, b]: Case<string>, to: Scalar | "bool"): ThreadCase {
  const make = ARRAYS[type];
  const y = new ARRAYS[to === "bool" ? "i32" : to](a.length);
  return {
    id: `${fn} ${type}`,
    text: pointwise(type, to, operation(fn)),
    args: { tensors: { x: make.from(a), z: make.from(b), y }, dims: { N: a.length } },
  };
}

const ONES = Float32Array.from([1 + 2 ** -12]);
const CASES: readonly ThreadCase[] = [
  ...ACCURACY.map(([fn, , x]) => unaryCase(`${fn} accuracy`, fn, x)),
  ...EDGES.map(([fn, x]) => unaryCase(`${fn} edges`, fn, Float32Array.from(x))),
  ...BINARY.map((row) => binaryCase(row, row[1])),
  ...COMPARE.map((row) => binaryCase(row, "bool")),
  {
    id: "fma",
    text: pointwise("f32", "f32", "fma(a, b, -1.000244140625)"),
    args: { tensors: { x: ONES, z: ONES, y: new Float32Array(1) }, dims: { N: 1 } },
  },
  {
    id: "softmax",
    text: pointwise("f32", "f32", "exp2(-inf - max(a, b)) + exp2(max(-inf, a) - b)"),
    args: {
      tensors: {
        x: Float32Array.from([3, -inf]),
        z: Float32Array.from([1, 2]),
        y: new Float32Array(2),
      },
      dims: { N: 2 },
    },
  },
];

await describeMachines("elementwise functions", (machine) => {
  const run = machine.batch(CASES);

  it.each(ACCURACY)("%s is within its ulp", async (fn, reference, x, most) => {
    const y = floats(await run(`${fn} accuracy`), "y");
    const worst = Math.max(...[...x].map((v, i) => ulps(y[i] ?? nan, Math.fround(reference(v)))));
    expect(worst).toBeLessThanOrEqual(most);
  });

  it.each(EDGES)("%s keeps its edges", async (fn, _x, expected) => {
    expect([...floats(await run(`${fn} edges`), "y")]).toEqual(expected);
  });

  it.each(BINARY)("%s of %s", async (fn, type, _a, _b, expected) => {
    expect([...VIEWS[type](await run(`${fn} ${type}`), "y")]).toEqual(expected);
  });

  it.each(COMPARE)("%s of %s", async (fn, type, _a, _b, expected) => {
    expect([...integers(await run(`${fn} ${type}`), "y")]).toEqual(expected);
  });

  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24; WGSL may round the product first, which loses the last term.
  it("rounds fma once, or twice where WGSL allows", async () => {
    const [value] = floats(await run("fma"), "y");
    const allowed =
      machine.kind === "gpu" ? [2 ** -12, 2 ** -12 + 2 ** -24] : [2 ** -12 + 2 ** -24];
    expect(allowed).toContain(value);
  });

  it("keeps -inf through the arithmetic of an online softmax", async () => {
    expect([...floats(await run("softmax"), "y")]).toEqual([4, 0]);
  });
});
