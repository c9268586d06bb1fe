/** [dsl/interpreter] A WebAssembly SIMD module, assembled here, that multiplies rows by rows in f32. dot.ts packs and calls. */

/** Opcodes that the module uses. @source WebAssembly core specification 2.0, section 5.4 */
const OP = {
  block: 0x02,
  loop: 0x03,
  end: 0x0b,
  brIf: 0x0d,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  f32Load: 0x2a,
  f32Store: 0x38,
  i32Const: 0x41,
  i32LtU: 0x49,
  i32Add: 0x6a,
  i32Sub: 0x6b,
  f32Add: 0x92,
  simd: 0xfd,
} as const;
const SIMD = { load: 0x00, const: 0x0c, extractF32: 0x1f, addF32: 0xe4, mulF32: 0xe6 } as const;
const TYPE = { i32: 0x7f, v128: 0x7b, empty: 0x40 } as const;

/** Columns of a block; B is packed in multiples of it. */
export const COLUMNS = 4;
const VECTOR_BYTES = 16;

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const more = rest > 0x7f;
    bytes.push((rest & 0x7f) | (more ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function text(name: string): number[] {
  return [...unsigned(name.length), ...[...name].map((char) => char.charCodeAt(0))];
}

function simd(op: number): number[] {
  return [OP.simd, ...unsigned(op)];
}

const get = (local: number): number[] => [OP.localGet, ...unsigned(local)];
const set = (local: number): number[] => [OP.localSet, ...unsigned(local)];
/** `local += other local`. */
const addTo = (local: number, other: number): number[] => [
  ...get(local),
  ...get(other),
  OP.i32Add,
  ...set(local),
];
/** `local += constant`, below 64. */
const addConst = (local: number, value: number): number[] => [
  ...get(local),
  OP.i32Const,
  value,
  OP.i32Add,
  ...set(local),
];

/**
 * Body of `(a, b, c, blocks, kBytes, cBytes)`: `rows` rows of A times 4 · `blocks` rows of B, rows `kBytes` apart, to rows of
 * C `cBytes` apart. Lane j of an accumulator is partial sum j; (s0 + s1) + (s2 + s3) is added to what C holds.
 */
function rowsBody(rows: number): number[] {
  const [a, b, c, blocks, kBytes, cBytes] = [0, 1, 2, 3, 4, 5] as const;
  let next = 6;
  const aAt = Array.from({ length: rows }, () => next++);
  const bAt = Array.from({ length: COLUMNS }, () => next++);
  const [end, cAt] = [next++, next++];
  const firstVector = next;
  const aVector = Array.from({ length: rows }, () => next++);
  const bVector = next++;
  const sums = Array.from({ length: rows * COLUMNS }, () => next++);
  const sumOf = (row: number, column: number): number => sums[row * COLUMNS + column] ?? 0;
  const load = (at: number): number[] => [...get(at), ...simd(SIMD.load), 4, 0];
  const lane = (from: number, j: number): number[] => [...get(from), ...simd(SIMD.extractF32), j];

  const pointers = (at: readonly number[], base: number): number[] =>
    at.flatMap((local, n) =>
      n === 0
        ? [...get(base), ...set(local)]
        : [...get(at[n - 1] ?? 0), ...get(kBytes), OP.i32Add, ...set(local)],
    );
  const zero = [...simd(SIMD.const), ...Array<number>(VECTOR_BYTES).fill(0)];
  const step = [
    ...aAt.flatMap((at, row) => [...load(at), ...set(aVector[row] ?? 0), ...addConst(at, 16)]),
    ...bAt.flatMap((at, column) => [
      ...load(at),
      ...set(bVector),
      ...addConst(at, 16),
      ...aVector.flatMap((av, row) => {
        const sum = sumOf(row, column);
        const product = [...get(av), ...get(bVector), ...simd(SIMD.mulF32)];
        return [...get(sum), ...product, ...simd(SIMD.addF32), ...set(sum)];
      }),
    ]),
  ];
  const finish = aAt.flatMap((_, row) => [
    ...(row === 0 ? [...get(c), ...set(cAt)] : addTo(cAt, cBytes)),
    ...bAt.flatMap((_, column) => {
      const sum = sumOf(row, column);
      const low = [...lane(sum, 0), ...lane(sum, 1), OP.f32Add];
      const high = [...lane(sum, 2), ...lane(sum, 3), OP.f32Add];
      const sumUp = [...low, ...high, OP.f32Add];
      const before = [...get(cAt), OP.f32Load, 2, 4 * column];
      return [...get(cAt), ...before, ...sumUp, OP.f32Add, OP.f32Store, 2, 4 * column];
    }),
  ]);
  const code = [
    ...[OP.loop, TYPE.empty], // blocks of columns
    ...sums.flatMap((sum) => [...zero, ...set(sum)]),
    ...pointers(aAt, a),
    ...pointers(bAt, b),
    ...[...get(a), ...get(kBytes), OP.i32Add, ...set(end)],
    ...[OP.loop, TYPE.empty], // along k
    ...step,
    ...[...get(aAt[0] ?? 0), ...get(end), OP.i32LtU, OP.brIf, 0],
    OP.end,
    ...finish,
    ...Array.from({ length: COLUMNS }, () => addTo(b, kBytes)).flat(),
    ...addConst(c, 4 * COLUMNS),
    ...[...get(blocks), OP.i32Const, 1, OP.i32Sub, OP.localTee, ...unsigned(blocks), OP.brIf, 0],
    OP.end,
    OP.end,
  ];
  const locals = [
    [...unsigned(firstVector - 6), TYPE.i32],
    [...unsigned(next - firstVector), TYPE.v128],
  ];
  const body = [...vector(locals), ...code];
  return [...unsigned(body.length), ...body];
}

/** Exports `memory`, `one` (one row of A) and `two` (two rows). */
function moduleBytes(): Uint8Array {
  const signature = [0x60, ...vector(Array.from({ length: 6 }, () => [TYPE.i32])), 0];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector([signature])),
    ...section(3, vector([[0], [0]])),
    ...section(5, vector([[0, 1]])),
    ...section(
      7,
      vector([
        [...text("memory"), 2, 0],
        [...text("one"), 0, 0],
        [...text("two"), 0, 1],
      ]),
    ),
    ...section(10, vector([rowsBody(1), rowsBody(2)])),
  ]);
}

/** `rows × (4 · blocks)` results; addresses and strides in bytes, `kBytes` a positive multiple of 16, `blocks` positive. */
export type MultiplyRows = (
  a: number,
  b: number,
  c: number,
  blocks: number,
  kBytes: number,
  cBytes: number,
) => void;

/** A WebAssembly memory, as far as it is used. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

export interface WasmDot {
  readonly memory: WasmMemory;
  readonly one: MultiplyRows;
  readonly two: MultiplyRows;
}

/** The part of the host's WebAssembly interface that is used; the language library that we compile against lacks it. */
interface WasmHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  readonly CompileError: new (message?: string) => Error;
}

/** The module's exports, or undefined where the host has no WebAssembly SIMD or forbids compiling. */
export function instantiateDot(): WasmDot | undefined {
  const host = (globalThis as { readonly WebAssembly?: WasmHost }).WebAssembly;
  if (host === undefined) return undefined;
  try {
    return new host.Instance(new host.Module(moduleBytes())).exports as WasmDot;
  } catch (error) {
    if (error instanceof host.CompileError) return undefined;
    throw error;
  }
}
