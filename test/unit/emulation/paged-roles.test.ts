/** [test/unit/emulation] Attention over pages in warp roles, as text for sm_90a run on the CPU: boxes page by page, ragged ends, windows, empty sequences. */
import { describe, expect, it } from "vitest";
import { compileStages } from "../../../codegen/index.ts";
import { parseScheduled } from "../../../codegen/ir/parse-scheduled.ts";
import { parseThreadKernel } from "../../../codegen/ir/parse-thread.ts";
import { printScheduled } from "../../../codegen/ir/print-scheduled.ts";
import { printThreadKernel } from "../../../codegen/ir/print-thread.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { makeSample, type Problem, type Sequence } from "../../../dsl/kernels/catalogue.ts";
import { pagedAttentionEntry } from "../../../dsl/kernels/paged-attention.ts";
import { blockProblem } from "../../../dsl/kernels/paged-blocks.ts";
import { pagedSinkAttentionEntry } from "../../../dsl/kernels/paged-sink-attention.ts";
import { runCases } from "../../../runtime/conformance/run.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");
const { kernel } = pagedAttentionEntry;
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const PROBLEMS: readonly Problem[] = [
  blockProblem(
    "ragged, past, pages of a quarter of a block",
    11,
    { hq: 2, hkv: 1, d: 64, page: 16 },
    [seq(70, 130), seq(5, 5), seq(1, 90), seq(64, 64)],
    { BM: 64, BN: 64, stages: 2 },
  ),
  blockProblem(
    "two warpgroups, pages as large as a block, window",
    12,
    { hq: 2, hkv: 2, d: 128, page: 64 },
    [seq(130, 200), seq(3, 3)],
    { BM: 128, BN: 64, stages: 2 },
    { window: 50 },
  ),
  blockProblem(
    "pages larger than a block, soft cap, no keys",
    13,
    { hq: 1, hkv: 1, d: 64, page: 128 },
    [seq(9, 150), seq(2, 0), seq(65, 65)],
    { BM: 64, BN: 64, stages: 2, SOFTCAP: 2 },
  ),
  blockProblem(
    "rows that stay in shared memory, soft cap, window",
    14,
    { hq: 2, hkv: 1, d: 256, page: 16 },
    [seq(130, 150), seq(3, 70)],
    { BM: 128, BN: 64, stages: 2, SOFTCAP: 2 },
    { window: 40 },
  ),
  blockProblem(
    "three warpgroups, ragged, six pages a block, soft cap, window",
    16,
    { hq: 2, hkv: 1, d: 64, page: 16 },
    [seq(200, 230), seq(5, 100), seq(2, 0)],
    { BM: 192, BN: 96, stages: 2, SOFTCAP: 2 },
    { window: 60 },
  ),
].map((problem) => ({ ...problem, dtypes: { T: "bf16" } }));

/** Run with the kernel that has sinks. */
const WITH_SINKS = blockProblem(
  "sinks, window",
  15,
  { hq: 2, hkv: 1, d: 64, page: 16 },
  [seq(70, 130), seq(5, 5), seq(2, 0)],
  { BM: 64, BN: 64, stages: 2 },
  { window: 50 },
);

function specialization({ dtypes, config }: Problem) {
  return { dtypes, ...(config === undefined ? {} : { config }) };
}

function stagesOf(problem: Problem, page = problem.dims["PAGE"] ?? 16) {
  const dims = { D: problem.dims["D"] ?? 64, PAGE: page };
  return compileStages(kernel, { specialization: { ...specialization(problem), dims }, target });
}

describe.skipIf("reason" in emulation)("attention over pages in roles", () => {
  it("equals the reference", async () => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const cases = PROBLEMS.map((problem) => ({
      group: "kernels" as const,
      name: problem.name,
      kernel,
      specialization: specialization(problem),
      data: () => makeSample(pagedAttentionEntry, problem),
    }));
    const sinks: Problem = { ...WITH_SINKS, dtypes: { T: "bf16" } };
    cases.push({
      group: "kernels",
      name: sinks.name,
      kernel: pagedSinkAttentionEntry.kernel,
      specialization: specialization(sinks),
      data: () => makeSample(pagedSinkAttentionEntry, sinks),
    });
    const messages: string[] = [];
    for await (const result of runCases(device, cases))
      messages.push(`${result.case.name}: ${result.status} ${result.message}`.trim());
    expect(messages).toEqual([...PROBLEMS, sinks].map(({ name }) => `${name}: passed`));
  });

  it.each(PROBLEMS)("$name: is copied by pages, read back as it is printed", (problem) => {
    const { kernel: lowered, thread, scheduled, artifact } = stagesOf(problem);
    expect(lowered).toBeDefined();
    const messages = artifact.remarks.map(({ message }) => message).join("\n");
    expect(messages).toMatch(/while one thread copies/);
    expect(messages).toMatch(/the protocol holds for 0 to \d trips/);
    expect(scheduled).toMatch(/pages BN=\d+ \(/);
    expect(thread).toMatch(/swizzle 128 ragged 1/);
    const isPanelled = (problem.dims["D"] ?? 0) > 64;
    expect(/ grouped\n/.test(thread)).toBe(isPanelled);
    expect(printScheduled(parseScheduled(scheduled), { locations: true })).toBe(scheduled);
    const text = printThreadKernel(parseThreadKernel(thread));
    expect(printThreadKernel(parseThreadKernel(text))).toBe(text);
  });

  it("loads the entries of a trip once for keys and values, without asking where the list holds them all", () => {
    const [problem] = PROBLEMS;
    if (problem === undefined) throw new Error("no problem");
    const { source } = stagesOf(problem);
    // The loop over the trips of the role that copies: the last one that copies boxes.
    const loops = [...source.matchAll(/\n( *)for \(i32 n\w* = [\s\S]*?\n\1}/g)].map(
      ([text]) => text,
    );
    const copying = loops.filter((text) => text.includes("tw_tma_load"));
    expect(copying).toHaveLength(1);
    const [text = ""] = copying;
    const loads = text.match(/tw_ldg\w*<i32>\(table/g) ?? [];
    const asked = text.match(/\? tw_ldg\w*<i32>\(table/g) ?? [];
    // Four pages of 16 slots: all of them, or as many as the list has.
    expect([loads.length, asked.length]).toEqual([8, 4]);
  });

  it.each([
    ["pages that no pattern of a swizzle divides", 4, /pages of 4 rows are no multiple of 8/],
  ])("keeps to mma.sync for %s", (_, page, why) => {
    const [problem] = PROBLEMS;
    if (problem === undefined) throw new Error("no problem");
    const messages = stagesOf(problem, page).artifact.remarks.map(({ message }) => message);
    expect(messages.join("\n")).toMatch(why);
  });
});
