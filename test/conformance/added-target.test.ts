/**
 * [test/conformance] The suite on a target that is not in the catalogue: that of example 10, which makes JavaScript. Left out: groups whose
 * every case has a narrow dtype, all but one sample of each kernel, and cases of narrow dtypes, which the target refuses by name.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerTarget, TARGETS, targetNamed, targetNames } from "../../codegen/index.ts";
import { KERNEL_ENTRIES } from "../../dsl/kernels/catalogue.ts";
import { JavaScriptBackend } from "../../examples/10-javascript/driver.ts";
import { javascript } from "../../examples/10-javascript/target.ts";
import { type ConformanceCase, conformanceCases } from "../../runtime/conformance/catalogue.ts";
import { CoreDevice } from "../../runtime/index.ts";
import { conformsTo } from "../support/conformance.ts";

/** No narrow dtypes, no more shared memory than the spec says, no tile that 32 threads cannot hold, no order between programs. */
const REFUSED = [/TW2301: the JavaScript target has no /, /TW2001/, /TW2305/, /TW2309/, /TW2310/];
const GROUPS = [
  "memory",
  "control-flow",
  "numerics",
  "integers",
  "reductions",
  "dot",
  "gather",
  "odd-shapes",
  "kernels",
] as const;
const NARROW = /\b(f16|bf16|f8e\w+|f4e2m1|nf4|[iu]8|[iu]4)\b/;
const wide = conformanceCases({ groups: GROUPS }).filter(({ name }) => !NARROW.test(name));
/** The second sample of each kernel: the first is often one without rows. */
const samples = new Set(
  KERNEL_ENTRIES.flatMap(({ kernel }) => {
    const own = wide.filter((one) => one.group === "kernels" && one.kernel === kernel);
    return own[1]?.name ?? own[0]?.name ?? [];
  }),
);
const isTurn = ({ group, name }: ConformanceCase): boolean =>
  !NARROW.test(name) && (group !== "kernels" || samples.has(name));

beforeAll(() => registerTarget(javascript));

describe("conformance of an added target", () => {
  const device = new CoreDevice(new JavaScriptBackend());
  afterAll(() => device.close());
  conformsTo(() => device, { groups: GROUPS, filter: isTurn, unsupported: REFUSED });
});

describe("targets by name", () => {
  it("are those of the catalogue and those that were added, once each", () => {
    registerTarget(javascript);
    expect(targetNames()).toEqual([...Object.keys(TARGETS), "javascript"]);
    expect(targetNamed("javascript")).toBe(javascript);
    expect(targetNamed("cuda")).toBe(TARGETS.cuda);
  });

  it("are refused where another has the name, or it is none", () => {
    for (const name of ["cuda", "javascript", "Java Script"])
      expect(() => registerTarget({ ...javascript, name }), name).toThrow(/TW2307/);
    expect(() => targetNamed("toString")).toThrow(/TW2308/);
  });
});
