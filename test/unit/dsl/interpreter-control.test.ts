/** [test/unit/dsl] The interpreter's loops, branches, ifAny, print and the op hook. */
import { describe, expect, it } from "vitest";
import { formatPrint, type PrintRecord } from "../../../dsl/interpreter/print-record.ts";
import { prepareInterpreter } from "../../../dsl/interpreter/program.ts";
import { parseKernel } from "../../../dsl/ir/parse.ts";
import { runText } from "../../support/run-tile-ir.ts";

/** Runs lines that define `%out.9: i32` from the scalars `%n.0` and constants `%zero.1`, `%one.2`. */
function scalar(lines: string, n: number): number {
  const text = `kernel k(out: out i32[1], n: i32) {
    %n.0: i32 = param n
    %zero.1: i32 = const 0
    %one.2: i32 = const 1
    ${lines}
    store out[at %zero.1] = %out.9
  }`;
  return runText(text, { tensors: { out: { shape: [1] } }, scalars: { n } })["out"]?.[0] ?? NaN;
}

describe("for", () => {
  const sum = `%out.9: i32 = for %i.3: i32 = %zero.1 to %n.0 step %one.2 carry (%s.4: i32 = %zero.1) {
      %5: i32 = add %s.4, %i.3
      yield %5
    }`;
  it.each([
    [5, 10],
    [1, 0],
    [0, 0],
    [-3, 0],
  ])("runs while the counter is below %d", (n, expected) => expect(scalar(sum, n)).toBe(expected));

  it("swaps carried scalars all at once", () => {
    const fibonacci = `%out.9: i32, %10: i32 = for %i.3: i32 = %zero.1 to %n.0 step %one.2 carry (%a.4: i32 = %zero.1, %b.5: i32 = %one.2) {
      %6: i32 = add %a.4, %b.5
      yield %b.5, %6
    }`;
    expect([0, 1, 2, 7, 10].map((n) => scalar(fibonacci, n))).toEqual([0, 1, 1, 13, 55]);
  });

  it("swaps carried tiles all at once, and views of them", () => {
    const text = `kernel k(a: in f32[2, 2], out: out f32[2, 2, 2], n: i32) {
      %0: i32 = const 0
      %1: i32 = const 1
      %n.2: i32 = param n
      %a.3: f32[X=2, Y=2] = load a[span X=2 from %0, span Y=2 from %0] fill 0
      %b.4: f32[X=2, Y=2] = neg %a.3
      %5: f32[X=2, Y=2], %6: f32[X=2, Y=2] = for %i.7: i32 = %0 to %n.2 step %1 carry (%p.8: f32[X=2, Y=2] = %a.3, %q.9: f32[X=2, Y=2] = %b.4) {
        %10: f32[Y=2, X=2] = broadcast %p.8
        %11: f32[X=2, Y=2] = rename %10
        yield %q.9, %11
      }
      store out[at %0, span X=2 from %0, span Y=2 from %0] = %5
      store out[at %1, span X=2 from %0, span Y=2 from %0] = %6
    }`;
    const run = (n: number): unknown =>
      runText(text, {
        tensors: { a: { shape: [2, 2], values: [1, 2, 3, 4] }, out: { shape: [2, 2, 2] } },
        scalars: { n },
      })["out"];
    expect(run(0)).toEqual([1, 2, 3, 4, -1, -2, -3, -4]);
    expect(run(1)).toEqual([-1, -2, -3, -4, 1, 3, 2, 4]);
    expect(run(2)).toEqual([1, 3, 2, 4, -1, -3, -2, -4]);
  });

  it("transposes a carried tile in place", () => {
    const text = `kernel k(a: in f32[2, 2], out: out f32[2, 2]) {
      %0: i32 = const 0
      %1: i32 = const 3
      %2: i32 = const 1
      %a.3: f32[X=2, Y=2] = load a[span X=2 from %0, span Y=2 from %0] fill 0
      %4: f32[X=2, Y=2] = for %i.5: i32 = %0 to %1 step %2 carry (%p.6: f32[X=2, Y=2] = %a.3) {
        %7: f32[Y=2, X=2] = broadcast %p.6
        %8: f32[X=2, Y=2] = rename %7
        yield %8
      }
      store out[span X=2 from %0, span Y=2 from %0] = %4
    }`;
    const tensors = { a: { shape: [2, 2], values: [1, 2, 3, 4] }, out: { shape: [2, 2] } };
    expect(runText(text, { tensors })["out"]).toEqual([1, 3, 2, 4]);
  });

  it("nests, with inner values of every iteration fresh", () => {
    const nested = `%out.9: i32 = for %i.3: i32 = %zero.1 to %n.0 step %one.2 carry (%s.4: i32 = %zero.1) {
      %5: i32 = for %j.6: i32 = %zero.1 to %i.3 step %one.2 carry (%t.7: i32 = %s.4) {
        %8: i32 = mul %i.3, %j.6
        %10: i32 = add %t.7, %8
        yield %10
      }
      yield %5
    }`;
    expect(scalar(nested, 5)).toBe(35);
  });
});

