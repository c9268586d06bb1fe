/** [test/unit/runtime] The harness on the interpreter and on a device of the test's own: what is checked, timed, refused and restored. */
import { beforeAll, describe, expect, it } from "vitest";
import { addRmsNorm, KERNEL_ENTRIES, linear, linearSmall } from "../../../dsl/kernels/catalogue.ts";
import {
  cdiv,
  gather,
  kernel,
  load,
  out,
  pid,
  store,
  tensor,
  tile,
} from "../../../dsl/language.ts";
import { CallArguments, tensorIn } from "../../../runtime/bench/arguments.ts";
import { benchmark } from "../../../runtime/bench/benchmark.ts";
import type { Contender } from "../../../runtime/bench/contender.ts";
import { Meter } from "../../../runtime/bench/measure.ts";
import { fillNoise } from "../../../runtime/bench/noise.ts";
import { completeProblem, subjectOf } from "../../../runtime/bench/problem.ts";
import { hostReference } from "../../../runtime/bench/reference.ts";
import { BenchSession } from "../../../runtime/bench/session.ts";
import { chooseVendor } from "../../../runtime/bench/vendor.ts";
import type { Device } from "../../../runtime/device.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { InterpreterBackend } from "../../../runtime/drivers/interpreter/device.ts";
import { emptyTensor, readTensor } from "../../../runtime/tensor.ts";

const QUICK = { rounds: 2, warmupMs: 0, repeatMs: 1 };
const entryOf = (name: string) => {
  const entry = KERNEL_ENTRIES.find((candidate) => candidate.kernel.name === name);
  if (entry === undefined) throw new Error(`no kernel ${name}`);
  return entry;
};

const twice = kernel(
  {
    name: "twice",
    params: { x: tensor("f32", "N"), y: out("f32", "N") },
    config: { B: 64 },
    grid: ({ N }, { B }) => cdiv(N, B),
  },
  ({ x, y }, { B }) => {
    const at = tile(pid(0), B);
    store(y, [at], load(x, [at]) * 2);
  },
);

/** Leaves out its last block. */
const forgetful = kernel(
  {
    name: "forgetful",
    params: { x: tensor("f32", "N"), y: out("f32", "N") },
    config: { B: 64 },
    grid: ({ N }, { B }) => cdiv(N, B) - 1,
  },
  ({ x, y }, { B }) => {
    const at = tile(pid(0), B);
    store(y, [at], load(x, [at]) * 2);
  },
);

const picked = kernel(
  {
    name: "picked",
    params: { x: tensor("f32", "N"), at: tensor("i32", "R"), y: out("f32", "R") },
    config: { B: 64 },
    grid: ({ R }, { B }) => cdiv(R, B),
  },
  ({ x, at, y }, { B }) => {
    const rows = tile(pid(0), B);
    store(y, [rows], load(x, [gather(load(at, [rows]))]));
  },
);

let device: Device;
beforeAll(() => {
  process.env["TILEWRIGHT_CACHE_DIR"] = "off";
  device = new CoreDevice(new InterpreterBackend());
});

