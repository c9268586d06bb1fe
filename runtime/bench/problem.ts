/** [runtime/bench] What is measured: a kernel with its costs, and problems that fix sizes and types. Allocates nothing. */
import {
  type DType,
  isDType,
  type KernelDefinition,
  LaunchError,
  storageBytes,
} from "../../dsl/index.ts";
import type {
  ExpectedTensor,
  KernelInputs,
  Problem,
  ReferenceCall,
  SpotCheck,
} from "../../dsl/kernels/catalogue.ts";
import { elementsOf } from "../tensor.ts";

/** Tensors of a kernel that computes y = x · wᵀ (+ bias), x `[M, K]`, w `[N, K]`, y `[M, N]`, bias `[N]`, by parameter name. */
export interface MatmulRoles {
  readonly x: string;
  readonly w: string;
  readonly y: string;
  readonly bias?: string;
  /**
   * Scales of the operands, f32: `[1]` for all, `[rows]` for each row, or for groups of 128 columns: of x `[groups, M]`, of w
   * `[cdiv(N, 128), groups]`. With scales the bias counts as zero where a vendor cannot add it; the harness makes it so.
   */
  readonly scales?: { readonly x: string; readonly w: string };
}

/** Tensors of a kernel that computes softmax(scale · q · kᵀ) · v, by parameter name; heads of q in groups share those of k and v. */
export interface AttentionRoles {
  /** `[B, L, HQ, D]`, like o; k and v `[B, LK, HKV, D]`. */
  readonly q: string;
  readonly k: string;
  readonly v: string;
  readonly o: string;
  /** Scalar that scores are multiplied by. */
  readonly scale: string;
  /** Value of the config that is 0 where every query sees every key. */
  readonly causal: string;
}

/** A kernel and what the harness must know of it. The entries of the catalogue are such subjects. */
export interface BenchSubject {
  readonly kernel: KernelDefinition;
  /** Contents of the tensors that are read, and scalars; random numbers and the problem's `scalars` where absent. */
  readonly inputs?: (problem: Problem) => KernelInputs;
  /** What must come out; where absent the interpreter says it. */
  readonly reference?: (call: ReferenceCall) => Readonly<Record<string, ExpectedTensor>>;
  /** Bytes that must move at least; where absent every tensor once, and those read and written twice. */
  readonly bytes?: (problem: Problem) => number;
  /** Floating-point operations, a multiply-add counted as two; none where absent. */
  readonly flops?: (problem: Problem) => number;
  /** Given where a vendor's matrix product computes the same, so that it runs as a peer and large outputs are checked on the device. */
  readonly matmul?: MatmulRoles;
  /** Likewise for attention. */
  readonly attention?: AttentionRoles;
  /**
   * Name of the first dim of some tensors, along which every index is computed alike and apart from the others. Large problems then repeat the
   * inputs and the reference of a few rows, with a prime period, instead of making them all on the host.
   */
  readonly rows?: string;
  /** Given where large problems are filled on the device and checked at some elements. */
  readonly spots?: SpotCheck;
}

/** Sizes and types of one call; what is absent is filled in by `completeProblem`. */
export interface BenchProblem extends Partial<Problem> {
  readonly dims: Readonly<Record<string, number>>;
  /** Scalar parameters of kernels whose subject makes no inputs. */
  readonly scalars?: Readonly<Record<string, number>>;
}

/** A problem with nothing left open. */
export interface CompleteProblem extends Problem {
  readonly scalars: Readonly<Record<string, number>>;
}

/** Kernels of the catalogue that are a matrix product, with or without a bias. */
const LINEAR = /^linear(_bias)?(_small)?$/;
/** Those with 8-bit operands, scales and a bias. */
const SCALED = /^linear_(fp8(_tensor|_block)?|int8)$/;
/** Kernels of the catalogue that treat rows alike and apart, with their dim of rows. */
const ROWS: Readonly<Record<string, string>> = {
  add_rms_norm: "R",
  add_rms_norm_quantize: "R",
  quantize_rows: "R",
  quantize_static: "R",
  rms_norm: "R",
  rms_norm_quantize: "R",
  silu_and_mul: "R",
  silu_and_mul_quantize: "R",
};

