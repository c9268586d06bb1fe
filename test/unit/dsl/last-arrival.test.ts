/** [test/unit/dsl] Programs that arrive at a counter: who may read what, in any order of the programs, and what the checks of a run say where they may not. */
import { describe, expect, it } from "vitest";
import {
  inout,
  kernel,
  lastArrival,
  load,
  lowerKernel,
  numPrograms,
  out,
  pid,
  range,
  store,
  tensor,
} from "../../../dsl/index.ts";
import { printKernel } from "../../../dsl/ir/print.ts";
import { runKernel } from "../../support/run-kernel.ts";
import { findingsOf, type RunInput, runText } from "../../support/run-tile-ir.ts";
import { violations } from "../../support/tile-ir-violations.ts";

/** Each program stores its number + 1; the last one adds up. `BEFORE`, `READ` and `AFTER` are put in. */
const SUM = `kernel k(parts: inout i32[4], n: inout i32[2], y: out i32[4]) {
  %zero.0: i32 = const 0
  %one.1: i32 = const 1
  %four.2: i32 = const 4
  %p.3: i32 = pid 0
  %v.4: i32 = add %p.3, %one.1
  store parts[at %p.3] = %v.4
  BEFORE
  %a.5: i32 = atomic arrive n[at %zero.0] by %four.2
  %last.6: bool = ne %a.5, %zero.0
  if %last.6 {
    %s.7: i32 = for %i.8: i32 = %zero.0 to %four.2 step %one.1 carry (%t.9: i32 = %zero.0) {
      %x.10: i32 = load parts[at %i.8] fill 0
      %u.11: i32 = add %t.9, %x.10
      yield %u.11
    }
    store y[at %zero.0] = %s.7
  }
  AFTER
}`;

const sum = (put: { readonly BEFORE?: string; readonly AFTER?: string } = {}): string =>
  SUM.replace("BEFORE", put.BEFORE ?? "").replace("AFTER", put.AFTER ?? "");

const input = (backwards: boolean, counts: readonly number[] = [0, 0], grid = 4): RunInput => ({
  tensors: {
    parts: { shape: [4] },
    n: { shape: [2], values: counts },
    y: { shape: [4], values: [0, 0, 0, 0] },
  },
  grid: [grid],
  options: { backwards },
});

const codes = (text: string, run: RunInput): readonly string[] => [
  ...new Set(findingsOf(text, run).map(({ code }) => code)),
];

describe("lastArrival", () => {
  it("is lowered to one atomic and a comparison", () => {
    const example = kernel(
      { name: "example", params: { n: inout("i32", "M"), y: out("f32", "M") }, grid: () => 3 },
      ({ n, y }) => {
        if (lastArrival(n, [pid(0)], numPrograms(0))) store(y, [0], 1);
      },
    );
    const text = printKernel(lowerKernel(example).tile);
    expect(text).toMatch(/: i32 = atomic arrive n\[at %pid0[^\]]*\] by %programs0/);
    expect(text).toMatch(/: bool = ne /);
  });

  it("runs launch after launch, each leaving the counter at 0", () => {
    const total = kernel(
      {
        name: "total",
        params: {
          x: tensor("f32", "P"),
          parts: inout("f32", "P"),
          n: inout("i32", "C"),
          y: out("f32", "C"),
        },
        grid: ({ P }) => P,
      },
      ({ x, parts, n, y, P }) => {
        store(parts, [pid(0)], load(x, [pid(0)]) * 2);
        if (lastArrival(n, [0], P)) {
          let sum = 0;
          for (const i of range(0, P)) sum = sum + load(parts, [i]);
          store(y, [0], sum);
        }
      },
    );
    const tensors = {
      x: { shape: [3], values: [1, 2, 3] },
      parts: { shape: [3] },
      n: { shape: [1], values: [0] },
      y: { shape: [1] },
    };
    const after = runKernel(total, {}, { tensors, grid: [3] });
    expect(after).toMatchObject({ y: [12], n: [0] });
  });
});

