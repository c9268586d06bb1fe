/** [runtime/peers] The vendor's matrix products as contenders: eight cuBLASLt heuristics with 32 MiB of workspace, and cublasGemmEx. */
import type { DType } from "../../dsl/index.ts";
import type { BenchCall, Contender } from "../bench/contender.ts";
import { type Product, productOf, scaleKind } from "../bench/product.ts";
import type { Device, Stream } from "../device.ts";
import type { CudaDriver } from "../drivers/cuda/driver.ts";
import { addressOfTensor, handleOfStream } from "../drivers/cuda/interop.ts";
import { addressOf } from "../drivers/native/library.ts";
import {
  checkCublas,
  LtProduct,
  type ProductCall,
  type ProductScales,
  type ProductTypes,
} from "./cublaslt-product.ts";
import type { CublasLibraries } from "./library.ts";

/** What PyTorch gives cuBLAS on Hopper. */
const WORKSPACE_BYTES = 32 * 2 ** 20;
/** Heuristic results that are tried. */
const ALGORITHMS = 8;

/** cudaDataType_t. @source CUDA library_types.h */
const DATA_TYPE: Readonly<Partial<Record<DType, number>>> = {
  f32: 0,
  f16: 2,
  i8: 3,
  i32: 10,
  bf16: 14,
  f8e4m3: 28,
  f8e5m2: 29,
};
/** Operand dtypes and the results that the vendor gives for them. */
const RESULTS: Readonly<Partial<Record<DType, readonly DType[]>>> = {
  f32: ["f32"],
  f16: ["f16", "f32"],
  bf16: ["bf16", "f32"],
  f8e4m3: ["bf16", "f16", "f32"],
  i8: ["i32"],
};
/** cublasComputeType_t: full f32 (no TF32), and 32-bit integers. @source cuBLAS API, cublasComputeType_t */
const COMPUTE_F32 = 68;
const COMPUTE_I32 = 72;
const SCALE_F32 = 0;
const SCALE_I32 = 10;
/** CUBLAS_OP_N, CUBLAS_OP_T; CUBLAS_GEMM_DEFAULT. */
const OP_N = 0;
const OP_T = 1;
const GEMM_DEFAULT = -1;

export class CublasProducts {
  readonly #device: Device;
  readonly #driver: CudaDriver;
  readonly #libraries: CublasLibraries;
  readonly #lt: bigint;
  readonly #cublas: bigint | undefined;
  readonly #workspace: bigint;
  readonly #one = { f32: Float32Array.of(1), i32: Int32Array.of(1) };
  readonly #zero = { f32: Float32Array.of(0), i32: Int32Array.of(0) };
  #stream: bigint | undefined;

  /** @throws DeviceError TW3230 where the library cannot be started */
  constructor(device: Device, driver: CudaDriver, libraries: CublasLibraries) {
    this.#device = device;
    this.#driver = driver;
    this.#libraries = libraries;
    const handle: [bigint] = [0n];
    checkCublas(libraries.lt.cublasLtCreate(handle), "cublasLtCreate");
    this.#lt = handle[0];
    const { cublas } = libraries;
    if (cublas !== undefined) {
      checkCublas(cublas.cublasCreate(handle), "cublasCreate");
      this.#cublas = handle[0];
    }
    const workspace = [0n];
    const status = driver.library.cuMemAlloc(workspace, WORKSPACE_BYTES);
    driver.check(status, "cuMemAlloc", "for the workspace of cuBLAS");
    this.#workspace = BigInt(workspace[0] ?? 0n);
  }

