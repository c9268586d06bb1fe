/** [runtime/peers] The vendor's attention as contenders: cuDNN's fused engines, as its heuristics propose them. */
import { type AttentionCall, attentionOf } from "../bench/attention.ts";
import type { BenchCall, Contender } from "../bench/contender.ts";
import type { Device, Stream } from "../device.ts";
import { NvrtcCompiler } from "../drivers/cuda/compiler.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { addressOf } from "../drivers/native/library.ts";
import {
  CUDNN_DTYPE,
  type CudnnDType,
  CudnnGraph,
  checkCudnn,
  type GraphTensor,
  POINTWISE,
  REDUCE,
} from "./cudnn-graph.ts";
import { type CudnnLibrary, cudnnVersion } from "./cudnn-library.ts";

/** Plans that are tried. */
const MOST_PLANS = 4;
const DTYPES: Readonly<Record<string, CudnnDType>> = {
  f16: CUDNN_DTYPE.f16,
  bf16: CUDNN_DTYPE.bf16,
};

/** Inputs and output of a graph, and its scalars with the place on the host where each lies. */
interface BuiltGraph {
  readonly tensors: Readonly<Record<"q" | "k" | "v" | "o", GraphTensor>>;
  readonly values: readonly (readonly [GraphTensor, Float32Array | Int32Array])[];
}

export class CudnnAttention {
  readonly version: string;
  readonly #device: Device;
  readonly #driver: CudaDriver;
  readonly #library: CudnnLibrary;
  readonly #handle: bigint;
  /** Loaded as long as this lives: the library looks it up by name. */
  readonly #nvrtc = new NvrtcCompiler();
  #stream: bigint | undefined;

  /** @throws DeviceError TW3210 without NVRTC, TW3231 where the library cannot be started */
  constructor(device: Device, driver: CudaDriver, library: CudnnLibrary) {
    this.#device = device;
    this.#driver = driver;
    this.#library = library;
    const handle: [bigint] = [0n];
    checkCudnn(library, library.cudnnCreate(handle), "cudnnCreate");
    this.#handle = handle[0];
    const version = cudnnVersion(Number(library.cudnnGetVersion()));
    this.version = `${version} with NVRTC ${this.#nvrtc.version}`;
  }

