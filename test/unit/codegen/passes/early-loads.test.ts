/** [test/unit/codegen] Where a kernel waits for the launch before: behind what it may read early, else ahead of everything. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../../codegen/compile.ts";
import { compileStages } from "../../../../codegen/index.ts";
import { parseScheduled } from "../../../../codegen/ir/parse-scheduled.ts";
import { printScheduled } from "../../../../codegen/ir/print-scheduled.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { kernel, load, out, pid, range, span, store, sum, tensor } from "../../../../dsl/index.ts";

/** y = x + Σ lens: `isEarly` says when lengths may be read, `isFirst` stores before that. */
const shifted = kernel(
  {
    name: "shifted",
    params: { x: tensor("i32", "N"), lens: tensor("i32", "S"), y: out("i32", "N") },
    config: { B: 32, BS: 64, isEarly: true, isFirst: false },
    grid: ({ N }, { B }) => [N / B],
  },
  ({ x, lens, y, S }, { B, BS, isEarly, isFirst }) => {
    if (isFirst) store(y, [span(pid(0) * B, B)], 0);
    let total = 0;
    for (const i of range(0, S, BS)) {
      const part = isEarly
        ? load(lens, [span(i, BS)], { when: "early" })
        : load(lens, [span(i, BS)]);
      total = total + sum(part, "BS");
    }
    store(y, [span(pid(0) * B, B)], load(x, [span(pid(0) * B, B)]) + total);
  },
);

function artifactOf(config: Readonly<Record<string, boolean>>, arch: "sm_80" | "sm_90a") {
  return compile(shifted, { specialization: { config }, target: cudaSpec(arch) });
}

/** Calls and loads of the text in their order. */
function orderOf(text: string): readonly string[] {
  const body = text.slice(text.lastIndexOf("TW_KERNEL("));
  return [...body.matchAll(/tw_wait_previous|lens \+|x \+|tw_stg/g)].map(([found]) => found);
}

describe("early loads", () => {
  it("stand ahead of the wait, and the artifact names their tensors", () => {
    const { text, early } = artifactOf({}, "sm_90a");
    expect(orderOf(text)).toEqual(["lens +", "tw_wait_previous", "x +", "tw_stg"]);
    expect(early).toEqual(["lens"]);
  });

  it.each([
    ["no load is early", { isEarly: false }, ["tw_wait_previous", "lens +", "x +", "tw_stg"]],
    [
      "something is stored before them",
      { isFirst: true },
      ["tw_wait_previous", "tw_stg", "lens +", "x +", "tw_stg"],
    ],
  ] as const)("do not where %s", (_, config, order) => {
    const { text, early } = artifactOf(config, "sm_90a");
    expect(orderOf(text)).toEqual(order);
    expect(early).toBeUndefined();
  });

  it("are summed by each warp for itself while it holds the row in few registers", () => {
    const barriers = (BS: number, isEarly = true) => {
      const specialization = { config: { BS, warps: 4, isEarly } };
      const { text } = compile(shifted, { specialization, target: cudaSpec("sm_90a") });
      const body = text.slice(text.lastIndexOf("TW_KERNEL("));
      return body.split("tw_syncthreads()").length - 1;
    };
    expect([32, 64, 256].map((BS) => barriers(BS))).toEqual([0, 0, 0]);
    expect(barriers(512)).toBeGreaterThan(0);
    expect(barriers(256, false)).toBeGreaterThan(0);
  });

  it("are plain loads where launches do not overlap", () => {
    expect(orderOf(artifactOf({}, "sm_80").text)).toEqual(["lens +", "x +", "tw_stg"]);
  });

  it("keep their hint in the text forms", () => {
    const { scheduled } = compileStages(shifted, {
      specialization: {},
      target: cudaSpec("sm_90a"),
    });
    expect(scheduled).toContain("when early");
    const again = printScheduled(parseScheduled(scheduled));
    expect(again).toContain("when early");
    expect(printScheduled(parseScheduled(again))).toBe(again);
  });
});
