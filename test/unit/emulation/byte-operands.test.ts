/** [test/unit/emulation] Operands of mma.sync that stay 8-bit floats until their registers: both ways in which they lie, odd sizes, copies in flight, every code. */
import { describe, expect, it } from "vitest";
import { compileStages } from "../../../codegen/index.ts";
import { parseScheduled } from "../../../codegen/ir/parse-scheduled.ts";
import { parseThreadKernel } from "../../../codegen/ir/parse-thread.ts";
import { printScheduled } from "../../../codegen/ir/print-scheduled.ts";
import { printThreadKernel } from "../../../codegen/ir/print-thread.ts";
import { cudaSpec } from "../../../codegen/targets/cuda/features.ts";
import {
  all,
  cast,
  dot,
  kernel,
  load,
  out,
  range,
  span,
  store,
  tensor,
  zeros,
} from "../../../dsl/index.ts";
import { defineCases, outputOf, tensorOf, uniform } from "../../../runtime/conformance/case.ts";
import { runCases } from "../../../runtime/conformance/run.ts";
import { CoreDevice } from "../../../runtime/device-core.ts";
import { EmulatedBackend } from "../../support/emulated-backend.ts";
import { openEmulation } from "../../support/emulation.ts";

/** Bytes lie along the contraction, as keys do. */
const scores = kernel(
  {
    name: "scores_of_bytes",
    params: { x: tensor("f16", "M", "K"), w: tensor("f8e4m3", "N", "K"), y: out("f32", "M", "N") },
    config: { BM: 16, BN: 16, stages: 2 },
    specialize: ["K"],
    grid: () => 1,
  },
  ({ x, w, y, N, K }, { BM, BN, stages }) => {
    const rows = load(x, [span(0, BM), all(K)]);
    for (const n of range(0, N, BN, { stages })) {
      const block = load(w, [span(n, BN), all(K)]);
      store(y, [span(0, BM), span(n, BN)], dot(rows, cast(block, "f16")));
    }
  },
);

/** Bytes lie along the columns, as values do. */
const sums = kernel(
  {
    name: "sums_of_bytes",
    params: { p: tensor("f16", "M", "K"), v: tensor("f8e4m3", "K", "N"), y: out("f32", "M", "N") },
    config: { BM: 16, BK: 16, stages: 2 },
    specialize: ["N"],
    grid: () => 1,
  },
  ({ p, v, y, K, N }, { BM, BK, stages }) => {
    let acc = zeros("f32", BM, N);
    for (const k of range(0, K, BK, { stages })) {
      const weights = load(p, [span(0, BM), span(k, BK)]);
      const block = load(v, [span(k, BK), all(N)]);
      acc = dot(weights, cast(block, "f16"), acc);
    }
    store(y, [span(0, BM), all(N)], acc);
  },
);

const emulation = openEmulation();
const target = cudaSpec("sm_90a");
/** Two codes are NaN, and no product of theirs is a number. */
const FINITE = (code: number) => code % 128 !== 127;

/** Whole numbers of a step, of both signs, so few that every sum is exact. */
function random(seed: number, most: number, step: number) {
  const at = uniform(seed);
  return (i: number) => step * Math.round((most / step) * (2 * at(i) - 1));
}

function decode(code: number): number {
  const [exponent, fraction] = [(code >> 3) & 15, code & 7];
  const size = exponent === 0 ? fraction * 2 ** -9 : (8 + fraction) * 2 ** (exponent - 10);
  return code >= 128 ? -size : size;
}

function scoresCase(name: string, n: number, k: number, config: Readonly<Record<string, number>>) {
  const { BM = 16 } = config;
  const tensors = {
    x: tensorOf("f16", [BM, k], random(n + k, 2, 1 / 16)),
    w: tensorOf("f8e4m3", [n, k], random(n * k, 16, 1)),
    y: outputOf("f32", [BM, n]),
  };
  return { name, kernel: scores, tensors, config, dims: { K: k } };
}

