/** [runtime/bench] The tensors of a problem on the device: several sets of equal contents, outputs that can be poisoned, guards behind them. */
import type { PackedOrder } from "../../codegen/index.ts";
import { type DType, encodeArray, LaunchError, storageBytes } from "../../dsl/index.ts";
import type { HostTensor } from "../../dsl/kernels/catalogue.ts";
import type { Device, Tensor } from "../device.ts";
import { packTensor } from "../packing.ts";
import { elementsOf, emptyTensor, readTensor, tensorBytes } from "../tensor.ts";
import { usualScale } from "./attention.ts";
import type { ArgumentSet } from "./contender.ts";
import { canFillNoise, fillNoise } from "./noise.ts";
import {
  type BenchSubject,
  type CompleteProblem,
  HOST_ELEMENTS,
  hostProblemOf,
  inputElements,
  tensorNames,
  tensorShape,
} from "./problem.ts";

const GUARD_BYTES = 256;
const GUARD = 0xa5;
/** All ones: NaN in every float dtype, -1 in integers. */
const POISON = 0xff;

export class CallArguments {
  readonly device: Device;
  readonly subject: BenchSubject;
  readonly problem: CompleteProblem;
  readonly scalars: Readonly<Record<string, number>>;
  readonly sets: readonly ArgumentSet[];
  /** Where the contents of the inputs were made; `spots`: operands on the device, the rest on the host, by the subject's `spots`. */
  readonly origin: "host" | "device" | "spots";
  /** The problem that inputs and reference are made for; fewer rows than `problem` where they repeat. */
  readonly hostProblem: CompleteProblem;
  /** Tensors of a caller, which are read once and never written. */
  readonly #given: ArgumentSet | undefined;
  /** What `inout` tensors hold before each check and each round. */
  readonly #initial: ArgumentSet;
  /** The first set. */
  readonly #first: ArgumentSet;
  /** Sets with tensors in other orders, and the tensors that were made for them. */
  readonly #ordered = new Map<string, readonly ArgumentSet[]>();
  readonly #packed: Tensor[] = [];

