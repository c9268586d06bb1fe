/** [runtime/drivers] koffi declarations of the HIP runtime and of hiprtc. Signatures only; no policy. */
import { bindLibrary, keepLoaded, type NativeAsync } from "../native/library.ts";

const HIP_SIGNATURES = {
  hipInit: "int hipInit(unsigned int)",
  hipRuntimeGetVersion: "int hipRuntimeGetVersion(_Out_ int*)",
  hipGetDeviceCount: "int hipGetDeviceCount(_Out_ int*)",
  hipSetDevice: "int hipSetDevice(int)",
  hipDeviceGetName: "int hipDeviceGetName(void*, int, int)",
  hipDeviceGetAttribute: "int hipDeviceGetAttribute(_Out_ int*, int, int)",
  hipMemGetInfo: "int hipMemGetInfo(_Out_ size_t*, _Out_ size_t*)",
  hipMalloc: "int hipMalloc(_Out_ uint64_t*, size_t)",
  hipFree: "int hipFree(uint64_t)",
  hipMemcpyHtoDAsync: "int hipMemcpyHtoDAsync(uint64_t, const void*, size_t, void*)",
  hipMemcpyDtoH: "int hipMemcpyDtoH(void*, uint64_t, size_t)",
  hipMemcpyDtoDAsync: "int hipMemcpyDtoDAsync(uint64_t, uint64_t, size_t, void*)",
  hipMemsetD8Async: "int hipMemsetD8Async(uint64_t, unsigned char, size_t, void*)",
  hipModuleLoadData: "int hipModuleLoadData(_Out_ void**, const void*)",
  hipModuleUnload: "int hipModuleUnload(void*)",
  hipModuleGetFunction: "int hipModuleGetFunction(_Out_ void**, void*, str)",
  hipModuleLaunchKernel:
    "int hipModuleLaunchKernel(void*, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, void*, void*, void*)",
  hipStreamCreateWithFlags: "int hipStreamCreateWithFlags(_Out_ void**, unsigned int)",
  hipStreamDestroy: "int hipStreamDestroy(void*)",
  hipStreamSynchronize: "int hipStreamSynchronize(void*)",
  hipStreamBeginCapture: "int hipStreamBeginCapture(void*, int)",
  hipStreamEndCapture: "int hipStreamEndCapture(void*, _Out_ void**)",
  hipGraphInstantiate: "int hipGraphInstantiate(_Out_ void**, void*, void*, void*, size_t)",
  hipGraphLaunch: "int hipGraphLaunch(void*, void*)",
  hipGraphDestroy: "int hipGraphDestroy(void*)",
  hipGraphExecDestroy: "int hipGraphExecDestroy(void*)",
  hipEventCreate: "int hipEventCreate(_Out_ void**)",
  hipEventRecord: "int hipEventRecord(void*, void*)",
  hipEventQuery: "int hipEventQuery(void*)",
  hipEventElapsedTime: "int hipEventElapsedTime(_Out_ float*, void*, void*)",
  hipEventDestroy: "int hipEventDestroy(void*)",
  hipGetErrorName: "const char* hipGetErrorName(int)",
  hipGetErrorString: "const char* hipGetErrorString(int)",
} as const;

/** Names of the same call: since ROCm 6 it carries the release of its structure. */
const PROPERTIES = ["hipGetDevicePropertiesR0600", "hipGetDeviceProperties"] as const;

const HIPRTC_SIGNATURES = {
  hiprtcVersion: "int hiprtcVersion(_Out_ int*, _Out_ int*)",
  hiprtcCreateProgram: "int hiprtcCreateProgram(_Out_ void**, str, str, int, void*, void*)",
  hiprtcCompileProgram: "int hiprtcCompileProgram(void*, int, const char**)",
  hiprtcGetProgramLogSize: "int hiprtcGetProgramLogSize(void*, _Out_ size_t*)",
  hiprtcGetProgramLog: "int hiprtcGetProgramLog(void*, void*)",
  hiprtcGetCodeSize: "int hiprtcGetCodeSize(void*, _Out_ size_t*)",
  hiprtcGetCode: "int hiprtcGetCode(void*, void*)",
  hiprtcDestroyProgram: "int hiprtcDestroyProgram(_Inout_ void**)",
} as const;

/** Calls that give text instead of a status. */
type TextCall = "hipGetErrorName" | "hipGetErrorString";
export type HipLibrary = Readonly<
  Record<Exclude<keyof typeof HIP_SIGNATURES, TextCall>, NativeAsync>
> &
  Readonly<Record<TextCall, (status: number) => string | null>> & {
    readonly hipGetDeviceProperties: NativeAsync;
  };
export type HiprtcLibrary = Readonly<Record<keyof typeof HIPRTC_SIGNATURES, NativeAsync>>;

/**
 * @param path of libamdhip64
 * @param before libraries that it needs, loaded first where they lie beside it
 * @throws Error of the loader where the library or a symbol is missing
 */
export function loadHip(path: string, before: readonly string[]): HipLibrary {
  keepLoaded(before);
  const calls = bindLibrary(path, HIP_SIGNATURES);
  return { ...calls, hipGetDeviceProperties: bindProperties(path) } as unknown as HipLibrary;
}

function bindProperties(path: string): NativeAsync {
  const [newest, oldest] = PROPERTIES;
  const bind = (name: string): NativeAsync =>
    bindLibrary(path, { call: `int ${name}(void*, int)` }).call;
  try {
    return bind(newest);
  } catch {
    return bind(oldest);
  }
}

/** As `loadHip`; hiprtc is a library of its own, or a part of libamdhip64 in older releases. */
export function loadHiprtc(path: string, before: readonly string[]): HiprtcLibrary {
  keepLoaded(before);
  return bindLibrary(path, HIPRTC_SIGNATURES);
}
