/** [test/unit/emulation] ldmatrix, stmatrix and mma.sync of the prelude: fragment layouts and the rounding of sums. */
import { expect, it } from "vitest";
import { bf16Bits, f16Bits } from "../../../dsl/core/rounding.ts";
import type { EmulatedArgument, EmulatedRun } from "../../support/emulation-protocol.ts";
import {
  bytesOf,
  describeEmulated,
  floatsOf,
  input,
  output,
  randomBelow,
  wordsOf,
} from "./open.ts";

const MMA = (name: string, count: number): string => `
TW_KERNEL(32) mma_${name}(const u32* a, const u32* b, const f32* c, f32* d) {
  u32 fa[4], fb[2];
  f32 acc[4];
  for (i32 r = 0; r < 4; r++) fa[r] = tw_ldg<u32>(a + tw_lane() * 4 + r);
  for (i32 r = 0; r < 2; r++) fb[r] = tw_ldg<u32>(b + tw_lane() * 2 + r);
  for (i32 r = 0; r < 4; r++) acc[r] = tw_ldg<f32>(c + tw_lane() * 4 + r);
  for (i32 i = 0; i < ${count}; i++) tw_mma_${name}(acc, fa, fb);
  for (i32 r = 0; r < 4; r++) tw_stg<f32>(d + tw_lane() * 4 + r, acc[r]);
}`;

const LDMATRIX = (count: number, trans: string): string => `
TW_KERNEL(32) ldmatrix_x${count}${trans}(u32* y) {
  const u32 base = tw_smem_dyn();
  for (i32 i = tw_tid(); i < 256; i += 32) tw_sts<u16>(base + i * 2, (u16)i);
  tw_syncthreads();
  u32 r[${count}];
  tw_ldmatrix_x${count}${trans}(r, base + (tw_lane() % ${8 * count}) * 16);
  for (i32 q = 0; q < ${count}; q++) tw_stg<u32>(y + tw_lane() * ${count} + q, r[q]);
}`;

/** Half h of register q of lane l is 8 l + 2 q + h. */
const STMATRIX = (count: number, trans: string): string => `
TW_KERNEL(32) stmatrix_x${count}${trans}(u32* y) {
  const u32 base = tw_smem_dyn();
  u32 r[${count}];
  for (i32 q = 0; q < ${count}; q++) r[q] = tw_pack_u16x2(8 * tw_lane() + 2 * q, 8 * tw_lane() + 2 * q + 1);
  tw_stmatrix_x${count}${trans}(base + (tw_lane() % ${8 * count}) * 16, ${Array.from({ length: count }, (_, q) => `r[${q}]`)});
  tw_syncwarp();
  for (i32 i = tw_lane(); i < ${32 * count}; i += 32) tw_stg<u32>(y + i, tw_lds<u32>(base + 4 * i));
}`;

const TEXTS: Readonly<Record<string, string>> = {
  s8: `
TW_KERNEL(32) s8(const u32* a, const u32* b, i32* d) {
  u32 fa[4], fb[2];
  i32 acc[4];
  for (i32 r = 0; r < 4; r++) fa[r] = tw_ldg<u32>(a + tw_lane() * 4 + r);
  for (i32 r = 0; r < 2; r++) fb[r] = tw_ldg<u32>(b + tw_lane() * 2 + r);
  for (i32 r = 0; r < 4; r++) acc[r] = r;
  tw_mma_m16n8k32_s32_s8(acc, fa, fb);
  for (i32 r = 0; r < 4; r++) tw_stg<i32>(d + tw_lane() * 4 + r, acc[r]);
}`,
  mma_m16n8k16_f32_f16: MMA("m16n8k16_f32_f16", 1),
  mma_m16n8k16_f32_bf16: MMA("m16n8k16_f32_bf16", 1),
  mma_m16n8k8_f32_tf32: MMA("m16n8k8_f32_tf32", 1),
  ldmatrix_x1: LDMATRIX(1, ""),
  ldmatrix_x2: LDMATRIX(2, ""),
  ldmatrix_x4: LDMATRIX(4, ""),
  ldmatrix_x1_trans: LDMATRIX(1, "_trans"),
  ldmatrix_x2_trans: LDMATRIX(2, "_trans"),
  ldmatrix_x4_trans: LDMATRIX(4, "_trans"),
  stmatrix_x2: STMATRIX(2, ""),
  stmatrix_x4: STMATRIX(4, ""),
  stmatrix_x2_trans: STMATRIX(2, "_trans"),
  stmatrix_x4_trans: STMATRIX(4, "_trans"),
};

