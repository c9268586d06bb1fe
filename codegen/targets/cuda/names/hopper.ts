/** [codegen/targets/cuda] Names of the prelude from Hopper on, but for the wgmma shapes: mbarriers, tensor copies, clusters. Not their text. */
import { ONLY_SM_90A, type Row, SM_90, SM_90A } from "./row.ts";

export const MBARRIER: readonly Row[] = [
  [
    "bool tw_elect_one()",
    "true in one lane of the warp, the same each time; all lanes ask. The compiler knows then that one thread runs what follows",
    SM_90,
  ],
  [
    "void tw_mbarrier_init(u32 bar, u32 count)",
    "makes 8 bytes of shared memory a barrier whose phases end after `count` arrivals and all announced bytes; phase 0 begins",
    SM_90,
  ],
  [
    "void tw_fence_mbarrier_init()",
    "shows this thread's inits to copies and to the cluster; a barrier of the block or cluster follows",
    SM_90,
  ],
  [
    "void tw_mbarrier_expect_tx(u32 bar, u32 bytes)",
    "announces `bytes` that copies will bring in this phase, and arrives once",
    SM_90,
  ],
  ["void tw_mbarrier_arrive(u32 bar)", "arrives once; releases what this thread did before", SM_90],
  [
    "void tw_mbarrier_wait(u32 bar, u32 parity)",
    "returns once the phase of that parity is over: at once where the phase under way has the other parity; acquires",
    SM_90,
  ],
  [
    "void tw_fence_proxy_async()",
    "this thread's ordinary shared stores before it, to tensor copies and wgmma after the next barrier",
    SM_90,
  ],
];

const AXES = ["x", "y", "z", "w", "v"] as const;

function coordinates(rank: number): string {
  return AXES.slice(0, rank)
    .map((axis) => `i32 ${axis}`)
    .join(", ");
}

const loads = [1, 2, 3, 4, 5].map(
  (rank): Row => [
    `void tw_tma_load_${rank}d(u32 dst, const tw_tensor_map* map, u32 bar, ${coordinates(rank)})`,
    rank === 1
      ? "starts a copy of the map's box at x (the fastest axis) to shared memory; zero outside of the tensor; all bytes of the box count at bar"
      : `the same of a tensor of rank ${rank}, fastest axis first`,
    SM_90,
  ],
);

const multicasts = [2, 3].map(
  (rank): Row => [
    `void tw_tma_load_${rank}d_multicast(u32 dst, const tw_tensor_map* map, u32 bar, ${coordinates(rank)}, u32 ctas)`,
    "the same into every block of the cluster whose bit is set in ctas, at the offsets of dst and bar there",
    SM_90A,
  ],
);

const once = [2, 3].map(
  (rank): Row => [
    `void tw_tma_load_${rank}d_once(u32 dst, const tw_tensor_map* map, u32 bar, ${coordinates(rank)})`,
    "the same, and the lines that it reads are the first to leave the cache",
    SM_90,
  ],
);

const stores = [1, 2, 3, 4, 5].map(
  (rank): Row => [
    `void tw_tma_store_${rank}d(const tw_tensor_map* map, u32 src, ${coordinates(rank)})`,
    "starts a copy of the box from shared memory to x, …; what lies outside of the tensor is left out; no negative start",
    SM_90,
  ],
);

export const TENSOR_COPY: readonly Row[] = [
  ["void tw_tma_prefetch(const tw_tensor_map* map)", "fetches the map itself early", SM_90],
  ...loads,
  ...multicasts,
  ...once,
  ...stores,
  ["void tw_tma_store_commit()", "closes this thread's group of stores", SM_90],
  [
    "void tw_tma_store_wait_read<N>()",
    "until all but the newest N of this thread's groups have read their shared memory",
    SM_90,
  ],
  [
    "void tw_tma_store_wait<N>()",
    "until all but the newest N of this thread's groups are complete",
    SM_90,
  ],
];

