/** [engine/cli] Flags that say what a kernel is specialised for, their checks, and the kernel with them. */
import type { Command } from "commander";
import { type CompileRequest, TARGET_NAMES, TARGETS } from "../../codegen/index.ts";
import {
  didYouMean,
  type KernelDefinition,
  RequestError,
  type Specialization,
} from "../../dsl/index.ts";
import type { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { dtypesOf } from "./bench-flags.ts";
import { entryOf, findKernel } from "./kernel-file.ts";
import { configPairs, dtypeFlags, integerPairs } from "./pair-flags.ts";

/** What a kernel is specialised for, as flags say it. */
export interface SpecializationFlags {
  /** `T=bf16`, or `bf16` for every variable that takes it; `dtypesOf` says which those are. */
  readonly dtype: readonly string[];
  readonly dim: Readonly<Record<string, number>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  readonly divisible: Readonly<Record<string, number>>;
}

/** `cuda sm_80`: what a target is compiled for where no architecture is named. */
export const DEFAULT_ARCHES = TARGET_NAMES.flatMap((name) => {
  const { arch } = TARGETS[name].defaultSpec();
  return arch === undefined ? [] : [`${name} ${arch}`];
});

/** What `--arch` takes, for the help of the commands that have it. */
export const ARCH_ABOUT = `architecture, for example sm_90a or gfx942 (default: ${DEFAULT_ARCHES.join(", ")})`;

export function addSpecializationFlags(command: Command): Command {
  return command
    .option(
      "--dtype <name>",
      "bf16 for every variable that takes it, or T=bf16 (by default the first that it allows; of the catalogue, the sample's)",
      dtypeFlags,
      [],
    )
    .option(
      "--dim <name=n>",
      "fixes a specialised dim (of the catalogue by default the sample's)",
      integerPairs,
      {},
    )
    .option(
      "--config <name=value>",
      "overrides config values, several joined by commas; a wish is schedule.splitK=2",
      configPairs,
      {},
    )
    .option("--divisible <dim=n>", "powers of two known to divide dims", integerPairs, {});
}

/**
 * The kernel and what it is specialised for; one of the catalogue takes what is not given from its largest sample, and a line on stderr says so.
 * @param file absent for the catalogue
 * @throws RequestError TW4402, TW4403, TW4404, TW4405, TW4410, TW4416
 */
export async function subjectOf(
  file: string | undefined,
  flags: SpecializationFlags & { readonly kernel?: string },
): Promise<{ readonly kernel: KernelDefinition } & Omit<CompileRequest, "target">> {
  const divisibility = flags.divisible;
  if (file !== undefined) {
    const kernel = await findKernel(file, flags.kernel);
    return { kernel, specialization: specialization(kernel, flags), divisibility };
  }
  const { kernel, samples } = entryOf(flags.kernel ?? "");
  const sample = sampleSpecialization(kernel, samples);
  const { functions } = samples.at(-1) ?? {};
  const dtypes = dtypesOf(kernel, flags.dtype);
  noteAssumed(kernel, sample, { dims: flags.dim, dtypes });
  return {
    kernel,
    divisibility,
    specialization: {
      dtypes: { ...sample.dtypes, ...dtypes },
      dims: { ...sample.dims, ...flags.dim },
      config: flags.config,
      ...(functions && { functions }),
    },
  };
}

/** Says what nobody asked for: the same kernel from a file would be refused, or take other dtypes. */
function noteAssumed(
  kernel: KernelDefinition,
  sample: Specialization,
  given: Pick<Specialization, "dims" | "dtypes">,
): void {
  const assumed = (["dim", "dtype"] as const).flatMap((flag) => {
    const key = `${flag}s` as const;
    return Object.entries(sample[key] ?? {})
      .filter(([name]) => given[key]?.[name] === undefined)
      .map(([name, value]) => ({ pair: `${name}=${value}`, flag: `--${flag} ${name}=…` }));
  });
  if (assumed.length === 0) return;
  const pairs = assumed.map(({ pair }) => pair).join(", ");
  const flags = assumed.map(({ flag }) => flag).join(" ");
  const note = `${kernel.name}: ${pairs} assumed, as in the kernel's largest sample; ${flags} says otherwise`;
  process.stderr.write(`${note}\n`);
}

/**
 * Dims of launch alone have divisors; a misspelt one would change nothing and say nothing.
 * @throws RequestError TW4406
 */
export function checkDivisible(
  kernel: KernelDefinition,
  given: SpecializationFlags["divisible"],
): void {
  const dims = [
    ...new Set(
      Object.values(kernel.params).flatMap((param) => (param.kind === "tensor" ? param.shape : [])),
    ),
  ].filter((dim): dim is string => typeof dim === "string" && !kernel.specialize.includes(dim));
  const unknown = Object.keys(given).filter((name) => !dims.includes(name));
  if (unknown.length === 0) return;
  throw new RequestError({
    code: "TW4406",
    message: `kernel '${kernel.name}' has no such dim that is bound at launch`,
    seen: unknown.map((name) => `--divisible ${name}`).join(", "),
    expected: dims.join(", ") || "none",
    remedy: `${didYouMean(unknown[0] ?? "", dims)}correct the name; the size of a specialised dim is given by --dim`,
  });
}

/** Dtypes and dims of the largest sample, so that `--all` needs no flags. */
export function sampleSpecialization(
  kernel: KernelDefinition,
  samples: (typeof KERNEL_ENTRIES)[number]["samples"],
): Specialization {
  const sample = samples.at(-1);
  const dims = Object.fromEntries(
    kernel.specialize.map((name) => [name, sample?.dims[name] ?? 64]),
  );
  return { dtypes: sample?.dtypes ?? {}, dims };
}

/** @throws RequestError TW4402 where a specialised dim has no size, TW4416 for dtypes that the kernel does not take */
export function specialization(
  kernel: KernelDefinition,
  flags: SpecializationFlags,
): Specialization {
  const missing = kernel.specialize.filter((name) => flags.dim[name] === undefined);
  if (missing.length > 0) {
    throw new RequestError({
      code: "TW4402",
      message: `kernel '${kernel.name}' is specialised for dims that have no size yet`,
      seen: Object.keys(flags.dim).join(", ") || "no --dim",
      expected: missing.map((name) => `--dim ${name}=…`).join(" "),
      remedy: "add these flags",
    });
  }
  const first = Object.entries(kernel.dtypes).flatMap(([name, allowed]) =>
    allowed[0] === undefined ? [] : [[name, allowed[0]] as const],
  );
  return {
    dtypes: { ...Object.fromEntries(first), ...dtypesOf(kernel, flags.dtype) },
    dims: flags.dim,
    config: flags.config,
  };
}
