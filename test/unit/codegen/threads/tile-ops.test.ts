/** [test/unit/codegen] Every op of the tile IR through all passes, run by all threads of a block, against the interpreter: warps of 1, 4, 32 and 64 lanes. */
import { describe, expect, it } from "vitest";
import {
  runTextOnThreads,
  THREAD_TARGET_NAMES,
  type ThreadTargetName,
} from "../../../support/run-threads.ts";
import { type RunInput, runText } from "../../../support/run-tile-ir.ts";

/** Runs on both and compares every tensor; floats may differ by the order of a sum. */
function expectSame(name: ThreadTargetName, text: string, input: RunInput, tolerance = 0): void {
  const wanted = runText(text, input);
  const { outputs, problems } = runTextOnThreads(text, input, name);
  expect(problems).toEqual([]);
  for (const [tensor, values] of Object.entries(wanted)) {
    const got = outputs[tensor] ?? [];
    const wrong = values.flatMap((value, i) => {
      const other = got[i] ?? Number.NaN;
      const same =
        value === other ||
        (Number.isNaN(value) && Number.isNaN(other)) ||
        Math.abs(value - other) <= tolerance * Math.max(1, Math.abs(value));
      return same ? [] : [`${tensor}[${i}]: ${other}, expected ${value}`];
    });
    expect(wrong.slice(0, 4)).toEqual([]);
  }
}

/** Numbers that look random, some negative, with few bits so that sums are exact. */
function numbers(count: number, seed = 1): number[] {
  let state = seed * 7919 + 13;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return ((state >> 8) % 64) / 4 - 8;
  });
}

function integers(count: number, most: number, seed = 1): number[] {
  return numbers(count, seed).map((x) => (Math.abs(Math.round(x * 64)) + seed) % most);
}

