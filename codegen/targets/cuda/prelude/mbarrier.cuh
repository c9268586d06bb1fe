/** [codegen/targets/cuda] Barriers in shared memory that count arrivals and bytes, and the fences between ordinary and asynchronous accesses. */

TW_DEV bool tw_elect_one() {
  u32 chosen;
  asm volatile("{\n.reg .pred p;\nelect.sync _|p, 0xffffffff;\nselp.u32 %0, 1, 0, p;\n}" : "=r"(chosen));
  return chosen != 0;
}

TW_DEV void tw_mbarrier_init(u32 bar, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(bar), "r"(count) : "memory");
}

TW_DEV void tw_fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

TW_DEV void tw_mbarrier_expect_tx(u32 bar, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" :: "r"(bar), "r"(bytes) : "memory");
}

TW_DEV void tw_mbarrier_arrive(u32 bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(bar) : "memory");
}

// The labels belong to the braces, so that a kernel may hold many waits.
TW_DEV void tw_mbarrier_wait(u32 bar, u32 parity) {
  asm volatile("{\n.reg .pred done;\n"
               "again: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "@!done bra again;\n}"
               :: "r"(bar), "r"(parity) : "memory");
}

TW_DEV void tw_fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
