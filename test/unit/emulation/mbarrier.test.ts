/** [test/unit/emulation] mbarriers of the prelude: phases, parities, who may use one, and what the emulation says about wrong protocols. */
import { expect, it } from "vitest";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import { describeEmulated, i32, kindsOf, output, wordsOf } from "./open.ts";

const HEAD = (name: string, threads: number): string => `
TW_KERNEL(${threads}) ${name}(u32* y, i32 n) {
  const u32 base = tw_smem_dyn();
  const u32 ping = base + 64;
  const u32 pong = base + 72;
  tw_label(base, 64, "number");
  tw_label(ping, 8, "ping");
  tw_label(pong, 8, "pong");`;

const INIT = (pings: number, pongs: number): string => `
  if (tw_tid() == 0) {
    tw_mbarrier_init(ping, ${pings});
    tw_mbarrier_init(pong, ${pongs});
    tw_sts<u32>(base, 1);
  }
  tw_syncthreads();`;

const TEXTS: Readonly<Record<string, string>> = {
  // Two warps hand a number back and forth.
  hand_over: `${HEAD("hand_over", 64)} ${INIT(32, 1)}
  for (i32 r = 0; r < n; r++) {
    if (tw_warp() == 0) {
      if (tw_lane() == 0) tw_sts<u32>(base, tw_lds<u32>(base) * 3 + r);
      tw_mbarrier_arrive(ping);
      tw_mbarrier_wait(pong, r & 1);
    } else {
      tw_mbarrier_wait(ping, r & 1);
      tw_syncwarp();
      if (tw_lane() == 0) {
        tw_sts<u32>(base, tw_lds<u32>(base) + 100);
        tw_mbarrier_arrive(pong);
      }
    }
  }
  if (tw_tid() == 0) tw_stg<u32>(y, tw_lds<u32>(base));
}`,
  // The same without the warp barrier: lane 0 goes on before its siblings have seen the phase, and one may miss it.
  missed_phase: `${HEAD("missed_phase", 64)} ${INIT(1, 1)}
  for (i32 r = 0; r < n; r++) {
    if (tw_warp() == 0) {
      if (tw_lane() == 0) {
        tw_mbarrier_arrive(ping);
        tw_mbarrier_wait(pong, r & 1);
      }
    } else {
      tw_mbarrier_wait(ping, r & 1);
      if (tw_lane() == 0) tw_mbarrier_arrive(pong);
    }
  }
}`,
  // Phase 0 is under way: parity 1 counts as over, parity 0 does not.
  fresh: `${HEAD("fresh", 32)} ${INIT(1, 1)}
  tw_mbarrier_wait(ping, 1);
  tw_syncwarp();
  if (tw_lane() == 0) tw_mbarrier_arrive(ping);
  tw_mbarrier_wait(ping, 0);
  tw_mbarrier_wait(ping, 0);
  if (tw_lane() == 0) tw_stg<u32>(y, 7);
}`,
  // Two phases are over: parity 0 means the third by now.
  two_behind: `${HEAD("two_behind", 32)} ${INIT(1, 1)}
  if (tw_lane() == 0) {
    tw_mbarrier_arrive(ping);
    tw_mbarrier_arrive(ping);
    tw_mbarrier_wait(ping, 0);
  }
}`,
  no_order: `${HEAD("no_order", 64)} ${INIT(1, 1)}
  if (tw_tid() == 0) tw_sts<u32>(base, 5);
  if (tw_tid() == 33) tw_mbarrier_arrive(ping);
  if (tw_tid() == 32) {
    tw_mbarrier_wait(ping, 0);
    tw_stg<u32>(y, tw_lds<u32>(base));
  }
}`,
  transitive: `${HEAD("transitive", 96)} ${INIT(1, 1)}
  if (tw_tid() == 0) {
    tw_sts<u32>(base, 5);
    tw_mbarrier_arrive(ping);
  } else if (tw_tid() == 32) {
    tw_mbarrier_wait(ping, 0);
    tw_mbarrier_arrive(pong);
  } else if (tw_tid() == 64) {
    tw_mbarrier_wait(pong, 0);
    tw_stg<u32>(y, tw_lds<u32>(base));
  }
}`,
  expected_bytes: `${HEAD("expected_bytes", 32)} ${INIT(1, 1)}
  if (tw_lane() == 0) {
    tw_mbarrier_expect_tx(ping, 48);
    tw_mbarrier_wait(ping, 0);
  }
}`,
  arrive_again: `${HEAD("arrive_again", 32)} ${INIT(1, 1)}
  if (tw_lane() == 0) {
    tw_mbarrier_expect_tx(ping, 16);
    tw_mbarrier_arrive(ping);
  }
}`,
  no_init: `${HEAD("no_init", 32)}
  if (tw_lane() == 0) tw_mbarrier_arrive(ping);
}`,
  no_barrier: `${HEAD("no_barrier", 64)}
  if (tw_tid() == 0) tw_mbarrier_init(ping, 1);
  if (tw_tid() == 32) tw_mbarrier_arrive(ping);
}`,
  init_twice: `${HEAD("init_twice", 32)} ${INIT(1, 1)}
  if (tw_tid() == 0) tw_mbarrier_init(ping, 1);
}`,
  count_zero: `${HEAD("count_zero", 32)}
  if (tw_tid() == 0) tw_mbarrier_init(ping, 0);
}`,
  unaligned: `${HEAD("unaligned", 32)}
  if (tw_tid() == 0) tw_mbarrier_init(ping + 4, 1);
}`,
  parity_two: `${HEAD("parity_two", 32)} ${INIT(1, 1)}
  tw_mbarrier_wait(ping, 2);
}`,
  bytes_as_data: `${HEAD("bytes_as_data", 32)} ${INIT(1, 1)}
  if (tw_tid() == 0) tw_stg<u32>(y, tw_lds<u32>(ping + 4));
}`,
};

