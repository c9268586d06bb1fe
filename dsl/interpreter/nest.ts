/** [dsl/interpreter] Loop nests over tile axes: fuses axes that are contiguous for everybody, keeps element numbers per level. */
import type { Axis } from "../ir/types.ts";
import type { CodeWriter } from "./code-writer.ts";
import type { Leaf } from "./expression.ts";

export function strideOf(leaf: Leaf, axis: string): number {
  return leaf.strides.get(axis) ?? 0;
}

/** Strides of a row-major buffer over `axes`. */
export function rowMajor(axes: readonly Axis[]): ReadonlyMap<string, number> {
  const strides = new Map<string, number>();
  let stride = 1;
  for (const axis of [...axes].reverse()) {
    strides.set(axis.name, stride);
    stride *= axis.size;
  }
  return strides;
}

/** True where the elements of a leaf over `axes` are exactly 0, 1, 2 … in row-major order. */
export function isRowMajor(leaf: Leaf, axes: readonly Axis[]): boolean {
  const expected = rowMajor(axes);
  return axes.every(
    (axis) => axis.size === 1 || strideOf(leaf, axis.name) === expected.get(axis.name),
  );
}

/** One loop: it stands for one axis or for several fused ones; strides are those of the last. */
export interface Level {
  readonly axis: string;
  readonly size: number;
}

/** Axes as loops, adjacent ones fused where every leaf steps through both as through one; axes of size 1 vanish. */
export function fuseAxes(axes: readonly Axis[], leaves: readonly Leaf[]): readonly Level[] {
  const levels: Level[] = [];
  for (const { name, size } of axes) {
    if (size === 1) continue;
    const outer = levels.at(-1);
    const fuses =
      outer !== undefined &&
      leaves.every((leaf) => strideOf(leaf, outer.axis) === strideOf(leaf, name) * size);
    if (fuses) levels.pop();
    levels.push({ axis: name, size: fuses ? outer.size * size : size });
  }
  return levels;
}

/** Sum of terms as text; "0" for none. */
function sumText(terms: readonly string[]): string {
  const kept = terms.filter((term) => term !== "0");
  return kept.length === 0 ? "0" : kept.join(" + ");
}

/** `i * stride`. */
export function timesText(index: string, stride: number): string {
  if (stride === 0 || index === "0") return "0";
  return stride === 1 ? index : `${index} * ${stride}`;
}

/**
 * Opens loops one by one and knows, for each leaf, the text of the element number at the current place.
 * Leaves are told apart by their buffer and strides, so equal ones share their variables.
 */
export class Nest {
  readonly #writer: CodeWriter;
  readonly #leaves: readonly Leaf[];
  readonly #at = new Map<string, string>();
  #depth = 0;

  constructor(writer: CodeWriter, leaves: readonly Leaf[]) {
    this.#writer = writer;
    const seen = new Map(leaves.map((leaf) => [keyOf(leaf), leaf]));
    this.#leaves = [...seen.values()];
  }

  /** Text of the element number of a leaf. */
  readonly index = (leaf: Leaf): string => this.#at.get(keyOf(leaf)) ?? "0";

  /** Opens a loop and gives its variable. `more` says that further loops follow inside. */
  enter(level: Level, more: boolean, low = "0", high = String(level.size)): string {
    const i = `i${this.#depth}`;
    this.#writer.open(`for (let ${i} = ${low}; ${i} < ${high}; ${i}++) {`);
    this.#leaves.forEach((leaf, n) => {
      const step = timesText(i, strideOf(leaf, level.axis));
      if (step === "0") return;
      const text = sumText([this.index(leaf), step]);
      if (more && text !== i) {
        const name = `k${n}x${this.#depth}`;
        this.#writer.line(`const ${name} = ${text};`);
        this.#at.set(keyOf(leaf), name);
      } else this.#at.set(keyOf(leaf), text);
    });
    this.#depth++;
    return i;
  }

  enterAll(levels: readonly Level[], moreInside = false): void {
    levels.forEach((level, n) => {
      this.enter(level, moreInside || n + 1 < levels.length);
    });
  }

  closeAll(): void {
    while (this.#depth > 0) {
      this.#writer.close();
      this.#depth--;
    }
  }
}

function keyOf(leaf: Leaf): string {
  const strides = [...leaf.strides].filter(([, stride]) => stride !== 0);
  return `${leaf.buffer ?? ""}|${strides.map(([axis, stride]) => `${axis}:${stride}`).join(",")}`;
}
