/** [test/unit/emulation] Mistakes planted in texts that the compiler emits, each at every place where it can be made, are found. */
import { expect, it } from "vitest";
import type { Artifact, TargetSpec } from "../../../codegen/artifact.ts";
import { compile } from "../../../codegen/compile.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import { hipSpec } from "../../../codegen/targets/hip/features.ts";
import { decodeArray, encodeArray } from "../../../dsl/core/rounding.ts";
import type { DType } from "../../../dsl/index.ts";
import { linear } from "../../../dsl/kernels/catalogue.ts";
import { type ArtifactLaunch, emulateArtifacts } from "../../support/emulated-artifact.ts";
import type { EmulatedRun } from "../../support/emulation-protocol.ts";
import { bytesOf, describeEmulated, kindsOf, randomBelow } from "./open.ts";

/** A mistake: what is put where the pattern stands, one place after the other, and what must be said of it. */
interface Fault {
  readonly name: string;
  readonly pattern: RegExp;
  readonly wrong: string;
  /** Kinds of reports, one of which is given; `values`: results differ. */
  readonly caught: readonly string[];
  /** All places at once, where one of them stands in for another. */
  readonly together?: true;
}

const gone = (name: string, call: string, ...caught: readonly string[]): Fault => ({
  name: `no ${name}`,
  pattern: new RegExp(`${call}\\([^;]*\\);`, "g"),
  wrong: ";",
  caught,
});

const MASKS: readonly Fault[] = [
  {
    name: "rows masked one too far",
    pattern: /< \(u32\)M\b/g,
    wrong: "<= (u32)M",
    caught: ["oob-global"],
  },
  {
    name: "columns masked one too far",
    pattern: /< \(u32\)N\b/g,
    wrong: "<= (u32)N",
    caught: ["oob-global", "values", "race"],
  },
];

const AMPERE: readonly Fault[] = [
  gone("barrier", "tw_syncthreads", "race"),
  gone("wait for copies", "tw_cp_async_wait<1>", "early-read"),
  gone("commit of copies", "tw_cp_async_commit", "early-read"),
  {
    name: "wait that leaves one group more",
    pattern: /tw_cp_async_wait<1>/g,
    wrong: "tw_cp_async_wait<2>",
    caught: ["early-read"],
  },
  {
    name: "swapped fragment of a",
    pattern: /&a_1\[i \* 4\], &b_1/g,
    wrong: "&a_1[(1 - i) * 4], &b_1",
    caught: ["values"],
  },
  {
    name: "swapped fragment of b",
    pattern: /&b_1\[j \* 2\]/g,
    wrong: "&b_1[(j ^ 1) * 2]",
    caught: ["values"],
  },
  {
    name: "swapped halves of a result",
    pattern: /t_6\[(r \* 16 \+ i \* 4 \+ j \* 2)\], t_6\[[^\]]*\]/g,
    wrong: "t_6[$1 + 1], t_6[$1]",
    caught: ["values"],
  },
  {
    name: "depth masked one too far",
    pattern: /t_BK < left_1/g,
    wrong: "t_BK <= left_1",
    caught: ["values", "oob-global"],
  },
  ...MASKS,
];

const HOPPER: readonly Fault[] = [
  gone("barrier", "tw_syncthreads", "mbarrier", "race"),
  gone("barrier of a warp", "tw_syncwarp", "race", "overwrite-in-flight", "proxy"),
  gone("proxy fence", "tw_fence_proxy_async", "proxy"),
  { ...gone("fence of barriers", "tw_fence_mbarrier_init", "proxy"), together: true },
  gone("wait at a barrier", "tw_mbarrier_wait", "early-read", "overwrite-in-flight", "deadlock"),
  gone("expected bytes", "tw_mbarrier_expect_tx", "mbarrier", "deadlock"),
  { ...gone("arrival", "tw_mbarrier_arrive", "deadlock"), together: true },
  gone("fence of products", "tw_wgmma_fence", "misuse"),
  gone("commit of products", "tw_wgmma_commit", "accumulator-early", "overwrite-in-flight"),
  gone("last wait for products", "tw_wgmma_wait<0>", "accumulator-early"),
  gone("wait for products in the loop", "tw_wgmma_wait<1>", "overwrite-in-flight"),
  gone("commit of stores", "tw_tma_store_commit", "left-pending", "overwrite-in-flight"),
  {
    ...gone("wait for stores", "tw_tma_store_wait_read<0>", "overwrite-in-flight", "left-pending"),
    together: true,
  },
  { name: "half the bytes expected", pattern: /8192u\);/g, wrong: "4096u);", caught: ["mbarrier"] },
  {
    name: "swapped accumulators",
    pattern: /\(acc\[(\d+)\], acc\[(\d+)\]\)/g,
    wrong: "(acc[$2], acc[$1])",
    caught: ["values"],
  },
  {
    name: "wrong step of a descriptor",
    pattern: /a_at \+ 2ll/g,
    wrong: "a_at + 4ll",
    caught: ["values", "early-read", "uninit"],
  },
  {
    name: "parity that never turns",
    pattern: /\? parity_3 \^ 1 :/g,
    wrong: "? parity_3 :",
    caught: ["deadlock", "early-read"],
  },
];