  /** Version of cuBLASLt as it prints itself: 130000 is 13.0.0. */
  get version(): string {
    const version = Number(this.#libraries.lt.cublasLtGetVersion());
    return `${Math.floor(version / 10000)}.${Math.floor((version % 10000) / 100)}.${version % 100}`;
  }

  /** Every implementation of a call; empty where the vendor has none. */
  contenders(call: BenchCall): readonly Contender[] {
    const product = productCall(call);
    if (product === undefined) return [];
    const isFp8 = product.types.operand === DATA_TYPE["f8e4m3"];
    const isBlock = product.scales?.w === "block";
    const list = isBlock ? [] : [...this.#ltContenders(product, isFp8 ? "fast" : undefined)];
    if (isFp8) list.push(...this.#ltContenders(product, "slow"));
    if (!isFp8 && product.types.bias === undefined && this.#cublas !== undefined)
      list.push(this.#gemmEx(product));
    return list;
  }

  close(): void {
    const { lt, cublas } = this.#libraries;
    lt.cublasLtDestroy(this.#lt);
    if (this.#cublas !== undefined) cublas?.cublasDestroy(this.#cublas);
    this.#driver.library.cuMemFree(this.#workspace);
  }

  #ltContenders(call: ProductCall, sums: "fast" | "slow" | undefined): readonly Contender[] {
    const { lt } = this.#libraries;
    const product = new LtProduct(lt, this.#lt, call, {
      fastAccumulation: sums === "fast",
      workspaceBytes: WORKSPACE_BYTES,
    });
    const { one, zero } = this.#scales(call.types);
    const count = product.findAlgorithms(ALGORITHMS);
    if (count === 0) product.close();
    let open = count;
    return Array.from({ length: count }, (_, i): Contender => {
      return {
        name: sums === "slow" ? "cuBLAS slow sums" : "cuBLAS",
        role: "vendor",
        detail: `Lt heuristic ${i + 1} of ${count}`,
        accumulation: sums === undefined ? "f32" : "fp8-fast",
        run: (set, stream) =>
          product.run(i, set, {
            one,
            zero,
            workspace: this.#workspace,
            stream: this.#handleOf(stream),
          }),
        close: () => {
          open--;
          if (open === 0) product.close();
        },
      };
    });
  }

  /** What torch.mm calls. */
  #gemmEx(call: ProductCall): Contender {
    const { cublas } = this.#libraries;
    const { m, n, k, types, sets } = call;
    const { one, zero } = this.#scales(types);
    return {
      name: "cuBLAS",
      role: "vendor",
      detail: "GemmEx",
      run: (set, stream) => {
        const { x, w, y } = sets[set] ?? { x: 0n, w: 0n, y: 0n };
        const handle = this.#cublas ?? 0n;
        this.#bindStream(this.#handleOf(stream));
        const status = cublas?.cublasGemmEx(
          handle,
          OP_T,
          OP_N,
          n,
          m,
          k,
          one,
          w,
          types.operand,
          k,
          x,
          types.operand,
          k,
          zero,
          y,
          types.result,
          n,
          types.compute,
          GEMM_DEFAULT,
        );
        checkCublas(status ?? 1, "cublasGemmEx");
      },
    };
  }

  #handleOf(stream: Stream | undefined): bigint {
    return handleOfStream(stream ?? this.#device.defaultStream);
  }

  /** A new stream takes the library's own workspace again, so ours is set after it. */
  #bindStream(stream: bigint): void {
    const { cublas } = this.#libraries;
    if (this.#stream === stream || cublas === undefined) return;
    const handle = this.#cublas ?? 0n;
    checkCublas(cublas.cublasSetStream(handle, stream), "cublasSetStream");
    checkCublas(
      cublas.cublasSetWorkspace(handle, this.#workspace, WORKSPACE_BYTES),
      "cublasSetWorkspace",
    );
    this.#stream = stream;
  }

  #scales({ compute }: ProductTypes): { readonly one: bigint; readonly zero: bigint } {
    const kind = compute === COMPUTE_I32 ? "i32" : "f32";
    return { one: addressOf(this.#one[kind]), zero: addressOf(this.#zero[kind]) };
  }
}

/** Types and addresses of a call; undefined where the vendor has no such product. */
function productCall(call: BenchCall): ProductCall | undefined {
  const product = productOf(call);
  const first = product?.sets[0];
  if (product === undefined || first === undefined) return undefined;
  const [operand, result] = [DATA_TYPE[first.x.dtype], DATA_TYPE[first.y.dtype]];
  const isOffered = RESULTS[first.x.dtype]?.includes(first.y.dtype) === true;
  if (operand === undefined || result === undefined || !isOffered) return undefined;
  const [compute, scale] =
    first.x.dtype === "i8" ? [COMPUTE_I32, SCALE_I32] : [COMPUTE_F32, SCALE_F32];
  const scales = productScales(product);
  if (scales === "none here") return undefined;
  // Scaled products have a bias of zeros.
  const bias =
    first.bias === undefined || scales !== undefined ? undefined : DATA_TYPE[first.bias.dtype];
  const sets = product.sets.map((set) => ({
    x: addressOfTensor(set.x),
    w: addressOfTensor(set.w),
    y: addressOfTensor(set.y),
    bias: bias === undefined || set.bias === undefined ? undefined : addressOfTensor(set.bias),
    scales:
      set.scales === undefined
        ? undefined
        : { x: addressOfTensor(set.scales.x), w: addressOfTensor(set.scales.w) },
  }));
  const { m, n, k } = product;
  return { m, n, k, types: { operand, result, compute, scale, bias }, sets, scales };
}

/** How the vendor is told of the scales; it has none for integers, and block scales only where groups of K come in fours. */
function productScales({ k, sets }: Product): ProductScales | undefined | "none here" {
  const [first] = sets;
  if (first?.scales === undefined) return undefined;
  const kinds = { x: scaleKind(first.scales.x), w: scaleKind(first.scales.w) };
  const isBlock = kinds.x === "block" || kinds.w === "block";
  const canBlock = k % (4 * 128) === 0;
  return first.x.dtype === "i8" || (isBlock && !canBlock) ? "none here" : kinds;
}
