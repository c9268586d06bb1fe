/** [engine/cli] `tilewright build`: kernels compiled ahead of time into a folder of texts, binaries, manifests and types. */
import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import {
  type Artifact,
  describeExport,
  describeVariant,
  type KernelManifest,
  type KernelVariant,
  TARGET_NAMES,
  TARGETS,
  type TargetName,
  type TargetSpec,
  targetNamed,
} from "../../codegen/index.ts";
import {
  COMMON_CONFIG,
  DeviceError,
  dimNames,
  type KernelDefinition,
  RequestError,
  wishOfKey,
} from "../../dsl/index.ts";
import { compileCodeObject, compileCubin, KernelCache } from "../../runtime/index.ts";
import { packageVersion } from "../version.ts";
import { exportModule, exportTypes } from "./build-types.ts";
import { writeOutput } from "./flag-file.ts";
import { kernelsOf } from "./kernel-file.ts";
import { collect } from "./kernel-jobs.ts";
import {
  addSpecializationFlags,
  checkDivisible,
  DEFAULT_ARCHES,
  type SpecializationFlags,
  specialization,
} from "./specialization-flags.ts";

interface BuildFlags extends SpecializationFlags {
  readonly kernel: readonly string[];
  readonly target: readonly TargetSpec[];
  readonly output: string;
  readonly as?: string;
}

export function addBuild(program: Command): void {
  const command = program
    .command("build")
    .description("compile kernels ahead of time: texts, cubins, manifests and types in a folder")
    .argument("<files...>", "TypeScript or JavaScript files that export kernels")
    .option("--kernel <name>", "a kernel of the files; may be repeated (default: all)", collect, [])
    .requiredOption(
      "--target <name[:arch]>",
      `cuda:sm_90a, hip:gfx942 or wgsl; may be repeated (without an architecture: ${DEFAULT_ARCHES.join(", ")})`,
      targetList,
    );
  addSpecializationFlags(command)
    .requiredOption("-o, --output <folder>", "where the files are written")
    .option(
      "--as <name>",
      "name of the files and of the export, so that one folder holds a kernel in several specialisations (default: the kernel's)",
      exportName,
    )
    .action(run);
}

function targetList(text: string, before: readonly TargetSpec[] = []): readonly TargetSpec[] {
  const [name = "", arch] = text.split(":");
  if (!(TARGET_NAMES as readonly string[]).includes(name))
    throw new InvalidArgumentError(`it must be one of ${TARGET_NAMES.join(", ")}.`);
  return [...before, TARGETS[name as TargetName].defaultSpec(arch)];
}

function exportName(text: string): string {
  if (/^[A-Za-z]\w*$/.test(text)) return text;
  throw new InvalidArgumentError("it must be letters, digits and underscores, a letter first.");
}

async function run(files: readonly string[], flags: BuildFlags, command: Command): Promise<void> {
  const kernels = await chosenKernels(files, flags.kernel);
  if (flags.as !== undefined && kernels.length > 1)
    command.error("error: --as names one kernel: choose it by --kernel", { exitCode: 2 });
  checkUsed(kernels, flags);
  for (const kernel of kernels) buildKernel(kernel, ownFlags(kernel, flags), flags);
}

/** @throws RequestError TW4422 for a name that no file exports, or two kernels of one name */
async function chosenKernels(
  files: readonly string[],
  names: readonly string[],
): Promise<readonly KernelDefinition[]> {
  const all = (await Promise.all(files.map(kernelsOf))).flat();
  const isNamed = ([key, { name }]: (typeof all)[number]): boolean =>
    names.length === 0 || names.includes(key) || names.includes(name);
  const chosen = [...new Set(all.filter(isNamed).map(([, kernel]) => kernel))];
  const missing = names.filter(
    (name) => !all.some(([key, kernel]) => [key, kernel.name].includes(name)),
  );
  const seen = chosen.map(({ name }) => name);
  const twice = seen.filter((name, i) => seen.indexOf(name) !== i);
  if (missing.length === 0 && twice.length === 0 && chosen.length > 0) return chosen;
  throw new RequestError({
    code: "TW4422",
    message:
      twice.length > 0
        ? `two kernels would be written as '${twice[0]}'`
        : missing.length > 0
          ? `no file exports a kernel '${missing.join("', '")}'`
          : "the files export no kernels",
    seen: all.map(([, { name }]) => name).join(", ") || "no kernels",
    expected: "kernels with names of their own",
    remedy: "correct --kernel, or export the definitions that kernel() returns",
  });
}

