/** [test/unit/emulation] Operands of wgmma as the instruction's documents draw them: shared images of tiles and fragments of A. No kernels. */
import { bf16Bits, f8e4m3Bits, f8e5m2Bits, f16Bits } from "../../../dsl/core/rounding.ts";

export type Element = "bf16" | "f16" | "e4m3" | "e5m2" | "s8";
export type Swizzle = 0 | 32 | 64 | 128;

/** Where a descriptor points and how far the next of two k steps is. All in bytes. */
export interface Placed {
  readonly start: number;
  readonly leading: number;
  readonly stride: number;
  readonly step: number;
}

export function elementBytes(element: Element): 1 | 2 {
  return element === "bf16" || element === "f16" ? 2 : 1;
}

/** Elements along k of one wgmma. */
export function depthOf(element: Element): number {
  return 32 / elementBytes(element);
}

export function elementBits(element: Element, value: number): number {
  switch (element) {
    case "bf16":
      return bf16Bits(value);
    case "f16":
      return f16Bits(value);
    case "e4m3":
      return f8e4m3Bits(value);
    case "e5m2":
      return f8e5m2Bits(value);
    case "s8":
      return value & 255;
  }
  return element satisfies never;
}

/** Byte of an image whose rows are `swizzle` bytes: 16-byte chunks change places by the row, row pairs or groups of four rows. */
function swizzledAt(row: number, byte: number, swizzle: Swizzle): number {
  const chunk = Math.floor(byte / 16);
  const by = { 0: 0, 32: (row >> 2) & 1, 64: (row >> 1) & 3, 128: row & 7 }[swizzle];
  return row * swizzle + (chunk ^ by) * 16 + (byte % 16);
}

/** Grows as it is written. */
export class SharedImage {
  #bytes = new Uint8Array(0);

  get bytes(): Uint8Array {
    return this.#bytes;
  }
  /** Leaves room up to the next multiple of 1024. */
  align(): number {
    const at = Math.ceil(this.#bytes.length / 1024) * 1024;
    this.#grow(at);
    return at;
  }
  write(at: number, element: Element, value: number): void {
    const bits = elementBits(element, value);
    const size = elementBytes(element);
    this.#grow(at + size);
    this.#bytes[at] = bits & 255;
    if (size === 2) this.#bytes[at + 1] = bits >> 8;
  }
  #grow(size: number): void {
    if (size <= this.#bytes.length) return;
    const grown = new Uint8Array(size);
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** `rows` x two k steps, by rows. */
export interface Tile {
  readonly element: Element;
  readonly rows: number;
  readonly values: readonly number[];
}

function kMajor(tile: Tile, swizzle: Swizzle, start: number) {
  const { element, rows } = tile;
  const size = elementBytes(element);
  if (swizzle === 0) {
    const leading = rows * 16;
    return {
      placed: { start, leading, stride: 128, step: 2 * leading },
      at: (row: number, k: number): number => {
        const byte = k * size;
        return (row >> 3) * 128 + (row & 7) * 16 + (byte >> 4) * leading + (byte & 15);
      },
    };
  }
  // Two k steps are 64 bytes: with 32 bytes of swizzle the second stands behind all rows of the first.
  const step = swizzle === 32 ? rows * 32 : 32;
  return {
    placed: { start, leading: 16, stride: 8 * swizzle, step },
    at: (row: number, k: number): number => {
      const byte = k * size;
      const slab = Math.floor(byte / swizzle);
      return slab * rows * swizzle + swizzledAt(row, byte % swizzle, swizzle);
    },
  };
}

function transposed(tile: Tile, swizzle: Swizzle, start: number) {
  const steps = 2 * depthOf(tile.element);
  if (swizzle === 0) {
    const leading = tile.rows * 16;
    return {
      placed: { start, leading, stride: 128, step: 2 * leading },
      at: (row: number, k: number): number =>
        (row >> 3) * 128 + (k >> 3) * leading + (k & 7) * 16 + (row & 7) * 2,
    };
  }
  const wide = swizzle / 2;
  const leading = steps * swizzle;
  return {
    placed: { start, leading, stride: 8 * swizzle, step: 16 * swizzle },
    at: (row: number, k: number): number =>
      Math.floor(row / wide) * leading + swizzledAt(k, (row % wide) * 2, swizzle),
  };
}

/** Writes a tile into the image at the next multiple of 1024. */
export function placeTile(
  image: SharedImage,
  tile: Tile,
  swizzle: Swizzle,
  isTransposed: boolean,
): Placed {
  const start = image.align();
  const { placed, at } = (isTransposed ? transposed : kMajor)(tile, swizzle, start);
  const steps = 2 * depthOf(tile.element);
  for (const [i, value] of tile.values.entries()) {
    image.write(start + at(Math.floor(i / steps), i % steps), tile.element, value);
  }
  return placed;
}

/** Registers of A for two k steps: 8 words a thread, 4 a step. */
export function fragmentsOf(tile: Tile): Uint32Array {
  const depth = depthOf(tile.element);
  const per = 4 / elementBytes(tile.element);
  const words = new Uint32Array(128 * 8);
  for (let thread = 0; thread < 128; thread++) {
    const lane = thread % 32;
    for (let q = 0; q < 8; q++) {
      const row = 16 * (thread >> 5) + (lane >> 2) + 8 * (q & 1);
      const k = (q >> 2) * depth + (lane & 3) * per + ((q >> 1) & 1) * (depth / 2);
      let word = 0;
      for (let e = per - 1; e >= 0; e--) {
        const bits = elementBits(tile.element, tile.values[row * 2 * depth + k + e] ?? 0);
        word = word * 2 ** (8 * elementBytes(tile.element)) + bits;
      }
      words[thread * 8 + q] = word;
    }
  }
  return words;
}
