/** [test/unit/emulation] Each access, exchange and barrier of the prelude alone, against its documented meaning. */
import { expect, it } from "vitest";
import type { EmulatedArgument, EmulatedRun } from "../../support/emulation-protocol.ts";
import { bytesOf, describeEmulated, floatsOf, i32, input, output, wordsOf } from "./open.ts";

const TEXTS: Readonly<Record<string, string>> = {
  indices: `
TW_KERNEL(64) indices(i32* y) {
  const i32 block = tw_bid_x() + tw_nbid_x() * (tw_bid_y() + tw_nbid_y() * tw_bid_z());
  i32* to = y + (block * tw_ntid() + tw_tid()) * 4;
  tw_stg<tw_i32x4>(to, tw_i32x4{tw_tid(), tw_lane(), tw_warp(), block * 100 + tw_nbid_z()});
}`,
  widths: `
TW_KERNEL(1) widths(const u8* x, u8* y) {
  const u32 base = tw_smem_dyn();
  tw_sts<u8>(base, tw_ldg_nc<u8>(x + 1));
  tw_sts<u16>(base + 2, tw_ldg_nc<u16>(x + 2));
  tw_sts<u32>(base + 4, tw_ldg_nc<u32>(x + 4));
  tw_sts<tw_u32x2>(base + 8, tw_ldg_nc<tw_u32x2>(x + 8));
  tw_sts<tw_u32x4>(base + 16, tw_ldg_nc<tw_u32x4>(x + 16));
  tw_stg<u8>(y + 1, tw_lds<u8>(base));
  tw_stg<u16>(y + 2, tw_lds<u16>(base + 2));
  tw_stg<f32>(y + 4, tw_lds<f32>(base + 4));
  tw_stg<tw_f32x2>(y + 8, tw_lds<tw_f32x2>(base + 8));
  tw_stg<tw_u32x4>(y + 16, tw_lds<tw_u32x4>(base + 16));
}`,
  copies: `
TW_KERNEL(1) copies(const u8* x, u8* y) {
  const u32 base = tw_smem_dyn();
  tw_cp_async_16(base, x);
  tw_cp_async_8(base + 16, x + 16);
  tw_cp_async_4(base + 24, x + 24);
  tw_cp_async_4_zfill(base + 28, x + 28, 3);
  tw_cp_async_commit();
  tw_cp_async_16_zfill(base + 32, x + 32, 0);
  tw_cp_async_8_zfill(base + 48, x + 48, 2);
  tw_cp_async_8_zfill(base + 56, x + 56, 8);
  tw_cp_async_commit();
  tw_cp_async_wait<1>();
  for (i32 i = 0; i < 32; i++) tw_stg<u8>(y + i, tw_lds<u8>(base + i));
  tw_cp_async_wait<0>();
  for (i32 i = 32; i < 64; i++) tw_stg<u8>(y + i, tw_lds<u8>(base + i));
}`,
  shuffles: `
TW_KERNEL(TW_WARP) shuffles(i32* y) {
  const i32 l = tw_lane();
  i32* to = y + l * 8;
  tw_stg<i32>(to + 0, tw_shfl_xor<i32>(l * 10, 5));
  tw_stg<i32>(to + 1, tw_shfl_idx<i32>(l * 10, l + 3));
  tw_stg<i32>(to + 2, tw_shfl_up<i32>(l * 10, 3));
  tw_stg<i32>(to + 3, tw_shfl_down<i32>(l * 10, 3));
  tw_stg<i32>(to + 4, (i32)tw_shfl_xor<f32>(l * 0.5f, 1) * 2 + (i32)tw_shfl_xor<u16>((u16)l, 2));
  tw_stg<i32>(to + 5, tw_any(l == 7) + 2 * tw_any(false) + 4 * tw_all(true) + 8 * tw_all(l != 7));
  const u64 odd = tw_ballot(l % 2 == 1);
  tw_stg<i32>(to + 6, (i32)(u32)odd);
  tw_stg<i32>(to + 7, (i32)(u32)(odd >> 32));
}`,
  atomics: `
TW_KERNEL(64) atomics(f32* f, i32* i, u32* u, u32* seen) {
  const i32 t = tw_tid() + 64 * tw_bid_x();
  tw_atom_add_f32(f, 0.5f);
  tw_atom_max_f32(f + 1, t == 5 ? __builtin_nanf("") : (f32)t);
  tw_atom_min_f32(f + 2, -(f32)t);
  tw_atom_add_i32(i, -1);
  tw_atom_max_i32(i + 1, t - 200);
  tw_atom_min_i32(i + 2, t - 200);
  tw_atom_max_u32(u + 1, (u32)t);
  tw_atom_min_u32(u + 2, 4000000000u - (u32)t);
  tw_stg<u32>(seen + tw_atom_add_u32(u, 1), 1);
}`,
  named: `
TW_KERNEL(96) named(i32* y) {
  const u32 base = tw_smem_dyn();
  if (tw_warp() == 0) {
    tw_sts<i32>(base + 4 * tw_lane(), tw_lane() + 1);
    tw_bar_arrive(1, 64);
  } else if (tw_warp() == 1) {
    tw_bar_sync(1, 64);
    tw_stg<i32>(y + tw_lane(), tw_lds<i32>(base + 4 * (31 - tw_lane())));
  }
}`,
  warp_sync: `
TW_KERNEL(64) warp_sync(i32* y) {
  const u32 mine = tw_smem_dyn() + 128 * tw_warp();
  tw_sts<i32>(mine + 4 * tw_lane(), tw_tid());
  tw_syncwarp();
  tw_stg<i32>(y + tw_tid(), tw_lds<i32>(mine + 4 * (tw_lane() ^ 1)));
}`,
};

