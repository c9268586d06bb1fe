/** [dsl/interpreter] Reads the content of a value out of a running program, for debuggers. */
import type { Value } from "../ir/types.ts";
import { elementCount } from "../ir/types.ts";
import { coordinatesOf } from "./checks.ts";
import type { Expression } from "./expression.ts";
import { strideOf } from "./nest.ts";

export interface ValueSnapshot {
  readonly value: Value;
  /** Row-major over the value's axes; one element for a scalar. */
  readonly data: Float64Array;
}

/** @param scalar the value where it is a scalar */
export function readValue(
  value: Value,
  expression: Expression,
  scalar: number | undefined,
  buffers: Readonly<Record<string, ArrayLike<number>>>,
): ValueSnapshot {
  const { axes } = value.type;
  const sizes = axes.map((axis) => axis.size);
  const data = new Float64Array(elementCount(value.type));
  if (expression.kind !== "leaf") {
    const splat = scalar ?? (expression.kind === "literal" ? literalValue(expression.text) : 0);
    return { value, data: data.fill(splat) };
  }
  const { leaf } = expression;
  const buffer = leaf.buffer === undefined ? undefined : buffers[leaf.buffer];
  for (let i = 0; i < data.length; i++) {
    const at = coordinatesOf(i, sizes).reduce(
      (sum, index, n) => sum + index * strideOf(leaf, axes[n]?.name ?? ""),
      0,
    );
    data[i] = buffer === undefined ? at : (buffer[at] ?? 0);
  }
  return { value, data };
}

/** A literal as the generated text has it: perhaps in parentheses. */
function literalValue(text: string): number {
  return Number(text.replaceAll(/[()]/g, ""));
}
