/** [test/bench] Prints the interpreter's speed: dots, elementwise ops, overhead per op, and kernels of a small model. Run with tsx. */

import type { DType } from "../../dsl/core/dtype.ts";
import { encodeArray } from "../../dsl/core/rounding.ts";
import type { KernelDefinition, Specialization } from "../../dsl/definition.ts";
import { lowerKernel } from "../../dsl/frontend/lower-kernel.ts";
import type { TensorArgument } from "../../dsl/interpreter/bind.ts";
import { prepareInterpreter } from "../../dsl/interpreter/program.ts";
import { parseKernel } from "../../dsl/ir/parse.ts";
import * as kernels from "../../dsl/kernels/catalogue.ts";

/** Best time of one call in microseconds, over many short rounds, so that other load on the machine hides little. */
function bestMicroseconds(run: () => void): number {
  let best = Infinity;
  run();
  for (let round = 0; round < 80; round++) {
    let calls = 0;
    const start = performance.now();
    let elapsed = 0;
    while (elapsed < 3) {
      run();
      calls++;
      elapsed = performance.now() - start;
    }
    best = Math.min(best, (1000 * elapsed) / calls);
  }
  return best;
}

function report(name: string, microseconds: number, work: string): void {
  console.log(`${name.padEnd(56)} ${microseconds.toFixed(2).padStart(10)} µs  ${work}`);
}

function tensor(
  dtype: DType,
  shape: readonly number[],
  value: (i: number) => number,
): TensorArgument {
  const count = shape.reduce((n, size) => n * size, 1);
  return {
    data: encodeArray(
      dtype,
      Float32Array.from({ length: count }, (_, i) => value(i)),
    ),
    shape,
  };
}

function benchText(
  name: string,
  text: string,
  tensors: Record<string, TensorArgument>,
  programs: number,
  work: (us: number) => string,
): void {
  const program = prepareInterpreter(parseKernel(text), { checks: "off" });
  const args = { tensors, scalars: {}, grid: [programs] };
  const us = bestMicroseconds(() => program.run(args));
  report(name, us, work(us));
}

function benchDot(size: number): void {
  const text = `kernel dot(a: in f32[${size}, ${size}], b: in f32[${size}, ${size}], c: out f32[${size}, ${size}]) {
    %0: i32 = const 0
    %1: f32[M=${size}, K=${size}] = load a[span M=${size} from %0, span K=${size} from %0] fill 0
    %2: f32[N=${size}, K=${size}] = load b[span N=${size} from %0, span K=${size} from %0] fill 0
    %3: f32[M=${size}, N=${size}] = dot %1, %2 over K
    store c[span M=${size} from %0, span N=${size} from %0] = %3
  }`;
  const shape = [size, size];
  const t = {
    a: tensor("f32", shape, Math.sin),
    b: tensor("f32", shape, Math.cos),
    c: tensor("f32", shape, () => 0),
  };
  benchText(
    `dot f32 ${size}³ with loads and store`,
    text,
    t,
    1,
    (us) => `${((2 * size ** 3) / us / 1e3).toFixed(2)} GFLOP/s`,
  );
}

/** A chain of `ops` elementwise ops on tiny tiles that cannot fuse, as the time of one op of one program. */
function benchOverhead(): void {
  const ops = 100;
  const lines = Array.from(
    { length: ops },
    (_, i) => `%${i + 2}: f32[A=4] = scan sum %${i + 1} over A`,
  );
  const text = `kernel chain(x: in f32[4], y: out f32[4]) {
    %0: i32 = const 0
    %1: f32[A=4] = load x[span A=4 from %0] fill 0
    ${lines.join("\n    ")}
    store y[span A=4 from %0] = %${ops + 1}
  }`;
  const t = { x: tensor("f32", [4], () => 0), y: tensor("f32", [4], () => 0) };
  benchText(
    "100 scans of 4 elements, 50 programs",
    text,
    t,
    50,
    (us) => `${((1000 * us) / 50 / ops).toFixed(1)} ns an op`,
  );
}

