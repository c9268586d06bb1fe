/** [codegen/targets/cuda] Names of the prelude that move data, order it or say where a thread stands. Not their text. */
import type { Row } from "./row.ts";

export const INDICES: readonly Row[] = [
  ["i32 tw_tid()", "thread in the block, 0 …; blocks are one-dimensional"],
  ["i32 tw_ntid()", "threads of the block"],
  ["i32 tw_lane()", "lane in the warp, 0 … TW_WARP - 1"],
  ["i32 tw_warp()", "warp in the block; the compiler knows it is the same for all lanes"],
  ["i32 tw_bid_x()", "block index along x"],
  ["i32 tw_bid_y()", "block index along y"],
  ["i32 tw_bid_z()", "block index along z"],
  ["i32 tw_nbid_x()", "blocks of the grid along x"],
  ["i32 tw_nbid_y()", "blocks of the grid along y"],
  ["i32 tw_nbid_z()", "blocks of the grid along z"],
];

export const GLOBAL: readonly Row[] = [
  ["T tw_ldg<T>(const void* p)", "reads a T of 1, 2, 4, 8 or 16 bytes, aligned to its size"],
  [
    "T tw_ldg_nc<T>(const void* p)",
    "the same through the read-only path: nothing may write the tensor during the launch",
  ],
  ["void tw_stg<T>(void* p, T value)", "writes a T of 1, 2, 4, 8 or 16 bytes, aligned to its size"],
  [
    "void tw_stg_u4(void* p, u32 high, u32 value)",
    "replaces the low half of a byte, or the upper one (high = 1), by the low 4 bits of value; others may write the other half meanwhile",
  ],
];

export const SHARED: readonly Row[] = [
  ["u32 tw_smem_dyn()", "address of the block's dynamic shared memory, 1024-aligned"],
  ["T tw_lds<T>(u32 address)", "reads a T of 1, 2, 4, 8 or 16 bytes, aligned to its size"],
  [
    "void tw_sts<T>(u32 address, T value)",
    "writes a T of 1, 2, 4, 8 or 16 bytes, aligned to its size",
  ],
  [
    "void tw_label(u32 address, u32 bytes, const char* name)",
    "names an allocation in the emulation's reports; no code on a device",
  ],
];

export const ASYNC_COPY: readonly Row[] = [
  [
    "void tw_cp_async_4(u32 dst, const void* src)",
    "starts a copy of 4 bytes from global to shared memory",
  ],
  ["void tw_cp_async_8(u32 dst, const void* src)", "starts a copy of 8 bytes"],
  ["void tw_cp_async_16(u32 dst, const void* src)", "starts a copy of 16 bytes, past the L1 cache"],
  [
    "void tw_cp_async_4_zfill(u32 dst, const void* src, u32 bytes)",
    "4 bytes: the first `bytes` (0 … 4) are read, the rest is zero",
  ],
  [
    "void tw_cp_async_8_zfill(u32 dst, const void* src, u32 bytes)",
    "8 bytes: the first `bytes` (0 … 8) are read, the rest is zero",
  ],
  [
    "void tw_cp_async_16_zfill(u32 dst, const void* src, u32 bytes)",
    "16 bytes: the first `bytes` (0 … 16) are read, the rest is zero",
  ],
  ["void tw_cp_async_commit()", "closes this thread's group of copies"],
  [
    "void tw_cp_async_wait<N>()",
    "waits until at most N of this thread's newest groups are unfinished; others need a barrier after it",
  ],
];

export const BARRIER: readonly Row[] = [
  [
    "void tw_syncthreads()",
    "barrier of the whole block; orders shared and global memory within it",
  ],
  ["void tw_syncwarp()", "barrier of the warp; orders memory within it"],
  [
    "void tw_bar_sync(u32 id, u32 threads)",
    "named barrier 1 … 15 of `threads` threads (whole warps): arrive and wait; id a literal",
    { hip: false },
  ],
  ["void tw_bar_arrive(u32 id, u32 threads)", "the same, arrive without waiting", { hip: false }],
  ["void tw_threadfence()", "orders this thread's global accesses for the whole device"],
];

export const ATOMICS: readonly Row[] = [
  [
    "f32 tw_atom_add_f32(f32* p, f32 value)",
    "relaxed, device-wide, on global memory; result: the old value",
  ],
  ["i32 tw_atom_add_i32(i32* p, i32 value)", "wraps"],
  ["u32 tw_atom_add_u32(u32* p, u32 value)", "wraps"],
  ["f32 tw_atom_max_f32(f32* p, f32 value)", "keeps the other operand where one is NaN"],
  ["i32 tw_atom_max_i32(i32* p, i32 value)", "larger of old and value"],
  ["u32 tw_atom_max_u32(u32* p, u32 value)", "larger of old and value"],
  ["f32 tw_atom_min_f32(f32* p, f32 value)", "keeps the other operand where one is NaN"],
  ["i32 tw_atom_min_i32(i32* p, i32 value)", "smaller of old and value"],
  ["u32 tw_atom_min_u32(u32* p, u32 value)", "smaller of old and value"],
  [
    "i32 tw_last_arrival(i32* p, i32 expected)",
    "counts this block: 1 for the last of `expected`, which sets the counter to 0; releases and acquires device-wide; one thread, barriers around",
  ],
];
