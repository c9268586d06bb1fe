/** [runtime/conformance] Programs that arrive at counters: the last one puts together what the others stored, whichever it is. */
import {
  all,
  cdiv,
  inout,
  kernel,
  lastArrival,
  load,
  mod,
  out,
  pid,
  range,
  span,
  store,
  sum,
  tensor,
  tile,
  zeros,
} from "../../dsl/index.ts";
import { type CaseSpec, defineCases, outputOf, tensorOf } from "./case.ts";

/** Sums of columns in two steps: of rows by all programs of a column block, of these by the last of them, in the order of the rows. */
const columns = kernel(
  {
    name: "column_sums",
    dtypes: { T: ["f32", "i32"] },
    params: {
      x: tensor("T", "M", "N"),
      parts: inout("T", "P", "N"),
      arrived: inout("i32", "C"),
      y: out("T", "N"),
    },
    config: { BM: 8, BN: 64, BP: 4, warps: 4 },
    grid: ({ N, P }, { BN }) => [cdiv(N, BN), P],
  },
  ({ x, parts, arrived, y, P, T }, { BM, BN, BP }) => {
    const [c, p] = [pid(0), pid(1)];
    store(parts, [p, tile(c, BN)], sum(load(x, [tile(p, BM), tile(c, BN)]), "BM"));
    if (lastArrival(arrived, [c], P)) {
      let total = zeros(T, BN);
      for (const i of range(0, P, BP))
        total = total + sum(load(parts, [span(i, BP, P), tile(c, BN)]), "BP");
      store(y, [tile(c, BN)], total);
    }
  },
);

/** Each program arrives at several counters, a different number of programs at each; parts of one element. */
const rounds = kernel(
  {
    name: "arrivals_in_turn",
    params: {
      parts: inout("i32", "P", "R"),
      arrived: inout("i32", "R"),
      last: out("i32", "R"),
    },
    specialize: ["P"],
    grid: ({ P }) => P,
  },
  ({ parts, arrived, last, P, R }) => {
    const p = pid(0);
    for (const r of range(0, R)) {
      const expected = P - mod(r, 3);
      if (p < expected) {
        store(parts, [p, r], (p + 1) * (r + 1));
        if (lastArrival(arrived, [r], expected))
          store(last, [r], sum(load(parts, [all(P), r], { limit: expected }), "P"));
      }
    }
  },
);

const columnCase = (T: "f32" | "i32", m: number, n: number): CaseSpec => {
  const [parts, blocks] = [Math.ceil(m / 8), Math.ceil(n / 64)];
  return {
    name: `${m} rows of ${n}, ${T}`,
    kernel: columns,
    dtypes: { T },
    tensors: {
      // f32 holds their sums exactly, in any order.
      x: tensorOf(T, [m, n], (i) => ((i * 37) % 31) - 15),
      parts: outputOf(T, [parts, n]),
      arrived: tensorOf("i32", [blocks], 0),
      y: outputOf(T, [n]),
    },
  };
};

export const arrivalCases = defineCases("arrivals", [
  columnCase("f32", 8, 40),
  columnCase("f32", 61, 130),
  columnCase("i32", 300, 64),
  ...[3, 17].map((p) => ({
    name: `${p} programs`,
    kernel: rounds,
    tensors: {
      parts: outputOf("i32", [p, 7]),
      arrived: tensorOf("i32", [7], 0),
      last: outputOf("i32", [7]),
    },
  })),
]);
