/** [dsl/frontend] Names in scope while a kernel is lowered. Values of variables live in a store that branches can copy. */
import type { AbstractValue } from "./abstract-value.ts";

/** A declared name. The value of a mutable one is in the store. */
export interface Cell {
  readonly name: string;
  readonly mutable: boolean;
  /** Value of an immutable cell. */
  readonly value: AbstractValue | undefined;
}

/** Values of the mutable cells at one point of the program. */
export type Store = ReadonlyMap<Cell, AbstractValue>;

export interface Found {
  readonly cell: Cell;
  /** True where a function lies between the use and the declaration. */
  readonly crossed: boolean;
}

export class Scope {
  readonly #cells = new Map<string, Cell>();
  readonly #outer: Scope | undefined;
  /** Finds names of the module; asked after all scopes. */
  readonly #module: ((name: string) => AbstractValue | undefined) | undefined;
  readonly #isFunction: boolean;

  constructor(
    outer: Scope | undefined,
    options: { isFunction?: boolean; module?: (name: string) => AbstractValue | undefined } = {},
  ) {
    this.#outer = outer;
    this.#isFunction = options.isFunction ?? false;
    this.#module = options.module;
  }

  declare(cell: Cell): void {
    this.#cells.set(cell.name, cell);
  }

  find(name: string): Found | undefined {
    let crossed = false;
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#outer) {
      const cell = scope.#cells.get(name);
      if (cell !== undefined) return { cell, crossed };
      const value = scope.#module?.(name);
      if (value !== undefined) return { cell: { name, mutable: false, value }, crossed: true };
      crossed ||= scope.#isFunction;
    }
    return undefined;
  }
}
