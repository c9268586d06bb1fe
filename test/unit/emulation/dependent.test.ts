/** [test/unit/emulation] Launches that may start early: nothing of global memory is touched before the wait for the launch before. */
import { expect, it } from "vitest";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import { describeEmulated, input, output, tensorMap } from "./open.ts";

const KERNEL = (name: string, before: string, wait: string, after: string): string => `
TW_KERNEL(64) ${name}(const u32* x, u32* y, TW_TENSOR_MAP map) {
  const u32 base = tw_smem_dyn();
  const u32 bar = base + 128;
  tw_launch_dependents();
  if (tw_tid() == 0) {
    tw_mbarrier_init(bar, 1);
    tw_fence_mbarrier_init();
  }
  tw_tma_prefetch(&map);
  tw_syncthreads();
  ${before}
  ${wait}
  ${after}
}`;

const LOAD =
  "if (tw_tid() == 0) { tw_mbarrier_expect_tx(bar, 128); tw_tma_load_1d(base, &map, bar, 0); } tw_mbarrier_wait(bar, 0);";
const COPY = "tw_stg<u32>(y + tw_tid(), tw_ldg<u32>(x + tw_tid()));";
const EACH = "tw_wait_previous();";

/** Name → text and whether something is wrong with it where a launch may start early. */
const TEXTS: Readonly<Record<string, readonly [text: string, isWrong: boolean]>> = {
  each_waits: [KERNEL("each_waits", "", EACH, COPY + LOAD), false],
  one_waits: [
    KERNEL("one_waits", "", `if (tw_tid() == 5) { ${EACH} } tw_syncthreads();`, COPY + LOAD),
    false,
  ],
  one_waits_alone: [KERNEL("one_waits_alone", "", `if (tw_tid() == 5) { ${EACH} }`, COPY), true],
  reads_before: [
    KERNEL("reads_before", "u32 v = tw_ldg<u32>(x);", EACH, "tw_stg<u32>(y + tw_tid(), v);"),
    true,
  ],
  loads_before: [KERNEL("loads_before", LOAD, EACH, COPY), true],
  never_waits: [KERNEL("never_waits", "", "", COPY), true],
};

describeEmulated("dependent launches", (emulation) => {
  const unit = emulation.build(
    Object.entries(TEXTS).map(([id, [text]]) => ({ id, entry: id, text })),
  );
  const launch = (kernel: string, dependent: boolean): readonly EmulatedRun[] =>
    unit.launch({
      kernel,
      grid: [1, 1, 1],
      threads: 64,
      sharedBytes: 144,
      dependent,
      args: [
        input("x", new Uint32Array(64)),
        output("y", new Uint32Array(64)),
        tensorMap("x", [64], [32], 4, 0),
      ],
      seeds: [1, 2, 3, 4],
    });

  it.each(Object.entries(TEXTS))("find what touches memory early in %s", (id, [, isWrong]) => {
    const texts = launch(id, true).flatMap((run) => run.reports.map((report) => report.text));
    if (isWrong) expect(texts.join("\n")).toMatch(/before tw_wait_previous/);
    else expect(texts).toEqual([]);
  });

  it("let tensors be read early that no launch still writes", () => {
    const runs = unit.launch({
      kernel: "loads_before",
      grid: [1, 1, 1],
      threads: 64,
      sharedBytes: 144,
      dependent: true,
      args: [
        { ...input("x", new Uint32Array(64)), settled: true },
        output("y", new Uint32Array(64)),
        tensorMap("x", [64], [32], 4, 0),
      ],
      seeds: [1, 2],
    });
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
  });

  it.each(Object.keys(TEXTS))("say nothing of %s where launches follow one another", (id) => {
    expect(launch(id, false).flatMap((run) => run.reports)).toEqual([]);
  });
});
