/** [runtime/bench] Our own kernels as contenders: one for each config that is to be measured. */
import { type KernelDefinition, TilewrightError } from "../../dsl/index.ts";
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
  const launchArguments = args.sets.map((set): Readonly<Record<string, KernelArgument>> => {
    return { ...set, ...args.scalars };
  });
  const plain = launchOptions(args, config);
  let streamed: { readonly stream: Stream; readonly options: LaunchOptions } | undefined;
  return {
    name: kernel.name,
    role: "own",
    detail,
    run(set, stream) {
      if (stream !== undefined && streamed?.stream !== stream)
        streamed = { stream, options: Object.freeze({ ...plain, stream }) };
      const options = stream === undefined ? plain : streamed?.options;
      args.device.launch(kernel, launchArguments[set] ?? {}, options);
    },
  };
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
    await device.prepare(kernel, { ...args.sets[0], ...args.scalars }, launchOptions(args, config));
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
