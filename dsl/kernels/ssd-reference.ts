/** [dsl/kernels] What the state-space kernels share: the step size that they inline, problems, and the recurrence in plain numbers. Not a kernel. */
import { storageBytes } from "../core/dtype.ts";
import { cast, exp, log, maximum, minimum, where } from "../ops/catalogue.ts";
import {
  dimOf,
  dtypeOf,
  type Problem,
  type ReferenceCall,
  type Sequence,
  scalarOf,
  tensorOf,
} from "./define-kernel-entry.ts";
import { editable, elementAt } from "./sample-data.ts";
import { batchDims, placedSequences } from "./ssm-samples.ts";

/** From here on softplus is its argument to the last bit. */
const LINEAR_FROM = 20;

/** softplus(raw + bias) within [low, high], f32. */
export function timeStep(raw: number, bias: number, low: number, high: number): number {
  const v = cast(raw, "f32") + bias;
  const soft = where(v > LINEAR_FROM, v, log(1 + exp(minimum(v, LINEAR_FROM))));
  return minimum(maximum(soft, low), high);
}

interface ScanSizes {
  readonly heads: number;
  readonly headDim: number;
  readonly stateSize: number;
  readonly groups: number;
}

export function scanProblem(
  name: string,
  seed: number,
  sequences: readonly Sequence[],
  { heads, headDim, stateSize, groups }: ScanSizes,
): Omit<Problem, "dtypes"> {
  const dtColumn = 5;
  const dims = {
    ...batchDims(sequences),
    C: heads * headDim + 2 * groups * stateSize,
    W: dtColumn + heads + 1,
    H: heads,
    P: headDim,
    NS: stateSize,
  };
  return { name, seed, sequences, dims, options: { dtColumn, groups } };
}

/** Token by token, in double precision. */
export function scanReference(call: ReferenceCall) {
  const { problem } = call;
  const [x, proj, vectors] = [tensorOf(call, "x"), tensorOf(call, "proj"), tensorOf(call, "heads")];
  const [heads, p, ns] = [dimOf(problem, "H"), dimOf(problem, "P"), dimOf(problem, "NS")];
  const groups = problem.options?.["groups"] ?? 1;
  const y = editable(tensorOf(call, "y"));
  const before = tensorOf(call, "state");
  const state = editable(before);
  for (const { slot, row, past, queries } of placedSequences(call)) {
    for (let h = 0; h < heads && queries > 0; h++) {
      const bAt = heads * p + Math.floor((h * groups) / heads) * ns;
      const cAt = bAt + groups * ns;
      const own = Float64Array.from({ length: p * ns }, (_, i) =>
        past > 0 ? elementAt(before, slot, h, Math.floor(i / ns), i % ns) : 0,
      );
      for (let t = row; t < row + queries; t++) {
        const dt = stepSize(call, elementAt(proj, t, scalarOf(call, "dtColumn") + h), h);
        const decay = Math.exp(-dt * Math.exp(elementAt(vectors, 0, h)));
        for (let d = 0; d < p; d++) {
          const input = elementAt(x, t, h * p + d);
          let total = elementAt(vectors, 1, h) * input;
          for (let n = 0; n < ns; n++) {
            const kept = (own[d * ns + n] ?? 0) * decay + dt * input * elementAt(x, t, bAt + n);
            own[d * ns + n] = kept;
            total += kept * elementAt(x, t, cAt + n);
          }
          y.set(total, t, h, d);
        }
      }
      own.forEach((value, i) => {
        state.set(value, slot, h, Math.floor(i / ns), i % ns);
      });
    }
  }
  // Steps are sums of exponentials of each other; numbers of a state grow to about ten.
  const tolerance = { kind: "rounding" as const, length: 4 * ns, scale: 40 };
  return { y: { data: y.data, tolerance }, state: { data: state.data, tolerance } };
}

function stepSize(call: ReferenceCall, raw: number, head: number): number {
  const soft = Math.log1p(Math.exp(raw + elementAt(tensorOf(call, "heads"), 2, head)));
  return Math.min(Math.max(soft, scalarOf(call, "dtMin")), scalarOf(call, "dtMax"));
}

export function scanBytes(problem: Problem): number {
  const [n, h, p] = [dimOf(problem, "N"), dimOf(problem, "H"), dimOf(problem, "P")];
  const state = dimOf(problem, "S") * h * p * dimOf(problem, "NS");
  const rows = n * (dimOf(problem, "C") + h + h * p);
  return storageBytes(dtypeOf(problem, "T"), rows) + storageBytes("f32", 2 * state);
}
