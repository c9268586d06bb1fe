/** [test/unit/dsl] Roles on the interpreter: what they compute, mistakes of each kind, the text form of their ops. */
import { describe, expect, it } from "vitest";
import {
  findViolations,
  type KernelDefinition,
  lowerKernel,
  parseKernel,
  prepareInterpreter,
  printKernel,
} from "../../../dsl/index.ts";
import { changedGemm, MISTAKES } from "../../support/explicit-gemm.ts";

const config = { BM: 8, BN: 16, BK: 4, stages: 2, group: 2 };

function tileOf(kernel: KernelDefinition) {
  return lowerKernel(kernel, { dtypes: { T: "f32" }, config }).tile;
}

/** Small whole numbers, so that sums are exact. */
function whole(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => ((i * 29 + seed * 17) % 11) - 5);
}

function run(kernel: KernelDefinition, [M, N, K]: readonly [number, number, number]) {
  const [x, w, y] = [whole(M * K, 1), whole(N * K, 2), new Float32Array(M * N)];
  const bytes = (of: Float32Array): Uint8Array => new Uint8Array(of.buffer);
  prepareInterpreter(tileOf(kernel)).run({
    tensors: {
      x: { data: bytes(x), shape: [M, K] },
      w: { data: bytes(w), shape: [N, K] },
      y: { data: bytes(y), shape: [M, N] },
    },
    grid: [Math.ceil(M / config.BM) * Math.ceil(N / config.BN)],
  });
  const expected = Float32Array.from({ length: M * N }, (_, i) => {
    const [row, column] = [Math.floor(i / N), i % N];
    let sum = 0;
    for (let k = 0; k < K; k++) sum += (x[row * K + k] ?? 0) * (w[column * K + k] ?? 0);
    return sum;
  });
  return { y, expected };
}

describe("roles on the interpreter", () => {
  it.each([
    ["more trips than slots", [20, 40, 23]],
    ["one trip", [8, 16, 3]],
    ["no trip", [9, 17, 0]],
    ["no program", [0, 16, 8]],
  ] as const)("multiply: %s", (_, sizes) => {
    const { y, expected } = run(changedGemm(), sizes);
    expect(y).toEqual(expected);
  });

  it("multiply with a wait for each dot by itself", () => {
    const kernel = changedGemm(
      ["dotWait(1);", "acc = dotWait(0, acc);"],
      ["if (k > 0) barrierArrive(empty, n - 1);", "barrierArrive(empty, n);"],
      ["acc = dotWait(0, acc);\n            if (K > 0) barrierArrive(empty, n - 1);", ""],
    );
    const { y, expected } = run(kernel, [20, 40, 23]);
    expect(y).toEqual(expected);
  });

  it.each(MISTAKES)("report that %s", (_, from, to, code) => {
    expect(() => run(changedGemm([from, to]), [24, 32, 20])).toThrow(code);
  });

  it("say where roles that never end wait", () => {
    const deaf = changedGemm(["barrierExpect(full, n, slotBytes(xs) + slotBytes(ws));", ""]);
    expect(() => run(deaf, [8, 16, 4])).toThrow(
      /TW1312[\s\S]*the consumer waits for full at <explicitGemm>:\d+:\d+ \(0 of 1 arrivals, 384 of 0 bytes\)/,
    );
    expect(() => run(deaf, [8, 16, 4])).toThrow(
      /the consumer waits for what never comes[\s\S]*let the producer, which has ended, arrive at that use as often/,
    );
  });
});

describe("the text form of roles", () => {
  const tile = tileOf(changedGemm());
  const text = printKernel(tile);

  it("reads back", () => {
    expect(printKernel(parseKernel(text))).toBe(text);
  });

  it.each([
    ["another ring", "slot xs", "slot zs", /no such ring/],
    ["another barrier", "barrier_wait full", "barrier_wait fool", /no such barrier/],
    ["a tile of another kind", "copy_async xs", "copy_async ws", /the tile has other axes/],
    ["no slots", "ring xs: f32[BM=8, BK=4] stages 2", "ring xs: f32[BM=8, BK=4] stages 0", /slots/],
    ["a dot outside", "roles warpgroups 2", "roles warpgroups 0", /warpgroups/],
  ])("is refused with %s", (_, from, to, message) => {
    expect(text).toContain(from);
    const found = findViolations(parseKernel(text.replace(from, to)));
    expect(found.map((one) => one.message).join("\n")).toMatch(message);
  });

  it("is refused with waits outside of roles", () => {
    const stray = text.replace("  roles", "  barrier_wait full use %first.0\n  roles");
    const found = findViolations(parseKernel(stray));
    expect(found.map((one) => one.message).join("\n")).toMatch(/outside of its place/);
  });
});
