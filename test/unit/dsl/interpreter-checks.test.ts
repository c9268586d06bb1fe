/** [test/unit/dsl] The interpreter's checks: every one is triggered, located, and silent on the correct twin of the kernel. */
import { describe, expect, it } from "vitest";
import { KernelRunError } from "../../../dsl/core/errors.ts";
import { findingsOf, type RunInput, runText } from "../../support/run-tile-ir.ts";

const HEAD = `  %zero.0: i32 = const 0
  %one.1: i32 = const 1
  %p.2: i32 = pid 0
  %i.3: i32[A=4] = iota
`;

function found(signature: string, lines: string, input: RunInput): readonly string[] {
  const list = findingsOf(`kernel k(${signature}) {\n${HEAD}${lines}\n}\n`, input);
  return list.map(({ code, program, coordinates, count }) =>
    [code, `program ${program.join(",")}`, `at ${coordinates.join(",")}`, `count ${count}`].join(
      " | ",
    ),
  );
}

const full = (n: number): readonly number[] => new Array<number>(n).fill(1);

describe("out of bounds", () => {
  const lines = "  %9: f32 = load x[at %p.2] fill 0";
  const tensors = { x: { shape: [3], values: full(3) } };

  it("reports a scalar load outside, also with checks off", () => {
    for (const checks of ["full", "off"] as const) {
      const result = found("x: in f32[3]", lines, { tensors, grid: [5], options: { checks } });
      expect(result).toEqual(["TW1301 | program 3,0,0 | at  | count 2"]);
    }
    expect(found("x: in f32[3]", lines, { tensors, grid: [3] })).toEqual([]);
  });

  it("reports a gather index outside [-1, size)", () => {
    const gather = (offset: number): string => `  %8: i32[A=4] = const ${offset}
  %9: i32[A=4] = add %i.3, %8
  %10: f32[A=4] = load x[gather %9] fill 0`;
    const x = { tensors: { x: { shape: [4], values: full(4) } } };
    expect(found("x: in f32[4]", gather(0), x)).toEqual([]);
    expect(found("x: in f32[4]", gather(-1), x)).toEqual([]);
    expect(found("x: in f32[4]", gather(-2), x)).toEqual([
      "TW1302 | program 0,0,0 | at 0 | count 1",
    ]);
    expect(found("x: in f32[4]", gather(2), x)).toEqual([
      "TW1302 | program 0,0,0 | at 2 | count 2",
    ]);
  });

  it("reports a scatter index outside", () => {
    const lines = "  %8: i32[A=4] = const 9\n  %9: f32[A=4] = const 1\n  store x[gather %8] = %9";
    expect(found("x: out f32[4]", lines, { tensors: { x: { shape: [4] } } })).toEqual([
      "TW1302 | program 0,0,0 | at 0 | count 4",
    ]);
  });
});

describe("unwritten memory", () => {
  const initialised = Uint8Array.of(1, 1, 0, 1);
  const tensors = { x: { shape: [4], values: full(4), initialised }, y: { shape: [4] } };
  const signature = "x: in f32[4], y: out f32[4]";
  const copy =
    "  %9: f32[A=4] = load x[span A=4 from %zero.0] fill 0\n  store y[span A=4 from %zero.0] = %9";

  it("reports a read of what nobody wrote", () => {
    expect(found(signature, copy, { tensors })).toEqual([
      "TW1305 | program 0,0,0 | at 2 | count 1",
    ]);
  });

  it("is silent where the load is limited or masked", () => {
    const limited = copy.replace("from %zero.0] fill", "from %zero.0 end %8] fill");
    expect(found(signature, `  %8: i32 = const 2\n${limited}`, { tensors })).toEqual([]);
  });

  it("gives poison instead where asked", () => {
    const text = `kernel k(${signature}) {\n${HEAD}${copy}\n}\n`;
    const options = { unwritten: "poison" } as const;
    expect(runText(text, { tensors, options })["y"]).toEqual([1, 1, NaN, 1]);
  });

  it("poisons outputs that are not written", () => {
    const text = `kernel k(y: out f32[4], n: out i32[2], m: inout f32[1]) {\n${HEAD}  %9: f32 = const 5\n  store y[at %one.1] = %9\n}\n`;
    const tensors = { y: { shape: [4] }, n: { shape: [2] }, m: { shape: [1], values: [8] } };
    const result = runText(text, { tensors, options: { unwritten: "poison" } });
    expect(result).toEqual({ y: [NaN, 5, NaN, NaN], n: [0x5a5a5a5a, 0x5a5a5a5a], m: [8] });
  });

  it("marks what a run writes, so that the next run may read it", () => {
    const marks = new Uint8Array(2);
    const y = { shape: [2], initialised: marks };
    const read = "  %9: f32 = load y[at %one.1] fill 0";
    expect(found("y: inout f32[2]", read, { tensors: { y } })).toEqual([
      "TW1305 | program 0,0,0 | at 1 | count 1",
    ]);
    expect(
      found("y: inout f32[2]", "  %9: f32 = const 5\n  store y[at %one.1] = %9", {
        tensors: { y },
      }),
    ).toEqual([]);
    expect([...marks]).toEqual([0, 1]);
    expect(found("y: inout f32[2]", read, { tensors: { y } })).toEqual([]);
  });

  it("reports an atomic on what nobody wrote", () => {
    const lines = "  %9: f32 = const 5\n  %10: f32 = atomic add y[at %one.1] by %9";
    const y = { shape: [2], initialised: Uint8Array.of(1, 0) };
    expect(found("y: inout f32[2]", lines, { tensors: { y } })).toEqual([
      "TW1305 | program 0,0,0 | at 1 | count 1",
    ]);
  });
});

