/** [test/unit/codegen/scheduled] A schedule apart from the algorithm: what becomes of its wishes, and that the emulated text computes the same with them. */
import { describe, expect, it } from "vitest";
import { explain } from "../../../../codegen/index.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../../../codegen/targets/hip/features.ts";
import { checkDefinition } from "../../../../dsl/frontend/check-definition.ts";
import { type Schedule, scheduleConfig, scheduled, scheduleOf } from "../../../../dsl/index.ts";
import { attention, KERNEL_ENTRIES, linear } from "../../../../dsl/kernels/catalogue.ts";
import { benchmark } from "../../../../runtime/bench/benchmark.ts";
import { CoreDevice } from "../../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../../support/emulated-backend.ts";
import { openEmulation } from "../../../support/emulation.ts";

const HOPPER = cudaSpec("sm_90a");
const DIVISIBILITY = { M: 16, N: 16, K: 16 };
const TILES = { BM: 128, BN: 128, BK: 64, stages: 3 };

function entryOf(name: string) {
  const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === name);
  if (entry === undefined) throw new Error(`no kernel ${name}`);
  return entry;
}

function answers(schedule: Schedule, target = HOPPER, config: object = TILES) {
  const specialization = {
    dtypes: { T: "bf16", O: "bf16" } as const,
    config: { ...config },
  };
  const request = { specialization, target, divisibility: DIVISIBILITY };
  return explain(scheduled(linear, schedule), request);
}

