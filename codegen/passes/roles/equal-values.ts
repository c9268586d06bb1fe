/** [codegen/passes/roles] Which scalars of two roles are the same: pure ops by their text over what is known to be the same. Changes nothing. */
import {
  formatDefinition,
  formatOp,
  isScalar,
  mapOperands,
  type Op,
  type Value,
} from "../../../dsl/index.ts";

/** Kinds of ops that give the same for the same operands. */
const PURE: ReadonlySet<Op["kind"]> = new Set<Op["kind"]>([
  "const",
  "dim",
  "param",
  "pid",
  "num_programs",
  "walk",
  "unary",
  "binary",
  "compare",
  "select",
  "cast",
  "bitcast",
]);

export class EqualValues {
  readonly #same: Map<number, Value>;
  readonly #texts: Map<string, Value>;
  readonly #readOnly: ReadonlySet<string>;

  constructor(
    readOnly: ReadonlySet<string>,
    same: ReadonlyMap<number, Value> = new Map(),
    texts: ReadonlyMap<string, Value> = new Map(),
  ) {
    this.#readOnly = readOnly;
    this.#same = new Map(same);
    this.#texts = new Map(texts);
  }

  /** For a block inside: what is learnt there is not known outside. */
  inner(): EqualValues {
    return new EqualValues(this.#readOnly, this.#same, this.#texts);
  }

  /** What stands for a value. */
  readonly of = (value: Value): Value => this.#same.get(value.id) ?? value;

  equate(value: Value, same: Value): void {
    this.#same.set(value.id, this.of(same));
  }

  isSame(a: Value | undefined, b: Value | undefined): boolean {
    return a !== undefined && b !== undefined && this.of(a).id === this.of(b).id;
  }

  /** The op with what stands for its operands; undefined where an equal one was seen, which stands for it from here on. */
  see(given: Op): Op | undefined {
    const op = mapOperands(given, this.of);
    if (!("result" in op) || !isScalar(op.result.type)) return op;
    const isRead = op.kind === "load" && this.#readOnly.has(op.tensor);
    if (!isRead && !PURE.has(op.kind)) return op;
    const text = `${op.result.type.dtype} ${formatOp(op).slice(formatDefinition(op.result).length)}`;
    const known = this.#texts.get(text);
    if (known === undefined) {
      this.#texts.set(text, op.result);
      return op;
    }
    this.equate(op.result, known);
    return undefined;
  }
}
