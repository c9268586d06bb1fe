/** [test/unit/codegen] What the execution tests share: both machines, or the printed reason for their absence; views of results. */
import { afterAll, describe } from "vitest";
import { cuda } from "../../../../codegen/targets/cuda/target.ts";
import { hip } from "../../../../codegen/targets/hip/target.ts";
import { openEmulation } from "../../../support/emulation.ts";
import {
  type Outputs,
  runOnEmulation,
  runOnWebGpu,
  type ThreadCase,
} from "../../../support/thread-kernels.ts";
import { openSoftwareGpu, type WebGpu } from "../../../support/webgpu-run.ts";

export interface Machine {
  readonly kind: "emulation" | "gpu";
  /** Lanes that shuffle together. */
  readonly warpSize: number;
  /** Runs all cases at the first call of the result, which gives the outputs of one case or throws what was wrong with it. */
  readonly batch: (cases: readonly ThreadCase[]) => (id: string) => Promise<Outputs>;
}

function skip(name: string, reason: string): void {
  console.warn(`skipped: ${name}: ${reason}`);
  describe.skip(`${name} (${reason})`, () => {});
}

type RunAll = (cases: readonly ThreadCase[]) => Promise<ReadonlyMap<string, Outputs | Error>>;

function batchOf(runAll: RunAll): Machine["batch"] {
  return (cases) => {
    let results: ReturnType<RunAll> | undefined;
    return async (id) => {
      results ??= runAll(cases);
      const result = (await results).get(id);
      if (result === undefined) throw new Error(`no case ${id}`);
      if (result instanceof Error) throw result;
      return result;
    };
  };
}

async function runAllOnGpu(
  gpu: WebGpu,
  cases: readonly ThreadCase[],
): Promise<ReadonlyMap<string, Outputs | Error>> {
  const results = new Map<string, Outputs | Error>();
  for (const one of cases) {
    results.set(one.id, await runOnWebGpu(gpu, one).catch((cause) => cause as Error));
  }
  return results;
}

/** Describes tests for every machine that opens here: CUDA and HIP text on the emulation, WGSL on a software GPU. */
export async function describeMachines(
  name: string,
  tests: (machine: Machine) => void,
): Promise<void> {
  const emulation = openEmulation();
  if ("reason" in emulation) skip(`${name}: emulation`, emulation.reason);
  else {
    for (const target of [cuda, hip]) {
      const batch = batchOf(async (cases) => runOnEmulation(emulation, cases, target));
      const { warpSize } = target.defaultSpec();
      describe(`${name}: ${target.name} on the emulation`, () =>
        tests({ kind: "emulation", batch, warpSize }));
    }
  }
  const gpu = await openSoftwareGpu();
  if ("reason" in gpu) {
    skip(`${name}: software GPU`, gpu.reason);
    return;
  }
  const batch = batchOf((cases) => runAllOnGpu(gpu, cases));
  describe(`${name}: wgsl on a software GPU`, () => {
    tests({ kind: "gpu", batch, warpSize: gpu.subgroupSize });
    afterAll(() => gpu.close());
  });
}

function view(outputs: Outputs, name: string): Uint8Array {
  const bytes = outputs[name];
  if (bytes === undefined) throw new Error(`no output ${name}`);
  return bytes;
}

export function floats(outputs: Outputs, name: string): Float32Array {
  return new Float32Array(view(outputs, name).slice().buffer);
}

export function words(outputs: Outputs, name: string): Uint32Array {
  return new Uint32Array(view(outputs, name).slice().buffer);
}

export function integers(outputs: Outputs, name: string): Int32Array {
  return new Int32Array(view(outputs, name).slice().buffer);
}

export function halves(outputs: Outputs, name: string): Uint16Array {
  return new Uint16Array(view(outputs, name).slice().buffer);
}

export function octets(outputs: Outputs, name: string): Uint8Array {
  return view(outputs, name);
}

/** Distance of two floats in units of the last place of `b`; equal bits, or both NaN, give 0. */
export function ulps(a: number, b: number): number {
  if (Object.is(a, b) || (Number.isNaN(a) && Number.isNaN(b))) return 0;
  const key = (x: number): number => {
    const [bits = 0] = new Int32Array(new Float32Array([x]).buffer);
    return bits < 0 ? -(bits & 0x7fffffff) : bits;
  };
  return Math.abs(key(a) - key(b));
}
