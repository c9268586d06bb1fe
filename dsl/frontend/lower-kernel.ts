/** [dsl/frontend] From a kernel definition and a specialisation to tile IR: the whole front end in order. */
import { InternalError, invariant } from "../core/errors.ts";
import { keepSources } from "../core/kernel-sources.ts";
import type { KernelDefinition, Specialization } from "../definition.ts";
import type { TileKernel } from "../ir/nodes.ts";
import { opOf } from "../ops/define-op.ts";
import { type AbstractValue, UNDEFINED } from "./abstract-value.ts";
import { buildFunctionProgram, buildProgram, siteOf } from "./build-program.ts";
import { embeddedProgram, joinFunctions } from "./embedded.ts";
import type { HirProgram } from "./hir.ts";
import { lowerExpression } from "./lower-expression.ts";
import { bindPattern, callFunction, lowerStatements } from "./lower-statement.ts";
import { Lowering, type Steps } from "./lowering.ts";
import { ModuleScopes } from "./module-scopes.ts";
import { Problems } from "./problems.ts";
import { type Reading, SourceSet } from "./read-source.ts";
import { Scope } from "./scope.ts";
import { type Dependency, SourceCache } from "./source-cache.ts";
import { type Bound, bindSpecialization, bodyArguments } from "./specialize.ts";

/** A file that a kernel was made from, as it was read. */
export interface KernelSource {
  /** As in the spans of the IR. */
  readonly file: string;
  readonly text: string;
}

export interface LoweredKernel {
  readonly tile: TileKernel;
  /** Every file that was read, so that a cache can tell whether the kernel changed. */
  readonly dependencies: readonly Dependency[];
  readonly hir: HirProgram;
  /** The kernel's own file first. */
  readonly sources: readonly KernelSource[];
}

/** Parsed files, kept between calls for as long as their content stays. */
const SHARED_SOURCES = new SourceCache();

/** The parts of the lowering, wired together. */
export const STEPS: Steps = {
  expression: lowerExpression,
  statements: lowerStatements,
  bind: bindPattern,
  call: callFunction,
};

/**
 * Lowers a kernel to tile IR.
 * @param spec a dtype for every dtype variable, a size for every specialised dim, overrides of the config, functions
 * @param cache where parsed files are kept; by default one for the process
 * @throws KernelSourceError TW1010-TW1212 with all errors of the first phase that has any
 */
export function lowerKernel(
  definition: KernelDefinition,
  spec: Specialization = {},
  cache: SourceCache = SHARED_SOURCES,
): LoweredKernel {
  const sources = new SourceSet();
  const problems = new Problems((file) => sources.textOf(file));
  const bound = bindSpecialization(definition, spec, problems);
  problems.throwIfAny();
  const hir = readProgram(definition, spec, problems, sources, cache);
  const tile = lowerProgram(hir, bound, problems);
  const texts = textsOf(sources, hir);
  keepSources(tile, texts);
  return { tile, hir, dependencies: dependenciesOf(sources), sources: texts };
}

function textsOf(sources: SourceSet, hir: HirProgram): readonly KernelSource[] {
  const own = hir.declarations[hir.body]?.file;
  return sources.names
    .map((file) => ({ file, text: sources.textOf(file) ?? "" }))
    .sort((a, b) => Number(b.file === own) - Number(a.file === own));
}

/** The kernel's source and what it captures, converted to HIR. */
function readProgram(
  definition: KernelDefinition,
  spec: Specialization,
  problems: Problems,
  sources: SourceSet,
  cache: SourceCache,
): HirProgram {
  const key = programKey(definition, spec);
  const known = cache.program(key);
  if (known !== undefined) {
    for (const file of known.files) sources.add(file);
    sources.addExcerpts(known.hir.excerpts);
    return known.hir;
  }
  const hir = problems.attempt<HirProgram | undefined>(
    () => joinedProgram(definition, spec.functions ?? {}, { cache, sources, problems }),
    () => undefined,
  );
  problems.throwIfAny();
  invariant(hir !== undefined, () => "a source without problems gives a program");
  sources.addExcerpts(hir.excerpts);
  cache.keepProgram(key, { hir, files: sources.files });
  return hir;
}