describe("a benchmark on the interpreter", () => {
  it("checks and times each config of a product, and says what it is worth", async () => {
    const problems = [{ dims: { M: 20, N: 24, K: 40 }, dtypes: { T: "bf16", O: "f32" } } as const];
    const configs = [
      { BM: 16, BN: 16, BK: 16 },
      { BM: 16, BN: 32, BK: 16, stages: 1 },
    ];
    const report = await benchmark(device, entryOf("linear"), problems, {
      configs,
      measure: QUICK,
    });
    expect(report.notes).toEqual([expect.stringMatching(/absolute numbers mean little/)]);
    const [result] = report.results;
    expect(result).toMatchObject({
      kernel: "linear",
      problem: "M=20 N=24 K=40",
      checkedBy: "double sums on the host",
      flops: 2 * 20 * 24 * 40,
      bytes: 2 * (20 * 40 + 24 * 40) + 4 * 20 * 24,
      operandDType: "bf16",
      numSets: 1,
    });
    expect(result?.contenders.map(({ detail }) => detail)).toEqual([
      "BM=16 BN=16 BK=16",
      "BM=16 BN=32 BK=16 stages=1",
    ]);
    for (const { check, timings } of result?.contenders ?? []) {
      expect(check).toMatchObject({ passed: true, elements: 480 });
      expect(check?.worst).toBeLessThan(1);
      expect(timings.map(({ mode }) => mode)).toEqual(["cold"]);
      expect(timings[0]?.us.median).toBeGreaterThan(0);
      expect(timings[0]?.roundsUs.length).toBe(2);
    }
  });

  it("takes kernels of one's own, with random inputs, against the interpreter's checks", async () => {
    const report = await benchmark(device, twice, [{ dims: { N: 1000 } }], { measure: QUICK });
    expect(report.results[0]).toMatchObject({
      checkedBy: "the interpreter",
      bytes: 8000,
      flops: 0,
    });
    expect(report.results[0]?.contenders[0]?.check).toMatchObject({ passed: true, elements: 1000 });
  });

  it("does not time what computes something else, and says where it differs", async () => {
    const subject = {
      kernel: forgetful,
      reference: ({ tensors }: { tensors: Readonly<Record<string, { data: Float64Array }>> }) => ({
        y: {
          data: (tensors["x"]?.data ?? new Float64Array()).map((v) => 2 * v),
          tolerance: { kind: "exact" as const },
        },
      }),
    };
    const report = await benchmark(device, subject, [{ dims: { N: 100 } }], { measure: QUICK });
    const [contender] = report.results[0]?.contenders ?? [];
    expect(contender?.timings).toEqual([]);
    expect(contender?.failure).toMatch(/y: 36 of 100 elements differ\n {2}y\[64\]: seen NaN/);
  });

  it("says so where nothing was checked", async () => {
    const options = { measure: QUICK, check: false };
    const report = await benchmark(device, forgetful, [{ dims: { N: 100 } }], options);
    expect(report.results[0]?.checkedBy).toBe("nobody");
    expect(report.results[0]?.contenders[0]?.check).toBeUndefined();
    expect(report.results[0]?.contenders[0]?.timings.length).toBe(1);
  });

  it("refuses what it cannot fill or foresee, and goes on after a config that does not exist", async () => {
    const session = await BenchSession.open(device, { measure: QUICK });
    await expect(session.run(picked, { dims: { N: 4, R: 4 } })).rejects.toThrow(/TW3303.*'at'/);
    await expect(session.run(twice, { dims: { N: 2 ** 25 } })).rejects.toThrow(/TW3305/);
    await expect(session.run(twice, { dims: { M: 3 } })).rejects.toThrow(/TW3301/);
    const result = await session.run(twice, { dims: { N: 10 } }, [{ Q: 3 }, undefined]);
    expect(result.contenders.map(({ failure }) => failure?.slice(0, 6))).toEqual([
      undefined,
      "TW1013",
    ]);
    expect(session.report().results.length).toBe(1);
    session.close();
  });

  it("measures every kernel of the catalogue on its own sample", async () => {
    const session = await BenchSession.open(device, { measure: { ...QUICK, rounds: 1 } });
    for (const entry of KERNEL_ENTRIES) {
      const [sample] = [...entry.samples].sort((a, b) => entry.bytes(b) - entry.bytes(a));
      if (sample === undefined) throw new Error(`${entry.kernel.name} has no sample`);
      const { contenders } = await session.run(entry, sample);
      expect([entry.kernel.name, contenders[0]?.failure]).toEqual([entry.kernel.name, undefined]);
    }
    session.close();
  });
});

