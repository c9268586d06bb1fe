/** [runtime/peers] Declarations of cuDNN's backend API, and where the library is found. Describes no graph. */
import { readFlag } from "../../dsl/index.ts";
import { libraryFolders } from "../drivers/cuda/locate.ts";
import { bindLibrary, type NativeAsync } from "../drivers/native/library.ts";
import { locateIn } from "../drivers/native/locate.ts";

const CUDNN_SIGNATURES = {
  cudnnGetVersion: "size_t cudnnGetVersion()",
  cudnnGetLastErrorString: "void cudnnGetLastErrorString(void*, size_t)",
  cudnnCreate: "int cudnnCreate(_Out_ void**)",
  cudnnDestroy: "int cudnnDestroy(void*)",
  cudnnSetStream: "int cudnnSetStream(void*, void*)",
  cudnnBackendCreateDescriptor: "int cudnnBackendCreateDescriptor(int, _Out_ void**)",
  cudnnBackendDestroyDescriptor: "int cudnnBackendDestroyDescriptor(void*)",
  cudnnBackendFinalize: "int cudnnBackendFinalize(void*)",
  cudnnBackendSetAttribute: "int cudnnBackendSetAttribute(void*, int, int, int64_t, const void*)",
  cudnnBackendGetAttribute:
    "int cudnnBackendGetAttribute(void*, int, int, int64_t, _Out_ int64_t*, void*)",
  cudnnBackendExecute: "int cudnnBackendExecute(void*, void*, void*)",
} as const;

export type CudnnLibrary = Readonly<Record<keyof typeof CUDNN_SIGNATURES, NativeAsync>>;

/** Graphs with the operations of attention in their present form. */
const LEAST_VERSION = 90000;

/**
 * cuDNN 9. It compiles its kernels with the NVRTC that is loaded by then.
 * @returns why it is not there instead, as a sentence
 */
export function loadCudnn(): CudnnLibrary | string {
  const folders = libraryFolders(readFlag("cudnn"), "cudnn");
  const path = locateIn(folders, /^libcudnn\.so\.\d+$/);
  if (path === undefined)
    return `cuDNN was not found in ${folders.length} usual folders: install it, or set TILEWRIGHT_CUDNN to its path`;
  try {
    const library = bindLibrary(path, CUDNN_SIGNATURES);
    const version = Number(library.cudnnGetVersion());
    return version >= LEAST_VERSION
      ? library
      : `cuDNN at ${path} is ${cudnnVersion(version)}; its attention is called from 9.0.0 on`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `cuDNN at ${path} could not be loaded: ${why.split("\n")[0]}`;
  }
}

/** 91900 is 9.19.0. */
export function cudnnVersion(version: number): string {
  return `${Math.floor(version / 10000)}.${Math.floor((version % 10000) / 100)}.${version % 100}`;
}
