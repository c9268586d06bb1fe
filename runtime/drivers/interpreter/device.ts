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
import type { Device, DeviceBuffer, DeviceInfo, DeviceLimits } from "../../device.ts";
import { hostData, hostMemory } from "../../host-memory.ts";
import { tensorBytes } from "../../tensor.ts";

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
  }

  alloc(bytes: number, owner: Device): DeviceBuffer {
    return hostMemory.alloc(bytes, owner);
  }
  readonly release = hostMemory.release;
  readonly write = hostMemory.write;
  readonly read = hostMemory.read;
  readonly copy = hostMemory.copy;
  readonly fill = hostMemory.fill;

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
    const named: Record<string, TensorArgument> = {};
    params.forEach(({ name }, i) => {
      const tensor = tensors[i];
      if (tensor === undefined) return;
      const { buffer, byteOffset, shape, dtype, order } = tensor;
      const bytes = hostData(buffer).subarray(byteOffset, byteOffset + tensorBytes(tensor));
      // Only read, so that what is unpacked here need not be written back.
      const data = order === undefined ? bytes : unpackBytes(order, dtype, shape, bytes);
      named[name] = { data, shape };
    });
    const scalars: Record<string, number> = {};
    scalarParams.forEach(({ name, dtype }, i) => {
      scalars[name] = readWord(words, numDims + i, dtype);
    });
    program.run({ tensors: named, scalars, grid });
  }

  async synchronize(): Promise<void> {}
  async close(): Promise<void> {}
}

function readWord(words: Uint32Array, index: number, dtype: ScalarParam["dtype"]): number {
  const word = words[index] ?? 0;
  if (dtype === "f32") return new Float32Array(Uint32Array.of(word).buffer)[0] ?? 0;
  return dtype === "u32" ? word : word | 0;
}
