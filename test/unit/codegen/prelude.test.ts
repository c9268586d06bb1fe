/** [test/unit/codegen] The preludes hold what their table says, and a text gets just the functions that it needs, in order. */
import { describe, expect, it } from "vitest";
import { type PreludeLibrary, preludeNamesIn } from "../../../codegen/c-family/assemble-prelude.ts";
import { readCudaPrelude } from "../../../codegen/targets/cuda/prelude.ts";
import {
  CUDA_PRELUDE_MACROS,
  CUDA_PRELUDE_TYPES,
  PRELUDE_MACROS,
  PRELUDE_RESERVED,
  PRELUDE_TYPES,
} from "../../../codegen/targets/cuda/prelude-abi.ts";
import { PRELUDE_NAMES } from "../../../codegen/targets/cuda/prelude-names.ts";
import { readHipPrelude } from "../../../codegen/targets/hip/prelude.ts";

const cuda = readCudaPrelude();
const hip = readHipPrelude();
const cudaNames = [...PRELUDE_NAMES].filter(([, name]) => name.cuda !== false).map(([key]) => key);
const hipNames = [...PRELUDE_NAMES].filter(([, name]) => name.hip !== false).map(([key]) => key);

/** Names of a library that are not internal: those do not end in an underscore. */
function publicNames(library: PreludeLibrary): readonly string[] {
  return library.names.filter((name) => name.startsWith("tw_") && !name.endsWith("_")).sort();
}

const types = PRELUDE_TYPES.filter((name) => name.startsWith("tw_"));

describe("prelude", () => {
  it("defines in CUDA exactly those that are not marked absent", () => {
    expect(publicNames(cuda)).toEqual([...cudaNames, ...types, ...CUDA_PRELUDE_TYPES].sort());
  });

  it("defines in HIP exactly those that are not marked absent", () => {
    expect(publicNames(hip)).toEqual([...hipNames, ...types].sort());
  });

  it.each([
    ["CUDA", cuda],
    ["HIP", hip],
  ])("reserves every type and macro of %s", (_, library) => {
    const others = library.names.filter((name) => !/^(tw_|TW_|__)/.test(name));
    expect(others.filter((name) => !PRELUDE_RESERVED.includes(name))).toEqual([]);
    for (const macro of PRELUDE_MACROS) expect(library.names).toContain(macro);
    for (const macro of CUDA_PRELUDE_MACROS)
      expect(library.names.includes(macro)).toBe(library === cuda);
  });

  const everyName: readonly (readonly [string, PreludeLibrary, string])[] = [
    ...cudaNames.map((name) => ["CUDA", cuda, name] as const),
    ...hipNames.map((name) => ["HIP", hip, name] as const),
  ];
  it("gives each name whatever it needs, defined before its use", () => {
    const wrong = everyName.flatMap(([target, library, name]) => {
      const lines = library.assemble([name]).split("\n");
      return library.names.flatMap((other) => {
        const word = new RegExp(`\\b${other}\\b`);
        const first = lines.findIndex((line) => word.test(line));
        const isDefinition = (line: string): boolean =>
          new RegExp(
            `(TW_DEV .*\\b${other}\\(|^typedef .*\\b${other};|^#define ${other}\\b|struct .*\\b${other} \\{|^extern |^#ifndef )`,
          ).test(line);
        return first < 0 || isDefinition(lines[first] ?? "") || lines[first]?.startsWith("//")
          ? []
          : [`${target} ${name}: ${other} first in: ${lines[first]}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it("leaves out what a text does not need", () => {
    const text = cuda.assemble(["tw_tid", "tw_ldg", "tw_stg"]);
    expect(preludeNamesIn(text).filter((name) => name.startsWith("tw_"))).toEqual([
      "tw_tid",
      "tw_ldg",
      "tw_same_",
      "tw_stg",
    ]);
  });

  it("does not depend on the order or repetition of the names", () => {
    const names = ["tw_stg", "tw_f32_to_f8e4m3", "tw_tid", "tw_u32x4"];
    expect(cuda.assemble([...names, ...names].reverse())).toBe(cuda.assemble(names));
  });

  it("stands under TW_PRELUDE, so that a host may bring its own", () => {
    const text = cuda.assemble(["tw_tid"]);
    expect(text.startsWith("#ifndef TW_PRELUDE\n#define TW_PRELUDE\n")).toBe(true);
    expect(text.endsWith("#endif\n")).toBe(true);
  });

  it("refuses a name that no file defines", () => {
    expect(() => cuda.assemble(["tw_nothing"])).toThrow(/tw_nothing/);
    expect(() => hip.assemble(["tw_mma_m16n8k16_f32_f16"])).toThrow(/tw_mma/);
  });

  it("needs no include", () => {
    expect(cuda.assemble(cuda.names)).not.toMatch(/#include/);
    expect(hip.assemble(hip.names)).not.toMatch(/#include/);
  });

  it("finds the names that a text mentions, once each", () => {
    expect(
      preludeNamesIn("TW_KERNEL(32) k() { tw_stg<u32>(p, tw_tid()); tw_stg<u32>(q, xtw_tid); }"),
    ).toEqual(["TW_KERNEL", "tw_stg", "tw_tid"]);
  });
});
