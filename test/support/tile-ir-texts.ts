/** [test/support] Kernels in the text form of the tile IR that several tests read. No front end involved. */

export const RMS_NORM = `kernel rms_norm(
  x: in bf16[R, H=64],
  w: in bf16[H=64],
  y: out bf16[R, H=64],
  eps: f32,
) dims(R) fixed(H=64) {
  %r.0: i32 = pid 0  // rms-norm.ts:12:13
  %1: i32 = const 0  // rms-norm.ts:13:32
  %2: bf16[H=64] = load x[at %r.0, span H=64 from %1] fill 0  // rms-norm.ts:13:18
  %v.3: f32[H=64] = cast %2  // rms-norm.ts:13:13
  %4: f32[H=64] = mul %v.3, %v.3
  %5: f32 = reduce sum %4 over H
  %6: f32 = const 64
  %7: f32 = div %5, %6
  %eps.8: f32 = param eps
  %9: f32 = add %7, %eps.8
  %10: f32 = rsqrt %9
  %11: f32[H=64] = broadcast %10
  %12: f32[H=64] = mul %v.3, %11
  %13: bf16[H=64] = load w[span H=64 from %1] fill 0
  %14: f32[H=64] = cast %13
  %15: f32[H=64] = mul %12, %14
  %16: bf16[H=64] = cast %15
  store y[at %r.0, span H=64 from %1] = %16  // rms-norm.ts:14:3
}
`;

/** Not a sensible computation, but correct by the verifier's rules and with every kind of op. */
export const EVERY_OP = `kernel every_op(
  x: in f16[M, K],
  w: in f16[N, K],
  rows: in i32[M],
  y: out f32[M, N],
  counts: inout i32[8],
  n: i32,
) dims(M, K, N) config(BM=4, BN=8, causal=true) {
  %pm.0: i32 = pid 0
  %1: i32 = num_programs 0
  %K.2: i32 = dim K
  %n.3: i32 = param n
  %zero.4: i32 = const 0
  %step.5: i32 = const 8
  %6: i32[BM=4] = iota
  %7: i32[BM=4] = broadcast %pm.0
  %8: i32[BM=4] = add %6, %7
  %idx.9: i32[BM=4] = load rows[span BM=4 from %zero.4 end %n.3] fill -1 via ldg evict first
  %10: bool[BM=4] = ge %idx.9, %6
  %acc.11: f32[BM=4, BN=8] = const -inf
  %acc.12: f32[BM=4, BN=8] = for %k.13: i32 = %zero.4 to %K.2 step %step.5 carry (%acc.14: f32[BM=4, BN=8] = %acc.11) stages 3 unroll 2 {
    %xt.15: f16[BM=4, BK=8] = load x[gather %idx.9, span BK=8 from %k.13] mask %10 fill 0 via cp.async
    %wt.16: f16[BN=8, BK=8] = load w[span BN=8 from %zero.4, span BK=8 from %k.13] fill 0 hints none
    %17: f32[BM=4, BN=8] = dot %xt.15, %wt.16 over BK acc %acc.14
    yield %17
  }
  %18: f32[BM=4, BN=8] = exp2 %acc.12
  %19: f32[BM=4] = reduce max %18 over BN
  %20: i32[BM=4] = argmax %18 over BN
  %21: i32[BM=4] = scan sum %20 over BM
  %22: f32[BM=4] = bitcast %21
  %23: f32[BM=4] = select %10, %22, %19
  %24: f32[X=4] = rename %23
  %25: f32[BM=4, B0=2, B1=4] = split %18 BN into (B0, B1)
  %26: f32[BM=4, BN=8] = merge %25 (B0, B1) into BN
  %27: bool = lt %pm.0, %n.3
  %m.28: f32[BM=4], %l.29: f32[BM=4] = if %27 {
    %30: f32[BM=4] = max %19, %23
    yield %30, %19
  } else {
    yield %19, %23
  }
  if %27 {
    assert %27 "pm is below \\"n\\""
    print "rows" %idx.9
  }
  %31: i32 = while (%i.32: i32 = %zero.4) max 100 {
    %33: bool = lt %i.32, %n.3
    yield %33
  } do (%j.34: i32) {
    %35: i32 = add %j.34, %step.5
    yield %35
  }
  %36: f32[BM=4] = if_any %10 along BM else (%m.28) {
    %37: f32[BM=4] = mul %m.28, %l.29
    yield %37
  }
  %38: i32 = const 1
  %39: i32 = atomic add counts[at %31] by %38
  %42: i32 = atomic arrive counts[at %31] by %38
  %40: f16[BM=4] = cast %36
  %41: bool = const true
  store y[span BM=4 from %zero.4, span BN=8 from %zero.4 end %n.3] = %26 mask %10
}
`;
