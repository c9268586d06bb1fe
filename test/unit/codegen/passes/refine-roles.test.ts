/** [test/unit/codegen] Rows of products in registers, in roles that a kernel writes out: packed once, carried in words, waited for before they are written anew. */
import { describe, expect, it } from "vitest";
import type { CompileRequest } from "../../../../codegen/artifact.ts";
import { compile, compileStages } from "../../../../codegen/compile.ts";
import { explain } from "../../../../codegen/explain.ts";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { scheduleConfig } from "../../../../dsl/index.ts";
import { explicitAttention } from "../../../../examples/20-explicit-attention.ts";
import { changedGemm, OF_BYTES, TRIP_BY_TRIP } from "../../../support/explicit-gemm.ts";

const target = cudaSpec("sm_90a");

function request(more: Partial<CompileRequest> = {}): CompileRequest {
  const divisibility = { M: 16, N: 16, K: 16 };
  return { specialization: { dtypes: { T: "bf16" } }, divisibility, target, ...more };
}

function reasons(...changes: readonly (readonly [string, string])[]): readonly string[] {
  const { remarks } = compile(changedGemm(...changes), request());
  return remarks.filter(({ pass }) => /roles/.test(pass)).map(({ message }) => message);
}

const LOAD: readonly [string, string] = ["import {", "import { loadSlot,"];

describe("attention in roles that the kernel writes", () => {
  const { kernel, scheduled, artifact } = compileStages(explicitAttention, {
    specialization: { dtypes: { T: "bf16" }, dims: { D: 128 } },
    target,
  });

  it("carries the rows of the second product in words of two", () => {
    expect(scheduled.match(/for .* carry \(.*: u32\[BM=128, BN_pair=64\]/g)).toHaveLength(2);
    expect(scheduled.match(/= pack_pairs/g)).toHaveLength(4); // the queries, the first weights, those of each loop
    expect(printScheduled(parseScheduled(printScheduled(kernel)))).toBe(printScheduled(kernel));
  });

  it("lets warps vote for their own rows, and moves no tile through shared memory", () => {
    expect(scheduled.match(/= vote/g)).toHaveLength(3);
    expect(scheduled).not.toMatch(/via shared|shared_store| reduce any/);
    expect(artifact.remarks.map(({ message }) => message)).toContain(
      "the protocol holds for 0 to 4 trips, 0 to 3 programs a block",
    );
  });

  it("reads queries from both panels of their box, once for all trips", () => {
    expect(scheduled.match(/shared_load qs/g)).toHaveLength(1);
    expect(scheduled).toMatch(/relabel/);
  });
});

describe("rows in registers", () => {
  it("of a trip are waited for before the next one writes them", () => {
    expect(reasons(LOAD, ["slot(xs, n)", "loadSlot(xs, n)"])).toEqual([
      "as written: one thread copies, 2 warpgroups multiply",
      "a trip waits for the dots whose rows are in registers",
    ]);
    const waited = reasons(LOAD, ["slot(xs, n)", "loadSlot(xs, n)"], ["dotWait(1)", "dotWait(0)"]);
    expect(waited).toEqual(["as written: one thread copies, 2 warpgroups multiply"]);
  });

  it.each([
    ["columns", ["slot(ws, n)", "loadSlot(ws, n)"], /second operand of a dot is no slot/],
    [
      "steps that are no multiple of 16",
      ["BK: 64", "BK: 8"],
      /8 elements of rows in registers are no multiple of 16/,
    ],
    [
      "more than registers hold",
      ["BM: 128, BN: 256", "BM: 256, BN: 200"],
      /more accumulators than the registers/,
    ],
  ] as const)("of %s make the roles one", (_, change, reason) => {
    const rows = ["slot(xs, n)", "loadSlot(xs, n)"] as const;
    expect(reasons(LOAD, rows, change)[0]).toMatch(reason);
  });

  it("of bytes make the roles one", () => {
    const kernel = changedGemm(
      LOAD,
      ['["f32", "f16", "bf16"]', '["i8"]'],
      ['out("T", "M", "N")', 'out("i32", "M", "N")'],
      ['zeros("f32", BM, BN)', 'zeros("i32", BM, BN)'],
      ["cast(acc, T)", "acc"],
      ["slot(xs, n)", "loadSlot(xs, n)"],
    );
    const { remarks } = compile(kernel, request({ specialization: { dtypes: { T: "i8" } } }));
    expect(remarks.map(({ message }) => message).join("\n")).toMatch(
      /rows in registers are of i8, neither of 16 bits nor f8e4m3/,
    );
  });
});

describe("sums of 8-bit floats", () => {
  const tiles = { BM: 64, BN: 32, BK: 64, stages: 2, consumers: 1 };
  const told = (changes: typeof OF_BYTES, wishes: Readonly<Record<string, number | boolean>>) => {
    const specialization = { dtypes: { T: "f8e4m3" }, config: { ...tiles, ...wishes } } as const;
    const { remarks, schedule } = explain(
      changedGemm(...OF_BYTES, ...changes),
      request({ specialization }),
    );
    const made = remarks.filter(({ pass }) => /roles/.test(pass)).map(({ message }) => message);
    return { made: made.at(-1), schedule };
  };
  const asWritten = "as written: one thread copies, one warpgroup multiplies";

  it("are not left to the tensor core unless the schedule allows it", () => {
    expect(told([], {}).made).toMatch(
      /the roles are made one: the tensor core keeps about 14 bits.*acc \+ dotWait\(0, dotAsync\(a, b\)\), or allow it by the wish fastSums/,
    );
    const fast = told([], scheduleConfig({ fastSums: true }));
    expect(fast.made).toBe(asWritten);
    expect(fast.schedule).toEqual({
      fastSums: "as asked: the tensor core adds up, in about 14 bits",
    });
  });

  it("are the kernel's own where it adds up each trip", () => {
    const own = told(TRIP_BY_TRIP, scheduleConfig({ fastSums: false }));
    expect(own).toEqual({
      made: asWritten,
      schedule: { fastSums: "as asked: the kernel adds up in f32" },
    });
  });
});

describe("programs by a counter", () => {
  const counted = ["programs()", "programs({ counted: true })"] as const;

  it("go from the role that copies to the one that multiplies, a slot each", () => {
    const { scheduled, artifact } = compileStages(changedGemm(counted, counted), request());
    for (const op of [
      "next_program",
      "post programs_taken",
      "programs_done",
      "fetch programs_taken",
    ])
      expect(scheduled.split(op)).toHaveLength(2);
    expect(artifact.params.map(({ kind }) => kind)).toContain("counter");
    expect(artifact.remarks.map(({ message }) => message)).toContain(
      "blocks take programs by a counter",
    );
  });

  it("are taken in turn where a role walks over them twice", () => {
    const twice = [
      "cast(acc, T));\n          }\n",
      "cast(acc, T));\n          }\n          for (const p of programs({ counted: true })) store(y, [tile(p, BM), tile(0, BN)], zeros(T, BM, BN));\n",
    ] as const;
    expect(reasons(counted, counted, twice)).toContain(
      "blocks take every so many programs: a role has not one loop over programs() at its top level",
    );
  });
});
