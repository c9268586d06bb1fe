/** [runtime/bench] Descriptions of foreign CUDA texts, read and checked: how to compile, launch and feed a kernel that is not ours. */
import { type Diagnostic, type DType, isDType, LaunchError, nodeModule } from "../../dsl/index.ts";
import { type Expression, evaluate, type Scope } from "./expression.ts";

const { readFileSync } = nodeModule("node:fs");
const { dirname, resolve } = nodeModule("node:path");

export const FOREIGN_FORMAT = "tilewright-foreign-1";

/** One argument of the foreign kernel, in its order. */
export type ForeignArgument = { readonly when?: Expression } & (
  | {
      readonly kind: "map";
      /** A tensor of our kernel. */
      readonly tensor: string;
      /** In elements, in the tensor's order of dims. */
      readonly box: readonly Expression[];
      readonly swizzle: 0 | 32 | 64 | 128;
    }
  | { readonly kind: "tensor"; readonly tensor: string }
  /** 32 bits by value. */
  | { readonly kind: "word"; readonly value: Expression }
  /** Memory of its own, filled once with an f32 (0 where none is given); one for each set of tensors. */
  | { readonly kind: "scratch"; readonly bytes: Expression; readonly fill: number }
);

/** A kernel of a foreign text and the calls that it computes. All expressions are over the scope of `scopeOf`. */
export interface ForeignText {
  readonly format: typeof FOREIGN_FORMAT;
  readonly name: string;
  /** Names of our kernels that compute the same. */
  readonly computes: readonly string[];
  readonly dtypes: Readonly<Record<string, DType>>;
  /** Texts that are joined, relative to the folder of the description or to another that the caller names. */
  readonly files: readonly string[];
  readonly entry: string;
  /** Defaults of the constants that the text takes as macros. */
  readonly defines: Readonly<Record<string, number>>;
  /** Defaults of what only the expressions use. */
  readonly settings: Readonly<Record<string, number>>;
  /** Further names, each from those before it. */
  readonly derived: Readonly<Record<string, Expression>>;
  readonly variants: readonly ForeignVariant[];
  readonly threads: Expression;
  readonly sharedBytes: Expression;
  readonly cluster: Expression;
  readonly grid: readonly [Expression, Expression, Expression];
  readonly dependentLaunch: boolean;
  readonly arguments: readonly ForeignArgument[];
  /** Way of summing, for the bounds of the check. */
  readonly accumulation: "f32" | "fp8-fast";
  /** Folder in which `files` are found. */
  readonly folder: string;
}

/** Constants for some problems. The first whose `for` holds is run; with `all` every one. */
export interface ForeignVariant {
  readonly name: string;
  /** 1 where the variant is meant for the problem; every problem where absent. */
  readonly for?: Expression;
  readonly defines: Readonly<Record<string, number>>;
  readonly settings: Readonly<Record<string, number>>;
}

/** Facts of the device that expressions may use beside dims and constants. */
export interface ForeignDevice {
  /** Multiprocessors. */
  readonly SMS: number;
  /** Clusters of this kernel that run at once; multiprocessors where it has none. */
  readonly CLUSTERS: number;
}

/**
 * Reads a description.
 * @param folder where its files lie, if not beside it
 * @throws LaunchError TW3311 with everything that is wrong with it
 */
export function readForeign(path: string, folder?: string): ForeignText {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw invalid(path, [
      { seen: error instanceof Error ? error.message : String(error), expected: "a JSON file" },
    ]);
  }
  return parseForeign(json, path, folder ?? dirname(resolve(path)));
}

/** The scope of a variant for a problem: dims, constants, device facts, then what is derived from them. */
export function scopeOf(
  text: ForeignText,
  variant: ForeignVariant,
  dims: Scope,
  device: ForeignDevice,
): Scope {
  const scope: Record<string, number> = {
    ...dims,
    ...text.settings,
    ...text.defines,
    ...variant.settings,
    ...variant.defines,
    ...device,
  };
  for (const [name, value] of Object.entries(text.derived))
    scope[name] = evaluate(value, scope, `${text.name}, derived ${name}`);
  return scope;
}

/** Variants that are meant for a problem. */
export function variantsFor(text: ForeignText, dims: Scope): readonly ForeignVariant[] {
  return text.variants.filter(({ name, for: condition }) => {
    const scope = { ...text.settings, ...text.defines, ...dims };
    return condition === undefined || evaluate(condition, scope, `${text.name}, ${name}`) !== 0;
  });
}

type Json = Readonly<Record<string, unknown>>;
interface Problem {
  readonly seen: string;
  readonly expected: string;
}

/** @throws LaunchError TW3311 */
export function parseForeign(json: unknown, path: string, folder: string): ForeignText {
  const problems: Problem[] = [];
  const text = isRecord(json) ? readText(json, folder, problems) : undefined;
  if (text === undefined) problems.push({ seen: typeof json, expected: "an object" });
  if (text === undefined || problems.length > 0) throw invalid(path, problems);
  return text;
}

