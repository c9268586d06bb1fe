/** [engine/weights/quantization] quantization_config of compressed-tensors: groups of modules, each with a scheme for weights and activations. */
import { z } from "zod";
import { isNamed } from "./module-names.ts";
import { type ActivationScheme, refuse, type Scheme } from "./scheme.ts";

const argumentsSchema = z
  .object({
    num_bits: z.number(),
    type: z.string().default("int"),
    symmetric: z.boolean().default(true),
    strategy: z.string().nullish(),
    group_size: z.number().nullish(),
    block_structure: z.union([z.array(z.number()), z.string()]).nullish(),
    dynamic: z.union([z.boolean(), z.string()]).default(false),
    actorder: z.union([z.string(), z.boolean()]).nullish(),
  })
  .loose();

const groupSchema = z
  .object({
    targets: z.array(z.string()).default(["Linear"]),
    weights: argumentsSchema.nullish(),
    input_activations: argumentsSchema.nullish(),
    output_activations: z.unknown().optional(),
    format: z.string().nullish(),
  })
  .loose();

export const compressedSchema = z
  .object({
    format: z.string().default(""),
    config_groups: z.record(z.string(), groupSchema).default({}),
    ignore: z.array(z.string()).nullish(),
  })
  .loose();

type Config = z.infer<typeof compressedSchema>;
type Arguments = z.infer<typeof argumentsSchema>;

const TITLE = "compressed-tensors";

/** @returns the scheme of a module; undefined where no group targets it */
export function compressedSchemes(config: Config): (name: string) => Scheme | undefined {
  const groups = Object.values(config.config_groups).map((group) => ({
    targets: group.targets,
    scheme: schemeOf(group.format ?? config.format, group),
  }));
  const ignore = config.ignore ?? [];
  return (name) => {
    if (isNamed(ignore, name)) return undefined;
    const named = groups.find(({ targets }) => isNamed(targets, name));
    // A class of modules: all that are asked about are linear.
    return (named ?? groups.find(({ targets }) => targets.includes("Linear")))?.scheme;
  };
}

function schemeOf(format: string, group: z.infer<typeof groupSchema>): Scheme | undefined {
  const { weights, input_activations: activations } = group;
  if (weights === null || weights === undefined) return undefined;
  if (group.output_activations !== undefined && group.output_activations !== null)
    return refuse(`${TITLE} with quantized outputs of layers`);
  switch (format) {
    case "pack-quantized":
      return packedScheme(weights, activations ?? undefined);
    case "int-quantized":
      if (weights.type !== "int" || weights.num_bits !== 8 || !weights.symmetric)
        return refuse(`${TITLE} int-quantized with weights ${describe(weights)}`);
      return {
        kind: "eight-bit",
        dtype: "i8",
        scale: "weight_scale",
        weights: weightStrategy(weights, format, ["tensor", "channel"]),
        activations: activationScheme(activations ?? undefined, "int"),
      };
    case "float-quantized":
    case "naive-quantized":
      if (weights.type !== "float" || weights.num_bits !== 8 || !weights.symmetric)
        return refuse(`${TITLE} ${format} with weights ${describe(weights)}`);
      return {
        kind: "eight-bit",
        dtype: "f8e4m3",
        scale: "weight_scale",
        weights: weightStrategy(weights, format, ["tensor", "channel", "block"]),
        activations: activationScheme(activations ?? undefined, "float"),
      };
    default:
      return refuse(`${TITLE} in format ${format || "(none)"}`);
  }
}

function packedScheme(weights: Arguments, activations: Arguments | undefined): Scheme {
  const { num_bits: bits, type, strategy, group_size: size, actorder } = weights;
  if (type !== "int" || (bits !== 4 && bits !== 8) || activations !== undefined)
    return refuse(`${TITLE} pack-quantized with ${describe(weights)} and its activations`);
  const isGrouped = strategy === "group" || (strategy ?? undefined) === undefined;
  if (!isGrouped && strategy !== "channel")
    return refuse(`${TITLE} pack-quantized by ${String(strategy)}`);
  return {
    kind: "packed",
    bits,
    group: isGrouped && (size ?? -1) > 0 ? (size ?? 0) : 0,
    hasZeros: !weights.symmetric,
    isReordered: actorder === "group" || actorder === true,
  };
}

function weightStrategy<S extends string>(
  { strategy, block_structure: block }: Arguments,
  format: string,
  allowed: readonly S[],
): S {
  const found = allowed.find((one) => one === (strategy ?? "tensor"));
  if (found === undefined) return refuse(`${TITLE} ${format} with weights by ${String(strategy)}`);
  const blocks = typeof block === "string" ? block : block?.join("x");
  if (found === "block" && blocks !== "128x128")
    return refuse(`${TITLE} ${format} with blocks of ${String(blocks)}`);
  return found;
}

function activationScheme(given: Arguments | undefined, type: "int" | "float"): ActivationScheme {
  if (given === undefined) return "none";
  if (given.type !== type || given.num_bits !== 8 || !given.symmetric)
    return refuse(`${TITLE} with activations ${describe(given)}`);
  if (given.dynamic === false) {
    if ((given.strategy ?? "tensor") === "tensor") return "static";
    return refuse(`${TITLE} with static activations by ${String(given.strategy)}`);
  }
  if (given.dynamic !== true) return refuse(`${TITLE} with dynamic: ${given.dynamic}`);
  if (given.strategy === "group" && given.group_size === 128) return "group";
  // One scale found for all rows at a time would make a row's result depend on its batch.
  if (given.strategy === "token" || given.strategy === "tensor") return "token";
  return refuse(`${TITLE} with activations by ${String(given.strategy)}`);
}

function describe({ num_bits, type, symmetric }: Arguments): string {
  return `of ${num_bits}-bit ${type}${symmetric ? "" : ", asymmetric"}`;
}
