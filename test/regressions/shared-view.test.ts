/** [test/regressions] A view of a shared buffer was listed with the bytes of its slots laid end to end, fewer than it reaches over. */
import { expect, it } from "vitest";
import { createContext } from "../../codegen/passes/pass.ts";
import { runPasses } from "../../codegen/run-passes.ts";
import { TARGETS } from "../../codegen/targets/catalogue.ts";
import { lowerKernel } from "../../dsl/index.ts";
import { KERNEL_ENTRIES, makeSample } from "../../dsl/kernels/catalogue.ts";

it("a view of a shared buffer has the place and the elements of what it views", () => {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === "prefill_attention");
  const problem = entry?.samples.find(({ name }) => name.startsWith("large blocks, head dim 128"));
  if (entry === undefined || problem === undefined) throw new Error("no sample of large blocks");
  const { tile } = lowerKernel(entry.kernel, makeSample(entry, problem).specialization);
  // So little that the products walk their contraction in chunks of what is stored whole.
  const spec = { ...TARGETS.wgsl.defaultSpec(), maxThreads: 32, maxSharedBytes: 64 * 1024 };
  const { scheduled, thread } = runPasses(tile, TARGETS.wgsl.pipeline, createContext(spec, {}));
  const views = scheduled.shared.filter(({ aliasOf }) => aliasOf !== undefined);
  expect(views).not.toEqual([]);
  for (const { name, aliasOf } of views) {
    const [view, owner] = [name, aliasOf].map((one) => thread.shared.find((b) => b.name === one));
    expect(view).toEqual({ ...owner, name });
  }
});
