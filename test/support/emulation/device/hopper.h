/** [test/support] CPU meaning of the prelude's mbarriers, tensor copies and clusters. */
#pragma once
#include "calls.h"

inline bool tw_elect_one(TW_AT) {
  emu::syncWarp(TW_CALL("tw_elect_one"));
  return emu::threadIndex() % TW_WARP == 0;
}
inline void tw_mbarrier_init(u32 bar, u32 count, TW_AT) {
  emu::initMbarrier(bar, count, TW_CALL("tw_mbarrier_init"));
}
inline void tw_fence_mbarrier_init() { emu::fenceMbarrierInit(); }
inline void tw_mbarrier_expect_tx(u32 bar, u32 bytes, TW_AT) {
  emu::expectBytes(bar, bytes, TW_CALL("tw_mbarrier_expect_tx"));
}
inline void tw_mbarrier_arrive(u32 bar, TW_AT) {
  emu::arriveMbarrier(bar, false, TW_CALL("tw_mbarrier_arrive"));
}
inline void tw_mbarrier_arrive_remote(u32 bar, TW_AT) {
  emu::arriveMbarrier(bar, true, TW_CALL("tw_mbarrier_arrive_remote"));
}
inline void tw_mbarrier_wait(u32 bar, u32 parity, TW_AT) {
  emu::waitMbarrier(bar, parity, TW_CALL("tw_mbarrier_wait"));
}
inline void tw_fence_proxy_async() { emu::fenceAsyncProxy(); }

inline i32 tw_next_program(u32* counter, i32 first, TW_AT) {
  return first + (i32)tw_atom_add_u32(counter, 1u, file, line);
}
inline void tw_programs_done(u32* counter, i32 blocks, TW_AT) {
  if (tw_atom_add_u32(counter + 1, 1u, file, line) != (u32)blocks - 1u) return;
  tw_atom_add_u32(counter, 0u - *counter, file, line);
  tw_atom_add_u32(counter + 1, 0u - *(counter + 1), file, line);
}

inline void tw_tma_prefetch(const tw_tensor_map*) {}

#define TW_TENSOR_COPY(rank, coordinates, ...)                                                     \
  inline void tw_tma_load_##rank##d(u32 dst, const tw_tensor_map* map, u32 bar, coordinates, TW_AT) { \
    const i32 start[] = {__VA_ARGS__};                                                             \
    emu::loadTensor(dst, map, bar, rank, start, 0, TW_CALL("tw_tma_load_" #rank "d"));             \
  }                                                                                                \
  inline void tw_tma_store_##rank##d(const tw_tensor_map* map, u32 src, coordinates, TW_AT) {      \
    const i32 start[] = {__VA_ARGS__};                                                             \
    emu::storeTensor(map, src, rank, start, TW_CALL("tw_tma_store_" #rank "d"));                   \
  }
#define TW_ALSO ,
TW_TENSOR_COPY(1, i32 x, x)
TW_TENSOR_COPY(2, i32 x TW_ALSO i32 y, x, y)
TW_TENSOR_COPY(3, i32 x TW_ALSO i32 y TW_ALSO i32 z, x, y, z)
TW_TENSOR_COPY(4, i32 x TW_ALSO i32 y TW_ALSO i32 z TW_ALSO i32 w, x, y, z, w)
TW_TENSOR_COPY(5, i32 x TW_ALSO i32 y TW_ALSO i32 z TW_ALSO i32 w TW_ALSO i32 v, x, y, z, w, v)
#undef TW_ALSO
#undef TW_TENSOR_COPY

inline void tw_tma_load_2d_multicast(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, u32 ctas,
                                     TW_AT) {
  const i32 start[] = {x, y};
  emu::loadTensor(dst, map, bar, 2, start, ctas, TW_CALL("tw_tma_load_2d_multicast"));
}
inline void tw_tma_load_3d_multicast(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z,
                                     u32 ctas, TW_AT) {
  const i32 start[] = {x, y, z};
  emu::loadTensor(dst, map, bar, 3, start, ctas, TW_CALL("tw_tma_load_3d_multicast"));
}
inline void tw_tma_load_2d_once(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, TW_AT) {
  const i32 start[] = {x, y};
  emu::loadTensor(dst, map, bar, 2, start, 0, TW_CALL("tw_tma_load_2d_once"));
}
inline void tw_tma_load_3d_once(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z, TW_AT) {
  const i32 start[] = {x, y, z};
  emu::loadTensor(dst, map, bar, 3, start, 0, TW_CALL("tw_tma_load_3d_once"));
}
inline void tw_tma_store_commit() { emu::commitStores(); }
template <int N> inline void tw_tma_store_wait_read() { emu::waitStores(N, true); }
template <int N> inline void tw_tma_store_wait() { emu::waitStores(N, false); }

inline void tw_mbarrier_wait_cluster(u32 bar, u32 parity, TW_AT) {
  emu::waitMbarrier(bar, parity, TW_CALL("tw_mbarrier_wait_cluster"));
}
inline void tw_mbarrier_publish_remote(u32 bar, TW_AT) {
  emu::arriveMbarrier(bar, true, TW_CALL("tw_mbarrier_publish_remote"));
}
inline void tw_store_remote_x4(u32 address, u32 a, u32 b, u32 c, u32 d, TW_AT) {
  const u32 words[] = {a, b, c, d};
  emu::storeRemote(address, words, sizeof words, TW_CALL("tw_store_remote_x4"));
}
inline u32 tw_cluster_rank() { return emu::clusterRank(); }
inline void tw_cluster_arrive(TW_AT) { emu::arriveCluster(TW_CALL("tw_cluster_arrive")); }
inline void tw_cluster_wait(TW_AT) { emu::waitCluster(TW_CALL("tw_cluster_wait")); }
inline u32 tw_map_to_cta(u32 address, u32 cta, TW_AT) {
  return emu::mapToCta(address, cta, TW_CALL("tw_map_to_cta"));
}
// One launch runs at a time; what is touched before the wait is still found.
inline void tw_launch_dependents() {}
inline void tw_wait_previous() { emu::waitPrevious(); }
