/** [runtime] Says what is wrong with the arguments of a launch: every one that does not fit, by name. Runs only when a launch was refused, but for the small checks that binding shares with it. */
import { formatOrder } from "../codegen/index.ts";
import {
  type Diagnostic,
  DTYPES,
  type DType,
  didYouMean,
  isDType,
  type KernelDefinition,
  LaunchError,
  SCHEDULE_REMEDY,
  type TensorSpec,
} from "../dsl/index.ts";
import type { Device, DeviceBuffer, KernelArgument, LaunchOptions, Tensor } from "./device.ts";
import { tensorBytes } from "./tensor.ts";

export interface TensorSlot {
  readonly name: string;
  readonly spec: TensorSpec;
  readonly allowed: readonly DType[];
  /** Index into the dtype variables, or -1 where the dtype is fixed. */
  readonly variable: number;
  /** Per dim of the shape: index into the dims, or -1 - size where it is a number. */
  readonly dims: Int32Array;
}

export interface LaunchParams {
  readonly kernel: KernelDefinition;
  readonly slots: readonly TensorSlot[];
  readonly scalarNames: readonly string[];
  readonly dtypeVariables: readonly string[];
}

export interface LaunchCall {
  readonly device: Device;
  readonly args: Readonly<Record<string, KernelArgument>>;
  readonly options: LaunchOptions | undefined;
  readonly isLive: (buffer: DeviceBuffer) => boolean;
}

interface Report {
  readonly code: Diagnostic["code"];
  readonly message: string;
  readonly seen: string;
  readonly expected: string;
  readonly remedy: string;
}

interface BoundDim {
  readonly tensor: string;
  readonly size: number;
}

interface BoundVariable {
  readonly tensor: string;
  readonly dtype: DType;
}

/** Host arrays and other objects are taken for tensors easily; only those with a buffer are. */
export function isTensor(value: unknown): value is Tensor {
  const tensor = value as Partial<Tensor> | null | undefined;
  return typeof tensor === "object" && tensor?.buffer !== undefined && Array.isArray(tensor.shape);
}

/** Whether two tensors of one buffer share bytes; an empty one shares none. */
export function overlap(a: Tensor, b: Tensor): boolean {
  const [bytesA, bytesB] = [tensorBytes(a), tensorBytes(b)];
  const start = Math.max(a.byteOffset, b.byteOffset);
  return bytesA > 0 && bytesB > 0 && start < Math.min(a.byteOffset + bytesA, b.byteOffset + bytesB);
}

const OPTIONS: Readonly<Record<keyof LaunchOptions, true>> = {
  config: true,
  dims: true,
  dtypes: true,
  functions: true,
  stream: true,
};

/** A misspelt option would change nothing and say nothing. */
export function hasKnownKeys(options: LaunchOptions | undefined): boolean {
  for (const key in options) if (!Object.hasOwn(OPTIONS, key)) return false;
  return true;
}

/** Everything that is wrong with a launch, as one error. */
export function explainLaunch(params: LaunchParams, given: LaunchCall): LaunchError {
  const hasArgs = typeof given.args === "object" && given.args !== null;
  const call = hasArgs ? given : { ...given, args: {} }; // every argument is missing then
  const found: Report[] = [];
  const dims = new Map<string, BoundDim>();
  const variables = new Map<string, BoundVariable>();
  for (const slot of params.slots) {
    const arg = call.args[slot.name];
    if (!isTensor(arg)) {
      found.push({
        code: "TW3101",
        message: `tensor '${slot.name}' is ${arg === undefined ? "missing" : "no tensor"}`,
        seen: describe(arg),
        expected: shapeText(slot.spec),
        remedy: `pass a tensor as '${slot.name}', made by tensorFrom(device, …) or emptyTensor(device, …)`,
      });
      continue;
    }
    found.push(...placeReports(slot, arg, call));
    if (arg.shape.length !== slot.spec.shape.length) {
      found.push({
        code: "TW3104",
        message: `tensor '${slot.name}' has another rank`,
        seen: `[${arg.shape.join(", ")}]`,
        expected: shapeText(slot.spec),
        remedy: "reshape the tensor",
      });
      continue;
    }
    found.push(...orderReports(slot, arg));
    found.push(...dtypeReports(slot, arg, call.options, variables));
    found.push(...dimReports(slot, arg, dims));
  }
  found.push(...overlapReports(params, call));
  found.push(...scalarReports(params, call), ...nameReports(params, call));
  found.push(...variableReports(params, call), ...optionReports(call));
  return new LaunchError(
    found.map((report) => ({ ...report, message: `${params.kernel.name}: ${report.message}` })),
  );
}