describe("a schedule", () => {
  it("travels as values of the config, there and back", () => {
    const schedule: Schedule = { cluster: 2, stages: 5, swap: false, splitK: 1 };
    expect(scheduleOf(scheduleConfig(schedule))).toEqual(schedule);
    expect(scheduled(linear, schedule).config).toMatchObject({ BM: 64, "schedule.stages": 5 });
    expect(linear.config).not.toHaveProperty("schedule.stages");
  });

  it("refuses wishes that there are not, and values that they do not take", () => {
    expect(() => scheduleConfig({ stage: 2 } as Schedule)).toThrow(/TW1015[\s\S]*no stage/);
    expect(() => scheduleConfig({ stages: 0 })).toThrow(/TW1015[\s\S]*at least 1/);
    expect(() => scheduleConfig({ stages: { k: 0 } })).toThrow(/TW1015[\s\S]*by name/);
    expect(() => scheduleConfig({ stages: { "a b": 2 } })).toThrow(/TW1015/);
    expect(() => answers({}, HOPPER, { ...TILES, "schedule.stages.x": 0 })).toThrow(/TW1011/);
    const text = { splitK: "2" } as unknown as Schedule;
    expect(() => scheduleConfig(text)).toThrow(/TW1015[\s\S]*seen: +splitK: "2"/);
    const nested = { ...linear, config: { ...linear.config, schedule: text } } as never;
    expect(() => checkDefinition(nested)).toThrow(
      /TW1005[\s\S]*\{"splitK":"2"\}[\s\S]*scheduleConfig/,
    );
    expect(() => answers({}, HOPPER, { ...TILES, "schedule.swap": 2 })).toThrow(/TW1011/);
  });

  it("asks for slots by the names of loops and tensors", () => {
    const named: Schedule = { stages: { k: 3, v: 2 } };
    expect(scheduleOf(scheduleConfig(named))).toEqual(named);
    const told = (stages: Schedule["stages"], arch = "sm_90a", more = {}) => {
      const own = scheduleConfig({ stages: stages ?? 2 });
      const config = { BM: 128, BN: 64, stages: 2, ...own, ...more };
      const specialization = {
        dtypes: { T: "bf16" },
        config,
        dims: { D: 64, DV: 64 },
      } as const;
      return explain(attention, { specialization, target: cudaSpec(arch) });
    };
    const plain = told(2);
    const [slot, three] = [64 * 64 * 2, told({ k: 3, v: 4 })];
    expect(three.schedule).toEqual({
      "stages.k": "as asked, 3 slots",
      "stages.v": "as asked, 4 slots",
    });
    expect(three.text).toContain("3 and 4 slots");
    expect(plain.text).toContain("3 and 2 slots");
    expect(three.sharedBytes - plain.sharedBytes).toBeGreaterThanOrEqual(2 * slot);
    expect(told({ n: 3 }).schedule).toEqual({ "stages.n": "as asked, 4 and 3 slots" });
    expect(told({ n: 3 }).text).toContain("4 and 3 slots");
    expect(told({ k: 1, v: 90, lost: 2 }).schedule).toEqual({
      "stages.k": expect.stringMatching(/^not as asked: 2 slots: a ring has 2 at least/),
      "stages.v": expect.stringMatching(/^not as asked: \d+ slots: .*hold no more$/),
      "stages.lost":
        "does not apply: no loop lost, and no load of a tensor lost that is copied ahead",
    });
    // What is asked of all counts for what has no name of its own.
    const both = told({ k: 2 }, "sm_90a", { "schedule.stages": 3 });
    expect(both.schedule).toEqual({
      stages: "as asked, 3 slots",
      "stages.k": "as asked, 2 slots",
    });
    expect(both.text).toContain("2 and 3 slots");
    const ampere = told({ k: 3, v: 2 }, "sm_80");
    expect(ampere.schedule).toEqual({
      "stages.k": "as asked, 3 slots",
      "stages.v": expect.stringMatching(
        /^not as asked: 3 slots: all copies of a trip share .* no roles: sm_80 has no wgmma and no tma$/,
      ),
    });
    // One ring for both operands of a product.
    const { schedule } = answers({ stages: { x: 4, w: 2 } });
    expect(schedule).toEqual({
      "stages.x": "as asked, 4 slots",
      "stages.w": expect.stringMatching(/^not as asked: 4 slots: all operands lie in one ring/),
    });
  });

  it("answers slots of a loop by what its rings have, and why they have others", () => {
    const told = (stages: Schedule["stages"], target = HOPPER) =>
      answers({ stages: stages ?? 1 }, target).schedule;
    for (const stages of [{ k: 40 }, 40]) {
      const key = typeof stages === "number" ? "stages" : "stages.k";
      const full = /^not as asked: 6 slots: \d+ bytes of shared memory hold no more$/;
      expect(told(stages)).toEqual({ [key]: expect.stringMatching(full) });
      expect(told(stages, cudaSpec("sm_80"))[key]).toMatch(/^not as asked: 5 slots: \d+ bytes/);
      expect(told(stages, hipSpec("gfx942"))[key]).toBe(
        "not as asked: 1 slot: no copies run ahead: gfx942 has no cp.async",
      );
    }
    expect(told({ k: 4 })).toEqual({ "stages.k": "as asked, 4 slots" });
    expect(told({ k: 1 })).toEqual({
      "stages.k":
        "as asked, 1 slot: no copies run ahead, and the warps have no roles: the loop asks for fewer than 2 stages",
    });
    expect(told({ k: 1 }, cudaSpec("sm_80"))).toEqual({
      "stages.k": "as asked, 1 slot: no copies run ahead",
    });
    expect(told({ k: 3, x: 2, w: 2 })).toEqual({
      "stages.k": "does not apply: each copy of the loop has a wish of its own",
      "stages.x": "as asked, 2 slots",
      "stages.w": "as asked, 2 slots",
    });
    // A ring that gives its slots back a trip later has two of them.
    expect(told({ x: 1, w: 1 })["stages.w"]).toMatch(/^not as asked: 2 slots: .*2 slots at least$/);
    const large = {
      specialization: {
        dtypes: { T: "bf16" },
        config: { BM: 128, BN: 128, stages: 1 },
        dims: { D: 128, DV: 128 },
      },
      target: cudaSpec("sm_89"),
    } as const;
    expect(explain(scheduled(attention, { stages: 3 }), large).schedule["stages"]).toMatch(
      /^not as asked: 1 slot: no copies run ahead: 1 slots instead of 3: shared memory holds/,
    );
  });

  it("changes the text where a wish is met, and says so", () => {
    const plain = answers({});
    expect(plain.schedule).toEqual({});
    const wished = answers({ consumers: 1, swap: true, stages: 2, persistent: false });
    expect(wished.threads).toBe(plain.threads - 128);
    expect(wished.sharedBytes).toBeLessThan(plain.sharedBytes);
    expect(wished.schedule).toEqual({
      stages: "as asked, 2 slots",
      consumers: "as asked",
      swap: "as asked",
      persistent: "a block for each program",
    });
    expect(wished.text).toContain("schedule: swap: as asked");
  });

  it("shares tiles of 192 rows out to three warpgroups, and says where a wish for three cannot hold", () => {
    const wide = { ...TILES, BM: 192 };
    const three = answers({}, HOPPER, wide);
    expect(three.threads).toBe(512);
    expect(three.text).toContain("3 warpgroups multiply");
    expect(answers({ consumers: 3 }, HOPPER, wide).schedule["consumers"]).toBe("as asked");
    expect(answers({ consumers: 1 }, HOPPER, wide).threads).toBe(256);
    const consumers = (config: object) =>
      answers({ consumers: 3 }, HOPPER, { ...TILES, ...config }).schedule["consumers"];
    expect(consumers({})).toBe("not as asked: 2: 128 rows are no multiple of 192");
    // As columns of swapped operands.
    expect(consumers({ BM: 16, BN: 192 })).toBe("as asked");
    const warps = (target: typeof HOPPER, config: object) =>
      answers({ warps: 12 }, target, { ...TILES, ...config }).schedule["warps"];
    expect(warps(cudaSpec("sm_80"), wide)).toBe(
      "not as asked: 8, a power of two where all do the same",
    );
    expect(warps(HOPPER, wide)).toMatch(/^does not apply: roles have warpgroups/);
  });

  it("degrades with a remark where a kernel or a target does not allow it", () => {
    const narrow = answers({ swap: false, lateSums: true }, HOPPER, { ...TILES, BM: 16 });
    expect(narrow.schedule["swap"]).toMatch(/^not as asked/);
    expect(narrow.schedule["lateSums"]).toMatch(/^not as asked/);
    const large = { ...TILES, BM: 128, BN: 256, stages: 4 };
    expect(answers({ splitK: 2 }, HOPPER, large).schedule["splitK"]).toMatch(
      /^not as asked: shared/,
    );
    const pairs = answers({ splitK: 2, cluster: 2 }).schedule["splitK"];
    expect(pairs).toMatch(/^not as asked: cluster/);
    expect(answers({ splitK: 2 }).schedule["splitK"]).toMatch(/^as asked/);
    expect(answers({ roles: false, consumers: 2 }).schedule).toEqual({
      roles: "as asked: all warps copy and multiply",
      consumers:
        "does not apply: the warps of this kernel all do the same here: roles: false asks for it",
    });
    const alone = { ...TILES, stages: 1 };
    expect(answers({ swap: true }, HOPPER, alone).schedule["swap"]).toMatch(
      /^does not apply: .*: the loop asks for fewer than 2 stages$/,
    );
    for (const target of [cudaSpec("sm_80"), hipSpec("gfx942")]) {
      const { schedule } = answers({ roles: true, cluster: 2, stages: 2 }, target);
      expect(Object.keys(schedule).sort()).toEqual(["cluster", "roles", "stages"]);
      expect(schedule["roles"]).toMatch(/^does not apply: .*: \w+ has no wgmma and no tma$/);
    }
  });
});