describe("races between programs", () => {
  const y = { y: { shape: [2, 4], values: full(8) } };

  it("reports two programs that write one element", () => {
    const lines = "  %9: f32[A=4] = const 1\n  store y[at AT, span A=4 from %zero.0] = %9";
    const run = (at: string, signature = "y: out f32[2, 4]"): readonly string[] =>
      found(signature, lines.replace("AT", at), { tensors: y, grid: [2] });
    expect(run("%zero.0")).toEqual(["TW1303 | program 1,0,0 | at 0,0 | count 4"]);
    expect(run("%p.2")).toEqual([]);
    expect(run("%zero.0", "y: inout f32[2, 4]")).toEqual([
      "TW1303 | program 1,0,0 | at 0,0 | count 4",
    ]);
  });

  it("lets one program write an element twice", () => {
    const lines =
      "  %9: f32 = const 1\n  store y[at %p.2, at %zero.0] = %9\n  store y[at %p.2, at %zero.0] = %9";
    expect(found("y: out f32[2, 4]", lines, { tensors: y, grid: [2] })).toEqual([]);
  });

  it("reports a read of what another program wrote", () => {
    const lines = `  %8: f32 = const 1
  store y[at %p.2, at %zero.0] = %8
  %9: f32 = load y[at AT, at %zero.0] fill 0`;
    const run = (at: string): readonly string[] =>
      found("y: inout f32[2, 4]", lines.replace("AT", at), { tensors: y, grid: [2] });
    expect(run("%zero.0")).toEqual(["TW1304 | program 1,0,0 | at 0,0 | count 1"]);
    expect(run("%p.2")).toEqual([]);
  });

  it("reports a write of what another program has read", () => {
    const lines = `  %8: f32 = load y[at %one.1, at %zero.0] fill 0
  store y[at %p.2, at %zero.0] = %8`;
    expect(found("y: inout f32[2, 4]", lines, { tensors: y, grid: [2] })).toEqual([
      "TW1304 | program 1,0,0 | at 1,0 | count 1",
    ]);
  });

  it("exempts atomics among each other, but not from stores and loads", () => {
    const atomic = "  %8: f32 = const 1\n  %9: f32 = atomic add y[at %zero.0, at %zero.0] by %8";
    const run = (more: string, grid = [3]): readonly string[] =>
      found("y: inout f32[2, 4]", `${atomic}\n${more}`, { tensors: y, grid }).map((f) =>
        f.slice(0, 6),
      );
    expect(run("")).toEqual([]);
    expect(run("  store y[at %zero.0, at %zero.0] = %8", [1])).toEqual([]);
    expect(run("  store y[at %zero.0, at %zero.0] = %8")).toEqual(["TW1304", "TW1303"]);
    expect(run("  %10: f32 = load y[at %zero.0, at %zero.0] fill 0")).toEqual(["TW1304", "TW1304"]);
  });
});