function placeReports({ name }: TensorSlot, { buffer }: Tensor, call: LaunchCall): Report[] {
  if (buffer.device !== call.device) {
    const [seen, expected] = [buffer.device.info.name, call.device.info.name];
    return [
      {
        code: "TW3102",
        message: `tensor '${name}' lives on another device`,
        seen: seen === expected ? `another device called ${seen}: two were opened` : seen,
        expected,
        remedy: "upload it to the device that launches; open a device once and share it",
      },
    ];
  }
  if (call.isLive(buffer)) return [];
  return [
    {
      code: "TW3103",
      message: `tensor '${name}' has been freed`,
      seen: "a freed buffer",
      expected: "a live one",
      remedy: "free a tensor only after its last launch",
    },
  ];
}

function overlapReports({ slots }: LaunchParams, { args }: LaunchCall): Report[] {
  const bound = slots.flatMap((slot) => {
    const tensor = args[slot.name];
    return isTensor(tensor) ? [{ ...slot, tensor }] : [];
  });
  const range = ({ byteOffset, ...rest }: Tensor) =>
    `bytes ${byteOffset} to ${byteOffset + tensorBytes(rest)}`;
  return bound.flatMap((one, i) =>
    bound.slice(i + 1).flatMap((other): Report[] => {
      const isWritten = one.spec.access !== "in" || other.spec.access !== "in";
      const shares = one.tensor.buffer === other.tensor.buffer;
      if (!isWritten || !shares || !overlap(one.tensor, other.tensor)) return [];
      return [
        {
          code: "TW3114",
          message: `tensors '${one.name}' and '${other.name}' overlap, and the kernel writes ${one.spec.access === "in" ? `'${other.name}'` : `'${one.name}'`}`,
          seen: `${range(one.tensor)} and ${range(other.tensor)} of one buffer`,
          expected: "memory of its own for every tensor that is written",
          remedy:
            "write into a tensor of its own; to change one in place declare it once, by inout()",
        },
      ];
    }),
  );
}

function optionReports({ options }: LaunchCall): Report[] {
  return Object.keys(options ?? {})
    .filter((name) => !Object.hasOwn(OPTIONS, name))
    .map((name) => ({
      code: "TW3115",
      message: `unknown launch option '${name}'`,
      seen: name,
      expected: Object.keys(OPTIONS).join(", "),
      remedy:
        name === "schedule"
          ? `${SCHEDULE_REMEDY}; a launch has it under \`config\``
          : `${didYouMean(name, Object.keys(OPTIONS))}remove or rename it`,
    }));
}

function orderReports({ name, spec }: TensorSlot, { order }: Tensor): Report[] {
  if (order === undefined || spec.packed === true) return [];
  return [
    {
      code: "TW3116",
      message: `tensor '${name}' is packed, but the kernel reads rows`,
      seen: formatOrder(order),
      expected: "a row-major tensor",
      remedy: `declare it packed(…) in the kernel, or pass unpackTensor(${name})`,
    },
  ];
}

function dtypeReports(
  { name, spec, allowed }: TensorSlot,
  { dtype }: Tensor,
  options: LaunchOptions | undefined,
  variables: Map<string, BoundVariable>,
): Report[] {
  if (!allowed.includes(dtype)) {
    return [
      {
        code: "TW3105",
        message: `tensor '${name}' has a dtype that the kernel does not take`,
        seen: dtype,
        expected: allowed.join(" or "),
        remedy: "cast it, or add the dtype to the kernel's `dtypes`",
      },
    ];
  }
  const bound = variables.get(spec.dtype);
  if (bound !== undefined && bound.dtype !== dtype) {
    return [
      {
        code: "TW3106",
        message: `tensors '${bound.tensor}' and '${name}' must share dtype ${spec.dtype}`,
        seen: `${bound.dtype} and ${dtype}`,
        expected: "one dtype",
        remedy: "cast one of them",
      },
    ];
  }
  const given = options?.dtypes?.[spec.dtype];
  if (given !== undefined && given !== dtype) {
    return [
      {
        code: "TW3106",
        message: `tensor '${name}' is not of the dtype that the launch names for ${spec.dtype}`,
        seen: dtype,
        expected: given,
        remedy: "leave `dtypes` out of the options, or cast",
      },
    ];
  }
  if (!isDType(spec.dtype)) variables.set(spec.dtype, { tensor: name, dtype });
  return [];
}