const emulation = openEmulation();
if ("reason" in emulation) {
  console.warn(`skipped: schedules on the emulation: ${emulation.reason}`);
  describe.skip(`schedules on the emulation (${emulation.reason})`, () => {});
} else {
  const device = new CoreDevice(new EmulatedBackend(emulation, { target: HOPPER }));
  const run = async (
    name: string,
    dims: Readonly<Record<string, number>>,
    tiles: Readonly<Record<string, number>>,
    schedules: readonly Schedule[],
  ) => {
    const names = Object.keys(entryOf(name).kernel.dtypes);
    const dtypes = Object.fromEntries(names.map((variable) => [variable, "bf16" as const]));
    const configs = schedules.map((schedule) => ({ ...tiles, ...scheduleConfig(schedule) }));
    const measure = { rounds: 1, warmupMs: 0, repeatMs: 1 };
    const entry = entryOf(name);
    const { results } = await benchmark(device, entry, [{ dims, dtypes }], { configs, measure });
    return results[0]?.contenders.map(({ failure }) => failure);
  };

  describe("outputs under a schedule, on the emulation", () => {
    it("are those of the product, whatever is wished", async () => {
      const wishes: readonly Schedule[] = [
        { swap: true, stages: 2 },
        { consumers: 1, persistent: false, backwards: false },
      ];
      const dims = { M: 66, N: 136, K: 136 };
      const tiles = { BM: 64, BN: 64, BK: 64, stages: 3 };
      const failures = await run("linear", dims, tiles, wishes);
      expect(failures).toEqual(wishes.map(() => undefined));
    });

    it.each([
      ["fewer trips than panels, in clusters too", 40, [{}, { cluster: 2 }]],
      ["more of them", 136, [{}]],
    ] as const)("are whole where stores are held back: %s", async (_what, K, others) => {
      const tiles = { BM: 64, BN: 128, BK: 64, stages: 2 };
      const wishes = others.map((other): Schedule => ({ ...other, holdStores: true }));
      const failures = await run("linear", { M: 132, N: 136, K }, tiles, wishes);
      expect(failures).toEqual(wishes.map(() => undefined));
    });

    it("are the same where products are added late, over two bursts, one of them in part", async () => {
      const tiles = { BM: 128, BN: 64, BK: 128, stages: 3 };
      const dims = { M: 130, N: 40, K: 640, NG: 1, KG: 5 };
      const failures = await run("linear_fp8_block", dims, tiles, [{ lateSums: true }]);
      expect(failures).toEqual([undefined]);
    });

    it("are the same with other slots for keys than for values", async () => {
      const dims = { B: 1, L: 66, LK: 136, HQ: 1, HKV: 1, D: 64, DV: 64 };
      const tiles = { BM: 64, BN: 32, stages: 2 };
      const wishes: readonly Schedule[] = [{ stages: { k: 2, v: 4 } }, { stages: { v: 3 } }];
      expect(await run("attention", dims, tiles, wishes)).toEqual([undefined, undefined]);
    });

    it("are within the bound of fast sums where these are asked for", async () => {
      const tiles = { BM: 128, BN: 64, BK: 128, stages: 2 };
      const failures = await run("linear_fp8", { M: 66, N: 72, K: 272 }, tiles, [
        { fastSums: true },
        { lateSums: true },
      ]);
      expect(failures).toEqual([undefined, undefined]);
    });
  });
}