describe("while and if", () => {
  it("halves until one is reached", () => {
    const lines = `%two.3: i32 = const 2
    %4: i32, %out.9: i32 = while (%x.5: i32 = %n.0, %c.6: i32 = %zero.1) max 40 {
      %7: bool = gt %x.5, %one.2
      yield %7
    } do (%y.8: i32, %d.10: i32) {
      %11: i32 = floordiv %y.8, %two.3
      %12: i32 = add %d.10, %one.2
      yield %11, %12
    }`;
    expect([0, 1, 2, 1023, 1024].map((n) => scalar(lines, n))).toEqual([0, 0, 1, 9, 10]);
  });

  it("takes one branch", () => {
    const lines = `%3: bool = lt %n.0, %zero.1
    %out.9: i32 = if %3 {
      %4: i32 = neg %n.0
      yield %4
    } else {
      yield %n.0
    }`;
    expect([-4, 6].map((n) => scalar(lines, n))).toEqual([4, 6]);
  });

  it("chooses tiles, and stores only in the branch taken", () => {
    const text = `kernel k(out: inout f32[2], n: i32) {
      %0: i32 = const 0
      %n.1: i32 = param n
      %2: bool = gt %n.1, %0
      %3: i32[A=2] = iota
      %4: f32[A=2] = cast %3
      %5: f32[A=2] = if %2 {
        %6: f32[A=2] = neg %4
        yield %6
      } else {
        yield %4
      }
      %7: bool = ne %n.1, %0
      if %7 {
        store out[span A=2 from %0] = %5
      }
    }`;
    const run = (n: number): unknown =>
      runText(text, { tensors: { out: { shape: [2], values: [7, 7] } }, scalars: { n } })["out"];
    expect([1, -1, 0].map(run)).toEqual([
      [-0, -1],
      [0, 1],
      [7, 7],
    ]);
  });
});

describe("if_any", () => {
  const text = `kernel k(x: in f32[4], out: out f32[4], t: f32) {
    %0: i32 = const 0
    %x.1: f32[A=4] = load x[span A=4 from %0] fill 0
    %t.2: f32 = param t
    %3: f32[A=4] = broadcast %t.2
    %4: bool[A=4] = gt %x.1, %3
    %5: f32[A=4] = if_any %4 along A else (%x.1) {
      %6: f32[A=4] = min %x.1, %3
      yield %6
    }
    store out[span A=4 from %0] = %5
  }`;
  it.each([
    [2, [1, 2, 2, 2]],
    [9, [1, 2, 3, 4]],
    [-1, [-1, -1, -1, -1]],
  ])("clips at %d whichever rows run", (t, expected) => {
    const input = {
      tensors: { x: { shape: [4], values: [1, 2, 3, 4] }, out: { shape: [4] } },
      scalars: { t },
    };
    expect(runText(text, input)["out"]).toEqual(expected);
    expect(runText(text, { ...input, options: { checks: "off" } })["out"]).toEqual(expected);
  });
});

describe("print", () => {
  const text = `kernel k(x: in f32[2, 3]) {
    %0: i32 = const 0
    %p.1: i32 = pid 0
    %2: f32[A=2, B=3] = load x[span A=2 from %0, span B=3 from %0] fill 0
    %3: f32[A=2, B=3] = neg %2
    print "tile" %3
    print "program" %p.1
  }`;
  it("shows values with label, program and coordinates", () => {
    const records: PrintRecord[] = [];
    const options = { onPrint: (record: PrintRecord) => records.push(record) };
    const tensors = { x: { shape: [2, 3], values: [1, 2, 3, 4, 5, NaN] } };
    runText(text, { tensors, grid: [2], options });
    expect(records.map(formatPrint).join("\n")).toMatchInlineSnapshot(`
      "tile: f32[A=2, B=3] of program [0, 0, 0]
        [0, …] -1 -2 -3
        [1, …] -4 -5 nan
      program: i32 of program [0, 0, 0] = 0
      tile: f32[A=2, B=3] of program [1, 0, 0]
        [0, …] -1 -2 -3
        [1, …] -4 -5 nan
      program: i32 of program [1, 0, 0] = 1"
    `);
  });
});

