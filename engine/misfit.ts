/** [engine] What a zod issue says, in the words of our errors: where, what was seen, what was expected. What the error is called is its caller's. */
import type { z } from "zod";

export interface Misfit {
  /** Path of the field, `a.0.b`; empty for the whole value. */
  readonly field: string;
  /** First step of the path. */
  readonly root: string | null;
  readonly seen: string;
  readonly expected: string;
}

/** Longest value that is shown whole. */
const MAX_SHOWN = 100;

/** @param whole the value that was parsed */
export function describeMisfit(issue: z.core.$ZodIssue, whole: unknown): Misfit {
  let value: unknown = whole;
  for (const step of issue.path) {
    value =
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<PropertyKey, unknown>>)[step]
        : undefined;
  }
  return {
    field: issue.path.join("."),
    root: issue.path.length === 0 ? null : String(issue.path[0]),
    seen: showValue(value),
    expected: expectedBy(issue),
  };
}

/** A value as JSON, cut where it is long; never fails. */
export function showValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "string" && value.length > MAX_SHOWN)
    return `${JSON.stringify(value.slice(0, MAX_SHOWN))}… (${value.length} characters)`;
  try {
    const text = JSON.stringify(value) ?? typeof value;
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  } catch {
    return "a value that is nested too deeply"; // JSON.stringify recurses, JSON.parse does not
  }
}

const NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "an integer",
  nonoptional: "a value",
  number: "a finite number",
  object: "an object",
  record: "an object",
  string: "a string",
};

/** A message that a schema gives of its own accord stands as it is; those of the library are put into our words. */
function expectedBy(issue: z.core.$ZodIssue): string {
  if (!/^(Invalid|Too small|Too big|Unrecognized)/.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return NAMES[issue.expected] ?? issue.expected;
    case "too_small":
      return bound(issue.origin, issue.inclusive === false ? "above" : "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, issue.inclusive === false ? "below" : "at most", issue.maximum);
    case "invalid_union":
      return [
        ...new Set(issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectedBy))),
      ].join(", or ");
    case "invalid_value":
      return issue.values.map(String).join(" or ");
    default:
      return issue.message;
  }
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  if (origin === "array") return `a list of ${relation} ${limit} items`;
  if (origin === "string") return `a string of ${relation} ${limit} characters`;
  return `${origin === "int" ? "an integer" : "a number"} ${relation} ${limit}`;
}
