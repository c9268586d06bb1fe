/** [dsl/frontend] Kernels that exist as text: generated ones, or those of a prompt. Their record is read from the text, never run. */
import type { DType } from "../core/dtype.ts";
import { isDType } from "../core/dtype.ts";
import { InternalError } from "../core/errors.ts";
import type { KernelDefinition, ParamSpec } from "../definition.ts";
import {
  type AbstractValue,
  constant,
  describe,
  type FunctionValue,
  knownValue,
} from "./abstract-value.ts";
import { CaptureResolver } from "./captures.ts";
import { defineKernel } from "./define-kernel.ts";
import type { HirExpr, HirObject, HirProgram } from "./hir.ts";
import { STEPS } from "./lower-kernel.ts";
import { Lowering } from "./lowering.ts";
import type { FoundCall } from "./module-index.ts";
import { ModuleScopes } from "./module-scopes.ts";
import { Problems } from "./problems.ts";
import { findKernel, SourceSet } from "./read-source.ts";
import { SourceCache, type SourceFile } from "./source-cache.ts";
import { sourceSpan } from "./syntax.ts";

/**
 * Defines a kernel from the text of a module, without running it.
 * @param source TypeScript that imports from "tilewright" and holds `export const <exportName> = kernel({ … }, … => { … })`;
 *   relative imports are found from the working directory
 * @param exportName the const that the kernel is assigned to
 * @throws KernelSourceError TW1021 when there is no such kernel, TW1025 when the record is not made of literals
 */
export function kernelFromSource(source: string, exportName: string): KernelDefinition {
  const cache = new SourceCache();
  const sources = new SourceSet();
  const problems = new Problems((file) => sources.textOf(file));
  const text = { file: `<${exportName}>`, source, exportName };
  const made = problems.attempt<KernelDefinition | undefined>(
    () => {
      const reading = { cache, sources, problems };
      const { file, call } = findKernel({ name: exportName, site: { stack: "", text } }, reading);
      return new RecordReader(problems, file, new CaptureResolver(reading)).definition(call, text);
    },
    () => undefined,
  );
  problems.throwIfAny();
  if (made !== undefined) return made;
  throw new InternalError({
    code: "TW9001",
    message: "a record without problems gives a definition",
  });
}

type Text = { readonly file: string; readonly source: string; readonly exportName: string };

class RecordReader {
  readonly #problems: Problems;
  readonly #file: SourceFile;
  readonly #captures: CaptureResolver;

  constructor(problems: Problems, file: SourceFile, captures: CaptureResolver) {
    this.#problems = problems;
    this.#file = file;
    this.#captures = captures;
  }

  definition(call: FoundCall, text: Text): KernelDefinition {
    const spec = call.argument(0, this.#problems, this.#file.display);
    if (spec?.kind !== "object")
      return this.#fail(spec, "the first argument of kernel()", "an object literal");
    const params = this.#params(spec);
    const rest: HirObject = {
      ...spec,
      fields: spec.fields.filter((field) => field.name !== "params"),
    };
    const record = this.#evaluate(rest);
    const field = (name: string): unknown => record[name];
    return defineKernel(
      {
        name: String(field("name")),
        params,
        dtypes: (field("dtypes") ?? {}) as Readonly<Record<string, readonly DType[]>>,
        config: (field("config") ?? {}) as KernelDefinition["config"],
        tune: (field("tune") ?? {}) as KernelDefinition["tune"],
        specialize: (field("specialize") ?? []) as readonly string[],
        grid: field("grid") as KernelDefinition["grid"],
        ...(field("when") === undefined
          ? {}
          : { when: field("when") as NonNullable<KernelDefinition["when"]> }),
      },
      () => undefined,
      { stack: "", text },
    );
  }

  /** tensor(…), packed(…), out(…), inout(…), scalar(…) with literals, and fnParam(…). */
  #params(spec: HirObject): Readonly<Record<string, ParamSpec>> {
    const params = spec.fields.find((field) => field.name === "params")?.value;
    if (params?.kind !== "object") return this.#fail(params ?? spec, "params", "an object literal");
    return Object.fromEntries(
      params.fields.map((field) => [field.name ?? "", this.#param(field.value)]),
    );
  }

  #param(value: HirExpr): ParamSpec {
    const maker = value.kind === "call" && value.callee.kind === "name" ? value.callee.name : "";
    const literals =
      value.kind === "call"
        ? value.args.map((arg) => (arg.kind === "constant" ? arg.value : undefined))
        : [];
    const [dtype, ...shape] = literals;
    if (maker === "fnParam") return { kind: "function", fallback: () => undefined };
    if (maker === "scalar" && isDType(dtype)) return { kind: "scalar", dtype };
    const isRead = maker === "tensor" || maker === "packed";
    const access = isRead ? "in" : maker === "out" || maker === "inout" ? maker : undefined;
    const dims = shape.filter((dim) => typeof dim === "string" || typeof dim === "number");
    if (access === undefined || typeof dtype !== "string" || dims.length < shape.length) {
      return this.#fail(
        value,
        "a param",
        'tensor("f32", "M"), packed(…), out(…), inout(…), scalar("i32") or fnParam(…), with literals',
      );
    }
    const packed = maker === "packed" ? { packed: true as const } : {};
    return { kind: "tensor", dtype, shape: dims, access, ...packed };
  }