/** The kernel of the catalogue that attends over whole tensors. */
const ATTENTION: Readonly<Record<string, AttentionRoles>> = {
  attention: { q: "q", k: "k", v: "v", o: "o", scale: "scale", causal: "CAUSAL" },
};

/** Inputs with more elements than this are made on the device, or of repeated rows, where the kernel allows it. */
export const HOST_ELEMENTS = 2 ** 21;
/** Rows that a large problem of like rows repeats; prime, so that no block of a kernel falls in step with them. */
const PERIOD = 251;

export function subjectOf(what: KernelDefinition | BenchSubject): BenchSubject {
  const subject: BenchSubject = "kernel" in what ? what : { kernel: what };
  // Only entries of the catalogue are known by name: a kernel alone may happen to be named like one.
  if (subject.inputs === undefined || subject.reference === undefined) return subject;
  const attention = ATTENTION[subject.kernel.name];
  if (attention !== undefined && subject.attention === undefined) return { ...subject, attention };
  const rows = ROWS[subject.kernel.name];
  if (rows !== undefined && subject.rows === undefined) return { ...subject, rows };
  if (subject.matmul === undefined && SCALED.test(subject.kernel.name)) {
    const scales = { x: "xScale", w: "wScale" };
    return { ...subject, matmul: { x: "x", w: "w", y: "y", bias: "bias", scales } };
  }
  const [isLinear, bias] = LINEAR.exec(subject.kernel.name) ?? [];
  if (subject.matmul !== undefined || isLinear === undefined) return subject;
  const roles = { x: "x", w: "w", y: "y", ...(bias === undefined ? {} : { bias: "bias" }) };
  return { ...subject, matmul: roles };
}

/** Names of all dims, in the order in which the tensors first name them; M, N, K stand so where all three are there. */
export function dimNamesOf(kernel: KernelDefinition): readonly string[] {
  const names = new Set<string>();
  for (const spec of Object.values(kernel.params))
    if (spec.kind === "tensor")
      for (const dim of spec.shape) if (typeof dim === "string") names.add(dim);
  const order = ["M", "N", "K"];
  if (!order.every((name) => names.has(name))) return [...names];
  return [...order, ...[...names].filter((name) => !order.includes(name))];
}

/**
 * Fills in name, seed and the first dtype that each variable allows.
 * @throws LaunchError TW3301 for dims without a size, TW3302 for dtypes that the kernel does not allow
 */
export function completeProblem(kernel: KernelDefinition, problem: BenchProblem): CompleteProblem {
  const names = dimNamesOf(kernel);
  const missing = names.filter((name) => problem.dims[name] === undefined);
  const unknown = Object.keys(problem.dims).filter((name) => !names.includes(name));
  const bad = Object.entries(problem.dims).filter(([, n]) => !Number.isInteger(n) || n < 0);
  if (missing.length + unknown.length + bad.length > 0) {
    const given = Object.entries(problem.dims).map(([name, size]) => `${name}=${size}`);
    throw new LaunchError({
      code: "TW3301",
      message: `a problem does not fit the dims of kernel '${kernel.name}'`,
      seen: given.join(",") || "no sizes",
      expected: `a whole number for each of ${names.join(", ")}${missing.length === 0 ? "" : `; ${missing.join(", ")} missing`}${unknown.length === 0 ? "" : `; ${unknown.join(", ")} unknown`}`,
      remedy: `give ${names.map((name) => `${name}=…`).join(",")}`,
    });
  }
  const dtypes: Record<string, DType> = {};
  for (const [variable, allowed] of Object.entries(kernel.dtypes)) {
    const dtype = problem.dtypes?.[variable] ?? allowed[0];
    if (dtype === undefined || !allowed.includes(dtype)) {
      throw new LaunchError({
        code: "TW3302",
        message: `kernel '${kernel.name}' does not take this dtype for ${variable}`,
        seen: String(dtype),
        expected: allowed.join(", "),
        remedy: "choose one of these",
      });
    }
    dtypes[variable] = dtype;
  }
  const name = problem.name ?? names.map((dim) => `${dim}=${problem.dims[dim]}`).join(" ");
  return { seed: 1, scalars: {}, ...problem, name, dtypes };
}

