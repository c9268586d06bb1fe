/** [runtime/bench] Checks outputs against what the host computes: double sums for products, the subject's reference, or the interpreter. */
import {
  compareTensors,
  formatComparison,
  LaunchError,
  type Specialization,
} from "../../dsl/index.ts";
import type { ExpectedTensor, HostTensor } from "../../dsl/kernels/catalogue.ts";
import { expectedOf } from "../conformance/expected.ts";
import { readTensor } from "../tensor.ts";
import { type CallArguments, tensorIn } from "./arguments.ts";
import type { Accumulation, CheckResult, Reference } from "./contender.ts";
import {
  type BenchSubject,
  type CompleteProblem,
  costOf,
  hostProblemOf,
  type MatmulRoles,
  tensorNames,
  tensorShape,
} from "./problem.ts";
import { spotReference } from "./spots.ts";

/** Largest work that is given to the interpreter: some ten seconds. */
const INTERPRETER_FLOPS = 5e8;
const INTERPRETER_BYTES = 2 ** 27;
/** Unit roundoff of sums on tensor cores that keep about 14 bits of 8-bit products. */
const FP8_SUM_ROUNDOFF = 2 ** -13;
const F32_ROUNDOFF = 2 ** -24;

/**
 * Expected outputs of a call, computed once on the host.
 * @param matmul roles of the tensors where the call is a plain matrix product
 */
export async function hostReference(
  args: CallArguments,
  matmul: MatmulRoles | undefined,
): Promise<Reference> {
  if (args.origin === "spots") return spotReference(args);
  const tensors = await args.hostTensors();
  return expecting(args, expectedOn(args, tensors, matmul));
}

/** A reference that compares whole outputs with values on the host; those of `hostProblem` repeat along the rows. */
export function expecting(args: CallArguments, { how, expected }: Expectation): Reference {
  return { how, check: (set, accumulation) => checkSet(args, expected, set, accumulation) };
}

/**
 * Says before anything is allocated whether there will be a reference.
 * @throws LaunchError TW3305 where only the interpreter could say what must come out and the problem is too large for it
 */
export function requireReference(subject: BenchSubject, problem: CompleteProblem): void {
  if (subject.matmul !== undefined || subject.reference !== undefined) return;
  const { bytes, flops } = costOf(subject, hostProblemOf(subject, problem));
  if (bytes > INTERPRETER_BYTES || flops > INTERPRETER_FLOPS) {
    throw new LaunchError({
      code: "TW3305",
      message: `${subject.kernel.name}: ${problem.name} is too large for the interpreter to say what must come out`,
      seen: `${bytes} bytes, ${flops} operations`,
      expected: `at most ${INTERPRETER_BYTES} bytes and ${INTERPRETER_FLOPS} operations, or a reference`,
      remedy: "give `reference` beside the kernel, a smaller problem, or `check: false`",
    });
  }
}

export interface Expectation {
  /** For the table: by whom it was computed. */
  readonly how: string;
  readonly expected: Readonly<Record<string, ExpectedTensor>>;
}

function expectedOn(
  args: CallArguments,
  tensors: Readonly<Record<string, HostTensor>>,
  matmul: MatmulRoles | undefined,
): Expectation {
  const { subject, hostProblem: problem, scalars } = args;
  // Those with scales have references of their own, or the interpreter.
  if (matmul !== undefined && matmul.scales === undefined)
    return { how: "double sums on the host", expected: productOf(tensors, matmul) };
  if (subject.reference !== undefined)
    return {
      how: "the kernel's own reference",
      expected: subject.reference({ problem, tensors, scalars }),
    };
  return { how: "the interpreter", expected: interpreted(args, tensors) };
}

