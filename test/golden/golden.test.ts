/** [test/golden] The text of every kernel for every target, as files that show what a change of the compiler does to it. */
import { describe, expect, it } from "vitest";
import { compile } from "../../codegen/compile.ts";
import { cuda } from "../../codegen/targets/cuda/target.ts";
import { hip } from "../../codegen/targets/hip/target.ts";
import { wgsl } from "../../codegen/targets/wgsl/target.ts";
import { conformanceCases } from "../../runtime/conformance/catalogue.ts";
import {
  type CatalogueCase,
  compileCase,
  goldenCases,
  ordersPrograms,
  wgslSpec,
} from "../support/catalogue-texts.ts";

/** Lines that move when the kernel's source moves, and the prelude, which has tests of its own. */
function comparable(text: string): string {
  return text
    .replace(/^#ifndef TW_PRELUDE\n[^]*\n#endif\n/m, "")
    .replaceAll(/^ *\/\/ [\w.-]+\.ts:\d+\n/gm, "");
}

const [{ kernel: PACKED } = { kernel: undefined }] = conformanceCases({
  groups: ["packed"],
  filter: ({ kernel }) => kernel.name === "packed_weights",
});
if (PACKED === undefined) throw new Error("the conformance suite has no packed_weights");

const TARGETS = [
  { target: cuda, spec: cuda.defaultSpec("sm_80") },
  { target: hip, spec: hip.defaultSpec("gfx90a") },
  { target: wgsl, spec: wgslSpec(1) },
] as const;

describe.each(TARGETS)("$target.title", ({ target, spec }) => {
  const isRefused = (one: CatalogueCase): boolean => target === wgsl && ordersPrograms(one);

  it.each(goldenCases().filter((one) => !isRefused(one)))("text of $id", async (one) => {
    const { text } = compileCase(one, spec);
    const file = `./${target.name}/${one.entry.kernel.name}.${target.extension}`;
    await expect(comparable(text)).toMatchFileSnapshot(file);
  });

  it("refuses by name what needs an order between programs, where the target has none", () => {
    for (const one of goldenCases().filter(isRefused))
      expect(() => compileCase(one, spec)).toThrow(/TW2310.*no memory order between programs/);
  });

  it("text of a product with packed weights", async () => {
    const { text } = compile(PACKED, {
      specialization: { dtypes: { W: "u4", T: "f16" } },
      target: spec,
      divisibility: { M: 1, N: 16, K: 16, KG: 4 },
    });
    const file = `./${target.name}/${PACKED.name}.${target.extension}`;
    await expect(comparable(text)).toMatchFileSnapshot(file);
  });

  it.each(goldenCases().slice(0, 3))("text of $id is the same each time", (one) => {
    expect(compileCase(one, spec).text).toBe(compileCase(one, spec).text);
  });
});
