/** [test/browser] The page: kernels of the catalogue and one of its own, compiled in the browser, run by WebGPU and by the interpreter. */
import {
  all,
  compareTensors,
  type Device,
  deviceFunction,
  fnParam,
  formatComparison,
  kernel,
  load,
  openDevice,
  out,
  pid,
  readTensor,
  store,
  type Tensor,
  tensor,
  tensorFrom,
} from "../../browser.ts";
import {
  defineKernelEntry,
  KERNEL_ENTRIES,
  type KernelEntry,
  type KernelSample,
  makeSample,
} from "../../dsl/kernels/catalogue.ts";
import type { BrowserReport, BrowserResult } from "./report.ts";

/** Kernel and sample: GEMM with an epilogue, causal prefill, paged split-KV decode, 4-bit weights, grouped experts, row norm. */
const CASES = [
  ["linear", "swizzled blocks, silu, T=f32 O=f32"],
  ["prefill_attention", "ragged with past, groups of 2, T=f32"],
  ["paged_decode", "more programs than blocks, T=f32"],
  ["linear_w4", "groups of 128, T=f32 W=u4 S=f16"],
  ["moe_gemm", "blocks of eight, T=f32 O=f32"],
  ["rms_norm", "model row, T=f32"],
] as const;

const HALF = 0.5;
const ROWS = 5;
const shrink = deviceFunction((x: number) => x * HALF);

/** A kernel as a page writes one, with a function that captures a constant. */
const mapRows = kernel(
  {
    name: "map_rows",
    params: {
      x: tensor("f32", "R", "N"),
      y: out("f32", "R", "N"),
      map: fnParam((v: number) => v),
    },
    specialize: ["N"],
    grid: ({ R }) => R,
  },
  ({ x, y, map, N }) => {
    const r = pid(0);
    store(y, [r, all(N)], map(load(x, [r, all(N)])));
  },
);

const mapRowsEntry: KernelEntry = defineKernelEntry({
  kernel: mapRows,
  samples: [
    { name: "halves", seed: 1, dims: { R: ROWS, N: 33 }, dtypes: {}, functions: { map: shrink } },
  ],
  inputs: ({ dims: { R = 0, N = 0 } }) => ({
    tensors: {
      x: {
        dtype: "f32",
        shape: [R, N],
        data: Float64Array.from({ length: R * N }, (_, i) => i - 7),
      },
    },
    scalars: {},
  }),
  reference: ({ tensors }) => ({
    y: {
      data: (tensors["x"]?.data ?? new Float64Array()).map((v) => v * HALF),
      tolerance: { kind: "exact" },
    },
  }),
  bytes: () => 0,
  flops: () => 0,
});

function samples(): readonly KernelSample[] {
  const chosen = CASES.map(([name, sample]) => {
    const entry = KERNEL_ENTRIES.find((candidate) => candidate.kernel.name === name);
    const problem = entry?.samples.find((candidate) => candidate.name === sample);
    if (entry === undefined || problem === undefined)
      throw new Error(`the catalogue has no ${name}: ${sample}`);
    return makeSample(entry, problem);
  });
  return [...chosen, ...mapRowsEntry.samples.map((problem) => makeSample(mapRowsEntry, problem))];
}

interface Outcome {
  readonly outputs: Readonly<Record<string, ArrayLike<number>>>;
  readonly prepareMs: number;
  readonly runMs: number;
}

async function runOn(device: Device, sample: KernelSample): Promise<Outcome> {
  const tensors: Record<string, Tensor> = {};
  for (const [name, { dtype, shape, data }] of Object.entries(sample.tensors))
    tensors[name] = tensorFrom(device, dtype, shape, data);
  const args = { ...tensors, ...sample.scalars };
  const { dims: _bound, ...options } = sample.specialization;
  const start = performance.now();
  await device.prepare(sample.kernel, args, options);
  const prepared = performance.now();
  device.launch(sample.kernel, args, options);
  const outputs: Record<string, ArrayLike<number>> = {};
  for (const name of Object.keys(sample.expected)) {
    const result = tensors[name];
    if (result !== undefined) outputs[name] = await readTensor(result);
  }
  return { outputs, prepareMs: prepared - start, runMs: performance.now() - prepared };
}

async function compare(gpu: Device, oracle: Device, sample: KernelSample): Promise<BrowserResult> {
  const { name } = sample;
  const head = { kernel: sample.kernel.name, sample: name };
  try {
    const seen = await runOn(gpu, sample);
    const wanted = await runOn(oracle, sample);
    const failures: string[] = [];
    let worst = 0;
    for (const [output, { tolerance, data }] of Object.entries(sample.expected)) {
      const { dtype = "f32", shape = [] } = sample.tensors[output] ?? {};
      for (const [what, expected] of [
        ["interpreter", wanted.outputs[output] ?? []],
        ["reference", data],
      ] as const) {
        const found = compareTensors(seen.outputs[output] ?? [], expected, dtype, tolerance);
        worst = Math.max(worst, found.worst);
        if (found.mismatches > 0)
          failures.push(`against the ${what}: ${formatComparison(output, shape, found)}`);
      }
    }
    const { prepareMs, runMs } = seen;
    return {
      ...head,
      passed: failures.length === 0,
      message: failures.join("\n"),
      worst,
      prepareMs,
      runMs,
    };
  } catch (error) {
    const message =
      error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error);
    return { ...head, passed: false, message, worst: Number.NaN, prepareMs: 0, runMs: 0 };
  }
}

/** What the page uses of its document; the project is typed for Node. */
interface PageElement {
  textContent: string | null;
  className: string;
  append(child: PageElement): void;
}
interface PageDocument {
  createElement(tag: string): PageElement;
  getElementById(id: string): PageElement | null;
}
const { document } = globalThis as unknown as { readonly document: PageDocument };

function show(result: BrowserResult): void {
  const row = document.createElement("tr");
  const cells = [
    result.kernel,
    result.sample,
    result.worst.toFixed(3),
    `${result.prepareMs.toFixed(0)} ms`,
    `${result.runMs.toFixed(0)} ms`,
    result.passed ? "passed" : result.message,
  ];
  for (const [i, text] of cells.entries()) {
    const cell = document.createElement("td");
    cell.textContent = text;
    if (i === cells.length - 1) cell.className = result.passed ? "passed" : "failed";
    row.append(cell);
  }
  document.getElementById("rows")?.append(row);
}

async function main(): Promise<BrowserReport> {
  const gpu = await openDevice("webgpu");
  const oracle = await openDevice("interpreter");
  const { name, features } = gpu.info;
  const label = document.getElementById("device");
  if (label !== null) label.textContent = `${name}; ${features.join(", ") || "no features"}`;
  const results: BrowserResult[] = [];
  for (const sample of samples()) {
    const result = await compare(gpu, oracle, sample);
    show(result);
    results.push(result);
  }
  await Promise.all([gpu.close(), oracle.close()]);
  return { device: name, results };
}

Object.assign(globalThis, { tilewrightReport: main() });
