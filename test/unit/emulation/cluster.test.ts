/** [test/unit/emulation] Clusters of blocks: ranks, their barrier, copies into several blocks, arrivals at each other's mbarriers. */
import { expect, it } from "vitest";
import type { EmulatedLaunch, EmulatedRun } from "../../support/emulation-protocol.ts";
import { describeEmulated, i32, input, kindsOf, output, tensorMap, wordsOf } from "./open.ts";

const HEAD = (name: string): string => `
TW_KERNEL(64) TW_CLUSTER(2) ${name}(const u32* x, u32* y, i32 n, TW_TENSOR_MAP map) {
  const u32 base = tw_smem_dyn();
  const u32 full = base + 1024;
  const u32 empty = full + 8;
  const u32 rank = tw_cluster_rank();
  tw_label(base, 1024, "tile");
  tw_label(full, 8, "full");
  tw_label(empty, 8, "empty");`;

const INIT = `
  if (tw_tid() == 0) {
    tw_mbarrier_init(full, 1);
    tw_mbarrier_init(empty, 2);
    tw_fence_mbarrier_init();
  }`;

const SYNC = `
  tw_cluster_arrive();
  tw_cluster_wait();`;

/** Rank 0 loads every tile for both blocks once both have freed it; each warp of a block adds up what it finds. */
const WALK = (name: string, fault: string): string => `${HEAD(name)} ${INIT}
${fault === "no-cluster-barrier" ? "  tw_syncthreads();" : SYNC}
  u32 sum = 0;
  const u32 away = tw_map_to_cta(empty, 0);
  for (i32 r = 0; r < n; r++) {
    if (tw_tid() == 0) {
      ${fault === "no-empty-wait" ? "" : "if (rank == 0) tw_mbarrier_wait(empty, (r & 1) ^ 1);"}
      tw_mbarrier_expect_tx(full, 1024);
      if (rank == 0) tw_tma_load_2d_multicast(base, &map, full, 0, 16 * r, ${fault === "one-block" ? 1 : 3});
    }
    tw_mbarrier_wait(full, r & 1);
    for (i32 i = tw_tid(); i < 256; i += 64) sum += tw_lds<u32>(base + 4 * i);
    tw_syncthreads();
    if (tw_tid() == 0) ${fault === "own-barrier" ? "tw_mbarrier_arrive(empty)" : "tw_mbarrier_arrive_remote(away)"};
  }
  tw_stg<u32>(y + tw_bid_x() * 64 + tw_tid(), sum + rank);
${fault === "leaves-early" ? "" : SYNC}
}`;

const FAULTS = ["none", "no-cluster-barrier", "no-empty-wait", "one-block", "own-barrier"] as const;

const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FAULTS.map((fault) => [fault, WALK("walk", fault)])),
  // Rank 1 announces bytes that rank 0 brings, and is gone before they come.
  "leaves-early": `${HEAD("walk")} ${INIT} ${SYNC}
  if (rank == 0 && tw_tid() == 0) {
    tw_mbarrier_expect_tx(full, 1024);
    tw_tma_load_2d_multicast(base, &map, full, 0, 0, 3);
    tw_mbarrier_wait(full, 0);
  }
}`,
  "half-barrier": `${HEAD("walk")} ${INIT}
  if (rank == 0) {
    ${SYNC}
  } else {
    tw_mbarrier_init(base, 1);
    tw_mbarrier_wait(base, 0);
  }
}`,
  "arrives-twice": `${HEAD("walk")} ${INIT}
  tw_cluster_arrive();
  tw_cluster_arrive();
  tw_cluster_wait();
}`,
  "rank-outside": `${HEAD("walk")} ${INIT} ${SYNC}
  tw_mbarrier_arrive_remote(tw_map_to_cta(full, 2));
}`,
};

const TILES = 5;
const x = Uint32Array.from({ length: TILES * 256 }, (_, i) => (i * 2654435761) >>> 20);

describeEmulated("clusters", (emulation) => {
  const unit = emulation.build(
    Object.entries(TEXTS).map(([id, text]) => ({ id, entry: "walk", text })),
  );
  const launchOf = (kernel: string, cluster = 2): EmulatedLaunch => ({
    kernel,
    grid: [4, 1, 1],
    cluster,
    threads: 64,
    sharedBytes: 1040,
    args: [
      input("x", x),
      output("y", new Uint32Array(4 * 64)),
      i32(TILES),
      tensorMap("x", [TILES * 16, 16], [16, 16], 4, 0),
    ],
    seeds: [1, 2, 3, 4, 5, 6, 7, 8],
  });
  const launch = (kernel: string): readonly EmulatedRun[] => unit.launch(launchOf(kernel));

  it("share loads, free each other's stages and end together", () => {
    const expected = Uint32Array.from({ length: 256 }, (_, at) => {
      let sum = Math.floor(at / 64) % 2;
      for (let i = at % 64; i < x.length; i += 64) sum += x[i] ?? 0;
      return sum;
    });
    for (const resident of [1, 4]) {
      const runs = unit.launch({ ...launchOf("none"), resident });
      expect(runs.flatMap((run) => run.reports)).toEqual([]);
      for (const run of runs) expect(wordsOf(run, "y")).toEqual(expected);
    }
  });

  const faults: readonly (readonly [string, string])[] = [
    ["no-cluster-barrier", "mbarrier"],
    ["no-empty-wait", "overwrite-in-flight"],
    ["one-block", "deadlock"],
    ["own-barrier", "deadlock"],
    ["leaves-early", "left-pending"],
    ["half-barrier", "deadlock"],
    ["arrives-twice", "misuse"],
    ["rank-outside", "misuse"],
  ];
  it.each(faults)("find %s as %s", (fault, kind) => {
    expect(kindsOf(launch(fault))).toContain(kind);
  });

  it("say how many threads a cluster's barrier waits for", () => {
    const texts = launch("half-barrier").flatMap((run) => run.reports.map((report) => report.text));
    expect(texts.join("\n")).toMatch(/tw_cluster_wait at .*: 64 of 128 threads of the cluster/);
  });

  it("need a grid of whole clusters", () => {
    const [run] = unit.launch(launchOf("none", 3));
    expect(run?.reports.map((report) => report.text)).toEqual([
      "none: a grid of 4 blocks along x in clusters of 3",
    ]);
  });
});
