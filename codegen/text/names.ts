/** [codegen/text] Names of the emitted text: unique where they are visible, legal in the target's language, close to the source's. */

/** What a target's language forbids as a name. */
export interface NameRules {
  readonly reserved: ReadonlySet<string>;
  /** Prefixes that belong to the prelude. */
  readonly reservedPrefixes: readonly string[];
}

/** A legal identifier near `hint`: other characters become `_`, no leading digit or underscore, none doubled. */
export function toIdentifier(hint: string): string {
  const cleaned = hint
    .replaceAll(/[^A-Za-z0-9_]+/g, "_")
    .replaceAll(/__+/g, "_")
    .replace(/^_+/, "");
  if (cleaned === "") return "v";
  return /^[0-9]/.test(cleaned) ? `v${cleaned}` : cleaned;
}

/**
 * Gives out names scope by scope: a name is free again when the scope that declared it is left, and never hides one that is visible.
 * IR names map to text names by the innermost scope that declares them.
 */
export class NameScopes {
  readonly #rules: NameRules;
  readonly #scopes: { readonly used: Set<string>; readonly byKey: Map<string, string> }[] = [];

  constructor(rules: NameRules) {
    this.#rules = rules;
    this.enter();
  }

  enter(): void {
    this.#scopes.push({ used: new Set(), byKey: new Map() });
  }

  leave(): void {
    this.#scopes.pop();
  }

  /** @returns a new name near `hint`, visible until the current scope is left */
  fresh(hint: string): string {
    const plain = toIdentifier(hint);
    const isPrelude = this.#rules.reservedPrefixes.some((prefix) => plain.startsWith(prefix));
    const base = isPrelude ? `v_${plain}` : plain;
    let name = base;
    for (let n = 1; this.#isTaken(name); n++) name = `${base}_${n}`;
    this.#scopes.at(-1)?.used.add(name);
    return name;
  }

  /** As `fresh`, remembered for `lookup(key)`. */
  declare(key: string, hint: string = key): string {
    const name = this.fresh(hint);
    this.#scopes.at(-1)?.byKey.set(key, name);
    return name;
  }

  /** The text name of `key`, or undefined where no visible scope declares it. */
  lookup(key: string): string | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const name = this.#scopes[i]?.byKey.get(key);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  #isTaken(name: string): boolean {
    return this.#rules.reserved.has(name) || this.#scopes.some((scope) => scope.used.has(name));
  }
}
