/** [test/fuzz] Seeded choices. */
import { randomNumbers } from "../support/random-tile-ir.ts";

export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomNumbers(Math.imul(seed, 0x9e3779b1) >>> 0);
  }

  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }
}
