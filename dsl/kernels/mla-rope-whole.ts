/** [dsl/kernels] Queries of latent attention (MLA) with their last dims rotated, as the unabsorbed form takes them. */
import { storageBytes } from "../core/dtype.ts";
import { kernel, out, tensor } from "../language.ts";
import { all, axis, cast, cdiv, gather, iota, load, pid, span, store } from "../ops/catalogue.ts";
import {
  defineKernelEntry,
  dimOf,
  dtypeOf,
  forDTypes,
  type ReferenceCall,
  tensorOf,
} from "./define-kernel-entry.ts";
import { ROPE_PROBLEMS, ropeInputs, rotatedElements } from "./mla-rope.ts";
import { rotatedPairs } from "./mla-samples.ts";
import { editable, elementAt } from "./sample-data.ts";

/**
 * Like `mlaRope`, with the dims that are not rotated before those that are: a whole query for `raggedAttention`.
 * @param q `[N, H, DQ]`
 * @param positions i32 `[N]`, rows of `cosSin`
 * @param cosSin f32 `[P, 2, D2]`: cosines, then sines
 * @returns y `[N, H, DQ]`, DQ above 2·D2
 * @source arXiv 2405.04434 section 2.1.3 (decoupled rotary embedding)
 */
export const mlaRopeWhole = kernel(
  {
    name: "mla_rope_whole",
    dtypes: { T: ["f32", "f16", "bf16"] },
    params: {
      q: tensor("T", "N", "H", "DQ"),
      positions: tensor("i32", "N"),
      cosSin: tensor("f32", "P", 2, "D2"),
      y: out("T", "N", "H", "DQ"),
    },
    config: { BH: 8, INTERLEAVED: true },
    tune: { BH: [1, 2, 4, 8, 16] },
    specialize: ["DQ", "D2"],
    grid: ({ N, H }, { BH }) => [N, cdiv(H, BH)],
  },
  ({ q, positions, cosSin, y: whole, H, DQ, D2, T }, { BH, INTERLEAVED }) => {
    const n = pid(0);
    const position = load(positions, [n]);
    const cos = load(cosSin, [position, 0, all(D2)]);
    const sin = load(cosSin, [position, 1, all(D2)]);
    const i = iota(D2);
    const heads = span(pid(1) * BH, BH, H);
    const plain = DQ - 2 * D2;
    const first = plain + (INTERLEAVED ? 2 * i : i);
    const x = cast(load(q, [n, heads, gather(first)]), "f32");
    const y = cast(load(q, [n, heads, gather(first + (INTERLEAVED ? 1 : D2))]), "f32");
    store(whole, [n, heads, span(plain, D2)], cast(x * cos - y * sin, T));
    store(whole, [n, heads, span(plain + D2, D2)], cast(y * cos + x * sin, T));
    const rest = span(0, axis("DP", plain));
    store(whole, [n, heads, rest], load(q, [n, heads, rest]));
  },
);

function reference(call: ReferenceCall) {
  const q = tensorOf(call, "q");
  const whole = editable(tensorOf(call, "y"));
  const [tokens = 0, heads = 0, width = 0] = q.shape;
  const plain = width - 2 * dimOf(call.problem, "D2");
  for (let n = 0; n < tokens; n++) {
    for (let h = 0; h < heads; h++) {
      const pairs = rotatedPairs(call, n, (i) => elementAt(q, n, h, plain + i));
      const first = Array.from({ length: plain }, (_, d) => elementAt(q, n, h, d));
      whole.setRow([...first, ...pairs], n, h);
    }
  }
  const tolerance = { kind: "rounding" as const, length: 2, scale: 5 };
  return { y: { data: whole.data, tolerance } };
}

export const mlaRopeWholeEntry = defineKernelEntry({
  kernel: mlaRopeWhole,
  samples: forDTypes(
    "T",
    ["f32", "f16", "bf16"],
    ROPE_PROBLEMS.map(({ dims: { DR: _, ...dims }, ...problem }) => ({ ...problem, dims })),
  ),
  inputs: ropeInputs,
  reference,
  bytes: (problem) => {
    const [n, h, width] = [dimOf(problem, "N"), dimOf(problem, "H"), dimOf(problem, "DQ")];
    return 2 * storageBytes(dtypeOf(problem, "T"), n * h * width);
  },
  flops: (problem) => 3 * rotatedElements(problem),
});
