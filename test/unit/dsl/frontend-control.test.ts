/** [test/unit/dsl] Control flow: branches, loops, early returns, inlined functions; the printed IR and what it computes. */
import { describe, expect, it } from "vitest";
import {
  axis,
  bounded,
  cast,
  ifAny,
  inout,
  iota,
  KernelSourceError,
  kernel,
  kernelFromSource,
  load,
  lowerKernel,
  max,
  maximum,
  out,
  pid,
  range,
  scalar,
  some,
  store,
  sum,
  tensor,
  tile,
  where,
  zeros,
} from "../../../dsl/index.ts";
import { opsOf, runKernel } from "../../support/run-kernel.ts";

const SHAPE = {
  name: "example",
  params: { n: scalar("i32"), x: tensor("i32", "N"), y: inout("i32", "M") },
  grid: () => 1,
} as const;
const X = [5, -3, 8, 0, 7, 2, -1, 4];

/** Runs a kernel of `SHAPE` and gives y. */
function onNumbers(
  definition: ReturnType<typeof kernel>,
  n: number,
  count = 1,
): readonly number[] | undefined {
  const tensors = { x: { shape: [X.length], values: X }, y: { shape: [count] } };
  return runKernel(definition, {}, { tensors, scalars: { n } })["y"];
}

describe("a return with a value", () => {
  it("is reported at the first statement that may return it", () => {
    const line = (source: string) => {
      try {
        lowerKernel(kernelFromSource(source, "k"));
      } catch (error) {
        if (error instanceof KernelSourceError) return error.message.split("\n")[0];
        throw error;
      }
      return undefined;
    };
    const text = (body: string) =>
      `import { kernel, scalar } from "tilewright";\nexport const k = kernel({ name: "k", params: { n: scalar("i32") }, grid: () => 1 }, ({ n }) => {\n${body}\n});`;
    expect(line(text("if (n > 0) {\n  return n;\n}\nreturn n + 1;"))).toBe(
      "<k>:4:3 - TW1109: a kernel returns nothing",
    );
    expect(line(text("if (n > 0) return;\nconst m = n;"))).toBeUndefined();
  });
});

describe("if", () => {
  const chosen = kernel(SHAPE, ({ n, x, y }) => {
    let a = 1;
    let b = 10;
    if (n > 2) {
      a = load(x, [n]);
    } else if (n > 0) {
      b = 20;
    }
    store(y, [0], a + b);
  });

  it.each([
    [4, 7 + 10],
    [1, 1 + 20],
    [0, 1 + 10],
  ])("merges variables that a branch assigned, n = %i", (n, expected) => {
    expect(onNumbers(chosen, n)).toEqual([expected]);
  });

  it("folds where the condition is a constant, before anything in it is typed", () => {
    const folded = kernel({ ...SHAPE, config: { on: false, BM: 8 } }, ({ x, y }, { on, BM }) => {
      const v = on ? load(x, ["no index" as never]) : 3;
      if (on && BM > 4) store(y, [0], "no number" as never);
      else store(y, [0], !on || BM > 100 ? v : 0);
    });
    expect(opsOf(folded)).toEqual([
      "%0: i32 = const 0",
      "%1: i32 = const 3",
      "store y[at %0] = %1",
    ]);
  });

  const early = kernel(SHAPE, ({ n, x, y }) => {
    if (n < 0) return;
    if (n === 0) {
      store(y, [0], 100);
      return;
    }
    store(y, [0], load(x, [n]));
  });

  it.each([
    [-1, 0],
    [0, 100],
    [2, 8],
  ])("puts what follows an early return into the other branch, n = %i", (n, expected) => {
    expect(onNumbers(early, n)).toEqual([expected]);
  });

  it("selects between cheap values and branches around a load, which could fault", () => {
    const cheap = kernel(SHAPE, ({ n, y }) => store(y, [0], n > 0 ? n + 1 : 0));
    expect(opsOf(cheap).filter((line) => line.startsWith("if"))).toEqual([]);
    const guarded = kernel(SHAPE, ({ n, x, y }) => {
      const inside = n >= 0 && n < 8 && load(x, [n]) > 0;
      store(y, [0], inside ? 1 : 2);
    });
    expect(opsOf(guarded).filter((line) => line.includes("if "))).toHaveLength(1);
    expect(onNumbers(guarded, 2)).toEqual([1]);
    expect(onNumbers(guarded, 1)).toEqual([2]);
    expect(onNumbers(guarded, 99)).toEqual([2]);
    expect(onNumbers(guarded, -99)).toEqual([2]);
  });
});