function benchElementwise(dtype: DType): void {
  const n = 65536;
  const text = `kernel chain(x: in ${dtype}[${n}], y: out ${dtype}[${n}]) {
    %0: i32 = const 0
    %1: ${dtype}[A=${n}] = load x[span A=${n} from %0] fill 0
    %2: f32[A=${n}] = cast %1
    %3: f32[A=${n}] = mul %2, %2
    %4: f32[A=${n}] = add %3, %2
    %5: ${dtype}[A=${n}] = cast %4
    store y[span A=${n} from %0] = %5
  }`;
  const t = { x: tensor(dtype, [n], Math.sin), y: tensor(dtype, [n], () => 0) };
  benchText(
    `load, mul, add, store ${dtype}[${n}]`,
    text,
    t,
    1,
    (us) => `${((1000 * us) / n).toFixed(2)} ns an element`,
  );
}

interface KernelCase {
  readonly name: string;
  readonly kernel: KernelDefinition;
  readonly spec: Specialization;
  readonly tensors: Readonly<Record<string, TensorArgument>>;
  readonly dims: Readonly<Record<string, number>>;
  readonly scalars?: Readonly<Record<string, number>>;
  readonly flops: number;
}

function benchKernel(c: KernelCase): void {
  const { tile } = lowerKernel(c.kernel, c.spec);
  const start = performance.now();
  const program = prepareInterpreter(tile, { checks: "off" });
  const prepareMs = performance.now() - start;
  const config = { ...c.kernel.config, ...c.spec.config } as Record<string, number>;
  const grid = c.kernel.grid(c.dims, config);
  const args = {
    tensors: c.tensors,
    scalars: c.scalars ?? {},
    grid: typeof grid === "number" ? [grid] : grid,
  };
  const us = bestMicroseconds(() => program.run(args));
  report(
    c.name,
    us,
    `${(c.flops / us / 1e3).toFixed(2)} GFLOP/s, prepared in ${prepareMs.toFixed(1)} ms`,
  );
}

function linearCase(
  kernel: KernelDefinition,
  dtype: DType,
  [m, n, k]: readonly [number, number, number],
  config: Readonly<Record<string, number>> = {},
): KernelCase {
  const blocks = Object.entries(config).map(([key, value]) => ` ${key}=${value}`);
  return {
    name: `${kernel.name} ${dtype} M=${m} N=${n} K=${k}${blocks.join("")}`,
    kernel,
    spec: { dtypes: { T: dtype, O: dtype }, config },
    tensors: {
      x: tensor(dtype, [m, k], Math.sin),
      w: tensor(dtype, [n, k], Math.cos),
      y: tensor(dtype, [m, n], () => 0),
    },
    dims: { M: m, N: n, K: k },
    flops: 2 * m * n * k,
  };
}

function rmsCase(rows: number, h: number): KernelCase {
  return {
    name: `rms_norm bf16 R=${rows} H=${h}`,
    kernel: kernels.rmsNorm,
    spec: { dtypes: { T: "bf16" }, dims: { H: h } },
    tensors: {
      x: tensor("bf16", [rows, h], Math.sin),
      w: tensor("bf16", [h], Math.cos),
      y: tensor("bf16", [rows, h], () => 0),
    },
    dims: { R: rows, H: h },
    scalars: { eps: 1e-5 },
    flops: 4 * rows * h,
  };
}

function decodeCase(dtype: DType, sequences: number, length: number): KernelCase {
  const [heads, group, depth, page] = [4, 2, 32, 16];
  const pages = Math.ceil(length / page);
  const cache = [sequences * pages, page, heads, depth];
  return {
    name: `paged_decode ${dtype} S=${sequences} len=${length} heads=${heads}x${group} D=${depth}`,
    kernel: kernels.pagedDecode,
    spec: { dtypes: { T: dtype }, dims: { G: group, D: depth, PAGE: page } },
    tensors: {
      q: tensor(dtype, [sequences, heads, group, depth], Math.sin),
      kCache: tensor(dtype, cache, Math.cos),
      vCache: tensor(dtype, cache, Math.sin),
      table: {
        data: encodeArray(
          "i32",
          Array.from({ length: sequences * pages }, (_, i) => i),
        ),
        shape: [sequences, pages],
      },
      lens: { data: encodeArray("i32", new Array(sequences).fill(length)), shape: [sequences] },
      partial: tensor("f32", [sequences + 1, heads, group, depth], () => 0),
      lse: tensor("f32", [sequences + 1, heads, group], () => 0),
    },
    dims: {
      S: sequences,
      HKV: heads,
      G: group,
      D: depth,
      NB: sequences * pages,
      PAGE: page,
      MAXB: pages,
      P: sequences + 1,
    },
    scalars: { scale: depth ** -0.5, vScale: 1, window: 0 },
    flops: 4 * sequences * heads * group * depth * length,
  };
}

