/** [test/unit/codegen] Every tile pass, in the order of each target, keeps what random kernels compute; so does the whole way down to threads. */
import { describe, expect, it } from "vitest";
import { createContext } from "../../../../codegen/passes/pass.ts";
import { cudaPipeline } from "../../../../codegen/targets/cuda/pipeline.ts";
import { wgslPipeline } from "../../../../codegen/targets/wgsl/pipeline.ts";
import { parseKernel, printKernel, verifyKernel } from "../../../../dsl/index.ts";
import { type RandomKernel, randomKernel } from "../../../support/random-tile-ir.ts";
import {
  runTextOnThreads,
  THREAD_TARGET_NAMES,
  THREAD_TARGETS,
} from "../../../support/run-threads.ts";
import { runText, type TensorInput } from "../../../support/run-tile-ir.ts";

type Outputs = Readonly<Record<string, readonly number[]>>;

function inputOf(kernel: RandomKernel) {
  const tensors: Record<string, TensorInput> = { ...kernel.inputs };
  for (const [name, shape] of Object.entries(kernel.outputs)) tensors[name] = { shape };
  return { tensors, scalars: kernel.scalars };
}

/** Largest difference, relative above 1; equal NaNs and infinities do not differ. */
function worstDifference(kernel: RandomKernel, want: Outputs, got: Outputs): number {
  let worst = 0;
  for (const name of Object.keys(kernel.outputs)) {
    want[name]?.forEach((a, i) => {
      const b = got[name]?.[i] ?? Number.NaN;
      if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return;
      const difference = Math.abs(a - b) / Math.max(1, Math.abs(a));
      worst = Math.max(worst, Number.isNaN(difference) ? Infinity : difference);
    });
  }
  return worst;
}

const SEEDS = Array.from({ length: 24 }, (_, i) => 500 + i);
/** Sums may run in another order, and f16 and bf16 results may then round the other way. */
const TOLERANCE = 2e-2;

describe("tile passes", () => {
  it.each(SEEDS)("keep what random kernel %i computes, each pass", (seed) => {
    const kernel = randomKernel(seed, 20);
    const input = inputOf(kernel);
    const want = runText(kernel.text, input);
    for (const pipeline of [cudaPipeline, wgslPipeline]) {
      const isCuda = pipeline === cudaPipeline;
      const spec = THREAD_TARGETS[isCuda ? "cuda, warps of 32" : "wgsl, no subgroups"];
      const context = createContext(spec, {});
      let tile = parseKernel(kernel.text);
      for (const pass of pipeline.tile) {
        tile = pass.run(tile, context);
        verifyKernel(tile, pass.name);
        const got = runText(printKernel(tile), input);
        expect(worstDifference(kernel, want, got), `seed ${seed}, ${pass.name}`).toBeLessThan(
          TOLERANCE,
        );
      }
    }
  });
});

describe("the way down to threads", () => {
  it.each(SEEDS.slice(0, 12))("keeps what random kernel %i computes", (seed) => {
    const kernel = randomKernel(seed, 16);
    const input = inputOf(kernel);
    const want = runText(kernel.text, input);
    for (const name of THREAD_TARGET_NAMES) {
      const { outputs, problems } = runTextOnThreads(kernel.text, input, name);
      expect(problems, `seed ${seed}, ${name}`).toEqual([]);
      expect(worstDifference(kernel, want, outputs), `seed ${seed}, ${name}`).toBeLessThan(
        TOLERANCE,
      );
    }
  });
});
