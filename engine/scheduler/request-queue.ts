/** [engine/scheduler] Requests that wait, in order. A heap whose members may leave from anywhere; the order is given by its caller. */
import type { Request } from "../core.ts";

/** Negative where `a` comes first. */
export type RequestOrder = (a: Request, b: Request) => number;

/** Members that left stay in the heap until they come up, or until they are this many and the greater part. */
const MOST_LEFT = 64;

export class RequestQueue {
  readonly #order: RequestOrder;
  readonly #members = new Set<Request>();
  #heap: Request[] = [];

  constructor(order: RequestOrder) {
    this.#order = order;
  }

  get length(): number {
    return this.#members.size;
  }

  has(request: Request): boolean {
    return this.#members.has(request);
  }

  push(request: Request): void {
    this.#members.add(request);
    this.#heap.push(request);
    this.#rise(this.#heap.length - 1);
  }

  /** The first in order. */
  peek(): Request | undefined {
    for (;;) {
      const first = this.#heap[0];
      if (first === undefined || this.#members.has(first)) return first;
      this.#dropFirst();
    }
  }

  /** The member of the largest value; of equal ones the first in order. */
  best(rate: (request: Request) => number): Request | undefined {
    let best = this.peek();
    let most = best === undefined ? 0 : rate(best);
    for (const request of this.#members) {
      const value = rate(request);
      if (
        best !== undefined &&
        (value < most || (value === most && this.#order(best, request) <= 0))
      )
        continue;
      best = request;
      most = value;
    }
    return best;
  }

  /** True where it was a member. */
  delete(request: Request): boolean {
    if (!this.#members.delete(request)) return false;
    if (this.#heap[0] === request) this.#dropFirst();
    const left = this.#heap.length - this.#members.size;
    if (left > MOST_LEFT && left > this.#members.size) this.#rebuild();
    return true;
  }

  #rebuild(): void {
    this.#heap = [...this.#members].sort(this.#order); // a sorted list is a heap
  }

  #dropFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #rise(from: number): void {
    const request = this.#heap[from];
    if (request === undefined) return;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = this.#heap[above];
      if (parent === undefined || this.#order(parent, request) <= 0) break;
      this.#heap[at] = parent;
      at = above;
    }
    this.#heap[at] = request;
  }

  #sink(): void {
    const request = this.#heap[0];
    if (request === undefined) return;
    let at = 0;
    for (;;) {
      const [left, right] = [this.#heap[2 * at + 1], this.#heap[2 * at + 2]];
      if (left === undefined) break;
      const isRight = right !== undefined && this.#order(right, left) < 0;
      const child = isRight ? right : left;
      if (this.#order(request, child) <= 0) break;
      this.#heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    this.#heap[at] = request;
  }
}
