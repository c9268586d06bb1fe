/** [codegen/targets/hip] Relaxed, device-wide read-modify-write of global memory. */

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
