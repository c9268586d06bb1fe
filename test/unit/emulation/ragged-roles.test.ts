/** [test/unit/emulation] Attention over keys of ragged sequences, and the products that make them of latents, in warp roles as text for sm_90a run on the CPU. */
import { describe, expect, it } from "vitest";
import { compileStages } from "../../../codegen/index.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import {
  type KernelEntry,
  makeSample,
  type Problem,
  type Sequence,
} from "../../../dsl/kernels/catalogue.ts";
import { mlaExpandEntry } from "../../../dsl/kernels/mla-expand.ts";
import { raggedAttentionEntry, raggedProblem } from "../../../dsl/kernels/ragged-attention.ts";
import { runCases } from "../../../runtime/conformance/run.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

const emulation = openEmulation();
const target = cudaSpec("sm_90a");
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const CASES: readonly { readonly entry: KernelEntry; readonly problem: Problem }[] = [
  raggedProblem(
    "head dims 192 and 128, past, few keys and none between",
    11,
    { hq: 2, h: 1, first: 1, d: 192, dv: 128 },
    [seq(130, 201), seq(3, 3), seq(1, 0), seq(66, 66)],
    { BM: 128, BN: 96 },
  ),
]
  .map((problem) => ({ entry: raggedAttentionEntry as KernelEntry, problem }))
  .concat({
    entry: mlaExpandEntry,
    problem: {
      name: "part of a head's weight, rows past a block",
      seed: 13,
      dims: { C: 270, R: 72, HW: 2, WR: 256, H: 1, NY: 192 },
      config: { BM: 256, BN: 128, BK: 64, stages: 3, WIDTH: 128 },
      options: { firstHead: 1, first: 128 },
    },
  })
  .map(({ entry, problem }) => ({ entry, problem: { ...problem, dtypes: { T: "bf16" } } }));

describe.skipIf("reason" in emulation)("ragged attention in roles", () => {
  it("equals the reference, as do the products that make keys", async () => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const cases = CASES.map(({ entry, problem: { name, dtypes, config = {}, ...rest } }) => ({
      group: "kernels" as const,
      name,
      kernel: entry.kernel,
      specialization: { dtypes, config },
      data: () => makeSample(entry, { name, dtypes, config, ...rest }),
    }));
    const messages: string[] = [];
    for await (const result of runCases(device, cases))
      messages.push(`${result.case.name}: ${result.status} ${result.message}`.trim());
    expect(messages).toEqual(CASES.map(({ problem }) => `${problem.name}: passed`));
  });

  it.each(CASES)("$problem.name: one thread copies", ({ entry, problem }) => {
    const { dtypes, config = {}, dims } = problem;
    const fixed = entry === mlaExpandEntry ? {} : { D: dims["D"] ?? 0, DV: dims["DV"] ?? 0 };
    const { artifact } = compileStages(entry.kernel, {
      specialization: { dtypes, config, dims: fixed },
      target,
      divisibility: { R: 8, NY: 16 },
    });
    const messages = artifact.remarks.map(({ message }) => message).join("\n");
    expect(messages).toMatch(/while one thread copies/);
    expect(messages).toMatch(/the protocol holds for 0 to \d trips/);
  });
});
