/** [dsl/ir] Reads types, definitions and uses of values from the text form, and keeps the table of defined values. */
import { DTYPE_NAMES } from "../core/dtype.ts";
import type { TokenReader } from "./tokens.ts";
import type { Axis, Value, ValueType } from "./types.ts";

export class ValueReader {
  readonly tokens: TokenReader;
  readonly #defined = new Map<number, Value>();

  constructor(tokens: TokenReader) {
    this.tokens = tokens;
  }

  axis(): Axis {
    const name = this.tokens.name("an axis");
    this.tokens.expect("=");
    return { name, size: this.tokens.number("a size") };
  }

  type(): ValueType {
    const dtype = this.tokens.oneOf(DTYPE_NAMES, "dtype");
    return { dtype, axes: this.tokens.accept("[") ? this.tokens.list("]", () => this.axis()) : [] };
  }

  /** `%name.id: type`, not visible yet. */
  declare(): Value {
    const token = this.tokens.peek();
    if (token.kind !== "value") this.tokens.fail("a value is missing", "`%name.id: type`");
    if (this.#defined.has(token.id)) this.tokens.fail(`%${token.id} is defined twice`, "a new id");
    this.tokens.take();
    this.tokens.expect(":");
    return { id: token.id, name: token.name, type: this.type() };
  }

  /** Makes declared values visible to what follows. */
  commit(values: readonly Value[]): void {
    for (const value of values) this.#defined.set(value.id, value);
  }

  use(): Value {
    const token = this.tokens.peek();
    if (token.kind !== "value") this.tokens.fail("an operand is missing", "`%name.id`");
    const value = this.#defined.get(token.id);
    if (value === undefined) {
      this.tokens.fail(`${token.text} is not defined above`, "a value defined above");
    }
    if (value.name !== token.name) {
      this.tokens.fail(`%${token.id} has another name where it is defined`, `"${value.name}"`);
    }
    this.tokens.take();
    return value;
  }

  pair(): readonly [Value, Value] {
    const a = this.use();
    this.tokens.expect(",");
    return [a, this.use()];
  }

  /** `word %x` where the word is there. */
  optional(word: string): Value | undefined {
    return this.tokens.accept(word) ? this.use() : undefined;
  }
}
