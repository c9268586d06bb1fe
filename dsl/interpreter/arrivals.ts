/** [dsl/interpreter] What orders programs of one launch: arrivals at counters. Knows who may see what, not what is in memory. */

/** What one counter has seen since it was 0. */
interface Round<Place> {
  readonly shadow: Place;
  readonly at: number;
  readonly op: unknown;
  /** Segments that the last program to arrive may see. */
  readonly released: Set<number>;
  count: number;
}

/**
 * A program's accesses fall into segments, one up to each arrival. What came before an arrival, and what that program had seen
 * itself, the last program that arrives at the same counter sees; nothing else of one program is ordered before another.
 */
export class Arrivals<Place extends object = object> {
  /** Program of each segment. */
  readonly #programs: number[] = [0];
  /** Segments of the running program, and those of others that it may see. */
  #seen = new Set<number>();
  readonly #rounds = new Map<Place, Map<number, Round<Place>>>();

  /** @param program number, from 1 */
  enter(program: number): void {
    this.#seen = new Set();
    this.#programs.push(program);
    this.#seen.add(this.segment);
  }

  /** The running program's accesses from now on, from 1. */
  get segment(): number {
    return this.#programs.length - 1;
  }

  programOf(segment: number): number {
    return this.#programs[segment] ?? 0;
  }

  /** Whether what was done in a segment is before what the running program does now. */
  isBefore(segment: number): boolean {
    return this.#seen.has(segment);
  }

  /** Whether programs have arrived at a counter whose last one has not. */
  isOpen(shadow: Place, at: number): boolean {
    return this.#rounds.get(shadow)?.has(at) === true;
  }

  arrive(shadow: Place, at: number, op: unknown, isLast: boolean): void {
    const rounds = this.#rounds.get(shadow) ?? new Map<number, Round<Place>>();
    this.#rounds.set(shadow, rounds);
    const round = rounds.get(at) ?? { shadow, at, op, released: new Set<number>(), count: 0 };
    rounds.set(at, round);
    round.count++;
    for (const segment of this.#seen) round.released.add(segment);
    if (isLast) {
      for (const segment of round.released) this.#seen.add(segment);
      rounds.delete(at);
    }
    this.#programs.push(this.programOf(this.segment));
    this.#seen.add(this.segment);
  }

  /** Counters whose last program has not come. */
  open(): readonly Round<Place>[] {
    return [...this.#rounds.values()].flatMap((rounds) => [...rounds.values()]);
  }
}
