/** [test/unit/codegen] WGSL of grids that are dispatched folded: programs count through the true grid, the rest do nothing. */
import { afterAll, describe, expect, it } from "vitest";
import { runOnWebGpu } from "../../../support/thread-kernels.ts";
import { openSoftwareGpu } from "../../../support/webgpu-run.ts";
import { integers } from "./open.ts";

const COUNT_PROGRAMS = `thread count_programs(y: inout i32[N]) dims(N) fixed() threads(32) warp(WARP) bytes(0) {
    let program: i32 = (@pid2 * @programs1 + @pid1) * @programs0 + @pid0
    if @thread == 0 {
      atomic_global add y[program] by 1
    }
  }`;

const gpu = await openSoftwareGpu();
if ("reason" in gpu) {
  console.warn(`skipped: folded grids: ${gpu.reason}`);
  describe.skip(`folded grids (${gpu.reason})`, () => {});
} else {
  describe("folded grids", () => {
    afterAll(() => gpu.close());
    it.each([
      { grid: [5, 3, 2], dispatch: [5, 3, 2] },
      { grid: [30, 1, 1], dispatch: [7, 5, 1] },
      { grid: [5, 3, 2], dispatch: [4, 4, 2] },
      { grid: [1, 1, 31], dispatch: [2, 2, 9] },
    ] as const)("run each program of $grid once when $dispatch is dispatched", async (row) => {
      const programs = row.grid[0] * row.grid[1] * row.grid[2];
      const args = {
        tensors: { y: new Int32Array(64) },
        dims: { N: 64 },
        grid: row.grid,
      };
      const outputs = await runOnWebGpu(gpu, { text: COUNT_PROGRAMS, args }, row.dispatch);
      const expected = Array.from({ length: 64 }, (_, i) => (i < programs ? 1 : 0));
      expect([...integers(outputs, "y")]).toEqual(expected);
    });
  });
}
