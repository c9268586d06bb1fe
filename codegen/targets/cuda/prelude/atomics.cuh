/** [codegen/targets/cuda] Device-wide read-modify-write of global memory: relaxed, but for the arrival of a block at a counter. */

TW_DEV f32 tw_atom_add_f32(f32* p, f32 value) { return atomicAdd(p, value); }

TW_DEV i32 tw_atom_add_i32(i32* p, i32 value) { return atomicAdd(p, value); }

TW_DEV u32 tw_atom_add_u32(u32* p, u32 value) { return atomicAdd(p, value); }

TW_DEV i32 tw_atom_max_i32(i32* p, i32 value) { return atomicMax(p, value); }

TW_DEV u32 tw_atom_max_u32(u32* p, u32 value) { return atomicMax(p, value); }

TW_DEV i32 tw_atom_min_i32(i32* p, i32 value) { return atomicMin(p, value); }

TW_DEV u32 tw_atom_min_u32(u32* p, u32 value) { return atomicMin(p, value); }

// There is no instruction for f32. The loop ends at once where the value would stay, which also settles a NaN
// in memory.
TW_DEV f32 tw_atom_max_f32(f32* p, f32 value) {
  i32 seen = __float_as_int(*(volatile f32*)p);
  for (;;) {
    const i32 next = __float_as_int(fmaxf(__int_as_float(seen), value));
    if (next == seen) return __int_as_float(seen);
    const i32 before = atomicCAS((i32*)p, seen, next);
    if (before == seen) return __int_as_float(before);
    seen = before;
  }
}

TW_DEV f32 tw_atom_min_f32(f32* p, f32 value) {
  i32 seen = __float_as_int(*(volatile f32*)p);
  for (;;) {
    const i32 next = __float_as_int(fminf(__int_as_float(seen), value));
    if (next == seen) return __int_as_float(seen);
    const i32 before = atomicCAS((i32*)p, seen, next);
    if (before == seen) return __int_as_float(before);
    seen = before;
  }
}

// What the block did before the barrier in front is released with this thread, and what it acquires the block sees behind the next one.
// The counter wraps to 0 at the last arrival.
TW_DEV i32 tw_last_arrival(i32* p, i32 expected) {
  u32 before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(before) : "l"(__cvta_generic_to_global(p)), "r"((u32)expected - 1u) : "memory");
  return before + 1u >= (u32)expected ? 1 : 0;
}
