/** [dsl/interpreter] Several accesses to one element as one number: segments of arrivals.ts, of which none is ordered before the next. Orders nothing. */

/** The number of the first group; those of the others are below it. */
const FIRST = -0x40000000;
/** Stands for more accesses than are told apart. */
const UNTOLD = -0x80000000;
/** Groups that are told apart: elements that the same programs touch share theirs. */
const MOST = 0x100000;

interface Group {
  readonly before: number;
  readonly segment: number;
}

export class AccessGroups {
  readonly #groups: Group[] = [];
  readonly #numbers = new Map<string, number>();

  /**
   * @param before a segment, negative where it used atomics, or a group
   * @param segment from 1
   */
  join(before: number, segment: number): number {
    const key = `${before} ${segment}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    if (before === UNTOLD || this.#groups.length >= MOST) return UNTOLD;
    const number = FIRST - this.#groups.length;
    this.#groups.push({ before, segment });
    this.#numbers.set(key, number);
    return number;
  }

  /** Whether it holds for every segment of a group or, by itself, of what is none. Untold ones are no segments for which anything holds. */
  every(access: number, holds: (segment: number) => boolean): boolean {
    let at = access;
    while (at <= FIRST) {
      const group = this.#groups[FIRST - at];
      if (group === undefined || !holds(group.segment)) return false;
      at = group.before;
    }
    return holds(Math.abs(at));
  }
}
