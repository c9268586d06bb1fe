/** [dsl/kernels] prefill-attention.ts for heads with a sink: a score of its own that takes a share of the softmax and gives no value. */
import { kernel, tensor } from "../language.ts";
import { cast, cdiv, load, pid } from "../ops/catalogue.ts";
import { CACHE_DTYPES, inBytes, inOwnDType } from "./cache-dtypes.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type Problem,
  type Sequence,
  tensorOf,
} from "./define-kernel-entry.ts";
import {
  prefillBytes,
  prefillFlops,
  prefillInputs,
  prefillProblem,
  prefillReference,
} from "./prefill-attention.ts";
import { attendRows, PREFILL_CONFIG, PREFILL_PARAMS } from "./prefill-rows.ts";
import { elementAt, randomSource, randomTensor } from "./sample-data.ts";

/**
 * Like `prefillAttention`, with e^sink added to the sum of exponentials of each query.
 * @param sinks `[HQ]`, finite: scores of no key, after scaling
 * @returns o `[N, HQ, D]`
 * @source arXiv 2309.17453 (attention sinks), in the learned form of gpt-oss
 */
export const prefillSinkAttention = kernel(
  {
    name: "prefill_sink_attention",
    dtypes: { T: ["f32", "f16", "bf16"], C: CACHE_DTYPES },
    params: { ...PREFILL_PARAMS, sinks: tensor("T", "HQ") },
    config: PREFILL_CONFIG,
    tune: { BM: [16, 32, 64, 128], BN: [16, 32, 64, 128], stages: [1, 2, 3] },
    specialize: ["D", "PAGE"],
    grid: ({ N, HQ, S }, { BM }) => [HQ, cdiv(N, BM) + S],
  },
  (args, config) => {
    const sink = cast(load(args.sinks, [pid(0)]), "f32");
    attendRows(args, config, sink * Math.LOG2E, 1);
  },
);

const SMALL = { BM: 16, BN: 16, BS: 4 };
const seq = (queries: number, length: number): Sequence => ({ queries, length });

const SHAPES: readonly Omit<Problem, "dtypes">[] = [
  prefillProblem("one token", 1, { hq: 1, hkv: 1, d: 8, page: 4 }, [seq(1, 1)], { config: SMALL }),
  prefillProblem(
    "ragged with past, window",
    2,
    { hq: 4, hkv: 2, d: 16, page: 4 },
    [seq(5, 5), seq(1, 19), seq(17, 40)],
    { config: SMALL, options: { window: 7 } },
  ),
  prefillProblem("default blocks", 3, { hq: 4, hkv: 1, d: 64, page: 16 }, [
    seq(17, 50),
    seq(15, 15),
  ]),
];

export const prefillSinkAttentionEntry = defineKernelEntry({
  kernel: prefillSinkAttention,
  samples: [
    ...inBytes(["bf16"], SHAPES.slice(1)),
    ...inOwnDType(forDTypes("T", ["f32", "f16", "bf16"], SHAPES)),
  ],
  inputs: (problem) => {
    const { tensors, scalars } = prefillInputs(problem);
    const heads = [dimOf(problem, "HQ")];
    const sinks = randomTensor(randomSource(problem.seed + 50), dtypeOf(problem, "T"), heads);
    return { tensors: { ...tensors, sinks }, scalars };
  },
  reference: (call) => prefillReference(call, (h) => elementAt(tensorOf(call, "sinks"), h)),
  bytes: prefillBytes,
  flops: prefillFlops,
});
