/** [runtime/conformance] Narrow weights: unpacking, scales of tensors, rows, groups and blocks, zero points, products with them, hints of loads. */
import {
  cast,
  cdiv,
  dequant,
  dot,
  kernel,
  load,
  out,
  pid,
  range,
  scalar,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf, tensorOf } from "./case.ts";

/** Scales by groups of 16 along the last dim, one zero point for all. */
const grouped = kernel(
  {
    name: "dequant_groups",
    dtypes: { W: ["u4", "i4", "i8", "u8", "f8e4m3", "f8e5m2", "nf4", "f4e2m1"] },
    params: { w: tensor("W", "N", "K"), s: tensor("f32", "N", "KG"), y: out("f32", "N", "K") },
    config: { BN: 8, BK: 64, GB: 4 },
    grid: ({ N, K }, { BN, BK }) => [cdiv(N, BN), cdiv(K, BK)],
  },
  ({ w, s, y }, { BN, BK, GB }) => {
    const packed = load(w, [tile(pid(0), BN), tile(pid(1), BK)]);
    const scales = load(s, [tile(pid(0), BN), tile(pid(1), GB)]);
    const plain = dequant(packed, scales, { group: 16, zero: 2, to: "f32" });
    store(y, [tile(pid(0), BN), tile(pid(1), BK)], plain);
  },
);

/** One scale and one zero point a row, both gathered from tensors, in a 16-bit type. */
const byRow = kernel(
  {
    name: "dequant_rows",
    dtypes: { W: ["i8", "u4"], T: ["f16", "bf16"] },
    params: {
      w: tensor("W", "N", "K"),
      s: tensor("T", "N"),
      z: tensor("T", "N"),
      y: out("T", "N", "K"),
    },
    config: { BN: 8, BK: 32 },
    grid: ({ N, K }, { BN, BK }) => [cdiv(N, BN), cdiv(K, BK)],
  },
  ({ w, s, z, y, T }, { BN, BK }) => {
    const rows = tile(pid(0), BN);
    const packed = load(w, [rows, tile(pid(1), BK)], { evict: "first", via: "ldg" });
    const scale = load(s, [rows], { evict: "last" });
    store(y, [rows, tile(pid(1), BK)], dequant(packed, scale, { zero: load(z, [rows]), to: T }));
  },
);

/** mxfp4: f4e2m1 with an exponent for each 32, and one scale for the whole tensor, a scalar. */
const microscaled = kernel(
  {
    name: "dequant_mx",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      w: tensor("f4e2m1", "N", "K"),
      s: tensor("f8e8m0", "N", "KG"),
      whole: tensor("f32", 1),
      y: out("T", "N", "K"),
    },
    config: { BN: 8, BK: 64, GB: 2 },
    grid: ({ N, K }, { BN, BK }) => [cdiv(N, BN), cdiv(K, BK)],
  },
  ({ w, s, whole, y, T }, { BN, BK, GB }) => {
    const packed = load(w, [tile(pid(0), BN), tile(pid(1), BK)]);
    const scales = load(s, [tile(pid(0), BN), tile(pid(1), GB)]);
    const plain = dequant(packed, scales, { group: 32, axis: BK, to: "f32" });
    store(y, [tile(pid(0), BN), tile(pid(1), BK)], cast(plain * load(whole, [0]), T));
  },
);

/** A scale for each block of rows and columns, as with fp8 weights in blocks of 128 × 128; and by a scalar alone. */
const blocked = kernel(
  {
    name: "dequant_blocks",
    dtypes: { W: ["f8e4m3", "i8"] },
    params: {
      w: tensor("W", "N", "K"),
      s: tensor("f32", "NG", "KG"),
      y: out("bf16", "N", "K"),
      z: out("f32", "N", "K"),
      whole: scalar("f32"),
    },
    config: { BN: 16, BK: 64, GN: 2, GK: 4 },
    grid: ({ N, K }, { BN, BK }) => [cdiv(N, BN), cdiv(K, BK)],
  },
  ({ w, s, y, z, whole }, { BN, BK, GN, GK }) => {
    const at = [tile(pid(0), BN), tile(pid(1), BK)] as const;
    const scales = load(s, [tile(pid(0), GN), tile(pid(1), GK)]);
    const packed = load(w, at);
    store(y, at, dequant(packed, scales, { group: [8, 16], axis: [BN, BK], to: "bf16" }));
    store(z, at, dequant(packed, whole, { to: "f32" }));
  },
);

/** Zero points that are packed like the weights, scales and zero points by group and column, as AWQ and GPTQ have them. */
const packedZeros = kernel(
  {
    name: "dequant_packed_zeros",
    dtypes: { W: ["u4", "u8"] },
    params: {
      w: tensor("W", "N", "K"),
      s: tensor("f16", "KG", "N"),
      z: tensor("W", "KG", "N"),
      y: out("f16", "N", "K"),
    },
    config: { BN: 16, BK: 64, GB: 2 },
    grid: ({ N, K }, { BN, BK }) => [cdiv(N, BN), cdiv(K, BK)],
  },
  ({ w, s, z, y }, { BN, BK, GB }) => {
    const packed = load(w, [tile(pid(0), BN), tile(pid(1), BK)]);
    const scale = load(s, [tile(pid(1), GB), tile(pid(0), BN)]);
    const zero = load(z, [tile(pid(1), GB), tile(pid(0), BN)]);
    const plain = dequant(packed, scale, { group: 32, zero, to: "f16" });
    store(y, [tile(pid(0), BN), tile(pid(1), BK)], plain);
  },
);

