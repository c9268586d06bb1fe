/** [test/fuzz] The generator covers the language and repeats itself by seed; a planted miscompile is found and shrunk to a few lines. */
import { describe, expect, it } from "vitest";
import { cudaSpec } from "../../codegen/targets/cuda/features.ts";
import type { Loadable, LoadedKernel } from "../../runtime/backend.ts";
import { CoreDevice } from "../../runtime/device-core.ts";
import { EmulatedBackend } from "../support/emulated-backend.ts";
import { openEmulation } from "../support/emulation.ts";
import { formatFailure, kindOf, runPrograms, shrinkFailure } from "./campaign.ts";
import { randomProgram } from "./generate.ts";
import { sourceOf } from "./program.ts";
import { added, approximated, multiplied, rangeIn, summed, within } from "./ranges.ts";

const SEEDS = Array.from({ length: 200 }, (_, i) => i + 1);
const WORDS = [
  ...["argmax", "argmin", "atomicAdd", "bitcast", "broadcast", "cast", "cummax", "cumsum", "dot"],
  ...["every", "exp", "floordiv", "gather", "iota", "mask:", "max", "maximum", "merge", "mod"],
  ...["mulhi", "range", "rename", "round", "some", "split", "sqrt", "sum", "where", "if", "fill:"],
  ...["while", "bounded", "topK", "dequant", "packed", "group:", "zero:", "atomicMax", "atomicMin"],
  ...[
    "nf4",
    "u4",
    "f4e2m1",
    "f16",
    "bf16",
    "f8e4m3",
    "f8e5m2",
    "i32",
    "u32",
    "i8",
    "u8",
    "bool",
    "stages",
    "n",
  ],
];

/** Emulated CUDA whose compiler is wrong in one op. */
class WrongBackend extends EmulatedBackend {
  readonly #wrong: (text: string) => string;

  constructor(
    ...[emulation, options, wrong]: [
      ...ConstructorParameters<typeof EmulatedBackend>,
      (text: string) => string,
    ]
  ) {
    super(emulation, options);
    this.#wrong = wrong;
  }

  override load(what: Loadable): ReturnType<EmulatedBackend["load"]> & LoadedKernel {
    if (what.kind !== "text") return super.load(what);
    const text = this.#wrong(what.artifact.text);
    const hash = text === what.artifact.text ? what.artifact.hash : `${what.artifact.hash}-wrong`;
    return super.load({ ...what, artifact: { ...what.artifact, text, hash } });
  }
}

describe("random programs", () => {
  it("use every part of the language that they know", () => {
    const all = SEEDS.map((seed) => sourceOf(randomProgram(seed)).split("\n").slice(1).join("\n"));
    const counts = WORDS.map((word) => {
      const pattern = new RegExp(`(?<!\\w)${word}(?!\\w)`);
      return [word, all.filter((text) => pattern.test(text)).length] as const;
    });
    expect(counts.filter(([, count]) => count < 1)).toEqual([]);
  });

  it("are the same for the same seed, and others for another", () => {
    const texts = SEEDS.map((seed) => sourceOf(randomProgram(seed)));
    expect(SEEDS.map((seed) => sourceOf(randomProgram(seed)))).toEqual(texts);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe("ranges", () => {
  const quarter = { bits: 2, grain: 2 };

  it("keep what f32 holds exactly and drop what it would round", () => {
    expect(added(quarter, quarter)).toEqual({ bits: 3, grain: 2 });
    expect(summed(multiplied(quarter, quarter), 16)).toEqual({ bits: 8, grain: 4 });
    expect(rangeIn("f32", { bits: 12, grain: 12 })).toEqual({ bits: 12, grain: 12 });
    expect(rangeIn("f32", { bits: 13, grain: 12 })).toBeUndefined();
    expect(rangeIn("f16", { bits: 15, grain: 0 })).toBeUndefined();
    expect(rangeIn("i8", { bits: 20, grain: 0 })).toEqual({ bits: 7, grain: 0 });
  });

  it("let errors grow with what multiplies and narrows them", () => {
    const near = approximated(quarter, 0, 0);
    expect(near.error).toBe(1);
    expect(multiplied(near, quarter).error).toBe(4);
    expect(rangeIn("bf16", near)).toEqual({ bits: 0, grain: 0, error: 2, inner: "bf16" });
    expect(within(quarter, near)).toBe(false);
    expect(within({ bits: -1, grain: 5 }, near)).toBe(true);
    expect(within(near, quarter)).toBe(false);
  });
});

const emulation = openEmulation();
const reason = "reason" in emulation ? emulation.reason : undefined;
if (reason !== undefined) console.warn(`skipped: planted miscompiles: ${reason}`);

describe.skipIf(reason !== undefined)(`planted miscompiles${reason ? ` (${reason})` : ""}`, () => {
  const deviceWith = (wrong: (text: string) => string): CoreDevice => {
    if ("reason" in emulation) throw new Error(emulation.reason);
    return new CoreDevice(new WrongBackend(emulation, { target: cudaSpec("sm_80") }, wrong));
  };

  it("are found and shrunk to the op that is wrong", async () => {
    const device = deviceWith((text) => {
      const at = text.lastIndexOf("TW_KERNEL(");
      return text.slice(0, at) + text.slice(at).replaceAll("tw_max(", "tw_min(");
    });
    const programs = SEEDS.map((seed) => randomProgram(seed)).filter((program) =>
      sourceOf(program).includes("= maximum("),
    );
    const { failures } = await runPrograms(device, programs.slice(0, 12));
    const [first] = failures;
    expect(first && kindOf(first.message)).toBe("values");
    if (first === undefined) return;
    const small = await shrinkFailure(device, first);
    const body = sourceOf(small.program)
      .split("\n")
      .filter((line) => /^ +const v/.test(line));
    expect(body.length, formatFailure("sm_80", small)).toBeLessThanOrEqual(4);
    expect(body.join("\n")).toMatch(/max(imum)?\(/);
    expect(small.program.outputs.length + small.program.counted.length).toBe(1);
  });
});
