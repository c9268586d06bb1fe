/** [runtime/conformance] Products in loops of several stages, in the tile sizes that architectures with warp roles take: more programs than blocks, ragged edges, loops of no trip to many. */
import {
  argmax,
  cast,
  cdiv,
  type DType,
  dot,
  inout,
  kernel,
  load,
  out,
  pid,
  range,
  scalar,
  span,
  store,
  sum,
  swizzle2d,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, randomTensorOf } from "./case.ts";
import { scheduleCases } from "./pipelined-schedules.ts";

/** x · wᵀ + 1, over a grid of two axes. */
const planes = kernel(
  {
    name: "pipelined_planes",
    dtypes: { T: ["f16", "bf16"], O: ["f32", "f16", "bf16"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("O", "M", "N") },
    config: { BM: 64, BN: 64, BK: 64, stages: 3 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K, O }, { BM, BN, BK, stages }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pid(1), BM), span(k, BK)]);
      acc = dot(a, load(w, [tile(pid(0), BN), span(k, BK)]), acc);
    }
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], cast(acc + 1, O));
  },
);

/** x · wᵀ of 8-bit floats. */
const floats8 = kernel(
  {
    name: "pipelined_floats8",
    dtypes: { T: ["f8e4m3", "f8e5m2"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 64, BN: 64, BK: 128, stages: 3 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K }, { BM, BN, BK, stages }) => {
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pid(1), BM), span(k, BK)]);
      acc = dot(a, load(w, [tile(pid(0), BN), span(k, BK)]), acc);
    }
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], acc);
  },
);

/** x · wᵀ of bytes. */
const integers = kernel(
  {
    name: "pipelined_integers",
    dtypes: { T: ["i8"] },
    params: { x: tensor("T", "M", "K"), w: tensor("T", "N", "K"), y: out("i32", "M", "N") },
    config: { BM: 64, BN: 64, BK: 128, stages: 3 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K }, { BM, BN, BK, stages }) => {
    let acc: number = zeros("i32", BM, BN);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [tile(pid(1), BM), span(k, BK)]);
      acc = dot(a, load(w, [tile(pid(0), BN), span(k, BK)]), acc);
    }
    store(y, [tile(pid(1), BM), tile(pid(0), BN)], acc);
  },
);

/** A product for each batch, walked in groups of row blocks; K as a scalar, so that the number of trips is the launch's. */
const batches = kernel(
  {
    name: "pipelined_batches",
    dtypes: { T: ["f16", "bf16"] },
    params: {
      x: tensor("T", "B", "M", "K"),
      w: tensor("T", "B", "N", "K"),
      y: out("T", "B", "M", "N"),
      length: scalar("i32"),
    },
    config: { BM: 64, BN: 32, BK: 32, stages: 2 },
    grid: ({ B, M, N }, { BM, BN }) => [cdiv(M, BM) * cdiv(N, BN), B],
  },
  ({ x, w, y, M, N, T, length }, { BM, BN, BK, stages }) => {
    const [pm, pn] = swizzle2d(pid(0), cdiv(M, BM), cdiv(N, BN), 2);
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, length, BK, { stages })) {
      const a = load(x, [pid(1), tile(pm, BM), span(k, BK)]);
      acc = dot(a, load(w, [pid(1), tile(pn, BN), span(k, BK)]), acc);
    }
    store(y, [pid(1), tile(pm, BM), tile(pn, BN)], cast(acc, T));
  },
);

/** An operand of the last trip is needed after the loop, so no ring of copies can hold it alone. */
const carried = kernel(
  {
    name: "pipelined_carried",
    params: {
      x: tensor("bf16", "M", "K"),
      w: tensor("bf16", "N", "K"),
      y: out("f32", "M", "N"),
      last: out("bf16", "M", "S"),
    },
    config: { BM: 64, BN: 32, BK: 32, stages: 3 },
    grid: ({ M }, { BM }) => cdiv(M, BM),
  },
  ({ x, w, y, last, K }, { BM, BN, BK, stages }) => {
    const rows = tile(pid(0), BM);
    let acc = zeros("f32", BM, BN);
    let tail = zeros("bf16", BM, BK);
    for (const k of range(0, K, BK, { stages })) {
      const a = load(x, [rows, span(k, BK)]);
      acc = dot(a, load(w, [tile(0, BN), span(k, BK)]), acc);
      tail = a;
    }
    store(y, [rows, tile(0, BN)], acc);
    store(last, [rows, tile(0, BK)], tail);
  },
);

