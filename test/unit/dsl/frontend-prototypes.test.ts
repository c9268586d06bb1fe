/** [test/unit/dsl] The six kernels that the language was designed on, from TypeScript to numbers, against naive references. */
import { describe, expect, it } from "vitest";
import { roundBf16, roundF16 } from "../../../dsl/index.ts";
import {
  gemm,
  gemmSilu,
  moeGemm,
  pagedDecode,
  prefill,
  rmsNorm,
  w4a16,
} from "../../support/prototype-kernels.ts";
import { runKernel } from "../../support/run-kernel.ts";

/** Small numbers that f16 and bf16 hold exactly, different everywhere. */
function numbers(count: number, seed: number): number[] {
  return Array.from({ length: count }, (_, i) => (((i * 37 + seed * 11) % 29) - 14) / 8);
}

function expectClose(
  actual: readonly number[] | undefined,
  expected: readonly number[],
  tolerance: number,
): void {
  expect(actual).toHaveLength(expected.length);
  expected.forEach((value, i) => {
    const error = Math.abs((actual?.[i] ?? Number.NaN) - value);
    expect(error, `element ${i}: ${actual?.[i]} instead of ${value}`).toBeLessThanOrEqual(
      tolerance * Math.max(1, Math.abs(value)),
    );
  });
}

const silu = (x: number): number => x / (1 + Math.exp(-x));

describe("gemm", () => {
  const [m, n, k] = [17, 19, 21];
  const [a, b] = [numbers(m * k, 1), numbers(n * k, 2)];
  const product = Array.from({ length: m * n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < k; j++)
      sum += (a[Math.floor(i / n) * k + j] ?? 0) * (b[(i % n) * k + j] ?? 0);
    return sum;
  });
  const config = { BM: 8, BN: 8, BK: 4, group: 2 };
  const tensors = {
    a: { shape: [m, k], values: a },
    b: { shape: [n, k], values: b },
    c: { shape: [m, n] },
  };
  const grid = [Math.ceil(m / 8) * Math.ceil(n / 8)];

  it("multiplies, with the identity as epilogue", () => {
    expectClose(runKernel(gemm, { config }, { tensors, grid })["c"], product.map(roundF16), 1e-6);
  });

  it("applies an epilogue given as an op", () => {
    const out = runKernel(gemm, { config, functions: gemmSilu.functions }, { tensors, grid })["c"];
    expectClose(
      out,
      product.map((x) => roundF16(silu(x))),
      1e-3,
    );
  });
});

describe("attention", () => {
  const [heads, kvHeads, d] = [4, 2, 8];

  /** Softmax of scaled scores times values, for one query over the rows that `keys` and `values` give. */
  function attend(
    query: readonly number[],
    keys: readonly (readonly number[])[],
    values: readonly (readonly number[])[],
    scale: number,
  ): number[] {
    const scores = keys.map(
      (key) => scale * key.reduce((sum, x, i) => sum + x * (query[i] ?? 0), 0),
    );
    const top = Math.max(...scores);
    const weights = scores.map((score) => Math.exp(score - top));
    const total = weights.reduce((sum, w) => sum + w, 0);
    return query.map((_, i) =>
      weights.reduce((sum, w, j) => sum + (w / total) * (values[j]?.[i] ?? 0), 0),
    );
  }
  const row = (data: readonly number[], index: number): number[] =>
    data.slice(index * d, index * d + d);

  it("prefills sequences of different lengths causally", () => {
    const lengths = [5, 1, 9];
    const starts = [0, 5, 6, 15];
    const total = 15;
    const q = numbers(total * heads * d, 3);
    const k = numbers(total * kvHeads * d, 4);
    const v = numbers(total * kvHeads * d, 5);
    const expected: number[] = [];
    lengths.forEach((length, s) => {
      for (let i = 0; i < length; i++) {
        for (let h = 0; h < heads; h++) {
          const kv = Math.floor(h / (heads / kvHeads));
          const seen = Array.from({ length: i + 1 }, (_, j) => (starts[s] ?? 0) + j);
          const at = ((starts[s] ?? 0) + i) * heads + h;
          const rows = (data: readonly number[]) => seen.map((j) => row(data, j * kvHeads + kv));
          expected.push(...attend(row(q, at), rows(k), rows(v), 0.5));
        }
      }
    });
    const tensors = {
      q: { shape: [total, heads, d], values: q },
      k: { shape: [total, kvHeads, d], values: k },
      v: { shape: [total, kvHeads, d], values: v },
      cu: { shape: [4], values: starts },
      o: { shape: [total, heads, d] },
    };
    const input = { tensors, scalars: { scale: 0.5 }, grid: [4, heads, 3] };
    const out = runKernel(prefill, { config: { BM: 4, BN: 4 }, dims: { D: d } }, input)["o"];
    expectClose(out, expected, 0.02);
  });

  it("decodes from pages, split over programs", () => {
    const [group, page, splits] = [2, 4, 2];
    const lens = [6, 13];
    const table = [3, 1, -1, -1, 0, 5, 2, 4];
    const pages = 6;
    const q = numbers(2 * kvHeads * group * d, 6);
    const kc = numbers(pages * page * kvHeads * d, 7);
    const vc = numbers(pages * page * kvHeads * d, 8);
    const tensors = {
      q: { shape: [2, kvHeads, group, d], values: q },
      kc: { shape: [pages, page, kvHeads, d], values: kc },
      vc: { shape: [pages, page, kvHeads, d], values: vc },
      table: { shape: [2, 4], values: table },
      lens: { shape: [2], values: lens },
      po: { shape: [2, kvHeads, splits, group, d] },
      lse: { shape: [2, kvHeads, splits, group] },
    };
    const spec = { config: { GP: 2, PPT: 2, BN: 8 }, dims: { G: group, D: d, PAGE: page } };
    const out = runKernel(pagedDecode, spec, {
      tensors,
      scalars: { scale: 0.5 },
      grid: [splits, kvHeads, 2],
    });
    const [po, lse] = [out["po"] ?? [], out["lse"] ?? []];
    const [expected, merged]: [number[], number[]] = [[], []];
    for (let s = 0; s < 2; s++) {
      for (let h = 0; h < kvHeads; h++) {
        for (let g = 0; g < group; g++) {
          const at = (j: number) =>
            ((table[s * 4 + Math.floor(j / page)] ?? 0) * page + (j % page)) * kvHeads + h;
          const rows = (data: readonly number[]) =>
            Array.from({ length: lens[s] ?? 0 }, (_, j) => row(data, at(j)));
          expected.push(...attend(row(q, (s * kvHeads + h) * group + g), rows(kc), rows(vc), 0.5));
          const parts = Array.from(
            { length: splits },
            (_, i) => ((s * kvHeads + h) * splits + i) * group + g,
          );
          const top = Math.max(...parts.map((p) => lse[p] ?? 0));
          const weights = parts.map((p) => 2 ** ((lse[p] ?? 0) - top));
          const total = weights.reduce((sum, w) => sum + w, 0);
          for (let i = 0; i < d; i++) {
            merged.push(
              parts.reduce(
                (sum, p, j) => sum + ((weights[j] ?? 0) / total) * (po[p * d + i] ?? 0),
                0,
              ),
            );
          }
        }
      }
    }
    expectClose(merged, expected, 0.02);
  });
});