describe("the arguments of a call", () => {
  it("are equal in every set, poisoned before and guarded behind", async () => {
    const subject = subjectOf(entryOf("linear"));
    const problem = completeProblem(linear, { dims: { M: 3, N: 5, K: 7 }, dtypes: { T: "f16" } });
    const args = new CallArguments(device, subject, problem, 3);
    const [first, , third] = args.sets;
    expect(first?.["x"]?.buffer).not.toBe(third?.["x"]?.buffer);
    expect(await readTensor(tensorIn(third, "x"))).toEqual(await readTensor(tensorIn(first, "x")));
    const y = tensorIn(args.sets[1], "y");
    expect([...(await readTensor(y))]).toEqual(Array(15).fill(Number.NaN));
    expect(await args.overrun(1)).toBeUndefined();
    device.fill(y.buffer, 60, 1, 0); // the first byte behind 15 f32
    expect(await args.overrun(1)).toBe("y");
    args.poison(1);
    expect(await args.overrun(1)).toBeUndefined();
    args.close();
  });

  it("that are read and written return to what they held", async () => {
    const entry = entryOf("add_rms_norm");
    const problem = completeProblem(addRmsNorm, { dims: { R: 2, H: 5 }, seed: 3 });
    const args = new CallArguments(device, entry, problem, 2);
    const name = Object.entries(addRmsNorm.params).find(
      ([, spec]) => spec.kind === "tensor" && spec.access === "inout",
    )?.[0];
    const tensor = tensorIn(args.sets[1], name ?? "");
    const before = await readTensor(tensor);
    device.fill(tensor.buffer, 0, 4, 0x11);
    expect(await readTensor(tensor)).not.toEqual(before);
    args.poison(1);
    expect(await readTensor(tensor)).toEqual(before);
    args.close();
  });

  it("repeat a few rows where a large problem has rows alike, and every row is still compared", async () => {
    const entry = entryOf("rms_norm");
    const dims = { R: 3000, H: 1024 };
    const subject = subjectOf(entry);
    const problem = completeProblem(entry.kernel, { dims, dtypes: { T: "bf16" } });
    const args = new CallArguments(device, subject, problem, 1);
    expect(args.hostProblem.dims).toEqual({ R: 251, H: 1024 });
    const x = await readTensor(tensorIn(args.sets[0], "x"));
    const row = (r: number) => x.slice(r * 1024, (r + 1) * 1024);
    expect(row(0)).not.toEqual(row(1));
    expect(row(2 * 251 + 7)).toEqual(row(7));
    expect(row(2999)).toEqual(row(2999 % 251));
    const { check } = await hostReference(args, undefined);
    args.poison(0);
    device.launch(entry.kernel, { ...args.sets[0], ...args.scalars });
    expect(await check(0, "f32")).toMatchObject({ passed: true, elements: 3000 * 1024 });
    device.fill(tensorIn(args.sets[0], "y").buffer, 2 * (2998 * 1024 + 5), 2, 0x41);
    const wrong = await check(0, "f32");
    expect(wrong.message).toMatch(/y: 1 of \d+ elements differ\n {2}y\[2998, 5\]/);
    args.close();
  });

  it("are normal noise of unit deviation where they are made on the device", async () => {
    const x = emptyTensor(device, "f32", [64, 100]);
    fillNoise(device, x, 7, 1);
    const values = Float64Array.from(await readTensor(x));
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const square = values.reduce((a, b) => a + b * b, 0) / values.length;
    expect(Math.abs(mean)).toBeLessThan(0.05);
    expect(Math.abs(square - 1)).toBeLessThan(0.06);
    expect(new Set(values).size).toBeGreaterThan(6300);
    fillNoise(device, x, 8, 1);
    expect(Float64Array.from(await readTensor(x))).not.toEqual(values);
  });

  it("know kernels of the catalogue that are products, and only those", () => {
    expect(subjectOf(entryOf("linear_small")).matmul).toEqual({ x: "x", w: "w", y: "y" });
    expect(subjectOf(entryOf("linear_bias")).matmul).toEqual({
      x: "x",
      w: "w",
      y: "y",
      bias: "bias",
    });
    expect(subjectOf(entryOf("rms_norm")).matmul).toBeUndefined();
    expect(subjectOf(linearSmall).matmul).toBeUndefined(); // a kernel alone may be named like one
  });
});

describe("a vendor's side", () => {
  /** Keeps the host busy for so long at each run. */
  const busy = (name: string, detail: string, ms: number): Contender => ({
    name,
    role: "vendor",
    detail,
    run: () => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    },
  });

  it("is the fastest right implementation of each name; the others are named", async () => {
    const meter = new Meter(device, () => undefined);
    const offers = [
      busy("A", "slow", 3),
      busy("A", "quick", 0.5),
      busy("A", "wrong", 0.1),
      busy("B", "alone", 1),
    ];
    const { choices, refused } = await chooseVendor(meter, offers, ["cold"], 1, async (c) => ({
      passed: c.detail !== "wrong",
      worst: 0,
      elements: 1,
    }));
    expect(choices.map(({ name, best }) => [name, best.cold.detail])).toEqual([
      ["A", "quick"],
      ["B", "alone"],
    ]);
    expect(refused.map(({ contender }) => contender.detail)).toEqual(["wrong"]);
    meter.close();
  });
});