describe("integer arithmetic", () => {
  const run = (lines: string, n = 0): readonly string[] =>
    found("n: i32", `  %n.8: i32 = param n\n${lines}`, { tensors: {}, scalars: { n } });

  it.each([
    ["add", 2147483647, true],
    ["add", 2147483646, false],
    ["sub", -2147483648, true],
    ["sub", -2147483647, false],
  ])("checks %s of %d and 1 in i32", (fn, n, fails) => {
    const result = run(`  %9: i32 = ${fn} %n.8, %one.1`, n);
    expect(result).toEqual(fails ? ["TW1306 | program 0,0,0 | at  | count 1"] : []);
  });

  it("checks products, negation and absolute values", () => {
    expect(run("  %9: i32 = mul %n.8, %n.8", 46341)).toHaveLength(1);
    expect(run("  %9: i32 = mul %n.8, %n.8", 46340)).toEqual([]);
    expect(run("  %9: i32 = neg %n.8", -2147483648)).toHaveLength(1);
    expect(run("  %9: i32 = abs %n.8", -2147483648)).toHaveLength(1);
    expect(run("  %9: i32 = abs %n.8", -2147483647)).toEqual([]);
  });

  it("counts overflows of tiles, also where the result is used once", () => {
    const lines =
      "  %9: i32[A=4] = broadcast %n.8\n  %10: i32[A=4] = add %9, %i.3\n  %11: i32 = reduce max %10 over A";
    expect(run(lines, 2147483646)).toEqual(["TW1306 | program 0,0,0 | at 2 | count 2"]);
  });

  it("checks sums, scans and dots", () => {
    const tile = "  %9: i32[A=4] = broadcast %n.8\n";
    expect(run(`${tile}  %10: i32 = reduce sum %9 over A`, 2 ** 29)).toHaveLength(1);
    expect(run(`${tile}  %10: i32 = reduce sum %9 over A`, 2 ** 29 - 1)).toEqual([]);
    expect(run(`${tile}  %10: i32[A=4] = scan sum %9 over A`, 2 ** 30)).toEqual([
      "TW1306 | program 0,0,0 | at 1 | count 1",
    ]);
    expect(run(`${tile}  %10: i32 = dot %9, %9 over A`, 2 ** 15)).toHaveLength(1);
    expect(run(`${tile}  %10: i32 = dot %9, %9 over A`, 2 ** 14)).toEqual([]);
  });

  it("lets u32 and narrow ints wrap", () => {
    const lines = `  %9: u32 = const 4294967295
  %10: u32 = add %9, %9
  %11: i8 = const 127
  %12: i8 = add %11, %11
  %13: u32 = mul %9, %9`;
    expect(run(lines)).toEqual([]);
  });

  it.each(["floordiv", "mod"])("reports %s by zero", (fn) => {
    const lines = `  %9: i32 = ${fn} %one.1, %n.8`;
    expect(run(lines, 0)).toEqual(["TW1307 | program 0,0,0 | at  | count 1"]);
    expect(run(lines, -1)).toEqual([]);
  });

  it("reports a division that a select would hide", () => {
    const lines = `  %9: i32[A=4] = broadcast %one.1
  %10: i32[A=4] = floordiv %9, %i.3
  %11: i32[A=4] = const 0
  %12: bool[A=4] = gt %i.3, %11
  %13: i32[A=4] = select %12, %10, %11
  %14: i32 = reduce sum %13 over A`;
    expect(run(lines)).toEqual(["TW1307 | program 0,0,0 | at 0 | count 1"]);
  });
});