const SEEDS = [1, 2, 3, 4, 5, 6];
const kernels = Object.entries(TEXTS).map(([name, text]) => ({ id: name, entry: name, text }));

describeEmulated("matrix instructions", (emulation) => {
  const unit = emulation.build(kernels);
  const run = (kernel: string, args: readonly EmulatedArgument[]): readonly EmulatedRun[] => {
    const runs = unit.launch({
      kernel,
      grid: [1, 1, 1],
      threads: 32,
      sharedBytes: 1024,
      args,
      seeds: SEEDS,
    });
    expect(runs.flatMap((each) => each.reports)).toEqual([]);
    return runs;
  };

  it.each([
    [1, false],
    [2, false],
    [4, false],
    [1, true],
    [2, true],
    [4, true],
  ] as const)("spreads %i matrices over the lanes, transposed: %s", (count, isTransposed) => {
    const kernel = `ldmatrix_x${count}${isTransposed ? "_trans" : ""}`;
    const expected = Array.from({ length: 32 }, (_, l) =>
      Array.from({ length: count }, (_, q) => {
        const major = Math.floor(l / 4);
        const at = (minor: number): number =>
          q * 64 + (isTransposed ? minor * 8 + major : major * 8 + minor);
        return at((l % 4) * 2) + at((l % 4) * 2 + 1) * 65536;
      }),
    ).flat();
    for (const each of run(kernel, [output("y", new Uint32Array(32 * count))])) {
      expect([...wordsOf(each, "y")]).toEqual(expected);
    }
  });

  it.each([
    [2, false],
    [4, false],
    [2, true],
    [4, true],
  ] as const)("gathers %i matrices from the lanes, transposed: %s", (count, isTransposed) => {
    const kernel = `stmatrix_x${count}${isTransposed ? "_trans" : ""}`;
    const expected = Uint16Array.from({ length: 64 * count }, (_, i) => {
      const [q, row, column] = [i >> 6, (i >> 3) & 7, i & 7];
      const [major, minor] = isTransposed ? [column, row] : [row, column];
      return 8 * (4 * major + (minor >> 1)) + 2 * q + (minor & 1);
    });
    for (const each of run(kernel, [output("y", new Uint32Array(32 * count))])) {
      expect(new Uint16Array(bytesOf(each, "y").buffer)).toEqual(expected);
    }
  });

  const shapes = [
    ["m16n8k16_f32_f16", 2, f16Bits],
    ["m16n8k16_f32_bf16", 2, bf16Bits],
    ["m16n8k8_f32_tf32", 1, (x: number) => new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0],
  ] as const;
  it.each(shapes)("multiplies fragments of %s", (name, per, bits) => {
    const depth = 8 * per;
    const random = randomBelow(depth + per);
    const whole = (count: number): readonly number[] =>
      Array.from({ length: count }, () => random(15) - 7);
    const [a, b, c] = [whole(16 * depth), whole(depth * 8), whole(128)];
    const pack = (
      read: (lane: number, r: number, e: number) => number,
      count: number,
    ): Uint32Array =>
      Uint32Array.from({ length: 32 * count }, (_, i) => {
        const [lane, r] = [Math.floor(i / count), i % count];
        return Array.from({ length: per }, (_, e) => bits(read(lane, r, e)) * 65536 ** e).reduce(
          (x, y) => x + y,
          0,
        );
      });
    const fa = pack(
      (l, r, e) =>
        a[
          (Math.floor(l / 4) + 8 * (r % 2)) * depth +
            (l % 4) * per +
            e +
            4 * per * Math.floor(r / 2)
        ] ?? 0,
      4,
    );
    const fb = pack(
      (l, r, e) => b[((l % 4) * per + e + 4 * per * r) * 8 + Math.floor(l / 4)] ?? 0,
      2,
    );
    const expected = Array.from({ length: 128 }, (_, i) => {
      const [l, r] = [Math.floor(i / 4), i % 4];
      const [row, column] = [Math.floor(l / 4) + 8 * Math.floor(r / 2), 2 * (l % 4) + (r % 2)];
      return Array.from(
        { length: depth },
        (_, k) => (a[row * depth + k] ?? 0) * (b[k * 8 + column] ?? 0),
      ).reduce((x, y) => x + y, c[i] ?? 0);
    });
    const args = [
      input("a", fa),
      input("b", fb),
      input("c", Float32Array.from(c)),
      output("d", new Float32Array(128)),
    ];
    for (const each of run(`mma_${name}`, args)) expect([...floatsOf(each, "d")]).toEqual(expected);
  });

  it("multiplies fragments of signed bytes", () => {
    const random = randomBelow(99);
    const a = Int8Array.from({ length: 512 }, () => random(256) - 128);
    const b = Int8Array.from({ length: 256 }, () => random(256) - 128);
    const pack = (count: number, read: (l: number, r: number, e: number) => number): Uint8Array =>
      Uint8Array.from(
        { length: 128 * count },
        (_, i) => read(Math.floor(i / 4 / count), Math.floor(i / 4) % count, i % 4) & 255,
      );
    const fa = pack(
      4,
      (l, r, e) =>
        a[(Math.floor(l / 4) + 8 * (r % 2)) * 32 + (l % 4) * 4 + e + 16 * Math.floor(r / 2)] ?? 0,
    );
    const fb = pack(2, (l, r, e) => b[((l % 4) * 4 + e + 16 * r) * 8 + Math.floor(l / 4)] ?? 0);
    const expected = Array.from({ length: 128 }, (_, i) => {
      const [l, r] = [Math.floor(i / 4), i % 4];
      const [row, column] = [Math.floor(l / 4) + 8 * Math.floor(r / 2), 2 * (l % 4) + (r % 2)];
      return Array.from(
        { length: 32 },
        (_, k) => (a[row * 32 + k] ?? 0) * (b[k * 8 + column] ?? 0),
      ).reduce((x, y) => x + y, r);
    });
    for (const each of run("s8", [
      input("a", fa),
      input("b", fb),
      output("d", new Int32Array(128)),
    ])) {
      expect([...new Int32Array(bytesOf(each, "d").buffer)]).toEqual(expected);
    }
  });

  it("cuts tensor-core sums below 25 bits of the largest product, as an H200 does", () => {
    // Row 0 of A is (2^12, 2^-13, 0 …), column 0 of B is all ones: c = -2^12 leaves what was kept of 2^-13.
    const fa = new Uint32Array(128).fill(0);
    fa[0] = f16Bits(4096) + f16Bits(2 ** -13) * 65536;
    const fb = new Uint32Array(64).fill(f16Bits(1) * 65537);
    const sum = (first: number, second: number): number => {
      const [a, c] = [fa.slice(), new Float32Array(128)];
      a[0] = f16Bits(first) + f16Bits(second) * 65536;
      c[0] = -first;
      const args = [
        input("a", a),
        input("b", fb),
        input("c", c),
        output("d", new Float32Array(128)),
      ];
      return floatsOf(run("mma_m16n8k16_f32_f16", args)[0], "d")[0] ?? Number.NaN;
    };
    expect(sum(4096, 2 ** -13)).toBe(2 ** -13);
    expect(sum(4096, 2 ** -14)).toBe(0);
    expect(sum(4096, 3 * 2 ** -14)).toBe(2 ** -13);
  });
});
