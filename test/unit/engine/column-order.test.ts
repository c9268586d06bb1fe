/** [test/unit/engine] Columns shared out in groups by an index: their order, and indices that share out nothing. */
import { describe, expect, it } from "vitest";
import type { HostTensor } from "../../../engine/weights/checkpoint.ts";
import { columnGroups, columnOrder } from "../../../engine/weights/quantization/column-order.ts";

function indexOf(...groups: readonly number[]): HostTensor {
  return {
    dtype: "i32",
    shape: [groups.length],
    bytes: new Uint8Array(Int32Array.from(groups).buffer),
  };
}

describe("an index of groups", () => {
  it("gives the columns of each group one after the other", () => {
    expect(columnOrder("g_idx", indexOf(1, 0, 0, 1), 2)).toEqual(Int32Array.of(1, 2, 0, 3));
    expect(columnGroups("g_idx", indexOf(1, 0, 0, 1), 2)).toEqual(Int32Array.of(1, 0, 0, 1));
  });

  it.each([
    ["is in order", [0, 0, 1, 1]],
    ["was never filled in", [-1, -1, -1, -1]],
    ["is all zeros", [0, 0, 0, 0]],
  ])("that %s changes nothing", (_, groups) => {
    expect(columnOrder("g_idx", indexOf(...groups), 2)).toBeUndefined();
    expect(columnGroups("g_idx", indexOf(...groups), 2)).toBeUndefined();
  });

  it.each([[[0, 1, 0, 2]], [[0, 1, 0, -1]], [[1 << 30, 1, 0, 0]]])(
    "is refused with a group that there is not: %j",
    (groups) => {
      const message = /TW4240[\s\S]*of column [03][\s\S]*from 0 to 1/;
      expect(() => columnOrder("g_idx", indexOf(...groups), 2)).toThrow(message);
      expect(() => columnGroups("g_idx", indexOf(...groups), 2)).toThrow(message);
    },
  );

  it("is refused with groups of several sizes where the kernels take one", () => {
    expect(() => columnOrder("q_proj.g_idx", indexOf(0, 1, 0, 0), 2)).toThrow(
      /TW4240[\s\S]*q_proj\.g_idx[\s\S]*3 columns in group 0[\s\S]*2 in each/,
    );
  });
});
