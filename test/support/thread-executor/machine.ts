/** [test/support] One block of threads for the executor: tensors, shared memory, copies under way, warp-wide instructions. */

import type { ThreadKernel } from "../../../codegen/ir/thread.ts";
import type { DType } from "../../../dsl/index.ts";
import * as numbers from "./numbers.ts";
import { SharedMemory } from "./shared-memory.ts";

export interface ExecutorArguments {
  /** Contents of every tensor as numbers; written in place. */
  readonly tensors: Readonly<Record<string, Float64Array>>;
  readonly dims: Readonly<Record<string, number>>;
  readonly scalars: Readonly<Record<string, number>>;
  readonly grid: readonly [number, number, number];
}

interface Copy {
  readonly thread: number;
  readonly buffer: number;
  readonly to: number;
  readonly values: Float64Array;
}

const MOST_PROBLEMS = 20;

/** What the generated text calls. One machine runs one block. */
export class Machine {
  readonly problems: string[];
  readonly shared: SharedMemory;
  readonly pid0: number;
  readonly pid1: number;
  readonly pid2: number;
  readonly programs0: number;
  readonly programs1: number;
  readonly programs2: number;
  readonly #kernel: ThreadKernel;
  readonly #args: ExecutorArguments;
  readonly #groups: Copy[][] = [];
  #open: Copy[] = [];

  readonly exp2 = numbers.exp2;
  readonly rsqrt = numbers.rsqrt;
  readonly erf = numbers.erf;
  readonly roundEven = numbers.roundEven;
  readonly mulhi = numbers.mulhi;
  readonly min = numbers.min;
  readonly max = numbers.max;
  readonly cast = numbers.cast;
  readonly bitcast = numbers.bitcast;
  readonly pack = numbers.pack;

  constructor(
    kernel: ThreadKernel,
    args: ExecutorArguments,
    program: readonly [number, number, number],
    problems: string[],
  ) {
    this.#kernel = kernel;
    this.#args = args;
    this.problems = problems;
    [this.pid0, this.pid1, this.pid2] = program;
    [this.programs0, this.programs1, this.programs2] = args.grid;
    this.shared = new SharedMemory(kernel, (message) => this.report(message));
  }

  report(message: string): void {
    if (this.problems.length < MOST_PROBLEMS && !this.problems.includes(message))
      this.problems.push(message);
  }

  dim(name: string): number {
    const size = this.#args.dims[name];
    if (size === undefined) throw new Error(`dim ${name} is not given`);
    return size;
  }

  scalar(name: string): number {
    const value = this.#args.scalars[name];
    if (value === undefined) throw new Error(`scalar ${name} is not given`);
    return value;
  }

  floordiv(a: number, b: number): number {
    if (b !== 0) return numbers.floordiv(a, b);
    this.report("division by zero");
    return 0;
  }

  mod(a: number, b: number): number {
    if (b !== 0) return numbers.mod(a, b);
    this.report("division by zero");
    return 0;
  }

  undefinedRegister(name: string, thread: number): number {
    this.report(`thread ${thread} reads register ${name} before it has a value`);
    return 0;
  }

  indexOutside(name: string, index: number): number {
    this.report(`register ${name}[${index}] does not exist`);
    return 0;
  }

  /** The tensor, with the access checked: bounds and alignment. */
  tensor(name: string, offset: number, width: number, what: string): Float64Array | undefined {
    const data = this.#args.tensors[name];
    if (data === undefined) throw new Error(`tensor ${name} is not given`);
    if (!Number.isInteger(offset) || offset < 0 || offset + width > data.length) {
      this.report(`${what} of ${name}[${offset}] x${width}, which has ${data.length} elements`);
      return undefined;
    }
    if (offset % width !== 0)
      this.report(`${what} of ${name}[${offset}] is not aligned to ${width}`);
    return data;
  }

