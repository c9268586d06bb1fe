/** [runtime/conformance] Products whose schedule is asked for: stores held back under the next program's trips, products added one trip late. */
import {
  cast,
  cdiv,
  dot,
  floordiv,
  kernel,
  load,
  out,
  pid,
  range,
  scheduleConfig,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import { linearFp8Block } from "../../dsl/kernels/catalogue.ts";
import { type CaseSpec, outputOf, randomTensorOf } from "./case.ts";

/** x · wᵀ in 16 bits, more programs than blocks. */
const plain = kernel(
  {
    name: "pipelined_scheduled",
    params: { x: tensor("bf16", "M", "K"), w: tensor("bf16", "N", "K"), y: out("bf16", "M", "N") },
    config: { BM: 128, BN: 64, BK: 64, stages: 3, cluster: 1 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K }, { BM, BN, BK, stages }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pid(1), BM), span(k, BK)]);
      acc = dot(a, load(w, [tile(pid(0), BN), span(k, BK)]), acc);
    }
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], cast(acc, "bf16"));
  },
);

/** Σ (x · wᵀ of a trip) · the trip's scale of each row. */
const late = kernel(
  {
    name: "pipelined_late",
    params: {
      x: tensor("f8e4m3", "M", "K"),
      w: tensor("f8e4m3", "N", "K"),
      scale: tensor("f32", "KG", "M"),
      y: out("f32", "M", "N"),
    },
    config: { BM: 128, BN: 64, BK: 128, stages: 3 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, scale, y, K }, { BM, BN, BK, stages }) => {
    const [rows, columns] = [tile(pid(1), BM), tile(pid(0), BN)];
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const product = dot(load(x, [rows, span(k, BK)]), load(w, [columns, span(k, BK)]));
      acc = acc + product * load(scale, [floordiv(k, BK), rows]);
    }
    store(y, [rows, columns], acc);
  },
);

/** A few programs a block, in pairs of blocks or not; loops shorter than what is held back, and of no trip. */
const heldCases = (
  [
    [577, 520, 200, 1],
    [577, 520, 8, 1],
    [577, 520, 392, 2],
    [130, 72, 0, 1],
  ] as const
).map(
  ([m, n, k, cluster]): CaseSpec => ({
    name: `stores held back, ${m} × ${n} × ${k}${cluster === 1 ? "" : ", in clusters"}`,
    kernel: plain,
    config: { BM: 64, BN: 32, cluster, ...scheduleConfig({ holdStores: true }) },
    tensors: {
      x: randomTensorOf("bf16", [m, k], 21),
      w: randomTensorOf("bf16", [n, k], 22),
      y: outputOf("bf16", [m, n]),
    },
    tolerance: { y: { kind: "rounding", length: k + 1, inner: "bf16", scale: k } },
  }),
);

/** Whole and broken bursts of trips. */
const lateCases = [0, 1, 3, 4, 9].map((trips): CaseSpec => {
  const k = trips === 9 ? trips * 128 - 48 : trips * 128;
  // Rows of scales that are multiples of 16 bytes come with the tiles.
  const m = trips % 3 === 0 ? 260 : 257;
  return {
    name: `added one trip late, ${trips} trips`,
    kernel: late,
    config: scheduleConfig({ lateSums: true }),
    tensors: {
      x: randomTensorOf("f8e4m3", [m, k], 23),
      w: randomTensorOf("f8e4m3", [136, k], 24),
      scale: randomTensorOf("f32", [trips, m], 25),
      y: outputOf("f32", [m, 136]),
    },
    tolerance: { y: { kind: "rounding", length: k + 1, inner: "f16", scale: k } },
  };
});

/** Two blocks to a program: odd and even trips, one, none; more programs than pairs of blocks; operands traded or not; stages for few trips. */
const splitCases = (
  [
    [130, 136, 648, { BM: 128, BN: 64, BK: 64, stages: 3 }],
    [130, 136, 512, { BM: 128, BN: 64, BK: 64, stages: 4 }],
    [577, 520, 200, { BM: 64, BN: 32, BK: 64, stages: 2 }],
    [37, 264, 328, { BM: 16, BN: 64, BK: 64, stages: 3 }],
    [130, 72, 40, { BM: 64, BN: 64, BK: 64, stages: 3 }],
    [130, 72, 0, { BM: 64, BN: 64, BK: 64, stages: 3 }],
  ] as const
).map(
  ([m, n, k, config]): CaseSpec => ({
    name: `split over two blocks, ${m} × ${n} × ${k} in ${config.BM} × ${config.BN}`,
    kernel: plain,
    config: { ...config, ...scheduleConfig({ splitK: 2 }) },
    tensors: {
      x: randomTensorOf("bf16", [m, k], 26),
      w: randomTensorOf("bf16", [n, k], 27),
      y: outputOf("bf16", [m, n]),
    },
    tolerance: { y: { kind: "rounding", length: k + 1, inner: "bf16", scale: k } },
  }),
);

/** Tiles of which each begins elsewhere in a block of 128 columns of w, with scales that are fetched under the product. */
const blockCases = (
  [
    [68, 192],
    [65, 112],
    [140, 48],
  ] as const
).map(
  ([m, BN]): CaseSpec => ({
    name: `block scales, ${m} rows, tiles of ${BN} columns`,
    kernel: linearFp8Block,
    dtypes: { O: "f32" },
    config: { BM: 64, BN, BK: 128, stages: 2, group: 2 },
    tensors: {
      x: randomTensorOf("f8e4m3", [m, 400], 28),
      w: randomTensorOf("f8e4m3", [488, 400], 29),
      xScale: randomTensorOf("f32", [4, m], 30),
      wScale: randomTensorOf("f32", [4, 4], 31),
      bias: randomTensorOf("f32", [488], 32),
      y: outputOf("f32", [m, 488]),
    },
    tolerance: { y: { kind: "rounding", length: 401, inner: "f16", scale: 400 } },
  }),
);

export const scheduleCases: readonly CaseSpec[] = [
  ...heldCases,
  ...lateCases,
  ...splitCases,
  ...blockCases,
];