describe.each(THREAD_TARGET_NAMES)("tile ops on %s", (target) => {
  it.each([
    ["one row of 7", 1, 7],
    ["rows of a power of two", 4, 64],
    ["a row wider than a block", 2, 1536],
    ["more rows than columns", 64, 6],
    ["one column", 40, 1],
  ])("reduces %s by every function", (_case, m, n) => {
    const text = `kernel k(x: in f32[${m}, ${n}], y: out f32[3, ${m}], z: out i32[2, ${m}]) {
      %0: i32 = const 0
      %1: i32 = const 1
      %2: i32 = const 2
      %x.3: f32[M=${m}, N=${n}] = load x[span M=${m} from %0, span N=${n} from %0] fill 0
      %4: f32[M=${m}] = reduce sum %x.3 over N
      %5: f32[M=${m}] = reduce max %x.3 over N
      %6: f32[M=${m}] = reduce min %x.3 over N
      %7: f32 = const 7
      %8: f32[M=${m}, N=${n}] = broadcast %7
      %9: bool[M=${m}, N=${n}] = gt %x.3, %8
      %10: bool[M=${m}] = reduce any %9 over N
      %11: bool[M=${m}] = reduce all %9 over N
      %12: i32[M=${m}] = cast %10
      %13: i32[M=${m}] = cast %11
      store y[at %0, span M=${m} from %0] = %4
      store y[at %1, span M=${m} from %0] = %5
      store y[at %2, span M=${m} from %0] = %6
      store z[at %0, span M=${m} from %0] = %12
      store z[at %1, span M=${m} from %0] = %13
    }`;
    const tensors = {
      x: { shape: [m, n], values: numbers(m * n) },
      y: { shape: [3, m] },
      z: { shape: [2, m] },
    };
    expectSame(target, text, { tensors }, 1e-6);
  });

  it("reduces over both axes to a scalar that every thread knows", () => {
    const text = `kernel k(x: in f32[12, 40], y: out f32[12, 40]) {
      %0: i32 = const 0
      %x.1: f32[M=12, N=40] = load x[span M=12 from %0, span N=40 from %0] fill 0
      %2: f32[N=40] = reduce max %x.1 over M
      %3: f32 = reduce max %2 over N
      %4: f32[M=12, N=40] = broadcast %3
      %5: f32[M=12, N=40] = sub %x.1, %4
      store y[span M=12 from %0, span N=40 from %0] = %5
    }`;
    const tensors = { x: { shape: [12, 40], values: numbers(480) }, y: { shape: [12, 40] } };
    expectSame(target, text, { tensors });
  });

  it.each([
    ["argmax of a short row", "argmax", 3, 8],
    ["argmin of a long row", "argmin", 2, 700],
    ["argmax down a column", "argmax", 1, 256],
  ])("finds the first extreme, NaN last: %s", (_case, fn, m, n) => {
    const text = `kernel k(x: in f32[${m}, ${n}], y: out i32[${m}]) {
      %0: i32 = const 0
      %x.1: f32[M=${m}, N=${n}] = load x[span M=${m} from %0, span N=${n} from %0] fill 0
      %2: i32[M=${m}] = ${fn} %x.1 over N
      store y[span M=${m} from %0] = %2
    }`;
    const rows = numbers(m * n).map((x, i) => (i % 5 === 0 ? Number.NaN : Math.round(x / 4)));
    const allNan = rows.map((x, i) => (i < n ? Number.NaN : x));
    const y = { shape: [m] };
    expectSame(target, text, { tensors: { x: { shape: [m, n], values: rows }, y } });
    expectSame(target, text, { tensors: { x: { shape: [m, n], values: allNan }, y } });
  });

  it.each([
    ["sum", "f32", 3, 40],
    ["max", "f32", 1, 300],
    ["sum", "i32", 5, 7],
    ["sum", "i32", 1, 1024],
  ])("scans: %s of %s, %i x %i", (fn, dtype, m, n) => {
    const text = `kernel k(x: in ${dtype}[${m}, ${n}], y: out ${dtype}[${m}, ${n}]) {
      %0: i32 = const 0
      %x.1: ${dtype}[M=${m}, N=${n}] = load x[span M=${m} from %0, span N=${n} from %0] fill 0
      %2: ${dtype}[M=${m}, N=${n}] = scan ${fn} %x.1 over N
      store y[span M=${m} from %0, span N=${n} from %0] = %2
    }`;
    const values = dtype === "f32" ? numbers(m * n) : integers(m * n, 1000);
    const tensors = { x: { shape: [m, n], values }, y: { shape: [m, n] } };
    expectSame(target, text, { tensors }, 1e-6);
  });

  it("moves a tile across threads to store it transposed", () => {
    const text = `kernel k(x: in bf16[24, 40], y: out bf16[40, 24]) {
      %0: i32 = const 0
      %x.1: bf16[M=24, N=40] = load x[span M=24 from %0, span N=40 from %0] fill 0
      %2: bf16[N=40, M=24] = broadcast %x.1
      store y[span N=40 from %0, span M=24 from %0] = %2
    }`;
    const tensors = { x: { shape: [24, 40], values: numbers(960) }, y: { shape: [40, 24] } };
    expectSame(target, text, { tensors });
  });

  it("gathers rows, leaves out -1, and scatters under a mask", () => {
    const text = `kernel k(x: in f32[R, 20], rows: in i32[P], to: in i32[P], y: inout f32[R, 20]) dims(R, P) {
      %0: i32 = const 0
      %rows.1: i32[B=16] = load rows[span B=16 from %0] fill -1
      %to.2: i32[B=16] = load to[span B=16 from %0] fill -1
      %x.3: f32[B=16, C=20] = load x[gather %rows.1, span C=20 from %0] fill 100
      %c.4: i32[C=20] = iota
      %limit.5: i32 = const 17
      %6: i32[C=20] = broadcast %limit.5
      %7: bool[C=20] = lt %c.4, %6
      %8: bool[B=16, C=20] = broadcast %7
      store y[gather %to.2, span C=20 from %0] = %x.3 mask %8
    }`;
    const tensors = {
      x: { shape: [9, 20], values: numbers(180) },
      rows: { shape: [13], values: [3, -1, 0, 8, 8, 1, -1, 2, 4, 5, 6, 7, 3] },
      to: { shape: [13], values: [8, 7, -1, 6, 5, 4, 3, 2, -1, -1, 1, 0, -1] },
      y: { shape: [9, 20], values: numbers(180, 3) },
    };
    expectSame(target, text, { tensors });
  });

  it("keeps a span's start below zero, its end and the tensor's bound apart", () => {
    const text = `kernel k(x: in i32[N], y: out i32[N], first: i32, end: i32) dims(N) {
      %first.0: i32 = param first
      %end.1: i32 = param end
      %x.2: i32[B=32] = load x[span B=32 from %first.0 end %end.1] fill 7
      %zero.3: i32 = const 0
      store y[span B=32 from %zero.3] = %x.2
    }`;
    const values = integers(30, 1000);
    const tensors = { x: { shape: [30], values }, y: { shape: [30] } };
    expectSame(target, text, { tensors, scalars: { first: -5, end: 12 } });
    expectSame(target, text, { tensors, scalars: { first: 10, end: 500 } });
    expectSame(target, text, { tensors, scalars: { first: 3, end: -4 } });
  });

  it("adds atomically once for each element and hands the old values to all", () => {
    const text = `kernel k(counts: inout i32[8], tickets: inout i32[1], y: out i32[8], z: out i32[8]) {
      %0: i32 = const 0
      %i.1: i32[B=8] = iota
      %old.2: i32[B=8] = atomic add counts[span B=8 from %0] by %i.1
      store y[span B=8 from %0] = %old.2
      %3: i32 = const 3
      %ticket.4: i32 = atomic add tickets[at %0] by %3
      %5: i32[B=8] = broadcast %ticket.4
      %6: i32[B=8] = add %5, %i.1
      store z[span B=8 from %0] = %6
      %7: i32[B=8] = atomic max counts[span B=8 from %0] by %6
    }`;
    const tensors = {
      counts: { shape: [8], values: [5, 4, 3, 2, 1, 0, -1, -2] },
      tickets: { shape: [1], values: [40] },
      y: { shape: [8] },
      z: { shape: [8] },
    };
    expectSame(target, text, { tensors });
  });

  it("lets a program arrive once, whatever its threads, and tells all of them", () => {
    const text = `kernel k(counts: inout i32[2], y: out i32[2, 8]) {
      %0: i32 = const 0
      %1: i32 = const 1
      %2: i32 = const 2
      %i.3: i32[B=8] = iota
      %first.4: i32 = atomic arrive counts[at %0] by %2
      %5: i32[B=8] = broadcast %first.4
      store y[at %0, span B=8 from %0] = %5
      %last.6: i32 = atomic arrive counts[at %0] by %2
      %7: i32[B=8] = broadcast %last.6
      store y[at %1, span B=8 from %0] = %7
    }`;
    const tensors = { counts: { shape: [2], values: [0, 7] }, y: { shape: [2, 8] } };
    expectSame(target, text, { tensors });
  });

  it("carries tiles through loops: swapped, shifted, and branched on", () => {
    const text = `kernel k(x: in f32[2, 50], y: out f32[2, 50], n: i32) {
      %0: i32 = const 0
      %1: i32 = const 1
      %n.2: i32 = param n
      %a.3: f32[C=50] = load x[at %0, span C=50 from %0] fill 0
      %b.4: f32[C=50] = load x[at %1, span C=50 from %0] fill 0
      %p.5: f32[C=50], %q.6: f32[C=50] = for %i.7: i32 = %0 to %n.2 step %1 carry (%u.8: f32[C=50] = %a.3, %v.9: f32[C=50] = %b.4) {
        %w.10: f32[C=50] = add %u.8, %v.9
        %two.11: i32 = const 2
        %12: bool = lt %i.7, %two.11
        %r.13: f32[C=50] = if %12 {
          %14: f32[C=50] = sub %w.10, %u.8
          yield %14
        } else {
          yield %u.8
        }
        yield %v.9, %r.13
      }
      %k.20: i32, %s.21: f32[C=50] = while (%j.22: i32 = %0, %t.23: f32[C=50] = %q.6) max 9 {
        %24: bool = lt %j.22, %n.2
        yield %24
      } do (%j.25: i32, %t.26: f32[C=50]) {
        %27: i32 = add %j.25, %1
        %28: f32[C=50] = add %t.26, %p.5
        yield %27, %28
      }
      store y[at %0, span C=50 from %0] = %p.5
      store y[at %1, span C=50 from %0] = %s.21
    }`;
    const tensors = { x: { shape: [2, 50], values: numbers(100) }, y: { shape: [2, 50] } };
    expectSame(target, text, { tensors, scalars: { n: 3 } });
    expectSame(target, text, { tensors, scalars: { n: 0 } });
  });

  it.each(["f16", "bf16", "f8e4m3", "f8e5m2", "i8", "u8"])(
    "computes on %s by its rule",
    (dtype) => {
      const text = `kernel k(x: in ${dtype}[60], y: out ${dtype}[60]) {
      %0: i32 = const 0
      %x.1: ${dtype}[C=60] = load x[span C=60 from %0] fill 0
      %2: ${dtype}[C=60] = mul %x.1, %x.1
      %3: ${dtype}[C=60] = add %2, %x.1
      store y[span C=60 from %0] = %3
    }`;
      const isFloat = dtype.includes("f");
      const values = isFloat ? numbers(60).map((x) => Math.round(x)) : integers(60, 100);
      const tensors = { x: { shape: [60], values }, y: { shape: [60] } };
      expectSame(target, text, { tensors });
    },
  );

  it("splits and merges axes without moving data", () => {
    const text = `kernel k(x: in f32[6, 32], y: out f32[6, 4]) {
      %0: i32 = const 0
      %x.1: f32[M=6, N=32] = load x[span M=6 from %0, span N=32 from %0] fill 0
      %2: f32[M=6, A=4, B=8] = split %x.1 N into (A, B)
      %3: f32[M=6, A=4] = reduce sum %2 over B
      %4: f32[X=24] = merge %3 (M, A) into X
      %5: f32[X=24] = neg %4
      %6: f32[M=6, A=4] = split %5 X into (M, A)
      store y[span M=6 from %0, span A=4 from %0] = %6
    }`;
    const tensors = { x: { shape: [6, 32], values: numbers(192) }, y: { shape: [6, 4] } };
    expectSame(target, text, { tensors }, 1e-6);
  });

  it("divides, shifts and masks integers like the language says", () => {
    const names = ["floordiv", "mod", "shl", "shr", "and", "or", "xor", "min", "max", "mul"];
    const ops = names.map(
      (fn, i) => `%${i + 10}: i32[C=64] = ${fn} %a.1, %b.2
      %${i + 30}: i32 = const ${i}
      store y[at %${i + 30}, span C=64 from %0] = %${i + 10}`,
    );
    const text = `kernel k(a: in i32[64], b: in i32[64], y: out i32[${names.length}, 64]) {
      %0: i32 = const 0
      %a.1: i32[C=64] = load a[span C=64 from %0] fill 0
      %b.2: i32[C=64] = load b[span C=64 from %0] fill 1
      ${ops.join("\n      ")}
    }`;
    const a = integers(64, 1e6).map((x, i) => (i % 2 === 0 ? x : -x));
    const b = integers(64, 30, 5).map((x, i) => (i % 3 === 0 ? -(x + 1) : x + 1));
    const tensors = {
      a: { shape: [64], values: a },
      b: { shape: [64], values: b },
      y: { shape: [names.length, 64] },
    };
    expectSame(target, text, { tensors });
  });
});
