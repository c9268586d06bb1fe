/** [test/unit/codegen] Loads and stores of both text families, run: every dtype, width and alignment, masks, fills, shared buffers. */
import { expect, it } from "vitest";
import { DTYPES, type DType, encodeArray } from "../../../../dsl/index.ts";
import type { ThreadCase } from "../../../support/thread-kernels.ts";
import { describeMachines, floats, halves, octets, words } from "./open.ts";

const COUNT = 64;

/** Whole words with a different value in every element. */
function pattern(dtype: DType, count: number): Uint8Array {
  const { bits, kind } = DTYPES[dtype];
  const bytes = new Uint8Array(Math.ceil((count * bits) / 32) * 4);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = kind === "bool" ? ((i * 7) % 3) & 1 : (i * 37 + 11) & 0xff;
  }
  // No NaN patterns, which a conversion might canonicalise.
  if (bits === 32 && kind === "float")
    return encodeArray(
      "f32",
      Float32Array.from({ length: count }, (_, i) => i - 9.5),
    );
  return bytes;
}

/** Copies `width` elements a thread, through registers or through shared memory. */
function copyText(dtype: DType, width: number, via: "registers" | "shared"): string {
  const bytes = Math.ceil((COUNT * DTYPES[dtype].bits) / 8);
  const threads = COUNT / width;
  const shared = via === "shared" ? `shared tile: ${dtype}[${COUNT}] at 0\n` : "";
  const body =
    via === "registers"
      ? ""
      : `store_shared r[0] x${width} to tile[i]
    barrier
    load_shared r[0] x${width} from tile[${COUNT - width} - i]
    barrier`;
  const to = via === "registers" ? "i" : `${COUNT - width} - i`;
  return `thread copy(x: in ${dtype}[N], y: out ${dtype}[N]) dims(N) fixed() threads(${threads}) warp(1) bytes(${via === "shared" ? bytes : 0}) {
    ${shared}
    let i: i32 = @thread * ${width}
    var r: ${dtype}[${width}]
    load_global r[0] x${width} from x[i] fill 0
    ${body}
    store_global r[0] x${width} to y[${to}]
  }`;
}

const WIDTHS: readonly (readonly [DType, readonly number[]])[] = [
  ["f32", [1, 2, 4, 8]],
  ["i32", [1, 2, 4]],
  ["u32", [1, 2, 4]],
  ["f16", [1, 2, 4, 8, 16]],
  ["bf16", [1, 2, 8]],
  ["f8e4m3", [1, 2, 4, 8, 16]],
  ["f8e5m2", [1, 4]],
  ["f8e8m0", [1, 4]],
  ["i8", [1, 2, 4, 16]],
  ["u8", [1, 2, 4, 16]],
  ["bool", [1, 2, 4, 8]],
  ["i4", [2, 4, 8, 32]],
  ["u4", [2, 4, 8, 32]],
  ["nf4", [2, 8]],
  ["f4e2m1", [2, 32]],
];
const ROWS = WIDTHS.flatMap(([dtype, widths]) =>
  widths.flatMap((width) =>
    (["registers", "shared"] as const).map((via) => [dtype, width, via] as const),
  ),
);

function copyCase([dtype, width, via]: (typeof ROWS)[number]): ThreadCase {
  const x = pattern(dtype, COUNT);
  return {
    id: `${dtype} ${width} ${via}`,
    text: copyText(dtype, width, via),
    args: { tensors: { x, y: new Uint8Array(x.length) }, dims: { N: COUNT } },
  };
}

/** Each element alone, of a tensor whose size is no multiple of a word, past a mask. */
function raggedText(dtype: DType): string {
  return `thread ragged(x: in ${dtype}[N], y: inout ${dtype}[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let i: i32 = @pid0 * 64 + @thread
    var r: ${dtype}
    load_global r x1 from x[i] mask (i < #N) & (i != 3) fill 1
    store_global r x1 to y[i] mask (i < #N) & (i != 5)
  }`;
}
const RAGGED = [
  "f32",
  "f16",
  "bf16",
  "u8",
  "i8",
  "f8e4m3",
  "f8e8m0",
  "bool",
  "i4",
  "u4",
  "nf4",
  "f4e2m1",
] as const;

const SINGLE_NIBBLE = `thread nibble(x: in i4[N], y: out i32[N]) dims(N) fixed() threads(64) warp(WARP) bytes(0) {
    let i: i32 = @thread
    var r: i4
    load_global r x1 from x[i] mask i < #N fill -8
    var v: i32 = i32(r)
    store_global v x1 to y[i] mask i < 64
  }`;

/** Two buffers over the same bytes, and one of another dtype beside them. */
const ALIASED = `thread aliased(x: in f32[N], y: out f32[N], h: out f16[N]) dims(N) fixed() threads(32) warp(WARP) bytes(320) {
    shared first: f32[32] at 0
    shared second: f16[64] at 0
    shared third: u8[64] at 128
    shared fourth: i32[32] at 192
    let t: i32 = @thread
    var v: f32
    var w: f32
    var b: u8
    var n: i32
    load_global v x1 from x[t] fill 0.0
    store_shared v x1 to first[t]
    barrier
    load_shared w x1 from first[31 - t]
    barrier
    var p: f16[2]
    p[0] = f16(w)
    p[1] = f16(v)
    store_shared p[0] x1 to second[t]
    store_shared p[1] x1 to second[t + 32]
    b = u8(i32(v))
    store_shared b x1 to third[t]
    n = i32(w)
    store_shared n x1 to fourth[t]
    barrier
    var q: f16
    load_shared q x1 from second[63 - t]
    store_global q x1 to h[t]
    load_shared b x1 from third[(t + 1) & 31]
    load_shared n x1 from fourth[(t + 1) & 31]
    v = f32(i32(b)) + 1000.0 * f32(n)
    store_global v x1 to y[t]
  }`;