  /**
   * @param numSets sets of tensors at addresses of their own
   * @param given contents of the tensors that are read; where absent the subject makes them, or random numbers
   * @throws LaunchError TW3303 where inputs must be given and are not, TW3304 where the device has no room
   */
  constructor(
    device: Device,
    subject: BenchSubject,
    problem: CompleteProblem,
    numSets: number,
    given?: ArgumentSet,
  ) {
    this.device = device;
    this.#given = given;
    this.subject = subject;
    this.problem = problem;
    const { kernel } = subject;
    const read = tensorNames(kernel, "in", "inout");
    this.hostProblem = hostProblemOf(subject, problem);
    this.origin = originOf(subject, problem);
    const sets: ArgumentSet[] = [];
    try {
      for (let i = 0; i < numSets; i++) sets.push(this.#allocate());
      this.sets = sets;
      this.#first = sets[0] ?? {};
      this.scalars = this.#fillFirst();
      this.#initial = Object.fromEntries(
        tensorNames(kernel, "inout").map((name) => [name, this.#copyOf(name)]),
      );
    } catch (error) {
      for (const set of sets) freeSet(device, set);
      throw error;
    }
    for (const set of sets.slice(1))
      for (const name of read) this.#copy(tensorIn(sets[0], name), tensorIn(set, name));
    for (let i = 0; i < numSets; i++) this.poison(i);
  }

  /** Makes a set as it was before any run: inputs that are written too hold their first contents, outputs hold poison. */
  poison(set: number): void {
    const { kernel } = this.subject;
    for (const name of tensorNames(kernel, "out")) {
      const { buffer } = tensorIn(this.sets[set], name);
      const bytes = guardStart(tensorIn(this.sets[set], name));
      this.device.fill(buffer, 0, bytes, POISON);
      this.device.fill(buffer, bytes, GUARD_BYTES, GUARD);
    }
    for (const [name, from] of Object.entries(this.#initial))
      this.#copy(from, tensorIn(this.sets[set], name));
  }

  /** Name of the first output of a set behind whose end something was written; undefined where none was. */
  async overrun(set: number): Promise<string | undefined> {
    for (const name of tensorNames(this.subject.kernel, "out")) {
      const tensor = tensorIn(this.sets[set], name);
      const guard = await this.device.read(tensor.buffer, guardStart(tensor), GUARD_BYTES);
      if (guard.some((byte) => byte !== GUARD)) return name;
    }
    return undefined;
  }

  /** All tensors of `hostProblem` as numbers before a run; outputs as poison. */
  async hostTensors(): Promise<Readonly<Record<string, HostTensor>>> {
    this.poison(0);
    const tensors: Record<string, HostTensor> = {};
    for (const name of Object.keys(this.sets[0] ?? {})) {
      const first = this.#firstRows(name);
      const data = Float64Array.from(await readTensor(first));
      tensors[name] = { dtype: first.dtype, shape: first.shape, data };
    }
    return tensors;
  }

  /** The sets with these tensors in the orders that are given; made once for each choice of orders. */
  inOrders(orders: Readonly<Record<string, PackedOrder>>): readonly ArgumentSet[] {
    if (Object.keys(orders).length === 0) return this.sets;
    const key = JSON.stringify(orders);
    const known = this.#ordered.get(key);
    if (known !== undefined) return known;
    const made = this.sets.map((set): ArgumentSet => {
      const packed = Object.entries(orders).map(
        ([name, order]) => [name, packTensor(tensorIn(set, name), order)] as const,
      );
      this.#packed.push(...packed.map(([, tensor]) => tensor));
      return { ...set, ...Object.fromEntries(packed) };
    });
    this.#ordered.set(key, made);
    return made;
  }

  close(): void {
    for (const set of [...this.sets, this.#initial]) freeSet(this.device, set);
    for (const { buffer } of this.#packed.splice(0)) this.device.free(buffer);
  }

  #allocate(): ArgumentSet {
    const { kernel } = this.subject;
    const set: Record<string, Tensor> = {};
    for (const [name, spec] of Object.entries(kernel.params)) {
      if (spec.kind !== "tensor") continue;
      const { dtype, shape } = tensorShape(kernel, this.problem, name);
      const buffer = this.device.alloc(guardStart({ dtype, shape }) + GUARD_BYTES);
      set[name] = { buffer, byteOffset: 0, dtype, shape };
    }
    return set;
  }

  /** Fills the first set; returns the scalars. */
  #fillFirst(): Readonly<Record<string, number>> {
    const { kernel, inputs } = this.subject;
    const first = this.#first;
    if (this.#given !== undefined) {
      for (const name of tensorNames(kernel, "in", "inout")) {
        const [from, to] = [tensorIn(this.#given, name), tensorIn(first, name)];
        const words = Math.ceil(tensorBytes(from) / 4) * 4; // some drivers copy whole words alone
        const bytes = Math.min(words, from.buffer.bytes - from.byteOffset);
        this.device.copy(from.buffer, from.byteOffset, to.buffer, 0, bytes);
      }
      return this.problem.scalars;
    }
    if (this.origin === "device" || inputs === undefined) {
      const names = tensorNames(kernel, "in", "inout");
      for (const [i, name] of names.entries()) {
        const tensor = this.#firstRows(name);
        if (!canFillNoise(tensor.dtype)) throw needsInputs(kernel.name, name, tensor.dtype);
        fillNoise(this.device, tensor, (this.problem.seed * 31 + i * 977) >>> 0, 1);
        this.#repeat(name);
      }
      this.#clearBias();
      return { ...this.#usualScalars(), ...this.problem.scalars };
    }
    const { spots } = this.subject;
    const isSpotted = this.origin === "spots" && spots !== undefined;
    if (isSpotted) this.#fillOperands(spots.noise(this.problem));
    const { tensors, scalars } = (isSpotted ? spots.inputs : inputs)(this.hostProblem);
    for (const [name, host] of Object.entries(tensors)) {
      const { buffer } = tensorIn(first, name);
      if (host.data.length > 0) this.device.write(buffer, 0, encodeArray(host.dtype, host.data));
      this.#repeat(name);
    }
    this.#clearBias();
    return { ...scalars, ...this.problem.scalars };
  }

  /** Where the subject makes no inputs, nobody says the scale of attention. */
  #usualScalars(): Readonly<Record<string, number>> {
    const { attention } = this.subject;
    if (attention === undefined) return {};
    return usualScale(attention, tensorIn(this.#first, attention.q).shape.at(-1) ?? 1);
  }

  #fillOperands(deviations: Readonly<Record<string, number>>): void {
    for (const [i, [name, deviation]] of Object.entries(deviations).entries()) {
      const seed = (this.problem.seed * 31 + i * 977) >>> 0;
      fillNoise(this.device, tensorIn(this.#first, name), seed, deviation);
    }
  }

  /** Vendors add no f32 bias to scaled products of 8 bits. */
  #clearBias(): void {
    const { bias, scales } = this.subject.matmul ?? {};
    if (bias === undefined || scales === undefined) return;
    const { buffer } = tensorIn(this.#first, bias);
    this.device.fill(buffer, 0, guardStart(tensorIn(this.#first, bias)), 0);
  }

  /** A tensor of the first set as far as `hostProblem` goes. */
  #firstRows(name: string): Tensor {
    const { shape } = tensorShape(this.subject.kernel, this.hostProblem, name);
    return { ...tensorIn(this.#first, name), shape };
  }

  /** Fills the rest of a tensor of the first set with copies of its first rows, by way of a buffer: not every device copies within one. */
  #repeat(name: string): void {
    const first = this.#firstRows(name);
    const [total, period] = [tensorBytes(tensorIn(this.#first, name)), tensorBytes(first)];
    if (period === total) return;
    const rows = this.device.alloc(period);
    this.device.copy(first.buffer, 0, rows, 0, period);
    for (let start = period; start < total; start += period)
      this.device.copy(rows, 0, first.buffer, start, Math.min(period, total - start));
    this.device.free(rows);
  }

  #copyOf(name: string): Tensor {
    const from = tensorIn(this.sets[0], name);
    const to = emptyTensor(this.device, from.dtype, from.shape);
    this.#copy(from, to);
    return to;
  }

  #copy(from: Tensor, to: Tensor): void {
    this.device.copy(from.buffer, 0, to.buffer, 0, Math.min(guardStart(from), to.buffer.bytes));
  }
}

function originOf(
  { kernel, matmul, attention, inputs, spots }: BenchSubject,
  problem: CompleteProblem,
): "host" | "device" | "spots" {
  if (inputs === undefined) return "device";
  if (inputElements(kernel, problem) <= HOST_ELEMENTS) return "host";
  if (matmul !== undefined || attention !== undefined) return "device";
  return spots === undefined ? "host" : "spots";
}

/** A tensor of a set by its parameter's name. */
export function tensorIn(set: ArgumentSet | undefined, name: string): Tensor {
  const tensor = set?.[name];
  if (tensor === undefined) throw new TypeError(`the set has no tensor ${name}`);
  return tensor;
}

function guardStart({ dtype, shape }: Pick<Tensor, "dtype" | "shape">): number {
  return Math.ceil(storageBytes(dtype, elementsOf(shape)) / 4) * 4;
}

function freeSet(device: Device, set: ArgumentSet): void {
  for (const { buffer } of Object.values(set)) device.free(buffer);
}

function needsInputs(kernel: string, name: string, dtype: DType): LaunchError {
  return new LaunchError({
    code: "TW3303",
    message: `${kernel}: tensor '${name}' cannot be filled with random numbers`,
    seen: `dtype ${dtype}, whose values may be indices`,
    expected: "`inputs` of the subject, or tensors of floats and i8 alone",
    remedy: "give `inputs: (problem) => ({ tensors, scalars })` beside the kernel",
  });
}
