/** [engine/cli] `--config FILE` of serve: a YAML or JSON file of flags, put before the flags of the command line, which win. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { didYouMean, ModelError } from "../../dsl/index.ts";

/** Flags that are on where nothing is said. */
const NEGATABLE: ReadonlySet<string> = new Set(["enable-prefix-caching", "async-scheduling"]);

/**
 * Arguments with the flags of the file in front of the others. Lists are a flag with several values; true and false are the flag and its `--no-` form.
 * @param flags of the command; keys that are none are refused where it is given
 * @throws ModelError TW4317 for a file that is no record of flags
 */
export function expandConfig(
  args: readonly string[],
  flags?: readonly string[],
): readonly string[] {
  const [command, ...rest] = args;
  const path = command === "serve" ? configPath(rest) : undefined;
  if (command === undefined || path === undefined) return args;
  const config = readConfig(path);
  if (flags !== undefined) checkKeys(config, flags);
  // A model that is named comes first: behind several values of a flag it would be one of them.
  const isNamed = rest[0]?.startsWith("-") === false;
  const [named, others] = isNamed ? [rest.slice(0, 1), rest.slice(1)] : [[], rest];
  const { model: _named, ...unnamed } = config;
  return [command, ...named, ...flagsOf(isNamed ? unnamed : config, others), ...others];
}

/** @throws ModelError TW4317 with every key that is no flag */
function checkKeys(config: Readonly<Record<string, unknown>>, flags: readonly string[]): void {
  const known = flags.map((flag) => flag.replace(/^--(no-)?/, ""));
  const unknown = Object.keys(config).filter((key) => !known.includes(key.replaceAll("_", "-")));
  if (unknown.length === 0) return;
  throw new ModelError(
    unknown.map((key) => ({
      code: "TW4317",
      message: "a key of the file of --config is no flag of serve",
      seen: key,
      expected: "flags without their dashes; tilewright serve --help lists them",
      remedy: `${didYouMean(key, known)}take it out`,
    })),
  );
}

/** Those that the command line gives are left out: several values would add up instead. */
function flagsOf(
  config: Readonly<Record<string, unknown>>,
  given: readonly string[],
): readonly string[] {
  const names = new Set(given.map((arg) => arg.split("=", 1)[0]));
  return Object.entries(config)
    .map(([name, value]) => [name.replaceAll("_", "-"), value] as const)
    .filter(([flag]) => !names.has(`--${flag}`) && !names.has(`--no-${flag}`))
    .flatMap(flagOf);
}

function configPath(args: readonly string[]): string | undefined {
  const joined = args.find((arg) => arg.startsWith("--config="));
  if (joined !== undefined) return joined.slice("--config=".length);
  const at = args.indexOf("--config");
  return at < 0 ? undefined : args[at + 1];
}

function flagOf([flag, value]: readonly [string, unknown]): readonly string[] {
  if (value === true) return NEGATABLE.has(flag) ? [] : [`--${flag}`];
  if (value === false) return NEGATABLE.has(flag) ? [`--no-${flag}`] : [];
  const values = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  const texts = values.map((one) => {
    if (typeof one === "string" || typeof one === "number") return String(one);
    throw misfit(
      `${flag}: ${JSON.stringify(one)}`,
      "texts, numbers, true, false, or lists of them",
    );
  });
  const [only] = texts;
  // With `=` a single value may begin with a dash.
  return texts.length === 1 ? [`--${flag}=${only}`] : [`--${flag}`, ...texts];
}

function readConfig(path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parse(readFileSync(path, "utf8")); // JSON is YAML too
  } catch (cause) {
    throw misfit(String((cause as Error).message), "a YAML or JSON file");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw misfit(JSON.stringify(value), "a record of flags, as `port: 8000`");
}

function misfit(seen: string, expected: string): ModelError {
  return new ModelError({
    code: "TW4317",
    message: "the file of --config cannot be used",
    seen,
    expected,
    remedy: "correct the file",
  });
}
