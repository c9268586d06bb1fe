/** [engine/kv] Which page holds which named content. Pages stay here when they become free, until they are taken for something else. */
import { InternalError } from "../../dsl/index.ts";

export class PrefixCache {
  readonly #pageOf = new Map<string, number>();
  readonly #nameOf = new Map<number, string>();

  pageOf(name: string): number | undefined {
    return this.#pageOf.get(name);
  }

  /** True where others may come to read the page, so that nobody may write it. */
  has(page: number): boolean {
    return this.#nameOf.has(page);
  }

  /** Names a page. Of two pages with the same content the first keeps the name. */
  publish(name: string, page: number): void {
    if (this.#pageOf.has(name) || this.#nameOf.has(page)) return;
    this.#pageOf.set(name, page);
    this.#nameOf.set(page, name);
  }

  /** The page gets another content. */
  forget(page: number): void {
    const name = this.#nameOf.get(page);
    if (name === undefined) return;
    this.#nameOf.delete(page);
    this.#pageOf.delete(name);
  }

  clear(): void {
    this.#pageOf.clear();
    this.#nameOf.clear();
  }

  checkIntegrity(): void {
    const fits =
      this.#pageOf.size === this.#nameOf.size &&
      [...this.#nameOf].every(([page, name]) => this.#pageOf.get(name) === page);
    if (fits) return;
    throw new InternalError({
      code: "TW9002",
      message: "internal error: prefix cache: names and pages do not match",
      remedy: "this is a bug in tilewright; please report it",
    });
  }
}
