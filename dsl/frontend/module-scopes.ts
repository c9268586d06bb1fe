/** [dsl/frontend] What a declaration's free names stand for while a program is lowered; constants are evaluated on first use. */
import { OPS } from "../ops/registry.ts";
import { type AbstractValue, constant, ERROR, isCompileTime, UNDEFINED } from "./abstract-value.ts";
import type { HirDeclaration, HirProgram, HirReference } from "./hir.ts";
import type { Lowering } from "./lowering.ts";
import { Scope } from "./scope.ts";

export class ModuleScopes {
  readonly #lw: Lowering;
  readonly #program: HirProgram;
  readonly #values = new Map<number, AbstractValue>();
  readonly #scopes = new Map<number, Scope>();
  readonly #evaluating = new Set<number>();

  constructor(lw: Lowering, program: HirProgram) {
    this.#lw = lw;
    this.#program = program;
  }

  /** The scope that a declaration's value stands in. */
  scopeOf(index: number): Scope {
    const known = this.#scopes.get(index);
    if (known !== undefined) return known;
    const captures = this.#program.declarations[index]?.captures ?? {};
    const scope = new Scope(undefined, {
      module: (name) => {
        const reference = Object.hasOwn(captures, name) ? captures[name] : undefined;
        return reference === undefined ? undefined : this.valueOf(reference);
      },
    });
    this.#scopes.set(index, scope);
    return scope;
  }

  valueOf(reference: HirReference): AbstractValue {
    switch (reference.kind) {
      case "op": {
        const op = OPS.get(reference.name);
        return op === undefined ? ERROR : { kind: "op", op };
      }
      case "global":
        return globalValue(reference.name);
      case "namespace": {
        const { members } = reference;
        const member = (name: string): AbstractValue | undefined => {
          const found = Object.hasOwn(members, name) ? members[name] : undefined;
          return found === undefined ? undefined : this.valueOf(found);
        };
        return { kind: "namespace", name: reference.name, member };
      }
      case "declaration":
        return this.#declared(reference.index);
      case "invalid":
        return ERROR;
      default:
        return reference satisfies never;
    }
  }

  #declared(index: number): AbstractValue {
    const known = this.#values.get(index);
    if (known !== undefined) return known;
    const declaration = this.#program.declarations[index];
    if (declaration === undefined) return ERROR;
    const { value } = declaration;
    const made: AbstractValue =
      value.kind === "function"
        ? { kind: "function", fn: value.fn, scope: this.scopeOf(index) }
        : this.#evaluate(index, declaration);
    this.#values.set(index, made);
    return made;
  }

  /** A module constant: evaluated in its own file, and nothing of it may remain for run time. */
  #evaluate(index: number, declaration: HirDeclaration): AbstractValue {
    const lw = this.#lw;
    const frame = { file: declaration.file, chain: [], active: [] };
    return lw.within(frame, () => {
      const loc = lw.location(declaration.span);
      if (this.#evaluating.has(index))
        return this.#refuse(declaration, "a constant that depends on itself");
      this.#evaluating.add(index);
      const mark = lw.builder.mark();
      const { result } = lw.builder.block([], () =>
        lw.problems.attempt<AbstractValue>(
          () =>
            lw.good(
              lw.steps.expression(lw, this.scopeOf(index), declaration.value, declaration.name),
            ),
          () => ERROR,
        ),
      );
      lw.builder.reset(mark);
      this.#evaluating.delete(index);
      if (result.kind === "error" || isCompileTime(result)) return result;
      lw.problems.add(
        "TW1106",
        refusal(declaration, "a value that only exists while the kernel runs"),
        loc,
      );
      return ERROR;
    });
  }

  #refuse(declaration: HirDeclaration, seen: string): AbstractValue {
    const lw = this.#lw;
    lw.problems.add("TW1106", refusal(declaration, seen), lw.location(declaration.span));
    return ERROR;
  }
}

function refusal(declaration: HirDeclaration, seen: string) {
  return {
    message: `the module constant '${declaration.name}' is not known at compile time`,
    seen,
    expected: "numbers, booleans, strings, and arrays, objects and functions of them",
    remedy:
      "make it a function, which is inlined where it is called, or compute it inside the kernel",
  };
}

function globalValue(name: string): AbstractValue {
  if (name === "Infinity") return constant(Infinity);
  if (name === "NaN") return constant(Number.NaN);
  if (name === "undefined") return UNDEFINED;
  return { kind: "namespace", name, member: () => undefined };
}