function prefillCase(dtype: DType, n: number): KernelCase {
  const [heads, kvHeads, depth, page] = [8, 4, 32, 16];
  const pages = Math.ceil(n / page);
  return {
    name: `prefill_attention ${dtype} N=${n} heads=${heads}/${kvHeads} D=${depth}`,
    kernel: kernels.prefillAttention,
    spec: { dtypes: { T: dtype }, dims: { D: depth, PAGE: page } },
    tensors: {
      q: tensor(dtype, [n, heads, depth], Math.sin),
      kCache: tensor(dtype, [pages, page, kvHeads, depth], Math.cos),
      vCache: tensor(dtype, [pages, page, kvHeads, depth], Math.sin),
      table: {
        data: encodeArray(
          "i32",
          Array.from({ length: pages }, (_, i) => i),
        ),
        shape: [1, pages],
      },
      queryStart: { data: encodeArray("i32", [0, n]), shape: [2] },
      lens: { data: encodeArray("i32", [n]), shape: [1] },
      o: tensor(dtype, [n, heads, depth], () => 0),
    },
    dims: {
      N: n,
      HQ: heads,
      HKV: kvHeads,
      D: depth,
      NB: pages,
      PAGE: page,
      S: 1,
      S1: 2,
      MAXB: pages,
    },
    scalars: { scale: depth ** -0.5, vScale: 1, window: 0 },
    flops: 2 * n * n * heads * depth,
  };
}

function sampleCase(vocabulary: number): KernelCase {
  const one = (dtype: DType, value: number): TensorArgument => tensor(dtype, [1], () => value);
  return {
    name: `sample V=${vocabulary}, temperature 0.8, top-k 40, top-p 0.9`,
    kernel: kernels.sample,
    spec: {},
    tensors: {
      logits: tensor("f32", [1, vocabulary], (i) => 5 * Math.sin(i * i)),
      temperature: one("f32", 0.8),
      topK: one("i32", 40),
      topP: one("f32", 0.9),
      minP: one("f32", 0),
      seed: one("i32", 1),
      position: one("i32", 7),
      token: one("i32", 0),
    },
    dims: { S: 1, V: vocabulary },
    flops: vocabulary,
  };
}

for (const size of [64, 128, 256]) benchDot(size);
benchOverhead();
for (const dtype of ["f32", "bf16", "f16"] as const) benchElementwise(dtype);
for (const dtype of ["f32", "bf16"] as const) {
  benchKernel(linearCase(kernels.linear, dtype, [64, 768, 256]));
  benchKernel(linearCase(kernels.linear, dtype, [64, 768, 256], { BM: 64, BN: 256, BK: 256 }));
  benchKernel(linearCase(kernels.linear, dtype, [1, 768, 256], { BM: 1, BN: 256, BK: 256 }));
  benchKernel(linearCase(kernels.linearSmall, dtype, [1, 768, 256]));
  const lanes = { BN: 64, BK: 64, KL: 1, KV: 64 };
  benchKernel(linearCase(kernels.linearSmall, dtype, [1, 768, 256], { BM: 1, ...lanes }));
  benchKernel(linearCase(kernels.linearSmall, dtype, [8, 768, 256], { BM: 8, ...lanes }));
  const whole = { BM: 8, BN: 256, BK: 256, KL: 1, KV: 256 };
  benchKernel(linearCase(kernels.linearSmall, dtype, [8, 768, 256], whole));
  benchKernel(decodeCase(dtype, 4, 128));
  benchKernel(prefillCase(dtype, 128));
}
benchKernel(rmsCase(64, 256));
benchKernel(sampleCase(4096));
