/** [test/support] Shared memory of the thread executor: values with shadows that find races, uninitialised reads and accesses out of bounds. */

import type { ThreadKernel, ThreadShared } from "../../../codegen/ir/thread.ts";
import { DTYPES, storageBytes } from "../../../dsl/index.ts";

const SEVERAL = -2;

/** One cell for every element of the narrowest buffer; wider elements take several and keep their value in the first. */
export class SharedMemory {
  readonly #grain: number;
  readonly #values: Float64Array;
  /** Which buffer an element's value was written through, -1 where none was. */
  readonly #owner: Int16Array;
  readonly #writer: Int32Array;
  readonly #writeEpoch: Int32Array;
  readonly #reader: Int32Array;
  readonly #readEpoch: Int32Array;
  readonly #buffers: readonly ThreadShared[];
  readonly #report: (message: string) => void;
  #epoch = 1;

  constructor(kernel: ThreadKernel, report: (message: string) => void) {
    this.#buffers = kernel.shared;
    this.#report = report;
    this.#grain = Math.min(4, ...kernel.shared.map((b) => storageBytes(b.dtype, 1)));
    const cells = Math.ceil(kernel.sharedBytes / this.#grain);
    this.#values = new Float64Array(cells);
    this.#owner = new Int16Array(cells).fill(-1);
    this.#writer = new Int32Array(cells).fill(-1);
    this.#writeEpoch = new Int32Array(cells);
    this.#reader = new Int32Array(cells).fill(-1);
    this.#readEpoch = new Int32Array(cells);
  }

  /** All threads met: what was done before is ordered with what comes. */
  barrier(): void {
    this.#epoch += 1;
  }

  #cellOf(buffer: number, element: number, what: string): number {
    const b = this.#buffers[buffer];
    if (b === undefined) throw new Error(`no shared buffer ${buffer}`);
    if (!Number.isInteger(element) || element < 0 || element >= b.elements) {
      this.#report(`${what} of ${b.name}[${element}], which has ${b.elements} elements`);
      return -1;
    }
    return (b.byteOffset + storageBytes(b.dtype, 1) * element) / this.#grain;
  }

  /** The same bytes under two names: a buffer and a view of it. */
  #isSame(a: number, b: number): boolean {
    const [one, other] = [this.#buffers[a], this.#buffers[b]];
    if (a === b || one === undefined || other === undefined) return a === b;
    const { dtype, elements, byteOffset } = one;
    return other.dtype === dtype && other.elements === elements && other.byteOffset === byteOffset;
  }

  #size(buffer: number): number {
    const b = this.#buffers[buffer];
    return b === undefined ? 1 : storageBytes(b.dtype, 1) / this.#grain;
  }

  /** Reports where a vector is not aligned to its size. */
  checkAlignment(buffer: number, element: number, width: number): void {
    const b = this.#buffers[buffer];
    if (b === undefined) return;
    const bytes = Math.min(16, (DTYPES[b.dtype].bits * width) / 8);
    if (bytes >= 1 && (b.byteOffset + storageBytes(b.dtype, 1) * element) % bytes !== 0)
      this.#report(`${b.name}[${element}] is not aligned to ${bytes} bytes`);
  }

  #race(kind: string, buffer: number, element: number, first: number, second: number): void {
    const other = first === SEVERAL ? "several" : `thread ${first}`;
    const name = this.#buffers[buffer]?.name;
    this.#report(
      `race: ${kind} ${name}[${element}] by thread ${second} and ${other} without a barrier`,
    );
  }

  write(thread: number, buffer: number, element: number, value: number): void {
    const cell = this.#cellOf(buffer, element, "write");
    if (cell < 0) return;
    this.#touch(thread, buffer, element, cell);
    this.#values[cell] = value;
    this.#owner[cell] = buffer;
  }

  /** A copy is under way: whoever reads the element before it is done reads nothing. */
  poison(thread: number, buffer: number, element: number): void {
    const cell = this.#cellOf(buffer, element, "copy");
    if (cell < 0) return;
    this.#touch(thread, buffer, element, cell);
    this.#owner[cell] = -1;
  }

  #touch(thread: number, buffer: number, element: number, first: number): void {
    for (let cell = first; cell < first + this.#size(buffer); cell++) {
      const writer = this.#writer[cell] ?? -1;
      if (this.#writeEpoch[cell] === this.#epoch && writer !== thread)
        this.#race("two writes of", buffer, element, writer, thread);
      const reader = this.#reader[cell] ?? -1;
      if (this.#readEpoch[cell] === this.#epoch && reader !== thread)
        this.#race("a read and a write of", buffer, element, reader, thread);
      this.#writer[cell] = thread;
      this.#writeEpoch[cell] = this.#epoch;
      if (cell > first) this.#owner[cell] = -1;
    }
  }

  read(thread: number, buffer: number, element: number): number {
    const cell = this.#cellOf(buffer, element, "read");
    if (cell < 0) return 0;
    const writer = this.#writer[cell] ?? -1;
    if (this.#writeEpoch[cell] === this.#epoch && writer !== thread)
      this.#race("a write and a read of", buffer, element, writer, thread);
    if (this.#readEpoch[cell] !== this.#epoch) this.#reader[cell] = thread;
    else if (this.#reader[cell] !== thread) this.#reader[cell] = SEVERAL;
    this.#readEpoch[cell] = this.#epoch;
    if (!this.#isSame(this.#owner[cell] ?? -1, buffer)) {
      const name = this.#buffers[buffer]?.name;
      const by = this.#buffers[this.#owner[cell] ?? -1]?.name;
      const why = by === undefined ? "was never written" : `was written as ${by}`;
      this.#report(`thread ${thread} reads ${name}[${element}], which ${why}`);
    }
    return this.#values[cell] ?? 0;
  }
}