describe("for over a range", () => {
  it("carries what the body assigns, with types from the body where it starts from literals", () => {
    const loop = kernel(
      {
        name: "loop",
        params: { x: tensor("f32", "N"), n: scalar("i32"), y: out("f32", "M") },
        grid: () => 1,
      },
      ({ x, n, y }) => {
        let total = 0;
        let count = 0;
        let top = -Infinity;
        for (const i of range(1, n, 2)) {
          const v = load(x, [i]);
          total += v;
          top = Math.max(top, v);
          if (v > 0) count += 1;
        }
        store(y, [0], total);
        store(y, [1], top);
        store(y, [2], cast(count, "f32"));
      },
    );
    const carried = opsOf(loop).find((line) => line.includes(" = for "));
    expect(carried).toContain("%total.");
    expect(carried).toMatch(
      /%total\.\d+: f32, %top\.\d+: f32, %count\.\d+: i32 = for %i\.\d+: i32/,
    );
    const tensors = { x: { shape: [8], values: X }, y: { shape: [3] } };
    expect(runKernel(loop, {}, { tensors, scalars: { n: 8 } })["y"]).toEqual([
      -3 + 0 + 2 + 4,
      4,
      2,
    ]);
    expect(runKernel(loop, {}, { tensors, scalars: { n: 0 } })["y"]).toEqual([0, -Infinity, 0]);
  });

  it("grows a scalar start to the axes of what is added to it", () => {
    const grow = kernel({ ...SHAPE, config: { B: 4 } }, ({ n, x, y }, { B }) => {
      let total = 0;
      for (const i of range(n)) total = total + load(x, [tile(i, B)]);
      store(y, [tile(0, B)], total);
    });
    expect(onNumbers(grow, 2, 4)).toEqual([5 + 7, -3 + 2, 8 - 1, 0 + 4]);
    expect(onNumbers(grow, 0, 4)).toEqual([0, 0, 0, 0]);
  });

  it("carries arrays and objects of values through nested loops", () => {
    const nested = kernel(SHAPE, ({ n, x, y }) => {
      let state = { pair: [0, 1] as [number, number], last: 0 };
      for (const i of range(n)) {
        for (const j of range(2)) {
          const [a, b] = state.pair;
          state = { pair: [b, a + b], last: load(x, [i + j]) };
        }
      }
      store(y, [0], state.pair[0]);
      store(y, [1], state.last);
    });
    expect(onNumbers(nested, 3, 2)).toEqual([8, 0]);
  });

  it("leaves a variable of the body, of the same name as an outer one, alone", () => {
    const shadow = kernel(SHAPE, ({ n, y }) => {
      const v = 7;
      let sum = 0;
      for (const i of range(n)) {
        let v = i;
        v = v * 2;
        sum += v;
      }
      store(y, [0], sum + v);
    });
    expect(onNumbers(shadow, 4)).toEqual([12 + 7]);
  });
});

describe("for over an array", () => {
  it("repeats the body with constants, also around an early return", () => {
    const unrolled = kernel(SHAPE, ({ n, x, y }) => {
      for (const [i, weight] of [
        [0, 1],
        [2, 10],
        [4, 100],
      ] as const) {
        if (load(x, [i]) * weight > n) {
          store(y, [0], weight);
          return;
        }
      }
      store(y, [0], -1);
    });
    expect(opsOf(unrolled).filter((line) => line.includes("for "))).toEqual([]);
    expect(onNumbers(unrolled, 4)).toEqual([1]);
    expect(onNumbers(unrolled, 79)).toEqual([10]);
    expect(onNumbers(unrolled, 699)).toEqual([100]);
    expect(onNumbers(unrolled, 700)).toEqual([-1]);
  });
});

