// mla_gather for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BM=16
// dims fixed: R=64 DR=16 D=16 PAGE=32
// dims divisible: S%2 MAXB%4 B%2 C%2 H%2
// 128 threads in 4 warps of 32, 0 bytes of shared memory

TW_KERNEL(128) mla_gather(
    const tw_bf16* latents, const tw_bf16* ropes, const i32* table, const i32* copies, tw_bf16* x,
    tw_bf16* k, i32 NB, i32 S, i32 MAXB, i32 B, i32 C, i32 H) {
  const i32 thread = tw_tid();
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i64 copies_at = (i64)pid0 * 4ll;
  i32 s;
  s = tw_ldg_nc<i32>(copies + copies_at);
  i32 first;
  first = tw_ldg_nc<i32>(copies + (copies_at + 1ll));
  i32 len;
  len = tw_ldg_nc<i32>(copies + (copies_at + 2ll));
  i32 row;
  row = tw_ldg_nc<i32>(copies + (copies_at + 3ll));
  const i32 t_BM = thread >> 3;
  const i32 position = first + t_BM;
  const i32 place = position < len ? position >> 5 : -1;
  const i64 table_at = (i64)s * (i64)MAXB + (i64)place;
  const bool table_in = (u32)s < (u32)S && (u32)place < (u32)MAXB;
  i32 pages;
  pages = table_in ? tw_ldg_nc<i32>(table + table_at) : -1;
  const i32 slot = position & 31;
  const i32 t = row + len - first;
  const i32 t_DR = (lane & 7) * 2;
  const i64 ropes_at = (i64)pages * 512ll + (i64)slot * 16ll + (i64)t_DR;
  const bool ropes_in = (u32)pages < (u32)NB;
  tw_bf16 rope[2];
  const u32 rope_vec = ropes_in ? tw_ldg_nc<u32>(ropes + ropes_at) : 0u;
  rope[0] = tw_u16x2_lo(rope_vec); rope[1] = tw_u16x2_hi(rope_vec);
  const i32 stride = H * 16;
  const i32 bound = tw_min_i32(t, C);
  const i32 position_1 = row + t_BM;
  const i32 bound_1 = tw_max_i32(bound, 0);
  const i32 k_at = t_BM * stride + t_DR;
  const i64 k_at_1 = (i64)row * (i64)stride + (i64)k_at;
  const bool k_in = (u32)position_1 < (u32)bound_1;
  for (i32 h = 0; h < H; ++h) {
    const i64 k_at_2 = k_at_1 + (i64)h * 16ll;
    const bool k_in_1 = k_in && h < H;
    if (k_in_1) {
      tw_stg<u32>(k + k_at_2, tw_pack_u16x2(rope[0], rope[1]));
    }
  }
  const i32 t_R = (lane & 7) * 8;
  const i64 latents_at = (i64)pages * 2048ll + (i64)slot * 64ll + (i64)t_R;
  tw_bf16 latents_tile[8];
  const tw_u32x4 latents_tile_vec = ropes_in ? tw_ldg_nc<tw_u32x4>(latents + latents_at) : tw_u32x4{0u, 0u, 0u, 0u};
  latents_tile[0] = tw_u16x2_lo(latents_tile_vec.x);
  latents_tile[1] = tw_u16x2_hi(latents_tile_vec.x);
  latents_tile[2] = tw_u16x2_lo(latents_tile_vec.y);
  latents_tile[3] = tw_u16x2_hi(latents_tile_vec.y);
  latents_tile[4] = tw_u16x2_lo(latents_tile_vec.z);
  latents_tile[5] = tw_u16x2_hi(latents_tile_vec.z);
  latents_tile[6] = tw_u16x2_lo(latents_tile_vec.w);
  latents_tile[7] = tw_u16x2_hi(latents_tile_vec.w);
  const i32 x_at = t_BM * 64 + t_R;
  const i64 x_at_1 = (i64)row * 64ll + (i64)x_at;
  if (k_in) {
    tw_stg<tw_u32x4>(x + x_at_1, tw_u32x4{
        tw_pack_u16x2(latents_tile[0], latents_tile[1]),
        tw_pack_u16x2(latents_tile[2], latents_tile[3]),
        tw_pack_u16x2(latents_tile[4], latents_tile[5]),
        tw_pack_u16x2(latents_tile[6], latents_tile[7])});
  }
}