/** A product with packed weights, as in a layer with 4-bit weights and 16-bit activations. */
const product = kernel(
  {
    name: "dot_dequant",
    dtypes: { W: ["u4", "i8", "nf4", "f4e2m1"], T: ["f32", "f16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: tensor("W", "N", "K"),
      s: tensor("T", "N", "KG"),
      y: out("f32", "M", "N"),
    },
    config: { BM: 16, BN: 16, BK: 32, GB: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, s, y, K, T }, { BM, BN, BK, GB }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(cdiv(K, BK))) {
      const packed = load(w, [tile(pid(1), BN), tile(k, BK)]);
      const scales = load(s, [tile(pid(1), BN), tile(k, GB)]);
      const plain = dequant(packed, scales, { group: 16, zero: 8, to: T });
      acc = dot(load(x, [tile(pid(0), BM), span(k * BK, BK)]), plain, acc);
    }
    store(y, [tile(pid(0), BM), tile(pid(1), BN)], cast(acc, "f32"));
  },
);

const groupCases: readonly CaseSpec[] = (
  ["u4", "i4", "i8", "u8", "f8e4m3", "f8e5m2", "nf4", "f4e2m1"] as const
).flatMap((W) =>
  [
    [1, 16],
    [9, 64],
    [17, 80],
  ].map(([n = 0, k = 0]) => ({
    name: `${n} × ${k}, ${W}`,
    kernel: grouped,
    dtypes: { W },
    tensors: {
      w: randomTensorOf(W, [n, k], 3),
      s: tensorOf("f32", [n, k / 16], (i) => 2 ** ((i % 5) - 2)),
      y: outputOf("f32", [n, k]),
    },
  })),
);

const rowCases: readonly CaseSpec[] = (["i8", "u4"] as const).flatMap((W) =>
  (["f16", "bf16"] as const).map((T) => ({
    name: `11 × 40, ${W} to ${T}`,
    kernel: byRow,
    dtypes: { W, T },
    tensors: {
      w: randomTensorOf(W, [11, 40], 4),
      s: tensorOf(T, [11], (i) => 0.25 + i / 8),
      z: tensorOf(T, [11], (i) => i - 5),
      y: outputOf(T, [11, 40]),
    },
  })),
);

const mxCases: readonly CaseSpec[] = (["f32", "f16", "bf16"] as const).flatMap((T) =>
  [
    [1, 32],
    [11, 96],
  ].map(([n = 0, k = 0]) => ({
    name: `${n} × ${k} to ${T}`,
    kernel: microscaled,
    dtypes: { T },
    tensors: {
      w: randomTensorOf("f4e2m1", [n, k], 7),
      s: randomTensorOf("f8e8m0", [n, k / 32], 8),
      whole: tensorOf("f32", [1], 0.75),
      y: outputOf(T, [n, k]),
    },
  })),
);

const blockCases: readonly CaseSpec[] = (["f8e4m3", "i8"] as const).flatMap((W) =>
  [
    [16, 64],
    [37, 80],
  ].map(([n = 0, k = 0]) => ({
    name: `${n} × ${k}, ${W}`,
    kernel: blocked,
    dtypes: { W },
    tensors: {
      w: randomTensorOf(W, [n, k], 9),
      s: tensorOf("f32", [Math.ceil(n / 8), Math.ceil(k / 16)], (i) => 0.3 + i / 7),
      y: outputOf("bf16", [n, k]),
      z: outputOf("f32", [n, k]),
    },
    scalars: { whole: 0.125 },
  })),
);

const zeroCases: readonly CaseSpec[] = (["u4", "u8"] as const).map((W) => ({
  name: `21 × 96, ${W}`,
  kernel: packedZeros,
  dtypes: { W },
  tensors: {
    w: randomTensorOf(W, [21, 96], 10),
    s: tensorOf("f16", [3, 21], (i) => 2 ** ((i % 4) - 5)),
    z: randomTensorOf(W, [3, 21], 11),
    y: outputOf("f16", [21, 96]),
  },
}));

const productCases: readonly CaseSpec[] = (["u4", "i8", "nf4", "f4e2m1"] as const).flatMap((W) =>
  (["f32", "f16"] as const).map((T) => ({
    name: `18 × 21 × 96, ${W} and ${T}`,
    kernel: product,
    dtypes: { W, T },
    tensors: {
      x: randomTensorOf(T, [18, 96], 5),
      w: randomTensorOf(W, [21, 96], 6),
      s: tensorOf(T, [21, 6], (i) => 2 ** ((i % 4) - 5)),
      y: outputOf("f32", [18, 21]),
    },
    tolerance: { y: { kind: "rounding", length: 96, inner: T, scale: 400 } } as const,
  })),
);

export const quantizedCases = defineCases("quantized", [
  ...groupCases,
  ...rowCases,
  ...mxCases,
  ...blockCases,
  ...zeroCases,
  ...productCases,
]);
