/** [engine/cli] Values of flags that are name=value, several joined by commas: their one syntax. What the names mean is checked where they are used. */
import { InvalidArgumentError } from "commander";
import { DTYPE_NAMES, didYouMeanDType, isDType } from "../../dsl/index.ts";
import { integer } from "./model-flags.ts";

/** Wishes of a schedule have a dot in their name: `schedule.splitK`. */
const PAIR = /^(\w+(?:\.\w+)*)=([^\s=]+)$/;

/**
 * `BM=128, BN=256` in order.
 * @param example of a single one, for the message
 * @throws InvalidArgumentError for anything else
 */
export function pairsOf(text: string, example: string): readonly (readonly [string, string])[] {
  return text.split(",").map((pair) => {
    const [, name, value] = PAIR.exec(pair.trim()) ?? [];
    if (name === undefined || value === undefined)
      throw new InvalidArgumentError(
        `it must be name=value, for example ${example}; several are joined by commas.`,
      );
    return [name, value];
  });
}

/** `BM=128,BN=256,fast=true`; wishes of a schedule as `schedule.swap=false`. */
export function configList(text: string): Readonly<Record<string, number | boolean>> {
  return Object.fromEntries(
    pairsOf(text, "BM=128").map(([name, value]) => [name, configValue(value)]),
  );
}

function configValue(text: string): number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return integer(text);
}

/** `configList`, added to those before. */
export function configPairs(
  text: string,
  before: Readonly<Record<string, number | boolean>>,
): Readonly<Record<string, number | boolean>> {
  return { ...before, ...configList(text) };
}

/** `M=16,N=16`, added to those before. */
export function integerPairs(
  text: string,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const pairs = pairsOf(text, "N=1024").map(([name, value]) => [name, integer(value)] as const);
  return { ...before, ...Object.fromEntries(pairs) };
}

/** `T=bf16,O=f32`, or `bf16` for every variable that takes it, added to those before: one each, with a dtype that there is. */
export function dtypeFlags(text: string, before: readonly string[]): readonly string[] {
  const flags = text.split(",").map((part) => part.trim());
  for (const flag of flags) {
    const [, name] = /^(?:\w+=)?([^\s=]+)$/.exec(flag) ?? [];
    if (name === undefined)
      throw new InvalidArgumentError(
        "it must be a dtype or name=dtype, for example bf16 or T=bf16; several are joined by commas.",
      );
    if (isDType(name)) continue;
    const [meant = ""] = didYouMeanDType(name).split(" Else ");
    throw new InvalidArgumentError(
      `'${name}' is no dtype; ${meant && `${meant} `}known: ${DTYPE_NAMES.join(", ")}.`,
    );
  }
  return [...before, ...flags];
}

/** `eps=1e-5,scale=2`, added to those before. */
export function scalarPairs(
  text: string,
  before: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const pairs = pairsOf(text, "eps=1e-5").map(([name, value]) => {
    if (Number.isFinite(Number(value))) return [name, Number(value)] as const;
    throw new InvalidArgumentError("it must be name=number, several joined by commas.");
  });
  return { ...before, ...Object.fromEntries(pairs) };
}
