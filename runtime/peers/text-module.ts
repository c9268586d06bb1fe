/** [runtime/peers] Plain CUDA texts of the harness: compiled by NVRTC, loaded, and launched with arguments given one by one. */
import { openDiskCache } from "../disk-cache.ts";
import { NvrtcCompiler } from "../drivers/cuda/compiler.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { CudaFunction, type FunctionShape } from "../drivers/cuda/function.ts";
import { addressOf } from "../drivers/native/library.ts";
import { KernelCache } from "../kernel-cache.ts";

/** A kernel argument by value; `at` is the address of bytes that stay where they are, for structs such as tensor maps. */
export type PlainArgument =
  | { readonly u64: bigint }
  | { readonly u32: number }
  | { readonly f64: number }
  | { readonly at: bigint };

/** Argument slots that are filled once and launched many times. */
export class PlainArguments {
  readonly slotsAddress: bigint;
  /** Referenced so that the addresses in the slots stay valid. */
  readonly #values: BigUint64Array;
  readonly #slots: BigUint64Array;

  constructor(list: readonly PlainArgument[]) {
    this.#values = new BigUint64Array(list.length + 1);
    const bytes = new DataView(this.#values.buffer);
    const base = addressOf(this.#values);
    this.#slots = BigUint64Array.from(list, (argument, i) => {
      if ("at" in argument) return argument.at;
      if ("u64" in argument) bytes.setBigUint64(8 * i, argument.u64, true);
      else if ("u32" in argument) bytes.setUint32(8 * i, argument.u32, true);
      else bytes.setFloat64(8 * i, argument.f64, true);
      return base + BigInt(8 * i);
    });
    this.slotsAddress = list.length === 0 ? 0n : addressOf(this.#slots);
  }
}

export class TextModule {
  readonly #driver: CudaDriver;
  readonly #handle: bigint;

  /**
   * @param name in the compiler's messages
   * @param defines macros that stand before the text
   * @throws DeviceError TW3210 without NVRTC, TW3211 with its log where it refuses the text
   */
  constructor(
    driver: CudaDriver,
    name: string,
    text: string,
    defines: Readonly<Record<string, number>>,
  ) {
    const cubin = new NvrtcCompiler().cubin(
      { text: withDefines(text, defines), name, arch: driver.facts.arch },
      new KernelCache(openDiskCache()),
    );
    const module: [bigint] = [0n];
    driver.check(
      driver.library.cuModuleLoadData(module, cubin),
      "cuModuleLoadData",
      `of '${name}'`,
    );
    this.#driver = driver;
    this.#handle = module[0];
  }

  function(shape: Partial<FunctionShape> & Pick<FunctionShape, "entry" | "threads">): CudaFunction {
    const plain = { sharedBytes: 0, cluster: 1, dependentLaunch: false };
    return new CudaFunction(this.#driver, this.#handle, { ...plain, ...shape });
  }

  close(): void {
    this.#driver.library.cuModuleUnload(this.#handle);
  }
}

/** Macro lines before a text, in alphabetical order, so that equal constants give equal texts. */
function withDefines(text: string, defines: Readonly<Record<string, number>>): string {
  const lines = Object.keys(defines)
    .sort()
    .map((name) => `#define ${name} ${defines[name]}\n`);
  return `${lines.join("")}${text}`;
}
