/** [dsl/frontend] Programs that a bundler plugin wrote into the code: reading them, and joining a kernel's with those of functions given to it. */
import type { DefinitionSite, KernelDefinition } from "../definition.ts";
import { opOf } from "../ops/define-op.ts";
import { plainFunction, siteOf } from "./build-program.ts";
import type { HirDeclaration, HirExcerpt, HirProgram, HirReference } from "./hir.ts";
import { readHir } from "./hir-print.ts";
import type { Problems } from "./problems.ts";

type Functions = Readonly<Record<string, unknown>>;

/** The kernel's program as the plugin wrote it; undefined where the source must be found. */
export function embeddedProgram({ site }: Pick<KernelDefinition, "site">): HirProgram | undefined {
  return site.embedded === undefined ? undefined : readHir(site.embedded);
}

/**
 * Puts functions into a kernel's program: ops by name, embedded functions with all they capture, others by `build`.
 * @param build the program of a function that has a place in a file; its body is the function
 */
export function joinFunctions(
  program: HirProgram,
  given: Functions,
  problems: Problems,
  build: (name: string, site: DefinitionSite) => HirProgram,
): HirProgram {
  return Object.entries(given).reduce((joined, [name, f]) => {
    const op = opOf(f);
    if (op !== undefined) return withFunction(joined, name, { kind: "op", name: op.name }, []);
    const site = siteOf(f);
    if (site === undefined) return plainFunction(name, f, problems);
    const other = site.embedded === undefined ? build(name, site) : readHir(site.embedded);
    const offset = joined.declarations.length;
    const declarations = other.declarations.map((declaration) => shifted(declaration, offset));
    const body = { kind: "declaration", index: other.body + offset } as const;
    return withFunction(joined, name, body, declarations, other.excerpts);
  }, program);
}

function withFunction(
  program: HirProgram,
  name: string,
  reference: HirReference,
  declarations: readonly HirDeclaration[],
  excerpts: readonly HirExcerpt[] = [],
): HirProgram {
  return {
    ...program,
    functions: { ...program.functions, [name]: reference },
    declarations: [...program.declarations, ...declarations],
    excerpts: [...(program.excerpts ?? []), ...excerpts],
  };
}

function shifted(declaration: HirDeclaration, offset: number): HirDeclaration {
  return { ...declaration, captures: shiftedAll(declaration.captures, offset) };
}

function shiftedAll(
  references: Readonly<Record<string, HirReference>>,
  offset: number,
): Readonly<Record<string, HirReference>> {
  return Object.fromEntries(
    Object.entries(references).map(([name, reference]) => [name, shiftedOne(reference, offset)]),
  );
}

function shiftedOne(reference: HirReference, offset: number): HirReference {
  if (reference.kind === "declaration") return { ...reference, index: reference.index + offset };
  if (reference.kind !== "namespace") return reference;
  return { ...reference, members: shiftedAll(reference.members, offset) };
}
