/** [codegen/text] Typed Handlebars: file skeletons filled from a checked context. The only user of handlebars. */
import Handlebars from "handlebars";
import { invariant } from "../../dsl/index.ts";
import { readAsset } from "./asset.ts";

/** What a field of a template's context is. An array of records gives the fields of one element. */
export type FieldSpec =
  | "string"
  | "number"
  | "boolean"
  | "strings"
  | { readonly each: ContextSpec };
export type ContextSpec = Readonly<Record<string, FieldSpec>>;

type FieldOf<S> = S extends "string"
  ? string
  : S extends "number"
    ? number
    : S extends "boolean"
      ? boolean
      : S extends "strings"
        ? readonly string[]
        : S extends { readonly each: infer E extends ContextSpec }
          ? readonly ContextOf<E>[]
          : never;

/** The TypeScript type of a context, derived from its spec. */
export type ContextOf<S extends ContextSpec> = { readonly [K in keyof S]: FieldOf<S[K]> };

function checkField(path: string, spec: FieldSpec, value: unknown): void {
  if (spec === "strings") {
    invariant(
      Array.isArray(value) && value.every((item) => typeof item === "string"),
      () => `template field ${path} must be an array of strings`,
    );
  } else if (typeof spec === "string") {
    invariant(typeof value === spec, () => `template field ${path} must be a ${spec}`);
  } else {
    invariant(Array.isArray(value), () => `template field ${path} must be an array`);
    for (const [i, item] of value.entries()) checkContext(`${path}[${i}]`, spec.each, item);
  }
}

function checkContext(path: string, spec: ContextSpec, value: unknown): void {
  invariant(typeof value === "object" && value !== null, () => `${path} must be a record`);
  const record = value as Readonly<Record<string, unknown>>;
  for (const [name, field] of Object.entries(spec)) {
    checkField(`${path}.${name}`, field, record[name]);
  }
  for (const name of Object.keys(record)) {
    invariant(Object.hasOwn(spec, name), () => `${path} has no field ${name}`);
  }
}

/** The line that says what a file is; not part of what it renders. */
const FILE_HEAD = /^\/\*\*.*\*\/\n/;

/**
 * Compiles a skeleton. Rendering checks every field against the spec, arrays included, then fills the text unescaped.
 * @throws InternalError from the returned function where the context does not fit, or the text names an unknown field
 */
export function template<const S extends ContextSpec>(
  file: URL,
  spec: S,
): (context: ContextOf<S>) => string {
  const name = file.pathname.split("/").at(-1) ?? "template";
  const render = Handlebars.create().compile(readAsset(file).replace(FILE_HEAD, ""), {
    noEscape: true,
    strict: true,
    knownHelpersOnly: true,
  });
  return (context) => {
    checkContext(name, spec, context);
    return render(context);
  };
}
