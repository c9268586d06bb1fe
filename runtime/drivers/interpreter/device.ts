/** [runtime/drivers] The interpreter backend: runs tile IR on this CPU at the launch itself. Exact, portable, slow. */
import { unpackBytes } from "../../../codegen/index.ts";
import {
  DeviceError,
  type InterpreterProgram,
  IS_NODE,
  nodeModule,
  prepareInterpreter,
  readFlag,
  type ScalarParam,
  type TensorArgument,
  type TensorParam,
} from "../../../dsl/index.ts";
import type { Backend, Enqueue, Loadable, LoadedKernel } from "../../backend.ts";
import type { DeviceInfo, DeviceLimits, Tensor } from "../../device.ts";
import { hostData, hostMemory } from "../../host-memory.ts";
import { tensorBytes } from "../../tensor.ts";
import { type Memory, markWritten, writtenElements, writtenMemory } from "./written-memory.ts";

const { freemem } = nodeModule("node:os");

interface InterpretedKernel extends LoadedKernel {
  readonly program: InterpreterProgram;
  readonly tensors: readonly TensorParam[];
  readonly scalars: readonly ScalarParam[];
  /** Words of the dims that stand before those of the scalars. */
  readonly numDims: number;
}

export interface InterpreterDeviceOptions {
  /** `full` reports every access outside, unwritten or contended; see `interpret`. */
  readonly checks?: "off" | "full";
}

export class InterpreterBackend implements Backend {
  readonly info: DeviceInfo = {
    driver: "interpreter",
    name: "TypeScript interpreter",
    hardware: false,
    features: ["exact rounding of every dtype", "one thread", "last-arrival"],
    versions: IS_NODE ? { node: process.versions.node } : {},
  };
  readonly limits: DeviceLimits = {
    maxBufferBytes: 2 ** 32,
    maxThreads: 1,
    maxSharedBytes: 0,
    maxStorageBuffers: 256,
    maxGrid: [2 ** 31 - 1, 2 ** 31 - 1, 2 ** 31 - 1],
    memoryBytes: IS_NODE ? freemem() : 2 ** 30,
  };
  readonly target = undefined;
  readonly alloc: Memory["alloc"];
  readonly release: Memory["release"];
  readonly reuse?: NonNullable<Memory["reuse"]>;
  readonly write: Memory["write"];
  readonly read: Memory["read"];
  readonly copy: Memory["copy"];
  readonly fill: Memory["fill"];
  readonly #checks: "off" | "full";

  /** With the checks that TILEWRIGHT_CHECKS asks for. @throws DeviceError TW3204 for another word */
  static open(): InterpreterBackend {
    const checks = readFlag("checks") ?? "off";
    if (checks === "off" || checks === "full") return new InterpreterBackend({ checks });
    throw new DeviceError({
      code: "TW3204",
      message: "TILEWRIGHT_CHECKS is set to a word that is not known",
      seen: checks,
      expected: "full or off",
      remedy: "correct it, or leave it out",
    });
  }

  constructor(options: InterpreterDeviceOptions = {}) {
    this.#checks = options.checks ?? "off";
    const memory: Memory = this.#checks === "full" ? writtenMemory : hostMemory;
    this.alloc = memory.alloc;
    this.release = memory.release;
    if (memory.reuse !== undefined) this.reuse = memory.reuse;
    this.write = memory.write;
    this.read = memory.read;
    this.copy = memory.copy;
    this.fill = memory.fill;
  }

  load(what: Loadable): InterpretedKernel {
    if (what.kind !== "tile") {
      throw new DeviceError({
        code: "TW3212",
        message: "the interpreter was given text",
        seen: `text for ${what.artifact.target.target}`,
        expected: "tile IR",
        remedy: "launch the kernel's definition",
      });
    }
    const { tile } = what;
    return {
      entry: tile.name,
      program: prepareInterpreter(tile, { checks: this.#checks }),
      tensors: tile.params.filter((param) => param.kind === "tensor"),
      scalars: tile.params.filter((param) => param.kind === "scalar"),
      numDims: tile.dims.length,
    };
  }

  enqueue({ kernel, tensors, words, grid }: Enqueue): void {
    const {
      program,
      tensors: params,
      scalars: scalarParams,
      numDims,
    } = kernel as InterpretedKernel;
    const checks = this.#checks === "full";
    const named: Record<string, TensorArgument> = {};
    params.forEach(({ name }, i) => {
      const tensor = tensors[i];
      if (tensor === undefined) return;
      const { buffer, byteOffset, shape, dtype, order } = tensor;
      const bytes = hostData(buffer).subarray(byteOffset, byteOffset + tensorBytes(tensor));
      // Only read, so that what is unpacked here need not be written back.
      const data = order === undefined ? bytes : unpackBytes(order, dtype, shape, bytes);
      named[name] = checks
        ? { data, shape, initialised: writtenElements(tensor) }
        : { data, shape };
    });
    const scalars: Record<string, number> = {};
    scalarParams.forEach(({ name, dtype }, i) => {
      scalars[name] = readWord(words, numDims + i, dtype);
    });
    try {
      program.run({ tensors: named, scalars, grid });
    } finally {
      if (checks) this.#keepWritten(kernel as InterpretedKernel, tensors, named);
    }
  }

  /** What the programs stored, also those of a launch that ended with a report. */
  #keepWritten(
    { tensors: params }: InterpretedKernel,
    tensors: readonly Tensor[],
    named: Readonly<Record<string, TensorArgument>>,
  ): void {
    params.forEach(({ name, access }, i) => {
      const [tensor, elements] = [tensors[i], named[name]?.initialised];
      if (access !== "in" && tensor !== undefined && elements !== undefined)
        markWritten(tensor, elements);
    });
  }

  async synchronize(): Promise<void> {}
  async close(): Promise<void> {}
}

function readWord(words: Uint32Array, index: number, dtype: ScalarParam["dtype"]): number {
  const word = words[index] ?? 0;
  if (dtype === "f32") return new Float32Array(Uint32Array.of(word).buffer)[0] ?? 0;
  return dtype === "u32" ? word : word | 0;
}
