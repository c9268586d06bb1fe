/** [runtime/peers] Everything that a CUDA device is compared with: cuBLAS, foreign texts, double sums, copies, clocks. */
import { nodeModule, TilewrightError } from "../../dsl/index.ts";
import { DeviceClock } from "../bench/clock.ts";
import type {
  BenchCall,
  Ceiling,
  ChipState,
  Contender,
  Peers,
  Reference,
} from "../bench/contender.ts";
import type { ForeignText } from "../bench/foreign.ts";
import { median } from "../bench/statistics.ts";
import type { Device } from "../device.ts";
import { CudaDriver } from "../drivers/cuda/driver.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { attentionReference } from "./attention-reference.ts";
import { ChipMonitor } from "./chip.ts";
import { CublasProducts } from "./cublas-products.ts";
import { CudnnAttention } from "./cudnn-attention.ts";
import { loadCudnn } from "./cudnn-library.ts";
import { deviceReference } from "./device-reference.ts";
import { foreignContenders } from "./foreign-contender.ts";
import { loadCublas } from "./library.ts";
import { PlainArguments, TextModule } from "./text-module.ts";

const { readFileSync } = nodeModule("node:fs");

/** Larger than any cache by far. */
const COPY_BYTES = 2 ** 30;
const COPY_RUNS = 20;
/** Bytes that a block of copy.cuh copies, and its threads. */
const COPY_BLOCK_BYTES = 2048 * 16;
const COPY_THREADS = 512;

export class CudaPeers implements Peers {
  readonly notes: string[] = [];
  readonly #device: Device;
  readonly #driver: CudaDriver;
  readonly #foreign: readonly ForeignText[];
  readonly #products: CublasProducts | undefined;
  readonly #attention: CudnnAttention | undefined;
  readonly #chip: ChipMonitor;

  /** @throws DeviceError TW3201, TW3202 where the driver cannot be reached */
  constructor(device: Device, foreign: readonly ForeignText[]) {
    this.#device = device;
    this.#foreign = foreign;
    this.#driver = new CudaDriver();
    this.#chip = new ChipMonitor(this.#driver);
    if (this.#chip.note !== undefined) this.notes.push(this.#chip.note);
    const libraries = loadCublas();
    if (typeof libraries === "string") this.notes.push(libraries);
    else {
      this.#products = new CublasProducts(device, this.#driver, libraries);
      const gemmEx = libraries.cublas === undefined ? "; cuBLAS itself is not beside it" : "";
      this.notes.push(`vendor: cuBLASLt ${this.#products.version}${gemmEx}`);
    }
    this.#attention = this.#openCudnn();
  }

  vendor(call: BenchCall): readonly Contender[] {
    const attention = call.attention === undefined ? undefined : this.#offers(call);
    return attention ?? this.#products?.contenders(call) ?? [];
  }

  foreign(call: BenchCall): readonly Contender[] {
    return this.#foreign.flatMap((text) => {
      try {
        return foreignContenders(this.#driver, text, call);
      } catch (error) {
        if (!(error instanceof TilewrightError)) throw error;
        this.notes.push(error.message);
        return [];
      }
    });
  }

  async reference(call: BenchCall): Promise<Reference | undefined> {
    const [device, driver] = [this.#device, this.#driver];
    return deviceReference(device, driver, call) ?? attentionReference(device, driver, call);
  }

  async copyCeiling(): Promise<Ceiling> {
    const [from, to] = [this.#device.alloc(COPY_BYTES), this.#device.alloc(COPY_BYTES)];
    this.#device.fill(from, 0, COPY_BYTES, 0x5a);
    const clock = new DeviceClock(this.#device);
    const text = readFileSync(
      new URL(/* @vite-ignore */ "./text/copy.cuh", import.meta.url),
      "utf8",
    );
    const module = new TextModule(this.#driver, "copy", text, {});
    const kernel = module.function({ entry: "copy_words", threads: COPY_THREADS });
    const address = (buffer: typeof from) =>
      addressOfTensor({ buffer, byteOffset: 0, dtype: "u8", shape: [] });
    const list = new PlainArguments([
      { u64: address(from) },
      { u64: address(to) },
      { u64: BigInt(COPY_BYTES / 16) },
    ]);
    const stream = handleOfStream(this.#device.defaultStream);
    const grid = [COPY_BYTES / COPY_BLOCK_BYTES, 1, 1] as const;
    const ways = {
      cuMemcpyDtoD: () => this.#device.copy(from, 0, to, 0, COPY_BYTES),
      "copy kernel": () => kernel.launch(grid, stream, list.slotsAddress),
    };
    let best: Ceiling = { perSecond: 0, how: "nothing" };
    try {
      for (const [how, run] of Object.entries(ways)) {
        const ms = median(await clock.each(COPY_RUNS, () => {}, run));
        const perSecond = (2 * COPY_BYTES) / (ms / 1000);
        if (perSecond > best.perSecond) best = { perSecond, how };
      }
    } finally {
      clock.close();
      module.close();
      this.#device.free(from);
      this.#device.free(to);
    }
    return best;
  }

  chipState(): ChipState | undefined {
    return this.#chip.state();
  }

  close(): void {
    this.#attention?.close();
    this.#products?.close();
    this.#chip.close();
    this.#driver.close();
  }

  #openCudnn(): CudnnAttention | undefined {
    const library = loadCudnn();
    if (typeof library === "string") {
      this.notes.push(library);
      return undefined;
    }
    try {
      const attention = new CudnnAttention(this.#device, this.#driver, library);
      this.notes.push(`vendor: cuDNN ${attention.version}`);
      return attention;
    } catch (error) {
      if (!(error instanceof TilewrightError)) throw error;
      this.notes.push(error.message);
      return undefined;
    }
  }

  /** What cuDNN cannot describe is no reason to stop. */
  #offers(call: BenchCall): readonly Contender[] {
    try {
      const offers = this.#attention?.contenders(call) ?? [];
      if (this.#attention !== undefined && offers.length === 0)
        this.notes.push(`cuDNN has no engine for ${call.problem.name}`);
      return offers;
    } catch (error) {
      if (!(error instanceof TilewrightError)) throw error;
      this.notes.push(error.message);
      return [];
    }
  }
}
