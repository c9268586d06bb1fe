/** [test/unit/emulation] What the emulation says about deadlocks, diverged warps, wild accesses, crashes and endless loops. */
import { expect, it } from "vitest";
import type { EmulatedArgument, EmulatedRun } from "../../support/emulation-protocol.ts";
import { describeEmulated, floatsOf, i32, input, kindsOf, output } from "./open.ts";

const TEXTS: Readonly<Record<string, string>> = {
  shuffle_in_branch: `
TW_KERNEL(32) shuffle_in_branch(f32* y, i32 n) {
#line 40 "softmax.ts"
  f32 v = 1.0f;
  if (tw_lane() < n) v = tw_shfl_xor<f32>(v, 1);
  tw_stg<f32>(y + tw_lane(), v);
}`,
  two_collectives: `
TW_KERNEL(32) two_collectives(f32* y, i32 n) {
  if (tw_lane() < n) tw_stg<f32>(y, tw_shfl_xor<f32>(1.0f, 1));
  else if (tw_any(true)) tw_stg<f32>(y + 1, 2.0f);
}`,
  early_return: `
TW_KERNEL(64) early_return(f32* y, i32 n) {
  if (tw_tid() >= n) return;
  tw_syncthreads();
  tw_stg<f32>(y + tw_tid(), 1.0f);
}`,
  two_barriers: `
TW_KERNEL(64) two_barriers(f32* y, i32 n) {
  if (tw_tid() < n) {
    tw_syncthreads();
  } else {
    tw_syncthreads();
  }
}`,
  named_count: `
TW_KERNEL(64) named_count(f32* y, i32 n) {
  tw_bar_sync(1, tw_warp() == 0 ? 64 : n);
}`,
  named_alone: `
TW_KERNEL(64) named_alone(f32* y, i32 n) {
  if (tw_warp() == 0) tw_bar_sync(3, 64);
}`,
  reads: `
TW_KERNEL(32) reads(const f32* x, f32* y, i32 offset) {
  tw_stg<f32>(y + tw_lane(), tw_ldg<f32>(x + tw_lane() + offset));
}`,
  writes_input: `
TW_KERNEL(32) writes_input(const f32* x, f32* y, i32 offset) {
  tw_stg<f32>((f32*)x + tw_lane(), 1.0f);
}`,
  readonly_output: `
TW_KERNEL(32) readonly_output(const f32* x, f32* y, i32 offset) {
  tw_stg<f32>(y + tw_lane(), tw_ldg_nc<f32>(y + tw_lane()) + 1.0f);
}`,
  wide_unaligned: `
TW_KERNEL(1) wide_unaligned(const f32* x, f32* y, i32 offset) {
  tw_stg<tw_f32x4>(y, tw_ldg<tw_f32x4>(x + offset));
}`,
  shared_bounds: `
TW_KERNEL(32) shared_bounds(const f32* x, f32* y, i32 offset) {
  tw_label(tw_smem_dyn(), 128, "row sums");
  tw_sts<f32>(tw_smem_dyn() + 4 * (tw_lane() + offset), 1.0f);
}`,
  write_write: `
TW_KERNEL(64) write_write(const f32* x, f32* y, i32 offset) {
  tw_label(tw_smem_dyn(), 128, "row sums");
  tw_sts<f32>(tw_smem_dyn() + 4 * (tw_tid() % 32), (f32)tw_warp());
}`,
  read_write: `
TW_KERNEL(64) read_write(const f32* x, f32* y, i32 offset) {
  const u32 at = tw_smem_dyn() + 4 * tw_tid();
  tw_sts<f32>(at, 1.0f);
  tw_syncthreads();
  const f32 other = tw_lds<f32>(tw_smem_dyn() + 4 * (tw_tid() ^ 32));
  if (offset) tw_syncthreads();
  tw_sts<f32>(at, other + 1.0f);
  tw_stg<f32>(y + tw_tid(), other);
}`,
  bytes_apart: `
TW_KERNEL(32) bytes_apart(const f32* x, f32* y, i32 offset) {
  tw_sts<u8>(tw_smem_dyn() + tw_tid(), (u8)tw_tid());
  tw_syncwarp();
  tw_stg<f32>(y + tw_tid(), (f32)tw_lds<u8>(tw_smem_dyn() + (tw_tid() ^ 1)));
}`,
  crash: `
TW_KERNEL(32) crash(f32* y, i32 n) {
#line 70 "norm.ts"
  tw_stg<f32>(y + tw_lane(), 1.0f);
  if (tw_lane() == n) *(volatile f32*)16 = 1.0f;
}`,
  divides: `
TW_KERNEL(1) divides(i32* y, i32 n) {
  tw_stg<i32>(y, 1);
  tw_stg<i32>(y, 7 / n);
}`,
  endless: `
TW_KERNEL(1) endless(f32* y, i32 n) {
  tw_stg<f32>(y, 1.0f);
  for (volatile i32 i = 0; i < n; i = 0) {}
}`,
  deep: `
TW_DEV f32 deeper(i32 n) {
  volatile f32 block[4096];
  block[n % 4096] = 1.0f;
  return n == 0 ? 0.0f : deeper(n - 1) + block[n % 4096];
}
TW_KERNEL(1) deep(f32* y, i32 n) { tw_stg<f32>(y, deeper(n)); }`,
};

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describeEmulated("misuse", (emulation) => {
  const kernels = Object.entries(TEXTS).map(([name, text]) => ({ id: name, entry: name, text }));
  const unit = emulation.build(kernels, { seconds: 1 });
  const launch = (
    kernel: string,
    threads: number,
    args: readonly EmulatedArgument[],
  ): readonly EmulatedRun[] =>
    unit.launch({ kernel, grid: [1, 1, 1], threads, sharedBytes: 256, args, seeds: SEEDS });
  const withN = (kernel: string, threads: number, n: number): readonly EmulatedRun[] =>
    launch(kernel, threads, [output("y", new Float32Array(64)), i32(n)]);
  const withInput = (kernel: string, threads: number, offset: number): readonly EmulatedRun[] =>
    launch(kernel, threads, [
      input("x", new Float32Array(32)),
      output("y", new Float32Array(64)),
      i32(offset),
    ]);

  it("tells a deadlock by thread, place and lanes", () => {
    for (const run of withN("shuffle_in_branch", 32, 20)) {
      expect(run.reports.map((report) => report.kind)).toEqual(["deadlock"]);
      expect(run.reports[0]?.text).toContain(
        "20 threads (0..19) in tw_shfl_xor at softmax.ts:41: warp 0, lanes present 0xfffff of 0xffffffff",
      );
      expect(run.reports[0]?.text).toContain("12 threads have ended");
    }
  });

  it("lets a branch that all lanes take pass", () => {
    expect(kindsOf(withN("shuffle_in_branch", 32, 32))).toEqual([]);
  });

  it.each([
    ["two_collectives", 16, ["deadlock", "misuse"]],
    ["early_return", 40, ["misuse"]],
    ["two_barriers", 32, ["misuse"]],
    ["named_count", 32, ["misuse"]],
    ["named_alone", 0, ["deadlock"]],
  ] as const)("reports %s", (kernel, n, kinds) => {
    for (const run of withN(kernel, 64, n)) {
      for (const kind of kinds) expect(kindsOf([run])).toContain(kind);
    }
  });

  it.each([
    [
      "reads",
      1,
      "oob-global",
      "outside of every tensor (x has 128 bytes; the access is at byte 128)",
    ],
    [
      "reads",
      -1,
      "oob-global",
      "outside of every tensor (x has 128 bytes; the access is at byte -4)",
    ],
    ["writes_input", 0, "misuse", "writes x, which the kernel only reads"],
    ["readonly_output", 0, "misuse", "reads y through the read-only path"],
    ["wide_unaligned", 2, "misuse", "byte 8 of x is not a multiple of 16"],
    ["shared_bounds", 60, "oob-shared", "; the block has [0x400, 0x500)"],
    ["write_write", 0, "race", "(row sums+"],
    ["read_write", 0, "race", "with no barrier after it was"],
  ] as const)("reports %s at offset %i as %s", (kernel, offset, kind, words) => {
    const threads =
      kernel === "write_write" || kernel === "read_write"
        ? 64
        : kernel === "wide_unaligned"
          ? 1
          : 32;
    for (const run of withInput(kernel, threads, offset)) {
      expect(kindsOf([run])).toEqual([kind]);
      expect(run.reports[0]?.text).toContain(words);
    }
  });

  it.each([
    ["reads", 0, 32],
    ["wide_unaligned", 4, 1],
    ["shared_bounds", 32, 32],
    ["read_write", 1, 64],
    ["bytes_apart", 0, 32],
  ] as const)("finds nothing wrong with %s at offset %i", (kernel, offset, threads) => {
    expect(withInput(kernel, threads, offset).flatMap((run) => run.reports)).toEqual([]);
  });

  it("gives no memory to what was refused", () => {
    for (const run of withInput("writes_input", 32, 0))
      expect([...floatsOf(run, "y")]).toEqual(new Array(64).fill(0));
  });

  it("turns a crash into an error that names kernel, thread, block and place", () => {
    expect(() => withN("crash", 32, 5)).toThrow(
      /access to memory past the tw_ functions .* in crash, thread 5 of block \(0,0,0\), after tw_stg at norm.ts:70/,
    );
  });

  it("turns a plain division by zero, a full stack and an endless loop into errors", () => {
    expect(() => withN("divides", 1, 0)).toThrow(
      /integer division by zero .* in divides, thread 0/,
    );
    expect(() => withN("deep", 1, 100000)).toThrow(/stack is full\) in deep, thread 0/);
    expect(() => withN("endless", 1, 1)).toThrow(/time is up in endless, thread 0 .* after tw_stg/);
  });

  it("refuses launches that no device takes", () => {
    const args = [output("y", new Float32Array(64)), i32(0)];
    const kinds = (
      threads: number,
      sharedBytes: number,
      grid: readonly [number, number, number],
    ): readonly string[] =>
      kindsOf(
        unit.launch({ kernel: "early_return", grid, threads, sharedBytes, args, seeds: [1] }),
      );
    expect(kinds(2048, 0, [1, 1, 1])).toEqual(["misuse"]);
    expect(kinds(64, 300_000, [1, 1, 1])).toEqual(["misuse"]);
    expect(kinds(64, 0, [1, 70_000, 1])).toEqual(["misuse"]);
  });

  it("shows the compiler's words for a text that it does not take", () => {
    expect(() =>
      emulation.build([{ id: "bad", entry: "bad", text: "TW_KERNEL(1) bad() { tw_nothing(); }" }]),
    ).toThrow(/tw_nothing/);
  });
});