/** What was stored is read again, changed and stored once more. */
const again = kernel(
  {
    name: "pipelined_again",
    params: {
      x: tensor("bf16", "M", "K"),
      w: tensor("bf16", "N", "K"),
      y: inout("bf16", "M", "N"),
    },
    config: { BM: 64, BN: 64, BK: 64, stages: 3 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, y, K }, { BM, BN, BK, stages }) => {
    const [rows, columns] = [tile(pid(1), BM), tile(pid(0), BN)];
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages }))
      acc = dot(load(x, [rows, span(k, BK)]), load(w, [columns, span(k, BK)]), acc);
    store(y, [rows, columns], cast(acc, "bf16"));
    const stored = cast(load(y, [rows, columns]), "f32");
    store(y, [rows, columns], cast(stored * 2, "bf16"));
  },
);

/** Sums of each block's columns and the row where each is the largest, which all warps of it find out together. */
const columnwise = kernel(
  {
    name: "pipelined_columnwise",
    params: {
      x: tensor("bf16", "M", "K"),
      w: tensor("bf16", "N", "K"),
      scale: tensor("f32", "M", "N"),
      total: out("f32", "MB", "N"),
      best: out("i32", "MB", "N"),
    },
    config: { BM: 192, BN: 64, BK: 64, stages: 2 },
    grid: ({ M, N }, { BM, BN }) => [cdiv(N, BN), cdiv(M, BM)],
  },
  ({ x, w, scale, total, best, K }, { BM, BN, BK, stages }) => {
    const [rows, columns] = [tile(pid(1), BM), tile(pid(0), BN)];
    let acc = zeros("f32", BM, BN);
    for (const k of range(0, K, BK, { stages }))
      acc = dot(load(x, [rows, span(k, BK)]), load(w, [columns, span(k, BK)]), acc);
    const scaled = acc * load(scale, [rows, columns]);
    store(total, [pid(1), columns], sum(scaled, "BM"));
    store(best, [pid(1), columns], argmax(scaled, "BM"));
  },
);

type Config = Readonly<Record<string, number>>;

function planesCase(
  config: Config,
  [m, n, k]: readonly [number, number, number],
  [T, O]: readonly [DType, DType],
): CaseSpec {
  const { BM, BN, BK, stages, cluster } = config;
  const clusters = cluster === undefined ? "" : ", in clusters";
  return {
    name: `${m} × ${n} × ${k} in ${BM} × ${BN} × ${BK}, ${stages} stages, ${T} to ${O}${clusters}`,
    kernel: planes,
    dtypes: { T, O },
    config,
    tensors: {
      x: randomTensorOf(T, [m, k], 11),
      w: randomTensorOf(T, [n, k], 12),
      y: outputOf(O, [m, n]),
    },
    tolerance: { y: { kind: "rounding", length: k + 1, inner: O, scale: k } },
  };
}

const HALVES: readonly (readonly [DType, DType])[] = [
  ["bf16", "bf16"],
  ["f16", "f16"],
  ["bf16", "f32"],
];

