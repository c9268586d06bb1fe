/** [dsl/frontend] Binds a definition to dtypes, config and dims: checks that they conform, and makes the body's arguments. */

import { type DType, isDType } from "../core/dtype.ts";
import type { Location } from "../core/location.ts";
import { didYouMean } from "../core/similar-name.ts";
import type { KernelDefinition, Specialization } from "../definition.ts";
import type { Param, TensorDim } from "../ir/nodes.ts";
import { SCHEDULE_REMEDY, WISHES, wishOfKey } from "../schedule.ts";
import { type AbstractValue, constant, type DimValue, runtime } from "./abstract-value.ts";
import { dimNames } from "./check-definition.ts";
import type { Lowering } from "./lowering.ts";
import type { Problems } from "./problems.ts";

/** A definition with everything bound that is known at compile time. */
export interface Bound {
  readonly definition: KernelDefinition;
  readonly params: readonly Param[];
  readonly dtypes: Readonly<Record<string, DType>>;
  readonly config: Readonly<Record<string, number | boolean>>;
  /** Dims bound at launch, in order of first appearance. */
  readonly dims: readonly string[];
  readonly fixedDims: Readonly<Record<string, number>>;
}

/** Adds what does not fit to `problems`. */
export function bindSpecialization(
  definition: KernelDefinition,
  spec: Specialization,
  problems: Problems,
): Bound {
  const dtypes = bindDTypes(definition, spec, problems);
  const config = bindConfig(definition, spec, problems);
  const fixedDims = bindDims(definition, spec, problems);
  checkFunctions(definition, spec, problems);
  const params = Object.entries(definition.params).flatMap(([name, param]): readonly Param[] => {
    if (param.kind === "function") return [];
    if (param.kind === "scalar") return [{ kind: "scalar", name, dtype: param.dtype }];
    const dtype = isDType(param.dtype) ? param.dtype : (dtypes[param.dtype] ?? "f32");
    return [
      {
        kind: "tensor",
        name,
        dtype,
        shape: param.shape.map((dim) => bindDim(dim, fixedDims)),
        access: param.access,
        ...(param.packed === true ? { packed: true as const } : {}),
      },
    ];
  });
  const dims = dimNames(definition).filter((name) => fixedDims[name] === undefined);
  return { definition, params, dtypes, config, dims, fixedDims };
}

function bindDim(dim: string | number, fixed: Readonly<Record<string, number>>): TensorDim {
  if (typeof dim === "number") return { size: dim };
  const size = fixed[dim];
  return size === undefined ? { name: dim } : { name: dim, size };
}

function bindDTypes(
  definition: KernelDefinition,
  spec: Specialization,
  problems: Problems,
): Readonly<Record<string, DType>> {
  const bound: Record<string, DType> = {};
  for (const [name, choices] of Object.entries(definition.dtypes)) {
    const given = spec.dtypes?.[name];
    if (given !== undefined && choices.includes(given)) bound[name] = given;
    else {
      problems.add("TW1010", {
        message: `kernel '${definition.name}': the dtype variable ${name} ${given === undefined ? "is not bound" : `cannot be ${given}`}`,
        seen:
          given === undefined
            ? `dtypes: ${JSON.stringify(spec.dtypes ?? {})}`
            : `${name}: "${given}"`,
        expected: choices.join(", "),
        remedy: `pass dtypes: { ${name}: "${choices[0]}" }${given === undefined ? "" : ", or add the dtype to the kernel's list"}`,
      });
    }
  }
  reportUnknown(
    definition,
    "dtype variable",
    Object.keys(spec.dtypes ?? {}),
    Object.keys(definition.dtypes),
    problems,
  );
  return bound;
}

interface CommonConfig {
  readonly takes: (value: unknown) => boolean;
  readonly expected: string;
}

/** Config values that every kernel has, whether it names them or not: those that carry the wishes of a schedule. */
export const COMMON_CONFIG: Readonly<Record<string, CommonConfig>> = Object.fromEntries(
  Object.values(WISHES).map((wish) => [wish.config, wish] as const),
);

const NONE: CommonConfig = { takes: () => true, expected: "" };

