/** [test/unit/dsl] The catalogue of kernels: complete, named well, its samples whole and poisoned where nothing may be read. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { roundTo } from "../../../../dsl/core/rounding.ts";
import {
  KERNEL_ENTRIES,
  type KernelEntry,
  type KernelSample,
  makeSample,
  POISON_INT,
} from "../../../../dsl/kernels/catalogue.ts";

import { pagedDecodeEntry } from "../../../../dsl/kernels/paged-decode.ts";
import { piecesOf } from "../../../../dsl/kernels/piece-samples.ts";

const FOLDER = new URL("../../../../dsl/kernels/", import.meta.url);
const NAMED = KERNEL_ENTRIES.map((entry) => ({ name: entry.kernel.name, entry }));

const made = new Map<KernelEntry, readonly KernelSample[]>();

function samplesOf(entry: KernelEntry): readonly KernelSample[] {
  const known = made.get(entry);
  if (known !== undefined) return known;
  const samples = entry.samples.map((problem) => makeSample(entry, problem));
  made.set(entry, samples);
  return samples;
}

function hasNaN(sample: KernelSample, tensor: string): boolean {
  return sample.tensors[tensor]?.data.some((value) => Number.isNaN(value)) ?? false;
}

describe("the catalogue", () => {
  it("holds every file that defines a kernel", () => {
    const defining = readdirSync(FOLDER).filter((file) =>
      /(?:= |^ *)kernel\(/m.test(readFileSync(new URL(file, FOLDER), "utf8")),
    );
    const catalogue = readFileSync(new URL("catalogue.ts", FOLDER), "utf8");
    const missing = defining.filter((file) => catalogue.split(`"./${file}"`).length < 3);
    expect(missing).toEqual([]);
    expect(KERNEL_ENTRIES).toHaveLength(defining.length);
  });

  it("names each kernel once", () => {
    const names = KERNEL_ENTRIES.map((entry) => entry.kernel.name);
    expect(new Set(names).size).toBe(names.length);
    expect([...names].sort()).toEqual(names);
  });
});

describe.each(NAMED)("samples of $name", ({ entry }) => {
  it("have unique names and bind every dtype that a variable allows", () => {
    const names = entry.samples.map((problem) => problem.name);
    expect(new Set(names).size).toBe(names.length);
    for (const [variable, dtypes] of Object.entries(entry.kernel.dtypes)) {
      const bound = new Set(entry.samples.map((problem) => problem.dtypes[variable]));
      expect([...bound].sort(), variable).toEqual([...dtypes].sort());
    }
  });

  it("give every tensor the shape and dtype of its parameter, in representable numbers", () => {
    for (const sample of samplesOf(entry)) {
      for (const [name, spec] of Object.entries(entry.kernel.params)) {
        if (spec.kind !== "tensor") continue;
        const tensor = sample.tensors[name];
        const shape = spec.shape.map((dim) => (typeof dim === "number" ? dim : sample.dims[dim]));
        const dtype = sample.specialization.dtypes?.[spec.dtype] ?? spec.dtype;
        expect(tensor?.shape, `${sample.name}: ${name}`).toEqual(shape);
        expect(tensor?.dtype).toBe(dtype);
        const wrong = tensor?.data.findIndex((v) => !Object.is(roundTo(tensor.dtype, v), v));
        expect(wrong, `${sample.name}: ${name}`).toBe(-1);
      }
    }
  });

  it("expect a whole tensor for each one that is written", () => {
    for (const sample of samplesOf(entry)) {
      const written = Object.entries(entry.kernel.params).flatMap(([name, spec]) =>
        spec.kind === "tensor" && spec.access !== "in" ? [name] : [],
      );
      expect(Object.keys(sample.expected).sort()).toEqual(written.sort());
      for (const name of written) {
        expect(sample.expected[name]?.data.length).toBe(sample.tensors[name]?.data.length);
      }
    }
  });

  it("cost at least nothing", () => {
    for (const problem of entry.samples) {
      expect(entry.bytes(problem)).toBeGreaterThanOrEqual(0);
      expect(entry.flops(problem)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe("poison", () => {
  const paged = NAMED.filter(({ name }) => name === "prefill_attention");

  it("lies in the caches of paged_decode, and in all that it gives but its pieces", () => {
    for (const problem of pagedDecodeEntry.samples) {
      const sample = makeSample(pagedDecodeEntry, problem);
      expect(hasNaN(sample, "kCache"), sample.name).toBe(true);
      const { HKV = 0, G = 0 } = sample.dims;
      const pieces = piecesOf(problem, pagedDecodeEntry.kernel.config).length;
      const given = sample.expected["lse"]?.data.filter((value) => !Number.isNaN(value)).length;
      expect(given, sample.name).toBe(pieces * HKV * G);
    }
  });

  it.each(paged)("lies in the caches of $name, and not in what it gives", ({ entry }) => {
    for (const sample of samplesOf(entry)) {
      expect(hasNaN(sample, "kCache"), sample.name).toBe(true);
      expect(hasNaN(sample, "vCache"), sample.name).toBe(true);
      const output = sample.expected["o"];
      const covered = sample.name.startsWith("padding sequence") ? 2 : 0;
      const rows = sample.dims["N"] ?? 1;
      const poisoned = output?.data.filter((value) => Number.isNaN(value)).length ?? 0;
      expect(poisoned * rows).toBe((output?.data.length ?? 0) * covered);
    }
  });

  it("fills what is only written", () => {
    const entry = KERNEL_ENTRIES.find(({ kernel }) => kernel.name === "log_probabilities");
    const problem = entry?.samples[1];
    if (entry === undefined || problem === undefined) throw new Error("no sample");
    const sample = makeSample(entry, problem);
    expect(sample.tensors["logprob"]?.data.every((v) => Number.isNaN(v))).toBe(true);
    expect(sample.tensors["rank"]?.data.every((v) => v === POISON_INT)).toBe(true);
  });
});