/** With several kernels a flag is for those that have what it names; one that none has is a mistake. @throws RequestError TW4423 */
function checkUsed(kernels: readonly KernelDefinition[], flags: BuildFlags): void {
  const own = kernels.map((kernel) => ownFlags(kernel, flags));
  for (const flag of ["dtype", "dim", "config", "divisible"] as const) {
    const given = (of: SpecializationFlags): readonly string[] =>
      flag === "dtype" ? of.dtype : Object.keys(of[flag]);
    const unused = given(flags).filter((name) => own.every((used) => !given(used).includes(name)));
    if (unused.length === 0) continue;
    throw new RequestError({
      code: "TW4423",
      message: `no kernel that is built has what --${flag} names`,
      seen: unused.join(", "),
      expected: kernels
        .map((kernel) => `${kernel.name}: ${namesFor(kernel, flag).join(", ") || "none"}`)
        .join("; "),
      remedy: "correct the name, or leave the flag out",
    });
  }
}

function namesFor(kernel: KernelDefinition, flag: keyof SpecializationFlags): readonly string[] {
  switch (flag) {
    case "dtype":
      return Object.entries(kernel.dtypes).map(([name, dtypes]) => `${name}=${dtypes.join("|")}`);
    case "dim":
      return kernel.specialize;
    case "config":
      return [...Object.keys(kernel.config), ...Object.keys(COMMON_CONFIG)];
    case "divisible":
      return dimNames(kernel).filter((dim) => !kernel.specialize.includes(dim));
    default:
      return flag satisfies never;
  }
}

/** `T=bf16` is for kernels with a T, which may yet refuse bf16; `bf16` for those with a variable that takes it. */
function hasDType({ dtypes }: KernelDefinition, flag: string): boolean {
  const [variable = "", name] = flag.split("=");
  if (name !== undefined) return Object.hasOwn(dtypes, variable);
  return Object.values(dtypes).some((allowed) => allowed.some((dtype) => dtype === variable));
}

function ownFlags(kernel: KernelDefinition, flags: BuildFlags): SpecializationFlags {
  const pick = <T>(
    flag: Exclude<keyof SpecializationFlags, "dtype">,
    values: Readonly<Record<string, T>>,
  ) => {
    const names = namesFor(kernel, flag);
    return Object.fromEntries(
      Object.entries(values).filter(
        ([name]) => names.includes(name) || (flag === "config" && wishOfKey(name) !== undefined),
      ),
    );
  };
  return {
    dtype: flags.dtype.filter((text) => hasDType(kernel, text)),
    dim: pick("dim", flags.dim),
    config: pick("config", flags.config),
    divisible: pick("divisible", flags.divisible),
  };
}

function buildKernel(
  kernel: KernelDefinition,
  own: SpecializationFlags,
  { target: targets, output, as: name = kernel.name }: BuildFlags,
): void {
  checkDivisible(kernel, own.divisible);
  const spec = specialization(kernel, own);
  const isFree = Object.keys(own.config).length === 0;
  const { config: _none, ...withoutConfig } = spec;
  const cache = new KernelCache(undefined);
  const write = (file: string, data: string | Uint8Array): void => {
    const path = join(output, file);
    writeOutput("--output", path, () => data, true);
    process.stderr.write(`${path}\n`);
  };
  const variants = targets.map((target) => {
    const artifact = cache.artifact(
      kernel,
      {
        specialization: isFree ? withoutConfig : spec,
        target,
        divisibility: own.divisible,
      },
      isFree, // a config that nobody asked for may give way to a smaller one where shared memory is short
    );
    return writeVariant(kernel, name, artifact, write);
  });
  const manifest: KernelManifest = describeExport(kernel, variants, packageVersion());
  write(`${name}.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  write(`${name}.js`, exportModule(name, manifest));
  write(`${name}.d.ts`, exportTypes(name, manifest));
}

function writeVariant(
  kernel: KernelDefinition,
  name: string,
  artifact: Artifact,
  write: (file: string, data: string | Uint8Array) => void,
): KernelVariant {
  const { target, arch } = artifact.target;
  const stem = arch === undefined ? name : `${name}.${arch}`;
  const text = `${stem}.${targetNamed(target).extension}`;
  write(text, artifact.text);
  const data = target === "wgsl" ? undefined : binaryOf(artifact);
  if (data === undefined) return describeVariant(kernel, artifact, { text });
  const file = `${stem}.${target === "cuda" ? "cubin" : "hsaco"}`;
  write(file, data);
  return describeVariant(kernel, artifact, { text, binary: { file, data } });
}

/** NVRTC is not there; the HIP runtime is not there; hiprtc is older than the architecture. */
const WITHOUT_BINARY: readonly string[] = ["TW3210", "TW3250", "TW3254"];

/** Without a compiler that takes it the text alone is written: a device that has the compiler does. */
function binaryOf(artifact: Artifact): Uint8Array | undefined {
  try {
    return artifact.target.target === "cuda" ? compileCubin(artifact) : compileCodeObject(artifact);
  } catch (error) {
    if (!(error instanceof DeviceError) || !WITHOUT_BINARY.includes(error.code)) throw error;
    const why = error.diagnostics[0]?.message ?? error.message;
    process.stderr.write(
      `no binary of ${artifact.kernel} for ${artifact.target.arch ?? ""}: ${why}\n`,
    );
    return undefined;
  }
}