const planesCases: readonly CaseSpec[] = [
  planesCase({ BM: 64, BN: 8, BK: 64, stages: 4 }, [577, 121, 80], ["bf16", "f32"]),
  planesCase({ BM: 64, BN: 16, BK: 16, stages: 3 }, [600, 264, 48], ["f16", "f16"]),
  ...HALVES.map((dtypes) =>
    planesCase({ BM: 128, BN: 64, BK: 32, stages: 3 }, [257, 72, 200], dtypes),
  ),
  ...HALVES.map((dtypes) =>
    planesCase({ BM: 64, BN: 64, BK: 64, stages: 2 }, [65, 136, 328], dtypes),
  ),
  planesCase({ BM: 16, BN: 32, BK: 64, stages: 4 }, [37, 72, 328], ["bf16", "bf16"]),
  planesCase({ BM: 32, BN: 48, BK: 64, stages: 3 }, [33, 200, 136], ["f16", "f32"]),
  planesCase({ BM: 128, BN: 256, BK: 64, stages: 4 }, [129, 264, 392], ["bf16", "bf16"]),
  planesCase({ BM: 256, BN: 128, BK: 64, stages: 3 }, [300, 136, 136], ["f16", "f16"]),
  planesCase({ BM: 192, BN: 96, BK: 64, stages: 3 }, [193, 104, 72], ["bf16", "bf16"]),
  planesCase({ BM: 128, BN: 192, BK: 64, stages: 5 }, [7, 200, 648], ["bf16", "bf16"]),
  // Three warpgroups: whole tiles and ragged edges, several products and one, operands traded, pairs of blocks, rows past the end.
  planesCase({ BM: 192, BN: 128, BK: 64, stages: 3 }, [400, 264, 200], ["bf16", "bf16"]),
  planesCase({ BM: 192, BN: 192, BK: 64, stages: 2 }, [192, 392, 136], ["f16", "f32"]),
  planesCase({ BM: 192, BN: 160, BK: 32, stages: 2, cluster: 2 }, [577, 200, 72], ["bf16", "bf16"]),
  // Few rows: the operands are swapped; tiles of 8 columns two by two, one left over, several products a warpgroup.
  planesCase({ BM: 8, BN: 64, BK: 64, stages: 3 }, [5, 328, 200], ["bf16", "bf16"]),
  planesCase({ BM: 16, BN: 128, BK: 64, stages: 3 }, [37, 264, 136], ["f16", "f16"]),
  planesCase({ BM: 24, BN: 256, BK: 32, stages: 3 }, [50, 520, 104], ["bf16", "bf16"]),
  planesCase({ BM: 56, BN: 192, BK: 64, stages: 3 }, [57, 200, 72], ["bf16", "f32"]),
  // Rows of several boxes.
  planesCase({ BM: 16, BN: 64, BK: 256, stages: 2 }, [17, 200, 648], ["bf16", "bf16"]),
  planesCase({ BM: 128, BN: 96, BK: 128, stages: 2 }, [130, 200, 200], ["f16", "f16"]),
  planesCase({ BM: 32, BN: 64, BK: 128, stages: 2, cluster: 2 }, [65, 264, 392], ["bf16", "bf16"]),
  // Clusters whose boxes are smaller than the slot that they lie in.
  planesCase({ BM: 16, BN: 64, BK: 16, stages: 3, cluster: 2 }, [33, 200, 72], ["f16", "f16"]),
  // Clusters: an odd number of programs, rows of programs that a pair straddles, one program.
  planesCase({ BM: 64, BN: 64, BK: 64, stages: 3, cluster: 2 }, [321, 200, 264], ["bf16", "bf16"]),
  planesCase({ BM: 64, BN: 64, BK: 32, stages: 2, cluster: 2 }, [321, 168, 96], ["f16", "f32"]),
  planesCase({ BM: 128, BN: 64, BK: 64, stages: 4, cluster: 2 }, [100, 56, 648], ["bf16", "bf16"]),
  planesCase({ BM: 128, BN: 64, BK: 64, stages: 2, cluster: 2 }, [640, 840, 72], ["bf16", "bf16"]),
  planesCase(
    { BM: 256, BN: 208, BK: 64, stages: 3, cluster: 2 },
    [300, 424, 200],
    ["bf16", "bf16"],
  ),
  planesCase({ BM: 64, BN: 64, BK: 64, stages: 3 }, [1, 8, 8], ["bf16", "bf16"]),
  planesCase({ BM: 64, BN: 64, BK: 64, stages: 3 }, [64, 8, 0], ["bf16", "bf16"]),
  // Rows of an odd number of elements: no box can be made of them.
  planesCase({ BM: 64, BN: 64, BK: 64, stages: 3 }, [65, 67, 129], ["bf16", "bf16"]),
];