describe("w4a16", () => {
  it("scales groups of 4-bit weights", () => {
    const [m, n, k] = [3, 5, 256];
    const x = numbers(m * k, 9);
    const w = Array.from({ length: n * k }, (_, i) => (i * 7) % 16);
    const s = Array.from({ length: n * 2 }, (_, i) => (i + 1) / 16);
    const expected = Array.from({ length: m * n }, (_, i) => {
      let sum = 0;
      for (let j = 0; j < k; j++) {
        const column = i % n;
        const scale = s[column * 2 + Math.floor(j / 128)] ?? 0;
        sum +=
          (x[Math.floor(i / n) * k + j] ?? 0) * roundF16(((w[column * k + j] ?? 0) - 8) * scale);
      }
      return sum;
    });
    const tensors = {
      x: { shape: [m, k], values: x },
      w: { shape: [n, k], values: w },
      s: { shape: [n, 2], values: s },
      y: { shape: [2, m, n] },
    };
    const y =
      runKernel(w4a16, { config: { BM: 4, BN: 8 } }, { tensors, grid: [1, 1, 2] })["y"] ?? [];
    const summed = expected.map((_, i) => (y[i] ?? 0) + (y[m * n + i] ?? 0));
    expectClose(summed, expected, 1e-5);
  });
});

describe("moe gemm", () => {
  it("gathers token rows and multiplies by their expert's weights", () => {
    const [t, k, e, n, topk] = [3, 8, 2, 8, 2];
    const x = numbers(t * k, 10);
    const w = numbers(e * n * k, 11);
    const rows = [0, 3, 5, -1, 1, 2, 4, -1];
    const expertOf = [1, 0];
    const expected = rows.flatMap((slot, p) =>
      Array.from({ length: n }, (_, column) => {
        if (slot < 0) return 0;
        let sum = 0;
        for (let j = 0; j < k; j++) {
          const weight = w[((expertOf[Math.floor(p / 4)] ?? 0) * n + column) * k + j] ?? 0;
          sum += (x[Math.floor(slot / topk) * k + j] ?? 0) * weight;
        }
        return roundBf16(sum);
      }),
    );
    const tensors = {
      x: { shape: [t, k], values: x },
      w: { shape: [e, n, k], values: w },
      rows: { shape: [8], values: rows },
      expertOf: { shape: [2], values: expertOf },
      y: { shape: [8, n] },
    };
    const spec = { config: { BM: 4, BN: 8, BK: 4 } };
    expectClose(
      runKernel(moeGemm, spec, { tensors, scalars: { topk }, grid: [2, 1] })["y"],
      expected,
      1e-6,
    );
  });
});

describe("rms norm", () => {
  it.each([
    ["f32", 1e-5],
    ["f16", 2e-3],
    ["bf16", 1e-2],
  ] as const)("normalises rows of %s", (dtype, tolerance) => {
    const [r, h] = [3, 10];
    const [x, w] = [numbers(r * h, 12), numbers(h, 13)];
    const expected = x.map((value, i) => {
      const start = Math.floor(i / h) * h;
      const mean = x.slice(start, start + h).reduce((sum, v) => sum + v * v, 0) / h;
      return (value / Math.sqrt(mean + 1e-5)) * (w[i % h] ?? 0);
    });
    const tensors = {
      x: { shape: [r, h], values: x },
      w: { shape: [h], values: w },
      y: { shape: [r, h] },
    };
    const out = runKernel(
      rmsNorm,
      { dtypes: { T: dtype }, dims: { H: h } },
      { tensors, scalars: { eps: 1e-5 }, grid: [r] },
    )["y"];
    expectClose(out, expected, tolerance);
  });
});