/** Embedded where a plugin wrote it into the code, else from the source; functions that are given may come either way. */
function joinedProgram(
  definition: KernelDefinition,
  given: NonNullable<Specialization["functions"]>,
  reading: Reading,
): HirProgram {
  const params = Object.entries(given).filter(
    ([name]) => definition.params[name]?.kind === "function",
  );
  const embedded = embeddedProgram(definition);
  if (embedded === undefined) {
    const isEmbedded = (f: unknown): boolean => siteOf(f)?.embedded !== undefined;
    const inside = Object.fromEntries(params.filter(([, f]) => !isEmbedded(f)));
    const outside = Object.fromEntries(params.filter(([, f]) => isEmbedded(f)));
    return joined(buildProgram(definition, inside, reading), outside, reading);
  }
  // What the plugin did not see in the record came from another file: the value itself says what it is.
  const unseen = Object.entries(definition.params).flatMap(([name, param]) =>
    param.kind === "function" && embedded.functions[name] === undefined
      ? [[name, param.fallback] as const]
      : [],
  );
  return joined(embedded, Object.fromEntries([...unseen, ...params]), reading);
}

function joined(
  program: HirProgram,
  functions: NonNullable<Specialization["functions"]>,
  reading: Reading,
): HirProgram {
  return joinFunctions(program, functions, reading.problems, (name, site) =>
    buildFunctionProgram(name, site, reading),
  );
}

/** What decides the HIR besides the files' contents: where the kernel and the functions given to it stand. */
function programKey({ name, site }: KernelDefinition, spec: Specialization): string {
  const functions = Object.entries(spec.functions ?? {}).map(([param, f]) => [
    param,
    opOf(f)?.name ?? siteOf(f),
  ]);
  return JSON.stringify([name, site, functions]);
}

function dependenciesOf(sources: SourceSet): readonly Dependency[] {
  const byFile = new Map<string, Dependency>();
  for (const file of sources.files)
    for (const dependency of file.dependencies) byFile.set(dependency.file, dependency);
  return [...byFile.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Abstract interpretation of the body. Needs no source, so embedded HIR can be lowered the same way. */
export function lowerProgram(hir: HirProgram, bound: Bound, problems: Problems): TileKernel {
  const root = hir.declarations[hir.body];
  const body = root?.value;
  if (root === undefined || body?.kind !== "function")
    throw new InternalError({ code: "TW9001", message: "the body of a program is a function" });
  const lw = new Lowering(problems, STEPS, { file: root.file, chain: [], active: [body.fn] });
  const modules = new ModuleScopes(lw, hir);
  const { block } = lw.builder.block([], () =>
    problems.attempt(
      () => {
        const scope = new Scope(modules.scopeOf(hir.body), { isFunction: true });
        const functions = Object.entries(hir.functions).map(
          ([name, f]) => [name, modules.valueOf(f)] as const,
        );
        const args = bodyArguments(
          lw,
          bound,
          Object.fromEntries(functions),
          lw.location(root.span),
        );
        for (const [i, param] of body.fn.params.entries()) {
          bindPattern(lw, scope, param, args[i] ?? UNDEFINED, false);
        }
        const flow = lowerStatements(lw, scope, body.fn.body);
        if (flow.kind === "return") requireNothing(lw, flow.value, flow.span);
      },
      () => undefined,
    ),
  );
  problems.throwIfAny();
  const { definition, params, dims, fixedDims, config } = bound;
  return { name: definition.name, params, dims, fixedDims, config, body: lw.builder.body(block) };
}

function requireNothing(
  lw: Lowering,
  value: AbstractValue,
  span: Parameters<Lowering["location"]>[0],
): void {
  if (value.kind === "error" || (value.kind === "const" && value.value === undefined)) return;
  lw.fail("TW1109", lw.location(span), {
    message: "a kernel returns nothing",
    seen: "a return with a value",
    expected: "results written with store()",
    remedy: "declare an out() tensor and store the value",
  });
}
