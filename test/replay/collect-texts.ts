/**
 * [test/replay] Compiles the catalogue and prints every text as JSON: `tsx collect-texts.ts [--all] [KERNEL …]`. Compares nothing.
 *
 * It is copied into older checkouts and run there, so it asks for no more than the public door and the catalogue.
 */
import { pathToFileURL } from "node:url";
import { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { compile, TARGETS, TilewrightError } from "../../index.ts";

/** A request as a line of a report, its text, or the code and message of its refusal. */
export type CollectedTexts = Readonly<Record<string, string>>;

const MACHINES = [
  ["cuda", "sm_80"],
  ["cuda", "sm_90a"],
  ["hip", "gfx90a"],
  ["hip", "gfx1100"],
  ["wgsl", undefined],
] as const;

type Entry = (typeof KERNEL_ENTRIES)[number];
type Problem = Entry["samples"][number];

function textOf({ kernel }: Entry, problem: Problem, machine: (typeof MACHINES)[number]): string {
  const [target, arch] = machine;
  const { dtypes, config = {}, functions } = problem;
  const dims = Object.fromEntries(kernel.specialize.map((dim) => [dim, problem.dims[dim] ?? 0]));
  const divisor = (size: number): number => [16, 8, 4, 2].find((by) => size % by === 0) ?? 1;
  const sizes = Object.entries(problem.dims).map(([dim, size]) => [dim, divisor(size)] as const);
  try {
    return compile(kernel, {
      specialization: { dtypes, config, dims, ...(functions && { functions }) },
      target: TARGETS[target].defaultSpec(arch),
      divisibility: Object.fromEntries(sizes),
    }).text;
  } catch (error) {
    if (!(error instanceof TilewrightError)) throw error;
    return `refused: ${error.message}`;
  }
}

/** The last problem of each kernel with every choice of dtypes, or every sample. */
function problemsOf({ samples }: Entry, isAll: boolean): readonly Problem[] {
  const plain = (problem: Problem): string => problem.name.replace(/, \w+=.*$/, "");
  const last = samples.at(-1);
  if (isAll || last === undefined) return samples;
  return samples.filter((problem) => plain(problem) === plain(last));
}

/** @param names kernels; all of the catalogue where there are none */
export function collectTexts(names: readonly string[], isAll = false): CollectedTexts {
  const entries = KERNEL_ENTRIES.filter(
    ({ kernel }) => names.length === 0 || names.includes(kernel.name),
  );
  return Object.fromEntries(
    entries.flatMap((entry) =>
      problemsOf(entry, isAll).flatMap((problem) =>
        MACHINES.map((machine) => [
          `${machine.filter((part) => part !== undefined).join(" ")}: ${entry.kernel.name}, ${problem.name}`,
          textOf(entry, problem, machine),
        ]),
      ),
    ),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const names = process.argv.slice(2).filter((word) => word !== "--all");
  process.stdout.write(JSON.stringify(collectTexts(names, process.argv.includes("--all"))));
}