describe("control", () => {
  it("reports a while that does not end", () => {
    const loop = (max: number): string => `  %9: i32 = while (%10: i32 = %zero.0) max ${max} {
    %11: i32 = const 7
    %12: bool = lt %10, %11
    yield %12
  } do (%13: i32) {
    %14: i32 = add %13, %one.1
    yield %14
  }`;
    expect(found("", loop(7), { tensors: {} })).toEqual([]);
    expect(found("", loop(6), { tensors: {}, options: { checks: "off" } })).toEqual([
      "TW1308 | program 0,0,0 | at  | count 1",
    ]);
  });

  it("stops at a step that is not positive", () => {
    const lines = "  for %9: i32 = %zero.0 to %one.1 step %p.2 {\n  }";
    expect(found("", lines, { tensors: {}, grid: [3] })).toEqual([
      "TW1310 | program 0,0,0 | at  | count 1",
    ]);
  });

  it("reports a failed assertion with its element", () => {
    const lines =
      '  %8: i32[A=4] = const 2\n  %9: bool[A=4] = lt %i.3, %8\n  assert %9 "positions stay small"';
    const [finding] = findingsOf(`kernel k() {\n${HEAD}${lines}\n}\n`, { tensors: {} });
    expect(finding?.code).toBe("TW1311");
    expect(finding?.coordinates).toEqual([2]);
    expect(finding?.message).toBe("kernel k: assertion failed: positions stay small");
  });

  const ifAny = (body: string): string => `  %8: i32[A=4] = const 2
  %9: bool[A=4] = ge %i.3, %8
  %10: f32[A=4] = load x[span A=4 from %zero.0] fill 0
  %11: f32[A=4] = if_any %9 along A else (%10) {
${body}
  }`;
  const x = { x: { shape: [4], values: [1, 2, 3, 4] } };

  it("reports an ifAny that changes rows it need not run for", () => {
    const body = "    %12: f32[A=4] = neg %10\n    yield %12";
    const [finding] = findingsOf(`kernel k(x: in f32[4]) {\n${HEAD}${ifAny(body)}\n}\n`, {
      tensors: x,
    });
    expect(finding?.code).toBe("TW1309");
    expect(finding?.coordinates).toEqual([0]);
    expect(finding?.message).toContain("changes rows whose condition is false");
  });

  it("reports an ifAny whose rows depend on each other", () => {
    const body = `    %12: i32[A=4] = load order[span A=4 from %zero.0] fill 0
    %13: f32[A=4] = const 0
    %14: f32[A=4] = load y[gather %15] fill 0
    yield %14`;
    const lines = `  %15: i32[A=4] = load order[span A=4 from %zero.0] fill 0\n${ifAny(body)}`;
    const tensors = {
      ...x,
      y: { shape: [4], values: [1, 2, 30, 40] },
      order: { shape: [4], values: [0, 1, 2, 3] },
    };
    // rows fetched by an index of their own row are independent, so this is correct …
    expect(found("x: in f32[4], y: in f32[4], order: in i32[4]", lines, { tensors })).toEqual([]);
    // … but rows that see all others through a renamed tile are not
    const mixing = `  %10: f32[A=4] = load x[span A=4 from %zero.0] fill 0
  %8: f32[A=4] = const 2
  %9: bool[A=4] = gt %10, %8
  %20: f32[C=4] = rename %10
  %21: f32[A=4, C=4] = broadcast %20
  %11: f32[A=4] = if_any %9 along A else (%10) {
    %22: f32[A=4] = reduce max %21 over C
    %23: f32[A=4] = max %10, %22
    yield %23
  }`;
    const findings = findingsOf(`kernel k(x: in f32[4]) {\n${HEAD}${mixing}\n}\n`, { tensors: x });
    expect(findings.map((f) => f.code)).toEqual(["TW1309"]);
  });

  it("reports rows that leak into active ones, where idle rows stay neutral", () => {
    const leaking = `  %10: f32[A=4] = load x[span A=4 from %zero.0] fill 0
  %8: f32[A=4] = const 2
  %9: bool[A=4] = gt %10, %8
  %20: f32[C=4] = rename %10
  %21: f32[A=4, C=4] = broadcast %20
  %11: f32[A=4] = if_any %9 along A else (%10) {
    %22: f32[A=4] = reduce min %21 over C
    %23: f32[A=4] = add %10, %22
    %24: f32[A=4] = select %9, %23, %10
    yield %24
  }`;
    const [finding] = findingsOf(`kernel k(x: in f32[4]) {\n${HEAD}${leaking}\n}\n`, {
      tensors: x,
    });
    expect(finding?.message).toBe("kernel k: the body of an ifAny is not local to rows");
    expect(finding?.coordinates).toEqual([2]);
  });
});

describe("collection", () => {
  it("collects distinct findings of one run with location, frame and count, up to the cap", () => {
    const lines = [0, 1, 2]
      .map((n) => `  %${20 + n}: f32 = load x[at %p.2] fill ${n}  // x.ts:${n + 1}:5`)
      .join("\n");
    const source = "const a = 1;\nconst b = 2;\nconst c = 3;\n";
    const run = (maxFindings: number): readonly string[] =>
      findingsOf(`kernel k(x: in f32[1]) {\n${HEAD}${lines}\n}\n`, {
        tensors: { x: { shape: [1] } },
        grid: [3],
        options: { maxFindings, source: () => source },
      }).map((f) => `${f.location?.span.line} x${f.count}`);
    expect(run(20)).toEqual(["1 x2", "2 x2", "3 x2"]);
    expect(run(2)).toEqual(["1 x2", "2 x2"]);
  });

  it("says what was seen, where and what to do", () => {
    const text = `kernel k(x: in f32[2]) {\n${HEAD}  %v.9: f32 = load x[at %p.2] fill 0  // scale.ts:2:9\n}\n`;
    const source = "function scale(x) {\n  const v = load(x, [pid(0)]);\n}\n";
    const input = { tensors: { x: { shape: [2] } }, grid: [4], options: { source: () => source } };
    expect(() => runText(text, input)).toThrow(KernelRunError);
    expect(() => runText(text, input)).toThrowErrorMatchingInlineSnapshot(`
      [KernelRunError: scale.ts:2:9 - TW1301: kernel k: a scalar load is outside of x
        1 | function scale(x) {
      > 2 |   const v = load(x, [pid(0)]);
          |         ^
        3 | }
        seen:     x[2] (program [2, 0, 0]), and 1 times more
        expected: indices below 2
        remedy:   guard the load with an if, or load a tile, which fills what is outside]
    `);
  });
});
