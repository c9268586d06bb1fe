/** [runtime/drivers] Counters in device memory by which the blocks of a launch take its programs: a ring, so that launches that overlap have different ones. */

/** Two u32 words; each launch leaves them at 0. */
const BYTES = 8;
/** Launches until a counter is used again: far more than are ever under way at once. */
const COUNT = 1024;

export class ProgramCounters {
  readonly #allocate: (bytes: number) => bigint;
  #base: bigint | undefined;
  #next = 0;

  /** @param allocate device memory, zeroed when it returns */
  constructor(allocate: (bytes: number) => bigint) {
    this.#allocate = allocate;
  }

  /** Device address of the next launch's counter. @throws DeviceError where the memory cannot be had */
  next(): bigint {
    this.#base ??= this.#allocate(BYTES * COUNT);
    const at = this.#base + BigInt(BYTES * this.#next);
    this.#next = (this.#next + 1) % COUNT;
    return at;
  }

  /** Where the memory was allocated, or undefined. */
  get base(): bigint | undefined {
    return this.#base;
  }
}
