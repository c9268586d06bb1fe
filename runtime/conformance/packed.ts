/** [runtime/conformance] Packed weights: packed on the device in the order that the compiler chose, or in one that is given, and read by products, by expert, by index. */

import type { PackedOrder } from "../../codegen/index.ts";
import {
  cast,
  cdiv,
  type DType,
  dequant,
  dot,
  gather,
  kernel,
  load,
  out,
  packed,
  pid,
  range,
  span,
  store,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import {
  type CaseOrders,
  type CaseSpec,
  defineCases,
  outputOf,
  randomTensorOf,
  tensorOf,
} from "./case.ts";

/** A product with packed weights of 4 or 8 bits, scales and zero points by groups of 32. */
const weights = kernel(
  {
    name: "packed_weights",
    dtypes: { W: ["u4", "nf4", "i8", "f8e4m3"], T: ["f32", "f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: packed("W", "N", "K"),
      s: tensor("T", "N", "KG"),
      y: out("f32", "M", "N"),
    },
    config: { BM: 16, BN: 32, BK: 64, GB: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, s, y, K, T }, { BM, BN, BK, GB }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(cdiv(K, BK), { stages: 3 })) {
      const q = load(w, [tile(pid(1), BN), tile(k, BK)]);
      const scales = load(s, [tile(pid(1), BN), tile(k, GB)]);
      const rows = load(x, [tile(pid(0), BM), span(k * BK, BK)]);
      acc = dot(rows, dequant(q, scales, { group: 32, zero: 4, to: T }), acc);
    }
    store(y, [tile(pid(0), BM), tile(pid(1), BN)], acc);
  },
);

/** mxfp4 weights of one expert for each block of rows, exponents packed beside them. */
const experts = kernel(
  {
    name: "packed_experts",
    dtypes: { T: ["f16", "bf16"] },
    params: {
      x: tensor("T", "M", "K"),
      w: packed("f4e2m1", "E", "N", "K"),
      s: packed("f8e8m0", "E", "N", "KG"),
      expert: tensor("i32", "MB"),
      y: out("T", "M", "N"),
    },
    config: { BM: 16, BN: 16, BK: 32, GB: 1 },
    grid: ({ MB, N }, { BN }) => [MB, cdiv(N, BN)],
  },
  ({ x, w, s, expert, y, K, T }, { BM, BN, BK, GB }) => {
    const e = load(expert, [pid(0)]);
    let acc = zeros("f32", BM, BN);
    for (const k of range(cdiv(K, BK))) {
      const q = load(w, [e, tile(pid(1), BN), tile(k, BK)]);
      const scales = load(s, [e, tile(pid(1), BN), tile(k, GB)]);
      acc = dot(
        load(x, [tile(pid(0), BM), tile(k, BK)]),
        dequant(q, scales, { group: 32, to: T }),
        acc,
      );
    }
    store(y, [tile(pid(0), BM), tile(pid(1), BN)], cast(acc, T));
  },
);

/** 16-bit weights straight to the registers of a product, no scales. */
const plain = kernel(
  {
    name: "packed_plain",
    dtypes: { T: ["f32", "f16"] },
    params: { x: tensor("T", "M", "K"), w: packed("T", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 32, BN: 32, BK: 32 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(M, BM), cdiv(N, BN)],
  },
  ({ x, w, y, K }, { BM, BN, BK }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(cdiv(K, BK), { stages: 2 }))
      acc = dot(
        load(x, [tile(pid(0), BM), tile(k, BK)]),
        load(w, [tile(pid(1), BN), tile(k, BK)]),
        acc,
      );
    store(y, [tile(pid(0), BM), tile(pid(1), BN)], acc);
  },
);

/** Rows of a packed table by index, as an embedding has them. */
const table = kernel(
  {
    name: "packed_table",
    dtypes: { W: ["u4", "i8"] },
    params: {
      w: packed("W", "N", "K"),
      rows: tensor("i32", "R"),
      s: tensor("f32", "N"),
      y: out("f32", "R", "K"),
    },
    config: { BR: 8, BK: 32 },
    grid: ({ R, K }, { BR, BK }) => [cdiv(R, BR), cdiv(K, BK)],
  },
  ({ w, rows, s, y }, { BR, BK }) => {
    const index = load(rows, [tile(pid(0), BR)], { fill: -1 });
    const at = gather(index);
    const q = load(w, [at, tile(pid(1), BK)]);
    store(y, [tile(pid(0), BR), tile(pid(1), BK)], dequant(q, load(s, [at]), { to: "f32" }));
  },
);

/** No target would choose these. */
const ODD: PackedOrder = {
  block: [6, 10],
  digits: [
    { extent: 5, side: "column", stride: 2 },
    { extent: 6, side: "row", stride: 1 },
    { extent: 2, side: "column", stride: 1 },
  ],
};
const TALL: PackedOrder = {
  block: [16, 8],
  digits: [
    { extent: 8, side: "row", stride: 2 },
    { extent: 8, side: "column", stride: 1 },
    { extent: 2, side: "row", stride: 1 },
  ],
};

const ORDERS: readonly (readonly [string, CaseOrders | undefined])[] = [
  ["in the order that is chosen", "chosen"],
  ["in rows", undefined],
  ["in a tall order", { w: TALL }],
  ["in an odd order", { w: ODD }],
];

function withOrders(
  spec: CaseSpec,
  orders: readonly (readonly [string, CaseOrders | undefined])[] = ORDERS,
): readonly CaseSpec[] {
  return orders.map(([how, given]) => ({
    ...spec,
    name: `${spec.name}, ${how}`,
    ...(given === undefined ? {} : { orders: given }),
  }));
}

function weightsCase(W: DType, T: DType, m: number, n: number, k: number): CaseSpec {
  return {
    name: `${m} × ${n} × ${k}, ${W} and ${T}`,
    kernel: weights,
    dtypes: { W, T },
    tensors: {
      x: randomTensorOf(T, [m, k], 12),
      w: randomTensorOf(W, [n, k], 13),
      s: tensorOf(T, [n, k / 32], (i) => 2 ** ((i % 4) - 5)),
      y: outputOf("f32", [m, n]),
    },
    tolerance: { y: { kind: "rounding", length: k, inner: T, scale: 400 } },
  };
}

const weightsCases = [
  ...withOrders(weightsCase("u4", "f16", 7, 50, 160)),
  ...withOrders(weightsCase("u4", "f32", 18, 21, 96)),
  ...withOrders(weightsCase("nf4", "bf16", 16, 64, 128), ORDERS.slice(0, 2)),
  ...withOrders(weightsCase("i8", "f16", 33, 40, 64), ORDERS.slice(0, 3)),
  ...withOrders(weightsCase("f8e4m3", "bf16", 1, 32, 64), ORDERS.slice(0, 1)),
];

const expertCases = (["f16", "bf16"] as const).flatMap((T) =>
  withOrders(
    {
      name: `40 × 19 × 96, ${T}`,
      kernel: experts,
      dtypes: { T },
      tensors: {
        x: randomTensorOf(T, [40, 96], 14),
        w: randomTensorOf("f4e2m1", [5, 19, 96], 15),
        s: tensorOf("f8e8m0", [5, 19, 3], (i) => 2 ** ((i % 5) - 4)),
        expert: tensorOf("i32", [3], [4, 0, 2]),
        y: outputOf(T, [40, 19]),
      },
      tolerance: { y: { kind: "rounding", length: 96, inner: T, scale: 400 } },
    },
    [
      ["in the orders that are chosen", "chosen"],
      ["in given ones", { w: TALL, s: ODD }],
    ],
  ),
);

const plainCases = (["f32", "f16"] as const).flatMap((T) =>
  withOrders(
    {
      name: `35 × 50 × 72, ${T}`,
      kernel: plain,
      dtypes: { T },
      tensors: {
        x: randomTensorOf(T, [35, 72], 16),
        w: randomTensorOf(T, [50, 72], 17),
        y: outputOf("f32", [35, 50]),
      },
      tolerance: { y: { kind: "rounding", length: 72, scale: 100 } },
    },
    T === "f16" ? ORDERS : ORDERS.slice(0, 3),
  ),
);

const tableCases = (["u4", "i8"] as const).flatMap((W) =>
  withOrders({
    name: `11 of 23 × 45, ${W}`,
    kernel: table,
    dtypes: { W },
    tensors: {
      w: randomTensorOf(W, [23, 45], 18),
      rows: tensorOf("i32", [11], [0, 22, 5, 5, -1, 7, 21, 3, 11, 2, 19]),
      s: tensorOf("f32", [23], (i) => 0.5 + i / 16),
      y: outputOf("f32", [11, 45]),
    },
  }),
);

export const packedCases = defineCases("packed", [
  ...weightsCases,
  ...expertCases,
  ...plainCases,
  ...tableCases,
]);