function interpreted(
  { subject, hostProblem: problem, scalars }: CallArguments,
  tensors: Readonly<Record<string, HostTensor>>,
): Readonly<Record<string, ExpectedTensor>> {
  const { kernel } = subject;
  const length = Math.max(1, ...Object.values(problem.dims));
  const specialization: Specialization = {
    dtypes: problem.dtypes,
    ...(problem.config === undefined ? {} : { config: problem.config }),
    ...(problem.functions === undefined ? {} : { functions: problem.functions }),
  };
  const tolerance = Object.fromEntries(
    tensorNames(kernel, "out", "inout").map(
      (name) => [name, { kind: "rounding" as const, length }] as const,
    ),
  );
  const data = () => ({ tensors, scalars });
  const test = { group: "bench", name: problem.name, kernel, specialization, data, tolerance };
  return expectedOf({ ...test, checked: false }, data());
}

/** y = x · wᵀ (+ bias) in double precision; the scale of the bound is the largest sum of magnitudes. */
function productOf(
  tensors: Readonly<Record<string, HostTensor>>,
  roles: MatmulRoles,
): Readonly<Record<string, ExpectedTensor>> {
  const { x, w, y } = { x: tensors[roles.x], w: tensors[roles.w], y: tensors[roles.y] };
  const bias = roles.bias === undefined ? undefined : tensors[roles.bias]?.data;
  if (x === undefined || w === undefined || y === undefined)
    throw new TypeError("a product lacks a tensor");
  const [rows = 0, length = 0] = x.shape;
  const [columns = 0] = w.shape;
  const data = new Float64Array(rows * columns);
  let scale = 0;
  for (let m = 0; m < rows; m++) {
    const a = x.data.subarray(m * length, (m + 1) * length);
    for (let n = 0; n < columns; n++) {
      const b = w.data.subarray(n * length, (n + 1) * length);
      let total = bias?.[n] ?? 0;
      let magnitude = Math.abs(total);
      for (let k = 0; k < length; k++) {
        const term = (a[k] ?? 0) * (b[k] ?? 0);
        total += term;
        magnitude += Math.abs(term);
      }
      data[m * columns + n] = total;
      if (magnitude > scale) scale = magnitude;
    }
  }
  return { [roles.y]: { data, tolerance: { kind: "rounding", length, scale } } };
}

async function checkSet(
  args: CallArguments,
  expected: Readonly<Record<string, ExpectedTensor>>,
  set: number,
  accumulation: Accumulation,
): Promise<CheckResult> {
  const { kernel } = args.subject;
  const messages: string[] = [];
  let [worst, elements] = [0, 0];
  for (const [name, { data, tolerance }] of Object.entries(expected)) {
    const { dtype, shape } = tensorShape(kernel, args.problem, name);
    const actual = await readTensor(tensorIn(args.sets[set], name));
    const bound = tolerance.kind === "rounding" ? looser(tolerance, accumulation) : tolerance;
    // Where rows repeat, the reference holds the first of them; otherwise it is one piece.
    for (let start = 0; start < actual.length || start === 0; start += Math.max(1, data.length)) {
      const piece = actual.subarray(start, start + data.length);
      const comparison = compareTensors(piece, data.subarray(0, piece.length), dtype, bound);
      worst = Math.max(worst, comparison.worst);
      elements += comparison.count;
      if (comparison.mismatches === 0) continue;
      const first = comparison.first.map((m) => ({ ...m, index: m.index + start }));
      messages.push(formatComparison(name, shape, { ...comparison, first }));
      break;
    }
  }
  const message = messages.length === 0 ? {} : { message: `set ${set}: ${messages.join("\n")}` };
  return { passed: messages.length === 0, worst, elements, ...message };
}

/** Sums that keep fewer bits than f32 are bounded by as much larger a scale. */
function looser<T extends { readonly scale?: number }>(
  tolerance: T,
  accumulation: Accumulation,
): T {
  if (accumulation === "f32" || tolerance.scale === undefined) return tolerance;
  return { ...tolerance, scale: tolerance.scale * sumLooseness(accumulation) };
}

/** Factor between the roundoff of a way of summing and that of f32; sums of magnitudes hardly ever all round the same way. */
export function sumLooseness(accumulation: Accumulation): number {
  return accumulation === "f32" ? 1 : FP8_SUM_ROUNDOFF / F32_ROUNDOFF / 32;
}
