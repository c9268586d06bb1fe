/** [codegen/targets/cuda] Functions of f32, full precision. Compile without --use_fast_math. */

TW_DEV f32 tw_exp(f32 x) { return expf(x); }

TW_DEV f32 tw_exp2(f32 x) {
  f32 y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

TW_DEV f32 tw_log(f32 x) { return logf(x); }

TW_DEV f32 tw_log2(f32 x) { return log2f(x); }

TW_DEV f32 tw_sqrt(f32 x) { return sqrtf(x); }

TW_DEV f32 tw_rsqrt(f32 x) { return rsqrtf(x); }

TW_DEV f32 tw_sin(f32 x) { return sinf(x); }

TW_DEV f32 tw_cos(f32 x) { return cosf(x); }

TW_DEV f32 tw_tanh(f32 x) { return tanhf(x); }

TW_DEV f32 tw_erf(f32 x) { return erff(x); }

TW_DEV f32 tw_floor(f32 x) { return floorf(x); }

TW_DEV f32 tw_ceil(f32 x) { return ceilf(x); }

TW_DEV f32 tw_round(f32 x) { return rintf(x); }

TW_DEV f32 tw_fma(f32 a, f32 b, f32 c) { return fmaf(a, b, c); }

TW_DEV f32 tw_abs(f32 x) { return fabsf(x); }

TW_DEV f32 tw_min(f32 a, f32 b) { return fminf(a, b); }

TW_DEV f32 tw_max(f32 a, f32 b) { return fmaxf(a, b); }

TW_DEV bool tw_isnan(f32 x) { return x != x; }
