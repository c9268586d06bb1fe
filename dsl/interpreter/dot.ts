/**
 * [dsl/interpreter] Products of matrices whose rows run along the contracted axis. No code generation.
 *
 * f32: partial sum j adds the products of elements j, j+4, j+8 … in order, product and sum rounded to f32 each; the result is
 * acc + ((s0 + s1) + (s2 + s3)), acc being 0 where there is none. The WebAssembly module and the fallback in TypeScript follow it bit for bit.
 */
import { COLUMNS, instantiateDot, type WasmDot, type WasmMemory } from "./wasm-dot.ts";

type Numbers = Float32Array | Int32Array | Uint32Array;

/** Copies rows of any strides to contiguous rows of `width` elements, zeros behind the `k`-th. */
function packRows(
  to: Float32Array,
  from: Float32Array,
  rows: number,
  rowStride: number,
  kStride: number,
  k: number,
  width: number,
): void {
  if (kStride === 1 && k === width && rowStride === k) {
    to.set(from.length === rows * k ? from : from.subarray(0, rows * k));
    return;
  }
  if (kStride === 1) {
    for (let r = 0; r < rows; r++) {
      const base = r * rowStride;
      const at = r * width;
      for (let i = 0; i < k; i++) to[at + i] = from[base + i] as number;
    }
  } else {
    for (let i = 0; i < k; i++) {
      const base = i * kStride;
      for (let r = 0; r < rows; r++) to[r * width + i] = from[base + r * rowStride] as number;
    }
  }
  if (k === width) return;
  for (let r = 0; r < rows; r++) to.fill(0, r * width + k, (r + 1) * width);
}

/** Copies rows of `width` elements between matrices with rows of other lengths. */
function copyRows(
  to: Float32Array,
  toStride: number,
  from: Float32Array,
  fromStride: number,
  rows: number,
  width: number,
): void {
  if (toStride === width && fromStride === width) {
    to.set(from.length === rows * width ? from : from.subarray(0, rows * width));
    return;
  }
  for (let r = 0; r < rows; r++) {
    const at = r * toStride;
    const base = r * fromStride;
    for (let c = 0; c < width; c++) to[at + c] = from[base + c] as number;
  }
}

/** `out[m, n] = acc + Σk a[m, k] · b[n, k]`; matrices as buffer, rows, stride of a row, stride of k. */
export type Dot<T extends Numbers> = (
  out: T,
  a: T,
  m: number,
  aRow: number,
  aK: number,
  b: T,
  n: number,
  bRow: number,
  bK: number,
  k: number,
  acc: T | undefined,
) => void;

/** Grows a memory where it has less than `bytes`. */
function reserve(memory: WasmMemory, bytes: number): void {
  const pages = Math.ceil(bytes / 65536) - memory.buffer.byteLength / 65536;
  if (pages > 0) memory.grow(pages);
}

function wasmDotF32({ memory, one, two }: WasmDot): Dot<Float32Array> {
  let views = new Float32Array(memory.buffer);
  return (out, a, m, aRow, aK, b, n, bRow, bK, k, acc) => {
    const width = Math.max(4, (k + 3) & ~3);
    const columns = Math.ceil(n / COLUMNS) * COLUMNS;
    if (m === 0 || n === 0) return;
    const bAt = m * width;
    const cAt = bAt + columns * width;
    reserve(memory, 4 * (cAt + m * columns));
    if (views.buffer !== memory.buffer) views = new Float32Array(memory.buffer);
    packRows(views, a, m, aRow, aK, k, width);
    packRows(views.subarray(bAt), b, n, bRow, bK, k, width);
    const c = views.subarray(cAt, cAt + m * columns);
    if (acc === undefined) c.fill(0);
    else copyRows(c, columns, acc, n, m, n);
    const blocks = columns / COLUMNS;
    for (let r = 0; r < m; r += 2) {
      const rows = r + 1 < m ? two : one;
      rows(4 * r * width, 4 * bAt, 4 * (cAt + r * columns), blocks, 4 * width, 4 * columns);
    }
    copyRows(out, n, c, columns, m, n);
  };
}

/** The same in plain TypeScript, for hosts without WebAssembly SIMD. */
export const plainDotF32: Dot<Float32Array> = (out, a, m, aRow, aK, b, n, bRow, bK, k, acc) => {
  const { fround } = Math;
  const width = (k + 3) & ~3;
  const left = new Float32Array(m * width);
  const right = new Float32Array(n * width);
  packRows(left, a, m, aRow, aK, k, width);
  packRows(right, b, n, bRow, bK, k, width);
  for (let r = 0; r < m; r++) {
    for (let c = 0; c < n; c++) {
      let [s0, s1, s2, s3] = [0, 0, 0, 0];
      let i = r * width;
      let j = c * width;
      for (const end = i + width; i < end; i += 4, j += 4) {
        s0 = fround(s0 + fround((left[i] as number) * (right[j] as number)));
        s1 = fround(s1 + fround((left[i + 1] as number) * (right[j + 1] as number)));
        s2 = fround(s2 + fround((left[i + 2] as number) * (right[j + 2] as number)));
        s3 = fround(s3 + fround((left[i + 3] as number) * (right[j + 3] as number)));
      }
      const sum = fround(fround(s0 + s1) + fround(s2 + s3));
      out[r * n + c] = (acc === undefined ? 0 : (acc[r * n + c] as number)) + sum;
    }
  }
};

let fastest: Dot<Float32Array> | undefined;

/** The fastest f32 product that this host can run. One for all programs: its memory only holds operands during a call. */
export function fastDotF32(): Dot<Float32Array> {
  if (fastest === undefined) {
    const wasm = instantiateDot();
    fastest = wasm === undefined ? plainDotF32 : wasmDotF32(wasm);
  }
  return fastest;
}

/** Products and sums in f64, rounded to f32 once at the end: independent of the order for all practical purposes. */
export const dotWide: Dot<Float32Array> = (out, a, m, aRow, aK, b, n, bRow, bK, k, acc) => {
  for (let r = 0; r < m; r++) {
    for (let c = 0; c < n; c++) {
      let sum = acc === undefined ? 0 : (acc[r * n + c] as number);
      for (let i = 0; i < k; i++) {
        sum += (a[r * aRow + i * aK] as number) * (b[c * bRow + i * bK] as number);
      }
      out[r * n + c] = sum;
    }
  }
};

/**
 * Integer products, wrapped to i32.
 * @param onOverflow called with the index of the result where the exact sum leaves i32
 */
export function dotInt(
  [out, a, m, aRow, aK, b, n, bRow, bK, k, acc]: Parameters<Dot<Numbers>>,
  onOverflow: ((index: number) => void) | undefined,
): void {
  for (let r = 0; r < m; r++) {
    for (let c = 0; c < n; c++) {
      let wrapped = acc === undefined ? 0 : (acc[r * n + c] as number);
      let exact = wrapped;
      for (let i = 0; i < k; i++) {
        const x = a[r * aRow + i * aK] as number;
        const y = b[c * bRow + i * bK] as number;
        wrapped = (wrapped + Math.imul(x, y)) | 0;
        exact += x * y;
      }
      out[r * n + c] = wrapped;
      if (onOverflow !== undefined && Math.abs(exact - wrapped) >= 1) onOverflow(r * n + c);
    }
  }
}
