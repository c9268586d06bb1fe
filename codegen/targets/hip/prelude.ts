/** [codegen/targets/hip] The device prelude of HIP text: which files it has, and the part that a text needs. No emission of bodies. */
import { type PreludeLibrary, readPrelude } from "../../c-family/assemble-prelude.ts";
import { assetUrl } from "../../text/asset.ts";
import { generateMatrix } from "./matrix-text.ts";

const FILES = [
  "targets/hip/prelude/types.h",
  "targets/hip/prelude/indices.h",
  "targets/hip/prelude/global.h",
  "targets/hip/prelude/shared.h",
  "targets/hip/prelude/fragment.h",
  "targets/hip/prelude/async-copy.h",
  "targets/hip/prelude/barrier.h",
  "targets/hip/prelude/shuffle.h",
  "targets/hip/prelude/atomics.h",
  "targets/hip/prelude/math.h",
  "targets/hip/prelude/integer.h",
  "c-family/prelude/integer.h",
  "targets/hip/prelude/convert.h",
  "c-family/prelude/narrow-float.h",
  "targets/hip/prelude/bits.h",
  "c-family/prelude/bits.h",
] as const;

/**
 * Reads the HIP prelude from its files; a compiler keeps the result. The names are those of targets/cuda/prelude-names.ts without
 * the ones marked `hip: false`. No includes: hiprtc takes it as it is, clang with -nogpuinc too.
 */
export function readHipPrelude(): PreludeLibrary {
  return readPrelude(FILES.map(assetUrl), generateMatrix());
}