describeEmulated("mbarriers", (emulation) => {
  const unit = emulation.build(
    Object.entries(TEXTS).map(([id, text]) => ({ id, entry: id, text })),
  );
  const threadsOf = (id: string): number => Number(/TW_KERNEL\((\d+)\)/.exec(TEXTS[id] ?? "")?.[1]);
  const launch = (kernel: string, n = 1, seeds = 12): readonly EmulatedRun[] =>
    unit.launch({
      kernel,
      grid: [1, 1, 1],
      threads: threadsOf(kernel),
      sharedBytes: 80,
      args: [output("y", new Uint32Array(1)), i32(n)],
      seeds: Array.from({ length: seeds }, (_, i) => i + 1),
    });
  const textOf = (kernel: string, n = 1): string =>
    launch(kernel, n)
      .flatMap((run) => run.reports.map((report) => report.text))
      .join("\n");

  it("order what is handed over, phase after phase", () => {
    let expected = 1;
    for (let r = 0; r < 9; r++) expected = expected * 3 + r + 100;
    const runs = launch("hand_over", 9);
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    expect(runs.map((run) => wordsOf(run, "y")[0])).toEqual(runs.map(() => expected));
  });

  it("order through a third thread", () => {
    const runs = launch("transitive");
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    expect(runs.map((run) => wordsOf(run, "y")[0])).toEqual(runs.map(() => 5));
  });

  it("let the parity before a fresh phase pass, and a phase that is over as often as asked", () => {
    const runs = launch("fresh");
    expect(runs.flatMap((run) => run.reports)).toEqual([]);
    expect(runs.map((run) => wordsOf(run, "y")[0])).toEqual(runs.map(() => 7));
  });

  it("take parity for the next phase once two have passed", () => {
    expect(textOf("two_behind")).toMatch(
      /parity 0 of mbarrier 0x\w+ \(ping\+0\): phase 2 under way/,
    );
  });

  it("let a lane miss a phase that its siblings have gone past", () => {
    expect(kindsOf(launch("missed_phase", 8, 24))).toEqual(["deadlock"]);
  });

  it("order nothing that a thread did after or without an arrival", () => {
    expect(kindsOf(launch("no_order"))).toEqual(["race"]);
  });

  it("wait for bytes that never come, and say how many", () => {
    expect(textOf("expected_bytes")).toMatch(
      /thread 0 in tw_mbarrier_wait at .*, parity 0 of .*phase 0 under way, 0 of 1 arrivals and 48 bytes missing/,
    );
  });

  const wrong: readonly (readonly [string, RegExp])[] = [
    ["arrive_again", /arrives once more than is counted/],
    ["no_init", /where no mbarrier has been made/],
    ["no_barrier", /no barrier is between it and tw_mbarrier_init|where no mbarrier has been made/],
    ["init_twice", /there is one already: 0x\w+ \(ping\+0\)/],
    ["count_zero", /counts 0 arrivals/],
    ["unaligned", /is no place for an mbarrier/],
    ["parity_two", /parity 2 is neither 0 nor 1/],
    ["bytes_as_data", /accesses the bytes of mbarrier 0x\w+ \(ping\+0\) as if they were data/],
  ];
  it.each(wrong)("tell what is wrong with %s", (id, pattern) => {
    expect(kindsOf(launch(id))).toEqual(["mbarrier"]);
    expect(textOf(id)).toMatch(pattern);
  });
});
