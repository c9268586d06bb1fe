/** [test/unit/codegen] Loops of two dots that look like attention and are none: they compile for sm_90a without roles, with the reason. */
import { expect, it } from "vitest";
import { compile } from "../../../../codegen/index.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import {
  all,
  cast,
  dot,
  kernel,
  load,
  max,
  out,
  pid,
  range,
  span,
  store,
  sum,
  tensor,
  zeros,
} from "../../../../dsl/index.ts";

const PARAMS = {
  q: tensor("bf16", "L", "D"),
  k: tensor("bf16", "LK", "D"),
  v: tensor("bf16", "LK", "D"),
  o: out("f32", "L", "D"),
} as const;
const CONFIG = { BM: 64, BN: 64, stages: 2 } as const;
const dims = { D: 64 };

/** What is multiplied depends on the sum of the trip before. */
const fedBack = kernel(
  { name: "fed_back", params: PARAMS, config: CONFIG, specialize: ["D"], grid: ({ L }) => L },
  ({ q, k, v, o, LK, D }, { BM, BN, stages }) => {
    const rows = span(pid(0) * BM, BM);
    const qt = load(q, [rows, all(D)]);
    let acc = zeros("f32", BM, D);
    for (const n of range(0, LK, BN, { stages })) {
      const s = dot(qt, load(k, [span(n, BN), all(D)]));
      const p = cast(s * max(acc, "D"), "bf16");
      acc = dot(p, load(v, [span(n, BN), all(D)]), acc);
    }
    store(o, [rows, all(D)], acc);
  },
);

/** The sum of a trip is read in that trip. */
const readAtOnce = kernel(
  { name: "read_at_once", params: PARAMS, config: CONFIG, specialize: ["D"], grid: ({ L }) => L },
  ({ q, k, v, o, LK, D }, { BM, BN, stages }) => {
    const rows = span(pid(0) * BM, BM);
    const qt = load(q, [rows, all(D)]);
    let acc = zeros("f32", BM, D);
    let total = zeros("f32", BM);
    for (const n of range(0, LK, BN, { stages })) {
      const p = cast(dot(qt, load(k, [span(n, BN), all(D)])), "bf16");
      acc = dot(p, load(v, [span(n, BN), all(D)]), acc);
      total = total + sum(acc, "D");
    }
    store(o, [rows, all(D)], acc + total);
  },
);

it.each([
  { definition: fedBack, reason: "the second dot multiplies what its own sum makes" },
  { definition: readAtOnce, reason: "the sum of the second dot is read in its own trip" },
])("compiles where $reason", ({ definition, reason }) => {
  const { remarks } = compile(definition, {
    specialization: { dtypes: {}, config: CONFIG, dims },
    target: cudaSpec("sm_90a"),
  });
  expect(remarks.map(({ message }) => message).join("\n")).toContain(reason);
});