function readText(json: Json, folder: string, problems: Problem[]): ForeignText {
  const expect = (ok: boolean, key: string, expected: string) => {
    if (!ok) problems.push({ seen: `${key}: ${JSON.stringify(json[key])}`, expected });
  };
  const strings = (key: string) => {
    const ok = isList(json[key], isString) && (json[key] as readonly string[]).length > 0;
    expect(ok, key, `${key}: one or more strings`);
    return ok ? (json[key] as readonly string[]) : [];
  };
  const expression = (key: string, fallback?: Expression): Expression => {
    const value = json[key] ?? fallback;
    expect(isExpression(value), key, `${key}: a number or an expression`);
    return isExpression(value) ? value : 0;
  };
  expect(json["format"] === FOREIGN_FORMAT, "format", `format: "${FOREIGN_FORMAT}"`);
  expect(isString(json["name"]), "name", "name: a string");
  expect(isString(json["entry"]), "entry", "entry: the kernel's name in the text");
  const dtypes = record(json["dtypes"], isDType);
  expect(dtypes !== undefined, "dtypes", "dtypes: a dtype for each variable of our kernel");
  const grid = json["grid"];
  expect(isList(grid, isExpression) && grid.length <= 3, "grid", "grid: one to three expressions");
  const [x = 1, y = 1, z = 1] = isList(grid, isExpression) ? grid : [];
  const derived = record(json["derived"] ?? {}, isExpression);
  expect(derived !== undefined, "derived", "derived: expressions by name");
  const accumulation = json["accumulation"] ?? "f32";
  expect(
    accumulation === "f32" || accumulation === "fp8-fast",
    "accumulation",
    "accumulation: f32 or fp8-fast",
  );
  return {
    format: FOREIGN_FORMAT,
    name: String(json["name"]),
    computes: strings("computes"),
    dtypes: dtypes ?? {},
    files: strings("files"),
    entry: String(json["entry"]),
    defines: numbers(json, "defines", problems),
    settings: numbers(json, "settings", problems),
    derived: derived ?? {},
    variants: readVariants(json, problems),
    threads: expression("threads"),
    sharedBytes: expression("sharedBytes", 0),
    cluster: expression("cluster", 1),
    grid: [x, y, z],
    dependentLaunch: json["dependentLaunch"] === true,
    arguments: readArguments(json["arguments"], problems),
    accumulation: accumulation === "fp8-fast" ? "fp8-fast" : "f32",
    folder,
  };
}

function readVariants(json: Json, problems: Problem[]): readonly ForeignVariant[] {
  const list = json["variants"] ?? [{ name: "default" }];
  if (!isList(list, isRecord) || list.length === 0) {
    problems.push({ seen: `variants: ${JSON.stringify(list)}`, expected: "a list of objects" });
    return [];
  }
  return list.map((variant) => {
    if (
      !isString(variant["name"]) ||
      !(variant["for"] === undefined || isExpression(variant["for"]))
    )
      problems.push({
        seen: JSON.stringify(variant),
        expected: "a variant with a name, and an expression under `for`",
      });
    return {
      name: String(variant["name"]),
      ...(isExpression(variant["for"]) ? { for: variant["for"] } : {}),
      defines: numbers(variant, "defines", problems),
      settings: numbers(variant, "settings", problems),
    };
  });
}

function readArguments(value: unknown, problems: Problem[]): readonly ForeignArgument[] {
  if (!isList(value, isRecord)) {
    problems.push({ seen: `arguments: ${JSON.stringify(value)}`, expected: "a list of objects" });
    return [];
  }
  return value.flatMap((argument): ForeignArgument[] => {
    const when = isExpression(argument["when"]) ? { when: argument["when"] } : {};
    const { map, box, tensor, word, scratch, fill = 0, swizzle = 0 } = argument;
    if (isString(map) && isList(box, isExpression) && isSwizzle(swizzle))
      return [{ kind: "map", tensor: map, box, swizzle, ...when }];
    if (isString(tensor)) return [{ kind: "tensor", tensor, ...when }];
    if (isExpression(word)) return [{ kind: "word", value: word, ...when }];
    if (isExpression(scratch) && typeof fill === "number")
      return [{ kind: "scratch", bytes: scratch, fill, ...when }];
    problems.push({
      seen: JSON.stringify(argument),
      expected:
        '{"map": tensor, "box": […], "swizzle": 0, 32, 64 or 128}, {"tensor": name}, {"word": expression} or {"scratch": bytes, "fill": number}',
    });
    return [];
  });
}

function numbers(json: Json, key: string, problems: Problem[]): Readonly<Record<string, number>> {
  const found = record(json[key] ?? {}, (value) => Number.isInteger(value) as boolean);
  if (found === undefined)
    problems.push({
      seen: `${key}: ${JSON.stringify(json[key])}`,
      expected: `${key}: whole numbers by name`,
    });
  return (found ?? {}) as Readonly<Record<string, number>>;
}

function record<T>(
  value: unknown,
  is: ((item: unknown) => item is T) | ((item: unknown) => boolean),
): Readonly<Record<string, T>> | undefined {
  return isRecord(value) && Object.values(value).every((item) => is(item))
    ? (value as Readonly<Record<string, T>>)
    : undefined;
}

function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isString(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
function isExpression(value: unknown): value is Expression {
  return Number.isInteger(value) || isString(value);
}
function isSwizzle(value: unknown): value is 0 | 32 | 64 | 128 {
  return value === 0 || value === 32 || value === 64 || value === 128;
}
function isList<T>(value: unknown, is: (item: unknown) => item is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

function invalid(path: string, problems: readonly Problem[]): LaunchError {
  return new LaunchError(
    problems.map(
      ({ seen, expected }): Diagnostic => ({
        code: "TW3311",
        message: `the description of a foreign text cannot be used: ${path}`,
        seen,
        expected,
        remedy: "correct the file; runtime/README.md shows the format",
      }),
    ),
  );
}
