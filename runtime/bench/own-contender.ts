/** [runtime/bench] Our own kernels as contenders: one for each config that is to be measured. */
import { type KernelDefinition, scheduleOf, TilewrightError } from "../../dsl/index.ts";
import type { Device, KernelArgument, LaunchOptions, Stream } from "../device.ts";
import type { CallArguments } from "./arguments.ts";
import type { Contender } from "./contender.ts";

export type Config = Readonly<Record<string, number | boolean>>;

/** `BM=128 BN=256`. */
export function showConfig(config: Config): string {
  return Object.entries(config)
    .map(([key, value]) => `${key}=${value}`)
    .join(" ");
}

/**
 * A contender that launches the kernel as a program would.
 * @param config overrides of the default; undefined: what the device gets where a launch names none
 */
export function ownContender(args: CallArguments, config: Config | undefined): Contender {
  const { kernel } = args.subject;
  const detail = showConfig(config ?? args.problem.config ?? {}) || "default config";
  const plain = launchOptions(args, config);
  let sets: ReturnType<typeof packedArguments> | undefined;
  let streamed: { readonly stream: Stream; readonly options: LaunchOptions } | undefined;
  return {
    name: kernel.name,
    role: "own",
    detail,
    ...(isFast(config ?? args.problem.config ?? kernel.config)
      ? ({ accumulation: "fp8-fast" } as const)
      : {}),
    run(set, stream) {
      if (stream !== undefined && streamed?.stream !== stream)
        streamed = { stream, options: Object.freeze({ ...plain, stream }) };
      const options = stream === undefined ? plain : streamed?.options;
      sets ??= packedArguments(args, plain);
      args.device.launch(kernel, sets[set] ?? {}, options);
    },
  };
}

/** Whether its schedule leaves the sums of 8-bit floats to the tensor core. */
function isFast(config: Config): boolean {
  return scheduleOf(config).fastSums === true;
}

/** Arguments of launches, with the tensors that the kernel takes packed in the order that its config reads best. */
function packedArguments(
  args: CallArguments,
  options: LaunchOptions,
): readonly Readonly<Record<string, KernelArgument>>[] {
  const { kernel } = args.subject;
  const plain = { ...args.sets[0], ...args.scalars };
  const isPacked = Object.values(kernel.params).some(
    (spec) => spec.kind === "tensor" && spec.packed === true,
  );
  const orders = isPacked ? args.device.packedOrders(kernel, plain, options) : {};
  return args.inOrders(orders).map((set) => ({ ...set, ...args.scalars }));
}

/**
 * Compiles ahead.
 * @returns why it cannot, in one line, or undefined
 */
export async function prepareOwn(
  device: Device,
  kernel: KernelDefinition,
  args: CallArguments,
  config: Config | undefined,
): Promise<string | undefined> {
  try {
    const options = launchOptions(args, config);
    await device.prepare(kernel, packedArguments(args, options)[0] ?? {}, options);
    return undefined;
  } catch (error) {
    if (error instanceof TilewrightError) return error.message;
    throw error;
  }
}

/** What `ownContender` launches with. */
export function launchOptions(
  { problem }: CallArguments,
  config: Config | undefined,
): LaunchOptions {
  const { dtypes, functions } = problem;
  const overrides = config ?? problem.config;
  return Object.freeze({
    dtypes,
    ...(overrides === undefined ? {} : { config: Object.freeze({ ...overrides }) }),
    ...(functions === undefined ? {} : { functions }),
  });
}
