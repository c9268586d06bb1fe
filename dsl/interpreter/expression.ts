/** [dsl/interpreter] Expressions over tile elements: a tree of text, tile reads and positions, rendered inside a loop nest. */

import type { DType } from "../core/dtype.ts";

/** Elements of a buffer by axis: the element at indices i is number Σ iₐ · strides.get(a); an axis that is missing has stride 0. */
export interface Leaf {
  /** Name of the typed array; undefined for a leaf that stands for the number itself (positions along an axis). */
  readonly buffer: string | undefined;
  readonly strides: ReadonlyMap<string, number>;
}

export type Expression =
  | { readonly kind: "literal"; readonly text: string }
  /** A JavaScript variable of the main function; generated functions get it as an argument. */
  | { readonly kind: "scalar"; readonly name: string }
  | { readonly kind: "leaf"; readonly leaf: Leaf }
  | {
      readonly kind: "apply";
      readonly parts: readonly Expression[];
      /** Text from the texts of the parts; every part is used once unless it is cheap. */
      readonly text: (...parts: string[]) => string;
      /** Where the expression ends with a rounding to a narrow float: that dtype, and the text of the number before it. */
      readonly rounding?: { readonly dtype: DType; readonly text: (...parts: string[]) => string };
      /** Where the expression is the f32 product of two tiles: these. */
      readonly factors?: readonly [Leaf, Leaf];
      /** Rough cost of one evaluation, to decide what may be computed more than once. */
      readonly cost: number;
    };

export function leavesOf(expression: Expression): readonly Leaf[] {
  switch (expression.kind) {
    case "leaf":
      return [expression.leaf];
    case "apply":
      return expression.parts.flatMap(leavesOf);
    case "literal":
    case "scalar":
      return [];
    default:
      return expression satisfies never;
  }
}

/** Names of the main function's variables that an expression reads. */
export function scalarsOf(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case "scalar":
      return [expression.name];
    case "apply":
      return expression.parts.flatMap(scalarsOf);
    case "literal":
    case "leaf":
      return [];
    default:
      return expression satisfies never;
  }
}

export function costOf(expression: Expression): number {
  if (expression.kind !== "apply") return 0;
  return expression.parts.reduce((sum, part) => sum + costOf(part), expression.cost);
}

/** True where an expression reads no tile that might change before it is evaluated. */
export function isTileFree(expression: Expression): boolean {
  return leavesOf(expression).every((leaf) => leaf.buffer === undefined);
}

/** Text of a number that rounding to `dtype`, as its storage format does by itself, brings to the value. */
export function renderUnrounded(
  expression: Expression,
  dtype: DType,
  index: (leaf: Leaf) => string,
): string {
  if (expression.kind !== "apply" || expression.rounding?.dtype !== dtype) {
    return renderExpression(expression, index);
  }
  const parts = expression.parts.map((part) => renderExpression(part, index));
  return expression.rounding.text(...parts);
}

/** Text of an expression; `index` gives the text of an element number. */
export function renderExpression(expression: Expression, index: (leaf: Leaf) => string): string {
  switch (expression.kind) {
    case "literal":
      return expression.text;
    case "scalar":
      return expression.name;
    case "leaf": {
      const { buffer } = expression.leaf;
      const at = index(expression.leaf);
      return buffer === undefined ? `(${at})` : `${buffer}[${at}]`;
    }
    case "apply":
      return expression.text(...expression.parts.map((part) => renderExpression(part, index)));
    default:
      return expression satisfies never;
  }
}
