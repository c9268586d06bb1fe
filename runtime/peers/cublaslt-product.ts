/** [runtime/peers] One matrix product described to cuBLASLt, and the algorithms that its heuristic proposes. */
import { DeviceError } from "../../dsl/index.ts";
import type { ScaleKind } from "../bench/product.ts";
import { addressOf } from "../drivers/native/library.ts";
import type { CublasLtLibrary } from "./library.ts";

/** cudaDataType_t of operands, result, alpha and bias; cublasComputeType_t of the sums. */
export interface ProductTypes {
  readonly operand: number;
  readonly result: number;
  readonly compute: number;
  readonly scale: number;
  readonly bias: number | undefined;
}

/** Device addresses of one set of tensors. */
export interface ProductAddresses {
  readonly x: bigint;
  readonly w: bigint;
  readonly y: bigint;
  readonly bias: bigint | undefined;
  readonly scales: { readonly x: bigint; readonly w: bigint } | undefined;
}

/** Scale modes of x and w; cuBLAS takes none as one for all. */
export interface ProductScales {
  readonly x: ScaleKind;
  readonly w: ScaleKind;
}

/** y = x · wᵀ (+ bias) of row-major tensors. */
export interface ProductCall {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly types: ProductTypes;
  readonly sets: readonly ProductAddresses[];
  readonly scales: ProductScales | undefined;
}

/** What a run needs beside the product: host addresses of alpha and beta, the workspace, the stream. */
export interface RunContext {
  readonly one: bigint;
  readonly zero: bigint;
  readonly workspace: bigint;
  readonly stream: bigint;
}

/** cublasLtMatmulDescAttributes_t. @source cuBLASLt API, enum cublasLtMatmulDescAttributes_t */
const DESC = {
  transA: 3,
  epilogue: 7,
  biasPointer: 8,
  aScalePointer: 17,
  bScalePointer: 18,
  fastAccumulation: 25,
  biasType: 26,
  aScaleMode: 31,
  bScaleMode: 32,
} as const;
/**
 * cublasLtMatmulMatrixScale_t, f32: one for all, one for each row, 128 columns of each row, blocks of 128 × 128. All but the first
 * since 12.9. The library wants rows of the block scales of w to start at multiples of four: groups of K by fours.
 */
const SCALE_MODE = {
  w: { tensor: 0, row: 3, block: 5 },
  x: { tensor: 0, row: 3, block: 4 },
} as const;
/** CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES; CUBLASLT_EPILOGUE_BIAS; CUBLAS_OP_T. */
const PREF_WORKSPACE = 1;
const EPILOGUE_BIAS = 4;
const OP_T = 1;
/** cublasLtMatmulHeuristicResult_t: 64 bytes of algorithm, then workspace bytes (u64), status and waves. */
const RESULT_BYTES = 96;
const RESULT_WORKSPACE = 64;
const RESULT_STATE = 72;

/** cuBLAS is column-major: yᵀ `[n, m]` = (wᵀ `[k, n]`)ᵀ · xᵀ `[k, m]`. */
export class LtProduct {
  readonly #library: CublasLtLibrary;
  readonly #handle: bigint;
  readonly #call: ProductCall;
  readonly #workspaceBytes: number;
  /** One for all sets, or one a set where each has a bias or scales of its own. */
  readonly #descriptions: readonly bigint[];
  readonly #layouts: { readonly w: bigint; readonly x: bigint; readonly y: bigint };
  #knowsScales = true;
  #results = new Uint8Array(0);
  #found: readonly { readonly address: bigint; readonly workspaceBytes: bigint }[] = [];

