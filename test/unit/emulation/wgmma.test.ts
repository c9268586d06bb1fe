/** [test/unit/emulation] wgmma of the prelude: operand layouts by descriptor and fragment, results by thread, rounding as an H200 gave it. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import { bytesOf, describeEmulated, i32, input, output, randomBelow } from "./open.ts";
import {
  depthOf,
  type Element,
  fragmentsOf,
  type Placed,
  placeTile,
  SharedImage,
  type Swizzle,
  type Tile,
} from "./wgmma-operands.ts";

interface Case {
  readonly element: Element;
  readonly n: number;
  readonly aSwizzle: Swizzle;
  readonly bSwizzle: Swizzle;
  readonly aTransposed?: boolean;
  readonly bTransposed?: boolean;
  readonly aFromRegisters?: boolean;
}

const SWIZZLES = [0, 32, 64, 128] as const;
const CASES: readonly Case[] = [
  ...SWIZZLES.flatMap((s): readonly Case[] => [
    { element: "bf16", n: 64, aSwizzle: s, bSwizzle: s },
    { element: "bf16", n: 64, aSwizzle: 128, bSwizzle: s, bTransposed: true },
    { element: "bf16", n: 128, aSwizzle: s, bSwizzle: s, aTransposed: true, bTransposed: true },
    { element: "f16", n: 64, aSwizzle: s, bSwizzle: 64, aTransposed: true },
    { element: "e4m3", n: 64, aSwizzle: s, bSwizzle: s },
    { element: "s8", n: 64, aSwizzle: s, bSwizzle: s },
  ]),
  { element: "bf16", n: 8, aSwizzle: 128, bSwizzle: 0 },
  { element: "bf16", n: 256, aSwizzle: 128, bSwizzle: 128 },
  { element: "f16", n: 96, aSwizzle: 32, bSwizzle: 128 },
  { element: "f16", n: 96, aSwizzle: 128, bSwizzle: 128 },
  { element: "e5m2", n: 192, aSwizzle: 128, bSwizzle: 64 },
  { element: "e5m2", n: 40, aSwizzle: 64, bSwizzle: 32 },
  { element: "s8", n: 208, aSwizzle: 128, bSwizzle: 128 },
  { element: "bf16", n: 64, aSwizzle: 0, bSwizzle: 128, aFromRegisters: true },
  { element: "f16", n: 32, aSwizzle: 0, bSwizzle: 64, aFromRegisters: true, bTransposed: true },
];

function idOf(one: Case): string {
  const bits = (one.aTransposed ? "_ta" : "") + (one.bTransposed ? "_tb" : "");
  const from = one.aFromRegisters ? "_ra" : "";
  return `${one.element}${from}_n${one.n}_a${one.aSwizzle}_b${one.bSwizzle}${bits}`;
}

/** Two chained wgmma over an image that is copied to shared memory as it is; all accumulators go out, thread by thread. */
function textOf(one: Case): string {
  const { element, n, aSwizzle, bSwizzle } = one;
  const isInteger = element === "s8";
  const [T, kind] = isInteger ? ["i32", "s32_s8"] : ["f32", `f32_${element}`];
  const bits = (one.aTransposed ? 1 : 0) + (one.bTransposed ? 2 : 0);
  const template = depthOf(element) === 16 ? `<${bits}>` : "";
  const suffix = one.aFromRegisters ? "_ra" : "";
  const call = `tw_wgmma_m64n${n}k${depthOf(element)}_${kind}${suffix}${template}`;
  const a = (step: number): string =>
    one.aFromRegisters
      ? `&fa[${4 * step}]`
      : `tw_wgmma_desc<${aSwizzle}>(base + a_start + ${step} * a_step, a_leading, a_stride)`;
  const b = (step: number): string =>
    `tw_wgmma_desc<${bSwizzle}>(base + b_start + ${step} * b_step, b_leading, b_stride)`;
  return `
TW_KERNEL(128) wgmma(const u8* image, const u32* fragments, ${T}* y, i32 bytes, i32 first, i32 a_start, i32 a_leading,
                     i32 a_stride, i32 a_step, i32 b_start, i32 b_leading, i32 b_stride, i32 b_step) {
  const u32 base = tw_smem_dyn();
  for (i32 i = tw_tid() * 16; i < bytes; i += 2048) tw_sts<tw_u32x4>(base + i, tw_ldg<tw_u32x4>(image + i));
  u32 fa[8];
  for (i32 q = 0; q < 8; q++) fa[q] = tw_ldg<u32>(fragments + tw_tid() * 8 + q);
  tw_fence_proxy_async();
  tw_syncthreads();
  ${T} acc[${n / 2}];
  for (i32 i = 0; i < ${n / 2}; i++) acc[i] = (${T})(tw_tid() + i);
  tw_wgmma_fence();
  ${call}(acc, ${a(0)}, ${b(0)}, first);
  ${call}(acc, ${a(1)}, ${b(1)}, 1);
  tw_wgmma_commit();
  tw_wgmma_wait<0>();
  tw_wgmma_keep${isInteger ? "_s32" : ""}<${n / 2}>(acc);
  for (i32 i = 0; i < ${n / 2}; i++) tw_stg<${T}>(y + tw_tid() * ${n / 2} + i, acc[i]);
}`;
}

