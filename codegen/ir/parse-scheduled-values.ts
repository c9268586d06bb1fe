/** [codegen/ir] Reads types, layouts, definitions and uses of values, indices and shared refs from scheduled text. Ops live in parse-scheduled-op.ts. */
import { type Axis, DTYPE_NAMES, type TokenReader, type ValueType } from "../../dsl/index.ts";
import type { RegisterLayout } from "../layout/layout.ts";
import type { SharedRef, SIndex, SValue } from "./scheduled.ts";

export type LayoutIters = Pick<RegisterLayout, "reg" | "lane" | "warp">;

export class ScheduledReader {
  readonly tokens: TokenReader;
  readonly #layouts: ReadonlyMap<string, LayoutIters>;
  readonly #defined = new Map<number, SValue>();

  constructor(tokens: TokenReader, layouts: ReadonlyMap<string, LayoutIters>) {
    this.tokens = tokens;
    this.#layouts = layouts;
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

  layout(axes: readonly Axis[]): RegisterLayout {
    const iters = this.#layouts.get(this.tokens.name("a layout"));
    if (iters === undefined)
      this.tokens.fail("the layout before it is not known", "a listed layout");
    return { kind: "register", axes, ...iters };
  }

  #isLayout(): boolean {
    const token = this.tokens.peek();
    return token.kind === "name" && this.#layouts.has(token.text);
  }

  /** `%name.id: type layout`, not visible yet. */
  declare(): SValue {
    const token = this.tokens.peek();
    if (token.kind !== "value") this.tokens.fail("a value is missing", "`%name.id: type`");
    this.tokens.take();
    this.tokens.expect(":");
    const type = this.type();
    const layout = this.#isLayout() ? { layout: this.layout(type.axes) } : {};
    return { id: token.id, name: token.name, type, ...layout };
  }

  commit(values: readonly SValue[]): void {
    for (const value of values) this.#defined.set(value.id, value);
  }

  use(): SValue {
    const token = this.tokens.peek();
    if (token.kind !== "value") this.tokens.fail("an operand is missing", "`%name.id`");
    const value = this.#defined.get(token.id);
    if (value === undefined)
      this.tokens.fail(`${token.text} is not defined above`, "a known value");
    this.tokens.take();
    return value;
  }

  pair(): readonly [SValue, SValue] {
    const a = this.use();
    this.tokens.expect(",");
    return [a, this.use()];
  }

  optional(word: string): SValue | undefined {
    return this.tokens.accept(word) ? this.use() : undefined;
  }

  /** `word N` */
  number(word: string): number {
    this.tokens.expect(word);
    return this.tokens.number(word);
  }

  ref(): SharedRef {
    const buffer = this.tokens.name("a buffer");
    if (!this.tokens.accept("[")) return { buffer };
    const slot = this.use();
    this.tokens.expect("]");
    return { buffer, slot };
  }

  #index(): SIndex {
    const t = this.tokens;
    if (t.accept("at")) return { kind: "at", value: this.use() };
    if (t.accept("gather")) return { kind: "gather", index: this.use() };
    if (t.accept("pages")) {
      const axis = this.axis();
      t.expect("(");
      const entries = t.list(")", () => this.use());
      const limit = this.optional("limit");
      return { kind: "pages", axis, entries, ...(limit === undefined ? {} : { limit }) };
    }
    t.expect("span");
    const axis = this.axis();
    t.expect("from");
    const start = this.use();
    const end = this.optional("end");
    return end === undefined ? { kind: "span", axis, start } : { kind: "span", axis, start, end };
  }

  place(): { readonly tensor: string; readonly at: readonly SIndex[] } {
    const tensor = this.tokens.name("a tensor");
    this.tokens.expect("[");
    return { tensor, at: this.tokens.list("]", () => this.#index()) };
  }

  mask(): { readonly mask?: SValue } {
    const mask = this.optional("mask");
    return mask === undefined ? {} : { mask };
  }

  scratch(): { readonly scratch?: string } {
    return this.tokens.accept("scratch") ? { scratch: this.tokens.name("a buffer") } : {};
  }
}
