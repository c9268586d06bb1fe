/** [runtime] Binds the arguments of a launch: checks them, names the dims, and makes the key of the specialisation. No device calls. */
import { formatOrder, type PackedOrder, type TensorOrder } from "../codegen/index.ts";
import { type DType, isDType, type KernelDefinition, type ScalarSpec } from "../dsl/index.ts";
import { type Choice, ConfigChoice, type FindWinners } from "./autotune/choice.ts";
import type { TunedConfig } from "./autotune/store.ts";
import type { Config } from "./bench/own-contender.ts";
import type { Device, DeviceBuffer, KernelArgument, LaunchOptions, Tensor } from "./device.ts";
import {
  explainLaunch,
  hasKnownKeys,
  isScalarOf,
  isTensor,
  overlap,
  type TensorSlot,
} from "./launch-errors.ts";

/** Arguments of one launch in ABI order. Arrays are reused: read them before the next bind. */
export interface Bound {
  readonly key: string;
  readonly tensors: readonly Tensor[];
  readonly scalars: readonly number[];
  /** Sizes of all dims, in the order of `KernelBinding.dimNames`. */
  readonly dims: Int32Array;
  readonly dtypes: readonly (DType | undefined)[];
  /** What the device's tuning store says, where the launch names no config. */
  readonly tuned: Config | undefined;
}

type IsLive = (buffer: DeviceBuffer) => boolean;

/** The argument side of one definition on one device, prepared once. */
export class KernelBinding {
  readonly kernel: KernelDefinition;
  readonly dimNames: readonly string[];
  readonly dtypeVariables: readonly string[];
  readonly scalarNames: readonly string[];
  readonly scalarSpecs: readonly ScalarSpec[];
  readonly #slots: readonly TensorSlot[];
  /** Indices of the slots that the kernel writes. */
  readonly #written: readonly number[];
  /** Indices of the tensors that may have an order of their own. */
  readonly #packed: readonly number[];
  readonly #specialized: readonly boolean[];
  /** Dims that are part of a stride: only their divisibility matters for alignment. */
  readonly #strided: readonly boolean[];
  readonly #choice: ConfigChoice;
  /** Values that tuning decides. */
  readonly #tuned: ReadonlySet<string>;
  readonly #optionKeys = new WeakMap<LaunchOptions, string>();
  readonly #functionIds = new WeakMap<object, number>();
  #nextFunctionId = 1;
  readonly #dims: Int32Array;
  readonly #dtypes: (DType | undefined)[];
  readonly #tensors: Tensor[] = [];
  readonly #scalars: number[] = [];