const COPY_ASYNC = `thread copied(x: in bf16[N], y: out bf16[N]) dims(N) fixed() threads(16) warp(WARP) bytes(256) {
    shared tile: bf16[128] at 0
    let i: i32 = @thread * 8
    copy_async x8 x[i] to tile[i] mask i < #N
    commit_async
    wait_async 0
    barrier
    var r: bf16[8]
    load_shared r[0] x8 from tile[120 - i]
    store_global r[0] x8 to y[i]
  }`;

const f32x32 = Float32Array.from({ length: 32 }, (_, i) => i * 3);
const CASES: readonly ThreadCase[] = [
  ...ROWS.map(copyCase),
  ...RAGGED.map((dtype) => ({
    id: `ragged ${dtype}`,
    text: raggedText(dtype),
    args: {
      tensors: { x: pattern(dtype, 72), y: pattern(dtype, 72).map((b) => b ^ 1) },
      dims: { N: 67 },
      grid: [2, 1, 1] as const,
    },
  })),
  {
    id: "nibble",
    text: SINGLE_NIBBLE,
    args: {
      tensors: { x: Uint8Array.from([0x10, 0x87, 0xf8, 0x96]), y: new Int32Array(64) },
      dims: { N: 7 },
    },
  },
  {
    id: "aliased",
    text: ALIASED,
    args: {
      tensors: { x: f32x32, y: new Float32Array(32), h: new Uint16Array(32) },
      dims: { N: 32 },
    },
  },
  {
    id: "copied",
    text: COPY_ASYNC,
    args: {
      tensors: { x: pattern("bf16", 120), y: new Uint8Array(256) },
      dims: { N: 120 },
    },
  },
];

/** Bits [i × bits, …) of `to` become the first bits of `value`. */
function setElement(to: Uint8Array, bits: number, i: number, value: Uint8Array): void {
  if (bits >= 8) {
    to.set(value.slice(0, bits / 8), (i * bits) / 8);
    return;
  }
  const shift = (i % 2) * 4;
  to[i >> 1] = ((to[i >> 1] ?? 0) & (0xf0 >> shift)) | (((value[0] ?? 0) & 15) << shift);
}

function elementOf(from: Uint8Array, bits: number, i: number): Uint8Array {
  if (bits >= 8) return from.slice((i * bits) / 8, ((i + 1) * bits) / 8);
  return Uint8Array.of(((from[i >> 1] ?? 0) >> ((i % 2) * 4)) & 15);
}

/** Bytes of one element before the masks, as the ragged kernels leave them. */
function raggedExpected(dtype: (typeof RAGGED)[number]): Uint8Array {
  const { bits } = DTYPES[dtype];
  const x = pattern(dtype, 72);
  const expected = pattern(dtype, 72).map((b) => b ^ 1);
  const one = encodeArray(dtype, [1]);
  for (let i = 0; i < 67; i++) {
    if (i === 5) continue;
    setElement(expected, bits, i, i === 3 ? one : elementOf(x, bits, i));
  }
  return expected;
}

await describeMachines("loads and stores", (machine) => {
  const run = machine.batch(CASES);

  it.each(ROWS)("move %s by %i through %s", async (...row) => {
    const [dtype, width, via] = row;
    expect(octets(await run(`${dtype} ${width} ${via}`), "y")).toEqual(pattern(dtype, COUNT));
  });

  it.each(RAGGED)("keep to their mask and their neighbours' bits: %s", async (dtype) => {
    expect(octets(await run(`ragged ${dtype}`), "y")).toEqual(raggedExpected(dtype));
  });

  it("read a single nibble with its sign, or the fill", async () => {
    const y = [...words(await run("nibble"), "y")].map((v) => v | 0);
    expect(y.slice(0, 9)).toEqual([0, 1, 7, -8, -8, -1, 6, -8, -8]);
  });

  it("keep buffers apart that share bytes at different times", async () => {
    const outputs = await run("aliased");
    const expected = [...f32x32].map((_, t) => {
      const u = (t + 1) & 31;
      return u * 3 + 1000 * ((31 - u) * 3);
    });
    expect([...floats(outputs, "y")]).toEqual(expected);
    const expectedHalves = encodeArray("f16", [...f32x32].reverse());
    expect(halves(outputs, "h")).toEqual(new Uint16Array(expectedHalves.buffer));
  });

  it("copy to shared memory, zeros where the mask is false", async () => {
    const y = halves(await run("copied"), "y");
    const x = new Uint16Array(pattern("bf16", 120).buffer);
    const rows = Array.from({ length: 16 }, (_, t) => x.slice(120 - t * 8, 128 - t * 8));
    const expected = rows.flatMap((row) => [...row, ...Array(8 - row.length).fill(0)]);
    expect([...y]).toEqual(expected);
  });
});