describe("the op hook", () => {
  it("sees every result of every op as the program sees it", () => {
    const kernel = parseKernel(
      `kernel k(x: in f32[3]) {
      %0: i32 = const 0
      %1: f32[A=3] = load x[span A=3 from %0] fill 0
      %2: i32[A=3] = iota
      %3: f32[A=3] = cast %2
      %4: f32[A=3] = mul %1, %3
      %5: f32[B=2, A=3] = broadcast %4
      %6: f32 = reduce sum %4 over A
      %7: i32 = for %8: i32 = %0 to %9 step %9 carry (%10: i32 = %0) {
        %11: i32 = add %10, %9
        yield %11
      }
    }`.replace("%0: i32 = const 0", "%0: i32 = const 0\n      %9: i32 = const 1"),
    );
    const seen: string[] = [];
    const program = prepareInterpreter(kernel, {
      onOp: ({ op, program: place, read }) => {
        const values = read().map(({ value, data }) => `%${value.id}=${[...data].join(" ")}`);
        seen.push(`${op.kind} [${place.join(",")}] ${values.join(", ")}`);
      },
    });
    const data = new Uint8Array(Float32Array.of(5, 6, 7).buffer);
    program.run({ tensors: { x: { data, shape: [3] } }, grid: [1] });
    expect(seen).toMatchInlineSnapshot(`
      [
        "const [0,0,0] %0=0",
        "const [0,0,0] %9=1",
        "load [0,0,0] %1=5 6 7",
        "iota [0,0,0] %2=0 1 2",
        "cast [0,0,0] %3=0 1 2",
        "binary [0,0,0] %4=0 6 14",
        "broadcast [0,0,0] %5=0 6 14 0 6 14",
        "reduce [0,0,0] %6=20",
        "binary [0,0,0] %11=1",
        "for [0,0,0] %7=1",
      ]
    `);
  });
});

describe("the generated program", () => {
  it("can be shown, names its values and fuses elementwise chains", () => {
    const { source } = prepareInterpreter(
      parseKernel(`kernel scale(x: in bf16[N], y: out bf16[N], s: f32) dims(N) {
      %0: i32 = const 0
      %s.1: f32 = param s
      %v.2: bf16[A=4] = load x[span A=4 from %0] fill 0
      %v.3: f32[A=4] = cast %v.2
      %4: f32[A=4] = broadcast %s.1
      %scaled.5: f32[A=4] = mul %v.3, %4
      %6: bf16[A=4] = cast %scaled.5
      store y[span A=4 from %0] = %6
    }`),
      { checks: "off" },
    );
    expect(source).toMatchInlineSnapshot(`
      ""use strict"; // kernel scale
      const { bf16Bits } = lib;
      const t_v_2 = new Float32Array(arena, 0, 4);
      const t_v_2$bits = new Uint32Array(arena, 0, 4);
      let dims, scalars, programs0, programs1, programs2, x$0, x$0_shadow, x$0_size0, y$1, y$1_shadow, y$1_size0;
      function bind(run) {
        ({ dims, scalars, grid: [programs0, programs1, programs2] } = run);
        x$0 = run.tensors[0].data;
        x$0_shadow = run.tensors[0].shadow;
        x$0_size0 = run.tensors[0].sizes[0];
        y$1 = run.tensors[1].data;
        y$1_shadow = run.tensors[1].shadow;
        y$1_size0 = run.tensors[1].sizes[0];
      }
      // %v.2: bf16[A=4] = load x[span A=4 from %0] fill 0
      function load$0() {
        const hi0 = Math.min(4, x$0_size0);
        const base = 0;
        if (hi0 < 4) t_v_2.fill(0);
        for (let i0 = 0; i0 < hi0; i0++) {
          t_v_2$bits[i0] = x$0[base + i0] << 16;
        }
      }
      // store y[span A=4 from %0] = %6
      function store$1(s_1) {
        const hi0 = Math.min(4, y$1_size0);
        const base = 0;
        for (let i0 = 0; i0 < hi0; i0++) {
          y$1[base + i0] = bf16Bits(Math.fround(t_v_2[i0] * s_1));
        }
      }
      function main(pid0, pid1, pid2) {
        const s_1 = scalars["s"];
        load$0();
        store$1(s_1);
      }
      return { bind, main, buffers: { t_v_2 } };
      "
    `);
  });
});
