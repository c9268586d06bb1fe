/** [codegen/targets/cuda] The device prelude of CUDA text: which files it has, and the part that a text needs. No emission of bodies. */
import { type PreludeLibrary, readPrelude } from "../../c-family/assemble-prelude.ts";
import { assetUrl } from "../../text/asset.ts";
import { generateWgmma } from "./wgmma-text.ts";

const FILES = [
  "targets/cuda/prelude/types.cuh",
  "targets/cuda/prelude/indices.cuh",
  "targets/cuda/prelude/global.cuh",
  "targets/cuda/prelude/shared.cuh",
  "targets/cuda/prelude/async-copy.cuh",
  "targets/cuda/prelude/barrier.cuh",
  "targets/cuda/prelude/shuffle.cuh",
  "targets/cuda/prelude/matrix.cuh",
  "targets/cuda/prelude/mbarrier.cuh",
  "targets/cuda/prelude/tensor-copy.cuh",
  "targets/cuda/prelude/wgmma.cuh",
  "targets/cuda/prelude/cluster.cuh",
  "targets/cuda/prelude/atomics.cuh",
  "targets/cuda/prelude/math.cuh",
  "targets/cuda/prelude/integer.cuh",
  "c-family/prelude/integer.h",
  "targets/cuda/prelude/convert.cuh",
  "c-family/prelude/narrow-float.h",
  "targets/cuda/prelude/bits.cuh",
  "c-family/prelude/bits.h",
] as const;

/**
 * Reads the CUDA prelude from its files; a compiler keeps the result.
 * `assemble(preludeNamesIn(body))` is the text that stands before the body: no includes, NVRTC and nvcc take it as it is.
 */
export function readCudaPrelude(): PreludeLibrary {
  return readPrelude(FILES.map(assetUrl), generateWgmma());
}