  copyAsync(
    thread: number,
    buffer: number,
    to: number,
    width: number,
    source: { readonly tensor: string; readonly from: number; readonly isInside: boolean },
  ): void {
    const data = source.isInside
      ? this.tensor(source.tensor, source.from, width, "copy")
      : undefined;
    this.shared.checkAlignment(buffer, to, width);
    const values = new Float64Array(width);
    for (let i = 0; i < width; i++) {
      values[i] = data?.[source.from + i] ?? 0;
      this.shared.poison(thread, buffer, to + i);
    }
    this.#open.push({ thread, buffer, to, values });
  }

  commitAsync(): void {
    this.#groups.push(this.#open);
    this.#open = [];
  }

  waitAsync(pending: number): void {
    while (this.#groups.length > pending) {
      for (const copy of this.#groups.shift() ?? []) {
        copy.values.forEach((value, i) => {
          this.shared.write(copy.thread, copy.buffer, copy.to + i, value);
        });
      }
    }
  }

  /** Copies that nobody waited for. */
  finish(): void {
    if (this.#open.length > 0) this.report("copies are under way that no group closes");
  }

  checkUniform(values: ArrayLike<number>, what: string): void {
    for (let t = 1; t < this.#kernel.threads; t++) {
      if (values[t] === values[0]) continue;
      this.report(`${what} differs between threads 0 and ${t}`);
      return;
    }
  }

  /**
   * Two elements of row l/4 (or column, transposed) of each 8×8 matrix, for every lane of a warp.
   * @source PTX ISA, ldmatrix: thread l holds row l/4, columns 2(l%4) and 2(l%4)+1; .trans swaps row and column
   */
  ldmatrix(
    warp: number,
    buffer: number,
    offsets: ArrayLike<number>,
    options: { readonly count: number; readonly transpose: boolean; readonly type: DType },
    write: (register: number, thread: number, value: number) => void,
  ): void {
    const first = warp * 32;
    for (let l = 0; l < 8 * options.count; l++)
      this.shared.checkAlignment(buffer, offsets[first + l] ?? 0, 8);
    for (let lane = 0; lane < 32; lane++) {
      for (let q = 0; q < options.count; q++) {
        const element = (e: number): number => {
          const row = options.transpose ? 2 * (lane % 4) + e : lane >> 2;
          const col = options.transpose ? lane >> 2 : 2 * (lane % 4) + e;
          const start = offsets[first + 8 * q + row] ?? 0;
          return this.shared.read(first + lane, buffer, start + col);
        };
        write(q, first + lane, numbers.pack(options.type, element(0), element(1)));
      }
    }
  }

  /**
   * d += a·b for one warp.
   * @source PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type"
   */
  mma(
    type: DType,
    read: (which: "a" | "b" | "d", register: number, lane: number) => number,
    write: (register: number, lane: number, value: number) => void,
  ): void {
    const a = new Float64Array(16 * 16);
    const b = new Float64Array(16 * 8);
    const half = (bits: number, e: number): number =>
      numbers.value16(type, e === 0 ? bits & 0xffff : bits >>> 16);
    for (let l = 0; l < 32; l++) {
      const [g, k0] = [l >> 2, 2 * (l % 4)];
      for (let e = 0; e < 2; e++) {
        for (let r = 0; r < 4; r++)
          a[(g + 8 * (r % 2)) * 16 + k0 + e + 8 * (r >> 1)] = half(read("a", r, l), e);
        for (let r = 0; r < 2; r++) b[(k0 + e + 8 * r) * 8 + g] = half(read("b", r, l), e);
      }
    }
    for (let l = 0; l < 32; l++) {
      for (let r = 0; r < 4; r++) {
        const row = (l >> 2) + 8 * (r >> 1);
        const col = 2 * (l % 4) + (r % 2);
        let sum = read("d", r, l);
        for (let k = 0; k < 16; k++) sum += (a[row * 16 + k] ?? 0) * (b[k * 8 + col] ?? 0);
        write(r, l, Math.fround(sum));
      }
    }
  }
}
