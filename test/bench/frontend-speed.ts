/** [test/bench] Prints the front end's speed: first use with the parser's import, then each kernel of the catalogue warm and cold. Run with tsx. */
import type { Specialization } from "../../dsl/definition.ts";
import { lowerKernel } from "../../dsl/frontend/lower-kernel.ts";
import { SourceCache } from "../../dsl/frontend/source-cache.ts";
import { KERNEL_ENTRIES, type KernelEntry } from "../../dsl/kernels/catalogue.ts";

/** Wall and processor milliseconds of one call. The second is what counts on a busy machine. */
function timed(run: () => void): { readonly wallMs: number; readonly cpuMs: number } {
  const cpu = process.cpuUsage();
  const start = performance.now();
  run();
  const wallMs = performance.now() - start;
  const used = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (used.user + used.system) / 1000 };
}

function best(rounds: number, run: () => void): number {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) least = Math.min(least, timed(run).wallMs);
  return least;
}

function specialization(entry: KernelEntry): Specialization {
  const problem = entry.samples[entry.samples.length - 1];
  const { specialize } = entry.kernel;
  return {
    dtypes: problem?.dtypes ?? {},
    config: problem?.config ?? {},
    dims: Object.fromEntries(specialize.map((dim) => [dim, problem?.dims[dim] ?? 1])),
    ...(problem?.functions === undefined ? {} : { functions: problem.functions }),
  };
}

const [first] = KERNEL_ENTRIES;
if (first !== undefined) {
  const { wallMs, cpuMs } = timed(() => void lowerKernel(first.kernel, specialization(first)));
  console.log(
    `first use, parser imported (${first.kernel.name}): ${wallMs.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms of processor time`,
  );
}
console.log("kernel                     warm ms   source read and parsed again ms");
for (const entry of KERNEL_ENTRIES) {
  const spec = specialization(entry);
  const warm = best(20, () => void lowerKernel(entry.kernel, spec));
  const cold = best(5, () => void lowerKernel(entry.kernel, spec, new SourceCache()));
  console.log(
    `${entry.kernel.name.padEnd(24)} ${warm.toFixed(2).padStart(9)} ${cold.toFixed(2).padStart(9)}`,
  );
}
