/** [test/unit/emulation] Two chained dots of f8e4m3 in warp roles, as text for sm_90a run on the CPU: words of four out of accumulators, values by columns. */
import { describe, expect, it } from "vitest";
import { compile, compileStages } from "../../../codegen/index.ts";
import { parseScheduled } from "../../../codegen/ir/parse-scheduled.ts";
import { parseThreadKernel } from "../../../codegen/ir/parse-thread.ts";
import { printScheduled } from "../../../codegen/ir/print-scheduled.ts";
import { printThreadKernel } from "../../../codegen/ir/print-thread.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { attentionProblem } from "../../../dsl/kernels/attention.ts";
import { attentionFp8, attentionFp8Entry } from "../../../dsl/kernels/attention-fp8.ts";
import { makeSample, type Problem } from "../../../dsl/kernels/catalogue.ts";
import { runCases } from "../../../runtime/conformance/run.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");
const { config: usual } = attentionFp8;

const PROBLEMS: readonly Problem[] = [
  attentionProblem("two groups, cut trips", 1, [1, 150, 176, 2, 1, 64], {
    ...usual,
    BM: 128,
    BN: 64,
  }),
  attentionProblem("one group, all keys, wide values", 2, [2, 64, 80, 1, 1, 64, 128], {
    ...usual,
    BM: 64,
    BN: 96,
    CAUSAL: 0,
  }),
].map((problem) => ({ ...problem, dtypes: { O: "bf16" } }));

function specialization({ dtypes, config, dims }: Problem) {
  const sizes = { D: dims["D"] ?? 0, DV: dims["DV"] ?? 0 };
  return { dtypes, dims: sizes, ...(config === undefined ? {} : { config }) };
}

describe.skipIf("reason" in emulation)("chained dots of f8e4m3", () => {
  if ("reason" in emulation) throw new Error(emulation.reason);

  it("equal the reference", async () => {
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const cases = PROBLEMS.map((problem) => ({
      group: "kernels" as const,
      name: problem.name,
      kernel: attentionFp8,
      specialization: specialization(problem),
      data: () => makeSample(attentionFp8Entry, problem),
    }));
    const messages: string[] = [];
    for await (const result of runCases(device, cases))
      messages.push(`${result.case.name}: ${result.status} ${result.message}`.trim());
    expect(messages).toEqual(PROBLEMS.map(({ name }) => `${name}: passed`));
  });

  it.each(PROBLEMS)("$name: in roles, read back as they are printed", (problem) => {
    const { scheduled, thread, artifact } = compileStages(attentionFp8, {
      specialization: specialization(problem),
      target,
      divisibility: { LK: 16 },
    });
    const said = artifact.remarks.map(({ message }) => message).join("\n");
    expect(said).toMatch(/as asked: the tensor core adds up/);
    expect(said).toMatch(/rows stay in shared memory/);
    expect(said).toMatch(/the protocol holds for 0 to \d trips/);
    // Words are traded before the second dot of the trip before is awaited, and laid out behind it.
    expect(scheduled).toMatch(
      /trade_quads %\w+(\.\d+)? over BN.*dot_wait 0 behind %any_row.*pack_quads %\w+(\.\d+)? over BN/s,
    );
    expect(printScheduled(parseScheduled(scheduled), { locations: true })).toBe(scheduled);
    const text = printThreadKernel(parseThreadKernel(thread));
    expect(printThreadKernel(parseThreadKernel(text))).toBe(text);
  });

  it("keep to plain products unless inexact sums are asked for", () => {
    const [problem] = PROBLEMS;
    if (problem === undefined) throw new Error("no problem");
    const given = specialization(problem);
    const exact = { ...given, config: { ...given.config, "schedule.fastSums": false } };
    const { remarks, persistent } = compile(attentionFp8, {
      specialization: exact,
      target,
      divisibility: { LK: 16 },
    });
    expect(persistent).toBeUndefined();
    expect(remarks.map(({ message }) => message).join("\n")).toMatch(/fastSums: does not apply/);
  });
});
