/** [runtime/peers] Every element of an output compared on the GPU with doubles that lie there. Computes no expected value. */
import { type DType, decodeArray, formatComparison, storageBytes } from "../../dsl/index.ts";
import type { CheckResult } from "../bench/contender.ts";
import type { Device, DeviceBuffer, Tensor } from "../device.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { elementsOf } from "../tensor.ts";
import { PlainArguments, type TextModule } from "./text-module.ts";

/** KIND of check.cuh. */
export const KIND: Readonly<Partial<Record<DType, number>>> = {
  f32: 0,
  f16: 1,
  bf16: 2,
  f8e4m3: 3,
  f8e5m2: 4,
  i8: 5,
  i32: 6,
};
const THREADS = 256;
const BLOCKS = 1024;
/** Words of `found` of compare_output. */
const FOUND_WORDS = 5;

export interface ElementBound {
  readonly relative: number;
  readonly absolute: number;
}

export class WholeOutput {
  /** CUdeviceptr of the expected doubles, in the order of the output's elements. */
  readonly address: bigint;
  readonly #device: Device;
  readonly #module: TextModule;
  readonly #expected: DeviceBuffer;
  readonly #found: DeviceBuffer;

  /** @param module of check.cuh, compiled for the output's dtype; stays the caller's */
  constructor(device: Device, module: TextModule, elements: number) {
    this.#device = device;
    this.#module = module;
    this.#expected = device.alloc(elements * 8);
    this.#found = device.alloc(FOUND_WORDS * 8);
    this.address = addressOf(this.#expected);
  }

  /** @param set named in the message */
  async compare(
    name: string,
    output: Tensor,
    set: number,
    bound: ElementBound,
  ): Promise<CheckResult> {
    const elements = elementsOf(output.shape);
    this.#device.fill(this.#found, 0, FOUND_WORDS * 8, 0);
    this.#device.fill(this.#found, 8, 8, 0xff);
    const list = new PlainArguments([
      { u64: addressOfTensor(output) },
      { u64: this.address },
      { u64: BigInt(elements) },
      { f64: bound.relative },
      { f64: bound.absolute },
      { u64: addressOf(this.#found) },
    ]);
    const stream = handleOfStream(this.#device.defaultStream);
    const fn = this.#module.function({ entry: "compare_output", threads: THREADS });
    fn.launch([BLOCKS, 1, 1], stream, list.slotsAddress);
    const bytes = await this.#device.read(this.#found, 0, FOUND_WORDS * 8);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const mismatches = Number(view.getBigUint64(0, true));
    const double = (i: number) => view.getFloat64(8 * i, true);
    const relativeError = Math.sqrt(double(3) / Math.max(double(4), Number.MIN_VALUE));
    const found = { worst: double(2), relativeError, elements };
    if (mismatches === 0) return { passed: true, ...found };
    const first = await this.#first(output, Number(view.getBigUint64(8, true)), bound);
    const told = { count: elements, mismatches, first: [first], worst: Number.NaN };
    const message = `set ${set}: ${formatComparison(name, output.shape, told)}`;
    return { passed: false, ...found, message };
  }

  close(): void {
    this.#device.free(this.#expected);
    this.#device.free(this.#found);
  }

  async #first({ buffer, byteOffset, dtype }: Tensor, index: number, bound: ElementBound) {
    const size = storageBytes(dtype, 1);
    const raw = await this.#device.read(buffer, byteOffset + index * size, size);
    const want = await this.#device.read(this.#expected, index * 8, 8);
    const expected = new DataView(want.buffer, want.byteOffset).getFloat64(0, true);
    const actual = Number(decodeArray(dtype, raw, 1)[0]);
    const limit = bound.relative * Math.abs(expected) + bound.absolute;
    return { index, actual, expected, bound: limit };
  }
}

function addressOf(buffer: DeviceBuffer): bigint {
  return addressOfTensor({ buffer, byteOffset: 0, dtype: "u8", shape: [] });
}
