/** [test/unit/emulation] Artifacts run by the names of their parameters: a row softmax over several warps, with its device prelude in front. */
import { expect, it } from "vitest";
import type { Artifact } from "../../../codegen/artifact.ts";
import { preludeNamesIn } from "../../../codegen/c-family/assemble-prelude.ts";
import { readCudaPrelude } from "../../../codegen/targets/cuda/prelude.ts";
import { bf16Bits, bf16Value } from "../../../dsl/core/rounding.ts";
import { type ArtifactLaunch, emulateArtifacts } from "../../support/emulated-artifact.ts";
import { bytesOf, describeEmulated, kindsOf, randomBelow } from "./open.ts";

const SOFTMAX = `
TW_KERNEL(128) softmax(const tw_bf16* x, tw_bf16* y, i32 N, f32 scale) {
  const i32 row = tw_bid_x();
  const u32 partials = tw_smem_dyn();
  tw_label(partials, 32u, "partials");
  f32 largest = -INFINITY_;
  for (i32 i = tw_tid(); i < N; i += 128) {
    largest = tw_max(largest, tw_bf16_to_f32(tw_ldg_nc<tw_bf16>(x + row * N + i)) * scale);
  }
  #pragma unroll
  for (i32 m = 16; m > 0; m >>= 1) largest = tw_max(largest, tw_shfl_xor<f32>(largest, m));
  if (tw_lane() == 0) tw_sts<f32>(partials + 4 * tw_warp(), largest);
  tw_syncthreads();
  #pragma unroll
  for (i32 w = 0; w < 4; w++) largest = tw_max(largest, tw_lds<f32>(partials + 4 * w));
  f32 sum = 0.0f;
  for (i32 i = tw_tid(); i < N; i += 128) {
    sum += tw_exp(tw_bf16_to_f32(tw_ldg_nc<tw_bf16>(x + row * N + i)) * scale - largest);
  }
  #pragma unroll
  for (i32 m = 16; m > 0; m >>= 1) sum += tw_shfl_xor<f32>(sum, m);
  BARRIER
  if (tw_lane() == 0) tw_sts<f32>(partials + SECOND + 4 * tw_warp(), sum);
  tw_syncthreads();
  sum = 0.0f;
  #pragma unroll
  for (i32 w = 0; w < 4; w++) sum += tw_lds<f32>(partials + SECOND + 4 * w);
  for (i32 i = tw_tid(); i < N; i += 128) {
    const f32 v = tw_bf16_to_f32(tw_ldg_nc<tw_bf16>(x + row * N + i)) * scale;
    tw_stg<tw_bf16>(y + row * N + i, tw_f32_to_bf16(tw_exp(v - largest) / sum));
  }
}
`;

/** @param second where the second partials lie; @param barrier what stands before them */
function softmax(hash: string, second: number, barrier: string): Artifact {
  const body = SOFTMAX.replaceAll("SECOND", `${second}`)
    .replaceAll("BARRIER", barrier)
    .replaceAll("INFINITY_", "tw_bits_f32(0x7f800000u)");
  return {
    kernel: "softmax",
    entry: "softmax",
    target: {
      target: "cuda",
      arch: "sm_80",
      warpSize: 32,
      maxThreads: 1024,
      maxSharedBytes: 49152,
      features: [],
    },
    text: readCudaPrelude().assemble(preludeNamesIn(body)) + body,
    params: [
      { kind: "tensor", name: "x", dtype: "bf16", shape: ["M", "N"], access: "in" },
      { kind: "tensor", name: "y", dtype: "bf16", shape: ["M", "N"], access: "out" },
      { kind: "dim", name: "N" },
      { kind: "scalar", name: "scale", dtype: "f32" },
    ],
    dtypes: {},
    config: {},
    fixedDims: {},
    divisibility: {},
    threads: 128,
    sharedBytes: 64,
    hash,
    remarks: [],
  };
}

const APART = softmax("apart", 16, "");
const SAME = softmax("same", 0, "tw_syncthreads();");
const RACY = softmax("racy", 0, "");

function problem(rows: number, n: number): { launch: ArtifactLaunch; expected: number[] } {
  const random = randomBelow(n);
  const x = Float64Array.from({ length: rows * n }, () =>
    bf16Value(bf16Bits((random(2000) - 1000) / 300)),
  );
  const expected = Array.from(x, (value, i) => {
    const row = x.subarray(Math.floor(i / n) * n, (Math.floor(i / n) + 1) * n);
    return Math.exp(value * 0.5) / row.reduce((sum, other) => sum + Math.exp(other * 0.5), 0);
  });
  const tensors = {
    x: new Uint8Array(Uint16Array.from(x, bf16Bits).buffer),
    y: new Uint8Array(rows * n * 2).fill(0xff),
  };
  return {
    launch: {
      grid: [rows, 1, 1],
      tensors,
      dims: { N: n },
      scalars: { scale: 0.5 },
      seeds: [1, 2, 3, 4, 5, 6, 7, 8],
    },
    expected,
  };
}

describeEmulated("emulated artifacts", (emulation) => {
  const unit = emulateArtifacts(emulation, [APART, SAME, RACY, APART]);

  it.each([[1], [31], [128], [129], [517]])(
    "computes rows of %i on 8 seeds without a finding",
    (n) => {
      const { launch, expected } = problem(5, n);
      for (const run of [...unit.launch(APART, launch), ...unit.launch(SAME, launch)]) {
        expect(run.reports).toEqual([]);
        const y = [...new Uint16Array(bytesOf(run, "y").buffer)].map(bf16Value);
        expect(
          y.every(
            (value, i) =>
              Math.abs(value - (expected[i] ?? Number.NaN)) <= 0.005 * (expected[i] ?? 0),
          ),
        ).toBe(true);
      }
    },
  );

  it("reports shared memory that is used again without a barrier, by its label", () => {
    const { launch } = problem(2, 129);
    for (const run of unit.launch(RACY, launch)) {
      expect(kindsOf([run])).toEqual(["race"]);
      expect(run.reports[0]?.text).toContain("(partials+");
    }
  });

  it("runs several launches in one process, in order", () => {
    const [one, two] = [problem(1, 31).launch, problem(2, 129).launch];
    const runs = unit.launchAll([
      [APART, one],
      [RACY, two],
    ]);
    expect(runs.map((each) => each.length)).toEqual([8, 8]);
    expect(runs.map((each) => kindsOf(each))).toEqual([[], ["race"]]);
  });

  it("says which parameter was not given", () => {
    const { launch } = problem(1, 31);
    expect(() => unit.launch(APART, { ...launch, scalars: {} })).toThrow("no scalar scale");
    expect(() => unit.launch(APART, { ...launch, tensors: {} })).toThrow("no tensor x");
  });

  it("refuses artifacts of different warp sizes in one unit", () => {
    const wide: Artifact = { ...APART, target: { ...APART.target, target: "hip", warpSize: 64 } };
    expect(() => emulateArtifacts(emulation, [APART, wide])).toThrow(/32, 64/);
  });
});
