/** [runtime/drivers] Raw CUDA handles behind tensors and streams, for native libraries that work on them. No calls. */
import { LaunchError } from "../../../dsl/index.ts";
import type { DeviceBuffer, Stream, Tensor } from "../../device.ts";

export interface CudaBuffer extends DeviceBuffer {
  readonly pointer: bigint;
}
export interface CudaStream extends Stream {
  readonly handle: bigint;
}

/** CUdeviceptr of a tensor's first element. The tensor must be of a CUDA device. */
export function addressOfTensor({ buffer, byteOffset }: Tensor): bigint {
  return (buffer as CudaBuffer).pointer + BigInt(byteOffset);
}

/**
 * CUstream of a stream.
 * @throws LaunchError TW3117 for a stream of another driver, or none
 */
export function handleOfStream(stream: Stream | undefined): bigint {
  if (stream?.driver === "cuda") return (stream as CudaStream).handle;
  throw new LaunchError({
    code: "TW3117",
    message: "a CUDA call was given a stream that is none",
    seen: stream === undefined ? "no stream" : `a stream of ${stream.driver}`,
    expected: "a stream that a CUDA device made, or its defaultStream",
    remedy: "use the streams of the device that the tensors are on",
  });
}