  /**
   * @param tuned entries of the tables for this kind of device
   * @param winners what was measured on this very device
   */
  constructor(kernel: KernelDefinition, tuned: readonly TunedConfig[] = [], winners?: FindWinners) {
    this.kernel = kernel;
    this.dtypeVariables = Object.keys(kernel.dtypes);
    const specs = Object.entries(kernel.params);
    const dimNames: string[] = [];
    const strided = new Set<string>();
    for (const [, spec] of specs) {
      if (spec.kind !== "tensor") continue;
      const names = spec.shape.map((dim) => (typeof dim === "string" ? dim : undefined));
      for (const name of names)
        if (name !== undefined && !dimNames.includes(name)) dimNames.push(name);
      for (const name of names.slice(1)) if (name !== undefined) strided.add(name);
    }
    this.dimNames = dimNames;
    this.#slots = specs.flatMap(([name, spec]): TensorSlot[] => {
      if (spec.kind !== "tensor") return [];
      const allowed = isDType(spec.dtype) ? [spec.dtype] : (kernel.dtypes[spec.dtype] ?? []);
      const variable = isDType(spec.dtype) ? -1 : this.dtypeVariables.indexOf(spec.dtype);
      const dims = Int32Array.from(spec.shape, (dim) =>
        typeof dim === "string" ? dimNames.indexOf(dim) : -1 - dim,
      );
      return [{ name, spec, allowed, variable, dims }];
    });
    this.#written = this.#slots.flatMap(({ spec }, i) => (spec.access === "in" ? [] : [i]));
    this.#packed = this.#slots.flatMap(({ spec }, i) => (spec.packed === true ? [i] : []));
    const scalars = specs.flatMap(([name, spec]) =>
      spec.kind === "scalar" ? [[name, spec] as const] : [],
    );
    this.scalarNames = scalars.map(([name]) => name);
    this.scalarSpecs = scalars.map(([, spec]) => spec);
    this.#specialized = dimNames.map((dim) => kernel.specialize.includes(dim));
    this.#strided = dimNames.map((dim) => strided.has(dim));
    const names = { dims: dimNames, dtypes: this.dtypeVariables };
    this.#tuned = new Set([...Object.keys(kernel.tune), "warps"]);
    this.#choice = new ConfigChoice(kernel, names, tuned, winners);
    this.#dims = new Int32Array(dimNames.length);
    this.#dtypes = this.dtypeVariables.map(() => undefined);
  }

  /**
   * @param isLive whether a buffer is still allocated
   * @throws LaunchError TW31xx with every argument that does not fit
   */
  bind(
    device: Device,
    args: Readonly<Record<string, KernelArgument>>,
    options: LaunchOptions | undefined,
    isLive: IsLive,
  ): Bound {
    const dims = this.#dims.fill(-1);
    const dtypes = this.#dtypes;
    for (let i = 0; i < dtypes.length; i++)
      dtypes[i] = options?.dtypes?.[this.dtypeVariables[i] ?? ""];
    const fits =
      typeof args === "object" &&
      args !== null &&
      this.#bindTensors(device, args, isLive) &&
      !this.#overlaps() &&
      this.#bindScalars(args) &&
      hasKnownKeys(options) &&
      countKeys(args) === this.#slots.length + this.scalarNames.length &&
      !dtypes.includes(undefined);
    if (!fits) {
      const { kernel, scalarNames, dtypeVariables } = this;
      const call = { device, args, options, isLive };
      throw explainLaunch({ kernel, slots: this.#slots, scalarNames, dtypeVariables }, call);
    }
    const tuned = this.#isOpen(options) ? this.#choice.choose(dims, dtypes) : undefined;
    const key = this.#key(dims, dtypes, options, tuned);
    const [tensors, scalars] = [this.#tensors, this.#scalars];
    return { key, tensors, scalars, dims, dtypes, tuned: tuned?.config };
  }

  /** Whether the config is left to what was tuned: none is named, or only values that are not tuned, such as what is computed. */
  #isOpen(options: LaunchOptions | undefined): boolean {
    if (options?.config === undefined) return true;
    let isOpen = false;
    for (const name in options.config) {
      if (this.#tuned.has(name)) return false;
      isOpen = this.#tuned.size > 1;
    }
    return isOpen;
  }

  /** Largest power of two up to 16 that divides the dim, for launch dims that are part of a stride. */
  divisibility(dims: Int32Array): Record<string, number> {
    const known: Record<string, number> = {};
    this.dimNames.forEach((name, i) => {
      if (!this.#specialized[i] && this.#strided[i]) known[name] = powerOfTwoDivisor(dims[i] ?? 1);
    });
    return known;
  }

  /** Launches without a config are decided anew: after tuning. */
  refreshTuning(): void {
    this.#choice.refresh();
  }

  /** How the packed tensors of a launch lie. */
  orders({ tensors }: Pick<Bound, "tensors">): Readonly<Record<string, TensorOrder>> {
    return Object.fromEntries(
      this.#packed.map((i) => [this.#slots[i]?.name ?? "", tensors[i]?.order ?? "rows"] as const),
    );
  }

  #bindTensors(
    device: Device,
    args: Readonly<Record<string, KernelArgument>>,
    isLive: IsLive,
  ): boolean {
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      if (slot === undefined) continue;
      const tensor = args[slot.name];
      if (!isTensor(tensor)) return false;
      if (tensor.buffer.device !== device || !isLive(tensor.buffer)) return false;
      if (!bindTensor(slot, tensor, this.#dims, this.#dtypes)) return false;
      this.#tensors[i] = tensor;
    }
    return true;
  }

  /** Whether a tensor that is written shares memory with another: reads and writes of one launch have no order. */
  #overlaps(): boolean {
    const written = this.#written;
    for (let k = 0; k < written.length; k++) {
      const i = written[k] ?? 0;
      const tensor = this.#tensors[i];
      for (let j = 0; j < this.#slots.length; j++) {
        const other = this.#tensors[j];
        if (j === i || tensor === undefined || other === undefined) continue;
        if (tensor.buffer === other.buffer && overlap(tensor, other)) return true;
      }
    }
    return false;
  }

  #bindScalars(args: Readonly<Record<string, KernelArgument>>): boolean {
    const names = this.scalarNames;
    for (let i = 0; i < names.length; i++) {
      const value = args[names[i] ?? ""];
      const dtype = this.scalarSpecs[i]?.dtype ?? "f32";
      if (typeof value !== "number" || !isScalarOf(dtype, value)) return false;
      this.#scalars[i] = value;
    }
    return true;
  }

  #key(
    dims: Int32Array,
    dtypes: readonly (DType | undefined)[],
    options: LaunchOptions | undefined,
    tuned: Choice | undefined,
  ): string {
    let key = tuned === undefined ? "" : tuned.name;
    for (let i = 0; i < dtypes.length; i++) key += i === 0 ? dtypes[i] : `,${dtypes[i]}`;
    for (let i = 0; i < dims.length; i++) {
      const size = dims[i] ?? 0;
      if (this.#specialized[i]) key += `,${size}`;
      else if (this.#strided[i]) key += `:${powerOfTwoDivisor(size)}`;
    }
    for (const i of this.#packed) key += `|${orderKey(this.#tensors[i])}`;
    return options?.config === undefined && options?.functions === undefined
      ? key
      : `${key};${this.#optionKey(options)}`;
  }

  #optionKey(options: LaunchOptions): string {
    const known = this.#optionKeys.get(options);
    if (known !== undefined) return known;
    const functions = Object.entries(options.functions ?? {}).map(
      ([name, fn]) => `${name}=${this.#functionId(fn)}`,
    );
    const config = options.config === undefined ? "" : JSON.stringify(options.config);
    const key = `${config}${functions.sort().join()}`;
    if (Object.isFrozen(options)) this.#optionKeys.set(options, key);
    return key;
  }

  #functionId(fn: object): number {
    let id = this.#functionIds.get(fn);
    if (id === undefined) {
      id = this.#nextFunctionId++;
      this.#functionIds.set(fn, id);
    }
    return id;
  }
}

function bindTensor(
  slot: TensorSlot,
  { shape, dtype, order }: Tensor,
  dims: Int32Array,
  dtypes: (DType | undefined)[],
): boolean {
  if (shape.length !== slot.dims.length || !slot.allowed.includes(dtype)) return false;
  if (order !== undefined && slot.spec.packed !== true) return false;
  for (let i = 0; i < slot.dims.length; i++) {
    const dim = slot.dims[i] ?? 0;
    const size = shape[i] ?? 0;
    if (dim < 0) {
      if (-1 - dim !== size) return false;
    } else if (dims[dim] === -1) dims[dim] = size;
    else if (dims[dim] !== size) return false;
  }
  if (slot.variable < 0) return true;
  dtypes[slot.variable] ??= dtype;
  return dtypes[slot.variable] === dtype;
}

/** Texts of orders already seen: orders never change. */
const ORDER_KEYS = new WeakMap<PackedOrder, string>();

function orderKey(tensor: Tensor | undefined): string {
  const order = tensor?.order;
  if (order === undefined) return "";
  const known = ORDER_KEYS.get(order);
  if (known !== undefined) return known;
  const key = formatOrder(order);
  ORDER_KEYS.set(order, key);
  return key;
}

function countKeys(record: object): number {
  let count = 0;
  for (const _ in record) count++;
  return count;
}

function powerOfTwoDivisor(size: number): number {
  return size === 0 ? 16 : Math.min(16, size & -size);
}
