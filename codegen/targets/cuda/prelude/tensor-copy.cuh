/** [codegen/targets/cuda] Copies of boxes of a tensor between global and shared memory by one thread, described by a tensor map (TMA). */

// Filled by the driver (cuTensorMapEncodeTiled); a kernel takes its address only.
struct alignas(64) tw_tensor_map { u64 opaque[16]; };

// What createpolicy.fractional.L2::evict_first makes for all of what is read.
#define TW_EVICT_FIRST 0x12F0000000000000ull
#define TW_TENSOR_MAP const __grid_constant__ tw_tensor_map

TW_DEV void tw_tma_prefetch(const tw_tensor_map* map) {
  asm volatile("prefetch.tensormap [%0];" :: "l"(map) : "memory");
}

TW_DEV void tw_tma_load_1d(u32 dst, const tw_tensor_map* map, u32 bar, i32 x) {
  asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], [%2];"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x) : "memory");
}

TW_DEV void tw_tma_load_2d(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x), "r"(y) : "memory");
}

TW_DEV void tw_tma_load_3d(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2];"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x), "r"(y), "r"(z) : "memory");
}

TW_DEV void tw_tma_load_4d(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z, i32 w) {
  asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2];"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

TW_DEV void tw_tma_load_5d(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z, i32 w, i32 v) {
  asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2];"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x), "r"(y), "r"(z), "r"(w), "r"(v) : "memory");
}

TW_DEV void tw_tma_load_2d_once(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1, {%3, %4}], [%2], %5;"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x), "r"(y), "l"(TW_EVICT_FIRST) : "memory");
}

TW_DEV void tw_tma_load_3d_once(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint "
               "[%0], [%1, {%3, %4, %5}], [%2], %6;"
               :: "r"(dst), "l"(map), "r"(bar), "r"(x), "r"(y), "r"(z), "l"(TW_EVICT_FIRST) : "memory");
}

TW_DEV void tw_tma_load_2d_multicast(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, u32 ctas) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%4, %5}], [%2], %3;"
               :: "r"(dst), "l"(map), "r"(bar), "h"((u16)ctas), "r"(x), "r"(y) : "memory");
}

TW_DEV void tw_tma_load_3d_multicast(u32 dst, const tw_tensor_map* map, u32 bar, i32 x, i32 y, i32 z, u32 ctas) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
               "[%0], [%1, {%4, %5, %6}], [%2], %3;"
               :: "r"(dst), "l"(map), "r"(bar), "h"((u16)ctas), "r"(x), "r"(y), "r"(z) : "memory");
}

TW_DEV void tw_tma_store_1d(const tw_tensor_map* map, u32 src, i32 x) {
  asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group [%0, {%2}], [%1];"
               :: "l"(map), "r"(src), "r"(x) : "memory");
}

TW_DEV void tw_tma_store_2d(const tw_tensor_map* map, u32 src, i32 x, i32 y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
               :: "l"(map), "r"(src), "r"(x), "r"(y) : "memory");
}

TW_DEV void tw_tma_store_3d(const tw_tensor_map* map, u32 src, i32 x, i32 y, i32 z) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];"
               :: "l"(map), "r"(src), "r"(x), "r"(y), "r"(z) : "memory");
}

TW_DEV void tw_tma_store_4d(const tw_tensor_map* map, u32 src, i32 x, i32 y, i32 z, i32 w) {
  asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5}], [%1];"
               :: "l"(map), "r"(src), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

TW_DEV void tw_tma_store_5d(const tw_tensor_map* map, u32 src, i32 x, i32 y, i32 z, i32 w, i32 v) {
  asm volatile("cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4, %5, %6}], [%1];"
               :: "l"(map), "r"(src), "r"(x), "r"(y), "r"(z), "r"(w), "r"(v) : "memory");
}

TW_DEV void tw_tma_store_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

template <int N> TW_DEV void tw_tma_store_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(N) : "memory");
}

template <int N> TW_DEV void tw_tma_store_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" :: "n"(N) : "memory");
}