function dimReports(
  { name, spec }: TensorSlot,
  { shape }: Tensor,
  dims: Map<string, BoundDim>,
): Report[] {
  return spec.shape.flatMap((dim, i): Report[] => {
    const size = shape[i] ?? 0;
    const first = typeof dim === "string" ? dims.get(dim) : { tensor: "the definition", size: dim };
    if (first === undefined) dims.set(String(dim), { tensor: name, size });
    if (first === undefined || first.size === size) return [];
    return [
      {
        code: "TW3107",
        message: `dim ${dim} of tensor '${name}' does not fit`,
        seen: `${name}.${dim} = ${size}`,
        expected: `${first.size}, as in ${first.tensor}`,
        remedy: "check the shapes of both tensors",
      },
    ];
  });
}

function scalarReports({ kernel, scalarNames }: LaunchParams, { args }: LaunchCall): Report[] {
  return scalarNames.flatMap((name): Report[] => {
    const value = args[name];
    if (typeof value !== "number") {
      return [
        {
          code: "TW3108",
          message: `scalar '${name}' is ${value === undefined ? "missing" : "no number"}`,
          seen: describe(value),
          expected: "a number",
          remedy: `pass a number as '${name}'`,
        },
      ];
    }
    const spec = kernel.params[name];
    if (spec?.kind !== "scalar" || isScalarOf(spec.dtype, value)) return [];
    return [
      {
        code: "TW3113",
        message: `scalar '${name}' is no ${spec.dtype}`,
        seen: String(value),
        expected: `a whole number in the range of ${spec.dtype}`,
        remedy: "round it, or declare the scalar f32",
      },
    ];
  });
}

/** Whether a value can be passed as a scalar of the dtype without loss; every number can as a float. */
export function isScalarOf(dtype: DType, value: number): boolean {
  if (DTYPES[dtype].kind === "float") return true;
  const unsigned = dtype === "u32";
  return (
    Number.isInteger(value) &&
    value >= (unsigned ? 0 : -(2 ** 31)) &&
    value <= (unsigned ? 2 ** 32 - 1 : 2 ** 31 - 1)
  );
}

function nameReports({ kernel, slots, scalarNames }: LaunchParams, { args }: LaunchCall): Report[] {
  const names = [...slots.map((slot) => slot.name), ...scalarNames];
  return Object.keys(args)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      code: "TW3109",
      message: `unknown argument '${name}'`,
      seen: name,
      expected: names.join(", "),
      remedy:
        kernel.params[name]?.kind === "function"
          ? "pass it in the options, under `functions`"
          : `${didYouMean(name, names)}remove or rename it`,
    }));
}

/** Variables that no tensor could have bound; where one could, its own report says enough. */
function variableReports(
  { dtypeVariables, slots }: LaunchParams,
  { options }: LaunchCall,
): Report[] {
  return dtypeVariables
    .filter(
      (name) =>
        options?.dtypes?.[name] === undefined && !slots.some(({ spec }) => spec.dtype === name),
    )
    .map((name) => ({
      code: "TW3110",
      message: `dtype variable ${name} is not bound`,
      seen: "no tensor of that dtype",
      expected: "a binding",
      remedy: `pass dtypes: { ${name}: … } in the options`,
    }));
}

function shapeText(spec: TensorSpec): string {
  return `${spec.dtype}[${spec.shape.join(", ")}]`;
}

function describe(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return typeof value === "object"
    ? `a ${value.constructor.name}`
    : `${typeof value} ${String(value)}`;
}
