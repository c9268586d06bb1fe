/** [test/unit/codegen/protocol] The kernels of the catalogue and the conformance suite that pipeline keep their protocol, and nothing of it stays unchecked. */
import { describe, expect, it } from "vitest";
import { compile } from "../../../../codegen/compile.ts";
import { cudaSpec } from "../../../../codegen/targets/cuda/features.ts";
import { conformanceCases } from "../../../../runtime/conformance/catalogue.ts";
import { compileCase, usualCases } from "../../../support/catalogue-texts.ts";

const PIPELINED = usualCases().filter(({ problem, entry }) => {
  const stages = problem.config?.["stages"] ?? entry.kernel.config["stages"];
  return typeof stages === "number" && stages > 1;
});

function remarksOf(remarks: readonly { readonly pass: string; readonly message: string }[]) {
  return remarks.filter(({ pass }) => pass === "check-protocol").map(({ message }) => message);
}

/** A loop of constant bounds makes one number of trips. */
const HOLDS = /^the protocol holds for (0 to )?\d+ trips(, 0 to 3 programs a block)?$/;

describe("pipelined kernels", () => {
  it("are some of the catalogue", () => {
    expect(PIPELINED.length).toBeGreaterThan(8);
  });

  it.each(PIPELINED)("$id keeps its protocol on sm_90a and sm_80", (one) => {
    for (const arch of ["sm_90a", "sm_80"]) {
      const found = remarksOf(compileCase(one, cudaSpec(arch)).remarks);
      for (const message of found) expect(message).toMatch(HOLDS);
    }
  });

  const cases = conformanceCases({ groups: ["pipelined"] });

  it.each(cases)("$name keeps its protocol by roles", ({ kernel, specialization }) => {
    const divisibility = { M: 16, N: 16, K: 16 };
    const request = { specialization, target: cudaSpec("sm_90a"), divisibility };
    const { remarks, persistent } = compile(kernel, request);
    const found = remarksOf(remarks);
    expect(found.length).toBeGreaterThan(0);
    for (const message of found) expect(message).toMatch(HOLDS);
    expect(found.some((m) => m.includes("programs"))).toBe(persistent !== undefined);
  });
});
