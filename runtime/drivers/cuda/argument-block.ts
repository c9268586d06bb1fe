/** [runtime/drivers] The argument slots of one CUDA kernel, patched in place before each launch: pointers, words, the true grid, tensor maps. */
import type { Artifact } from "../../../codegen/index.ts";
import { invariant } from "../../../dsl/index.ts";
import type { Tensor } from "../../device.ts";
import { type NativeMemory, TensorMapCache } from "./tensor-map-cache.ts";

interface MapSlot {
  /** Of `slots`. */
  readonly slot: number;
  /** Of the tensors of a launch. */
  readonly tensor: number;
  readonly cache: TensorMapCache;
}

export class ArgumentBlock {
  /** `kernelParams` of cuLaunchKernel. */
  readonly slotsAddress: bigint;
  readonly #slots: BigUint64Array;
  readonly #pointers: BigUint64Array;
  /** Dims and scalars as the launch gives them, then the true grid where the kernel is told. */
  readonly #words: Uint32Array;
  readonly #gridAxes: readonly number[];
  readonly #numWords: number;
  readonly #maps: readonly MapSlot[];
  /** Where the text takes programs by a counter: the next launch's. */
  readonly #counter: (() => bigint) | undefined;

  constructor({ entry, params }: Pick<Artifact, "entry" | "params">, memory: NativeMemory) {
    const tensors = params.filter((param) => param.kind === "tensor");
    this.#gridAxes = params.flatMap((param) => (param.kind === "grid" ? [param.axis] : []));
    this.#numWords = params.filter((p) => p.kind === "dim" || p.kind === "scalar").length;
    const isCounted = params.some((param) => param.kind === "counter");
    this.#counter = isCounted ? () => memory.counter() : undefined;
    this.#pointers = new BigUint64Array(tensors.length + (isCounted ? 1 : 0));
    this.#words = new Uint32Array(this.#numWords + this.#gridAxes.length);
    this.#slots = new BigUint64Array(params.length);
    const pointerBase = this.#pointers.length === 0 ? 0n : memory.addressOf(this.#pointers);
    const wordBase = this.#words.length === 0 ? 0n : memory.addressOf(this.#words);
    let [pointer, word, gridWord] = [0, 0, this.#numWords];
    const maps: MapSlot[] = [];
    params.forEach((param, slot) => {
      switch (param.kind) {
        case "tensor":
          this.#slots[slot] = pointerBase + BigInt(8 * pointer++);
          break;
        case "dim":
        case "scalar":
          this.#slots[slot] = wordBase + BigInt(4 * word++);
          break;
        case "grid":
          this.#slots[slot] = wordBase + BigInt(4 * gridWord++);
          break;
        case "counter":
          this.#slots[slot] = pointerBase + BigInt(8 * tensors.length);
          break;
        case "tensor_map": {
          const tensor = tensors.findIndex(({ name }) => name === param.tensor);
          invariant(tensor >= 0, () => `${entry}: map '${param.name}' is of no tensor parameter`);
          maps.push({ slot, tensor, cache: new TensorMapCache(entry, param, memory) });
          break;
        }
        default:
          param satisfies never;
      }
    });
    this.#maps = maps;
    this.slotsAddress = params.length === 0 ? 0n : memory.addressOf(this.#slots);
  }

  /**
   * @param pointerOf device address of a tensor's first element
   * @param grid the true grid, whatever is launched
   * @throws DeviceError TW3213 where a tensor map cannot describe its tensor
   */
  patch(
    tensors: readonly Tensor[],
    pointerOf: (tensor: Tensor) => bigint,
    words: Uint32Array,
    grid: readonly [number, number, number],
  ): void {
    const pointers = this.#pointers;
    for (let i = 0; i < pointers.length; i++) {
      const tensor = tensors[i];
      if (tensor !== undefined) pointers[i] = pointerOf(tensor);
    }
    if (this.#counter !== undefined) pointers[pointers.length - 1] = this.#counter();
    this.#words.set(words);
    for (let i = 0; i < this.#gridAxes.length; i++)
      this.#words[this.#numWords + i] = grid[this.#gridAxes[i] ?? 0] ?? 1;
    for (const { slot, tensor, cache } of this.#maps) {
      const mapped = tensors[tensor];
      if (mapped === undefined) continue;
      const { dtype, shape } = mapped;
      this.#slots[slot] = cache.address({ pointer: pointers[tensor] ?? 0n, dtype, shape });
    }
  }
}
