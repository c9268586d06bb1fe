// page_widen for cuda sm_80, made by tilewright
// dtypes: T=bf16
// config: BS=4 BH=4
// dims fixed: D=16 PAGE=6
// dims divisible: NB%2 MAXB%2
// 32 threads in 1 warps of 32, 0 bytes of shared memory

TW_KERNEL(32) page_widen(
    const tw_f8e4m3* kCache, const tw_f8e4m3* vCache, const i32* table, const i32* pages,
    tw_bf16* k, tw_bf16* v, i32 NB, i32 HKV, i32 S, i32 MAXB, i32 P, f32 vScale) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i64 pages_at = (i64)pid0 * 2ll;
  i32 pages_tile;
  pages_tile = tw_ldg_nc<i32>(pages + pages_at);
  i32 pages_tile_1;
  pages_tile_1 = tw_ldg_nc<i32>(pages + (pages_at + 1ll));
  const i64 table_at = (i64)pages_tile * (i64)MAXB + (i64)pages_tile_1;
  i32 page;
  page = tw_ldg_nc<i32>(table + table_at);
  const bool t = page >= 0;
  if (t) {
    const i32 t_1 = (HKV + 3) >> 2;
    const i32 t_2 = tw_floordiv_i32(pid1, t_1) * 4;
    const i32 t_3 = tw_floormod_i32(pid1, t_1) * 4;
    const i32 stride = HKV * 96;
    const i32 stride_1 = HKV * 16;
    const i32 t_BS = lane >> 3;
    const i32 left = 6 - t_2;
    const i32 t_BH = (lane >> 1) & 3;
    const i32 left_1 = HKV - t_3;
    const i32 t_D = (lane & 1) * 8;
    const i32 kCache_at = t_BS * stride_1 + t_BH * 16 + t_D;
    const i64 kCache_at_1 = (i64)page * (i64)stride + (i64)t_2 * (i64)stride_1 + (i64)t_3 * 16ll + (i64)kCache_at;
    const bool kCache_in = (u32)page < (u32)NB && t_BS < left && t_BH < left_1;
    tw_f8e4m3 kCache_tile[8];
    const tw_u32x2 kCache_tile_vec = kCache_in ? tw_ldg_nc<tw_u32x2>(kCache + kCache_at_1) : tw_u32x2{0u, 0u};
    kCache_tile[0] = tw_byte(kCache_tile_vec.x, 0u);
    kCache_tile[1] = tw_byte(kCache_tile_vec.x, 1u);
    kCache_tile[2] = tw_byte(kCache_tile_vec.x, 2u);
    kCache_tile[3] = tw_byte(kCache_tile_vec.x, 3u);
    kCache_tile[4] = tw_byte(kCache_tile_vec.y, 0u);
    kCache_tile[5] = tw_byte(kCache_tile_vec.y, 1u);
    kCache_tile[6] = tw_byte(kCache_tile_vec.y, 2u);
    kCache_tile[7] = tw_byte(kCache_tile_vec.y, 3u);
    const i64 k_at = (i64)pid0 * (i64)stride + (i64)t_2 * (i64)stride_1 + (i64)t_3 * 16ll + (i64)kCache_at;
    const bool k_in = pid0 < P && t_BS < left && t_BH < left_1;
    tw_bf16 k_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      k_tile[r] = tw_f32_to_bf16(tw_f8e4m3_to_f32(kCache_tile[r]));
    }
    if (k_in) {
      tw_stg<tw_u32x4>(k + k_at, tw_u32x4{
          tw_pack_u16x2(k_tile[0], k_tile[1]), tw_pack_u16x2(k_tile[2], k_tile[3]),
          tw_pack_u16x2(k_tile[4], k_tile[5]), tw_pack_u16x2(k_tile[6], k_tile[7])});
    }
    tw_f8e4m3 vCache_tile[8];
    const tw_u32x2 vCache_tile_vec = kCache_in ? tw_ldg_nc<tw_u32x2>(vCache + kCache_at_1) : tw_u32x2{0u, 0u};
    vCache_tile[0] = tw_byte(vCache_tile_vec.x, 0u);
    vCache_tile[1] = tw_byte(vCache_tile_vec.x, 1u);
    vCache_tile[2] = tw_byte(vCache_tile_vec.x, 2u);
    vCache_tile[3] = tw_byte(vCache_tile_vec.x, 3u);
    vCache_tile[4] = tw_byte(vCache_tile_vec.y, 0u);
    vCache_tile[5] = tw_byte(vCache_tile_vec.y, 1u);
    vCache_tile[6] = tw_byte(vCache_tile_vec.y, 2u);
    vCache_tile[7] = tw_byte(vCache_tile_vec.y, 3u);
    tw_bf16 v_tile[8];
    #pragma unroll
    for (i32 r = 0; r < 8; ++r) {
      v_tile[r] = tw_f32_to_bf16(tw_f8e4m3_to_f32(vCache_tile[r]) * vScale);
    }
    if (k_in) {
      tw_stg<tw_u32x4>(v + k_at, tw_u32x4{
          tw_pack_u16x2(v_tile[0], v_tile[1]), tw_pack_u16x2(v_tile[2], v_tile[3]),
          tw_pack_u16x2(v_tile[4], v_tile[5]), tw_pack_u16x2(v_tile[6], v_tile[7])});
    }
  }
}