const CDNA: readonly Fault[] = [
  gone("barrier", "tw_syncthreads", "race"),
  {
    name: "swapped operands",
    pattern: /&b_1\[0\], &a_1\[0\]/g,
    wrong: "&a_1[0], &b_1[0]",
    caught: ["values"],
  },
  {
    name: "swapped halves of a result",
    pattern: /t_6\[(r \* 4)\], t_6\[r \* 4 \+ 1\]/g,
    wrong: "t_6[$1 + 1], t_6[$1]",
    caught: ["values"],
  },
  ...MASKS,
];

const SIZES = { M: 70, N: 136, K: 136 };

function productFor(target: TargetSpec, T: DType): Artifact {
  const specialization = { dtypes: { T, O: T } };
  return compile(linear, { target, specialization, divisibility: { N: 8, K: 8 } });
}

/** -1, 0 and 1, so that every sum is exact. */
function problem(T: DType): { readonly launch: ArtifactLaunch; readonly expected: Float64Array } {
  const { M, N, K } = SIZES;
  const random = randomBelow(M * 31 + N * 7 + K);
  const numbers = (count: number): Float64Array =>
    Float64Array.from({ length: count }, () => random(3) - 1);
  const [x, w] = [numbers(M * K), numbers(N * K)];
  const expected = new Float64Array(M * N);
  for (let i = 0; i < M; i++)
    for (let j = 0; j < N; j++)
      for (let k = 0; k < K; k++)
        expected[i * N + j] =
          (expected[i * N + j] ?? 0) + (x[i * K + k] ?? 0) * (w[j * K + k] ?? 0);
  const tensors = {
    x: encodeArray(T, x),
    w: encodeArray(T, w),
    y: encodeArray(T, new Float64Array(M * N).fill(-77)),
  };
  const grid = [Math.ceil(M / 64) * Math.ceil(N / 64), 1, 1] as const;
  const launch = { grid, tensors, dims: SIZES, scalars: {}, seeds: [1, 2, 3, 4] };
  return { launch, expected };
}

/** The texts with one mistake each; the prelude in front of the kernel stays as it is. */
function planted(
  artifact: Artifact,
  { name, pattern, wrong, together }: Fault,
): readonly Artifact[] {
  const start = artifact.text.search(/TW_KERNEL\w*\([^)]*\) linear\(/);
  const [prelude, body] = [artifact.text.slice(0, start), artifact.text.slice(start)];
  const make = (text: string, i: number): Artifact => ({
    ...artifact,
    text: prelude + text,
    hash: `${artifact.hash} ${name} ${i}`,
  });
  const places = [...body.matchAll(pattern)];
  if (together === true) return places.length > 0 ? [make(body.replaceAll(pattern, wrong), 0)] : [];
  const single = new RegExp(pattern.source);
  return places.map(({ index, 0: found }, i) =>
    make(body.slice(0, index) + found.replace(single, wrong) + body.slice(index + found.length), i),
  );
}

function describeFaults(target: TargetSpec, T: DType, faults: readonly Fault[]): void {
  describeEmulated(`mistakes planted in the text of ${target.arch}`, (emulation) => {
    const right = productFor(target, T);
    const wrong = new Map(faults.map((fault) => [fault.name, planted(right, fault)] as const));
    const unit = emulateArtifacts(emulation, [right, ...[...wrong.values()].flat()], {
      seconds: 60,
    });
    const { launch, expected } = problem(T);
    const kindsOfRuns = (runs: readonly EmulatedRun[]): readonly string[] => {
      const differs = runs.some((run) => {
        const y = decodeArray(T, bytesOf(run, "y"), expected.length);
        return expected.some((value, i) => value !== y[i]);
      });
      return [...kindsOf(runs), ...(differs ? ["values"] : [])];
    };

    it("gives no finding for the right text", () => {
      expect(kindsOfRuns(unit.launch(right, launch))).toEqual([]);
    });

    it.each(faults)("finds $name", ({ name, caught }) => {
      const artifacts = wrong.get(name) ?? [];
      expect(artifacts.length, "places where it can be planted").toBeGreaterThan(0);
      const missed = artifacts
        .map(
          (artifact) =>
            [artifact.hash.split(" ").at(-1), kindsOfRuns(unit.launch(artifact, launch))] as const,
        )
        .filter(([, kinds]) => !kinds.some((kind) => caught.includes(kind)));
      expect(missed).toEqual([]);
    });
  });
}

describeFaults(cudaSpec("sm_80"), "f16", AMPERE);
describeFaults(cudaSpec("sm_90a"), "bf16", HOPPER);
describeFaults(hipSpec("gfx90a"), "f16", CDNA);
