/** [codegen/targets/cuda] The device prelude of CUDA text: which files it has, and the part that a text needs. No emission of bodies. */
import { type PreludeLibrary, readPrelude } from "../../c-family/assemble-prelude.ts";
import { generateWgmma } from "./wgmma-text.ts";

const FILES = [
  "./prelude/types.cuh",
  "./prelude/indices.cuh",
  "./prelude/global.cuh",
  "./prelude/shared.cuh",
  "./prelude/async-copy.cuh",
  "./prelude/barrier.cuh",
  "./prelude/shuffle.cuh",
  "./prelude/matrix.cuh",
  "./prelude/mbarrier.cuh",
  "./prelude/tensor-copy.cuh",
  "./prelude/wgmma.cuh",
  "./prelude/cluster.cuh",
  "./prelude/atomics.cuh",
  "./prelude/math.cuh",
  "./prelude/integer.cuh",
  "../../c-family/prelude/integer.h",
  "./prelude/convert.cuh",
  "../../c-family/prelude/narrow-float.h",
  "./prelude/bits.cuh",
  "../../c-family/prelude/bits.h",
] as const;

/**
 * Reads the CUDA prelude from its files; a compiler keeps the result.
 * `assemble(preludeNamesIn(body))` is the text that stands before the body: no includes, NVRTC and nvcc take it as it is.
 */
export function readCudaPrelude(): PreludeLibrary {
  return readPrelude(
    FILES.map((file) => new URL(file, import.meta.url)),
    generateWgmma(),
  );
}
