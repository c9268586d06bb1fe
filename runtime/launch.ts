/** [runtime] Binds the arguments of a launch: checks them, names the dims, and makes the key of the specialisation. No device calls. */
import {
  type Diagnostic,
  type DType,
  isDType,
  type KernelDefinition,
  LaunchError,
  type ScalarSpec,
  type TensorSpec,
} from "../dsl/index.ts";
import type { Device, DeviceBuffer, KernelArgument, LaunchOptions, Tensor } from "./device.ts";

interface TensorSlot {
  readonly name: string;
  readonly spec: TensorSpec;
  readonly allowed: readonly DType[];
  /** Index into the dtype variables, or -1 where the dtype is fixed. */
  readonly variable: number;
  /** Per dim of the shape: index into the dims, or -1 - size where it is a number. */
  readonly dims: Int32Array;
}

/** Arguments of one launch in ABI order. Buffers are reused: read it before the next bind. */
export interface Bound {
  readonly key: string;
  readonly tensors: readonly Tensor[];
  readonly scalars: readonly number[];
  /** Sizes of all dims, in the order of `KernelBinding.dimNames`. */
  readonly dims: Int32Array;
  readonly dtypes: readonly (DType | undefined)[];
}

/** The argument side of one definition, prepared once. */
export class KernelBinding {
  readonly kernel: KernelDefinition;
  readonly dimNames: readonly string[];
  readonly dtypeVariables: readonly string[];
  readonly scalarNames: readonly string[];
  readonly scalarSpecs: readonly ScalarSpec[];
  readonly #tensors: readonly TensorSlot[];
  readonly #specialized: readonly boolean[];
  /** Dims that are part of a stride: only their divisibility matters for alignment. */
  readonly #strided: readonly boolean[];
  readonly #optionKeys = new WeakMap<LaunchOptions, string>();
  readonly #functionIds = new WeakMap<object, number>();
  #nextFunctionId = 1;

  constructor(kernel: KernelDefinition) {
    this.kernel = kernel;
    this.dtypeVariables = Object.keys(kernel.dtypes);
    const dimNames: string[] = [];
    const tensors: TensorSlot[] = [];
    const scalars: [string, ScalarSpec][] = [];
    const strided = new Set<string>();
    for (const [name, spec] of Object.entries(kernel.params)) {
      if (spec.kind === "scalar") scalars.push([name, spec]);
      if (spec.kind !== "tensor") continue;
      for (const dim of spec.shape)
        if (typeof dim === "string" && !dimNames.includes(dim)) dimNames.push(dim);
      for (const dim of spec.shape.slice(1)) if (typeof dim === "string") strided.add(dim);
      tensors.push({
        name,
        spec,
        allowed: isDType(spec.dtype) ? [spec.dtype] : (kernel.dtypes[spec.dtype] ?? []),
        variable: isDType(spec.dtype) ? -1 : this.dtypeVariables.indexOf(spec.dtype),
        dims: Int32Array.from(spec.shape, (dim) =>
          typeof dim === "string" ? dimNames.indexOf(dim) : -1 - dim,
        ),
      });
    }
    this.dimNames = dimNames;
    this.#tensors = tensors;
    this.scalarNames = scalars.map(([name]) => name);
    this.scalarSpecs = scalars.map(([, spec]) => spec);
    this.#specialized = dimNames.map((dim) => kernel.specialize.includes(dim));
    this.#strided = dimNames.map((dim) => strided.has(dim));
  }

