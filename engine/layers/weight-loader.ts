/** [engine/layers] Moves checkpoint tensors to the device, plain ones in the model's dtype, quantized ones as they are stored, with progress. */
import type { DType } from "../../dsl/index.ts";
import {
  type Device,
  emptyTensor,
  type Tensor,
  tensorFrom,
  tensorFromBytes,
} from "../../runtime/index.ts";
import {
  type Checkpoint,
  convertTensor,
  type HostParts,
  type HostTensor,
} from "../weights/checkpoint.ts";
import { deinterleave } from "../weights/deinterleave.ts";
import { denseWeight } from "../weights/quantization/dense-weight.ts";
import type { QuantizationPlan } from "../weights/quantization/plan.ts";
import type { QuantizedWeight } from "../weights/quantization/quantized-weight.ts";
import type { ModuleSize } from "../weights/quantization/read-gptq.ts";
import {
  type ExpertsSize,
  hasMxfp4Experts,
  readMxfp4Experts,
} from "../weights/quantization/read-mxfp4-experts.ts";
import { readQuantized, sharedScheme } from "../weights/quantization/read-weight.ts";
import type { ExpertStack } from "../weights/quantization/stack-experts.ts";

export interface WeightPart {
  readonly name: string;
  readonly shape: readonly number[];
}

/** How a stack lies on the device, where it is not of the model's dtype and as long as its parts together. */
export interface StackForm {
  readonly shape?: readonly number[];
  readonly dtype?: DType;
  /** The rows of two halves take turns in the file (along the second dim) and follow one another on the device. */
  readonly isInterleaved?: boolean;
}

const WORD = 4;

export class WeightLoader {
  readonly device: Device;
  readonly dtype: DType;
  readonly #checkpoint: Checkpoint;
  readonly #onProgress: (loadedBytes: number) => void;
  readonly #quantization: QuantizationPlan | undefined;
  readonly #tensors: Tensor[] = [];
  #loadedBytes = 0;

  constructor(
    device: Device,
    dtype: DType,
    checkpoint: Checkpoint,
    onProgress: (loadedBytes: number) => void = () => {},
    quantization?: QuantizationPlan,
  ) {
    this.device = device;
    this.dtype = dtype;
    this.#checkpoint = checkpoint;
    this.#onProgress = onProgress;
    this.#quantization = quantization;
  }

  has(name: string): boolean {
    return this.#checkpoint.has(name);
  }

  /** A tensor of a few floats, of whatever shape; undefined, and remembered for `finish`, where it is something else. */
  host(name: string): HostTensor | undefined {
    const { shape = [] } = this.#checkpoint.find(name) ?? {};
    return this.#checkpoint.stored(name, ["f32", "bf16", "f16"], [shape]);
  }

  skip(name: string): void {
    this.#checkpoint.skip(name);
  }

  tensor(name: string, shape: readonly number[]): Tensor {
    return this.stacked([{ name, shape }]);
  }