describe("programs in order and backwards", () => {
  it.each([false, true])("give the last one all that was stored (backwards: %s)", (backwards) => {
    expect(runText(sum(), input(backwards))).toEqual({
      parts: [1, 2, 3, 4],
      n: [0, 0],
      y: [10, 0, 0, 0],
    });
  });

  it.each([false, true])(
    "pass on what was seen at another counter (backwards: %s)",
    (backwards) => {
      // Programs 0 and 1, and 2 and 3, meet first; the two last of them meet then, and one of these reads everything.
      const text = sum({
        BEFORE: `%two.20: i32 = const 2
  %pair.21: i32 = floordiv %p.3, %two.20
  %first.22: i32 = atomic arrive m[at %pair.21] by %two.20
  %meets.23: bool = ne %first.22, %zero.0
  if %meets.23 {`,
        AFTER: "}",
      })
        .replace("n: inout i32[2]", "n: inout i32[2], m: inout i32[2]")
        .replace("n[at %zero.0] by %four.2", "n[at %zero.0] by %two.20");
      const run = input(backwards);
      const tensors = { ...run.tensors, m: { shape: [2], values: [0, 0] } };
      expect(runText(text, { ...run, tensors })).toMatchObject({ y: [10, 0, 0, 0], m: [0, 0] });
    },
  );
});

describe("checks of a run", () => {
  const total = "%x.10: i32 = load parts[at %i.8] fill 0";

  it.each([false, true])(
    "let the last one read what atomics added up, and its own counter (backwards: %s)",
    (backwards) => {
      const added = sum({ BEFORE: "%o.30: i32 = atomic add m[at %zero.0] by %v.4" })
        .replace("n: inout i32[2]", "n: inout i32[2], m: inout i32[2]")
        .replace(total, "%x.10: i32 = load m[at %zero.0] fill 0")
        .replace(
          "store y[at %zero.0] = %s.7",
          "%c.31: i32 = load n[at %zero.0] fill 0\n    store y[at %one.1] = %c.31\n    store m[at %zero.0] = %s.7\n    store y[at %zero.0] = %s.7",
        );
      const run = input(backwards);
      const tensors = { ...run.tensors, m: { shape: [2], values: [0, 0] } };
      expect(codes(added, { ...run, tensors })).toEqual([]);
      expect(runText(added, { ...run, tensors })).toMatchObject({ y: [40, 0, 0, 0] });
    },
  );

  it.each([false, true])(
    "report what atomics add behind the arrival, and another counter (backwards: %s)",
    (backwards) => {
      const late = sum({ AFTER: "%o.30: i32 = atomic add parts[at %zero.0] by %v.4" });
      expect(codes(late, input(backwards))).toContain(backwards ? "TW1303" : "TW1304");
      const other = sum({ BEFORE: "%o.30: i32 = atomic add n[at %one.1] by %v.4" });
      const read = other.replace(
        "if %last.6 {",
        "%c.31: i32 = load n[at %one.1] fill 0\n  if %last.6 {",
      );
      expect(codes(read, input(backwards))).toContain("TW1304");
    },
  );

  it("report a read of another program's store by one that is not the last", () => {
    const text = sum({ BEFORE: "%x.30: i32 = load parts[at %zero.0] fill 0" });
    expect(codes(text, input(false))).toContain("TW1304");
    expect(codes(text, input(true))).toContain("TW1304");
  });

  it("report a store behind the arrival, which the last one may miss", () => {
    const text = sum({ AFTER: "store parts[at %p.3] = %one.1" });
    expect(codes(text, input(false))).toContain("TW1304");
  });

  it("report a counter that does not start at 0", () => {
    expect(codes(sum(), input(false, [2, 0]))).toContain("TW1317");
    expect(codes(sum(), input(false, [-1, 0]))).toContain("TW1317");
  });

  it("report programs that expect no others, or fewer than came", () => {
    expect(codes(sum().replace("by %four.2", "by %zero.0"), input(false))).toContain("TW1317");
  });

  it("report a launch that ends before all have arrived", () => {
    expect(codes(sum(), input(false, [0, 0], 3))).toEqual(["TW1318"]);
    const finding = findingsOf(sum(), input(false, [0, 0], 3))[0];
    expect(finding).toMatchObject({ coordinates: [0], count: 1 });
  });

  it("report a counter outside of the tensor", () => {
    expect(codes(sum().replace("n[at %zero.0]", "n[at %four.2]"), input(false))).toContain(
      "TW1301",
    );
  });
});

describe("the verifier", () => {
  it("wants one i32 counter and no mask", () => {
    const found = violations(
      "  %10: i32 = atomic arrive n[span A=4 from %i.0] by %i.0",
      "kernel k(n: inout i32[8])",
    );
    expect(found.join("\n")).toContain("programs arrive at one counter");
    expect(
      violations("  %10: i32 = atomic arrive n[at %i.0] by %f.1", "kernel k(n: inout i32[8])").join(
        "\n",
      ),
    ).toContain("the programs that arrive");
  });
});
