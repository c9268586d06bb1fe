/** [runtime/peers] Attention in double precision on the GPU, by plain loops, so that whole outputs of large problems are checked. */
import { nodeModule, roundingBound } from "../../dsl/index.ts";
import { type AttentionCall, attentionOf } from "../bench/attention.ts";
import type { BenchCall, CheckResult, Reference } from "../bench/contender.ts";
import type { Device } from "../device.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { PlainArguments, TextModule } from "./text-module.ts";
import { KIND, WholeOutput } from "./whole-output.ts";

const { readFileSync } = nodeModule("node:fs");

const THREADS = 256;
/** Queries of a block and keys of a trip by head dim: what 48 KiB of shared memory hold. */
const TILES = [
  { most: 128, ROWS: 32, KEYS: 16 },
  { most: 256, ROWS: 16, KEYS: 8 },
] as const;
/** Outputs are averages of values of deviation 1, with probabilities rounded to the inputs' dtype on the way. */
const LARGEST_VALUE = 4;
/** Blocks along y and z of a grid. */
const MOST_BLOCKS = 65535;

/** @returns undefined where the call is no attention of dtypes and sizes that the text takes */
export function attentionReference(
  device: Device,
  driver: CudaDriver,
  call: BenchCall,
): Promise<Reference> | undefined {
  const attention = attentionOf(call);
  if (attention === undefined) return undefined;
  const { b, l, hq, d, dtype } = attention;
  const kind = KIND[dtype];
  const tile = TILES.find(({ most }) => d <= most);
  const fits = b <= MOST_BLOCKS && hq <= MOST_BLOCKS;
  if (kind === undefined || tile === undefined || !fits) return undefined;
  if (b * l * hq * d * 8 > device.limits.maxBufferBytes) return undefined;
  const kinds = { X_KIND: kind, BIAS_KIND: kind, Y_KIND: kind };
  const defines = { ...kinds, D: d, ROWS: tile.ROWS, KEYS: tile.KEYS };
  const text = `${readText("check.cuh")}\n${readText("attention.cuh")}`;
  const module = new TextModule(driver, "attention", text, defines);
  return new AttentionReference(device, module, attention, tile.ROWS).compute();
}

class AttentionReference implements Reference {
  readonly how = "doubles on the device";
  readonly #device: Device;
  readonly #module: TextModule;
  readonly #call: AttentionCall;
  readonly #rows: number;
  readonly #whole: WholeOutput;

  constructor(device: Device, module: TextModule, call: AttentionCall, rows: number) {
    this.#device = device;
    this.#module = module;
    this.#call = call;
    this.#rows = rows;
    this.#whole = new WholeOutput(device, module, call.b * call.l * call.hq * call.d);
  }

  async compute(): Promise<this> {
    const { b, l, lk, hq, hkv, isCausal, scale, sets } = this.#call;
    const [first] = sets;
    if (first === undefined) return this;
    const list = new PlainArguments([
      { u64: addressOfTensor(first.q) },
      { u64: addressOfTensor(first.k) },
      { u64: addressOfTensor(first.v) },
      { u64: this.#whole.address },
      { u32: l },
      { u32: lk },
      { u32: hq },
      { u32: hkv },
      { u32: isCausal ? 1 : 0 },
      { f64: scale },
    ]);
    const fn = this.#module.function({ entry: "reference_attention", threads: THREADS });
    const grid = [Math.ceil(l / this.#rows), hq, b] as const;
    fn.launch(grid, handleOfStream(this.#device.defaultStream), list.slotsAddress);
    await this.#device.synchronize();
    return this;
  }

  async check(set: number): Promise<CheckResult> {
    const { lk, dtype, sets } = this.#call;
    const o = sets[set]?.o;
    if (o === undefined) throw new RangeError(`no set ${set}`);
    const tolerance = { kind: "rounding", length: lk, inner: dtype } as const;
    return this.#whole.compare("o", o, set, roundingBound(tolerance, dtype, LARGEST_VALUE));
  }

  close(): void {
    this.#whole.close();
    this.#module.close();
  }
}

function readText(name: string): string {
  return readFileSync(new URL(/* @vite-ignore */ `./text/${name}`, import.meta.url), "utf8");
}
