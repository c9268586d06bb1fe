/** [codegen/targets/cuda] The names that emitted CUDA and HIP bodies may call: arguments, results, meaning. Not their text. */
import { cudaCapability } from "./features.ts";
import { FRAGMENT, MATRIX_AMD } from "./names/amd.ts";
import { BITS, CONVERT, INTEGER, MATH } from "./names/arithmetic.ts";
import { CLUSTER, MBARRIER, REGISTERS, TENSOR_COPY, WGMMA_ORDER } from "./names/hopper.ts";
import { ASYNC_COPY, ATOMICS, BARRIER, GLOBAL, INDICES, SHARED } from "./names/memory.ts";
import type { Offer, Row } from "./names/row.ts";
import { MATRIX, SHUFFLE } from "./names/warp.ts";
import { WGMMA_SHAPES } from "./names/wgmma.ts";

/** The prelude file, without its ending, that holds a name. */
export type PreludeSubject =
  | "indices"
  | "global"
  | "shared"
  | "async-copy"
  | "barrier"
  | "shuffle"
  | "matrix"
  | "matrix-amd"
  | "mbarrier"
  | "tensor-copy"
  | "wgmma"
  | "cluster"
  | "atomics"
  | "math"
  | "integer"
  | "convert"
  | "bits";

export interface PreludeName extends Offer {
  readonly subject: PreludeSubject;
  /** As written in C++, for example `u32 address`. */
  readonly params: readonly string[];
  /** C type of the result. `T` is the first template argument, always written out: `tw_lds<u16>(a)`. */
  readonly result: string;
  /** What stands between the angle brackets: a type, or a compile-time integer. */
  readonly template?: "T" | "N";
  readonly meaning: string;
}

const SUBJECTS: Readonly<Record<PreludeSubject, readonly Row[]>> = {
  indices: INDICES,
  global: GLOBAL,
  shared: SHARED,
  "async-copy": ASYNC_COPY,
  barrier: BARRIER,
  shuffle: SHUFFLE,
  matrix: MATRIX,
  "matrix-amd": [...FRAGMENT, ...MATRIX_AMD],
  mbarrier: MBARRIER,
  "tensor-copy": TENSOR_COPY,
  wgmma: [...WGMMA_ORDER, ...REGISTERS, ...WGMMA_SHAPES],
  cluster: CLUSTER,
  atomics: ATOMICS,
  math: MATH,
  integer: INTEGER,
  convert: CONVERT,
  bits: BITS,
};

const SIGNATURE = /^(\S+) (tw_\w+)(?:<([TN])>)?\((.*)\)$/;

function parseRow(subject: PreludeSubject, row: Row): readonly [string, PreludeName] {
  const [signature, meaning, offer] = row;
  const match = SIGNATURE.exec(signature);
  const [, result, name, template, params] = match ?? [];
  if (result === undefined || name === undefined || params === undefined) {
    throw new Error(`prelude table: not a signature: ${signature}`);
  }
  return [
    name,
    {
      subject,
      result,
      params: params === "" ? [] : params.split(", "),
      ...(template === "T" || template === "N" ? { template } : {}),
      meaning,
      ...offer,
    },
  ];
}

/** Every name of the prelude, in the order of its files. */
export const PRELUDE_NAMES: ReadonlyMap<string, PreludeName> = new Map(
  (Object.keys(SUBJECTS) as PreludeSubject[]).flatMap((subject) =>
    SUBJECTS[subject].map((row) => parseRow(subject, row)),
  ),
);

/**
 * True where text for a CUDA architecture may call the name.
 * @param arch `sm_80`, `sm_90a`
 * @throws UnsupportedError TW2303 for what is no CUDA architecture
 */
export function isOffered(name: PreludeName, arch: string): boolean {
  const capability = cudaCapability(arch);
  const { minArch = 80, maxArch = Number.POSITIVE_INFINITY, ownFeatures = false } = name;
  if (name.cuda === false) return false;
  return capability >= minArch && capability <= maxArch && (!ownFeatures || arch.endsWith("a"));
}
