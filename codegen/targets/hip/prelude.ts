/** [codegen/targets/hip] The device prelude of HIP text: which files it has, and the part that a text needs. No emission of bodies. */
import { type PreludeLibrary, readPrelude } from "../../c-family/assemble-prelude.ts";
import { generateMatrix } from "./matrix-text.ts";

const FILES = [
  "./prelude/types.h",
  "./prelude/indices.h",
  "./prelude/global.h",
  "./prelude/shared.h",
  "./prelude/fragment.h",
  "./prelude/async-copy.h",
  "./prelude/barrier.h",
  "./prelude/shuffle.h",
  "./prelude/atomics.h",
  "./prelude/math.h",
  "./prelude/integer.h",
  "../../c-family/prelude/integer.h",
  "./prelude/convert.h",
  "../../c-family/prelude/narrow-float.h",
  "./prelude/bits.h",
  "../../c-family/prelude/bits.h",
] as const;

/**
 * Reads the HIP prelude from its files; a compiler keeps the result. The names are those of targets/cuda/prelude-names.ts without
 * the ones marked `hip: false`. No includes: hiprtc takes it as it is, clang with -nogpuinc too.
 */
export function readHipPrelude(): PreludeLibrary {
  return readPrelude(
    FILES.map((file) => new URL(file, import.meta.url)),
    generateMatrix(),
  );
}
