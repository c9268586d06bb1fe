/** [codegen/targets/hip] Barriers and fences of threads. */

TW_DEV void tw_syncthreads() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

TW_DEV void tw_syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

TW_DEV void tw_threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
