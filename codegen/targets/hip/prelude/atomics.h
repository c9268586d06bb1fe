/** [codegen/targets/hip] Device-wide read-modify-write of global memory: relaxed, but for the arrival of a block at a counter. */

TW_DEV f32 tw_atom_add_f32(f32* p, f32 value) {
  return __hip_atomic_fetch_add(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV i32 tw_atom_add_i32(i32* p, i32 value) {
  return __hip_atomic_fetch_add(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV u32 tw_atom_add_u32(u32* p, u32 value) {
  return __hip_atomic_fetch_add(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV f32 tw_atom_max_f32(f32* p, f32 value) {
  return __hip_atomic_fetch_max(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV i32 tw_atom_max_i32(i32* p, i32 value) {
  return __hip_atomic_fetch_max(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV u32 tw_atom_max_u32(u32* p, u32 value) {
  return __hip_atomic_fetch_max(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV f32 tw_atom_min_f32(f32* p, f32 value) {
  return __hip_atomic_fetch_min(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV i32 tw_atom_min_i32(i32* p, i32 value) {
  return __hip_atomic_fetch_min(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

TW_DEV u32 tw_atom_min_u32(u32* p, u32 value) {
  return __hip_atomic_fetch_min(p, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// What the block did before the barrier in front is released with this thread, and what it acquires the block sees behind the next one.
// Nobody else arrives behind the last one, so a plain store sets the counter back.
TW_DEV i32 tw_last_arrival(i32* p, i32 expected) {
  const i32 before = __hip_atomic_fetch_add(p, 1, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT);
  if (before + 1 < expected) return 0;
  __hip_atomic_store(p, 0, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  return 1;
}