export const CLUSTER: readonly Row[] = [
  [
    "i32 tw_next_program(u32* counter, i32 first)",
    "a program that no block has taken: first + what the counter was",
    SM_90,
  ],
  [
    "void tw_programs_done(u32* counter, i32 blocks)",
    "the last of the blocks to call it sets both words of the counter to 0",
    SM_90,
  ],
  ["u32 tw_cluster_rank()", "rank of the block in its cluster, 0 …", SM_90],
  [
    "void tw_cluster_arrive()",
    "barrier of all threads of the cluster: arrives, releases; every thread waits before it arrives again",
    SM_90,
  ],
  ["void tw_cluster_wait()", "the other half: waits for all, acquires", SM_90],
  [
    "u32 tw_map_to_cta(u32 address, u32 cta)",
    "cluster address of the same shared byte in block `cta` of the cluster",
    SM_90,
  ],
  [
    "void tw_mbarrier_arrive_remote(u32 bar)",
    "arrives once at a barrier given by tw_map_to_cta; hands over no ordinary stores",
    SM_90,
  ],
  [
    "void tw_mbarrier_publish_remote(u32 bar)",
    "arrives once at a barrier given by tw_map_to_cta; releases to the cluster what this thread did before",
    SM_90,
  ],
  [
    "void tw_mbarrier_wait_cluster(u32 bar, u32 parity)",
    "as tw_mbarrier_wait; acquires what threads of the cluster released",
    SM_90,
  ],
  [
    "void tw_store_remote_x4(u32 address, u32 a, u32 b, u32 c, u32 d)",
    "four words to an address given by tw_map_to_cta, a multiple of 16",
    SM_90,
  ],
  [
    "void tw_launch_dependents()",
    "lets the next kernel of the stream start, where it was launched so",
    SM_90,
  ],
  [
    "void tw_wait_previous()",
    "until the kernel before is complete, where this one may start early; else nothing",
    SM_90,
  ],
];

/** Registers for a kernel's roles; belongs to the names of wgmma, whose accumulators need them. */
export const REGISTERS: readonly Row[] = [
  [
    "void tw_setmaxnreg_inc<N>()",
    "all warps of a warpgroup: waits for and takes registers up to N a thread; N a multiple of 8",
    SM_90A,
  ],
  ["void tw_setmaxnreg_dec<N>()", "gives back registers down to N a thread", SM_90A],
];

export const WGMMA_ORDER: readonly Row[] = [
  [
    "u64 tw_wgmma_desc<N>(u32 address, u32 leading, u32 stride)",
    "descriptor of an operand in shared memory; N bytes of swizzle (0, 32, 64, 128). K-major: row r of 8-row group g at g stride + r N (N = 0: 16 r, 16-byte columns leading apart). Transposed: group g of 8 k at g stride, k of it N bytes apart, N/2 elements along the rows, the next ones leading away (N = 0: 8 elements, k 16 bytes apart, stride to the next 8 elements, leading to the next 8 k)",
    ONLY_SM_90A,
  ],
  [
    "void tw_wgmma_fence()",
    "orders this warpgroup's accumulators and A registers before the next wgmma",
    ONLY_SM_90A,
  ],
  ["void tw_wgmma_commit()", "closes this warpgroup's group of wgmma", ONLY_SM_90A],
  [
    "void tw_wgmma_wait<N>()",
    "until all but the newest N groups are complete: accumulators may be read, operands overwritten",
    ONLY_SM_90A,
  ],
  [
    "void tw_wgmma_wait_behind<N>(bool either)",
    "the same behind all that stands before it: ptxas moves a wait ahead of other instructions, but not out of a branch; the same bool for a warp",
    ONLY_SM_90A,
  ],
  [
    "void tw_wgmma_keep<N>(f32* d)",
    "keeps uses of the N accumulators at d from moving above it; no code on a device",
    ONLY_SM_90A,
  ],
  ["void tw_wgmma_keep_s32<N>(i32* d)", "the same of integers", ONLY_SM_90A],
];
