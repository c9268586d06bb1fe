/** [runtime/peers] Declarations of the vendor's libraries that benchmarks compare with: cuBLASLt, cuBLAS, NVML. Signatures only. */
import { readFlag } from "../../dsl/index.ts";
import { libraryFolders } from "../drivers/cuda/locate.ts";
import { bindLibrary, type NativeAsync } from "../drivers/native/library.ts";
import { locateIn } from "../drivers/native/locate.ts";

const CUBLASLT_SIGNATURES = {
  cublasLtGetVersion: "size_t cublasLtGetVersion()",
  cublasLtCreate: "int cublasLtCreate(_Out_ void**)",
  cublasLtDestroy: "int cublasLtDestroy(void*)",
  cublasLtMatmulDescCreate: "int cublasLtMatmulDescCreate(_Out_ void**, int, int)",
  cublasLtMatmulDescDestroy: "int cublasLtMatmulDescDestroy(void*)",
  cublasLtMatmulDescSetAttribute:
    "int cublasLtMatmulDescSetAttribute(void*, int, const void*, size_t)",
  cublasLtMatrixLayoutCreate:
    "int cublasLtMatrixLayoutCreate(_Out_ void**, int, uint64_t, uint64_t, int64_t)",
  cublasLtMatrixLayoutDestroy: "int cublasLtMatrixLayoutDestroy(void*)",
  cublasLtMatmulPreferenceCreate: "int cublasLtMatmulPreferenceCreate(_Out_ void**)",
  cublasLtMatmulPreferenceDestroy: "int cublasLtMatmulPreferenceDestroy(void*)",
  cublasLtMatmulPreferenceSetAttribute:
    "int cublasLtMatmulPreferenceSetAttribute(void*, int, const void*, size_t)",
  cublasLtMatmulAlgoGetHeuristic:
    "int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int, void*, _Out_ int*)",
  cublasLtMatmul:
    "int cublasLtMatmul(void*, void*, const void*, uint64_t, void*, uint64_t, void*, const void*, uint64_t, void*, uint64_t, void*, const void*, uint64_t, size_t, void*)",
} as const;

const CUBLAS_SIGNATURES = {
  cublasCreate: "int cublasCreate_v2(_Out_ void**)",
  cublasDestroy: "int cublasDestroy_v2(void*)",
  cublasSetStream: "int cublasSetStream_v2(void*, void*)",
  cublasSetWorkspace: "int cublasSetWorkspace_v2(void*, uint64_t, size_t)",
  cublasGemmEx:
    "int cublasGemmEx(void*, int, int, int, int, int, const void*, uint64_t, int, int, uint64_t, int, int, const void*, uint64_t, int, int, int, int)",
} as const;

const NVML_SIGNATURES = {
  nvmlInit: "int nvmlInit_v2()",
  nvmlShutdown: "int nvmlShutdown()",
  nvmlDeviceGetHandleByPciBusId: "int nvmlDeviceGetHandleByPciBusId_v2(str, _Out_ void**)",
  nvmlDeviceGetClockInfo: "int nvmlDeviceGetClockInfo(void*, int, _Out_ uint32_t*)",
  nvmlDeviceGetPowerUsage: "int nvmlDeviceGetPowerUsage(void*, _Out_ uint32_t*)",
  nvmlDeviceGetTemperature: "int nvmlDeviceGetTemperature(void*, int, _Out_ uint32_t*)",
} as const;

export type CublasLtLibrary = Readonly<Record<keyof typeof CUBLASLT_SIGNATURES, NativeAsync>>;
export type CublasLibrary = Readonly<Record<keyof typeof CUBLAS_SIGNATURES, NativeAsync>>;
export type NvmlLibrary = Readonly<Record<keyof typeof NVML_SIGNATURES, NativeAsync>>;

export interface CublasLibraries {
  readonly lt: CublasLtLibrary;
  /** Undefined where only cuBLASLt is installed. */
  readonly cublas: CublasLibrary | undefined;
}

/**
 * cuBLASLt, and cuBLAS beside it.
 * @returns why it is not there instead, as a sentence
 */
export function loadCublas(): CublasLibraries | string {
  const folders = libraryFolders(readFlag("cublas"), "cublas");
  const path = locateIn(folders, /^libcublasLt\.so\.\d+$/);
  if (path === undefined)
    return `cuBLASLt was not found in ${folders.length} usual folders: install the CUDA toolkit, or set TILEWRIGHT_CUBLAS to its path`;
  try {
    const lt = bindLibrary(path, CUBLASLT_SIGNATURES);
    return { lt, cublas: loadBeside(path) };
  } catch (error) {
    return `cuBLASLt at ${path} could not be loaded: ${firstLine(error)}`;
  }
}

/** NVML, or why not. It comes with the driver. */
export function loadNvml(): NvmlLibrary | string {
  try {
    return bindLibrary("libnvidia-ml.so.1", NVML_SIGNATURES);
  } catch (error) {
    return `clocks are not noted, because NVML could not be loaded: ${firstLine(error)}`;
  }
}

function loadBeside(path: string): CublasLibrary | undefined {
  try {
    return bindLibrary(path.replace("libcublasLt", "libcublas"), CUBLAS_SIGNATURES);
  } catch {
    return undefined;
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
}