const SEEDS = [1, 2, 3, 4, 5, 6];
const kernels = Object.entries(TEXTS).map(([name, text]) => ({ id: name, entry: name, text }));

describeEmulated("instructions", (emulation) => {
  const unit = emulation.build(kernels);
  const run = (
    kernel: string,
    threads: number,
    args: readonly EmulatedArgument[],
    grid = 1,
  ): readonly EmulatedRun[] => {
    const runs = unit.launch({
      kernel,
      grid: [grid, 1, 1],
      threads,
      sharedBytes: 1024,
      args,
      seeds: SEEDS,
    });
    expect(runs.flatMap((each) => each.reports)).toEqual([]);
    return runs;
  };

  it("numbers threads, lanes, warps and blocks", () => {
    const y = output("y", new Int32Array(12 * 64 * 4));
    const runs = unit.launch({
      kernel: "indices",
      grid: [2, 3, 2],
      threads: 64,
      sharedBytes: 0,
      args: [y],
      seeds: SEEDS,
    });
    const expected = Array.from({ length: 12 * 64 }, (_, i) => {
      const thread = i % 64;
      return [thread, thread % 32, Math.floor(thread / 32), Math.floor(i / 64) * 100 + 2];
    }).flat();
    for (const each of runs) expect([...wordsOf(each, "y")]).toEqual(expected);
  });

  it("moves 1, 2, 4, 8 and 16 bytes through global and shared memory", () => {
    const x = Uint8Array.from({ length: 32 }, (_, i) => i * 7 + 1);
    for (const each of run("widths", 1, [input("x", x), output("y", new Uint8Array(32))])) {
      expect([...bytesOf(each, "y")]).toEqual([0, ...x.subarray(1)]);
    }
  });

  it("copies asynchronously and fills with zeros past the source bytes", () => {
    const x = Uint8Array.from({ length: 64 }, (_, i) => i + 1);
    const zero = new Set([
      31,
      ...Array.from({ length: 16 }, (_, i) => 32 + i),
      50,
      51,
      52,
      53,
      54,
      55,
    ]);
    for (const each of run("copies", 1, [input("x", x), output("y", new Uint8Array(64))])) {
      expect([...bytesOf(each, "y")]).toEqual([...x].map((value, i) => (zero.has(i) ? 0 : value)));
    }
  });

  it("exchanges values and votes within a warp", () => {
    const expected = Array.from({ length: 32 }, (_, l) => [
      (l ^ 5) * 10,
      ((l + 3) % 32) * 10,
      (l < 3 ? l : l - 3) * 10,
      (l + 3 > 31 ? l : l + 3) * 10,
      Math.floor((l ^ 1) / 2) * 2 + (l ^ 2),
      5,
      0xaaaaaaaa | 0,
      0,
    ]).flat();
    for (const each of run("shuffles", 32, [output("y", new Int32Array(256))])) {
      expect([...new Int32Array(bytesOf(each, "y").buffer)]).toEqual(expected);
    }
  });

  it("applies every atomic once for each thread, in some order", () => {
    const args = [
      output("f", Float32Array.of(0, Number.NaN, 7)),
      output("i", Int32Array.of(0, -1000, 1000)),
      output("u", Uint32Array.of(0, 0, 0xffffffff)),
      output("seen", new Uint32Array(256)),
    ];
    for (const each of run("atomics", 64, args, 4)) {
      expect([...floatsOf(each, "f")]).toEqual([128, 255, -255]);
      expect([...new Int32Array(bytesOf(each, "i").buffer)]).toEqual([-256, 55, -200]);
      expect([...wordsOf(each, "u")]).toEqual([256, 255, 4000000000 - 255]);
      expect([...wordsOf(each, "seen")]).toEqual(Array.from({ length: 256 }, () => 1));
    }
  });

  it("orders memory by a named barrier of two warps, a third staying out", () => {
    for (const each of run("named", 96, [output("y", new Int32Array(32))])) {
      expect([...wordsOf(each, "y")]).toEqual(Array.from({ length: 32 }, (_, l) => 32 - l));
    }
  });

  it("orders memory of a warp by its barrier", () => {
    for (const each of run("warp_sync", 64, [output("y", new Int32Array(64))])) {
      expect([...wordsOf(each, "y")]).toEqual(Array.from({ length: 64 }, (_, t) => t ^ 1));
    }
  });

  it("uses 64 lanes where the text is made for waves of 64", () => {
    const wide = emulation.build(
      [{ id: "shuffles", entry: "shuffles", text: TEXTS["shuffles"] ?? "" }],
      { warp: 64 },
    );
    const expected = Array.from({ length: 64 }, (_, l) => [
      (l ^ 5) * 10,
      ((l + 3) % 64) * 10,
      (l < 3 ? l : l - 3) * 10,
      (l + 3 > 63 ? l : l + 3) * 10,
      Math.floor((l ^ 1) / 2) * 2 + (l ^ 2),
      5,
      0xaaaaaaaa | 0,
      0xaaaaaaaa | 0,
    ]).flat();
    const runs = wide.launch({
      kernel: "shuffles",
      grid: [1, 1, 1],
      threads: 64,
      sharedBytes: 0,
      args: [output("y", new Int32Array(512))],
      seeds: SEEDS,
    });
    for (const each of runs) {
      expect(each.reports).toEqual([]);
      expect([...new Int32Array(bytesOf(each, "y").buffer)]).toEqual(expected);
    }
  });

  it("leaves dims and scalars as they were given", () => {
    const echo = emulation.build([
      {
        id: "echo",
        entry: "echo",
        text: "TW_KERNEL(1) echo(f32* y, i32 n, u32 m, f32 s) { tw_stg<f32>(y, (f32)n); tw_stg<f32>(y + 1, (f32)m); tw_stg<f32>(y + 2, s); }",
      },
    ]);
    const args: EmulatedArgument[] = [
      output("y", new Float32Array(3)),
      i32(-7),
      { kind: "u32", value: 4294967040 },
      { kind: "f32", value: -0.15625 },
    ];
    const runs = echo.launch({
      kernel: "echo",
      grid: [1, 1, 1],
      threads: 1,
      sharedBytes: 0,
      args,
      seeds: [1],
    });
    expect([...floatsOf(runs[0], "y")]).toEqual([-7, 4294967040, -0.15625]);
  });
});
