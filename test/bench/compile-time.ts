/** [test/bench] Our own part of a compile, TypeScript to text: first use in this process, then warm, for every catalogue kernel and target. */
import { cpus } from "node:os";
import { KERNEL_ENTRIES, makeSample } from "../../dsl/kernels/catalogue.ts";
import { compile, TARGET_NAMES, TARGETS, type TargetName } from "../../index.ts";

const ROUNDS = 10;
const ARCH: Readonly<Record<TargetName, string | undefined>> = {
  cuda: "sm_90a",
  hip: "gfx90a",
  wgsl: undefined,
};

/** CPU time in ms: other work on the machine does not count. */
function cpuMs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** WebGPU adapters offer 32 KiB of workgroup memory nearly everywhere; the default of 16 KiB is the guaranteed least. */
function specOf(target: TargetName) {
  const spec = TARGETS[target].defaultSpec(ARCH[target]);
  return target === "wgsl" ? { ...spec, maxSharedBytes: 32768 } : spec;
}

const warmMs: Record<string, Record<string, number>> = {};
let firstMs: number | undefined;
for (const entry of KERNEL_ENTRIES) {
  const problem = entry.samples.at(-1);
  if (problem === undefined) continue;
  const { specialization } = makeSample(entry, problem);
  const times: Record<string, number> = {};
  for (const target of TARGET_NAMES) {
    const request = { specialization, target: specOf(target) };
    const once = () => void compile(entry.kernel, request);
    const first = cpuMs(once);
    firstMs ??= first;
    times[target] =
      Math.round(Math.min(...Array.from({ length: ROUNDS }, () => cpuMs(once))) * 10) / 10;
  }
  warmMs[entry.kernel.name] = times;
}
const worst = Math.max(...Object.values(warmMs).flatMap((times) => Object.values(times)));
process.stdout.write(
  `${JSON.stringify({ cpu: `${cpus().length} × ${cpus()[0]?.model}`, node: process.versions.node, unit: `ms of CPU time, best of ${ROUNDS}`, firstMs, worst, warmMs }, undefined, 1)}\n`,
);