  /**
   * @param isLive whether a buffer is still allocated
   * @throws LaunchError TW31xx with every argument that does not fit
   */
  bind(
    device: Device,
    args: Readonly<Record<string, KernelArgument>>,
    options: LaunchOptions | undefined,
    isLive: (buffer: DeviceBuffer) => boolean,
  ): Bound {
    const dims = new Int32Array(this.dimNames.length).fill(-1);
    const dtypes: (DType | undefined)[] = this.dtypeVariables.map(
      (name) => options?.dtypes?.[name],
    );
    const tensors: Tensor[] = [];
    let fits = true;
    for (const slot of this.#tensors) {
      const tensor = args[slot.name];
      fits &&=
        tensor !== undefined &&
        typeof tensor === "object" &&
        bindTensor(slot, tensor, device, dims, dtypes, isLive);
      if (!fits) break;
      tensors.push(tensor as Tensor);
    }
    const scalars: number[] = [];
    for (const name of this.scalarNames) {
      const value = args[name];
      if (typeof value !== "number") fits = false;
      else scalars.push(value);
    }
    const complete = fits && Object.keys(args).length === tensors.length + scalars.length;
    if (!complete || dtypes.includes(undefined)) throw this.#explain(device, args, options, isLive);
    return { key: this.#key(dims, dtypes, options), tensors, scalars, dims, dtypes };
  }

  /** Largest power of two up to 16 that divides the dim, for launch dims that are part of a stride. */
  divisibility(dims: Int32Array): Record<string, number> {
    const known: Record<string, number> = {};
    this.dimNames.forEach((name, i) => {
      if (!this.#specialized[i] && this.#strided[i]) known[name] = powerOfTwoDivisor(dims[i] ?? 1);
    });
    return known;
  }

  #key(
    dims: Int32Array,
    dtypes: readonly (DType | undefined)[],
    options: LaunchOptions | undefined,
  ): string {
    let key = dtypes.length === 0 ? "" : dtypes.join();
    for (let i = 0; i < dims.length; i++) {
      const size = dims[i] ?? 0;
      if (this.#specialized[i]) key += `,${size}`;
      else if (this.#strided[i]) key += `:${powerOfTwoDivisor(size)}`;
    }
    return options === undefined ? key : `${key};${this.#optionKey(options)}`;
  }

  #optionKey(options: LaunchOptions): string {
    const known = this.#optionKeys.get(options);
    if (known !== undefined) return known;
    const functions = Object.entries(options.functions ?? {}).map(
      ([name, fn]) => `${name}=${this.#functionId(fn)}`,
    );
    const key = `${JSON.stringify(options.config ?? {})}${functions.sort().join()}`;
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

  /** The slow path: finds all that is wrong. */
  #explain(
    device: Device,
    args: Readonly<Record<string, KernelArgument>>,
    options: LaunchOptions | undefined,
    isLive: (buffer: DeviceBuffer) => boolean,
  ): LaunchError {
    const kernel = this.kernel.name;
    const found: Diagnostic[] = [];
    const report = (
      code: Diagnostic["code"],
      message: string,
      seen: string,
      expected: string,
      remedy: string,
    ) => found.push({ code, message: `${kernel}: ${message}`, seen, expected, remedy });
    const where = new Map<string, { readonly tensor: string; readonly size: number }>();
    const variables = new Map<string, { readonly tensor: string; readonly dtype: DType }>();
    for (const { name, spec, allowed } of this.#tensors) {
      const arg = args[name];
      const shape = `${spec.dtype}[${spec.shape.join(", ")}]`;
      if (arg === undefined || typeof arg !== "object") {
        report(
          "TW3101",
          `tensor '${name}' is missing`,
          describe(arg),
          shape,
          `pass a tensor as '${name}'`,
        );
        continue;
      }
      if (arg.buffer.device !== device) {
        report(
          "TW3102",
          `tensor '${name}' lives on another device`,
          arg.buffer.device.info.name,
          device.info.name,
          "upload it to the device that launches",
        );
      } else if (!isLive(arg.buffer)) {
        report(
          "TW3103",
          `tensor '${name}' has been freed`,
          "a freed buffer",
          "a live one",
          "free a tensor only after its last launch",
        );
      }
      if (arg.shape.length !== spec.shape.length) {
        report(
          "TW3104",
          `tensor '${name}' has another rank`,
          `[${arg.shape.join(", ")}]`,
          shape,
          "reshape the tensor",
        );
        continue;
      }
      const bound = variables.get(spec.dtype);
      const given = options?.dtypes?.[spec.dtype];
      if (!allowed.includes(arg.dtype)) {
        report(
          "TW3105",
          `tensor '${name}' has a dtype that the kernel does not take`,
          arg.dtype,
          allowed.join(" or "),
          "cast it, or add the dtype to the kernel's `dtypes`",
        );
      } else if (bound !== undefined && bound.dtype !== arg.dtype) {
        report(
          "TW3106",
          `tensors '${bound.tensor}' and '${name}' must share dtype ${spec.dtype}`,
          `${bound.dtype} and ${arg.dtype}`,
          "one dtype",
          "cast one of them",
        );
      } else if (given !== undefined && given !== arg.dtype) {
        report(
          "TW3106",
          `tensor '${name}' is not of the dtype that the launch names for ${spec.dtype}`,
          arg.dtype,
          given,
          "leave `dtypes` out of the options, or cast",
        );
      } else if (!isDType(spec.dtype))
        variables.set(spec.dtype, { tensor: name, dtype: arg.dtype });
      spec.shape.forEach((dim, i) => {
        const size = arg.shape[i] ?? 0;
        const first =
          typeof dim === "string" ? where.get(dim) : { tensor: "the definition", size: dim };
        if (first === undefined) where.set(String(dim), { tensor: name, size });
        else if (first.size !== size) {
          report(
            "TW3107",
            `dim ${dim} of tensor '${name}' does not fit`,
            `${name}.${dim} = ${size}`,
            `${first.size}, as in ${first.tensor}`,
            "check the shapes of both tensors",
          );
        }
      });
    }
    for (const name of this.scalarNames) {
      if (typeof args[name] !== "number")
        report(
          "TW3108",
          `scalar '${name}' is missing`,
          describe(args[name]),
          "a number",
          `pass a number as '${name}'`,
        );
    }
    const names = new Set([...this.#tensors.map((slot) => slot.name), ...this.scalarNames]);
    for (const name of Object.keys(args)) {
      if (names.has(name)) continue;
      const isFunction = this.kernel.params[name]?.kind === "function";
      report(
        "TW3109",
        `unknown argument '${name}'`,
        name,
        [...names].join(", "),
        isFunction ? "pass it in the options, under `functions`" : "remove or rename it",
      );
    }
    this.dtypeVariables.forEach((variable) => {
      if (variables.has(variable) || options?.dtypes?.[variable] !== undefined) return;
      report(
        "TW3110",
        `dtype variable ${variable} is not bound`,
        "no tensor of that dtype",
        "a binding",
        `pass dtypes: { ${variable}: … } in the options`,
      );
    });
    return new LaunchError(found);
  }
}

function bindTensor(
  slot: TensorSlot,
  tensor: Tensor,
  device: Device,
  dims: Int32Array,
  dtypes: (DType | undefined)[],
  isLive: (buffer: DeviceBuffer) => boolean,
): boolean {
  const { shape, dtype, buffer } = tensor;
  if (shape.length !== slot.dims.length || buffer.device !== device || !isLive(buffer))
    return false;
  for (let i = 0; i < slot.dims.length; i++) {
    const dim = slot.dims[i] ?? 0;
    const size = shape[i] ?? 0;
    if (dim < 0) {
      if (-1 - dim !== size) return false;
    } else if (dims[dim] === -1) dims[dim] = size;
    else if (dims[dim] !== size) return false;
  }
  if (!slot.allowed.includes(dtype)) return false;
  if (slot.variable < 0) return true;
  dtypes[slot.variable] ??= dtype;
  return dtypes[slot.variable] === dtype;
}

function powerOfTwoDivisor(size: number): number {
  return size === 0 ? 16 : Math.min(16, size & -size);
}

function describe(value: unknown): string {
  return value === undefined
    ? "nothing"
    : typeof value === "object"
      ? "an object"
      : `${typeof value} ${String(value)}`;
}
