/** [runtime/drivers] Encoded tensor maps of one kernel argument, kept by address and sizes: a repeated launch encodes nothing. */
import type { TensorMapParam } from "../../../codegen/index.ts";
import { type MappedTensor, type TensorMapFields, tensorMapFields } from "./tensor-map.ts";

/** How native memory is reached; tests give their own. */
export interface NativeMemory {
  /** Address of the first byte; stable while the array is referenced. */
  addressOf(array: ArrayBufferView): bigint;
  /** Writes the 128 bytes of a map to `address`. */
  encodeTensorMap(address: bigint, fields: TensorMapFields, name: string): void;
  /** Device address of a counter for one launch, never the null pointer. @throws InternalError where no text takes programs by one */
  counter(): bigint;
}

interface Entry {
  readonly shape: readonly number[];
  readonly address: bigint;
}

/** sizeof and alignof CUtensorMap. @source CUDA driver API, CUtensorMap */
export const TENSOR_MAP_BYTES = 128;
export const TENSOR_MAP_ALIGNMENT = 64;
/** Maps in one block of memory; one argument of one kernel seldom has more than a model has layers. */
const BLOCK_MAPS = 32;
/** Beyond this, buffers come and go and old maps are of no use: 512 KiB. */
const MAX_MAPS = 4096;

export class TensorMapCache {
  readonly param: TensorMapParam;
  readonly #kernel: string;
  readonly #memory: NativeMemory;
  readonly #entries = new Map<bigint, Entry[]>();
  /** Held so that the addresses in `#entries` stay valid. */
  #blocks: Uint8Array[] = [];
  #size = 0;
  #nextAddress = 0n;
  #lastPointer = -1n;
  #last: Entry | undefined;

  constructor(kernel: string, param: TensorMapParam, memory: NativeMemory) {
    this.#kernel = kernel;
    this.param = param;
    this.#memory = memory;
  }

  /**
   * Address of the encoded map of a tensor; the launch copies what lies there.
   * @throws DeviceError TW3213 where the tensor cannot be described
   */
  address(tensor: MappedTensor): bigint {
    const { pointer, shape } = tensor;
    if (
      this.#last !== undefined &&
      pointer === this.#lastPointer &&
      isSame(this.#last.shape, shape)
    )
      return this.#last.address;
    const entry =
      this.#entries.get(pointer)?.find((known) => isSame(known.shape, shape)) ??
      this.#encode(tensor);
    this.#lastPointer = pointer;
    this.#last = entry;
    return entry.address;
  }

  #encode(tensor: MappedTensor): Entry {
    const fields = tensorMapFields(this.#kernel, this.param, tensor);
    if (this.#size === MAX_MAPS) this.#clear();
    const address = this.#reserve();
    this.#memory.encodeTensorMap(address, fields, `'${this.param.name}' of '${this.#kernel}'`);
    const entry = { shape: [...tensor.shape], address };
    const siblings = this.#entries.get(tensor.pointer);
    if (siblings === undefined) this.#entries.set(tensor.pointer, [entry]);
    else siblings.push(entry);
    this.#size++;
    return entry;
  }

  #reserve(): bigint {
    if (this.#size % BLOCK_MAPS === 0) {
      const block = new Uint8Array(BLOCK_MAPS * TENSOR_MAP_BYTES + TENSOR_MAP_ALIGNMENT);
      this.#blocks.push(block);
      const step = BigInt(TENSOR_MAP_ALIGNMENT);
      const start = this.#memory.addressOf(block);
      this.#nextAddress = ((start + step - 1n) / step) * step;
    }
    const address = this.#nextAddress;
    this.#nextAddress += BigInt(TENSOR_MAP_BYTES);
    return address;
  }

  #clear(): void {
    this.#entries.clear();
    this.#blocks = [];
    this.#size = 0;
  }
}

function isSame(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
