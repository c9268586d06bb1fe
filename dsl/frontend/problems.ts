/** [dsl/frontend] Collects the errors of a phase, each with its place and source text, and throws them together. */
import { type Diagnostic, type ErrorCode, KernelSourceError } from "../core/errors.ts";
import type { Location } from "../core/location.ts";

/** What an error says besides its code and place. */
export interface Complaint {
  readonly message: string;
  readonly seen?: string;
  readonly expected?: string;
  readonly remedy: string;
}

/** Unwinds to the statement that is being lowered; its diagnostic is in the list already. */
export class Unwind extends Error {}

export class Problems {
  readonly #list: Diagnostic[] = [];
  /** The whole text of a file, by display path. */
  readonly #sourceOf: (file: string) => string | undefined;

  constructor(sourceOf: (file: string) => string | undefined) {
    this.#sourceOf = sourceOf;
  }

  get count(): number {
    return this.#list.length;
  }

  add(code: ErrorCode, complaint: Complaint, location?: Location): void {
    const source = location === undefined ? undefined : this.#sourceOf(location.span.file);
    this.#list.push({
      code,
      ...complaint,
      ...(location === undefined ? {} : { location }),
      ...(source === undefined ? {} : { source }),
    });
  }

  /** Adds an error and unwinds to the innermost `attempt`. */
  fail(code: ErrorCode, complaint: Complaint, location?: Location): never {
    this.add(code, complaint, location);
    throw new Unwind();
  }

  /** Runs `step`; where it fails, runs `recover` instead. The error is in the list by then. */
  attempt<T>(step: () => T, recover: () => T): T {
    try {
      return step();
    } catch (error) {
      if (error instanceof Unwind) return recover();
      throw error;
    }
  }

  /** Forgets what was added after there were `count`. */
  truncate(count: number): void {
    this.#list.length = count;
  }

  /** @throws KernelSourceError with everything added so far, if there is anything */
  throwIfAny(): void {
    if (this.#list.length > 0) throw new KernelSourceError(withoutRepeats(this.#list));
  }
}

/** A helper called twice with the same mistake reports it once. */
function withoutRepeats(list: readonly Diagnostic[]): readonly Diagnostic[] {
  const seen = new Set<string>();
  return list.filter((d) => {
    const key = JSON.stringify([d.code, d.location, d.message, d.seen]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