describe("while", () => {
  it("runs while its condition holds, with a bound where one is given", () => {
    const search = kernel(SHAPE, ({ n, x, y }) => {
      let lo = 0;
      let hi = 8;
      while (bounded(hi - lo > 1, 5)) {
        const middle = (lo + hi) >> 1;
        if (load(x, [middle]) > n) hi = middle;
        else lo = middle;
      }
      store(y, [0], lo);
    });
    const line = opsOf(search).find((text) => text.includes("while"));
    expect(line).toContain("max 5");
    expect(onNumbers(search, 100)).toEqual([7]);
    expect(onNumbers(search, -100)).toEqual([0]);
  });
});

/** Returns early, with an array as result. */
function clamp(i: number, size: number): [number, boolean] {
  if (i < 0) return [0, false];
  if (i >= size) return [size - 1, false];
  return [i, true];
}
const WEIGHTS = { near: 2, far: 3 } as const;
const weighted = (v: number, { near, far } = WEIGHTS): number => v * near + far;

const captured = kernel(SHAPE, ({ n, x, y }) => {
  const [i, inside] = clamp(n, 8);
  const v = weighted(load(x, [i]));
  store(y, [0], inside ? v : v - 1000);
});

describe("functions", () => {
  it("inlines module functions with early returns, defaults and destructuring", () => {
    expect(onNumbers(captured, 2)).toEqual([8 * 2 + 3]);
    expect(onNumbers(captured, -5)).toEqual([5 * 2 + 3 - 1000]);
    expect(onNumbers(captured, 50)).toEqual([4 * 2 + 3 - 1000]);
  });

  it("inlines functions of the kernel, which read variables around them", () => {
    const local = kernel(SHAPE, ({ n, x, y }) => {
      let offset = 1;
      const at = (i: number) => load(x, [i + offset]);
      const first = at(n);
      offset = 2;
      store(y, [0], first * 100 + at(n));
    });
    expect(onNumbers(local, 1)).toEqual([800 + 0]);
  });

  it("runs ifAny with results for rows that need it and others", () => {
    const rescale = kernel(
      {
        name: "rescale",
        params: { x: tensor("f32", "M", "N"), y: out("f32", "M") },
        config: { BM: 4, BN: 2 },
        grid: () => 1,
      },
      ({ x, y }, { BM, BN }) => {
        const t = load(x, [tile(0, BM), tile(0, BN)]);
        const top = max(t, "BN");
        const { m } = ifAny(top > 1, "BM", () => ({ m: maximum(top, 1) * 2 - 1 }), {
          m: maximum(top, 1),
        });
        store(y, [tile(0, BM)], where(top > 1, m, -1));
      },
    );
    const tensors = { x: { shape: [4, 2], values: [0, 1, 2, 5, -1, -2, 3, 0] }, y: { shape: [4] } };
    expect(runKernel(rescale, {}, { tensors })["y"]).toEqual([-1, 9, -1, 5]);
  });
});

describe("reductions as conditions", () => {
  it("reduces a mask to one branch", () => {
    const any = kernel({ ...SHAPE, config: { B: 8 } }, ({ n, x, y }, { B }) => {
      const t = load(x, [tile(pid(0), B)]);
      if (some(t === n, "B")) store(y, [0], sum(where(t === n, iota(B), 0), "B"));
      else store(y, [0], sum(zeros("i32", axis("Z", 2)), "Z") - 1);
    });
    expect(onNumbers(any, 7)).toEqual([4]);
    expect(onNumbers(any, 6)).toEqual([-1]);
  });
});
