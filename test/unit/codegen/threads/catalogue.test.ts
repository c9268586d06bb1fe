/**
 * [test/unit/codegen] Every kernel of the catalogue as thread IR, run by all threads of every block, whole outputs against the references: each
 * kernel on every target, its samples in turn. The emulations and the drivers run every sample.
 */
import { describe, expect, it } from "vitest";
import { type KernelDefinition, lowerKernel } from "../../../../dsl/index.ts";
import { KERNEL_ENTRIES, makeSample, type Problem } from "../../../../dsl/kernels/catalogue.ts";
import {
  compileToThreads,
  THREAD_TARGET_NAMES,
  type ThreadTargetName,
} from "../../../support/run-threads.ts";
import { executeThreads } from "../../../support/thread-executor.ts";
import { compareTensors, formatComparison } from "../../../support/tolerance.ts";

/** Problems of more operations than this take seconds in the executor; the emulation and the drivers run those. */
const MOST_FLOPS = 60_000;

/** Activation dtypes that a target is tried with, sample by sample in turn. */
const DTYPES: Readonly<Record<ThreadTargetName, readonly string[]>> = {
  "cuda, warps of 32": ["f32", "bf16"],
  "hip, warps of 64": ["bf16"],
  "wgsl, no subgroups": ["f16", "f32"],
  "wgsl, subgroups of 4": ["bf16"],
};

/** What a kernel runs on a target: never nothing. */
function problemsOf(
  { samples, flops }: (typeof KERNEL_ENTRIES)[number],
  target: ThreadTargetName,
): readonly Problem[] {
  const small = samples.filter((problem) => flops(problem) <= MOST_FLOPS);
  const nameOf = ({ name }: Problem): string => name.replace(/, T=.*/, "");
  const names = [...new Set(small.map(nameOf))];
  const [dtypes, turn] = [DTYPES[target], THREAD_TARGET_NAMES.indexOf(target)];
  const chosen = small.filter((problem) => {
    const [place, dtype] = [names.indexOf(nameOf(problem)), problem.dtypes["T"]];
    const isTurn = place % THREAD_TARGET_NAMES.length === turn;
    return isTurn && (dtype === undefined || dtypes[place % dtypes.length] === dtype);
  });
  return chosen.length > 0 ? chosen : small.slice(-1);
}

function gridOf(
  kernel: KernelDefinition,
  dims: Readonly<Record<string, number>>,
  config: Readonly<Record<string, number>>,
): readonly [number, number, number] {
  const grid = kernel.grid(dims, config);
  const [x = 1, y = 1, z = 1] = typeof grid === "number" ? [grid] : grid;
  return [x, y, z];
}

/** What is wrong with one problem on one target; empty where nothing is. */
function runProblem(
  entry: (typeof KERNEL_ENTRIES)[number],
  problem: Problem,
  target: ThreadTargetName,
): readonly string[] {
  const sample = makeSample(entry, problem);
  const { tile } = lowerKernel(sample.kernel, sample.specialization);
  const kernel = compileToThreads(tile, target, sample.dims);
  const tensors = Object.fromEntries(
    Object.entries(sample.tensors).map(([name, { data }]) => [name, Float64Array.from(data)]),
  );
  const config = { ...sample.kernel.config, ...sample.specialization.config };
  const grid = gridOf(sample.kernel, sample.dims, config as Record<string, number>);
  const problems = executeThreads(kernel, {
    tensors,
    dims: sample.dims,
    scalars: sample.scalars,
    grid,
  });
  const wrong = Object.entries(sample.expected).flatMap(([name, { data, tolerance }]) => {
    const { dtype = "f32", shape = [] } = sample.tensors[name] ?? {};
    const comparison = compareTensors(tensors[name] ?? [], data, dtype, tolerance);
    return comparison.mismatches > 0 ? [formatComparison(name, shape, comparison)] : [];
  });
  return [...problems, ...wrong].map((line) => `${problem.name}: ${line}`);
}

describe.each(THREAD_TARGET_NAMES)("kernels on %s", (target) => {
  it.each(KERNEL_ENTRIES.map((entry) => [entry.kernel.name, entry] as const))(
    "%s",
    (_name, entry) => {
      const problems = problemsOf(entry, target);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.flatMap((problem) => runProblem(entry, problem, target))).toEqual([]);
    },
  );
});
