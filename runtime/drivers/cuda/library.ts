/** [runtime/drivers] koffi declarations of the CUDA driver API and NVRTC. Signatures only; no policy. */
import { bindLibrary, keepLoaded, type NativeAsync } from "../native/library.ts";

const CUDA_SIGNATURES = {
  cuInit: "int cuInit(unsigned int)",
  cuDriverGetVersion: "int cuDriverGetVersion(_Out_ int*)",
  cuDeviceGetCount: "int cuDeviceGetCount(_Out_ int*)",
  cuDeviceGet: "int cuDeviceGet(_Out_ int*, int)",
  cuDeviceGetName: "int cuDeviceGetName(void*, int, int)",
  cuDeviceGetPCIBusId: "int cuDeviceGetPCIBusId(void*, int, int)",
  cuDeviceTotalMem: "int cuDeviceTotalMem_v2(_Out_ size_t*, int)",
  cuDeviceGetAttribute: "int cuDeviceGetAttribute(_Out_ int*, int, int)",
  cuDevicePrimaryCtxRetain: "int cuDevicePrimaryCtxRetain(_Out_ void**, int)",
  cuDevicePrimaryCtxRelease: "int cuDevicePrimaryCtxRelease_v2(int)",
  cuCtxSetCurrent: "int cuCtxSetCurrent(void*)",
  cuCtxSynchronize: "int cuCtxSynchronize()",
  cuMemGetInfo: "int cuMemGetInfo_v2(_Out_ size_t*, _Out_ size_t*)",
  cuMemAlloc: "int cuMemAlloc_v2(_Out_ uint64_t*, size_t)",
  cuMemFree: "int cuMemFree_v2(uint64_t)",
  cuMemcpyHtoDAsync: "int cuMemcpyHtoDAsync_v2(uint64_t, const void*, size_t, void*)",
  cuMemcpyDtoH: "int cuMemcpyDtoH_v2(void*, uint64_t, size_t)",
  cuMemcpyDtoDAsync: "int cuMemcpyDtoDAsync_v2(uint64_t, uint64_t, size_t, void*)",
  cuMemsetD8Async: "int cuMemsetD8Async(uint64_t, unsigned char, size_t, void*)",
  cuModuleLoadData: "int cuModuleLoadData(_Out_ void**, const void*)",
  cuModuleUnload: "int cuModuleUnload(void*)",
  cuModuleGetFunction: "int cuModuleGetFunction(_Out_ void**, void*, str)",
  cuFuncSetAttribute: "int cuFuncSetAttribute(void*, int, int)",
  cuFuncGetAttribute: "int cuFuncGetAttribute(_Out_ int*, int, void*)",
  cuLaunchKernel:
    "int cuLaunchKernel(void*, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, void*, void*, void*)",
  cuLaunchKernelEx: "int cuLaunchKernelEx(void*, void*, void*, void*)",
  cuOccupancyMaxActiveClusters: "int cuOccupancyMaxActiveClusters(_Out_ int*, void*, void*)",
  cuTensorMapEncodeTiled:
    "int cuTensorMapEncodeTiled(void*, int, uint32_t, uint64_t, void*, void*, void*, void*, int, int, int, int)",
  cuStreamCreate: "int cuStreamCreate(_Out_ void**, unsigned int)",
  cuStreamDestroy: "int cuStreamDestroy_v2(void*)",
  cuStreamSynchronize: "int cuStreamSynchronize(void*)",
  cuStreamBeginCapture: "int cuStreamBeginCapture_v2(void*, int)",
  cuStreamEndCapture: "int cuStreamEndCapture(void*, _Out_ void**)",
  cuGraphInstantiate: "int cuGraphInstantiateWithFlags(_Out_ void**, void*, uint64_t)",
  cuGraphLaunch: "int cuGraphLaunch(void*, void*)",
  cuGraphDestroy: "int cuGraphDestroy(void*)",
  cuGraphExecDestroy: "int cuGraphExecDestroy(void*)",
  cuEventCreate: "int cuEventCreate(_Out_ void**, unsigned int)",
  cuEventRecord: "int cuEventRecord(void*, void*)",
  cuEventQuery: "int cuEventQuery(void*)",
  cuEventElapsedTime: "int cuEventElapsedTime(_Out_ float*, void*, void*)",
  cuEventDestroy: "int cuEventDestroy_v2(void*)",
  cuGetErrorName: "int cuGetErrorName(int, _Out_ const char**)",
  cuGetErrorString: "int cuGetErrorString(int, _Out_ const char**)",
} as const;

const NVRTC_SIGNATURES = {
  nvrtcVersion: "int nvrtcVersion(_Out_ int*, _Out_ int*)",
  nvrtcCreateProgram: "int nvrtcCreateProgram(_Out_ void**, str, str, int, void*, void*)",
  nvrtcCompileProgram: "int nvrtcCompileProgram(void*, int, const char**)",
  nvrtcGetProgramLogSize: "int nvrtcGetProgramLogSize(void*, _Out_ size_t*)",
  nvrtcGetProgramLog: "int nvrtcGetProgramLog(void*, void*)",
  nvrtcGetCUBINSize: "int nvrtcGetCUBINSize(void*, _Out_ size_t*)",
  nvrtcGetCUBIN: "int nvrtcGetCUBIN(void*, void*)",
  nvrtcGetPTXSize: "int nvrtcGetPTXSize(void*, _Out_ size_t*)",
  nvrtcGetPTX: "int nvrtcGetPTX(void*, void*)",
  nvrtcDestroyProgram: "int nvrtcDestroyProgram(_Inout_ void**)",
} as const;

export type CudaLibrary = Readonly<Record<keyof typeof CUDA_SIGNATURES, NativeAsync>>;
export type NvrtcLibrary = Readonly<Record<keyof typeof NVRTC_SIGNATURES, NativeAsync>>;

/** @throws Error of the loader where the library or a symbol is missing */
export function loadCuda(): CudaLibrary {
  return bindLibrary("libcuda.so.1", CUDA_SIGNATURES);
}

/** @param path of libnvrtc; @param builtins loaded first, because NVRTC looks for it by name at its first compile */
export function loadNvrtc(path: string, builtins: string | undefined): NvrtcLibrary {
  if (builtins !== undefined) keepLoaded([builtins]);
  return bindLibrary(path, NVRTC_SIGNATURES);
}
