/** [dsl/frontend] From a definition to its HIR program: finds the source, converts it, resolves what it captures. */
import type { DefinitionSite, KernelDefinition, Specialization } from "../definition.ts";
import { opOf } from "../ops/define-op.ts";
import { CaptureResolver } from "./captures.ts";
import type { HirProgram, HirReference } from "./hir.ts";
import { type Problems, Unwind } from "./problems.ts";
import { type FoundSource, findDeviceFunction, findKernel, type Reading } from "./read-source.ts";
import { sourceSpan } from "./syntax.ts";

/** Adds what is wrong to `reading.problems`; the program is whole only when nothing was added. */
export function buildProgram(
  definition: Pick<KernelDefinition, "name" | "site" | "params">,
  functions: Specialization["functions"],
  reading: Reading,
): HirProgram {
  const found = findKernel(definition, reading);
  const captures = new CaptureResolver(reading);
  const { file, call } = found;
  const value = call.argument(1, reading.problems, file.display);
  if (value?.kind === "invalid") throw new Unwind(); // what it is was reported where it stands
  if (value === undefined || value.kind !== "function") {
    return reading.problems.fail(
      "TW1022",
      {
        message: `the body of kernel '${definition.name}' is not a function literal`,
        seen:
          value === undefined
            ? "no second argument"
            : `${value.kind === "name" ? `the name '${value.name}'` : "another expression"}`,
        expected:
          "kernel({ … }, ({ a, b, … }, { BM, … }) => { … }), with the function written in place",
        remedy:
          "move the function into the call; shared parts go into functions that the body calls",
      },
      { span: sourceSpan(file.display, value?.span ?? call.span) },
    );
  }
  const fn = { ...value, fn: { ...value.fn, name: definition.name } };
  const body = captures.addRoot(definition.name, file, value.span, fn);
  const references: Record<string, HirReference> = {};
  for (const [name, param] of Object.entries(definition.params)) {
    if (param.kind !== "function") continue;
    references[name] = functionFor(
      name,
      functions?.[name],
      param.fallback,
      found,
      captures,
      reading,
    );
  }
  return {
    name: definition.name,
    body,
    functions: references,
    declarations: captures.declarations,
  };
}

function functionFor(
  name: string,
  given: unknown,
  fallback: unknown,
  found: FoundSource,
  captures: CaptureResolver,
  reading: Reading,
): HirReference {
  if (given !== undefined) return givenFunction(name, given, captures, reading);
  const value = found.call.fallbackOf(name, reading.problems, found.file.display);
  if (value === undefined) return givenFunction(name, fallback, captures, reading);
  return { kind: "declaration", index: captures.addRoot(name, found.file, value.span, value) };
}

/** A function that came as a JavaScript value: an op, or one that knows its place. */
function givenFunction(
  name: string,
  given: unknown,
  captures: CaptureResolver,
  reading: Reading,
): HirReference {
  const op = opOf(given);
  if (op !== undefined) return { kind: "op", name: op.name };
  const site = siteOf(given);
  if (site === undefined) return plainFunction(name, given, reading.problems);
  return { kind: "declaration", index: addFunction(name, site, captures, reading) };
}

/** Reports a function that is neither an op nor made by `deviceFunction`. */
export function plainFunction(name: string, given: unknown, problems: Problems): never {
  return problems.fail("TW1023", {
    message: `the function given for '${name}' does not know where it was written`,
    seen:
      typeof given === "function"
        ? `the plain function ${given.name || "(without a name)"}`
        : String(given),
    expected: "an op such as silu, or a function made by deviceFunction((x) => …)",
    remedy: "wrap it where it is written: export const f = deviceFunction((x: number) => …)",
  });
}

/** The program of a function made by `deviceFunction`: its body is the function. */
export function buildFunctionProgram(
  name: string,
  site: DefinitionSite,
  reading: Reading,
): HirProgram {
  const captures = new CaptureResolver(reading);
  const body = addFunction(name, site, captures, reading);
  return { name, body, functions: {}, declarations: captures.declarations };
}

function addFunction(
  name: string,
  site: DefinitionSite,
  captures: CaptureResolver,
  reading: Reading,
): number {
  const { file, call } = findDeviceFunction(site, name, reading);
  const value = call.argument(0, reading.problems, file.display);
  if (value?.kind === "function" || value?.kind === "name") {
    return captures.addRoot(name, file, value.span, value);
  }
  return reading.problems.fail(
    "TW1024",
    {
      message: "deviceFunction() needs a function written in place",
      seen: "another expression",
      expected: "deviceFunction((x: number) => …)",
      remedy: "write the function as the argument of deviceFunction",
    },
    { span: sourceSpan(file.display, call.span) },
  );
}

/** Where a device function was written, if `value` is one. */
export function siteOf(value: unknown): DefinitionSite | undefined {
  if (typeof value !== "function" || !("site" in value)) return undefined;
  return value.site as DefinitionSite;
}
