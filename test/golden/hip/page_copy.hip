// page_copy for hip gfx90a, made by tilewright
// dtypes: T=bf16
// config: BH=8
// dims fixed: D=64 DV=64
// dims divisible: P%2 PAGE%16
// 64 threads in 1 warps of 64, 0 bytes of shared memory

TW_KERNEL(64) page_copy(
    const i32* pairs, tw_bf16* kCache, tw_bf16* vCache, i32 P, i32 NB, i32 PAGE, i32 HKV) {
  const i32 lane = tw_lane();
  const i32 pid0 = tw_bid_x();
  const i32 pid1 = tw_bid_y();
  const i32 pid2 = tw_bid_z();
  const i64 pairs_at = (i64)pid0 * 2ll;
  i32 from;
  from = tw_ldg_nc<i32>(pairs + pairs_at);
  const bool t = from >= 0;
  if (t) {
    i32 to;
    to = tw_ldg_nc<i32>(pairs + (pairs_at + 1ll));
    const i32 t_1 = pid2 * 8;
    const i32 stride = HKV * 64 * PAGE;
    const i32 stride_1 = HKV * 64;
    const i32 t_BH = lane >> 3;
    const i32 left = HKV - t_1;
    const i32 t_D = (lane & 7) * 8;
    const i32 kCache_at = t_BH * 64 + t_D;
    const i64 kCache_at_1 = (i64)from * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)t_1 * 64ll + (i64)kCache_at;
    const bool kCache_in = (u32)from < (u32)NB && pid1 < PAGE && t_BH < left;
    tw_bf16 kCache_tile[8];
    const tw_u32x4 kCache_tile_vec = kCache_in ? tw_ldg<tw_u32x4>(kCache + kCache_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    kCache_tile[0] = tw_u16x2_lo(kCache_tile_vec.x);
    kCache_tile[1] = tw_u16x2_hi(kCache_tile_vec.x);
    kCache_tile[2] = tw_u16x2_lo(kCache_tile_vec.y);
    kCache_tile[3] = tw_u16x2_hi(kCache_tile_vec.y);
    kCache_tile[4] = tw_u16x2_lo(kCache_tile_vec.z);
    kCache_tile[5] = tw_u16x2_hi(kCache_tile_vec.z);
    kCache_tile[6] = tw_u16x2_lo(kCache_tile_vec.w);
    kCache_tile[7] = tw_u16x2_hi(kCache_tile_vec.w);
    tw_syncthreads();
    const i64 kCache_at_2 = (i64)to * (i64)stride + (i64)pid1 * (i64)stride_1 + (i64)t_1 * 64ll + (i64)kCache_at;
    const bool kCache_in_1 = (u32)to < (u32)NB && pid1 < PAGE && t_BH < left;
    if (kCache_in_1) {
      tw_stg<tw_u32x4>(kCache + kCache_at_2, tw_u32x4{
          tw_pack_u16x2(kCache_tile[0], kCache_tile[1]),
          tw_pack_u16x2(kCache_tile[2], kCache_tile[3]),
          tw_pack_u16x2(kCache_tile[4], kCache_tile[5]),
          tw_pack_u16x2(kCache_tile[6], kCache_tile[7])});
    }
    tw_bf16 vCache_tile[8];
    const tw_u32x4 vCache_tile_vec = kCache_in ? tw_ldg<tw_u32x4>(vCache + kCache_at_1) : tw_u32x4{0u, 0u, 0u, 0u};
    vCache_tile[0] = tw_u16x2_lo(vCache_tile_vec.x);
    vCache_tile[1] = tw_u16x2_hi(vCache_tile_vec.x);
    vCache_tile[2] = tw_u16x2_lo(vCache_tile_vec.y);
    vCache_tile[3] = tw_u16x2_hi(vCache_tile_vec.y);
    vCache_tile[4] = tw_u16x2_lo(vCache_tile_vec.z);
    vCache_tile[5] = tw_u16x2_hi(vCache_tile_vec.z);
    vCache_tile[6] = tw_u16x2_lo(vCache_tile_vec.w);
    vCache_tile[7] = tw_u16x2_hi(vCache_tile_vec.w);
    tw_syncthreads();
    if (kCache_in_1) {
      tw_stg<tw_u32x4>(vCache + kCache_at_2, tw_u32x4{
          tw_pack_u16x2(vCache_tile[0], vCache_tile[1]),
          tw_pack_u16x2(vCache_tile[2], vCache_tile[3]),
          tw_pack_u16x2(vCache_tile[4], vCache_tile[5]),
          tw_pack_u16x2(vCache_tile[6], vCache_tile[7])});
    }
  }
}