function bindConfig(
  definition: KernelDefinition,
  spec: Specialization,
  problems: Problems,
): Readonly<Record<string, number | boolean>> {
  for (const [key, value] of Object.entries(spec.config ?? {})) {
    const initial = definition.config[key];
    const wrong =
      initial !== undefined &&
      (typeof value !== typeof initial || (typeof value === "number" && !Number.isFinite(value)));
    if (!wrong) continue;
    problems.add("TW1011", {
      message: `kernel '${definition.name}': the config value ${key} is of the wrong type`,
      seen: `${key}: ${typeof value === "number" ? value : JSON.stringify(value)}`,
      expected: `a ${typeof initial}, like the default ${String(initial)}`,
      remedy: "pass a value of that type",
    });
  }
  const wishes = Object.keys(spec.config ?? {}).filter((key) => wishOfKey(key) !== undefined);
  for (const key of wishes) {
    const { takes, expected } = wishOfKey(key) ?? NONE;
    const value = spec.config?.[key];
    if (value === undefined || takes(value)) continue;
    problems.add("TW1011", {
      message: `kernel '${definition.name}': the config value ${key} is none that a schedule takes`,
      seen: `${key}: ${JSON.stringify(value) ?? String(value)}`,
      expected,
      remedy: "correct it, or leave it out: the compiler chooses then",
    });
  }
  reportUnknown(
    definition,
    "config value",
    Object.keys(spec.config ?? {}),
    [...Object.keys(definition.config), ...Object.keys(COMMON_CONFIG), ...wishes],
    problems,
  );
  const config = { ...definition.config, ...spec.config };
  checkWhen(definition, config, problems);
  return config;
}

/** A config that the kernel itself rules out would run and give wrong numbers. */
function checkWhen(
  { name, when, tune }: KernelDefinition,
  config: Readonly<Record<string, number | boolean>>,
  problems: Problems,
): void {
  if (when === undefined || when(config)) return;
  problems.add("TW1014", {
    message: `kernel '${name}': its when() rules this config out`,
    seen: JSON.stringify(config),
    expected: "a config for which when() is true",
    remedy: `choose other values${Object.keys(tune).length > 0 ? `, for example of those that tune names: ${JSON.stringify(tune)}` : ""}`,
  });
}

function bindDims(
  definition: KernelDefinition,
  spec: Specialization,
  problems: Problems,
): Readonly<Record<string, number>> {
  const fixed: Record<string, number> = {};
  for (const name of definition.specialize) {
    const size = spec.dims?.[name];
    if (size !== undefined && Number.isInteger(size) && size >= 0 && size < 2 ** 31)
      fixed[name] = size;
    else {
      problems.add("TW1012", {
        message: `kernel '${definition.name}': the dim ${name} is specialised and needs a size`,
        seen: size === undefined ? `dims: ${JSON.stringify(spec.dims ?? {})}` : `${name}: ${size}`,
        expected: "an integer from 0 to 2147483647",
        remedy: `pass dims: { ${name}: … }; a launch takes it from the tensors`,
      });
    }
  }
  reportUnknown(
    definition,
    "specialised dim",
    Object.keys(spec.dims ?? {}),
    definition.specialize,
    problems,
  );
  return fixed;
}

function checkFunctions(
  definition: KernelDefinition,
  spec: Specialization,
  problems: Problems,
): void {
  const known = Object.entries(definition.params).flatMap(([name, param]) =>
    param.kind === "function" ? [name] : [],
  );
  reportUnknown(definition, "function param", Object.keys(spec.functions ?? {}), known, problems);
}

function reportUnknown(
  definition: KernelDefinition,
  what: string,
  given: readonly string[],
  known: readonly string[],
  problems: Problems,
): void {
  for (const name of given) {
    if (known.includes(name)) continue;
    problems.add("TW1013", {
      message: `kernel '${definition.name}' has no ${what} '${name}'`,
      seen: `'${name}'`,
      expected: known.join(", ") || "none",
      remedy:
        what === "config value" && name === "schedule"
          ? SCHEDULE_REMEDY
          : `${didYouMean(name, known)}check the spelling, or leave it out`,
    });
  }
}

/** The body's two arguments. */
export function bodyArguments(
  lw: Lowering,
  bound: Bound,
  functions: Readonly<Record<string, AbstractValue>>,
  loc: Location,
): readonly [AbstractValue, AbstractValue] {
  const fields: Record<string, AbstractValue> = { ...functions };
  for (const param of bound.params) {
    if (param.kind === "tensor") fields[param.name] = { kind: "tensor", param };
    else defineScalar(lw, fields, param.name, param.dtype, loc);
  }
  for (const name of dimNames(bound.definition)) fields[name] = dimOf(name, bound.fixedDims[name]);
  for (const [variable, dtype] of Object.entries(bound.dtypes))
    fields[variable] = { kind: "dtype", dtype, variable };
  const config: Record<string, AbstractValue> = {};
  for (const [key, value] of Object.entries(bound.config)) {
    config[key] = typeof value === "boolean" ? constant(value) : dimOf(key, value);
  }
  return [
    { kind: "object", fields },
    { kind: "object", fields: config },
  ];
}

/** A scalar is read where it is first named, so that one which the body leaves out costs nothing. */
function defineScalar(
  lw: Lowering,
  fields: Record<string, AbstractValue>,
  name: string,
  dtype: DType,
  loc: Location,
): void {
  const get = (): AbstractValue =>
    runtime(lw.builder.once("param", dtype, name, { param: name, loc }));
  Object.defineProperty(fields, name, { get, enumerable: true });
}

function dimOf(name: string, size: number | undefined): DimValue {
  return size === undefined ? { kind: "dim", name } : { kind: "dim", name, size };
}
