/** [dsl/frontend] A kernel's `grid` function as data, by the same rules as its body: for kernels that are launched without their source. */
import { type GridExpression, isGridFn } from "../core/grid.ts";
import type { Location } from "../core/location.ts";
import type { KernelDefinition, Specialization } from "../definition.ts";
import type { Op } from "../ir/nodes.ts";
import type { Value } from "../ir/types.ts";
import { type AbstractValue, constant, knownNumber } from "./abstract-value.ts";
import { CaptureResolver } from "./captures.ts";
import { dimNames } from "./check-definition.ts";
import { materializeAny } from "./coerce.ts";
import { STEPS } from "./lower-kernel.ts";
import { Lowering } from "./lowering.ts";
import { ModuleScopes } from "./module-scopes.ts";
import { Problems } from "./problems.ts";
import { findKernel, SourceSet } from "./read-source.ts";
import { SourceCache } from "./source-cache.ts";
import { bindSpecialization } from "./specialize.ts";
import { sourceSpan } from "./syntax.ts";

/**
 * One expression for each axis of the grid, over the dims that are bound at launch.
 * @throws KernelSourceError TW1026 where the function is not made of what the language has for integers; the front end's own errors
 */
export function lowerGrid(
  definition: KernelDefinition,
  spec: Specialization,
  cache: SourceCache = new SourceCache(),
): readonly GridExpression[] {
  const sources = new SourceSet();
  const problems = new Problems((file) => sources.textOf(file));
  const bound = bindSpecialization(definition, spec, problems);
  problems.throwIfAny();
  const grid = problems.attempt<readonly GridExpression[]>(
    () => {
      const reading = { cache, sources, problems };
      const { file, call } = findKernel(definition, reading);
      const value = call.field("grid", problems, file.display);
      const loc: Location = { span: sourceSpan(file.display, value?.span ?? call.span) };
      if (value?.kind !== "function") return refuse(problems, "no function literal", loc);
      const captures = new CaptureResolver(reading);
      const body = captures.addRoot("grid", file, value.span, value);
      const { name } = definition;
      const program = { name, body, functions: {}, declarations: captures.declarations };
      problems.throwIfAny();
      const lw = new Lowering(problems, STEPS, { file: file.display, chain: [], active: [] });
      const scope = new ModuleScopes(lw, program).scopeOf(body);
      const dims = dimNames(definition).map((dim) => [dim, dimOf(dim, bound.fixedDims)] as const);
      const config = Object.entries(bound.config).map(([key, v]) => [key, constant(v)] as const);
      const args = [object(dims), object(config)];
      const { block, result } = lw.builder.block([], () => {
        const called = STEPS.call(
          lw,
          { kind: "function", fn: value.fn, scope },
          args.slice(0, value.fn.params.length),
          { loc },
        );
        const axes = lw.good(called);
        const items = axes.kind === "array" ? axes.items : [axes];
        return items.map((item) => knownNumber(item) ?? materializeAny(lw, item, { loc }));
      });
      const ops = new Map(
        lw.builder.body(block).ops.flatMap((op) => ("result" in op ? [[op.result.id, op]] : [])),
      );
      return result.map((item) =>
        typeof item === "number" ? item : expressionOf(item, ops, problems),
      );
    },
    () => [],
  );
  problems.throwIfAny();
  return grid;
}

function dimOf(name: string, fixed: Readonly<Record<string, number>>): AbstractValue {
  const size = fixed[name];
  return size === undefined ? { kind: "dim", name } : constant(size);
}

function object(fields: readonly (readonly [string, AbstractValue])[]): AbstractValue {
  return { kind: "object", fields: Object.fromEntries(fields) };
}

function expressionOf(
  value: Value,
  ops: ReadonlyMap<number, Op>,
  problems: Problems,
): GridExpression {
  const of = (inner: Value): GridExpression => expressionOf(inner, ops, problems);
  const op = ops.get(value.id);
  switch (op?.kind) {
    case "const":
      return op.value;
    case "dim":
      return op.dim;
    case "binary":
    case "compare":
      if (isGridFn(op.fn) && op.a.type.dtype !== "f32") return [op.fn, of(op.a), of(op.b)];
      return refuse(problems, `the operation ${op.fn} on ${op.a.type.dtype}`, op.loc);
    case "select":
      return ["select", of(op.cond), of(op.a), of(op.b)];
    default:
      return refuse(problems, `the operation ${op?.kind ?? "of an inner block"}`, op?.loc);
  }
}

function refuse(problems: Problems, seen: string, location: Location | undefined): never {
  return problems.fail(
    "TW1026",
    {
      message: "the grid cannot be exported",
      seen,
      expected:
        "a function in place, from dims and config to counts: cdiv, + - * %, comparisons and ?:",
      remedy:
        "write `grid` in the call, with cdiv() and whole numbers, as a body would compute them",
    },
    location,
  );
}
