/** [engine/weights/quantization] quantization_config → which scheme each module has. Tensors are read elsewhere. */
import { z } from "zod";
import { ModelError } from "../../../dsl/index.ts";
import { describeMisfit } from "../../misfit.ts";
import { compressedSchema, compressedSchemes } from "./compressed-tensors.ts";
import { expressionOf, isNamed } from "./module-names.ts";
import { type EightBitScheme, refuse, type Scheme } from "./scheme.ts";

/** What is known of a quantized checkpoint before its tensors are read. */
export interface QuantizationPlan {
  /** Scheme of a module; undefined where its weight is plain. */
  schemeOf(name: string): Scheme | undefined;
}

const names = z.array(z.string()).nullish();
const gptqSchema = z
  .object({
    bits: z.number(),
    group_size: z.number().int().default(-1),
    checkpoint_format: z.string().default("gptq"),
    lm_head: z.boolean().default(false),
    dynamic: z.record(z.string(), z.unknown()).nullish(),
    modules_to_not_convert: names,
  })
  .loose();
const awqSchema = z
  .object({
    bits: z.number().optional(),
    w_bit: z.number().optional(),
    group_size: z.number().int().optional(),
    q_group_size: z.number().int().optional(),
    version: z.string().default("gemm"),
    modules_to_not_convert: names,
  })
  .loose();
const fp8Schema = z
  .object({
    activation_scheme: z.enum(["static", "dynamic"]).default("dynamic"),
    weight_block_size: z.array(z.number()).nullish(),
    ignored_layers: names,
    modules_to_not_convert: names,
  })
  .loose();
const bitsAndBytesSchema = z
  .object({
    load_in_4bit: z.boolean().optional(),
    load_in_8bit: z.boolean().optional(),
    bnb_4bit_quant_type: z.string().default("fp4"),
    llm_int8_skip_modules: names,
  })
  .loose();
const mxfp4Schema = z.object({ modules_to_not_convert: names }).loose();

/**
 * @param config the section of config.json; undefined or null for a plain checkpoint
 * @throws ModelError TW4211 for fields that do not fit, UnsupportedError TW4212 for schemes that are not supported
 */
export function planQuantization(config: unknown): QuantizationPlan | undefined {
  if (config === undefined || config === null) return undefined;
  const method = (config as { readonly quant_method?: unknown }).quant_method;
  return { schemeOf: schemesOf(String(method), config) };
}

function schemesOf(method: string, config: unknown): (name: string) => Scheme | undefined {
  switch (method) {
    case "gptq":
      return gptqSchemes(parse(gptqSchema, config));
    case "awq":
      return awqSchemes(parse(awqSchema, config));
    case "fp8":
      return fp8Schemes(parse(fp8Schema, config));
    case "compressed-tensors":
      return compressedSchemes(parse(compressedSchema, config));
    case "bitsandbytes": {
      const given = parse(bitsAndBytesSchema, config);
      const { bnb_4bit_quant_type: type, load_in_4bit: isFour } = given;
      if (isFour !== true) return refuse("bitsandbytes with 8 bits");
      if (type !== "nf4") return refuse(`bitsandbytes with ${type}`);
      return excluding({ kind: "nf4" }, given.llm_int8_skip_modules);
    }
    case "mxfp4":
      return excluding({ kind: "mxfp4" }, parse(mxfp4Schema, config).modules_to_not_convert);
    default:
      return refuse(method);
  }
}

function gptqSchemes(config: z.infer<typeof gptqSchema>): (name: string) => Scheme | undefined {
  const { bits, group_size: group, checkpoint_format: format, dynamic } = config;
  if (bits !== 4) return refuse(`gptq with ${bits} bits`);
  if (format !== "gptq" && format !== "gptq_v2") return refuse(`gptq in format ${format}`);
  const rules = Object.keys(dynamic ?? {});
  const other = rules.find((rule) => !rule.startsWith("-:"));
  if (other !== undefined) return refuse(`gptq with a rule of its own for ${other}`);
  const skipped = rules.map((rule) => expressionOf(rule.slice(2)));
  const scheme = {
    kind: "gptq",
    group: groupOf(group),
    adjust: format === "gptq" ? 1 : 0,
  } as const;
  const plain = config.lm_head ? [] : ["lm_head"];
  const rest = excluding(scheme, [...plain, ...(config.modules_to_not_convert ?? [])]);
  return (name) => (skipped.some((rule) => rule.test(name)) ? undefined : rest(name));
}

function awqSchemes(config: z.infer<typeof awqSchema>): (name: string) => Scheme | undefined {
  const bits = config.bits ?? config.w_bit;
  const version = config.version.toLowerCase();
  if (bits !== 4) return refuse(`awq with ${String(bits)} bits`);
  if (version !== "gemm") return refuse(`awq in version ${version}`);
  const group = groupOf(config.group_size ?? config.q_group_size ?? -1);
  const plain = ["lm_head", ...(config.modules_to_not_convert ?? [])];
  return excluding({ kind: "awq", group }, plain);
}

function fp8Schemes(config: z.infer<typeof fp8Schema>): (name: string) => Scheme | undefined {
  const { weight_block_size: block, activation_scheme: activations } = config;
  const isBlock = block !== null && block !== undefined;
  if (isBlock && block.join("×") !== "128×128")
    return refuse(`fp8 with blocks of ${block.join("×")}`);
  if (isBlock && activations === "static") return refuse("fp8 with blocks and static activations");
  const scheme: EightBitScheme = {
    kind: "eight-bit",
    dtype: "f8e4m3",
    weights: isBlock ? "block" : "tensor",
    scale: isBlock ? "weight_scale_inv" : "weight_scale",
    activations: isBlock ? "group" : activations === "static" ? "static" : "token",
  };
  return excluding(scheme, [
    ...(config.ignored_layers ?? []),
    ...(config.modules_to_not_convert ?? []),
  ]);
}

function excluding(
  scheme: Scheme,
  plain: readonly string[] | null | undefined,
): (name: string) => Scheme | undefined {
  return (name) => (isNamed(plain ?? [], name) ? undefined : scheme);
}

function groupOf(size: number): number {
  return Math.max(size, 0);
}

function parse<T>(schema: z.ZodType<T>, config: unknown): T {
  const parsed = schema.safeParse(config);
  if (parsed.success) return parsed.data;
  throw new ModelError(
    parsed.error.issues.map((issue) => {
      const { field, seen, expected } = describeMisfit(issue, config);
      return {
        code: "TW4211" as const,
        message: `config.json: field 'quantization_config.${field}' does not fit`,
        seen,
        expected,
        remedy: "correct the file, or use another checkpoint of the model",
      };
    }),
  );
}