  /** Every implementation of a call; empty where the vendor has none. */
  contenders(call: BenchCall): readonly Contender[] {
    const attention = attentionOf(call);
    const dtype = attention === undefined ? undefined : DTYPES[attention.dtype];
    if (attention === undefined || dtype === undefined) return [];
    const graph = new CudnnGraph(this.#library, this.#handle);
    try {
      const { tensors, values } = buildAttention(graph, attention, dtype);
      const plans = graph.plans(MOST_PLANS);
      if (plans.length === 0) graph.close();
      const workspace = this.#workspace(Math.max(0, ...plans.map((plan) => plan.workspaceBytes)));
      const packs = attention.sets.map((set) =>
        graph.variantPack(
          [
            ...(["q", "k", "v", "o"] as const).map(
              (name) => [tensors[name], addressOfTensor(set[name])] as const,
            ),
            ...values.map(([tensor, value]) => [tensor, addressOf(value)] as const),
          ],
          workspace.address,
        ),
      );
      let open = plans.length;
      return plans.map(({ descriptor }, i) => ({
        name: "cuDNN",
        role: "vendor",
        detail: `plan ${i + 1} of ${plans.length}`,
        run: (set, stream) => this.#run(descriptor, packs[set], stream),
        close: () => {
          open--;
          if (open > 0) return;
          graph.close();
          workspace.free(values);
        },
      }));
    } catch (error) {
      graph.close();
      throw error;
    }
  }

  close(): void {
    this.#library.cudnnDestroy(this.#handle);
  }

  #run(plan: bigint, pack: bigint | undefined, on: Stream | undefined): void {
    if (pack === undefined) throw new RangeError("no such set");
    const stream = handleOfStream(on ?? this.#device.defaultStream);
    if (stream !== this.#stream) {
      const status = this.#library.cudnnSetStream(this.#handle, stream);
      checkCudnn(this.#library, status, "cudnnSetStream");
      this.#stream = stream;
    }
    const status = this.#library.cudnnBackendExecute(this.#handle, plan, pack);
    if (status !== 0) checkCudnn(this.#library, status, "cudnnBackendExecute");
  }

  /** `free` takes the scalars too, so that they stay where they are until then. */
  #workspace(bytes: number): {
    readonly address: bigint;
    readonly free: (_kept: BuiltGraph["values"]) => void;
  } {
    if (bytes === 0) return { address: 0n, free: () => {} };
    const { library } = this.#driver;
    const address = [0n];
    const status = library.cuMemAlloc(address, bytes);
    this.#driver.check(status, "cuMemAlloc", "for the workspace of cuDNN");
    const at = BigInt(address[0] ?? 0n);
    return { address: at, free: () => void library.cuMemFree(at) };
  }
}

/**
 * softmax(scale · q · kᵀ) · v in the operations by which the library knows it as attention. What is added up for the backward pass
 * (logarithm, sum) belongs to the pattern, though nobody reads it.
 */
export function buildAttention(
  graph: CudnnGraph,
  call: AttentionCall,
  dtype: CudnnDType,
): BuiltGraph {
  const pattern = new AttentionPattern(graph, call);
  const { b, l, lk, hq, hkv, d } = call;
  const rows = (length: number, heads: number) =>
    graph.tensor({
      dtype,
      dims: [b, heads, length, d],
      strides: [length * heads * d, d, heads * d, 1],
    });
  const q = rows(l, hq);
  // As the library has it: the last two dims the other way round.
  const strides = [lk * hkv * d, d, 1, hkv * d];
  const k = graph.tensor({ dtype, dims: [b, hkv, d, lk], strides });
  const tensors = { q, k, v: rows(lk, hkv), o: rows(l, hq) };
  const weight = pattern.softmax(pattern.scores(q, k), dtype);
  graph.matmul(weight, tensors.v, tensors.o);
  return { tensors, values: pattern.values };
}

class AttentionPattern {
  readonly values: [GraphTensor, Float32Array | Int32Array][] = [];
  readonly #graph: CudnnGraph;
  readonly #call: AttentionCall;

  constructor(graph: CudnnGraph, call: AttentionCall) {
    this.#graph = graph;
    this.#call = call;
  }

  /** Scaled, and -infinity where a query does not see the key. */
  scores(q: GraphTensor, k: GraphTensor): GraphTensor {
    const [product, scaled] = [this.#score(), this.#score()];
    const { scale, isCausal } = this.#call;
    this.#graph.matmul(q, k, product);
    this.#graph.pointwise(POINTWISE.mul, product, this.#value("f32", scale), scaled);
    return isCausal ? this.#masked(scaled) : scaled;
  }

  softmax(scores: GraphTensor, dtype: CudnnDType): GraphTensor {
    const graph = this.#graph;
    const [most, total, logarithm, kept] = [this.#row(), this.#row(), this.#row(), this.#row()];
    const [distance, power, weight] = [this.#score(), this.#score(), this.#score(dtype)];
    graph.reduce(REDUCE.max, scores, most);
    graph.pointwise(POINTWISE.sub, scores, most, distance);
    graph.pointwise(POINTWISE.exp, distance, undefined, power);
    graph.reduce(REDUCE.add, power, total);
    graph.pointwise(POINTWISE.log, total, undefined, logarithm);
    graph.pointwise(POINTWISE.add, most, logarithm, kept);
    graph.pointwise(POINTWISE.div, power, total, weight);
    return weight;
  }

  /** Keys up to the query's own position, which is `lk - l` behind its number. */
  #masked(scores: GraphTensor): GraphTensor {
    const graph = this.#graph;
    const { i32, bool } = CUDNN_DTYPE;
    const { l, lk } = this.#call;
    const [place, column, isSeen, masked] = [
      this.#score(i32),
      this.#score(i32),
      this.#score(bool),
      this.#score(),
    ];
    graph.pointwise(POINTWISE.index, scores, undefined, place, { precision: i32, axis: 2 });
    graph.pointwise(POINTWISE.index, scores, undefined, column, { precision: i32, axis: 3 });
    const position = l === lk ? place : this.#moved(place);
    graph.pointwise(POINTWISE.greaterOrEqual, position, column, isSeen, { precision: bool });
    const nothing = this.#value("f32", Number.NEGATIVE_INFINITY);
    graph.pointwise(POINTWISE.select, scores, nothing, masked, { t: isSeen });
    return masked;
  }

  /** place + lk - l; in one step the library does not know it. */
  #moved(place: GraphTensor): GraphTensor {
    const { i32 } = CUDNN_DTYPE;
    const { l, lk } = this.#call;
    const [ahead, position] = [this.#score(i32), this.#score(i32)];
    const how = { precision: i32 };
    this.#graph.pointwise(POINTWISE.add, place, this.#value("i32", lk), ahead, how);
    this.#graph.pointwise(POINTWISE.sub, ahead, this.#value("i32", l), position, how);
    return position;
  }

  #score(dtype: CudnnDType = CUDNN_DTYPE.f32): GraphTensor {
    const { b, hq, l, lk } = this.#call;
    const strides = [hq * l * lk, l * lk, lk, 1];
    return this.#graph.tensor({ dtype, dims: [b, hq, l, lk], strides, kind: "virtual" });
  }

  #row(): GraphTensor {
    const { b, hq, l } = this.#call;
    const shape = { dims: [b, hq, l, 1], strides: [hq * l, l, 1, 1] };
    return this.#graph.tensor({ dtype: CUDNN_DTYPE.f32, ...shape, kind: "virtual" });
  }

  #value(dtype: "f32" | "i32", number: number): GraphTensor {
    const one = [1, 1, 1, 1];
    const tensor = this.#graph.tensor({
      dtype: CUDNN_DTYPE[dtype],
      dims: one,
      strides: one,
      kind: "value",
    });
    const data = dtype === "i32" ? Int32Array.of(number) : Float32Array.of(number);
    this.values.push([tensor, data]);
    return tensor;
  }
}
