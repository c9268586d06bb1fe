/** [runtime/drivers] Counters in device memory by which the blocks of a launch take its programs: a ring, so that launches that overlap have different ones, and those of captured launches, which keep theirs. */

/** Two u32 words; each launch leaves them at 0. */
const BYTES = 8;
/** Of an allocation. Plain launches until a counter is used again: far more than are ever under way at once. */
const COUNT = 1024;

export class ProgramCounters {
  readonly #allocate: (bytes: number) => bigint;
  readonly #bases: bigint[] = [];
  /** Those of plain launches. */
  #ring: bigint | undefined;
  #next = 0;
  /** Nobody's: a captured launch may be replayed at any time, so its counter is no other launch's as long as its graph lives. */
  readonly #spare: bigint[] = [];

  /** @param allocate device memory, zeroed when it returns */
  constructor(allocate: (bytes: number) => bigint) {
    this.#allocate = allocate;
  }

  /** Device address of the next launch's counter. @throws DeviceError where the memory cannot be had */
  next(): bigint {
    this.#ring ??= this.#more();
    const at = this.#ring + BigInt(BYTES * this.#next);
    this.#next = (this.#next + 1) % COUNT;
    return at;
  }

  /** Device address of a counter that is the caller's until it gives it back. @throws DeviceError where the memory cannot be had */
  take(): bigint {
    if (this.#spare.length === 0) {
      const base = this.#more();
      for (let i = COUNT - 1; i >= 0; i--) this.#spare.push(base + BigInt(BYTES * i));
    }
    return this.#spare.pop() ?? 0n;
  }

  /** Counters of launches that are not replayed again. */
  giveBack(counters: readonly bigint[]): void {
    this.#spare.push(...counters);
  }

  /** Where memory was allocated. */
  get bases(): readonly bigint[] {
    return this.#bases;
  }

  #more(): bigint {
    const base = this.#allocate(BYTES * COUNT);
    this.#bases.push(base);
    return base;
  }
}