  constructor(
    library: CublasLtLibrary,
    handle: bigint,
    call: ProductCall,
    options: { readonly fastAccumulation: boolean; readonly workspaceBytes: number },
  ) {
    this.#library = library;
    this.#handle = handle;
    this.#call = call;
    this.#workspaceBytes = options.workspaceBytes;
    const { m, n, k, types, sets, scales } = call;
    const isShared = types.bias === undefined && scales === undefined;
    const described = isShared ? sets.slice(0, 1) : sets;
    this.#descriptions = described.map((set) => this.#describe(set, options.fastAccumulation));
    this.#layouts = {
      w: this.#layout(types.operand, k, n),
      x: this.#layout(types.operand, k, m),
      y: this.#layout(types.result, n, m),
    };
  }

  /** Asks the heuristic; returns how many algorithms it gave that can run. 0 where the library has none. */
  findAlgorithms(most: number): number {
    if (!this.#knowsScales) return 0;
    const { cublasLtMatmulPreferenceCreate: create, cublasLtMatmulPreferenceDestroy: destroy } =
      this.#library;
    const preference: [bigint] = [0n];
    checkCublas(create(preference), "cublasLtMatmulPreferenceCreate");
    const bytes = BigUint64Array.of(BigInt(this.#workspaceBytes));
    const set = this.#library.cublasLtMatmulPreferenceSetAttribute;
    checkCublas(
      set(preference[0], PREF_WORKSPACE, bytes, 8),
      "cublasLtMatmulPreferenceSetAttribute",
    );
    this.#results = new Uint8Array(most * RESULT_BYTES);
    const base = addressOf(this.#results);
    const count = [0];
    const { w, x, y } = this.#layouts;
    const description = this.#descriptions[0];
    const status = this.#library.cublasLtMatmulAlgoGetHeuristic(
      this.#handle,
      description,
      w,
      x,
      y,
      y,
      preference[0],
      most,
      base,
      count,
    );
    destroy(preference[0]);
    if (status !== 0) return 0; // CUBLAS_STATUS_NOT_SUPPORTED: no such product
    const view = new DataView(this.#results.buffer);
    this.#found = Array.from({ length: count[0] ?? 0 }, (_, i) => i * RESULT_BYTES)
      .filter((at) => view.getInt32(at + RESULT_STATE, true) === 0)
      .map((at) => ({
        address: base + BigInt(at),
        workspaceBytes: view.getBigUint64(at + RESULT_WORKSPACE, true),
      }));
    return this.#found.length;
  }

  /** @param algorithm below what `findAlgorithms` returned */
  run(algorithm: number, set: number, { one, zero, workspace, stream }: RunContext): void {
    const found = this.#found[algorithm];
    const tensors = this.#call.sets[set];
    if (found === undefined || tensors === undefined)
      throw new RangeError(`no algorithm ${algorithm} or set ${set}`);
    const { w, x, y } = this.#layouts;
    const status = this.#library.cublasLtMatmul(
      this.#handle,
      this.#descriptions[Math.min(set, this.#descriptions.length - 1)],
      one,
      tensors.w,
      w,
      tensors.x,
      x,
      zero,
      tensors.y,
      y,
      tensors.y,
      y,
      found.address,
      workspace,
      found.workspaceBytes,
      stream,
    );
    if (status !== 0) checkCublas(status, "cublasLtMatmul");
  }

  close(): void {
    for (const description of this.#descriptions)
      this.#library.cublasLtMatmulDescDestroy(description);
    for (const layout of Object.values(this.#layouts))
      this.#library.cublasLtMatrixLayoutDestroy(layout);
  }

  #describe(tensors: ProductAddresses, fastAccumulation: boolean): bigint {
    const { types, scales } = this.#call;
    const { bias } = tensors;
    const description: [bigint] = [0n];
    const create = this.#library.cublasLtMatmulDescCreate;
    checkCublas(create(description, types.compute, types.scale), "cublasLtMatmulDescCreate");
    const set = (attribute: number, value: ArrayBufferView) =>
      checkCublas(
        this.#library.cublasLtMatmulDescSetAttribute(
          description[0],
          attribute,
          value,
          value.byteLength,
        ),
        "cublasLtMatmulDescSetAttribute",
      );
    const mode = (attribute: number, value: number): void => {
      const status = this.#library.cublasLtMatmulDescSetAttribute(
        description[0],
        attribute,
        Int32Array.of(value),
        4,
      );
      if (status !== 0) this.#knowsScales = false;
    };
    set(DESC.transA, Int32Array.of(OP_T));
    if (fastAccumulation) set(DESC.fastAccumulation, Int8Array.of(1));
    if (bias !== undefined && types.bias !== undefined) {
      set(DESC.epilogue, Int32Array.of(EPILOGUE_BIAS));
      set(DESC.biasPointer, BigUint64Array.of(bias));
      set(DESC.biasType, Int32Array.of(types.bias));
    }
    if (scales !== undefined && tensors.scales !== undefined) {
      set(DESC.aScalePointer, BigUint64Array.of(tensors.scales.w));
      set(DESC.bScalePointer, BigUint64Array.of(tensors.scales.x));
      // One for all is what releases before 12.9 do, which do not know the modes.
      if (scales.w !== "tensor") mode(DESC.aScaleMode, SCALE_MODE.w[scales.w]);
      if (scales.x !== "tensor") mode(DESC.bScaleMode, SCALE_MODE.x[scales.x]);
    }
    return description[0];
  }

  #layout(type: number, rows: number, columns: number): bigint {
    const layout: [bigint] = [0n];
    const create = this.#library.cublasLtMatrixLayoutCreate;
    checkCublas(create(layout, type, rows, columns, rows), "cublasLtMatrixLayoutCreate");
    return layout[0];
  }
}

/** @throws DeviceError TW3230 naming the call and the status */
export function checkCublas(status: number, call: string): void {
  if (status === 0) return;
  const names: Readonly<Record<number, string>> = {
    3: "allocation failed",
    7: "invalid value",
    13: "execution failed",
    14: "internal error",
    15: "not supported",
  };
  throw new DeviceError({
    code: "TW3230",
    message: `${call} failed`,
    seen: `cublasStatus_t ${status}${names[status] === undefined ? "" : ` (${names[status]})`}`,
    expected: "CUBLAS_STATUS_SUCCESS",
    remedy: "leave the vendor out by --no-vendor, or point TILEWRIGHT_CUBLAS at another version",
  });
}
