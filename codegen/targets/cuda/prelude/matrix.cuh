/** [codegen/targets/cuda] Warp-wide matrix instructions: ldmatrix and mma.sync. */

TW_DEV void tw_ldmatrix_x1(u32* r, u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(r[0]) : "r"(address));
}

TW_DEV void tw_ldmatrix_x2(u32* r, u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"(address));
}

TW_DEV void tw_ldmatrix_x4(u32* r, u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

TW_DEV void tw_ldmatrix_x1_trans(u32* r, u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
               : "=r"(r[0]) : "r"(address));
}

TW_DEV void tw_ldmatrix_x2_trans(u32* r, u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
               : "=r"(r[0]), "=r"(r[1]) : "r"(address));
}

TW_DEV void tw_ldmatrix_x4_trans(u32* r, u32 address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address));
}

TW_DEV void tw_mma_m16n8k16_f32_f16(f32* d, const u32* a, const u32* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

TW_DEV void tw_mma_m16n8k16_f32_bf16(f32* d, const u32* a, const u32* b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

TW_DEV void tw_mma_m16n8k8_f32_tf32(f32* d, const u32* a, const u32* b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

TW_DEV void tw_mma_m16n8k32_s32_s8(i32* d, const u32* a, const u32* b) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

TW_DEV void tw_stmatrix_x2(u32 address, u32 a, u32 b) {
  asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0], {%1, %2};"
               :: "r"(address), "r"(a), "r"(b) : "memory");
}

TW_DEV void tw_stmatrix_x4(u32 address, u32 a, u32 b, u32 c, u32 d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               :: "r"(address), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}

TW_DEV void tw_stmatrix_x2_trans(u32 address, u32 a, u32 b) {
  asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};"
               :: "r"(address), "r"(a), "r"(b) : "memory");
}

TW_DEV void tw_stmatrix_x4_trans(u32 address, u32 a, u32 b, u32 c, u32 d) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};"
               :: "r"(address), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}

// Two e4m3 in the low half, x in its low byte, and two more in the high half.
TW_DEV u32 tw_pack_e4m3x4_(f32 x, f32 y, f32 z, f32 w) {
  u32 r;
  asm("{\n.reg .b16 lo, hi;\n"
      "cvt.rn.satfinite.e4m3x2.f32 lo, %2, %1;\n"
      "cvt.rn.satfinite.e4m3x2.f32 hi, %4, %3;\n"
      "mov.b32 %0, {lo, hi};\n}" : "=r"(r) : "f"(x), "f"(y), "f"(z), "f"(w));
  return r;
}

TW_DEV void tw_e4m3x2_low(u32* r, u32 x) {
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(r[0]) : "h"((u16)x));
}

TW_DEV void tw_e4m3x2_high(u32* r, u32 x) {
  asm("{\n.reg .b16 lo, hi;\nmov.b32 {lo, hi}, %1;\ncvt.rn.f16x2.e4m3x2 %0, hi;\n}" : "=r"(r[0]) : "r"(x));
}

TW_DEV u32 tw_swap_middle_bytes(u32 x) { return __byte_perm(x, 0u, 0x3120u); }

// A lane has columns 2q, 2q + 1 and 8 + 2q, 9 + 2q and wants 4q … 4q + 3: two halves of two other lanes. In each of two shuffles even and
// odd lanes give different halves, so that all that is sent is wanted.
TW_DEV void tw_trade_quads_e4m3(u32* r, const f32* x) {
  const u32 left = tw_pack_e4m3x4_(x[0], x[1], x[2], x[3]);
  const u32 right = tw_pack_e4m3x4_(x[4], x[5], x[6], x[7]);
  const u32 lane = tw_lane(), q = lane & 3u;
  const bool odd = (q & 1u) != 0u, upper = q >= 2u;
  const u32 even = (lane & ~3u) + ((q & 1u) << 1);
  r[0] = __shfl_sync(0xffffffffu, odd ? right : left, upper ? even + 1u : even);
  r[1] = __shfl_sync(0xffffffffu, odd ? left : right, upper ? even : even + 1u);
}

TW_DEV void tw_take_quads(u32* r, const u32* x) {
  const bool upper = (tw_lane() & 2) != 0;
  r[0] = __byte_perm(x[0], x[1], upper ? 0x1054u : 0x5410u);
  r[1] = __byte_perm(x[0], x[1], upper ? 0x3276u : 0x7632u);
}
