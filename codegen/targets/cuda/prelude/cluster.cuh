/** [codegen/targets/cuda] Blocks of a cluster: rank, barrier, addresses of one another; and launches that overlap. */

// Stands between TW_KERNEL(threads) and the name: blocks that start together and see each other's shared memory.
#define TW_CLUSTER(blocks) __cluster_dims__(blocks, 1, 1)

TW_DEV i32 tw_next_program(u32* counter, i32 first) { return first + (i32)atomicAdd(counter, 1u); }

// What this block took is counted before it says that it is done: the last one finds all of it.
TW_DEV void tw_programs_done(u32* counter, i32 blocks) {
  __threadfence();
  if (atomicAdd(counter + 1, 1u) != (u32)blocks - 1u) return;
  atomicExch(counter, 0u);
  atomicExch(counter + 1, 0u);
}

TW_DEV u32 tw_cluster_rank() {
  u32 rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

TW_DEV void tw_cluster_arrive() { asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory"); }

TW_DEV void tw_cluster_wait() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }

TW_DEV u32 tw_map_to_cta(u32 address, u32 cta) {
  u32 mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(cta));
  return mapped;
}

// Without .release.cluster, which would cost a fence of the whole GPU: to free a stage publishes no data.
TW_DEV void tw_mbarrier_arrive_remote(u32 bar) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" :: "r"(bar) : "memory");
}

TW_DEV void tw_mbarrier_publish_remote(u32 bar) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" :: "r"(bar) : "memory");
}

TW_DEV void tw_mbarrier_wait_cluster(u32 bar, u32 parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}"
               :: "r"(bar), "r"(parity) : "memory");
}

TW_DEV void tw_store_remote_x4(u32 address, u32 a, u32 b, u32 c, u32 d) {
  asm volatile("st.shared::cluster.v4.b32 [%0], {%1, %2, %3, %4};"
               :: "r"(address), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}

TW_DEV void tw_launch_dependents() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }

TW_DEV void tw_wait_previous() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