function sumsCase(name: string, n: number, k: number, config: Readonly<Record<string, number>>) {
  const { BM = 16 } = config;
  const tensors = {
    p: tensorOf("f16", [BM, k], random(n + k, 1, 1 / 16)),
    v: tensorOf("f8e4m3", [k, n], random(n * k, 16, 1)),
    y: outputOf("f32", [BM, n]),
  };
  return { name, kernel: sums, tensors, config, dims: { N: n } };
}

/** Each code once, weighted by a power of two where it stands, so that every sum is exact. */
const everyCode = {
  name: "every code",
  kernel: sums,
  tensors: {
    p: tensorOf("f16", [16, 16], (i) => (i % 17 === 0 ? 1 : 0)),
    v: tensorOf("f8e4m3", [16, 16], (i) => (FINITE(i) ? decode(i) : 0)),
    y: outputOf("f32", [16, 16]),
  },
  dims: { N: 16 },
} as const;
const nan = {
  ...everyCode,
  name: "NaN",
  tensors: {
    ...everyCode.tensors,
    v: tensorOf("f8e4m3", [16, 16], (i) => (i === 37 || i === 200 ? Number.NaN : decode(i % 100))),
  },
};

const CASES = defineCases("byte operands", [
  scoresCase("four warps, blocks of two tiles", 150, 128, { BN: 64, stages: 3 }),
  scoresCase("rows of 48 bytes, three tiles a warp", 40, 48, { BN: 24, warps: 1 }),
  scoresCase("four tiles at once, two row tiles", 70, 32, { BM: 32, BN: 32, warps: 1, stages: 1 }),
  sumsCase("a warp has two groups of columns", 128, 100, { BK: 64 }),
  sumsCase("one group a warp, blocks of 16", 64, 40, { BK: 16, stages: 3 }),
  sumsCase("three groups, two row tiles", 48, 33, { BM: 32, BK: 32, warps: 1 }),
  everyCode,
  nan,
]);

describe.skipIf("reason" in emulation)("operands of bytes", () => {
  if ("reason" in emulation) throw new Error(emulation.reason);

  it("give what the interpreter gives", async () => {
    const device = new CoreDevice(new EmulatedBackend(emulation, { target }));
    const said: string[] = [];
    for await (const result of runCases(device, CASES))
      said.push(`${result.case.name}: ${result.status} ${result.message}`.trim());
    expect(said).toEqual(CASES.map(({ name }) => `${name}: passed`));
  });
});

describe("compiled", () => {
  const stagesOf = (arch: string, config: Readonly<Record<string, number>> = {}) =>
    compileStages(sums, {
      specialization: { config, dims: { N: 64 } },
      target: cudaSpec(arch),
      divisibility: { K: 16 },
    });

  it("stay bytes in shared memory, and read back as they are printed", () => {
    const { scheduled, thread, source, artifact } = stagesOf("sm_90a");
    const said = artifact.remarks.map(({ message }) => message);
    expect(said).toContain("dot acc: v stays in bytes until its registers");
    expect(scheduled).toMatch(/= dot .*, shared \w+(\[[^\]]*\])? f8e4m3\[/);
    expect(printScheduled(parseScheduled(scheduled), { locations: true })).toBe(scheduled);
    const text = printThreadKernel(parseThreadKernel(thread));
    expect(printThreadKernel(parseThreadKernel(text))).toBe(text);
    const own = source.slice(source.lastIndexOf("TW_KERNEL"));
    expect(own).toMatch(/tw_e4m3x2_high/);
    expect(own).not.toMatch(/tw_f8e4m3_to_f32/);
  });

  it.each([
    ["architectures without the conversion", "sm_80", {}],
    ["warps of eight columns", "sm_90a", { warps: 8 }],
  ] as const)("go the usual way for %s", (_, arch, config) => {
    const { source, artifact } = stagesOf(arch, config);
    expect(artifact.remarks.some(({ message }) => /stays in bytes/.test(message))).toBe(false);
    expect(source.slice(source.lastIndexOf("TW_KERNEL"))).toMatch(/tw_f8e4m3_to_f32/);
  });
});
