/** [runtime/peers] Products in double precision on the GPU, by plain loops, and the comparison of whole outputs with them. */
import {
  type DType,
  decodeArray,
  formatComparison,
  nodeModule,
  roundingBound,
  storageBytes,
} from "../../dsl/index.ts";
import type { Accumulation, BenchCall, CheckResult, Reference } from "../bench/contender.ts";
import { type Product, productOf, scaleKind } from "../bench/product.ts";
import { sumLooseness } from "../bench/reference.ts";
import type { Device, DeviceBuffer, Tensor } from "../device.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { type PlainArgument, PlainArguments, TextModule } from "./text-module.ts";

const { readFileSync } = nodeModule("node:fs");

/** KIND of check.cuh. */
const KIND: Readonly<Partial<Record<DType, number>>> = {
  f32: 0,
  f16: 1,
  bf16: 2,
  f8e4m3: 3,
  f8e5m2: 4,
  i8: 5,
  i32: 6,
};
const THREADS = 256;
/** Sums of one block of reference_product along each side. */
const BLOCK = 64;
/** `mode` of scale_at in check.cuh for the scales of x and of w. */
const SCALE_MODE = {
  x: { tensor: 1, row: 2, block: 3 },
  w: { tensor: 1, row: 2, block: 4 },
} as const;
/** Words of `found` of compare_output. */
const FOUND_WORDS = 5;
const COMPARE_BLOCKS = 1024;

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
  readonly #expected: DeviceBuffer;
  readonly #found: DeviceBuffer;
  /** Bound on the sum of magnitudes of every element, by Cauchy and Schwarz. */
  #scale = 0;

  constructor(device: Device, module: TextModule, product: Product) {
    this.#device = device;
    this.#module = module;
    this.#product = product;
    this.#expected = device.alloc(product.m * product.n * 8);
    this.#found = device.alloc(FOUND_WORDS * 8);
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
      { u64: this.#address(this.#expected) },
      { u32: m },
      { u32: n },
      { u32: k },
      ...scaleOf("x"),
      ...scaleOf("w"),
    ]);
    await this.#device.synchronize();
    return this;
  }

  async check(set: number, accumulation: Accumulation): Promise<CheckResult> {
    const { m, n, k, sets } = this.#product;
    const y = sets[set]?.y;
    if (y === undefined) throw new RangeError(`no set ${set}`);
    const elements = m * n;
    const bound = this.#bound(y.dtype, k, accumulation);
    this.#device.fill(this.#found, 0, FOUND_WORDS * 8, 0);
    this.#device.fill(this.#found, 8, 8, 0xff);
    this.#launch(
      "compare_output",
      [COMPARE_BLOCKS, 1, 1],
      [
        { u64: addressOfTensor(y) },
        { u64: this.#address(this.#expected) },
        { u64: BigInt(elements) },
        { f64: bound.relative },
        { f64: bound.absolute },
        { u64: this.#address(this.#found) },
      ],
    );
    const bytes = await this.#device.read(this.#found, 0, FOUND_WORDS * 8);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const mismatches = Number(view.getBigUint64(0, true));
    const double = (i: number) => view.getFloat64(8 * i, true);
    const relativeError = Math.sqrt(double(3) / Math.max(double(4), Number.MIN_VALUE));
    const found = { worst: double(2), relativeError, elements };
    if (mismatches === 0) return { passed: true, ...found };
    const message = await this.#describe(y, Number(view.getBigUint64(8, true)), mismatches, bound);
    return { passed: false, ...found, message: `set ${set}: ${message}` };
  }

  close(): void {
    this.#module.close();
    this.#device.free(this.#expected);
    this.#device.free(this.#found);
  }

  #bound(dtype: DType, length: number, accumulation: Accumulation) {
    if (dtype === "i32") return { relative: 0, absolute: 0 };
    const scale = this.#scale * sumLooseness(accumulation);
    return roundingBound({ kind: "rounding", length }, dtype, scale);
  }

  async #describe(
    y: Tensor,
    index: number,
    mismatches: number,
    bound: { readonly relative: number; readonly absolute: number },
  ): Promise<string> {
    const size = storageBytes(y.dtype, 1);
    const raw = await this.#device.read(y.buffer, y.byteOffset + index * size, size);
    const expected = await this.#device.read(this.#expected, index * 8, 8);
    const want = new DataView(expected.buffer, expected.byteOffset).getFloat64(0, true);
    const actual = Number(decodeArray(y.dtype, raw, 1)[0]);
    return formatComparison("y", y.shape, {
      count: this.#product.m * this.#product.n,
      mismatches,
      first: [
        { index, actual, expected: want, bound: bound.relative * Math.abs(want) + bound.absolute },
      ],
      worst: Number.NaN,
    });
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
