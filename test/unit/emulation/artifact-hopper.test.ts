/** [test/unit/emulation] Artifacts with tensor maps and persistent grids: what the emulated launch makes of their parameters. */
import { expect, it } from "vitest";
import type { Artifact } from "../../../codegen/artifact.ts";
import { preludeNamesIn } from "../../../codegen/c-family/assemble-prelude.ts";
import { readCudaPrelude } from "../../../codegen/targets/cuda/prelude.ts";
import { type ArtifactLaunch, emulateArtifacts } from "../../support/emulated-artifact.ts";
import { describeEmulated, wordsOf } from "./open.ts";

/** y[program] = sum of the 8 x 4 tile at (8 y, 4 x) of x[R, 12] + 1000 * programs that this block has done before. */
const WALK = `
TW_KERNEL(32) walk(const i32* x, i32* y, i32 R, i32 bias, i32 grid_x, i32 grid_y, i32 grid_z, TW_TENSOR_MAP map_x) {
  const u32 base = tw_smem_dyn();
  const u32 bar = base + 128;
  if (tw_tid() == 0) {
    tw_mbarrier_init(bar, 1);
    tw_fence_mbarrier_init();
  }
  tw_syncthreads();
  i32 turn = 0;
  for (i32 program = tw_bid_x(); program < grid_x * grid_y * grid_z; program += tw_nbid_x()) {
    if (tw_tid() == 0) {
      tw_mbarrier_expect_tx(bar, 128);
      tw_tma_load_2d(base, &map_x, bar, 4 * (program % grid_x), 8 * (program / grid_x));
    }
    tw_mbarrier_wait(bar, turn & 1);
    i32 sum = tw_lds<i32>(base + 4 * tw_tid());
    for (i32 m = 16; m > 0; m >>= 1) sum += tw_shfl_xor<i32>(sum, m);
    if (tw_tid() == 0) tw_stg<i32>(y + program, sum + bias + 1000 * turn);
    turn++;
    tw_syncthreads();
  }
}
`;

const artifact: Artifact = {
  kernel: "walk",
  entry: "walk",
  target: {
    target: "cuda",
    arch: "sm_90a",
    warpSize: 32,
    maxThreads: 1024,
    maxSharedBytes: 232448,
    features: [],
  },
  text: readCudaPrelude().assemble(preludeNamesIn(WALK)) + WALK,
  params: [
    { kind: "tensor", name: "x", dtype: "i32", shape: ["R", "N"], access: "in" },
    { kind: "tensor", name: "y", dtype: "i32", shape: ["P"], access: "out" },
    { kind: "dim", name: "R" },
    { kind: "scalar", name: "bias", dtype: "i32" },
    { kind: "grid", axis: 0 },
    { kind: "grid", axis: 1 },
    { kind: "grid", axis: 2 },
    { kind: "tensor_map", name: "map_x", tensor: "x", dtype: "i32", box: [8, 4], swizzle: 0 },
  ],
  dtypes: {},
  config: {},
  fixedDims: { N: 12 },
  divisibility: {},
  threads: 32,
  sharedBytes: 144,
  persistent: { blocksPerSm: 1 },
  hash: "walk",
  remarks: [],
};

function launchOf(rows: number, width = 12): ArtifactLaunch {
  const grid = [3, Math.ceil(rows / 8), 1] as const;
  const x = Int32Array.from({ length: rows * width }, (_, i) => i % 7);
  return {
    grid,
    tensors: { x: new Uint8Array(x.buffer), y: new Uint8Array(grid[0] * grid[1] * 4) },
    dims: { R: rows },
    scalars: { bias: -3 },
    seeds: [1, 2, 3],
  };
}

function tileSum(rows: number, program: number): number {
  let sum = 0;
  for (let i = 0; i < 32; i++) {
    const row = 8 * Math.floor(program / 3) + (i >> 2);
    if (row < rows) sum += (row * 12 + 4 * (program % 3) + (i & 3)) % 7;
  }
  return sum;
}

describeEmulated("artifacts of Hopper", (emulation) => {
  const unit = emulateArtifacts(emulation, [artifact]);

  it.each([
    [8, 3],
    [20, 3],
    [50, 3],
  ])("of %i rows walk the true grid with %i blocks", (rows, blocks) => {
    const launch = launchOf(rows);
    const programs = launch.grid[0] * launch.grid[1];
    const expected = Uint32Array.from(
      { length: programs },
      (_, p) => tileSum(rows, p) - 3 + 1000 * Math.floor(p / blocks),
    );
    for (const run of unit.launch(artifact, launch)) {
      expect(run.reports).toEqual([]);
      expect(wordsOf(run, "y")).toEqual(expected);
    }
  });

  it("are refused where the driver could not encode their maps", () => {
    const narrow = { ...artifact, fixedDims: { N: 11 } };
    expect(() => unit.launch(narrow, launchOf(8, 11))).toThrow(/TW3213.*44 bytes/s);
  });

  it("say which tensor a map lacks", () => {
    const params = artifact.params.map((param) =>
      param.kind === "tensor_map" ? { ...param, tensor: "z" } : param,
    );
    expect(() => unit.launch({ ...artifact, params }, launchOf(8))).toThrow(/map_x maps z/);
  });
});