function args(
  image: Uint8Array,
  fragments: Uint32Array,
  n: number,
  first: number,
  a: Placed,
  b: Placed,
) {
  return [
    input("image", image),
    input("fragments", fragments),
    output("y", new Uint32Array(64 * n)),
    i32(image.length),
    i32(first),
    ...[a, b].flatMap(({ start, leading, stride, step }) =>
      [start, leading, stride, step].map(i32),
    ),
  ];
}

/** Whole numbers small enough for every sum to be exact, in 8-bit floats' 14 bits too. */
function randomTile(element: Element, rows: number, seed: number): Tile {
  const random = randomBelow(seed);
  const most = element === "s8" ? 100 : element === "e5m2" || element === "e4m3" ? 4 : 8;
  const count = rows * 2 * depthOf(element);
  return {
    element,
    rows,
    values: Array.from({ length: count }, () => random(2 * most + 1) - most),
  };
}

function expectedOf(a: Tile, b: Tile, first: number): readonly number[] {
  const steps = 2 * depthOf(a.element);
  const n = b.rows;
  return Array.from({ length: 64 * n }, (_, at) => {
    const thread = Math.floor(at / (n / 2));
    const i = at % (n / 2);
    const row = 16 * (thread >> 5) + ((thread & 31) >> 2) + 8 * ((i >> 1) & 1);
    const column = 8 * (i >> 2) + 2 * (thread & 3) + (i & 1);
    let sum = first * (thread + i);
    for (let k = 0; k < steps; k++) {
      sum += (a.values[row * steps + k] ?? 0) * (b.values[column * steps + k] ?? 0);
    }
    return sum;
  });
}

function valuesOf(run: EmulatedRun | undefined, element: Element): readonly number[] {
  const { buffer } = bytesOf(run, "y");
  return [...(element === "s8" ? new Int32Array(buffer) : new Float32Array(buffer))];
}

describeEmulated("wgmma", (emulation) => {
  const unit = emulation.build(
    CASES.map((one) => ({ id: idOf(one), entry: "wgmma", text: textOf(one) })),
  );

  it.each(CASES.map((one) => [idOf(one), one] as const))("multiplies %s", (id, one) => {
    const a = randomTile(one.element, 64, 3);
    const b = randomTile(one.element, one.n, 4);
    const image = new SharedImage();
    const aPlaced = placeTile(image, a, one.aSwizzle, one.aTransposed ?? false);
    const bPlaced = placeTile(image, b, one.bSwizzle, one.bTransposed ?? false);
    for (const first of [0, 1]) {
      const runs = unit.launch({
        kernel: id,
        grid: [1, 1, 1],
        threads: 128,
        sharedBytes: Math.ceil(image.bytes.length / 16) * 16,
        args: args(image.bytes, fragmentsOf(a), one.n, first, aPlaced, bPlaced),
        seeds: [1, 2, 3],
      });
      expect(runs.flatMap((run) => run.reports)).toEqual([]);
      const expected = expectedOf(a, b, first);
      for (const run of runs) expect(valuesOf(run, one.element)).toEqual(expected);
    }
  });

  /**
   * sha256 of all accumulators as an H200 gave them, thread by thread, for the image made below.
   * @source one run of the same text, compiled by nvcc 13.0
   */
  const measured: readonly (readonly [Element, number, number, string])[] = [
    ["f16", 96, 103, "c561e95a60d4e9a19bf11eb0381180cd6bb844f3fb40c84804678eb281c5d6d2"],
    ["e4m3", 64, 78, "fa390dccd8c8c2779e3d5b0736f3014fe16d163c884d0637b0c3e641a179e0e8"],
  ];
  it.each(measured)("rounds %s, n = %i, as an H200 does", (element, n, seed, digest) => {
    const one: Case = { element, n, aSwizzle: 128, bSwizzle: 128 };
    const image = measuredImage(one.element, one.n, seed);
    const [run] = unit.launch({
      kernel: idOf(one),
      grid: [1, 1, 1],
      threads: 128,
      sharedBytes: image.length,
      args: args(
        image,
        new Uint32Array(1024),
        one.n,
        0,
        { start: 0, leading: 16, stride: 1024, step: 32 },
        { start: 64 * 128, leading: 16, stride: 1024, step: 32 },
      ),
      seeds: [1],
    });
    expect(run?.reports).toEqual([]);
    expect(createHash("sha256").update(bytesOf(run, "y")).digest("hex")).toBe(digest);
  });
});

/** Random bits of moderate exponents in rows of 128 bytes, by the generator of the measurement. */
function measuredImage(element: Element, n: number, seed: number): Uint8Array {
  let state = (Math.imul(seed, 2654435761) + 12345) >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
  const spread = (): number => (next() % 7) - 3;
  const count = (64 + n) * 128;
  if (element !== "f16") {
    return Uint8Array.from({ length: count }, () => (next() & 0x87) | ((7 + spread()) << 3));
  }
  const halves = Uint16Array.from(
    { length: count / 2 },
    () => (next() & 0x83ff) | ((15 + spread()) << 10),
  );
  return new Uint8Array(halves.buffer);
}
