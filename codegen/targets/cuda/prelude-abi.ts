/** [codegen/targets/cuda] The kernel ABI of CUDA and HIP text, and the types and macros that its prelude declares. */

/**
 * Kernel ABI, agreed between the text emitter, the drivers and the emulation under test/support.
 *
 * `TW_KERNEL(threads) name(tensors…, dims…, scalars…, grid…, counter, maps…)` opens a kernel of at most `threads` threads a block.
 * 1. One pointer for each tensor in the order of the definition: `const E*` when only read, else `E*`, where E is the
 *    storage type of the dtype (STORAGE_TYPES). A tensor of 4-bit elements is a `u8*`, two elements a byte, low nibble first.
 * 2. One `i32` for each dim bound at launch, in the order of TileKernel.dims.
 * 3. One 32-bit word for each scalar parameter in the order of the definition: `f32` for floats, `i32` or `u32` for integers and
 *    bools (COMPUTE_TYPES).
 * 4. CUDA, where the artifact is persistent: the true grid along x, y and z, each an `i32`.
 * 5. CUDA, where blocks take programs by a counter: a `u32*` to its two words.
 * 6. CUDA, from sm_90 on: `TW_TENSOR_MAP map` for each tensor map; the names of prelude-names.ts take `&map`.
 * `TW_CLUSTER(blocks)` stands after `TW_KERNEL(threads)` where blocks form clusters; `TW_KERNEL_PER_SM(threads, blocks)` opens a kernel of
 * which an SM shall hold `blocks` blocks: ptxas ignores tw_setmaxnreg_inc and _dec without it.
 *
 * Text that follows: plain register arrays, loops, ternaries, `+ - *` and comparisons, float `/`; every instruction, every access to
 * shared or global memory and every thread or block index goes through a name of prelude-names.ts. Shared addresses are `u32` byte addresses
 * counted from `tw_smem_dyn()`; global addresses are pointers. Narrow floats are held as raw bits and
 * computed in f32. Fragments are arrays of registers passed as pointers (`acc[i]`, `&acc[4 * i]`), constant indices after unrolling.
 */
export const KERNEL_ABI = "tensors, dims, scalars, grid, counter, maps";

/** The C type of one stored element. */
export const STORAGE_TYPES = {
  f32: "f32",
  f16: "tw_f16",
  bf16: "tw_bf16",
  f8e4m3: "tw_f8e4m3",
  f8e5m2: "tw_f8e5m2",
  f8e8m0: "tw_f8e8m0",
  f4e2m1: "u8",
  nf4: "u8",
  i32: "i32",
  u32: "u32",
  i8: "i8",
  u8: "u8",
  i4: "u8",
  u4: "u8",
  bool: "u8",
} as const;

/** The C type that one element is computed in, in a register. */
export const COMPUTE_TYPES = {
  f32: "f32",
  f16: "f32",
  bf16: "f32",
  f8e4m3: "f32",
  f8e5m2: "f32",
  f8e8m0: "f32",
  f4e2m1: "f32",
  nf4: "f32",
  i32: "i32",
  u32: "u32",
  i8: "i32",
  u8: "u32",
  i4: "i32",
  u4: "u32",
  bool: "bool",
} as const;

/**
 * Types that the prelude declares; no include is needed. `tw_f16` and `tw_bf16` are u16, the 8-bit floats are u8, 4-bit
 * ones a u8 that holds one code: raw bits.
 * The vectors have members x, y (z, w), are aligned to their size and initialise as aggregates: `tw_u32x2{a, b}`.
 */
export const PRELUDE_TYPES = [
  "i8",
  "u8",
  "i16",
  "u16",
  "i32",
  "u32",
  "i64",
  "u64",
  "f32",
  "tw_f16",
  "tw_bf16",
  "tw_f8e4m3",
  "tw_f8e5m2",
  "tw_f8e8m0",
  "tw_f4e2m1",
  "tw_nf4",
  "tw_u32x2",
  "tw_u32x4",
  "tw_i32x2",
  "tw_i32x4",
  "tw_f32x2",
  "tw_f32x4",
] as const;

/** Types that the CUDA prelude alone declares. `tw_tensor_map` is 128 bytes, opaque. */
export const CUDA_PRELUDE_TYPES = ["tw_tensor_map"] as const;

/** Macros that the prelude defines. `TW_DEV` opens a helper function of the emitted text. */
export const PRELUDE_MACROS = ["TW_KERNEL", "TW_DEV", "TW_WARP"] as const;

/** Macros that the CUDA prelude alone defines. */
export const CUDA_PRELUDE_MACROS = ["TW_TENSOR_MAP", "TW_CLUSTER", "TW_KERNEL_PER_SM"] as const;

/** Identifiers that emitted text must not declare: types and macros of the prelude; `tw_` and `TW_` are reserved as prefixes too. */
export const PRELUDE_RESERVED: readonly string[] = [
  ...PRELUDE_TYPES,
  ...CUDA_PRELUDE_TYPES,
  ...PRELUDE_MACROS,
  ...CUDA_PRELUDE_MACROS,
];
