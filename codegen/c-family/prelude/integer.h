/** [codegen/c-family] Integer functions that CUDA and HIP spell alike. Those with an instruction of their own are in the target. */

TW_DEV i32 tw_abs_i32(i32 x) { return x < 0 ? (i32)(0u - (u32)x) : x; }

TW_DEV i32 tw_min_i32(i32 a, i32 b) { return a < b ? a : b; }

TW_DEV i32 tw_max_i32(i32 a, i32 b) { return a > b ? a : b; }

TW_DEV u32 tw_min_u32(u32 a, u32 b) { return a < b ? a : b; }

TW_DEV u32 tw_max_u32(u32 a, u32 b) { return a > b ? a : b; }

TW_DEV i32 tw_floordiv_i32(i32 a, i32 b) {
  const i32 quotient = a / b;
  const i32 rest = a - quotient * b;
  return quotient - (rest != 0 && (rest ^ b) < 0 ? 1 : 0);
}

TW_DEV i32 tw_floormod_i32(i32 a, i32 b) {
  const i32 rest = a % b;
  return rest != 0 && (rest ^ b) < 0 ? rest + b : rest;
}

TW_DEV u32 tw_floordiv_u32(u32 a, u32 b) { return a / b; }

TW_DEV u32 tw_floormod_u32(u32 a, u32 b) { return a % b; }

TW_DEV i32 tw_shl_i32(i32 x, i32 count) { return (i32)((u32)x << (count & 31)); }

TW_DEV u32 tw_shl_u32(u32 x, u32 count) { return x << (count & 31); }

TW_DEV i32 tw_shr_i32(i32 x, i32 count) { return x >> (count & 31); }

TW_DEV u32 tw_shr_u32(u32 x, u32 count) { return x >> (count & 31); }

TW_DEV i32 tw_add_i32(i32 a, i32 b) { return (i32)((u32)a + (u32)b); }

TW_DEV i32 tw_sub_i32(i32 a, i32 b) { return (i32)((u32)a - (u32)b); }

TW_DEV i32 tw_mul_i32(i32 a, i32 b) { return (i32)((u32)a * (u32)b); }