/** Dtype and shape of a tensor parameter. */
export function tensorShape(
  kernel: KernelDefinition,
  problem: Pick<Problem, "dims" | "dtypes">,
  name: string,
): { readonly dtype: DType; readonly shape: readonly number[] } {
  const spec = kernel.params[name];
  if (spec?.kind !== "tensor") throw new TypeError(`${kernel.name} has no tensor ${name}`);
  const dtype = isDType(spec.dtype) ? spec.dtype : problem.dtypes[spec.dtype];
  if (dtype === undefined) throw new TypeError(`${kernel.name}: ${spec.dtype} is not bound`);
  const shape = spec.shape.map((dim) => (typeof dim === "string" ? (problem.dims[dim] ?? 0) : dim));
  return { dtype, shape };
}

/** Names of the tensor parameters with the given access. */
export function tensorNames(
  kernel: KernelDefinition,
  ...access: readonly ("in" | "out" | "inout")[]
): readonly string[] {
  return Object.entries(kernel.params).flatMap(([name, spec]) =>
    spec.kind === "tensor" && access.includes(spec.access) ? [name] : [],
  );
}

/** Bytes and operations of a problem, by the subject's formulas or by its tensors. */
export function costOf(
  { kernel, bytes, flops }: BenchSubject,
  problem: CompleteProblem,
): { readonly bytes: number; readonly flops: number } {
  const own = () =>
    Object.entries(kernel.params).reduce((sum, [name, spec]) => {
      if (spec.kind !== "tensor") return sum;
      const { dtype, shape } = tensorShape(kernel, problem, name);
      const size = storageBytes(
        dtype,
        shape.reduce((n, s) => n * s, 1),
      );
      return sum + size * (spec.access === "inout" ? 2 : 1);
    }, 0);
  return { bytes: bytes?.(problem) ?? own(), flops: flops?.(problem) ?? 0 };
}

/** Elements of the tensors that are read. */
export function inputElements(kernel: KernelDefinition, problem: CompleteProblem): number {
  return tensorNames(kernel, "in", "inout").reduce(
    (sum, name) => sum + elementsOf(tensorShape(kernel, problem, name).shape),
    0,
  );
}

/** What inputs and reference are made for: the problem, or fewer rows where it is large and its rows are alike. */
export function hostProblemOf(
  { kernel, rows }: BenchSubject,
  problem: CompleteProblem,
): CompleteProblem {
  if (rows === undefined || (problem.dims[rows] ?? 0) <= PERIOD) return problem;
  if (inputElements(kernel, problem) <= HOST_ELEMENTS) return problem;
  const isWhole = tensorNames(kernel, "in", "inout").every((name) => {
    const spec = kernel.params[name];
    if (spec?.kind !== "tensor" || spec.shape[0] !== rows) return true;
    const { dtype, shape } = tensorShape(kernel, problem, name);
    return storageBytes(dtype, elementsOf(shape.slice(1))) % 4 === 0; // copies are of whole words
  });
  // A tensor repeats with its rows only where they are what its dims begin with, but for dims of one.
  const isOuter = tensorNames(kernel, "in", "inout", "out").every((name) => {
    const spec = kernel.params[name];
    const at = spec?.kind === "tensor" ? spec.shape.indexOf(rows) : -1;
    return tensorShape(kernel, problem, name)
      .shape.slice(0, Math.max(0, at))
      .every((size) => size === 1);
  });
  return isWhole && isOuter ? { ...problem, dims: { ...problem.dims, [rows]: PERIOD } } : problem;
}
