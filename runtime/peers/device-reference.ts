/** [runtime/peers] Products in double precision on the GPU, by plain loops. Comparing is in whole-output.ts. */
import { type DType, nodeModule, roundingBound } from "../../dsl/index.ts";
import type { Accumulation, BenchCall, CheckResult, Reference } from "../bench/contender.ts";
import { type Product, productOf, scaleKind } from "../bench/product.ts";
import { sumLooseness } from "../bench/reference.ts";
import type { Device, DeviceBuffer, Tensor } from "../device.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { type PlainArgument, PlainArguments, TextModule } from "./text-module.ts";
import { KIND, WholeOutput } from "./whole-output.ts";

const { readFileSync } = nodeModule("node:fs");

const THREADS = 256;
/** Sums of one block of reference_product along each side. */
const BLOCK = 64;
/** `mode` of scale_at in check.cuh for the scales of x and of w. */
const SCALE_MODE = {
  x: { tensor: 1, row: 2, block: 3 },
  w: { tensor: 1, row: 2, block: 4 },
} as const;
/** @returns undefined where the call is no product of dtypes that the text reads */
export function deviceReference(
  device: Device,
  driver: CudaDriver,
  call: BenchCall,
): Promise<Reference> | undefined {
  const product = productOf(call);
  const first = product?.sets[0];
  if (product === undefined || first === undefined) return undefined;
  const [operand, result] = [KIND[first.x.dtype], KIND[first.y.dtype]];
  const bytes = product.m * product.n * 8;
  if (operand === undefined || result === undefined || bytes > device.limits.maxBufferBytes)
    return undefined;
  const text = readFileSync(
    new URL(/* @vite-ignore */ "./text/check.cuh", import.meta.url),
    "utf8",
  );
  const bias = first.bias === undefined ? operand : KIND[first.bias.dtype];
  if (bias === undefined) return undefined;
  const kinds = { X_KIND: operand, BIAS_KIND: bias, Y_KIND: result };
  const module = new TextModule(driver, "check", text, kinds);
  return new DeviceReference(device, module, product).compute();
}

class DeviceReference implements Reference {
  readonly how = "double sums on the device";
  readonly #device: Device;
  readonly #module: TextModule;
  readonly #product: Product;
  readonly #whole: WholeOutput;
  readonly #found: DeviceBuffer;
  /** Bound on the sum of magnitudes of every element, by Cauchy and Schwarz. */
  #scale = 0;

  constructor(device: Device, module: TextModule, product: Product) {
    this.#device = device;
    this.#module = module;
    this.#product = product;
    this.#whole = new WholeOutput(device, module, product.m * product.n);
    this.#found = device.alloc(8);
  }

  async compute(): Promise<this> {
    const { m, n, k, sets } = this.#product;
    const first = sets[0];
    if (first === undefined) return this;
    const { x, w, bias, scales } = first;
    const scaleOf = (of: "x" | "w"): readonly PlainArgument[] =>
      scales === undefined
        ? [{ u64: 0n }, { u32: 0 }]
        : [{ u64: addressOfTensor(scales[of]) }, { u32: SCALE_MODE[of][scaleKind(scales[of])] }];
    const norm = (of: "x" | "w", tensor: Tensor, rows: number): Promise<number> =>
      this.#largest("largest_row_norm", rows, [
        { u64: addressOfTensor(tensor) },
        { u32: k },
        ...scaleOf(of),
      ]);
    this.#scale = (await norm("x", x, m)) * (await norm("w", w, n));
    if (bias !== undefined)
      this.#scale += await this.#largest("largest_bias", 1, [
        { u64: addressOfTensor(bias) },
        { u32: n },
      ]);
    const grid = [Math.ceil(n / BLOCK), Math.ceil(m / BLOCK), 1] as const;
    this.#launch("reference_product", grid, [
      { u64: addressOfTensor(x) },
      { u64: addressOfTensor(w) },
      { u64: bias === undefined ? 0n : addressOfTensor(bias) },
      { u64: this.#whole.address },
      { u32: m },
      { u32: n },
      { u32: k },
      ...scaleOf("x"),
      ...scaleOf("w"),
    ]);
    await this.#device.synchronize();
    return this;
  }

  check(set: number, accumulation: Accumulation): Promise<CheckResult> {
    const { k, sets } = this.#product;
    const y = sets[set]?.y;
    if (y === undefined) throw new RangeError(`no set ${set}`);
    return this.#whole.compare("y", y, set, this.#bound(y.dtype, k, accumulation));
  }

  close(): void {
    this.#whole.close();
    this.#module.close();
    this.#device.free(this.#found);
  }

  #bound(dtype: DType, length: number, accumulation: Accumulation) {
    if (dtype === "i32") return { relative: 0, absolute: 0 };
    const scale = this.#scale * sumLooseness(accumulation);
    return roundingBound({ kind: "rounding", length }, dtype, scale);
  }

  /** Runs a kernel of check.cuh whose last argument takes the bits of a double that is at least 0. */
  async #largest(entry: string, blocks: number, list: readonly PlainArgument[]): Promise<number> {
    this.#device.fill(this.#found, 0, 8, 0);
    this.#launch(entry, [blocks, 1, 1], [...list, { u64: this.#address(this.#found) }]);
    const bytes = await this.#device.read(this.#found, 0, 8);
    return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
  }

  #launch(
    entry: string,
    grid: readonly [number, number, number],
    list: ConstructorParameters<typeof PlainArguments>[0],
  ): void {
    const fn = this.#module.function({ entry, threads: THREADS });
    const stream = handleOfStream(this.#device.defaultStream);
    fn.launch(grid, stream, new PlainArguments(list).slotsAddress);
  }

  #address(buffer: DeviceBuffer): bigint {
    return addressOfTensor({ buffer, byteOffset: 0, dtype: "u8", shape: [] });
  }
}