const byteCases: readonly CaseSpec[] = (["f8e4m3", "f8e5m2", "i8"] as const).flatMap((T) =>
  [
    { config: { BM: 64, BN: 64, BK: 128, stages: 3 }, m: 65, n: 80, k: 400 },
    { config: { BM: 128, BN: 128, BK: 64, stages: 2 }, m: 129, n: 264, k: 48 },
    { config: { BM: 128, BN: 16, BK: 32, stages: 4 }, m: 200, n: 24, k: 96 },
    { config: { BM: 16, BN: 128, BK: 256, stages: 2 }, m: 33, n: 136, k: 528 },
  ].map(({ config, m, n, k }): CaseSpec => {
    const S = T === "i8" ? "i32" : "f32";
    return {
      name: `${m} × ${n} × ${k} in ${config.BM} × ${config.BN} × ${config.BK}, ${T}`,
      kernel: T === "i8" ? integers : floats8,
      dtypes: { T },
      config,
      tensors: {
        x: randomTensorOf(T, [m, k], 15),
        w: randomTensorOf(T, [n, k], 16),
        y: outputOf(S, [m, n]),
      },
      ...(T === "i8"
        ? {}
        : { tolerance: { y: { kind: "rounding", length: k, inner: "f16", scale: k } } as const }),
    };
  }),
);

const batchCases: readonly CaseSpec[] = [
  ...[0, 1, 32, 64, 96, 160].map((length) => [length, 1] as const),
  [0, 2] as const,
  [96, 2] as const,
].map(([length, cluster]) => ({
  name: `3 × 70 × 40, ${length} of 160${cluster === 1 ? "" : ", in clusters"}`,
  kernel: batches,
  config: { cluster },
  dtypes: { T: "bf16" },
  tensors: {
    x: randomTensorOf("bf16", [3, 70, 160], 13),
    w: randomTensorOf("bf16", [3, 40, 160], 14),
    y: outputOf("bf16", [3, 70, 40]),
  },
  scalars: { length },
  tolerance: { y: { kind: "rounding", length: 160, inner: "bf16", scale: 160 } },
}));

const orderCases: readonly CaseSpec[] = [
  {
    name: "390 × 72 × 136",
    kernel: columnwise,
    tensors: {
      x: randomTensorOf("bf16", [390, 136], 21),
      w: randomTensorOf("bf16", [72, 136], 22),
      scale: randomTensorOf("f32", [390, 72], 23),
      total: outputOf("f32", [3, 72]),
      best: outputOf("i32", [3, 72]),
    },
    tolerance: { total: { kind: "rounding", length: 192 * 136, scale: 192 * 136 } },
  },
  {
    name: "130 × 32 × 96",
    kernel: carried,
    tensors: {
      x: randomTensorOf("bf16", [130, 96], 17),
      w: randomTensorOf("bf16", [32, 96], 18),
      y: outputOf("f32", [130, 32]),
      last: outputOf("bf16", [130, 32]),
    },
    tolerance: { y: { kind: "rounding", length: 96, inner: "bf16", scale: 96 } },
  },
  ...[64, 192].map((BM): CaseSpec => {
    return {
      name: `130 × 136 × 192${BM === 64 ? "" : `, ${BM} rows a block`}`,
      kernel: again,
      config: { BM },
      tensors: {
        x: randomTensorOf("bf16", [130, 192], 19),
        w: randomTensorOf("bf16", [136, 192], 20),
        y: outputOf("bf16", [130, 136]),
      },
      tolerance: { y: { kind: "rounding", length: 192, inner: "bf16", scale: 384 } },
    };
  }),
];

export const pipelinedCases = defineCases("pipelined", [
  ...planesCases,
  ...byteCases,
  ...batchCases,
  ...orderCases,
  ...scheduleCases,
]);
