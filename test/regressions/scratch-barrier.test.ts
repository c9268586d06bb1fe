/** [test/regressions] The barrier inside of an exchange through scratch orders what comes before and behind it: a check of the protocol once overlooked it. */
import { expect, it } from "vitest";
import { compile } from "../../codegen/index.ts";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import { attention } from "../../dsl/kernels/catalogue.ts";

it.each([
  [64, 64],
  [64, 128],
])("compiles attention of %i × %i, whose output reuses the bytes of keys", (BM, BN) => {
  const { remarks } = compile(attention, {
    specialization: { dtypes: { T: "bf16" }, config: { BM, BN }, dims: { D: 128, DV: 128 } },
    target: cudaSpec("sm_80"),
  });
  expect(remarks.some(({ message }) => message.includes("the protocol holds"))).toBe(true);
});