  /** The other fields, with functions made callable. */
  #evaluate(spec: HirObject): Readonly<Record<string, unknown>> {
    const index = this.#captures.addRoot("record", this.#file, spec.span, spec);
    const program: HirProgram = {
      name: "record",
      body: index,
      functions: {},
      declarations: this.#captures.declarations,
    };
    this.#problems.throwIfAny();
    const lw = new Lowering(this.#problems, STEPS, {
      file: this.#file.display,
      chain: [],
      active: [],
    });
    const scope = new ModuleScopes(lw, program).scopeOf(index);
    const { result } = lw.builder.block([], () => lw.good(STEPS.expression(lw, scope, spec)));
    return result.kind === "object"
      ? Object.fromEntries(
          Object.entries(result.fields).map(([name, av]) => [
            name,
            this.#toHost(name, av, program, spec),
          ]),
        )
      : {};
  }

  #toHost(name: string, av: AbstractValue, program: HirProgram, spec: HirObject): unknown {
    if (av.kind === "array") return av.items.map((item) => this.#toHost(name, item, program, spec));
    if (av.kind === "object") {
      return Object.fromEntries(
        Object.entries(av.fields).map(([key, v]) => [key, this.#toHost(key, v, program, spec)]),
      );
    }
    if (av.kind === "function")
      return (...args: readonly unknown[]) => callOnHost(av, args, this.#file);
    const known = knownValue(av);
    return (
      known ??
      this.#fail(
        spec,
        `'${name}' of the record`,
        `something known from the text alone, not ${describe(av)}`,
      )
    );
  }

  #fail(at: HirExpr | undefined, what: string, expected: string): never {
    const location =
      at === undefined ? undefined : { span: sourceSpan(this.#file.display, at.span) };
    return this.#problems.fail(
      "TW1025",
      {
        message: `${what} cannot be read from the text`,
        seen: "an expression that would have to be run",
        expected,
        remedy:
          "write the record with literals; values that vary belong into the text that is generated",
      },
      location,
    );
  }
}

/** Runs a `grid` or `when` function on numbers, by the rules of the language for constants. */
function callOnHost(fn: FunctionValue, args: readonly unknown[], file: SourceFile): unknown {
  const problems = new Problems((display) => (display === file.display ? file.text : undefined));
  const lw = new Lowering(problems, STEPS, { file: file.display, chain: [], active: [] });
  const loc = { span: sourceSpan(file.display, fn.fn.span) };
  // As a JavaScript call would: what the function does not name is left out.
  const taken = args.slice(0, fn.fn.params.length);
  const result = problems.attempt<unknown>(
    () =>
      lw.builder.block([], () => onHost(lw.good(STEPS.call(lw, fn, taken.map(fromHost), { loc }))))
        .result,
    () => undefined,
  );
  problems.throwIfAny();
  return result;
}

function onHost(av: AbstractValue): unknown {
  return av.kind === "array" ? av.items.map(onHost) : knownValue(av);
}

function fromHost(value: unknown): AbstractValue {
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "string")
    return constant(value);
  const fields = Object.entries(value ?? {}).map(([name, v]) => [name, fromHost(v)] as const);
  return { kind: "object", fields: Object.fromEntries(fields) };
}
