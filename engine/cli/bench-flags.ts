/** [engine/cli] Parsers of the flags of `bench` and `tune`: shapes, dtypes, modes. */
import { InvalidArgumentError } from "commander";
import {
  type DType,
  didYouMeanDType,
  isDType,
  type KernelDefinition,
  RequestError,
} from "../../dsl/index.ts";
import { dimNamesOf, type TimingMode } from "../../runtime/index.ts";

/** Sizes by dim for a kernel. */
export type Shape = (kernel: KernelDefinition) => Readonly<Record<string, number>>;

const MODES: readonly TimingMode[] = ["cold", "sustained", "layers"];

/** `M=1,N=2,K=3` by name, or `1x2x3` in the order of the kernel's dims. */
export function shapeOf(text: string): Shape {
  if (/^\d+(x\d+)*$/.test(text)) {
    const sizes = text.split("x").map(Number);
    return (kernel) => {
      const names = dimNamesOf(kernel);
      if (names.length === sizes.length)
        return Object.fromEntries(names.map((name, i) => [name, sizes[i] ?? 0]));
      throw new RequestError({
        code: "TW4412",
        message: `the sizes do not match the dims of kernel '${kernel.name}'`,
        seen: `${sizes.length} sizes, ${text}`,
        expected: `${names.length}: ${names.join("x")}`,
        remedy: `give --shape ${sizesOf(kernel)}`,
      });
    };
  }
  const pairs = text.split(",").map((pair) => /^(\w+)=(\d+)$/.exec(pair.trim()));
  if (pairs.some((pair) => pair === null))
    throw new InvalidArgumentError("it must be M=4096,N=4096,K=4096 or 4096x4096x4096.");
  const dims = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", Number(pair?.[2])]));
  return () => dims;
}

/** What a shape of this kernel looks like. */
export function sizesOf(kernel: KernelDefinition): string {
  return dimNamesOf(kernel)
    .map((name) => `${name}=…`)
    .join(",");
}

export function modeList(text: string): readonly TimingMode[] {
  const modes = text.split(",").map((name) => MODES.find((mode) => mode === name.trim()));
  if (modes.includes(undefined))
    throw new InvalidArgumentError(`it must be among ${MODES.join(", ")}, joined by commas.`);
  return modes.flatMap((mode) => (mode === undefined ? [] : [mode]));
}

/**
 * Dtype variables bound by flags: `bf16` binds all that allow it, `T=bf16` one; several joined by commas.
 * @throws RequestError TW4416 for a dtype or variable that the kernel does not have
 */
export function dtypesOf(
  kernel: KernelDefinition,
  flags: readonly string[],
): Readonly<Record<string, DType>> {
  const bound: Record<string, DType> = {};
  for (const flag of flags.flatMap((text) => text.split(",")).map((text) => text.trim())) {
    const [, variable, name] = /^(?:(\w+)=)?(\w+)$/.exec(flag) ?? [];
    const targets = Object.keys(kernel.dtypes).filter(
      (key) =>
        (variable === undefined || key === variable) &&
        isDType(name) &&
        kernel.dtypes[key]?.includes(name),
    );
    if (targets.length === 0 || !isDType(name)) {
      const allowed = Object.entries(kernel.dtypes).map(
        ([key, list]) => `${key}: ${list.join(" ")}`,
      );
      throw new RequestError({
        code: "TW4416",
        message: `kernel '${kernel.name}' has no dtype variable for this`,
        seen: `--dtype ${flag}`,
        expected: allowed.join("; ") || "no --dtype",
        remedy: `${didYouMeanDType(name ?? flag)}choose among these`,
      });
    }
    for (const key of targets) bound[key] = name;
  }
  return bound;
}
