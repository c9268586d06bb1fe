/** [test/unit/runtime] The parts of the tuner that need no device: the space, buckets, the cost model, and the race under a clock of the test's own. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { LaunchError } from "../../../dsl/core/errors.ts";
import { lowerKernel, UNKNOWN_LOCATION } from "../../../dsl/index.ts";
import { linear, linearSmall, siluAndMul } from "../../../dsl/kernels/catalogue.ts";
import {
  bucketDistance,
  bucketName,
  bucketOf,
  stridedDims,
} from "../../../runtime/autotune/buckets.ts";
import { machineOf } from "../../../runtime/autotune/machine.ts";
import { type Runner, race } from "../../../runtime/autotune/race.ts";
import { predict } from "../../../runtime/autotune/rank.ts";
import { rankCandidates, scattered } from "../../../runtime/autotune/ranking.ts";
import { enumerateSpace, neighbours, wishesBeside } from "../../../runtime/autotune/space.ts";
import { workOf } from "../../../runtime/autotune/work.ts";

const BF16 = { T: "bf16", O: "bf16" } as const;

describe("the space of a kernel", () => {
  it("is the default, what is known, then every point that `when` allows, each once", () => {
    const kernel = {
      ...siluAndMul,
      config: { A: 2, B: 8 },
      tune: { A: [1, 2], B: [8, 16], C: [] },
      when: ({ A, B }: Readonly<Record<string, number | boolean>>) => !(A === 1 && B === 16),
    };
    const known = [{ A: 4 }, { A: 1, B: 16 }, { B: 8, A: 2 }];
    const seen = enumerateSpace(kernel, known).map(({ config, origin }) => [origin, config]);
    expect(seen).toEqual([
      ["default", { A: 2, B: 8 }],
      ["known", { A: 4, B: 8 }],
      ["space", { A: 1, B: 8 }],
      ["space", { A: 2, B: 16 }],
    ]);
  });

  it("is only what the caller gives, beside the default", () => {
    const configs = enumerateSpace(siluAndMul, [], [{ BR: 2 }, { warps: 2 }]);
    expect(configs.map(({ config, origin }) => [origin, config])).toEqual([
      ["default", { BR: 1, BI: 1024 }],
      ["given", { BR: 2, BI: 1024 }],
      ["given", { BR: 1, BI: 1024, warps: 2 }],
    ]);
  });

  it("has one slot more and one less beside it, of each ring by name", () => {
    const slots = (config: Readonly<Record<string, number>>) =>
      wishesBeside(config, "bf16", ["k", "v"]).flatMap((wishes) => {
        const named = Object.entries(wishes).filter(([key]) => key.startsWith("schedule.stages."));
        return named.length === 0 ? [] : [Object.fromEntries(named)];
      });
    const [k, v] = ["schedule.stages.k", "schedule.stages.v"] as const;
    expect(slots({ stages: 2 })).toEqual([{ [k]: 3 }, { [v]: 3 }]);
    expect(slots({ stages: 2, [k]: 4 })).toEqual([{ [k]: 3 }, { [k]: 5 }, { [k]: 4, [v]: 3 }]);
    expect(slots({})).toEqual([]);
  });

  it("has neighbours one step away, and what stands beside it", () => {
    const kernel = {
      ...siluAndMul,
      tune: { A: [1, 2, 4], B: [8, 16] },
      when: ({ A, B }: Readonly<Record<string, number | boolean>>) => !(A === 4 && B === 8),
    };
    const near = neighbours(kernel, { A: 2, B: 8, C: 3 }, [{ cluster: 2 }, { C: 3 }]);
    expect(near.map(({ config }) => config)).toEqual([
      { A: 1, B: 8, C: 3 },
      { A: 2, B: 16, C: 3 },
      { A: 2, B: 8, C: 3, cluster: 2 },
    ]);
    expect(neighbours(kernel, { A: 3, B: 8, C: 3 })).toHaveLength(1); // 3 has no place in its list
  });

  it("is read in even steps where it is too large", () => {
    const values = Array.from({ length: 200 }, (_, i) => i);
    const kernel = {
      ...siluAndMul,
      config: { A: 0, B: 0, C: 0 },
      tune: { A: values, B: values, C: values },
    };
    const configs = enumerateSpace(kernel);
    expect(configs.length).toBeGreaterThan(19_000);
    expect(configs.length).toBeLessThan(20_100);
    expect(new Set(configs.map(({ config }) => config["A"])).size).toBe(200);
  });
});

describe("buckets", () => {
  it.each([
    [0, 0],
    [7, 7],
    [16, 16],
    [17, 16],
    [18, 18],
    [4095, 3840],
    [4096, 4096],
    [4097, 4096],
    [28672, 28672],
    [14336, 14336],
  ])("put %i with %i", (size, bucket) => {
    expect(bucketOf(size)).toBe(bucket);
  });

  it("tell strides of another alignment apart, and only strides", () => {
    expect(bucketName(linear, { M: 4097, N: 4096, K: 4096 })).toBe("K4096,M4096,N4096");
    expect(bucketName(linear, { M: 4096, N: 4097, K: 4096 })).toBe("K4096,M4096,N4096u1");
  });

  it("are as far apart as their sizes are", () => {
    const strided = stridedDims(linear);
    const at = (M: number, N: number) => ({ M, N, K: 64 });
    expect(bucketDistance(strided, at(64, 64), at(64, 64))).toBe(0);
    expect(bucketDistance(strided, at(64, 64), at(128, 32))).toBe(2);
    expect(bucketDistance(strided, at(64, 64), at(64, 65))).toBe(0.25);
    expect(bucketDistance(strided, at(64, 64), at(0, 64))).toBe(Number.POSITIVE_INFINITY);
    expect(bucketDistance(strided, at(64, 64), { M: 64, N: 64 })).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("the cost model", () => {
  const spec = cudaSpec("sm_90a");
  const hopper = machineOf(
    { hardware: true },
    { multiprocessors: 132, maxSharedBytes: spec.maxSharedBytes },
    spec,
  );
  const lowered = (config: Readonly<Record<string, number>>) =>
    lowerKernel(linear, { dtypes: BF16, config }).tile;

  it("reads the work of a program from its tile IR", () => {
    const tile = lowered({ BM: 128, BN: 256, BK: 64, stages: 4 });
    const work = workOf(tile, { M: 512, N: 512, K: 1000 }, [8]);
    expect(work).toMatchObject({
      dotOps: 16 * 2 * 128 * 256 * 64,
      loadedBytes: 16 * (128 + 256) * 64 * 2,
      storedBytes: 128 * 256 * 2,
      carriedBytes: 128 * 256 * 4,
      stagedBytes: 4 * (128 + 256) * 64 * 2,
      trips: 16,
      stages: 4,
    });
  });

  const time = (
    config: Readonly<Record<string, number>>,
    dims: Readonly<Record<string, number>>,
  ) => {
    const { M = 0, N = 0, K = 0 } = dims;
    return predict({
      kernel: linear,
      tile: lowered(config),
      config: { ...linear.config, ...config },
      dims,
      cost: { bytes: 2 * (M * K + N * K + M * N), flops: 2 * M * N * K },
      machine: hopper,
    });
  };

  it("prefers large tiles for large products and sees waves and padding", () => {
    const dims = { M: 8192, N: 8192, K: 8192 };
    const large = time({ BM: 128, BN: 256, BK: 64, stages: 4 }, dims);
    const small = time({ BM: 16, BN: 32, BK: 16, stages: 1 }, dims);
    expect(large.us).toBeLessThan(small.us / 2);
    expect(large).toMatchObject({ programs: 64 * 32, padding: 1 });
    expect(large.waves).toBe(Math.ceil(2048 / (132 * large.resident)));
    const few = { M: 16, N: 4096, K: 4096 };
    const padded = time({ BM: 128, BN: 128, BK: 64, stages: 4 }, few);
    expect(padded.padding).toBe(8);
    expect(time({ BM: 16, BN: 32, BK: 64, stages: 4 }, few).us).toBeLessThan(padded.us);
  });

  it("takes the compiler's word where there is one", () => {
    const config = { BM: 64, BN: 64, BK: 32, stages: 3 };
    const dims = { M: 4096, N: 4096, K: 4096 };
    const input = {
      kernel: linear,
      tile: lowered(config),
      config: { ...linear.config, ...config },
      dims,
      cost: { bytes: 1e8, flops: 2 * 4096 ** 3 },
      machine: hopper,
    };
    const artifact = { threads: 128, sharedBytes: 32768, remarks: [] };
    const remark = {
      pass: "specialize-warps",
      message: "2 slots instead of 3",
      loc: UNKNOWN_LOCATION,
    };
    const plain = predict({ ...input, artifact });
    expect(plain.resident).toBe(7);
    expect(predict({ ...input, artifact: { ...artifact, remarks: [remark] } }).us).toBeGreaterThan(
      plain.us,
    );
    expect(predict({ ...input, artifact: { ...artifact, sharedBytes: 200_000 } }).resident).toBe(1);
  });

  it("orders a whole space, the default first, and goes on without prediction when its time is over", async () => {
    const candidates = enumerateSpace(linearSmall);
    const context = {
      kernel: linearSmall,
      specialization: { dtypes: BF16 },
      dims: { M: 1, N: 4096, K: 4096 },
      cost: { bytes: 2 * 4096 ** 2, flops: 2 * 4096 ** 2 },
      machine: hopper,
    };
    const { ranked, refused } = await rankCandidates(candidates.slice(0, 40), {
      ...context,
      isOver: () => false,
    });
    expect(refused).toEqual([]);
    expect(ranked.length).toBe(40);
    expect(ranked[0]?.candidate.origin).toBe("default");
    const times = ranked.slice(1).map(({ prediction }) => prediction.us);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    let calls = 0;
    const hurried = await rankCandidates(candidates.slice(0, 40), {
      ...context,
      isOver: () => ++calls > 5,
    });
    expect(hurried.ranked.length).toBe(40);
    expect(hurried.ranked.filter(({ prediction }) => prediction.us < Infinity).length).toBe(6);
  });

  it("scatters without losing any", () => {
    for (const length of [1, 2, 3, 10, 64, 97]) {
      const list = Array.from({ length }, (_, i) => i);
      expect([...scattered(list)].sort((a, b) => a - b)).toEqual(list);
    }
    expect(
      Math.max(...scattered(Array.from({ length: 100 }, (_, i) => i)).slice(0, 5)),
    ).toBeGreaterThan(50);
  });
});

describe("a race", () => {
  /** Runners whose launches take so long on a clock that only they move. */
  function field(times: Readonly<Record<string, number>>, noise = 0) {
    let now = 0;
    const log: string[] = [];
    const runners = Object.entries(times).map(
      ([name, us]): Runner => ({
        name,
        measure: async () => {
          log.push(name);
          now += us / 1000;
          if (us < 0) throw new LaunchError({ code: "TW3301", message: `${name} fell` });
          return [us, us * (1 + noise), us * (1 - noise)];
        },
      }),
    );
    return { runners, log, now: () => now };
  }

  it("lets hopeless ones go early and the close ones run to the end, from other places each round", async () => {
    const { runners, log, now } = field({ a: 100, b: 104, slow: 400, middling: 130 });
    const standings = await race(runners, { rounds: 4, now, deadlineMs: 1e9 });
    expect(standings.map(({ name, state, rounds }) => [name, state, rounds.length])).toEqual([
      ["a", "finished", 4],
      ["b", "hopeless", 4],
      ["slow", "hopeless", 1],
      ["middling", "hopeless", 2],
    ]);
    expect(log.slice(0, 4)).toEqual(["a", "b", "slow", "middling"]);
    expect(log.slice(4, 7)).toEqual(["a", "middling", "b"]);
  });

  it("keeps apart only what noise does not explain", async () => {
    const { runners, now } = field({ a: 100, b: 180 }, 0.6);
    const standings = await race(runners, { rounds: 2, now, deadlineMs: 1e9 });
    expect(standings.map(({ state }) => state)).toEqual(["finished", "finished"]);
  });

  it("ends with its time, and measures the first in any case", async () => {
    const { runners, now } = field({ a: 100_000, b: 100_000, c: 100_000 });
    const standings = await race(runners, { rounds: 3, now, deadlineMs: 150 });
    expect(standings.map(({ state, rounds }) => [state, rounds.length])).toEqual([
      ["cut", 1],
      ["cut", 1],
      ["cut", 0],
    ]);
    const late = field({ a: 5, b: 5 });
    const [first, second] = await race(late.runners, { rounds: 1, now: late.now, deadlineMs: -1 });
    expect([first?.rounds.length, second?.rounds.length]).toEqual([1, 0]);
  });

  it("goes on without one that fails", async () => {
    const { runners, now } = field({ bad: -1, good: 10 });
    const standings = await race(runners, { rounds: 2, now, deadlineMs: 1e9 });
    expect(standings[0]).toMatchObject({
      state: "failed",
      reason: expect.stringMatching("bad fell"),
    });
    expect(standings[1]?.rounds).toEqual([10, 10]);
  });
});
