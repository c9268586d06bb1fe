/** [engine/kv] A list of small integers linked through two arrays, so that a member can leave the middle of it in O(1). */

export class FreeList {
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  /** Index of the sentinel, which is both ends. */
  readonly #end: number;
  #length = 0;

  /** @param size members are 0 to size - 1; the list is empty at first */
  constructor(size: number) {
    this.#end = size;
    this.#next = new Int32Array(size + 1);
    this.#previous = new Int32Array(size + 1);
    this.#next[size] = size;
    this.#previous[size] = size;
  }

  get length(): number {
    return this.#length;
  }

  /** To the tail. The member is not in the list. */
  append(member: number): void {
    const last = this.#previous[this.#end] ?? this.#end;
    this.#next[last] = member;
    this.#previous[member] = last;
    this.#next[member] = this.#end;
    this.#previous[this.#end] = member;
    this.#length++;
  }

  /** Takes out a member, wherever it is. It is in the list. */
  remove(member: number): void {
    const next = this.#next[member] ?? this.#end;
    const previous = this.#previous[member] ?? this.#end;
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#length--;
  }

  /** Takes off the head; undefined where the list is empty. */
  shift(): number | undefined {
    const first = this.#next[this.#end] ?? this.#end;
    if (first === this.#end) return undefined;
    this.remove(first);
    return first;
  }

  /** From head to tail; ends after more than `size` members, so that a broken list is seen and not walked for ever. */
  *[Symbol.iterator](): Iterator<number> {
    let member = this.#next[this.#end] ?? this.#end;
    for (let walked = 0; member !== this.#end && walked <= this.#end; walked++) {
      yield member;
      member = this.#next[member] ?? this.#end;
    }
  }
}