  /** Several tensors stacked along the first dim. */
  stacked(names: readonly WeightPart[], form: StackForm = {}): Tensor {
    const dtype = form.dtype ?? this.dtype;
    const read = names.map(({ name, shape }) => this.#checkpoint.read(name, shape, dtype));
    const found = read.filter((tensor) => tensor !== undefined);
    // Loading cannot succeed any more, but goes on to find the other misfits: of the size that was hoped for nothing is allocated.
    if (found.length < read.length) return this.nothing();
    const parts = found.map((tensor) =>
      form.isInterleaved === true ? deinterleave(tensor) : tensor,
    );
    const rows = parts.reduce((sum, { shape }) => sum + (shape[0] ?? 0), 0);
    const whole = [rows, ...(parts[0]?.shape.slice(1) ?? [])];
    return this.uploadParts({
      dtype,
      shape: form.shape ?? whole,
      parts: parts.map(({ bytes }) => bytes),
    });
  }

  /**
   * The weight of modules that are stacked along their rows, where the checkpoint has it quantized.
   * @returns undefined where it is plain; "missing" where tensors of it are, which `finish` reports
   * @throws ModelError TW4240 to TW4242 for what no layer can be made of
   */
  quantized(modules: readonly ModuleSize[]): QuantizedWeight | "missing" | undefined {
    if (this.#quantization === undefined) return undefined;
    const names = modules.map(({ name }) => name);
    const scheme = sharedScheme(this.#quantization, this.#checkpoint, names);
    if (scheme === undefined) return undefined;
    // Tools of GPTQ write biases of zeros where a layer has none.
    if (scheme.kind === "gptq") for (const name of names) this.skip(`${name}.bias`);
    return readQuantized(this.#checkpoint, scheme, modules) ?? "missing";
  }

  /**
   * Weights of all experts of a layer from common tensors, where the checkpoint has them quantized.
   * @returns undefined where they are plain; "missing" where tensors of it are, which `finish` reports
   */
  quantizedExperts(name: string, size: ExpertsSize): ExpertStack | "missing" | undefined {
    if (!hasMxfp4Experts(this.#checkpoint, name)) return undefined;
    return readMxfp4Experts(this.#checkpoint, name, size) ?? "missing";
  }

  /** The weight of one module as floats, also where the checkpoint has it quantized: for kernels that read no codes. */
  floats(module: ModuleSize): Tensor {
    const stored = this.quantized([module]);
    const { name, rows, inputs } = module;
    if (stored === undefined) return this.tensor(`${name}.weight`, [rows, inputs]);
    return stored === "missing" ? this.nothing() : this.uploadFloats(denseWeight(stored));
  }

  /** Moves a tensor to the device as it is. */
  upload(host: HostTensor): Tensor {
    this.#loadedBytes += host.bytes.byteLength;
    this.#onProgress(this.#loadedBytes);
    return this.adopt(tensorFromBytes(this.device, host.dtype, host.shape, host.bytes));
  }

  /** Moves the parts of a tensor to the device one after the other: together they may be more than a buffer of the host holds. */
  uploadParts({ dtype, shape, parts }: HostParts): Tensor {
    // Some devices take whole words alone.
    if (parts.length < 2 || parts.some((bytes) => bytes.byteLength % WORD !== 0))
      return this.upload({ dtype, shape, bytes: Buffer.concat(parts) });
    const tensor = this.adopt(emptyTensor(this.device, dtype, shape));
    let at = tensor.byteOffset;
    for (const bytes of parts) {
      if (bytes.byteLength > 0) this.device.write(tensor.buffer, at, bytes);
      at += bytes.byteLength;
      this.#loadedBytes += bytes.byteLength;
      this.#onProgress(this.#loadedBytes);
    }
    return tensor;
  }

  /** Moves floats to the device in the model's dtype. */
  uploadFloats(host: HostTensor): Tensor {
    return this.upload(convertTensor(host, this.dtype));
  }

  /** A tensor of the device that lives as long as the model. */
  adopt(tensor: Tensor): Tensor {
    this.#tensors.push(tensor);
    return tensor;
  }

  /** Frees a tensor that was only needed to make another. */
  discard(tensor: Tensor): void {
    const at = this.#tensors.indexOf(tensor);
    if (at >= 0) this.#tensors.splice(at, 1);
    this.device.free(tensor.buffer);
  }

  /** In the place of a weight that is missing. */
  nothing(): Tensor {
    return this.adopt(emptyTensor(this.device, this.dtype, [0]));
  }

  /** A tensor of the model's dtype whose contents no kernel reads: the place of a weight that the model does not have. */
  empty(shape: readonly number[]): Tensor {
    return this.adopt(emptyTensor(this.device, this.dtype, shape));
  }

  /** A table computed on the host. */
  table(values: Float32Array, shape: readonly number[], dtype: DType = "f32"): Tensor {
    return this.adopt(tensorFrom(this.device, dtype, shape, values));
  }

  /** @throws ModelError for all that is missing, misshapen or unexpected */
  finish(): readonly Tensor[] {
    this.#checkpoint.finish();
    return [...this.#tensors];
  }

  /** Frees what was loaded, where loading cannot go on. */
  release(): void {
    for (const { buffer } of this.#tensors.splice(0)) this.device.free(buffer);
  }
}
